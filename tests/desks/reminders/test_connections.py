"""The whole product with the reminders desk on: bookings become appointments, and answers go
back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.connect.models.port import LanguageModel
from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendState, SentMessage
from frontdesk.desks.admin.commands import Erase
from frontdesk.desks.admin.desk import first_link
from frontdesk.desks.booking import commands as booking
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import BookingId, BookingStatus
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    Means,
    Window,
    appointment_id,
    nonce_of,
)
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.doctor import check_up
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Committed
from frontdesk.engine.runtime import advance
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.settings import Settings
from frontdesk.store.sqlite.view import open_view
from frontdesk.wiring import one_machine
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.one_machine import web_app
from tests.desks.rsvp.console_desk import Host
from tests.support.booking import MIRA, resource, rules, service
from tests.support.browser import Browser
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, an_id
from tests.support.rsvp_dynamodb import ALL

BASE = "http://desk.example"


@dataclass
class Shop:
    """Runs the whole product in one process, in virtual time."""

    folder: Path
    desks_off: str = ""
    clock: VirtualClock = field(default_factory=lambda: VirtualClock(MONDAY))
    more: dict[str, Any] = field(default_factory=dict)
    model: LanguageModel | None = None

    def __post_init__(self) -> None:
        settings = Settings(
            data_dir=self.folder, base_url=BASE, desks_off=self.desks_off, **self.more
        )
        self.product = one_machine.build(settings, clock=self.clock, model=self.model)
        for desk in DESKS:
            if settings.has_desk(desk.name):
                desk.start(self.product.site)
        self.app = one_machine.web_app(self.product)

    def close(self) -> None:
        self.product.close()

    def do(self, command: Command) -> Shop:
        outcome = self.product.engine.run(command, by="test", now=self.clock.now())
        assert isinstance(outcome, Committed), outcome
        return self.settle()

    def settle(self) -> Shop:
        self.product.runtime.settle(self.clock.now())
        return self

    def wait_until(self, at: datetime) -> Shop:
        advance(self.product.runtime, self.clock, at)
        return self

    def opens(self, rules_: BookingRules | None = None) -> Shop:
        return self.do(booking.SetRules(rules_ or rules([service(change_notice=2 * DAY)])))

    def book(self, who: str, starts_at: datetime = FRIDAY) -> BookingId:
        booked = BookingId(who.encode().hex().ljust(32, "0"))
        person = PersonId(an_id(who))
        contact = (who.title(), f"{who}@example.org")
        return self._booked(booking.Book(booked, person, "cut", starts_at, *contact))

    def booked_with(
        self, who: str, mobile: str, starts_at: datetime = FRIDAY, **more: Any
    ) -> booking.Book:
        """Returns the command that books for somebody with a number and no address."""
        booked = BookingId(who.encode().hex().ljust(32, "0"))
        person = PersonId(an_id(who))
        return booking.Book(booked, person, "cut", starts_at, who.title(), mobile=mobile, **more)

    def _booked(self, command: booking.Book) -> BookingId:
        self.do(command)
        return command.booking_id

    def appointment(self, booked: BookingId) -> Appointment:
        found = reminder_reads(self.product.engine.reads()).appointment(
            appointment_id(AppointmentSource.BOOKING, booked)
        )
        assert found is not None
        return found

    def reply(self, kind: type[Any], booked: BookingId, window: Window = Window.FIRST) -> Command:
        one = self.appointment(booked)
        command: Command = kind(one.id, one.chain, nonce_of(one.chain, window), Means.LINK)
        return command

    def status(self, booked: BookingId) -> BookingStatus:
        found = booking_reads(self.product.engine.reads()).booking(booked)
        assert found is not None
        return found.status

    def sent(self, to: str) -> list[SentMessage]:
        """Returns the stored messages to somebody, in order."""
        store, reads = self.product.store, self.product.engine.reads().engine
        sends = sorted(store.sends_in(SendState.SENT, ALL), key=lambda each: each.sent_at or MONDAY)
        kept = [found for each in sends if (found := reads.sent_message(each.id))]
        return [each for each in kept if each.to_email.startswith(to)]

    def subjects(self, to: str) -> list[str]:
        return [each.subject for each in self.sent(to)]

    def problems(self) -> tuple[str, ...]:
        with open_view(one_machine.data_file(self.folder), one_machine.TABLES) as view:
            return check_up(view, self.clock.now(), served=False).problems


def owner(shop: Shop) -> Host:
    product = shop.product
    host = Host(web_app(product), BASE)
    link = first_link(product.engine, product.keys, BASE, shop.clock.now())
    assert host.post(link.removeprefix(BASE)).status == 303
    return host


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with closing(Shop(tmp_path)) as one:
        yield one
        assert one.settle().problems() == ()


@pytest.mark.spec("AR-01", "BK-14")
def test_a_booking_is_reminded_of_by_the_reminders_desk_alone(shop: Shop) -> None:
    shop.opens()
    booked = shop.book("ann")

    shop.wait_until(FRIDAY - HOUR)

    assert shop.subjects("ann") == [
        "Confirmed: cut on Friday 20 November, 10:00 (UTC)",
        "Your appointment in 3 days: cut",
        "cut tomorrow at 10:00: please confirm",
    ]
    found = booking_reads(shop.product.engine.reads()).booking(booked)
    assert found is not None
    assert found.reminders == ()
    assert shop.appointment(booked).staff == "Mira"


@pytest.mark.spec("AR-01")
def test_the_booking_desk_reminds_where_the_reminders_desk_is_off(tmp_path: Path) -> None:
    with closing(Shop(tmp_path, desks_off="reminders")) as shop:
        shop.opens()
        shop.book("ann")
        shop.wait_until(FRIDAY)

        assert shop.subjects("ann")[1:] == ["cut tomorrow at 10:00", "cut today at 10:00"]
        assert shop.problems() == ()


@pytest.mark.spec("AR-18")
def test_a_moved_booking_starts_a_new_chain(shop: Shop) -> None:
    shop.opens()
    booked = shop.book("ann")
    shop.wait_until(FRIDAY - 3 * DAY)

    shop.do(booking.MoveBooking(booked, FRIDAY + 7 * DAY, by_staff=True))

    one = shop.appointment(booked)
    assert (one.starts_at, one.chain, one.state) == (
        FRIDAY + 7 * DAY,
        2,
        AppointmentState.EXPECTED,
    )


@pytest.mark.spec("AR-05", "AR-18")
def test_nobody_is_reminded_of_the_old_time_of_a_booking_that_staff_moved_to_this_minute(
    shop: Shop,
) -> None:
    shop.opens()
    booked = shop.book("ann", FRIDAY + 2 * DAY)
    shop.wait_until(FRIDAY)
    before = len(shop.sent("ann@"))

    shop.do(booking.MoveBooking(booked, FRIDAY, by_staff=True))
    shop.wait_until(FRIDAY + 2 * DAY)

    assert shop.appointment(booked).starts_at == FRIDAY
    told = [mail.subject for mail in shop.sent("ann@")[before:]]
    assert [each for each in told if each.startswith("Your appointment")] == []


@pytest.mark.spec("AR-11")
def test_cancelling_in_a_reminder_cancels_the_booking_and_hands_its_time_to_the_waitlist(
    shop: Shop,
) -> None:
    """The booking desk needs more notice, but here the cut-off of the reminders desk applies."""
    shop.do(SetCatalogue(Catalogue((Service("cut"),), ("Mira",)))).opens()
    booked = shop.book("ann")
    shop.wait_until(FRIDAY - DAY)

    shop.do(shop.reply(ar.Cancel, booked, Window.SECOND))

    assert shop.status(booked) is BookingStatus.CANCELLED
    assert shop.appointment(booked).state is AppointmentState.CANCELLED
    slots = waitlist(shop.product.engine.reads()).slots(9)
    assert [each.origin for each in slots] == [f"booking:{booked}.1"]
    assert shop.subjects("ann")[-1] == "Cancelled: cut on Friday 20 November, 10:00 (UTC)"
    assert len(shop.subjects("ann")) == 4


@pytest.mark.spec("AR-11")
def test_a_booking_that_is_cancelled_at_its_desk_is_not_reminded_of(shop: Shop) -> None:
    shop.opens()
    booked = shop.book("ann")

    shop.do(booking.CancelBooking(booked)).wait_until(FRIDAY)

    assert shop.appointment(booked).state is AppointmentState.CANCELLED
    assert len(shop.subjects("ann")) == 2


@pytest.mark.spec("AR-15")
def test_a_no_show_is_known_to_both_desks_whoever_notes_it(shop: Shop) -> None:
    shop.opens()
    first, second = shop.book("ann"), shop.book("bob", FRIDAY + HOUR)
    shop.wait_until(FRIDAY + 90 * timedelta(minutes=1))

    shop.do(ar.MarkNoShow(shop.appointment(first).id)).do(booking.MarkNoShow(second))

    assert (shop.status(first), shop.status(second)) == (BookingStatus.NO_SHOW,) * 2
    states = {shop.appointment(first).state, shop.appointment(second).state}
    assert states == {AppointmentState.NO_SHOW}


@pytest.mark.spec("AR-11")
def test_the_time_of_an_appointment_from_a_sheet_goes_to_the_waitlist(shop: Shop) -> None:
    shop.do(SetCatalogue(Catalogue((Service("cut"),), ("Mira",))))
    sheet = AppointmentSource.SHEET
    contact = ("Ann", "ann@example.org", "")
    person = PersonId(an_id("ann"))
    shop.do(ar.RecordAppointment(sheet, "7", person, *contact, "Cut", FRIDAY, HOUR, "Mira"))
    one = appointment_id(sheet, "7")

    shop.do(ar.Cancel(one, 1, "1.first", Means.LINK))

    [slot] = waitlist(shop.product.engine.reads()).slots(9)
    assert (slot.origin, slot.opening.staff) == (f"appointment:{one}.1", "Mira")
    assert shop.subjects("ann") == ["Cancelled: Cut on Friday 20 November, 10:00 (UTC)"]


@pytest.mark.spec("FD-20")
def test_an_erased_person_has_no_appointments_left(shop: Shop) -> None:
    shop.opens()
    booked = shop.book("ann")

    shop.do(Erase(PersonId(an_id("ann"))))

    assert shop.appointment(booked).state is AppointmentState.CANCELLED


# --- links ----------------------------------------------------------------------------------


def links_in(message: SentMessage) -> list[str]:
    words = message.text.split()
    return [each.removeprefix(BASE) for each in words if each.startswith(f"{BASE}/l/")]


def visitor(shop: Shop) -> Browser:
    return Browser(shop.app, BASE)


@pytest.mark.spec("AR-08", "FD-09")
def test_a_link_shows_and_its_button_acts_once(shop: Shop) -> None:
    shop.opens()
    booked = shop.book("ann")
    shop.wait_until(FRIDAY - 3 * DAY)
    confirm, _, cancel = links_in(shop.sent("ann")[-1])
    browser = visitor(shop)

    page = browser.get(confirm)
    assert (page.status, page.heading) == (200, "Are you coming?")
    assert shop.appointment(booked).state is AppointmentState.EXPECTED
    assert browser.post(confirm, do="confirm").status == 303
    assert browser.post(confirm, do="confirm").status == 303
    assert browser.get(confirm).heading == "You're coming. See you then."

    assert browser.get(cancel).heading == "Cancel this appointment?"
    assert browser.post(cancel, do="cancel").status == 303
    shop.settle()
    assert browser.get(cancel).heading == "This appointment is cancelled."
    assert shop.status(booked) is BookingStatus.CANCELLED


@pytest.mark.spec("AR-08", "FD-08")
def test_a_link_gives_its_own_answer_alone(shop: Shop) -> None:
    shop.opens()
    booked = shop.book("ann")
    shop.wait_until(FRIDAY - 3 * DAY)
    confirm, move, _ = links_in(shop.sent("ann")[-1])
    before = shop.appointment(booked)

    for link, do in ((confirm, "cancel"), (move, "cancel"), (confirm, "nonsense")):
        assert visitor(shop).post(link, do=do).status == 303
    other = appointment_id(AppointmentSource.BOOKING, BookingId("0" * 32))
    assert visitor(shop).post(confirm, do="confirm", visit=other).status == 303
    last = "A" if confirm[-1] != "A" else "B"
    assert visitor(shop).post(f"{confirm[:-1]}{last}", do="confirm").status == 404

    assert shop.appointment(booked) == before


@pytest.mark.spec("AR-18")
def test_an_old_link_shows_the_new_time_and_changes_nothing(shop: Shop) -> None:
    shop.opens()
    booked = shop.book("ann")
    shop.wait_until(FRIDAY - 3 * DAY)
    confirm, *_ = links_in(shop.sent("ann")[-1])
    shop.do(booking.MoveBooking(booked, FRIDAY + DAY, by_staff=True))

    page = visitor(shop).get(confirm)

    assert page.heading == "Your appointment has a new time."
    assert "Saturday 21 November" in page.says
    visitor(shop).post(confirm, do="confirm")
    assert shop.appointment(booked).state is AppointmentState.EXPECTED


@pytest.mark.spec("AR-19")
def test_one_page_has_an_answer_for_each_visit_of_a_day(shop: Shop) -> None:
    staff = [resource(MIRA)]
    shop.opens(rules([service()], staff))
    morning = shop.book("ann")
    person = PersonId(an_id("ann"))
    noon = BookingId("ab" * 16)
    contact = ("Ann", "ann@example.org")
    shop.do(booking.Book(noon, person, "cut", FRIDAY + 2 * HOUR, *contact))
    shop.wait_until(FRIDAY - 3 * DAY)
    [link] = links_in(shop.sent("ann")[-1])
    browser = visitor(shop)

    assert browser.get(link).heading == "Your appointments"
    browser.post(link, do="confirm", visit=shop.appointment(morning).id)
    browser.post(link, do="cancel", visit=shop.appointment(noon).id)

    assert shop.appointment(morning).state is AppointmentState.CONFIRMED
    assert shop.appointment(noon).state is AppointmentState.CANCELLED


# --- switches -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rsvp", "waitlist", "booking", "reminders"])
def test_each_desk_can_be_switched_off_alone(tmp_path: Path, name: str) -> None:
    pages = {"waitlist": "/waitlist", "booking": "/book"}
    with closing(Shop(tmp_path, desks_off=name)) as shop:
        for desk, path in pages.items():
            assert (visitor(shop).get(path).status == 404) == (desk == name)
        shop.opens()
        shop.book("ann")
        shop.wait_until(FRIDAY + HOUR)
        assert shop.problems() == ()


@pytest.mark.parametrize("off", ["waitlist", "booking"])
def test_no_page_leads_to_a_desk_that_is_switched_off(tmp_path: Path, off: str) -> None:
    with closing(Shop(tmp_path, desks_off=off)) as shop:
        shop.do(SetCatalogue(Catalogue((Service("cut"),), ("Mira",)))).opens()
        booked = shop.book("ann")
        shop.do(booking.CancelBooking(booked))
        paths = ["/book"] if off == "waitlist" else links_in(shop.sent("ann")[0])[:1]

        for path in paths:
            page = visitor(shop).get(path)
            dead = {"waitlist": "/waitlist", "booking": "/book"}[off]
            assert page.status == 200
            assert not re.search(rf'href="({BASE})?{dead}', page.text)


@pytest.mark.spec("AR-01")
def test_bookings_from_before_the_desk_was_on_are_reminded_of_once(tmp_path: Path) -> None:
    """The booking desk has already reminded Ann, who gets no second message about the same
    visit."""
    with closing(Shop(tmp_path, desks_off="reminders")) as shop:
        shop.opens()
        ann, bob = shop.book("ann"), shop.book("bob", FRIDAY + 5 * DAY)
        shop.wait_until(FRIDAY - DAY + HOUR)
        assert shop.subjects("ann")[1:] == ["cut tomorrow at 10:00"]
    with closing(Shop(tmp_path, clock=VirtualClock(FRIDAY - DAY + 2 * HOUR))) as shop:
        for task in shop.product.periodic_tasks:
            task.turn()
        assert shop.appointment(ann).is_live
        shop.wait_until(FRIDAY + 4 * DAY + HOUR)

        assert shop.subjects("ann")[2:] == []
        assert shop.subjects("bob")[1:] == [
            "Your appointment in 3 days: cut",
            "cut tomorrow at 10:00: please confirm",
        ]
        assert shop.appointment(bob).state is AppointmentState.EXPECTED
        assert shop.problems() == ()


@pytest.mark.spec("AR-01")
def test_a_booking_that_changed_while_the_desk_was_off_is_followed(tmp_path: Path) -> None:
    with closing(Shop(tmp_path)) as shop:
        shop.opens()
        ann, bob = shop.book("ann"), shop.book("bob", FRIDAY + HOUR)
    with closing(Shop(tmp_path, desks_off="reminders")) as shop:
        shop.do(booking.CancelBooking(ann, by_staff=True))
        shop.do(booking.MoveBooking(bob, FRIDAY + 7 * DAY, by_staff=True))
    with closing(Shop(tmp_path)) as shop:
        assert shop.appointment(ann).state is AppointmentState.CANCELLED
        assert (shop.appointment(bob).starts_at, shop.appointment(bob).chain) == (
            FRIDAY + 7 * DAY,
            2,
        )
        assert shop.problems() == ()


def test_the_tick_that_the_machine_missed_is_made_up_at_the_start(tmp_path: Path) -> None:
    with closing(Shop(tmp_path)) as shop:
        shop.opens()
        shop.book("ann")
    late = VirtualClock(datetime(2026, 11, 17, 15, tzinfo=UTC))
    with closing(Shop(tmp_path, clock=late)) as shop:
        shop.settle()

        assert shop.subjects("ann")[-1] == "Your appointment in 3 days: cut"
