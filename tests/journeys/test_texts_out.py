"""One machine sends texts by SNS with its own credentials, or explains why it cannot."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from frontdesk.channels.sns import NO_CREDENTIALS
from frontdesk.channels.sns.channel import SnsChannel
from frontdesk.core.sends import SendState
from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.wiring.channels import NO_LIBRARY, NO_REGION, sms_channel, sms_trouble, this_machine
from tests.cli.conftest import Shell
from tests.support.salon import salon
from tests.support.vendor_server import Reply, Request, answering

ANN = "+6591234567"
SNS = Settings(texts="sns", text_sender="SalonMia")
#: The answers of SNS by action.
ANSWERS = {
    "CheckIfPhoneNumberIsOptedOut": "<isOptedOut>false</isOptedOut>",
    "Publish": "<MessageId>1</MessageId>",
}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """Has a region and no credentials."""
    for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "SESSION_TOKEN", "PROFILE", "ENDPOINT_URL"):
        monkeypatch.delenv(f"AWS_{name}", raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "no-config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "no-credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-southeast-1")
    return monkeypatch


@contextmanager
def sns() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yields the address of a stand-in for SNS, and the recorded requests."""
    asked: list[dict[str, str]] = []

    def reply(request: Request) -> Reply:
        asked.append(dict(parse_qsl(request.body.decode())))
        action = asked[-1]["Action"]
        result = f"<{action}Result>{ANSWERS[action]}</{action}Result>"
        return Reply(200, f"<{action}Response>{result}</{action}Response>")

    with answering(reply) as url:
        yield url, asked


@pytest.mark.spec("FD-16", "WL-14")
def test_an_offer_goes_out_by_sns_from_one_machine(
    machine: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine.setenv("AWS_ACCESS_KEY_ID", "key")
    machine.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with sns() as (url, asked):
        machine.setenv("AWS_ENDPOINT_URL", url)
        with salon(tmp_path, texts_by="sns", texts=sms_channel(SNS, this_machine(SNS))) as shop:
            shop.joins("Ann", mobile=ANN, email="")
            slot = shop.frees()

            assert shop.offers(slot) == [("Ann", "live")]
            [kept] = shop.messages(ANN)

    assert [each["Action"] for each in asked] == ["CheckIfPhoneNumberIsOptedOut", "Publish"]
    assert (asked[1]["PhoneNumber"], asked[1]["Message"]) == (ANN, kept["text"])
    assert "SalonMia" in asked[1].values()


@pytest.mark.spec("FD-16")
def test_without_credentials_no_window_runs_and_the_doctor_says_so(
    machine: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with salon(tmp_path, texts_by="sns", texts=sms_channel(SNS, this_machine(SNS))) as shop:
        shop.joins("Ann", mobile=ANN, email="")
        slot = shop.frees()
        [waiting] = shop.product.store.sends_in(SendState.QUEUED, 10)

        assert shop.offers(slot) == [("Ann", "pending")]
        assert "there are no credentials for AWS" in waiting.why

    shell = Shell(tmp_path, capsys)
    machine.setenv("FRONTDESK_TEXTS", "sns")
    status, out, _ = shell.run("doctor")
    assert (status, f"Problem: {NO_CREDENTIALS}" in out) == (1, True)
    machine.setenv("AWS_ACCESS_KEY_ID", "key")
    machine.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    assert NO_CREDENTIALS not in shell.says("doctor")


@pytest.mark.spec("FD-19")
def test_missing_settings_of_sns_are_named(machine: pytest.MonkeyPatch) -> None:
    assert isinstance(sms_channel(SNS, this_machine(SNS)), SnsChannel)
    assert sms_trouble(Settings()) == ""

    machine.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(BadSettings, match="AWS_DEFAULT_REGION"):
        sms_channel(SNS, this_machine(SNS))
    assert sms_trouble(SNS) == NO_REGION.format(setting="texts = sns")
    machine.setitem(sys.modules, "botocore.session", None)
    assert sms_trouble(SNS) == NO_LIBRARY.format(setting="texts = sns")
