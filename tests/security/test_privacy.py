"""Personal data: who may see it, and that erasing a person removes all of it."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.jobs import JobId
from frontdesk.core.members import Role
from frontdesk.desks.admin.commands import CorrectContact, Erase
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, CallOff, Cancel
from frontdesk.intake.mail import MailIn
from frontdesk.wiring.one_machine import data_file
from tests.desks.rsvp.console_desk import ConsoleDesk, console_desk
from tests.support.browser import Browser
from tests.support.guest_links import links_of
from tests.support.mail import DESK, PARTY, a_mail

#: Names that occur nowhere else.
GUESTS = ("quixotina", "zebulon", "wilhelmine", "ottokar")
FROM_ZEBULON = "Zebulon Zz <zebulon@example.org>"


@pytest.fixture
def con(tmp_path: Path) -> Iterator[ConsoleDesk]:
    settings = {"mail_domain": "frontdesk.example", "mail_in_port": 25, "from_email": DESK}
    with console_desk(tmp_path, **settings) as con:
        yield con


def journey(con: ConsoleDesk) -> None:
    """Plays a journey: sign-ups by form, list and mail, offers, a correction, a cancellation."""
    desk = con.desk.given(cap=1, confirmed=GUESTS[:1], line=GUESTS[1:3], daily_mail=True)
    con.host("mia")
    rows = (
        ImportRow(1, "Zebulon", "zebulon@example.org", 1),
        ImportRow(2, "", "", 1, outcome="Row 2: “Zebulon@example.org” is already in row 1."),
        ImportRow(3, "Ottokar", "ottokar@example.org", 1),
    )
    desk.do(BeginImport(desk.event_id, JobId(desk.product.engine.new_id()), rows, invite=True))
    writes(con, "Please cancel my seat.", FROM_ZEBULON, "zebulon@example.org")
    writes(con, "Hello?", FROM_ZEBULON, "zebulon@example.org", to=DESK)
    writes(con, "By a list", FROM_ZEBULON, "bounces@list.example", to=DESK)
    writes(con, "I know zebulon@example.org.", "Ulf <ulf@example.org>", "ulf@example.org")
    writes(con, "I am not he.", "Jo <jozebulon@example.org>", "jozebulon@example.org")
    desk.do(Cancel(desk.id("quixotina")))
    desk.wait(days=2)


def writes(con: ConsoleDesk, text: str, who: str, sender: str, to: str = PARTY) -> None:
    raw = a_mail(text, sender=who, to=to, message_id=f"<{abs(hash(text))}@mail.example>")
    deliver = MailIn(con.desk.product).deliver
    asyncio.run(deliver(Envelope(sender, (to,), raw, "127.0.0.1")))
    con.desk.settle()


def everything(con: ConsoleDesk) -> Iterator[tuple[str, str]]:
    """Yields all stored values in lower case, with table and column."""
    db = sqlite3.connect(data_file(con.desk.product.settings.data_dir))
    try:
        for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            cursor = db.execute(f"SELECT * FROM {table}")
            columns = [column[0] for column in cursor.description]
            for row in cursor:
                for column, value in zip(columns, row, strict=True):
                    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
                    yield f"{table}.{column}", str(text).lower()
    finally:
        db.close()


def holders(con: ConsoleDesk, *words: str) -> set[str]:
    """Returns the tables that contain one of these words, except in another person's name."""
    return {
        where
        for where, text in everything(con)
        for word in words
        if word in text.replace("jozebulon", "")
    }


@pytest.mark.spec("FD-20")
def test_nothing_of_an_erased_person_is_left_in_any_table(con: ConsoleDesk) -> None:
    journey(con)
    desk, zebulon = con.desk, con.desk.reads.person_by_email("zebulon@example.org")
    assert zebulon is not None
    assert {
        "fd_person.email",
        "fd_message.to_email",
        "fd_mail.raw",
        "ev_import.outcome",
    } <= holders(con, "zebulon")

    desk.do(CorrectContact(zebulon.id, "Zebulon Zz", "zz@example.net", Role.OWNER))
    desk.do(Erase(zebulon.id))
    desk.wait(days=15)

    assert holders(con, "zebulon", "zz@example.net") == set()
    assert holders(con, "wilhelmine") > {"fd_person.name"}
    assert "i am not he" in " ".join(text for where, text in everything(con) if "raw" in where)


@pytest.mark.spec("FD-06")
def test_the_audit_names_nobody(con: ConsoleDesk) -> None:
    journey(con)
    desk = con.desk
    desk.do(CallOff(desk.event_id, JobId(desk.product.engine.new_id()), "Sorry."))

    facts = {where for where in holders(con, *GUESTS, "mia@", "ulf") if "fact" in where}
    assert facts == set()
    assert len(desk.facts()) > 15


@pytest.mark.spec("FD-06", "FD-20")
def test_the_message_id_of_a_strangers_mail_is_kept_with_the_mails_alone(con: ConsoleDesk) -> None:
    con.desk.given(cap=1)
    own = "ann@example.org.123@host"
    raw = a_mail().replace(b"one@example.org", own.encode())
    asyncio.run(
        MailIn(con.desk.product).deliver(Envelope("ann@example.org", (PARTY,), raw, "127.0.0.1"))
    )
    con.desk.settle()
    ann = con.desk.reads.person_by_email("ann@example.org")
    assert ann is not None

    assert con.desk.mail_to("ann")[-1].in_reply_to == f"<{own}>"
    assert holders(con, own) == {"fd_mail.raw", "fd_message.in_reply_to"}
    con.desk.do(Erase(ann.id))
    assert holders(con, own) == set()


@pytest.mark.spec("FD-11")
def test_pages_and_mails_show_nobody_but_their_reader(con: ConsoleDesk) -> None:
    journey(con)
    desk, visitor = con.desk, Browser(con.app, "http://desk.example")
    public = ("/e/pottery", "/e/pottery/embed", "/api/events/pottery", "/health", "/sign-in")
    assert named("".join(visitor.get(path).text for path in public)) == set()

    for who in GUESTS[:3]:
        links = links_of(desk, who)
        urls = [
            *(links.confirm(), links.manage(), links.cancel(), links.ticket(), links.unsubscribe()),
            *(links.offer(1), links.decline(1), f"{links.manage()}/calendar.ics"),
        ]
        pages = "".join(visitor.get(url.removeprefix("http://desk.example")).text for url in urls)
        mails = desk.mail_to(who)
        told = "".join(f"{m.to_name}{m.subject}{m.text}{m.html}{m.calendar!r}" for m in mails)
        assert named(pages + told) == {who}
        assert all("/l/" not in (mail.calendar or b"").decode() for mail in mails)


def named(text: str) -> set[str]:
    return {who for who in (*GUESTS, "mia@", "ulf@") if who in text.lower()}


@pytest.mark.spec("FD-11")
def test_anybody_may_know_the_numbers_of_an_event_and_no_more(con: ConsoleDesk) -> None:
    con.desk.given(cap=3, confirmed=["ann"])
    visitor = Browser(con.app, "http://desk.example")

    assert visitor.get("/api/events/pottery").text == (
        '{"name":"Pottery workshop","starts_at":"2026-11-27T11:00:00+00:00",'
        '"ends_at":"2026-11-27T13:00:00+00:00","zone":"Asia/Singapore",'
        '"when":"Friday 27 November 2026, 19:00 to 21:00 (SGT)","venue":"12 Kiln Lane",'
        '"description":"","state":"open","seats":3,"seats_free":2,"waiting":0,'
        '"message":"2 of 3 seats are left.","party_limit":1,'
        '"url":"http://desk.example/e/pottery"}'
    )
