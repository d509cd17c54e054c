"""Mail by SES: our requests, the meaning of its answers, and its reports about mail to us."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import (
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
)

from frontdesk.channels.mime import to_mime
from frontdesk.channels.ses.channel import SesChannel
from frontdesk.connect.bounces import UNWANTED, BouncedMail
from frontdesk.connect.mail_headers import Envelope
from frontdesk.connect.ses_in import envelope, read_report
from frontdesk.core.messages import Message, SendFailed, SendLater, SendRefused, SendUnknown
from frontdesk.values import replace
from tests.aws.payloads import Recorder, refusal

TAKEN = {"MessageId": "0100-1"}
MESSAGE = Message(
    message_id="<0123abcd@frontdesk.example>",
    to_email="ann@example.org",
    from_email="events@frontdesk.example",
    subject="You are in",
    text="See you there.",
    date=datetime(2026, 11, 16, tzinfo=UTC),
)


@pytest.mark.spec("FD-16")
def test_a_mail_is_handed_over_whole_with_a_tag_that_names_its_send() -> None:
    ses = Recorder("ses", [TAKEN])

    SesChannel(ses, "frontdesk").send(MESSAGE)

    assert ses.calls == [
        (
            "send_raw_email",
            {
                "Source": "events@frontdesk.example",
                "Destinations": ["ann@example.org"],
                "RawMessage": {"Data": to_mime(MESSAGE)},
                "ConfigurationSetName": "frontdesk",
                "Tags": [{"Name": "send", "Value": "0123abcd"}],
            },
        )
    ]


URL = "https://email.ap-southeast-1.amazonaws.com/"


@pytest.mark.spec("FD-04")
@pytest.mark.parametrize(
    ("error", "kind", "permanent"),
    [
        (refusal("Throttling", "Maximum sending rate exceeded."), SendLater, None),
        (refusal("ServiceUnavailable", "", 503), SendLater, None),
        (EndpointConnectionError(endpoint_url=URL), SendLater, None),
        (ConnectTimeoutError(endpoint_url=URL), SendLater, None),
        (NoCredentialsError(), SendLater, None),
        (ReadTimeoutError(endpoint_url=URL), SendUnknown, None),
        (ConnectionClosedError(endpoint_url=URL), SendUnknown, None),
        (refusal("InternalFailure", "", 500), SendUnknown, None),
        (refusal("MessageRejected", "Email address is not verified."), SendRefused, False),
        (refusal("MailFromDomainNotVerifiedException"), SendRefused, False),
        (refusal("ConfigurationSetDoesNotExist"), SendRefused, False),
        (refusal("AccessDenied", "", 403), SendRefused, False),
        (refusal("MessageRejected", "Address blacklisted."), SendRefused, True),
        (refusal("InvalidParameterValue", "Missing final '@domain'"), SendRefused, True),
    ],
)
def test_each_failure_says_whether_it_was_sent_and_whether_trying_again_can_help(
    error: Exception, kind: type[SendFailed], permanent: bool | None
) -> None:
    with pytest.raises(kind) as raised:
        SesChannel(Recorder("ses", [error]), "frontdesk").send(MESSAGE)

    if isinstance(raised.value, SendRefused):
        assert (raised.value.permanent, raised.value.about_recipient) == (permanent, False)


def test_a_reason_names_nobody() -> None:
    error = refusal("MessageRejected", "These identities failed: ann@example.org\r\n x")

    with pytest.raises(SendRefused) as raised:
        SesChannel(Recorder("ses", [error])).send(MESSAGE)

    assert raised.value.reason == "ses: MessageRejected These identities failed: (address) x"


@pytest.mark.parametrize("address", ["ann@exa mple.org", "a\r\nBcc: b@example.org"])
def test_an_address_that_mail_cannot_be_sent_to_is_about_the_recipient(address: str) -> None:
    with pytest.raises(SendRefused) as raised:
        SesChannel(Recorder("ses")).send(replace(MESSAGE, to_email=address))

    assert raised.value.about_recipient


# --- mail that comes in ---------------------------------------------------------------------

DOMAIN, DESK = "frontdesk.example", "events@frontdesk.example"
TOP = (
    "Return-Path: <ann@example.org>\r\n"
    "Received: from mail.example.org (mail.example.org [198.51.100.7])\r\n"
    " by inbound-smtp.ap-southeast-1.amazonaws.com with SMTP id abc123\r\n"
    " for pottery@frontdesk.example;\r\n"
    " Mon, 16 Nov 2026 01:00:00 +0000 (UTC)\r\n"
    "X-SES-Spam-Verdict: {spam}\r\n"
    "X-SES-Virus-Verdict: {virus}\r\n"
    "Received-SPF: pass (spfCheck: domain of example.org designates 198.51.100.7 as permitted\r\n"
    " sender) client-ip=198.51.100.7; envelope-from=ann@example.org; helo=mail.example.org;\r\n"
    "Authentication-Results: amazonses.com;\r\n"
    " spf=pass (spfCheck: domain of example.org designates 198.51.100.7 as permitted sender)\r\n"
    " client-ip=198.51.100.7; envelope-from=ann@example.org; helo=mail.example.org;\r\n"
    " dkim=pass header.i=@example.org;\r\n"
    " dmarc=pass header.from=example.org;\r\n"
    "X-SES-RECEIPT: AEFBQUFBQUFBQUF\r\n"
)
MAIL = (
    "From: Ann Lee <ann@example.org>\r\n"
    "To: {to}\r\n"
    "Subject: Pottery?\r\n"
    "Message-ID: <one@example.org>\r\n"
    "\r\n"
    "Count me in!\r\n"
)


def raw(to: str = "pottery@frontdesk.example", spam: str = "PASS", virus: str = "PASS") -> bytes:
    return (TOP.format(spam=spam, virus=virus) + MAIL.format(to=to)).encode()


@pytest.mark.spec("EV-04")
def test_the_envelope_is_read_from_the_headers_of_ses() -> None:
    mail = raw()

    assert envelope(mail, DOMAIN, DESK) == Envelope(
        "ann@example.org", ("pottery@frontdesk.example",), mail, "198.51.100.7"
    )


def test_all_of_our_addresses_count_and_those_of_others_do_not() -> None:
    found = envelope(raw("glaze@FRONTDESK.example, Bob <bob@example.org>"), DOMAIN, DESK)

    assert found is not None
    assert found.rcpt_to == ("pottery@frontdesk.example", "glaze@frontdesk.example")


@pytest.mark.parametrize(
    ("spam", "virus", "said"),
    [("FAIL", "PASS", "spam"), ("FAIL", "FAIL", "a virus"), ("GRAY", "PROCESSING_FAILED", "")],
)
def test_a_mail_that_ses_calls_spam_or_a_virus_is_marked(spam: str, virus: str, said: str) -> None:
    found = envelope(raw(spam=spam, virus=virus), DOMAIN, DESK)

    assert found is not None
    assert found.unwanted == said


@pytest.mark.parametrize("mail", [b"", b"\x00" * 100, MAIL.format(to="bob@example.org").encode()])
def test_a_mail_that_is_not_for_us_has_no_envelope(mail: bytes) -> None:
    assert envelope(mail, DOMAIN, DESK) is None


# --- reports on ours ------------------------------------------------------------------------


def report(kind: str, **more: Any) -> dict[str, Any]:
    return {
        "eventType": kind,
        "mail": {
            "timestamp": "2026-11-16T01:00:00.000Z",
            "source": "events@frontdesk.example",
            "messageId": "0100-1",
            "destination": ["ann@example.org"],
            "headers": [{"name": "Message-ID", "value": "<0123abcd@frontdesk.example>"}],
            "tags": {"ses:configuration-set": ["frontdesk"], "send": ["0123abcd"]},
        },
        **more,
    }


BOUNCE = {
    "bounceType": "Permanent",
    "bounceSubType": "General",
    "bouncedRecipients": [
        {"emailAddress": "ann@example.org", "status": "5.1.1", "diagnosticCode": "550 no such user"}
    ],
}


@pytest.mark.spec("FD-15")
@pytest.mark.parametrize(
    ("said", "found"),
    [
        (report("Bounce", bounce=BOUNCE), BouncedMail("<0123abcd@>", "550 no such user")),
        (
            report("Bounce", bounce={"bounceType": "Permanent", "bounceSubType": "Suppressed"}),
            BouncedMail("<0123abcd@>", "mail came back (Suppressed)"),
        ),
        (report("Complaint", complaint={}), BouncedMail("<0123abcd@>", UNWANTED)),
        (report("Bounce", bounce={**BOUNCE, "bounceType": "Transient"}), None),
        (report("Delivery", delivery={}), None),
        (report("Reject", reject={"reason": "Bad content"}), None),
        ({}, None),
        ({"eventType": "Complaint"}, None),
    ],
)
def test_only_permanent_bounces_and_complaints_count(
    said: dict[str, Any], found: BouncedMail | None
) -> None:
    assert read_report(said) == found


def test_without_a_tag_the_send_is_found_by_our_message_id() -> None:
    said = report("Complaint", complaint={})
    del said["mail"]["tags"]

    assert read_report(said) == BouncedMail("<0123abcd@frontdesk.example>", UNWANTED)
