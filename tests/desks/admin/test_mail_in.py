"""Incoming mail: listed, shown as text, and left for a person if no desk reads it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.decision import Accepted
from frontdesk.core.mail import KeepMail, MailId, RawMail
from frontdesk.core.members import Role
from frontdesk.desks.admin.console.mail_in import outcome_chip, readable_source
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reads import FactFilter
from frontdesk.intake.mail import MailIn
from frontdesk.web.console.formatting import Chip
from tests.desks.rsvp.console_desk import ConsoleDesk, console_desk
from tests.support.browser import Answer
from tests.support.mail import AUTHSERV, DESK, PARTY, VOUCHED, a_mail
from tests.support.rsvp import HOUR, NINE

IN = "/console/messages/in"


@pytest.fixture
def console(tmp_path: Path) -> Iterator[ConsoleDesk]:
    with console_desk(
        tmp_path, mail_in_port=25, from_email=DESK, trusted_authserv=AUTHSERV
    ) as opened:
        opened.desk.given(cap=5)
        yield opened


def comes_in(
    console: ConsoleDesk, raw: bytes, to: str = PARTY, sender: str = "ann@example.org"
) -> None:
    """Takes in a mail, settles, and lets a minute pass."""
    envelope = Envelope(mail_from=sender, rcpt_to=(to,), raw=raw, peer="192.0.2.9")
    asyncio.run(MailIn(console.desk.product).deliver(envelope))
    console.desk.settle()
    console.desk.wait(minutes=1)


def an_answer(text: str = "Can I bring my dog?\n", **more: str) -> bytes:
    return a_mail(text, to=DESK, message_id="<answer@example.org>", **more)


def listed(page: Answer) -> list[tuple[str, ...]]:
    """Returns the cells of each row."""
    rows = re.findall(r"<tr role=\"row\".*?</tr>", page.text.partition("<tbody")[2], re.DOTALL)
    return [
        tuple(
            Answer(200, {}, (), cell.encode()).says
            for cell in re.findall(r"<t[hd] .*?</t[hd]>", row, re.DOTALL)
        )
        for row in rows
    ]


@pytest.mark.spec("EV-07", "EV-09")
def test_every_mail_is_listed_with_what_became_of_it_newest_first(console: ConsoleDesk) -> None:
    comes_in(console, a_mail())
    away = a_mail("I am away.\n", message_id="<2@example.org>", Auto_Submitted="auto-replied")
    comes_in(console, away)
    cancel = a_mail(
        "I can't make it.\n", message_id="<3@example.org>", Authentication_Results=VOUCHED
    )
    comes_in(console, cancel)
    comes_in(console, an_answer(), to=DESK)

    assert listed(console.owner().get(IN)) == [
        ("Ann Lee", "Pottery?", "Nobody in particular", "Needs a person", "today, 01:03"),
        ("Ann Lee", "Pottery?", "Pottery workshop", "Cancelled", "today, 01:02"),
        (
            "Ann Lee",
            "Pottery?",
            "Pottery workshop",
            "Not answered auto-reply",
            "today, 01:01",
        ),
        ("Ann Lee", "Pottery?", "Pottery workshop", "Signed up", "today, 01:00"),
    ]


@pytest.mark.spec("FD-07")
def test_an_answer_to_our_own_address_waits_for_a_person_until_it_is_done(
    console: ConsoleDesk,
) -> None:
    comes_in(console, an_answer(subject="Re: You're in & happy"), to=DESK)
    owner = console.owner()
    assert "1 message for a person to answer" in owner.get("/console").says
    waiting = owner.get(f"{IN}?state=person")
    [url] = re.findall(rf'href="({IN}/\w{{26}})"', waiting.text)

    page = owner.get(url)
    assert "This mail needs a person." in page.says
    assert "Can I bring my dog?" in page.says
    mailto = "mailto:ann@example.org?subject=Re%3A%20You%27re%20in%20%26%20happy"
    assert f'href="{mailto}"' in page.text
    after = owner.act(url, f"{url}/done")

    assert after.flash == "Done. It does not wait for anybody any more."
    assert listed(owner.get(f"{IN}?state=person")) == []
    assert [row[3] for row in listed(owner.get(IN))] == ["Done"]
    assert "for a person to answer" not in owner.get("/console").says
    fd = admin(console.desk.product.engine.reads())
    [fact] = fd.facts(FactFilter(kind="fd.mail_dealt_with"), 5)
    assert fact.by.startswith("member:")
    assert url.endswith(fact.fact.subject)
    again = owner.post(f"{url}/done", csrf=owner.get("/console").csrf)
    assert owner.open(again.location).flash == "Somebody has done this already."


@pytest.mark.spec("EV-09")
def test_an_automatic_reply_to_our_own_address_needs_no_person(console: ConsoleDesk) -> None:
    comes_in(console, an_answer("Away.\n", Auto_Submitted="auto-replied"), to=DESK)

    owner = console.owner()
    assert [row[3] for row in listed(owner.get(IN))] == ["Not answered auto-reply"]
    assert "for a person to answer" not in owner.get("/console").says


@pytest.mark.spec("FD-29")
def test_a_mail_is_shown_as_text_alone(console: ConsoleDesk) -> None:
    evil = "<script>alert(1)</script> <img src=x onerror=alert(1)> https://evil.example"
    raw = an_answer(evil, subject=evil, sender=f'"{evil}" <eve@example.org>')
    comes_in(console, raw, to=DESK)
    owner = console.owner()
    page = owner.get(IN)
    [url] = re.findall(rf'href="({IN}/\w{{26}})"', page.text)

    for shown in (page.text, owner.get(url).text):
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
        assert 'href="https://evil.example' not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in owner.get(url).text
    taken = owner.get(f"{url}/source")
    assert taken.body == raw
    assert taken.headers["content-disposition"] == 'attachment; filename="mail.eml"'
    assert taken.headers["x-content-type-options"] == "nosniff"


def test_mail_is_searched_by_address_name_and_outcome(console: ConsoleDesk) -> None:
    comes_in(console, a_mail())
    comes_in(console, an_answer(sender="bob@example.org"), to=DESK, sender="bob@example.org")
    owner = console.owner()

    def found(q: str) -> list[str]:
        return [row[0] for row in listed(owner.get(f"{IN}?q={q}"))]

    assert found("") == ["bob@example.org", "Ann Lee"]
    assert found("bob@") == ["bob@example.org"]
    assert found("ann+lee") == ["Ann Lee"]
    assert found("signed") == ["Ann Lee"]
    assert found("%25") == []


def test_a_long_list_is_paged(console: ConsoleDesk) -> None:
    mails = [
        RawMail(
            MailId(f"{n:026}"), NINE + n * HOUR, "", DESK, b"Subject: %d\n\n" % n, "", "answered"
        )
        for n in range(51)
    ]
    console.desk.product.store.commit(
        Accepted(tuple(KeepMail(mail) for mail in mails)), by="test", at=NINE
    )
    owner = console.owner()
    first, second = owner.get(IN), owner.get(f"{IN}?page=2")

    assert [row[1] for row in listed(first)] == [str(n) for n in range(50, 0, -1)]
    assert [row[1] for row in listed(second)] == ["0"]
    assert "1 to 50 of 51" in first.says


@pytest.mark.spec("FD-21")
def test_mail_is_for_staff_and_not_for_the_host_of_one_event(console: ConsoleDesk) -> None:
    comes_in(console, an_answer(), to=DESK)
    [url] = re.findall(rf'href="({IN}/\w{{26}})"', console.owner().get(IN).text)
    host, member = console.host("hal"), console.host("sue", Role.STAFF)

    for path in (IN, url, f"{url}/source"):
        assert member.get(path).status == 200
        assert host.get(path).status == 403
    assert host.post(f"{url}/done", csrf=host.get("/console/you").csrf).status == 403


def test_a_mail_that_is_not_there_is_not_found(console: ConsoleDesk) -> None:
    owner = console.owner()
    for path in (f"{IN}/nothing", f"{IN}/nothing/source"):
        assert owner.get(path).status == 404


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("", ("Not read yet", "waiting", "")),
        ("not answered: mailing list", ("Not answered", "gone", "mailing list")),
        ("already_on_the_list", ("Answered", "neutral", "already on the list")),
        ("unreadable: no headers", ("Not readable", "ending", "no headers")),
        ("a calendar's answer: accepted", ("Calendar's answer", "neutral", "accepted")),
        ("a mail of ours that came back", ("Came back", "ending", "")),
        ("read for the waitlist", ("Request", "waiting", "")),
        ("answered: times proposed", ("Answered", "neutral", "times proposed")),
        ("a request to check", ("Request", "waiting", "")),
    ],
)
def test_the_outcome_of_a_mail_is_shown_in_plain_words(
    outcome: str, words: tuple[str, str, str]
) -> None:
    assert outcome_chip(outcome) == Chip(*words)


def test_nothing_in_a_source_acts_on_how_it_is_shown() -> None:
    assert readable_source(b"a\x1b[31m\r\nb\xe2\x80\xae\xff\tc") == "a\ufffd[31m\nb\ufffd\ufffd\tc"
