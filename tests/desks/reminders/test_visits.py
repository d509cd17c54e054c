"""No-shows, records of customers, appointments without a timely confirmation, and the heartbeat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted, DropTimer
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.booking.model import BookingStatus
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.decide.timers import TICK_TIMER
from frontdesk.desks.reminders.figures import CustomerRecord, customer_record
from frontdesk.desks.reminders.model import (
    AppointmentId,
    AppointmentSource,
    AppointmentState,
    appointment_id,
)
from frontdesk.desks.reminders.rules import LeadTime, Schedule
from frontdesk.desks.reminders.tags import Tags
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from frontdesk.wiring.reminders.desk import Heartbeat, watch_tick
from tests.desks.reminders.test_connections import Shop, owner
from tests.desks.reminders.test_console import LIST
from tests.desks.reminders.test_weeks import ONE
from tests.support.reminders import DAY, FRIDAY, HOUR, MINUTE, MONDAY, RemindersDesk, an_id, id_of

MIA = "mia@salon.example"
SHEET = AppointmentSource.SHEET
ROW = appointment_id(SHEET, "7")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with closing(Shop(tmp_path)) as one:
        one.do(AddFirstOwner(MemberId(an_id("m")), PersonId(an_id("mia")), "Mia", MIA))
        one.do(SetCatalogue(Catalogue((Service("cut"),), ("Mira",))))
        yield one.opens()
        assert one.settle().problems() == ()


def add_row(shop: Shop) -> None:
    who = (PersonId(an_id("ann")), "Ann", "ann@example.org", "")
    shop.do(ar.RecordAppointment(SHEET, "7", *who, "Cut", FRIDAY, HOUR, "Mira"))


# --- no-shows -------------------------------------------------------------------------------


@pytest.mark.spec("AR-15")
def test_the_rest_of_a_missed_appointment_goes_to_the_waitlist(shop: Shop) -> None:
    add_row(shop)
    shop.wait_until(FRIDAY + 10 * MINUTE)

    shop.do(ar.MarkNoShow(ROW))

    [slot] = waitlist(shop.product.engine.reads()).slots(9)
    assert slot.opening.starts_at >= FRIDAY + 10 * MINUTE
    assert slot.opening.ends_at == FRIDAY + HOUR


@pytest.mark.spec("AR-15")
def test_the_rest_of_a_missed_booking_goes_to_the_waitlist(shop: Shop) -> None:
    booked = shop.book("ann")
    shop.wait_until(FRIDAY + 10 * MINUTE)

    shop.do(ar.MarkNoShow(shop.appointment(booked).id))

    [slot] = waitlist(shop.product.engine.reads()).slots(9)
    assert slot.opening.starts_at >= FRIDAY + 10 * MINUTE
    assert shop.status(booked) is BookingStatus.NO_SHOW


@pytest.mark.spec("AR-15")
def test_an_appointment_that_has_just_begun_is_still_in_the_list(shop: Shop) -> None:
    add_row(shop)
    shop.wait_until(FRIDAY + 10 * MINUTE)

    assert "Fri 20 Nov, 10:00 Ann" in owner(shop).get(LIST).says


@pytest.mark.spec("AR-15")
def test_a_record_counts_visits_and_no_shows() -> None:
    missed, gone = AppointmentState.NO_SHOW, AppointmentState.CANCELLED
    rows = [
        replace(ONE, id=AppointmentId("b"), starts_at=FRIDAY - 9 * DAY, state=missed),
        replace(ONE, id=AppointmentId("c"), starts_at=FRIDAY - 7 * DAY),
        replace(ONE, id=AppointmentId("d"), starts_at=FRIDAY - 5 * DAY, state=gone),
        ONE,
    ]

    seen_at = FRIDAY - 7 * DAY
    assert customer_record(rows, FRIDAY) == CustomerRecord(1, 1, 1, seen_at)
    came = replace(ONE, state=AppointmentState.CAME)
    assert customer_record([*rows[:3], came], FRIDAY) == CustomerRecord(2, 1, 1, FRIDAY)


@pytest.mark.spec("AR-15")
def test_the_page_of_a_person_has_their_record(shop: Shop) -> None:
    add_row(shop)
    shop.wait_until(FRIDAY + 10 * MINUTE)
    shop.do(ar.MarkNoShow(ROW))

    page = owner(shop).get(f"/console/people/{an_id('ann')}").says

    assert "Visits 0 No-shows 1 Cancelled 0 Last seen Not yet" in page


# --- confirm by -----------------------------------------------------------------------------


@pytest.mark.spec("AR-22")
def test_an_appointment_can_be_given_away_only_after_its_time_to_confirm(
    desk: RemindersDesk,
) -> None:
    desk.given(usual=Schedule(confirm_by=LeadTime(days=1)))
    desk.add("ann")
    desk.add("bob")
    desk.add("cat")
    desk.do(desk.confirm("bob")).do(desk.ask_to_move("cat"))

    assert desk.refused(ar.ReleaseAppointment(id_of("ann"))) == "not_overdue"
    desk.wait_until(FRIDAY - DAY)
    assert desk.refused(ar.ReleaseAppointment(id_of("bob"))) == "not_overdue"
    assert desk.refused(ar.ReleaseAppointment(id_of("cat"))) == "not_overdue"
    desk.do(ar.ReleaseAppointment(id_of("ann")))

    assert desk.of("ann").state is AppointmentState.CANCELLED
    assert [kind for kind, ref, _ in desk.told() if ref == "ann"][-1] == "released"


@pytest.mark.spec("AR-16", "AR-22")
def test_an_appointment_that_nobody_was_asked_about_is_not_overdue(desk: RemindersDesk) -> None:
    desk.given(usual=Schedule(confirm_by=LeadTime(days=1)))
    desk.add("ann", tags=Tags(skip=True))
    desk.wait_until(FRIDAY - DAY)
    desk.add("bob", FRIDAY - 20 * HOUR)
    desk.wait_until(FRIDAY - 21 * HOUR)

    assert desk.refused(ar.ReleaseAppointment(id_of("ann"))) == "not_overdue"
    assert desk.refused(ar.ReleaseAppointment(id_of("bob"))) == "not_overdue"


@pytest.mark.spec("AR-22")
def test_today_gives_an_unconfirmed_time_to_the_waitlist_in_one_press(shop: Shop) -> None:
    shop.do(ar.TakeRules("confirm by: 1d", "UTC"))
    add_row(shop)
    shop.wait_until(FRIDAY - DAY - HOUR)
    assert "did not confirm" not in owner(shop).get("/console").says

    shop.wait_until(FRIDAY - DAY + HOUR)
    host = owner(shop)
    assert "Ann did not confirm in time" in host.get("/console").says
    says = host.send("/console", f"{LIST}/one/{ROW}/release").flash
    shop.settle()

    assert says.startswith("Given away.")
    [slot] = waitlist(shop.product.engine.reads()).slots(9)
    assert slot.opening.starts_at == FRIDAY
    assert shop.subjects("ann")[-1] == (
        "We no longer keep your appointment on Friday 20 November, 10:00 (UTC)"
    )


# --- the heartbeat --------------------------------------------------------------------------


@pytest.mark.spec("AR-17")
def test_staff_get_a_mail_when_the_tick_does_not_run(shop: Shop) -> None:
    """Timers do not fire here; only the watch runs."""
    shop.wait_until(MONDAY + HOUR)
    assert watch_tick(shop.product) is False
    for minutes in range(100, 130, 5):
        shop.clock.move_to(MONDAY + HOUR + timedelta(minutes=minutes))
        assert watch_tick(shop.product) is True
    assert not shop.product.health().is_well

    shop.settle()
    told = [each for each in shop.sent(MIA) if "Reminders do not go out" in each.text]
    assert len(told) == 1
    assert watch_tick(shop.product) is False
    assert shop.product.health().is_well


@pytest.mark.spec("AR-05", "AR-17")
def test_a_tick_whose_timer_is_gone_after_failures_is_started_again(shop: Shop) -> None:
    add_row(shop)
    shop.wait_until(MONDAY + HOUR)
    lost = Accepted(timers=(DropTimer(TICK_TIMER),))
    shop.product.engine.store.commit(lost, by="test", at=shop.clock.now())
    heartbeat = Heartbeat(shop.product)
    for _ in range(8):
        shop.wait_until(shop.clock.now() + timedelta(minutes=15))
        heartbeat.turn()
    shop.settle()

    assert watch_tick(shop.product) is False
    shop.wait_until(FRIDAY)
    assert [each for each in shop.subjects("ann") if "please confirm" in each] != []


@pytest.mark.spec("AR-17")
def test_a_tick_is_started_again_once_an_hour_while_it_fails(shop: Shop) -> None:
    """Each failed start is a dead letter for staff."""
    heartbeat, planned = Heartbeat(shop.product), []
    store = shop.product.engine.store
    for minutes in range(0, 180, 5):
        shop.clock.move_to(MONDAY + 2 * HOUR + timedelta(minutes=minutes))
        lost = Accepted(timers=(DropTimer(TICK_TIMER),))
        store.commit(lost, by="test", at=shop.clock.now())
        heartbeat.turn()
        planned += [at for name, at in store.due_timers(shop.clock.now(), 64) if name == TICK_TIMER]

    assert planned == [MONDAY + 2 * HOUR, MONDAY + 3 * HOUR, MONDAY + 4 * HOUR]


@pytest.mark.spec("AR-17")
def test_a_tick_that_is_made_up_after_a_sleep_is_not_worth_a_mail(shop: Shop) -> None:
    shop.wait_until(MONDAY + HOUR)
    shop.clock.move_to(MONDAY + 3 * DAY)
    watch_tick(shop.product)
    shop.settle()
    watch_tick(shop.product)
    shop.settle()

    assert [each for each in shop.sent(MIA) if "Reminders do not go out" in each.text] == []


@pytest.mark.spec("AR-17")
def test_a_tick_that_never_ran_is_an_alarm(desk: RemindersDesk) -> None:
    desk.run(ar.PlanTick())
    [one] = desk.engine.desks.values()

    assert list(one.alarms(desk.engine.reads(), MONDAY + HOUR)) == []
    assert len(list(one.alarms(desk.engine.reads(), MONDAY + 2 * HOUR))) == 1
