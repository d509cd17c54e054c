"""Moves, cancellations, approval, calendars and reminders of bookings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.desks.booking.commands import (
    ApproveBooking,
    CancelBooking,
    ConfirmBooking,
    DeclineBooking,
    EditBooking,
    MarkNoShow,
    MoveBooking,
    NoteCalendarWrite,
    ReleaseBooking,
    ReportCalendarTrouble,
)
from frontdesk.desks.booking.load import BusyResources
from frontdesk.desks.booking.model import BookingStatus, CalendarLink
from frontdesk.desks.booking.rules import Approval, CalendarRef, Question, QuestionKind
from frontdesk.values import replace
from tests.support.booking import (
    ANA,
    DAY,
    HOUR,
    MINUTE,
    MIRA,
    SEVEN,
    TEN,
    BookingDesk,
    hex_id,
    resource,
    rules,
    service,
)

ANN = hex_id("ann")
WITH_CALENDAR = rules(
    resources=[resource(MIRA, calendars=(CalendarRef("mira@salon", write=True),))]
)
LINK = CalendarLink("mira@salon", "event-1", written_sequence=0)


@pytest.mark.spec("BK-15")
def test_a_move_exchanges_old_and_new_ticks_in_one_commit(desk: BookingDesk) -> None:
    desk.given().book("ann")

    desk.do(MoveBooking(ANN, TEN + 15 * MINUTE))

    moved = desk.of("ann")
    assert (moved.starts_at, moved.sequence, moved.moves) == (TEN + 15 * MINUTE, 1, 1)
    assert desk.kinds(ANN) == ["bk.booked", "bk.confirmed", "bk.moved"]
    desk.book("bob", TEN - 45 * MINUTE)
    assert desk.refused(MoveBooking(ANN, TEN, by_staff=True)) == "taken"
    assert desk.of("ann") == moved


@pytest.mark.spec("BK-15")
def test_a_move_prefers_the_same_staff_member_and_takes_another_for_anyone(
    desk: BookingDesk,
) -> None:
    desk.given(rules([service("cut", [MIRA, ANA])], [resource(MIRA), resource(ANA)]))
    desk.book("ann", resource=ANA)
    desk.book("bob")
    desk.book("cat", TEN + HOUR, resource=MIRA)

    assert desk.refused(MoveBooking(ANN, TEN, resource=MIRA)) == "taken"
    desk.do(MoveBooking(hex_id("bob"), TEN + HOUR))

    bob = desk.of("bob")
    assert (bob.resources, bob.anyone) == ((ANA,), True)
    assert desk.refused(MoveBooking(ANN, TEN + HOUR)) == "taken"


@pytest.mark.spec("BK-32")
def test_customers_change_in_time_and_not_too_often_and_staff_always(desk: BookingDesk) -> None:
    desk.given(rules([service(most_moves=1, change_notice=2 * HOUR)])).book("ann")
    desk.do(MoveBooking(ANN, TEN + HOUR))

    assert desk.refused(MoveBooking(ANN, TEN + 2 * HOUR)) == "too_many_moves"
    desk.do(MoveBooking(ANN, TEN + 3 * HOUR, by_staff=True))
    desk.wait(hours=29)
    assert desk.refused(CancelBooking(ANN)) == "too_late"
    assert desk.of("ann").moves == 1
    desk.do(CancelBooking(ANN, by_staff=True))
    assert desk.refused(CancelBooking(ANN, by_staff=True)) == "ended"


@pytest.mark.spec("BK-16")
def test_a_cancelled_time_is_free_at_once_and_facts_say_who_cancelled(desk: BookingDesk) -> None:
    desk.given().book("ann")
    desk.do(CancelBooking(ANN))
    desk.book("bob")
    desk.do(CancelBooking(hex_id("bob"), by_staff=True))
    desk.book("cat")
    desk.wait(hours=28)
    desk.do(MarkNoShow(hex_id("cat")))

    assert [desk.kinds(hex_id(who))[-1] for who in ("ann", "bob", "cat")] == [
        "bk.cancelled",
        "bk.cancelled_by_staff",
        "bk.no_show",
    ]
    assert desk.of("cat").status is BookingStatus.NO_SHOW
    assert desk.timers() == {}


def test_a_move_of_a_row_that_somebody_changed_meanwhile_is_refused(desk: BookingDesk) -> None:
    desk.given().book("ann")
    desk.do(EditBooking(ANN, "Ann", "ann@example.org", "", "likes tea"))

    assert desk.refused(MoveBooking(ANN, TEN + HOUR, seen_version=1)) == "changed_meanwhile"
    desk.do(MoveBooking(ANN, TEN + HOUR, seen_version=2))
    assert desk.of("ann").note == "likes tea"


@pytest.mark.spec("BK-33")
def test_a_pending_booking_holds_its_time_until_staff_decide(desk: BookingDesk) -> None:
    asked = service(approval=Approval.ALWAYS, approve_within=5 * HOUR)
    desk.given(rules([asked])).book("ann")

    assert desk.of("ann").status is BookingStatus.PENDING
    assert desk.refused(desk.command("bob")) == "taken"
    desk.do(ApproveBooking(ANN))
    assert desk.of("ann").status is BookingStatus.CONFIRMED
    assert desk.refused(DeclineBooking(ANN)) == "not_pending"
    desk.book("bob", TEN + HOUR)
    desk.do(DeclineBooking(hex_id("bob")))
    desk.book("cat", TEN + HOUR)


@pytest.mark.spec("BK-33")
def test_a_pending_booking_lapses_if_nobody_decides(desk: BookingDesk) -> None:
    first = service(approval=Approval.FIRST_VISIT, approve_within=5 * HOUR)
    desk.given(rules([first])).book("ann")
    assert desk.timers() == {f"bk/decide/{ANN}": SEVEN + 5 * HOUR}

    desk.wait(hours=5)

    assert desk.of("ann").status is BookingStatus.LAPSED
    assert desk.refused(ApproveBooking(ANN)) == "not_pending"
    desk.book("bob")


@pytest.mark.spec("BK-33")
def test_only_the_first_visit_waits_where_the_rules_say_so(desk: BookingDesk) -> None:
    desk.given(rules([service(approval=Approval.FIRST_VISIT)])).book("ann")
    desk.do(ApproveBooking(ANN))

    again = desk.book("ann", TEN + DAY, booking_id=hex_id("ann again"))

    assert again.status is BookingStatus.CONFIRMED


@pytest.mark.spec("BK-14")
def test_reminders_are_timers_that_move_and_end_with_the_booking(desk: BookingDesk) -> None:
    desk.given().book("ann", TEN + 2 * DAY)
    timers = [f"bk/remind/{ANN}/{seconds}" for seconds in (3600, 86400)]
    assert desk.timers() == dict(zip(timers, (TEN + 2 * DAY - HOUR, TEN + DAY), strict=True))

    desk.do(MoveBooking(ANN, TEN + 23 * HOUR))
    assert desk.timers() == {timers[0]: TEN + 22 * HOUR, timers[1]: TEN - HOUR}
    desk.wait(hours=30)
    reminded = [each.fact for each in desk.facts(ANN) if each.fact.kind == "bk.reminder_due"]
    assert [each.seconds_before for each in reminded] == [86400]  # type: ignore[attr-defined]
    desk.do(CancelBooking(ANN, by_staff=True))
    assert desk.timers() == {}


@pytest.mark.spec("BK-14")
def test_reminders_that_are_past_or_pointless_are_left_out(desk: BookingDesk) -> None:
    """Quiet hours end at eight, when the appointment of Ann begins."""
    desk.given(rules(reminders=(90 * MINUTE, HOUR)))

    assert desk.book("ann", SEVEN + HOUR).reminders == ()
    assert desk.book("bob", SEVEN + 150 * MINUTE).reminders == (5400, 3600)
    assert desk.timers()[f"bk/remind/{hex_id('bob')}/5400"] == SEVEN + HOUR


def test_questions_must_be_answered(desk: BookingDesk) -> None:
    length = Question("length", "How long?", QuestionKind.CHOICE, ("short", "long"), required=True)
    desk.given(rules([service(questions=(length,))]))

    assert desk.refused(desk.command("ann")) == "bad_answers"
    assert desk.refused(desk.command("ann", answers={"length": "none"})) == "bad_answers"
    assert desk.book("ann", answers={"length": "short"}).answers == {"length": "short"}


# --- calendars ------------------------------------------------------------------------------

Opened = Callable[..., BookingDesk]


def job_of(version: int) -> JobId:
    return JobId(f"bk-calendar-{ANN}-{version}")


@pytest.fixture
def claimed(open_desk: Opened) -> BookingDesk:
    """Books a time whose calendar has not answered yet."""
    desk = open_desk()
    desk.given(WITH_CALENDAR).book("ann")
    assert desk.of("ann").status is BookingStatus.CLAIMED
    return desk


@pytest.mark.spec("BK-12")
def test_a_booking_with_a_calendar_is_confirmed_after_the_write(claimed: BookingDesk) -> None:
    claimed.run(ConfirmBooking(ANN, job_of(1), (LINK,)))

    booking = claimed.of("ann")
    assert (booking.status, booking.calendars) == (BookingStatus.CONFIRMED, (LINK,))
    assert claimed.kinds(ANN) == ["bk.booked", "bk.confirmed"]
    assert claimed.refused(ConfirmBooking(ANN, job_of(1), (LINK,))) == "done"


@pytest.mark.spec("BK-12")
def test_a_calendar_that_is_busy_after_all_releases_the_claim(claimed: BookingDesk) -> None:
    claimed.run(ReleaseBooking(ANN, job_of(1), why="busy"))

    assert claimed.of("ann").status is BookingStatus.RELEASED
    assert claimed.reads.every_cell() == []


@pytest.mark.spec("BK-12")
def test_a_calendar_that_is_down_leaves_the_booking_confirmed_and_is_tried_again(
    claimed: BookingDesk,
) -> None:
    claimed.run(ReportCalendarTrouble(ANN, job_of(1), "mira@salon", "no answer"))

    assert claimed.of("ann").status is BookingStatus.CONFIRMED
    assert claimed.kinds(ANN) == ["bk.booked", "bk.confirmed", "bk.calendar_troubled"]
    assert claimed.timers()[f"bk/calendar/{ANN}"] == SEVEN + 5 * MINUTE
    claimed.wait(minutes=5)
    assert claimed.kinds(ANN)[3:5] == ["bk.calendar_retried", "bk.calendar_written"]
    assert f"bk/calendar/{ANN}" not in claimed.timers()


@pytest.mark.spec("BK-12")
def test_an_event_that_was_written_while_the_booking_ended_is_removed_again(
    claimed: BookingDesk,
) -> None:
    claimed.run(CancelBooking(ANN))
    claimed.run(ConfirmBooking(ANN, job_of(1), (LINK,)))

    assert claimed.of("ann").status is BookingStatus.CANCELLED
    assert claimed.of("ann").calendars == (LINK,)
    jobs = [job.id for job in claimed.store.open_jobs(10)]
    assert jobs == [job_of(2), job_of(3)]
    gone = replace(LINK, written_sequence=1)
    claimed.run(NoteCalendarWrite(ANN, job_of(2), (gone,)))
    claimed.run(NoteCalendarWrite(ANN, job_of(3), (gone,)))
    assert claimed.store.open_jobs(10) == []


@pytest.mark.spec("BK-12")
def test_a_busy_or_unreadable_calendar_offers_nothing_and_staff_may_override(
    open_desk: Opened,
) -> None:
    busy = BusyResources({MIRA: [(TEN + 30 * MINUTE, TEN + HOUR)]}, {ANA: "read too long ago"})
    desk = open_desk(busy=lambda *_asked: busy)
    desk.given(rules([service("cut", [MIRA, ANA])], [resource(MIRA), resource(ANA)]))

    assert desk.refused(desk.command("ann")) == "busy"
    assert desk.refused(desk.command("ann", resource=ANA)) == "busy"
    desk.book("ann", TEN - 30 * MINUTE, resource=MIRA)
