"""Messages as mails, checked by reading them back with the standard library."""

import email
import email.policy
from datetime import UTC, datetime, timedelta, timezone
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.utils import parseaddr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.channels.mime import to_mime, wire_address
from frontdesk.connect.mail_in import Automatic, read_mail
from frontdesk.core.messages import Attachment
from tests.channels.messages import a_message
from tests.support.processor_time import takes_less_than

ICS = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n"


def read(raw: bytes) -> EmailMessage:
    return email.message_from_bytes(raw, policy=email.policy.default)


def text_of(part: Message) -> str:
    raw = part.get_payload(decode=True)
    assert isinstance(raw, bytes)
    return raw.decode().replace("\r\n", "\n")


def name_in(raw: bytes, header: str) -> str:
    """Uses the older interface: the newer one puts spaces between encoded words of a name."""
    name, _ = parseaddr(str(email.message_from_bytes(raw)[header]))
    return str(make_header(decode_header(name)))


def test_a_plain_message_is_one_short_mail() -> None:
    assert to_mime(a_message()).decode() == (
        "Date: Mon, 02 Mar 2026 09:00:05 +0000\r\n"
        "From: party@desk.example\r\n"
        "To: ann@example.org\r\n"
        "Message-ID: <send-1@desk.example>\r\n"
        "Subject: Your seat\r\n"
        "Auto-Submitted: auto-generated\r\n"
        "X-Auto-Response-Suppress: OOF, AutoReply\r\n"
        "X-Frontdesk: yes\r\n"
        "MIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n"
        "\r\n"
        "You have a seat.\r\n"
    )


@pytest.mark.spec("FD-14")
def test_an_invitation_is_a_version_of_the_mail_and_an_attachment() -> None:
    mail = read(to_mime(a_message(html="<p>Seat</p>", calendar=ICS, calendar_method="REQUEST")))

    assert [(part.get_content_type(), part.get_filename()) for part in mail.walk()] == [
        ("multipart/mixed", None),
        ("multipart/alternative", None),
        ("text/plain", None),
        ("text/html", None),
        ("text/calendar", None),
        ("application/ics", "invite.ics"),
    ]
    calendar, attached = [p for p in mail.walk() if p.get_content_subtype() in ("calendar", "ics")]
    assert calendar["Content-Type"].params == {"charset": "utf-8", "method": "REQUEST"}
    assert calendar.get_payload(decode=True) == ICS
    assert attached.get_payload(decode=True) == ICS
    assert attached.get_content_disposition() == "attachment"


def test_text_and_html_are_two_versions_of_one_mail() -> None:
    mail = read(to_mime(a_message(text="Grüße", html="<p>Grüße</p>")))

    assert mail.get_content_type() == "multipart/alternative"
    assert [text_of(part) for part in mail.iter_parts()] == ["Grüße\n", "<p>Grüße</p>\n"]


@pytest.mark.spec("EV-07")
def test_an_answer_goes_into_the_thread() -> None:
    mail = read(to_mime(a_message(in_reply_to="<2@a.org>", references=("<1@a.org>", "<2@a.org>"))))

    assert mail["In-Reply-To"] == "<2@a.org>"
    assert mail["References"].split() == ["<1@a.org>", "<2@a.org>"]
    assert mail["Auto-Submitted"] == "auto-replied"


@pytest.mark.spec("FD-29")
def test_a_strangers_bad_message_ids_are_left_out() -> None:
    bad = ("<a@b>\r\nBcc: eve@x.org", "plain", "<>", "<a b>", "<ä@b>")
    mail = read(to_mime(a_message(in_reply_to=bad[0], references=(*bad, "<good@a.org>"))))

    assert mail["In-Reply-To"] is None
    assert mail["Bcc"] is None
    assert mail["References"] == "<good@a.org>"


@pytest.mark.spec("FD-15")
def test_optional_mail_can_be_unsubscribed_with_one_click() -> None:
    url = "https://desk.example/u/" + "a" * 60
    mail = read(to_mime(a_message(unsubscribe_url=url)))

    assert mail["List-Unsubscribe"] == f"<{url}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert read(to_mime(a_message()))["List-Unsubscribe"] is None


@pytest.mark.spec("EV-09")
@pytest.mark.parametrize("automatic", [True, False])
def test_our_own_mail_is_known_when_it_comes_back(automatic: bool) -> None:
    assert read_mail(to_mime(a_message(automatic=automatic))).automatic is Automatic.LOOP


def test_a_mail_written_by_a_person_is_not_marked_as_automatic() -> None:
    assert read(to_mime(a_message(automatic=False)))["Auto-Submitted"] is None


ORIGINAL = b"From: bob@example.org\r\nSubject: Hello\r\n\r\nTo forward.\r\n"


@pytest.mark.spec("BK-03")
def test_an_attached_mail_arrives_as_a_mail() -> None:
    attached = (Attachment("original.eml", "message/rfc822", ORIGINAL),)
    mail = read(to_mime(a_message(html="<p>Hi</p>", attached=attached)))

    [original] = mail.iter_attachments()
    assert original.get_content_type() == "message/rfc822"
    assert original.get_filename() == "original.eml"
    inner = original.get_content()
    assert (inner["From"], inner["Subject"]) == ("bob@example.org", "Hello")
    assert inner.get_content().strip() == "To forward."
    body = mail.get_body(("html",))
    assert body is not None
    assert "<p>Hi</p>" in body.get_content()


@pytest.mark.parametrize(
    "raw", [b"Subject: \xc3\xa9\r\n\r\n\xff\r\n", b"Subject: x\r\n\r\n" + b"y" * 2_000]
)
def test_a_mail_that_cannot_travel_as_it_is_is_attached_as_a_file(raw: bytes) -> None:
    mail = read(to_mime(a_message(attached=(Attachment("original.eml", "message/rfc822", raw),))))

    [original] = mail.iter_attachments()
    assert original.get_content_type() == "application/octet-stream"
    assert original.get_content() == raw


@pytest.mark.spec("BK-06")
def test_an_attached_mail_cannot_end_its_part() -> None:
    first = to_mime(a_message(attached=(Attachment("a.eml", "message/rfc822", ORIGINAL),)))
    boundary = read(first).get_boundary()
    hostile = ORIGINAL + f"\r\n--{boundary}--\r\n--=_mixed_frontdesk\r\nX: y\r\n".encode()

    mail = read(to_mime(a_message(attached=(Attachment("a.eml", "message/rfc822", hostile),))))

    [original] = mail.iter_attachments()
    assert original.get_content().get_content().rstrip().endswith("X: y")


def test_a_mail_can_have_more_headers() -> None:
    mail = read(to_mime(a_message(headers=(("X-Assistant-Lane", "direct"),))))

    assert mail["X-Assistant-Lane"] == "direct"


def test_the_date_is_the_instant_in_utc() -> None:
    at = datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=8)))

    assert read(to_mime(a_message(date=at)))["Date"].datetime == datetime(
        2025, 12, 31, 16, 30, tzinfo=UTC
    )


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "changes",
    [
        {"to_email": "ann@example.org\r\nBcc: eve@x.org"},
        {"to_email": "ann@example.org\n"},
        {"to_email": "ann@example.org, eve@x.org"},
        {"to_email": "ann@example.org> <eve@x.org"},
        {"to_email": "ann"},
        {"to_email": "änn@example.org"},
        {"to_email": ""},
        {"from_email": "party@desk.example\x00"},
        {"reply_to": "party@desk.example\r\n\r\nbody"},
        {"message_id": "<a@b>\r\nBcc: eve@x.org"},
        {"message_id": "a@b"},
        {"unsubscribe_url": "https://desk.example/\r\nBcc: eve@x.org"},
        {"unsubscribe_url": "https://desk.example/> <mailto:eve@x.org"},
        {"unsubscribe_url": "mailto:eve@x.org"},
        {"calendar": ICS, "calendar_method": "REQUEST\r\n\r\n"},
        {"date": datetime(2026, 3, 2, 9, 0)},  # noqa: DTZ001
    ],
)
def test_a_value_that_could_break_a_header_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"^not |time zone"):
        to_mime(a_message(**changes))


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("field", ["subject", "to_name", "from_name"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\x00", "\x0b", "\x85", "\u2028"])
def test_names_and_subjects_cannot_add_a_header(field: str, end: str) -> None:
    raw = to_mime(a_message(**{field: f"a{end}Bcc: eve@x.org{end}{end}b"}))
    mail = read(raw)

    assert mail["Bcc"] is None
    assert text_of(mail) == "You have a seat.\n"
    found = mail["Subject"] if field == "subject" else name_in(raw, field.removesuffix("_name"))
    assert found == "a Bcc: eve@x.org b"


def test_an_international_domain_is_written_in_ascii() -> None:
    assert wire_address("ann@müller.example") == "ann@xn--mller-kva.example"


NAMES = st.text(max_size=100)


@pytest.mark.spec("FD-27", "FD-29")
@given(subject=NAMES, to_name=NAMES, text=st.text(max_size=500), html=st.text(max_size=300))
@settings(max_examples=80, deadline=None)
def test_every_text_arrives_unchanged(subject: str, to_name: str, text: str, html: str) -> None:
    raw = to_mime(a_message(subject=subject, to_name=to_name, text=text, html=html, calendar=ICS))

    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert max(len(line) for line in raw.split(b"\r\n")) <= 100
    mail = read(raw)
    assert not [part for part in mail.walk() if part.defects]
    assert mail["Subject"] == shown(subject)
    assert name_in(raw, "To") == shown(to_name)
    bodies = [p.get_payload(decode=True) for p in mail.walk() if not p.is_multipart()]
    assert bodies == [sent(text), *([sent(html)] if html else []), ICS, ICS]


def shown(text: str) -> str:
    """Returns one line without characters that a header may not contain."""
    controls = {*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
    return " ".join("".join(" " if ord(c) in controls else c for c in text).split())


def sent(text: str) -> bytes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    return (lines.replace("\n", "\r\n") + "\r\n").encode("utf-8", "replace")


def test_a_mail_is_written_in_well_under_a_millisecond() -> None:
    message = a_message(
        subject="Grüße",
        text="Guten Tag, schöne Grüße\n" * 40,
        html="<p>ä</p>" * 300,
        calendar=ICS * 20,
    )

    assert takes_less_than(0.1, lambda: [to_mime(message) for _ in range(100)])
