"""Texts by SNS: our requests, and the meaning of its answers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import (
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ParamValidationError,
    ReadTimeoutError,
)

from frontdesk.channels.sns.channel import SnsChannel
from frontdesk.core.messages import SendFailed, SendLater, SendRefused, SendUnknown, Text
from tests.aws.payloads import Recorder, refusal

OPEN, OPTED_OUT = {"isOptedOut": False}, {"isOptedOut": True}
TAKEN = {"MessageId": "0100-1"}
TEXT = Text(
    message_id="<0123abcd@frontdesk.example>",
    to_mobile="+6591234567",
    text="A cut on Fri 20 Nov 10:00. Yours until 10:10: https://x.example/l/abc",
    date=datetime(2026, 11, 16, tzinfo=UTC),
)
ASKED = ("check_if_phone_number_is_opted_out", {"phoneNumber": "+6591234567"})
TRANSACTIONAL = {"DataType": "String", "StringValue": "Transactional"}


def sending(*answers: Any) -> SendFailed:
    """Returns the error of sending after these answers."""
    with pytest.raises(SendFailed) as raised:
        SnsChannel(Recorder("sns", list(answers))).send(TEXT)
    return raised.value


@pytest.mark.spec("FD-16")
@pytest.mark.parametrize(
    ("sender", "number", "named"),
    [
        ("", "", {}),
        ("SALON", "", {"AWS.SNS.SMS.SenderID": "SALON"}),
        ("", "+6581234567", {"AWS.MM.SMS.OriginationNumber": "+6581234567"}),
        (
            "SALON",
            "12345",
            {"AWS.SNS.SMS.SenderID": "SALON", "AWS.MM.SMS.OriginationNumber": "12345"},
        ),
    ],
)
def test_a_text_is_handed_over_as_transactional_with_the_senders_name_and_number_if_there_are_any(
    sender: str, number: str, named: dict[str, str]
) -> None:
    sns = Recorder("sns", [OPEN, TAKEN])

    SnsChannel(sns, sender, number).send(TEXT)

    assert sns.calls == [
        ASKED,
        (
            "publish",
            {
                "PhoneNumber": "+6591234567",
                "Message": TEXT.text,
                "MessageAttributes": {
                    "AWS.SNS.SMS.SMSType": TRANSACTIONAL,
                    **{
                        name: {"DataType": "String", "StringValue": value}
                        for name, value in named.items()
                    },
                },
            },
        ),
    ]


@pytest.mark.spec("FD-15")
def test_a_number_that_said_stop_to_the_network_is_refused_and_nothing_is_sent() -> None:
    sns = Recorder("sns", [OPTED_OUT])

    with pytest.raises(SendRefused) as raised:
        SnsChannel(sns).send(TEXT)

    assert (raised.value.permanent, raised.value.about_recipient) == (True, True)
    assert raised.value.reason == "sns: this number has opted out"
    assert sns.calls == [ASKED]


URL = "https://sns.ap-southeast-1.amazonaws.com/"
NOT_VALID = "Invalid parameter: PhoneNumber Reason: +6591234567 is not valid to publish to"


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize(
    ("error", "kind", "how"),
    [
        (refusal("Throttled", "Rate exceeded", 429), SendLater, None),
        (refusal("Throttling", "Rate exceeded"), SendLater, None),
        (refusal("ServiceUnavailable", "", 503), SendLater, None),
        (EndpointConnectionError(endpoint_url=URL), SendLater, None),
        (ConnectTimeoutError(endpoint_url=URL), SendLater, None),
        (NoCredentialsError(), SendLater, None),
        (ReadTimeoutError(endpoint_url=URL), SendUnknown, None),
        (ConnectionClosedError(endpoint_url=URL), SendUnknown, None),
        (refusal("InternalError", "", 500), SendUnknown, None),
        (refusal("AuthorizationError", "not authorized", 403), SendRefused, (False, False)),
        (refusal("InvalidParameter", NOT_VALID), SendRefused, (True, True)),
        (refusal("InvalidParameter", "Message too long"), SendRefused, (True, False)),
        (ParamValidationError(report="Message"), SendRefused, (True, False)),
    ],
)
def test_each_failure_says_whether_it_was_sent_and_whether_trying_again_can_help(
    error: Exception, kind: type[SendFailed], how: tuple[bool, bool] | None
) -> None:
    failed = sending(OPEN, error)

    assert type(failed) is kind
    if isinstance(failed, SendRefused):
        assert (failed.permanent, failed.about_recipient) == how


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize(
    "error", [ReadTimeoutError(endpoint_url=URL), refusal("InternalError", "", 500)]
)
def test_before_the_text_is_handed_over_no_outcome_is_unknown(error: Exception) -> None:
    assert type(sending(error)) is SendLater


def test_a_number_that_cannot_even_be_asked_about_is_about_the_recipient() -> None:
    failed = sending(refusal("InvalidParameter", "Invalid parameter: Invalid phone number"))

    assert isinstance(failed, SendRefused)
    assert failed.about_recipient


def test_a_reason_names_nobody() -> None:
    failed = sending(OPEN, refusal("InvalidParameter", f"{NOT_VALID}\r\n x"))

    assert failed.reason == (
        "sns: InvalidParameter Invalid parameter: PhoneNumber Reason:"
        " (number) is not valid to publish to x"
    )
