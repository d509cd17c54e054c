"""Markup, formulas and lines of calendar files that customers type about visits stay text."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator, Mapping
from datetime import timedelta

import pytest

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.decision import Command
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, RequestStatus
from frontdesk.desks.booking.pages.feed import feed_url
from frontdesk.desks.booking.rules import Question, QuestionKind
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.engine.ports import Committed, Reads
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.intake.mail import MailIn
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import console_desk
from tests.security.test_injection import FORMULAS, PROBE, injected, kept
from tests.security.world import BASE_URL, World, is_html, make_world, poll
from tests.support.mail import a_mail

NAME = f"Eve {PROBE}"
LINES = "Bo;ATTENDEE:mailto:x,\\nBEGIN:VEVENT"
FORMULA = FORMULAS[0]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Has hostile text from every form and mail about visits."""
    folder = tmp_path_factory.mktemp("visits")
    with console_desk(folder, mail_domain="frontdesk.example", mail_in_port=25) as con:
        world = make_world(con)
        run(world, SetBusiness(Business(name=f"Bu {PROBE}", sender_name=f"Se {PROBE}")))
        asks_questions(world)
        books(world, NAME, "eve@example.org", PROBE)
        books(world, LINES, "bo@example.org", FORMULA)
        asks_by_note_and_waits(world)
        writes_mails(world)
        con.desk.settle()
        answers_a_reminder(world)
        con.desk.settle()
        yield world


def run(world: World, command: Command) -> None:
    product = world.con.desk.product
    outcome = product.engine.run(command, by="test", now=world.con.desk.clock.now())
    assert isinstance(outcome, Committed), outcome


def reads(world: World) -> Reads:
    return world.con.desk.product.engine.reads()


def asks_questions(world: World) -> None:
    rules = booking_reads(reads(world)).rules()
    question = Question("why", f"Qu {PROBE}", QuestionKind.TEXT)
    cut = replace(rules.services[0], questions=(question,), most_upcoming=9)
    run(world, SetRules(replace(rules, services=(cut,), event_title="{service}, {name}")))


def books(world: World, name: str, contact: str, answer: str) -> None:
    """Books at the first free hours, two days from now."""
    on = world.con.desk.clock.now() + timedelta(days=2)
    taken = len(booking_reads(reads(world)).bookings_between(on, on + timedelta(days=2)))
    fields = {"service": "Cut", "at": f"{on:%Y-%m-%d}T{15 + 2 * taken}:00Z", "answer-why": answer}
    booked = world.visitor.post("/book", **fields, name=name, contact=contact)
    assert booked.status == 303, booked.text


def asks_by_note_and_waits(world: World) -> None:
    note = world.visitor.post("/book/ask", name=NAME, contact="no@example.org", note=PROBE)
    on = f"{world.con.desk.clock.now() + timedelta(days=5):%Y-%m-%d}"
    wish = {"service": "Cut", "earliest": on, "latest": on, "party": "1"}
    joined = world.visitor.post("/waitlist", **wish, name=NAME, email="wait@example.org")
    assert (note.status, joined.status) == (303, 200)
    formula = world.visitor.post("/waitlist", **wish, name=FORMULA, email="sum@example.org")
    assert formula.status == 200


def writes_mails(world: World) -> None:
    settings = world.con.desk.product.settings
    for address in (settings.booking_address, settings.reminders_address):
        subject, text = f"Su {PROBE}", f"Cut on 30 November 2026 at 10:00 {PROBE}"
        raw = a_mail(text, sender="mail@example.org", subject=subject, to=address)
        quoted = NAME.replace("\\", "\\\\").replace('"', '\\"')
        raw = raw.replace(b"From: mail@", f'From: "{quoted}" <mail@'.encode())
        deliver(world, "mail@example.org", address, raw)


def deliver(world: World, sender: str, to: str, raw: bytes) -> None:
    envelope = Envelope(sender, (to,), raw, "127.0.0.1")
    asyncio.run(MailIn(world.con.desk.product).deliver(envelope))


def answers_a_reminder(world: World) -> None:
    booking = of_eve(world)
    ar = reminder_reads(reads(world))
    visit = next(one for one in ar.appointments_of(booking.person_id) if one.ref == booking.id)
    world.values |= {"booking": booking.id, "appointment": visit.id}
    link = world.visit_links()["MOVE"]
    world.visitor.post(f"/l/{link}", do="move", visit=visit.id, wishes=PROBE)
    [reply] = reminder_reads(reads(world)).replies_of(visit.id)
    assert reply.wishes == PROBE


def of_eve(world: World) -> Booking:
    person = reads(world).engine.person_by_email("eve@example.org")
    assert person is not None
    assert person.name == NAME
    [booking] = booking_reads(reads(world)).bookings_of(person.id)
    return booking


def hostile_rows(world: World) -> Iterator[Mapping[str, str]]:
    """Yields the values of paths that lead to the hostile rows."""
    yield {"person_id": of_eve(world).person_id}
    for one in booking_reads(reads(world)).requests(RequestStatus.DRAFT, 9):
        yield {"request": one.id}
    for each in reminder_reads(reads(world)).proposals(ProposalStatus.OPEN, 9):
        yield {"request": each.id}
    waiting = reads(world).engine.person_by_email("wait@example.org")
    assert waiting is not None
    yield from ({"entry": one.id} for one in waitlist(reads(world)).entries_of(waiting.id))
    for (mail_id,) in world.con.desk._db().execute("SELECT mail_id FROM fd_mail"):
        yield {"mail_id": mail_id}
    for (send_id,) in world.con.desk._db().execute("SELECT send_id FROM fd_send"):
        yield {"send_id": send_id}


@pytest.mark.spec("FD-29")
def test_no_page_about_visits_turns_a_text_into_markup(world: World) -> None:
    rows, shown = list(hostile_rows(world)), set()
    for pattern in world.routes("GET"):
        paths = {world.path(pattern, **row) for row in rows} | {world.path(pattern)}
        for path in paths:
            answer = world.owner.get(poll(path))
            if is_html(answer):
                assert injected(answer.text) == [], path
                shown |= {pattern} if "xss-probe" in answer.text else set()
    for token in world.visit_links().values():
        for do in ("", "?do=move", "?do=cancel"):
            assert injected(world.visitor.get(f"/l/{token}{do}").text) == []
    assert shown >= SHOWN


#: Pages that show what customers typed.
SHOWN = {
    "/console/bookings/one/{booking}",
    "/console/bookings/requests/{request}",
    "/console/reminders/one/{appointment}",
    "/console/people/{person_id}",
    "/console/waitlist/entries/{entry}",
}


@pytest.mark.spec("FD-28", "FD-29")
def test_no_mail_about_visits_turns_a_text_into_markup_or_a_header(world: World) -> None:
    mails = [mail for mail in kept(world) if mail.html]

    assert {mail.subject.count("\n") for mail in mails} == {0}
    assert sum("xss-probe" in mail.html for mail in mails) > 5
    assert [mail.subject for mail in mails if injected(mail.html)] == []


@pytest.mark.spec("FD-11", "FD-29")
def test_no_name_adds_a_line_to_a_calendar_file(world: World) -> None:
    [mia] = booking_reads(reads(world)).rules().resources
    url = feed_url(world.con.desk.product.site, reads(world), mia)
    feed = world.visitor.get(url.removeprefix(BASE_URL)).text
    lines = feed.replace("\r\n ", "").split("\r\n")

    assert not [each for each in lines if each.startswith("ATTENDEE")]
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 3


@pytest.mark.spec("FD-29")
def test_no_cell_of_a_list_of_visits_is_a_formula(world: World) -> None:
    seen = 0
    for pattern in world.routes("GET"):
        if not pattern.endswith(".csv"):
            continue
        body = world.owner.get(world.path(pattern)).body.decode("utf-8-sig")
        for row in csv.reader(io.StringIO(body)):
            seen += any("1+1" in cell for cell in row)
            assert not [cell for cell in row if cell[:1] in set("=+-@\t\r＝＋－＠")]
    assert seen > 0
