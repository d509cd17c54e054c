"""Parts that the settings choose must be installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from phonenumbers import SUPPORTED_REGIONS

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.channels.sns.channel import SnsChannel
from frontdesk.errors import BadSettings
from frontdesk.setting_values import COUNTRIES
from frontdesk.settings import Settings, load
from frontdesk.wiring.aws import AwsResources, aws_access
from frontdesk.wiring.channels import sms_channel
from frontdesk.wiring.one_machine import build


@pytest.mark.spec("FD-19")
@pytest.mark.parametrize(
    ("chosen", "says"),
    [({"channel": "ses"}, "mailbox or smtp")],
)
def test_one_machine_refuses_settings_for_aws(
    tmp_path: Path, chosen: dict[str, str], says: str
) -> None:
    with pytest.raises(BadSettings, match=says):
        build(Settings(data_dir=tmp_path / "data", **chosen))  # type: ignore[arg-type]

    assert not (tmp_path / "data").exists()


@pytest.mark.spec("FD-16", "FD-19")
@pytest.mark.parametrize(
    ("channel", "texts", "by"),
    [
        ("mailbox", "", "mailbox"),
        ("smtp", "", "none"),
        ("ses", "", "none"),
        ("ses", "sns", "sns"),
        ("mailbox", "none", "none"),
        ("smtp", "mailbox", "mailbox"),
    ],
)
def test_texts_are_kept_where_mail_is_kept_unless_said_otherwise(
    channel: str, texts: str, by: str
) -> None:
    settings = Settings(channel=channel, texts=texts)
    kinds = {"mailbox": MailboxChannel, "sns": SnsChannel, "none": type(None)}

    access = aws_access(AwsResources(lambda _service: None, "bucket"))

    assert settings.texts_by == by
    assert type(sms_channel(settings, access)) is kinds[by]


@pytest.mark.spec("FD-19")
def test_settings_about_texts_are_checked(tmp_path: Path) -> None:
    right = {
        "FRONTDESK_COUNTRY": "de",
        "FRONTDESK_TEXT_SENDER": "SalonMia",
        "FRONTDESK_TEXT_NUMBER": "+491712345678",
    }
    settings = load(right, data_dir=tmp_path)
    assert (settings.country, settings.text_sender) == ("DE", "SalonMia")
    assert settings.text_number == "+491712345678"

    for name, value in (
        ("COUNTRY", "Singapore"),
        ("COUNTRY", "XX"),
        ("TEXT_SENDER", "TwelveSigns12"),
        ("TEXT_NUMBER", "SalonMia"),
        ("TEXT_NUMBER", "+0123456789"),
        ("TEXT_SENDER", "12345"),
        ("TEXT_SENDER", "Salon Mia"),
        ("TEXTS", "pigeon"),
    ):
        with pytest.raises(BadSettings, match=f"FRONTDESK_{name} should be"):
            load({f"FRONTDESK_{name}": value}, data_dir=tmp_path)


def test_every_country_whose_numbers_can_be_read_can_be_set() -> None:
    assert COUNTRIES == SUPPORTED_REGIONS
