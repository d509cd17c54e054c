"""Raw mails as people, machines and attackers send them."""

import base64
import contextlib
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.connect.bounces import read_bounce
from frontdesk.connect.mail_in import (
    Authentication,
    Automatic,
    BadMail,
    IncomingMail,
    Verdict,
    read_mail,
    repeat_key,
)
from frontdesk.connect.mime_parts import MAX_PARTS, read_part, walk
from frontdesk.connect.ses_in import envelope
from frontdesk.reading.requests import read_request
from tests.support.processor_time import takes_less_than

PASS, FAIL, NONE = Verdict.PASS, Verdict.FAIL, Verdict.NONE


def mail(*headers: str, body: str = "Count me in", sender: str = "Ann <ann@example.org>") -> bytes:
    head = [f"From: {sender}", "To: party@desk.example", "Subject: Party", *headers]
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()


@pytest.mark.spec("EV-07")
def test_a_mail_says_who_wrote_to_whom_and_in_which_thread() -> None:
    raw = (
        b"Delivered-To: Party@desk.example\r\n"
        b"From: =?utf-8?q?Zo=C3=AB?= Muster <Zoe@Example.org>\r\n"
        b'To: The Party <party@desk.example>, "B, ob" <bob@example.org>\r\n'
        b"Cc: Friends: c@example.org, d@example.org;\r\n"
        b"Subject: =?iso-8859-1?Q?Gr=FC=DFe?= =?utf-8?B?8J+OiQ==?=\r\n"
        b" and more\r\n"
        b"Message-ID: <1@example.org>\r\n"
        b"In-Reply-To: <0@desk.example>\r\n"
        b"References: <a@desk.example>\r\n <0@desk.example>\r\n"
        b"\r\n"
        b"Yes please\r\n\r\n> Coming?\r\n"
    )

    assert read_mail(raw, envelope_to=["party+x@desk.example"]) == IncomingMail(
        message_id="<1@example.org>",
        in_reply_to="<0@desk.example>",
        references=("<a@desk.example>", "<0@desk.example>"),
        from_email="zoe@example.org",
        from_name="Zoë Muster",
        to=(
            "party+x@desk.example",
            "party@desk.example",
            "bob@example.org",
            "c@example.org",
            "d@example.org",
        ),
        subject="Grüße🎉 and more",
        new_text="Yes please",
        automatic=None,
        authenticated=False,
        calendar_reply="",
    )


@pytest.mark.spec("EV-09")
@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("Auto-Submitted: auto-replied", Automatic.AUTO_REPLY),
        ("Auto-Submitted: auto-generated (rejected); owner=x", Automatic.AUTO_REPLY),
        ("auto-submitted:\r\n auto-notified", Automatic.AUTO_REPLY),
        ("Precedence: auto_reply", Automatic.AUTO_REPLY),
        ("Precedence: junk", Automatic.AUTO_REPLY),
        ("Precedence: bulk", Automatic.MAILING_LIST),
        ("Precedence: LIST", Automatic.MAILING_LIST),
        ("List-Id: <friends.example.org>", Automatic.MAILING_LIST),
        ("List-Unsubscribe: <https://example.org/u>", Automatic.MAILING_LIST),
        ("List-Post: <mailto:friends@example.org>", Automatic.MAILING_LIST),
        ("X-Autoreply: yes", Automatic.AUTO_REPLY),
        ("X-Autorespond: Re: Party", Automatic.AUTO_REPLY),
        ("X-Auto-Response-Suppress: All", Automatic.AUTO_REPLY),
        ("X-Auto-Response-Suppress: DR, OOF, AutoReply", Automatic.AUTO_REPLY),
        ("Return-Path: <>", Automatic.BOUNCE),
        ("X-Failed-Recipients: bob@example.org", Automatic.BOUNCE),
        ("Content-Type: multipart/report; report-type=delivery-status", Automatic.BOUNCE),
        ("Content-Type: multipart/report; report-type=disposition-notification", "auto-reply"),
        ("X-Frontdesk: yes", Automatic.LOOP),
        ("X-Loop: party@desk.example", Automatic.LOOP),
        ("Received: by a\r\n" * 50 + "Received: by b", Automatic.LOOP),
        ("From: Eve <eve@example.org>", Automatic.NO_SENDER),
        ("Auto-Submitted: no", None),
        ("X-Auto-Response-Suppress: DR, RN, NRN", None),
        ("Precedence: first-class", None),
        ("Return-Path: <ann@example.org>", None),
    ],
)
def test_machines_and_lists_are_distinguished_from_people(
    header: str, reason: Automatic | None
) -> None:
    assert read_mail(mail(header)).automatic == reason


@pytest.mark.spec("EV-09")
@pytest.mark.parametrize(
    ("sender", "reason"),
    [
        ("MAILER-DAEMON", Automatic.BOUNCE),
        ("Mail Delivery System <MAILER-DAEMON@example.org>", Automatic.BOUNCE),
        ("postmaster@example.org", Automatic.BOUNCE),
        ("Shop <no-reply@example.org>", Automatic.AUTO_REPLY),
        ("NoReply+17@example.org", Automatic.AUTO_REPLY),
        ("calendar-do_not_reply@example.org", Automatic.AUTO_REPLY),
        ("party@desk.example", Automatic.LOOP),
        ("", Automatic.NO_SENDER),
        ("Ann", Automatic.NO_SENDER),
        ("ann@example.org, bob@example.org", Automatic.NO_SENDER),
        ("<ann@example.org> <bob@example.org>", Automatic.NO_SENDER),
        ("Ann <ann@example.org", Automatic.NO_SENDER),
        ('"ann@example.org"', Automatic.NO_SENDER),
        ('"a b"@example.org', Automatic.NO_SENDER),
        ("ann@[10.0.0.1]", Automatic.NO_SENDER),
        ("ann@example.org\x00,bob@example.org", Automatic.NO_SENDER),
        ("a" * 3_000 + " <ann@example.org>", Automatic.NO_SENDER),
        ("Norepp <norepp@example.org>", None),
    ],
)
def test_some_senders_are_no_people(sender: str, reason: Automatic | None) -> None:
    found = read_mail(mail(sender=sender), our_addresses=["Party@desk.example"])

    assert found.automatic == reason


@pytest.mark.spec("EV-09")
def test_an_empty_envelope_sender_is_a_bounce() -> None:
    assert read_mail(mail(), envelope_from="").automatic is Automatic.BOUNCE
    assert read_mail(mail(), envelope_from="ann@example.org").automatic is None


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ("ann@example.org (Ann (the one) B)", ("Ann the one B", "ann@example.org")),
        ('"Ann, \\"A\\" <x@y.org>" <ann@example.org>', ('Ann, "A" <x@y.org>', "ann@example.org")),
        (
            "=?utf-8?q?a=2C_=3Ceve=40x.org=3E?= <ann@example.org>",
            ("a, <eve@x.org>", "ann@example.org"),
        ),
        ("bob@example.org <ann@example.org>", ("bob@example.org", "ann@example.org")),
        ("Ann <ann@m\u00fcller.example>", ("Ann", "ann@xn--mller-kva.example")),
        ("=?x-unknown?b?QW5u?= <ann@example.org>", ("Ann", "ann@example.org")),
        ("=?utf-8?b?!!!?= <ann@example.org>", ("", "ann@example.org")),
        ("=?utf-8?b?w6Q=?= =?utf-8?b?w7Y=?= <ann@example.org>", ("äö", "ann@example.org")),
        ("=?utf-8?b?4oI=?= =?utf-8?b?rA==?= <ann@example.org>", ("€", "ann@example.org")),
        ("=?utf-8?q?A=0D=0ABcc=3A_eve?= <ann@example.org>", ("A Bcc: eve", "ann@example.org")),
    ],
)
def test_names_are_read_and_can_never_be_taken_for_addresses(
    sender: str, expected: tuple[str, str]
) -> None:
    found = read_mail(mail(sender=sender))

    assert (found.from_name, found.from_email) == expected


RESULTS = "Authentication-Results: mx.desk.example; "


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize(
    ("results", "authenticated"),
    [
        ("mx.desk.example; dmarc=pass header.from=example.org", True),
        ("mx.desk.example 1; dmarc = pass (p=none) header.from=example.org", True),
        ("mx.desk.example; dkim=pass header.d=example.org; spf=fail smtp.mailfrom=x.org", True),
        ("mx.desk.example; dkim=pass header.i=@example.org header.s=k", True),
        ("mx.desk.example; spf=pass smtp.mailfrom=ann@example.org", True),
        ("mx.desk.example; dkim=pass header.d=evil.org; dkim=pass header.d=example.org", True),
        ("mx.desk.example; dkim=fail header.d=example.org; dkim=pass header.d=evil.org", False),
        ("mx.desk.example; dkim=pass header.d=evil.org", False),
        ("mx.desk.example; dkim=pass header.d=me.example.org", False),
        ("mx.desk.example; dkim=pass header.d=org", False),
        ("mx.desk.example; spf=pass smtp.mailfrom=evil.org", False),
        ("mx.desk.example; spf=pass smtp.helo=example.org", False),
        ("mx.desk.example; spf=softfail smtp.mailfrom=example.org", False),
        ("mx.desk.example; dmarc=fail; dkim=pass header.d=example.org", False),
        ("mx.desk.example; dmarc=pass; dmarc=fail", False),
        ("mx.desk.example; none", False),
        ("mx.desk.example; dkim=none (; dmarc=pass header.from=example.org)", False),
        ('mx.desk.example; spf=pass smtp.mailfrom="x; dmarc=pass "@evil.org', False),
        ('mx.desk.example; spf=pass smtp.mailfrom="\\"; dmarc=pass "@evil.org', False),
        ("mx.desk.example; spf=pass smtp.mailfrom=x;dmarc=pass@evil.org", False),
        ('mx.desk.example; dkim=pass (a " b) header.d="example.org"', True),
        ("mx.desk.example; dmarc=pass header.from=evil.org", False),
        ("evil.org; dmarc=pass", False),
        ("mx.desk.example.evil.org; dmarc=pass", False),
        ("(mx.desk.example;) evil.org; dmarc=pass", False),
        ("", False),
    ],
)
def test_only_verdicts_about_the_senders_own_domain_count(
    results: str, authenticated: bool
) -> None:
    raw = mail(f"Authentication-Results: {results}")

    assert read_mail(raw, trusted_authserv="mx.desk.example").authenticated is authenticated


@pytest.mark.spec("EV-08")
def test_only_the_topmost_results_count_and_only_of_the_server_we_trust() -> None:
    good, bad = RESULTS + "dmarc=pass", RESULTS + "dmarc=fail"
    trusted = "mx.desk.example"

    assert read_mail(mail(good, bad), trusted_authserv=trusted).authenticated
    assert not read_mail(mail(bad, good), trusted_authserv=trusted).authenticated
    assert not read_mail(
        mail("Authentication-Results: evil.org; none", good), trusted_authserv=trusted
    ).authenticated
    assert not read_mail(mail(good)).authenticated


@pytest.mark.spec("EV-08")
@pytest.mark.parametrize(
    ("verdicts", "authenticated"),
    [
        (Authentication(dmarc=PASS), True),
        (Authentication(dmarc=FAIL, dkim=PASS, dkim_domains=("example.org",)), False),
        (Authentication(dkim=PASS, dkim_domains=("Example.ORG",)), True),
        (Authentication(spf=PASS, spf_domain="example.org"), True),
        (Authentication(spf=PASS), False),
        (Authentication(dkim=PASS), False),
        (Authentication(dkim=FAIL, dkim_domains=("example.org",)), False),
        (Authentication(), False),
    ],
)
def test_verdicts_of_the_receiving_side_replace_the_header(
    verdicts: Authentication, authenticated: bool
) -> None:
    raw = mail(RESULTS + "dmarc=pass")

    found = read_mail(raw, authentication=verdicts, trusted_authserv="mx.desk.example")

    assert found.authenticated is authenticated


def test_an_unclear_sender_is_never_authenticated() -> None:
    found = read_mail(
        mail("From: eve@example.org"), authentication=Authentication(dmarc=Verdict.PASS)
    )

    assert (found.from_email, found.authenticated) == ("", False)


def test_plain_text_is_preferred_and_attachments_are_not_read() -> None:
    message = EmailMessage(policy=SMTP)
    message["From"] = "ann@example.org"
    message.set_content("plain wörds", cte="quoted-printable")
    message.add_alternative("<p>html words</p>", subtype="html")
    message.add_attachment("please cancel", filename="note.txt")

    assert read_mail(message.as_bytes()).new_text == "plain wörds"


def test_a_mail_in_html_alone_is_read_without_its_quotes() -> None:
    html = (
        "<html><head><title>x</title><style>p{}</style></head><body><!-- no > -->"
        "<p>I can&rsquo;t&nbsp;make it,<br>sorry &lt;3</p><script>cancel()</script>"
        "<div>On 2 Mar 2026, Desk &lt;d@e.org&gt; wrote:</div>"
        "<blockquote><p>Your seat</p>Cancel here</blockquote></body></html>"
    )
    raw = mail("Content-Type: text/html; charset=utf-8", body=html)

    assert read_mail(raw).new_text == "I can’t make it,\nsorry <3"


def test_a_table_in_html_keeps_its_cells_apart_and_what_is_hidden_is_not_read() -> None:
    html = (
        '<div style="display: none">See you on 3 May!</div><input style="display:none">'
        "<table><tr><th>Guest</th><td>Ann Lee</td></tr>"
        "<tr><td>Seats</td><td><s>4</s><strong>2</strong></td></tr></table>"
    )
    raw = mail("Content-Type: text/html; charset=utf-8", body=html)

    assert [line for line in read_mail(raw).new_text.split("\n") if line] == [
        "Guest\tAnn Lee",
        "Seats\t2",
    ]


@pytest.mark.parametrize(
    ("header", "body", "text"),
    [
        ("text/plain; charset=iso-8859-15", "10 €".encode("iso-8859-15"), "10 €"),
        ('text/plain; charset="windows-1251"', "Привет".encode("cp1251"), "Привет"),
        ("text/plain; charset=iso-2022-jp", "はい".encode("iso-2022-jp"), "はい"),
        ("text/plain; charset=utf-16", "hello".encode("utf-16"), "hello"),
        ("text/plain; charset=us-ascii", "Zoë".encode(), "Zoë"),
        ("text/plain; charset=nonsense", "Zoë".encode("cp1252"), "Zoë"),
        ("text/plain; charset=punycode", b"abc-", "abc-"),
        ("text/plain; charset=../../etc", b"abc", "abc"),
        ("nonsense", b"abc", "abc"),
        ("text/plain\r\nContent-Transfer-Encoding: base64", b"aGVs bG8\r\n!", "hello"),
        ("text/plain\r\nContent-Transfer-Encoding: x-what", b"abc", "abc"),
        ("image/png", b"\x89PNG", ""),
        ("multipart/mixed", b"abc", ""),
    ],
)
def test_bodies_in_any_encoding_give_their_text(header: str, body: bytes, text: str) -> None:
    raw = f"From: a@example.org\r\nContent-Type: {header}\r\n\r\n".encode() + body

    assert read_mail(raw).new_text == text


def test_the_answer_of_a_calendar_is_seen() -> None:
    ics = "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nATTENDEE;PARTSTAT=DEC\r\n LINED:mailto:a@b.org\r\n"
    message = EmailMessage(policy=SMTP)
    message["From"] = "ann@example.org"
    message.set_content("Declined: Party")
    message.add_alternative(
        ics.encode(), maintype="text", subtype="calendar", params={"method": "REPLY"}
    )

    assert read_mail(message.as_bytes()).calendar_reply == "declined"
    assert read_mail(mail()).calendar_reply == ""


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("raw", [b"", b"\r\n\r\nhello", b"hello", b"\x00" * 10, b"a" * 5_000_001])
def test_text_that_is_no_mail_is_refused(raw: bytes) -> None:
    with pytest.raises(BadMail):
        read_mail(raw)


def nested(depth: int) -> bytes:
    level = b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n'
    levels = b"".join(level % (number, number) for number in range(depth))
    return b"From: a@example.org\r\n" + levels + b"Content-Type: text/plain\r\n\r\nx\r\n" * 20_000


def wide(kind: str, *, parts: int, levels: int) -> bytes:
    """Builds a mail with parts ** levels parts: each part is a multipart again."""
    inner = b"Content-Type: text/plain\r\n\r\nx"
    for level in range(levels):
        mark = b"\r\n--b%d\r\n" % level
        head = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n" % level
        inner = head + mark.join([b"", *[inner] * parts]) + b"\r\n--b%d--" % level
    return b"From: a@example.org\r\n" + inner.replace(b"multipart/mixed", kind.encode(), 1)


BOMBS = {
    "wide": wide("multipart/mixed", parts=50, levels=3),
    "wide report": wide("multipart/report", parts=50, levels=3),
    "wide and deep": wide("multipart/report", parts=5, levels=7),
    "folded headers": mail("X-A: b" + "\r\n " * 80_000),
    "folded headers of parts": mail(
        "Content-Type: multipart/report; boundary=b",
        body=("--b\nX-A: b" + "\n " * 60_000 + "\n\n") * 16,
    ),
    "deep": nested(5_000),
    "many parts": mail("Content-Type: multipart/mixed; boundary=b", body="--b\n\nx\n" * 400_000),
    "many headers": mail(*["X-A: b"] * 900, body="x" * 2_000_000),
    "encoded words": mail("Subject: " + "=?utf-8?q?a?= " * 10_000),
    "open words": mail("Subject: " + "=?a?q?" * 30_000),
    "open quotes": mail(sender='"\\"' * 80_000),
    "open comments": mail("Cc: " + "(" * 200_000),
    "many addresses": mail("Cc: " + "a@b.org," * 20_000),
    "references": mail("References: " + "<a@b> " * 30_000 + "<" * 50_000),
    "results": mail(RESULTS + "dkim=pass (" * 15_000),
    "open tags": mail("Content-Type: text/html", body="<" * 2_000_000),
    "open tag names": mail("Content-Type: text/html", body="<a" * 1_000_000),
    "open comments in HTML": mail("Content-Type: text/html", body="<!--" * 500_000),
    "hidden": mail("Content-Type: text/html", body="<p style=display:none>" * 90_000),
    "open styles": mail("Content-Type: text/html", body="<style>" * 300_000),
    "deep quotes": mail("Content-Type: text/html", body="<blockquote>" * 200_000),
    "long number": mail("Content-Type: text/html", body="&#" + "1" * 100_000 + ";"),
    "ampersands": mail("Content-Type: text/html", body="&" * 2_000_000),
    "base64": mail("Content-Transfer-Encoding: base64", body="=" * 2_000_000),
    "spaces": mail("Content-Type: multipart/mixed; boundary=b", body=("--b" + " " * 99) * 20_000),
    "boundary of dashes": mail(
        'Content-Type: multipart/mixed; boundary="------"', body="-" * 2_000_000
    ),
}


#: Every function that reads a mail from outside.
READERS: dict[str, Callable[[bytes], object]] = {
    "intake": lambda raw: read_mail(raw, trusted_authserv="mx.desk.example"),
    "repeats": repeat_key,
    "bounces": read_bounce,
    "SES": lambda raw: envelope(raw, "desk.example", "desk@desk.example"),
    "requests": read_request,
}


@pytest.mark.spec("FD-27", "FD-29")
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
@pytest.mark.parametrize("raw", BOMBS.values(), ids=BOMBS.keys())
def test_no_mail_takes_long(raw: bytes, reader: Callable[[bytes], object]) -> None:
    def read() -> None:
        with contextlib.suppress(BadMail):
            reader(raw)

    assert takes_less_than(0.5, read)


@pytest.mark.spec("FD-27")
def test_parts_are_counted_over_the_whole_mail() -> None:
    found = walk(read_part(wide("multipart/mixed", parts=10, levels=3)))

    assert len(found) == MAX_PARTS
    assert [part.kind for part in found[:4]] == ["multipart/mixed"] * 3 + ["text/plain"]


PIECES = st.sampled_from(
    b"""From:|ann@example.org|\r\n|\n|\r\n\r\n| |\t|:|"|<|>|(|)|\\|=?utf-8?b?|?=|=?utf-8?q?=|--b
    |--b--|Content-Type:|multipart/mixed|text/html|; boundary=b|; charset=utf-16|&#1|<style>|</
    |Content-Transfer-Encoding: base64|Authentication-Results: m; dkim=pass header.d=""".split(b"|")
)


@pytest.mark.spec("FD-27")
@given(st.lists(PIECES | st.binary(max_size=8), max_size=60).map(b"".join))
@settings(max_examples=200)
def test_any_bytes_give_a_mail_or_are_refused(raw: bytes) -> None:
    try:
        found = read_mail(b"From: x@example.org\r\n" + raw, trusted_authserv="m")
    except BadMail:
        return
    texts = (found.from_email, found.from_name, found.subject, found.message_id, *found.to)
    for text in (*texts, found.new_text, *found.references):
        text.encode()
        assert "\r" not in text
        assert "\x00" not in text
    assert not any("\n" in text for text in texts)


@pytest.mark.spec("EV-07")
@given(
    name=st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=40),
    subject=st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), max_size=80),
    text=st.text(st.characters(categories=("L", "N")), max_size=200),
)
@settings(max_examples=60)
def test_a_mail_written_by_a_mail_program_is_read_back(name: str, subject: str, text: str) -> None:
    head = {"From": f"=?utf-8?b?{base64.b64encode(name.encode()).decode()}?= <ann@example.org>"}
    message = EmailMessage(policy=SMTP)
    message["Subject"] = subject
    message.set_content(text, cte="base64")
    raw = b"".join(f"{key}: {value}\r\n".encode() for key, value in head.items())

    found = read_mail(raw + message.as_bytes())

    assert found.from_name == " ".join(name.split())
    assert found.from_email == "ann@example.org"
    assert found.new_text == text
