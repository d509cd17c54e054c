"""The tick: each window of an appointment gets one message, in time, and none after an answer."""

from __future__ import annotations

from datetime import date, time, timedelta

import pytest

from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.reminders.commands import MarkNoShow, RunTick
from frontdesk.desks.reminders.facts import GapFound
from frontdesk.desks.reminders.load import Loader
from frontdesk.desks.reminders.model import TICK_STATE, AppointmentSource, TickState, Window
from frontdesk.desks.reminders.rules import LeadTime, Schedule, ServiceSchedule
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.engine.ports import Committed
from tests.desks.reminders.conftest import Opened
from tests.support.reminders import (
    DAY,
    FRIDAY,
    HOUR,
    MINUTE,
    MONDAY,
    RemindersDesk,
    days,
    id_of,
)

TUESDAY, THURSDAY = FRIDAY - 3 * DAY, FRIDAY - DAY


@pytest.mark.spec("AR-04")
def test_an_appointment_is_reminded_of_three_days_and_one_day_before(desk: RemindersDesk) -> None:
    desk.given().add("ann")

    desk.wait_until(FRIDAY + DAY)

    assert desk.told() == [("first", "ann", TUESDAY), ("second", "ann", THURSDAY)]
    assert desk.kinds("ann") == ["added", "first_reminder", "second_reminder", "gap_alert"]


@pytest.mark.spec("AR-04")
def test_a_service_has_a_schedule_of_its_own(desk: RemindersDesk) -> None:
    weekly = Schedule(reminders=(LeadTime(days=2),))
    desk.given(services=(ServiceSchedule("Colour", weekly),))
    desk.add("ann", service="colour")

    desk.wait_until(FRIDAY)

    assert desk.told() == [("first", "ann", FRIDAY - 2 * DAY)]


@pytest.mark.spec("AR-04")
def test_nobody_is_reminded_after_an_answer(desk: RemindersDesk) -> None:
    desk.given()
    desk.add("ann")
    desk.add("bob")
    desk.add("cat")
    desk.wait_until(TUESDAY)

    desk.do(desk.confirm("ann")).do(desk.cancel("bob")).do(desk.ask_to_move("cat"))
    desk.wait_until(FRIDAY)

    assert [kind for kind, _, _ in desk.told()].count("second") == 0
    assert "gap_alert" not in desk.kinds("ann") + desk.kinds("cat")
    assert desk.kinds("bob") == ["added", "first_reminder", "cancelled", "gap_alert"]


@pytest.mark.spec("AR-04")
def test_a_short_window_is_not_late(desk: RemindersDesk) -> None:
    """Two hours before 15:25 is 13:25, and the tick runs at 13:00 and at 14:00."""
    at = FRIDAY + 5 * HOUR + 25 * MINUTE
    desk.given().add("ann", at, tags=parse_tags("Bring the card. #remind 2h"))

    desk.wait_until(at)

    assert desk.told() == [("first", "ann", at - 2 * HOUR)]


@pytest.mark.spec("AR-04")
def test_a_window_within_the_hour_after_a_reminder_is_in_time(desk: RemindersDesk) -> None:
    """For 15:55 the windows are at 13:25 and 13:45, both between two ticks."""
    soon = Schedule(reminders=(LeadTime(minutes=150), LeadTime(minutes=130)))
    desk.given(usual=soon, least_gap=0 * HOUR)
    at = FRIDAY + 6 * HOUR - 5 * MINUTE
    desk.add("ann", at)

    desk.wait_until(at)

    assert desk.told() == [
        ("first", "ann", at - 150 * MINUTE),
        ("second", "ann", at - 130 * MINUTE),
    ]


@pytest.mark.spec("AR-04", "AR-13")
def test_a_customer_has_time_to_answer_before_staff_are_alerted(desk: RemindersDesk) -> None:
    late = Schedule(reminders=(LeadTime(minutes=120),))
    desk.given(usual=late)
    at = FRIDAY + 2 * HOUR
    for ref in ("cut", "nails"):
        desk.add("ann", at, ref=ref)

    desk.wait_until(at)

    alerts = [fact.at for each in desk.facts("cut") if isinstance(fact := each.fact, GapFound)]
    assert [at for _, _, at in desk.told()] == [FRIDAY]
    assert alerts == [FRIDAY + HOUR / 2]


@pytest.mark.spec("AR-04", "AR-16")
def test_an_appointment_that_comes_between_two_ticks_has_its_short_window(
    desk: RemindersDesk,
) -> None:
    desk.given(after_booking=timedelta())
    desk.wait(minutes=5)
    at = MONDAY + 2 * HOUR + 40 * MINUTE
    desk.add("ann", at, tags=parse_tags("#remind 2h"))

    desk.wait_until(at)

    assert desk.told() == [("first", "ann", at - 2 * HOUR)]


@pytest.mark.spec("AR-05")
def test_missed_ticks_are_made_up_with_one_message(desk: RemindersDesk) -> None:
    desk.given().add("ann")

    desk.sleep_until(THURSDAY + 5 * HOUR)
    desk.wait_until(FRIDAY)

    assert desk.told() == [("second", "ann", THURSDAY + 5 * HOUR)]
    rows = {each.window: each.state.value for each in desk.reads.reminders_of(id_of("ann"))}
    assert rows[Window.FIRST] == "skipped"


@pytest.mark.spec("AR-05")
def test_a_reminder_that_makes_no_sense_any_more_is_not_sent(desk: RemindersDesk) -> None:
    desk.given().add("ann")

    desk.sleep_until(FRIDAY - 20 * MINUTE)
    desk.wait_until(FRIDAY)

    assert desk.told() == []
    assert desk.kinds("ann") == ["added", "skipped"]


@pytest.mark.spec("AR-05")
def test_ticks_that_cross_send_nothing_twice(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)

    for _ in range(3):
        desk.run(RunTick(desk.clock.now()))
        desk.settle()

    assert desk.told() == [("first", "ann", TUESDAY)]


@pytest.mark.spec("AR-06")
def test_a_reminder_in_quiet_hours_waits_for_their_end(desk: RemindersDesk) -> None:
    """Three days before seven in the morning is quiet. The first minute after it is allowed."""
    desk.given(quiet=QuietHours(time(21), time(8, 30)))
    seven = FRIDAY - 3 * HOUR
    desk.add("ann", seven)

    desk.wait_until(seven - 2 * DAY)

    assert desk.told() == [("first", "ann", seven - 3 * DAY + 90 * MINUTE)]


@pytest.mark.spec("AR-06")
def test_a_reminder_goes_out_before_quiet_hours_that_would_leave_under_twelve_hours(
    desk: RemindersDesk,
) -> None:
    """Three hours before the appointment is in the night, so the reminder goes out the evening
    before."""
    desk.given(usual=Schedule(reminders=(LeadTime(minutes=180),)))
    seven = FRIDAY - 3 * HOUR
    desk.add("ann", seven)

    desk.wait_until(seven)

    [(kind, who, at)] = desk.told()
    assert (kind, who) == ("first", "ann")
    assert at == FRIDAY - DAY + 10 * HOUR + 59 * MINUTE


@pytest.mark.spec("AR-06")
def test_a_holiday_puts_a_reminder_off(open_desk: Opened) -> None:
    holidays = days("2026-11-17")
    desk = open_desk(loader=Loader(holidays=lambda _country, _region: holidays))
    desk.given().add("ann")

    desk.wait_until(THURSDAY - HOUR)

    assert desk.told() == [("first", "ann", TUESDAY + DAY - 2 * HOUR)]


@pytest.mark.spec("AR-06")
def test_a_day_of_the_business_is_a_holiday(desk: RemindersDesk) -> None:
    desk.given(own_days=(date(2026, 11, 17),)).add("ann")

    desk.wait_until(THURSDAY - HOUR)

    assert desk.told() == [("first", "ann", TUESDAY + DAY - 2 * HOUR)]


@pytest.mark.spec("AR-19")
def test_several_visits_on_a_day_are_one_message(desk: RemindersDesk) -> None:
    desk.given()
    for ref, hours in (("cut", 0), ("colour", 2), ("nails", 5)):
        desk.add("ann", FRIDAY + hours * HOUR, ref=ref)

    desk.wait_until(FRIDAY - HOUR)

    assert desk.told() == [("first", "cut", TUESDAY), ("second", "cut", THURSDAY)]
    assert desk.kinds("nails")[:3] == ["added", "reminded_together", "reminded_together"]
    [first, _] = desk.sends()
    assert set(str(first.params["together"]).split()) == {id_of("colour"), id_of("nails")}


@pytest.mark.spec("AR-19")
def test_visits_on_two_days_keep_the_least_gap(desk: RemindersDesk) -> None:
    """Both windows are due within an hour, so the second message waits for four hours."""
    desk.given()
    desk.add("ann", FRIDAY, ref="friday")
    desk.add("ann", FRIDAY + DAY * 2 + HOUR, ref="sunday")

    desk.wait_until(THURSDAY + 12 * HOUR)

    assert desk.told() == [
        ("first", "friday", TUESDAY),
        ("second", "friday", THURSDAY),
        ("first", "sunday", THURSDAY + 4 * HOUR),
    ]


@pytest.mark.spec("AR-05", "AR-19")
def test_the_only_message_about_a_visit_does_not_wait_for_the_least_gap(
    desk: RemindersDesk,
) -> None:
    """The reminder of Saturday comes an hour before that of Friday; four hours later would be too
    late."""
    shortly = ServiceSchedule("wash", Schedule(reminders=(LeadTime(minutes=180),)))
    desk.given(usual=Schedule(reminders=(LeadTime(days=1),)), services=(shortly,))
    desk.add("ann", FRIDAY + 3 * HOUR, ref="friday", service="wash")
    desk.add("ann", FRIDAY + DAY - HOUR, ref="saturday")

    desk.wait_until(FRIDAY + 3 * HOUR)

    assert desk.told() == [
        ("first", "saturday", FRIDAY - HOUR),
        ("first", "friday", FRIDAY),
    ]


@pytest.mark.spec("AR-19")
def test_a_window_that_had_passed_at_the_booking_is_not_told(desk: RemindersDesk) -> None:
    desk.given()
    desk.wait_until(TUESDAY + HOUR)
    desk.add("ann")

    desk.wait_until(FRIDAY)

    assert desk.told() == [("second", "ann", THURSDAY)]


@pytest.mark.spec("AR-19")
def test_a_reminder_keeps_its_gap_after_the_booking(desk: RemindersDesk) -> None:
    desk.given(quiet=QuietHours(time(0), time(0)))
    desk.wait_until(THURSDAY - 3 * HOUR)
    desk.add("ann")

    desk.wait_until(FRIDAY)

    assert desk.told() == [("second", "ann", THURSDAY + 9 * HOUR)]


@pytest.mark.spec("AR-16")
def test_a_skipped_appointment_is_left_alone(desk: RemindersDesk) -> None:
    desk.given().add("ann", tags=parse_tags("VIP #skip"))

    desk.wait_until(FRIDAY)

    assert desk.told() == []
    assert desk.kinds("ann") == ["added"]


@pytest.mark.spec("AR-15")
def test_a_person_who_missed_a_visit_gets_a_third_reminder(desk: RemindersDesk) -> None:
    desk.given()
    desk.add("ann", MONDAY + 2 * HOUR, ref="missed")
    desk.wait(hours=3).do(MarkNoShow(id_of("missed")))
    desk.add("ann", FRIDAY + 4 * HOUR)

    desk.wait_until(FRIDAY + 4 * HOUR)

    assert [kind for kind, _, _ in desk.told()] == ["first", "second", "third"]
    assert desk.told()[-1] == ("third", "ann", FRIDAY + HOUR)


@pytest.mark.spec("AR-13")
def test_staff_hear_of_a_gap_in_their_hours_the_evening_before(desk: RemindersDesk) -> None:
    nine = FRIDAY - HOUR
    desk.given().add("ann", nine)

    desk.wait_until(nine)

    [alert] = [each for each in desk.facts("ann") if each.fact.kind == "ar.gap_alert"]
    assert alert.at == nine - DAY + 8 * HOUR


@pytest.mark.spec("AR-17")
def test_the_tick_leaves_a_heartbeat_and_its_silence_is_an_alarm(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)
    [ar] = desk.engine.desks.values()
    reads = desk.engine.reads()

    state = reads.engine.setting(TICK_STATE)
    assert state == TickState(TUESDAY, TUESDAY, looked=1, found=1)
    assert list(ar.alarms(reads, TUESDAY + HOUR)) == []
    assert list(ar.alarms(reads, TUESDAY + 2 * HOUR)) == [
        "Reminders were last looked at on Tuesday 17 November, 10:00 (UTC), and not since."
    ]


@pytest.mark.spec("AR-04")
def test_a_tick_with_nothing_to_do_writes_its_heartbeat_alone(desk: RemindersDesk) -> None:
    desk.given()
    for number in range(30):
        desk.add(f"g{number}", FRIDAY + 10 * DAY)
    before = [each.version for each in desk.reads.appointments()]

    outcome = desk.run(RunTick(desk.clock.now()))

    assert outcome == Committed(())
    assert [each.version for each in desk.reads.appointments()] == before
    assert desk.timers() == {}


def test_a_switched_off_desk_does_not_tick(open_desk: Opened) -> None:
    desk = open_desk(loader=Loader(is_on=False))

    assert desk.refused(RunTick(MONDAY)) == "switched_off"


@pytest.mark.spec("AR-16")
def test_a_tag_may_ask_for_a_reminder_long_before_the_others(desk: RemindersDesk) -> None:
    """Ticks do not look this far ahead."""
    desk.given()
    starts_at = MONDAY + 22 * DAY
    desk.add("ann", starts_at, tags=parse_tags("#remind 21d"))

    desk.wait_until(MONDAY + DAY + HOUR)

    assert desk.told() == [("first", "ann", MONDAY + DAY)]


@pytest.mark.spec("AR-06")
def test_days_without_messages_move_a_reminder_far_forward(desk: RemindersDesk) -> None:
    """A business that is closed for two weeks reminds people of its first open day before it
    closes."""
    closed = tuple(MONDAY.date() + at * DAY for at in range(2, 16))
    desk.given(own_days=closed)
    desk.add("ann", MONDAY + 16 * DAY)

    desk.wait_until(MONDAY + 2 * DAY)

    assert [at.date() for _, _, at in desk.told()] == [closed[0] - DAY]


@pytest.mark.spec("AR-05")
def test_a_late_tick_finds_what_came_within_reach_meanwhile(desk: RemindersDesk) -> None:
    desk.given()
    starts_at = MONDAY + 9 * DAY
    desk.add("ann", starts_at)

    desk.sleep_until(starts_at - 3 * DAY + 20 * MINUTE)

    assert desk.told() == [("first", "ann", starts_at - 3 * DAY + 20 * MINUTE)]


def test_a_page_is_continued_where_the_last_one_ended(desk: RemindersDesk) -> None:
    """A commit sets thirty timers at most."""
    desk.given()
    for number in range(65):
        desk.add(f"g{number:02}", FRIDAY, source=AppointmentSource.SHEET)

    desk.wait_until(TUESDAY)

    assert len(desk.told()) == 65
    state = desk.engine.reads().engine.setting(TICK_STATE)
    assert (state.looked, state.found, state.cursor) == (65, 65, "")
