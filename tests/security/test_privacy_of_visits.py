"""Personal data of customers: text that they typed about visits is erased with them, and no fact
contains it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.members import Role
from frontdesk.desks.admin.commands import CorrectContact, Erase
from frontdesk.desks.reminders.load import reminder_reads
from tests.desks.rsvp.console_desk import console_desk
from tests.security.test_injection_by_visits import asks_questions, deliver, reads, run
from tests.security.test_privacy import holders
from tests.security.world import World, make_world
from tests.support.mail import a_mail

WHO = "quixotina"
EMAIL = f"{WHO}@example.org"
MOBILE = "+6591234567"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with console_desk(tmp_path, mail_domain="frontdesk.example", mail_in_port=25) as con:
        yield make_world(con)


def journey(world: World) -> None:
    """Lets a customer book, ask by note and by mail, wait, and answer a reminder; a forwarded mail
    names them."""
    asks_questions(world)
    visitor, settings = world.visitor, world.con.desk.product.settings
    on = world.con.desk.clock.now() + timedelta(days=2)
    who = {"name": f"{WHO} Lee", "contact": EMAIL}
    times = {"service": "Cut", "at": f"{on:%Y-%m-%d}T15:00Z"}
    booked = visitor.post("/book", **times, **who, **{"answer-why": f"{WHO} has allergies"})
    asked = visitor.post("/book/ask", **who, note=f"{WHO} wants something")
    wish = {"service": "Cut", "earliest": f"{on:%Y-%m-%d}", "latest": f"{on:%Y-%m-%d}"}
    known = {"name": f"{WHO} Lee", "email": EMAIL, "mobile": MOBILE, "party": "1"}
    joined = visitor.post("/waitlist", **wish, **known)
    assert (booked.status, asked.status, joined.status) == (303, 303, 200)
    by_mail = a_mail(f"Hello, {WHO} here.", sender=EMAIL, to=settings.booking_address)
    deliver(world, EMAIL, settings.booking_address, by_mail)
    text = f"Confirmed: {WHO} Lee, {EMAIL}, Cut on 30 November 2026 at 10:00"
    forwarded = a_mail(text, sender="desk@example.org", to=settings.reminders_address)
    deliver(world, "desk@example.org", settings.reminders_address, forwarded)
    world.con.desk.settle()
    person = reads(world).engine.person_by_email(EMAIL)
    assert person is not None
    [visit, *_] = reminder_reads(reads(world)).appointments_of(person.id)
    world.values |= {"booking": visit.ref, "appointment": visit.id}
    token = world.visit_links()["MOVE"]
    visitor.post(f"/l/{token}", do="move", visit=visit.id, wishes=f"{WHO} prefers mornings")
    world.con.desk.wait(days=1)


@pytest.mark.spec("FD-20")
def test_nothing_of_an_erased_customer_is_left_in_any_table(world: World) -> None:
    journey(world)
    before = holders(world.con, WHO)
    assert {
        *("fd_person.email", "fd_message.text", "bk_booking.answers"),
        *("bk_request.text", "ar_reply.wishes", "ar_proposal.body", "fd_mail.raw"),
    } <= before, before

    person = reads(world).engine.person_by_email(EMAIL)
    assert person is not None
    run(world, CorrectContact(person.id, "Quinn", "quinn@example.net", Role.OWNER))
    world.con.desk.settle()
    run(world, Erase(person.id))
    world.con.desk.wait(days=15)

    assert holders(world.con, WHO, "quinn@example.net", MOBILE) == set()


@pytest.mark.spec("FD-06")
def test_no_fact_about_visits_names_anybody(world: World) -> None:
    journey(world)

    assert {where for where in holders(world.con, WHO, MOBILE) if "fact" in where} == set()
