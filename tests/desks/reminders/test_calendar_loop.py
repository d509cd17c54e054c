"""The loop from a calendar and back to it: an event that staff delete is offered to the waitlist,
and the claim becomes an event and an appointment again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.reminders.commands import Cancel, MoveAppointment
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    Means,
    ReminderState,
    Window,
)
from frontdesk.desks.waitlist.commands import CancelBooking, ClaimOffer, JoinList, SetCatalogue
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Lane, Slot, SlotId, SlotStatus, Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from tests.desks.reminders.test_calendar import visit
from tests.desks.reminders.test_calendar_writes import RealDiary, connected
from tests.desks.reminders.test_connections import Shop
from tests.support.booking import resource, rules, service
from tests.support.calendars import calendar, radicale_server
from tests.support.reminders import DAY, FRIDAY, an_id

MIA_AT_WORK = ResourceId("mia")
MIA = "Ann Lee - Cut with Mia"


class Loop(RealDiary):
    """A shop with a waitlist, whose appointments are on a CalDAV server."""

    def joins(self, who: str, lane: Lane = Lane.STAFF) -> None:
        wish = Wish("Cut", 1, FRIDAY.date(), FRIDAY.date())
        email = f"{who}@example.org"
        ids = EntryId(an_id(f"entry {who}")), PersonId(an_id(who))
        self.shop.do(JoinList(*ids, who.title(), email, wish, lane))

    def claims(self, who: str) -> None:
        entry = EntryId(an_id(f"entry {who}"))
        wl = waitlist(self.shop.product.engine.reads())
        [offer] = wl.open_offers(entry)
        self.shop.do(ClaimOffer(offer.slot_id, offer.seq, by_staff=True))

    @property
    def slots(self) -> list[Slot]:
        return list(waitlist(self.shop.product.engine.reads()).slots(9))

    def of(self, who: str) -> Appointment:
        [one] = [each for each in self.appointments if each.person_id == an_id(who)]
        return one

    def file(self, one: Appointment) -> str:
        return one.ref.removeprefix("calendar:")


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Loop]:
    with (
        radicale_server(tmp_path) as server,
        closing(Shop(tmp_path / "data", more=connected(server))) as shop,
    ):
        yield Loop(shop, server)
        assert shop.settle().problems() == ()


def given_a_claim(loop: Loop, lane: Lane = Lane.STAFF) -> Appointment:
    loop.server.put("a", calendar(visit(title=MIA)))
    loop.looks()
    loop.joins("wim", lane)
    loop.server.delete("a")
    loop.looks()
    loop.claims("wim")
    return loop.of("wim")


@pytest.mark.spec("AR-11", "AR-18")
def test_a_deleted_event_is_offered_claimed_written_and_reminded_of(loop: Loop) -> None:
    one = given_a_claim(loop)

    assert [each.state for each in loop.appointments if each.id != one.id] == [
        AppointmentState.CANCELLED
    ]
    assert (one.source, one.starts_at, one.staff) == (AppointmentSource.CALENDAR, FRIDAY, "Mia")
    assert (one.calendar, one.event) == ("mia", None)
    assert loop.shown(loop.file(one)) == [("Wim - Cut with Mia", FRIDAY)]
    loop.looks()
    assert loop.of("wim") == one, "our own event does not come back as a change"
    loop.shop.wait_until(FRIDAY)
    ar = reminder_reads(loop.shop.product.engine.reads())
    reminded = {each.window: each.state for each in ar.reminders_of(one.id)}
    assert reminded[Window.FIRST] is reminded[Window.SECOND] is ReminderState.SENT


@pytest.mark.spec("FD-11", "AR-18")
def test_a_claim_that_is_told_by_mail_only_stays_so_when_its_event_is_read(loop: Loop) -> None:
    colour = Wish("Colour", 1, FRIDAY.date(), FRIDAY.date())
    ids = EntryId(an_id("entry of a stranger")), PersonId(an_id("wim"))
    stranger = JoinList(*ids, "Wim", "wim@example.org", colour, Lane.FORM, mobile="+6591234567")
    loop.shop.do(SetCatalogue(Catalogue((Service("Cut"), Service("Colour")), ("Mia",))))
    loop.shop.do(stranger)
    one = given_a_claim(loop, Lane.FORM)
    assert one.tags.no_sms

    loop.looks()

    assert loop.of("wim") == one


@pytest.mark.spec("AR-10", "AR-11")
def test_a_claimed_time_that_is_cancelled_is_offered_again(loop: Loop) -> None:
    one = given_a_claim(loop)
    loop.joins("zoe")

    loop.shop.do(Cancel(one.id, one.chain, "1.first", Means.LINK))

    assert loop.shown(loop.file(one)) == [("Cancelled: Wim - Cut with Mia", FRIDAY)]
    loop.claims("zoe")
    again = loop.of("zoe")
    assert loop.shown(loop.file(again)) == [("Zoe - Cut with Mia", FRIDAY)]
    assert [each.status for each in loop.slots].count(SlotStatus.BOOKED) == 1


def test_a_claim_that_ends_at_the_waitlist_ends_its_appointment_and_event(loop: Loop) -> None:
    one = given_a_claim(loop)
    [booked] = [each for each in loop.slots if each.status is SlotStatus.BOOKED]

    entry = EntryId(booked.booked_by)
    loop.shop.do(CancelBooking(booked.id, entry, SlotId(an_id("again"))))

    assert loop.of("wim").state is AppointmentState.CANCELLED
    assert loop.shown(loop.file(one)) == [("Cancelled: Wim - Cut with Mia", FRIDAY)]
    times = [each.opening.starts_at for each in loop.slots if each.status is SlotStatus.OPEN]
    assert times == [FRIDAY], "the time is on offer once"


def test_staff_move_or_delete_the_event_of_a_claim(loop: Loop) -> None:
    one = given_a_claim(loop)
    loop.shop.do(MoveAppointment(one.id, FRIDAY + DAY))
    assert loop.shown(loop.file(one)) == [("Wim - Cut with Mia", FRIDAY + DAY)]

    loop.server.delete(loop.file(one))
    loop.looks()

    assert loop.of("wim").state is AppointmentState.CANCELLED


@pytest.mark.spec("AR-18")
def test_staff_give_the_event_of_a_claim_to_another_customer(loop: Loop) -> None:
    one = given_a_claim(loop)
    written = loop.server.text(loop.file(one))
    renamed = written.replace("Name: Wim", "Name: Wim Brand")
    loop.server.put(loop.file(one), renamed)
    loop.looks()
    assert loop.of("wim") == one, "the same address: the same customer"

    theirs = written.replace("Wim", "Zoe Lind").replace("wim@example.org", "zoe@example.org")
    loop.server.put(loop.file(one), theirs)
    loop.looks()

    ar = reminder_reads(loop.shop.product.engine.reads())
    [after] = [each for each in loop.appointments if each.id == one.id]
    customer = ar.person(after.person_id)
    assert customer is not None
    assert (customer.name, customer.email, after.chain) == ("Zoe Lind", "zoe@example.org", 2)
    assert [each.status for each in loop.slots] == [SlotStatus.CANCELLED]


def test_where_the_booking_desk_knows_the_staff_the_claim_is_a_booking(loop: Loop) -> None:
    mia = resource(MIA_AT_WORK)
    loop.shop.do(SetRules(rules([service("Cut", [MIA_AT_WORK])], [mia])))

    one = given_a_claim(loop)

    assert one.source is AppointmentSource.BOOKING
    assert one.starts_at == FRIDAY
