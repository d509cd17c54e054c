"""Answers: each message is answered once with each action, and a repeat changes nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from frontdesk.desks.reminders.commands import (
    EndAppointment,
    MarkCame,
    MarkNoShow,
    Move,
    MoveAppointment,
    ReleaseAppointment,
)
from frontdesk.desks.reminders.model import (
    AppointmentState,
    Means,
    Reply,
    ReplyAction,
    Window,
)
from frontdesk.desks.reminders.rules import LeadTime, Schedule
from frontdesk.engine.ports import Committed
from tests.support.reminders import DAY, FRIDAY, HOUR, RemindersDesk, id_of

TUESDAY, THURSDAY = FRIDAY - 3 * DAY, FRIDAY - DAY
STATE = AppointmentState


@pytest.mark.spec("AR-08", "AR-12")
def test_a_confirmation_is_recorded_with_before_and_after(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY + HOUR)

    desk.do(desk.confirm("ann"))

    assert desk.of("ann").state is STATE.CONFIRMED
    link, confirm = Means.LINK, ReplyAction.CONFIRM
    at = TUESDAY + HOUR
    assert list(desk.reads.replies_of(id_of("ann"))) == [
        Reply(id_of("ann"), "1.first", confirm, 1, at, link, STATE.EXPECTED, STATE.CONFIRMED)
    ]


@pytest.mark.spec("AR-08")
def test_a_repeated_answer_changes_nothing(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)
    desk.do(desk.confirm("ann"))
    before = desk.of("ann")

    assert desk.refused(desk.confirm("ann")) == "spent"
    assert desk.refused(desk.confirm("ann", Window.SECOND)) == "already_confirmed"
    assert desk.of("ann") == before


@pytest.mark.spec("AR-08", "AR-21")
def test_confirming_does_not_spend_the_link_to_cancel(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)
    desk.do(desk.confirm("ann"))

    desk.do(desk.cancel("ann"))

    assert desk.of("ann").state is STATE.CANCELLED
    assert desk.refused(desk.confirm("ann", Window.SECOND)) == "ended"
    assert desk.refused(desk.cancel("ann")) == "ended"


@pytest.mark.spec("AR-21")
def test_customers_cancel_and_ask_until_the_cut_off(desk: RemindersDesk) -> None:
    desk.given(usual=Schedule(cut_off=timedelta(hours=24)))
    desk.add("ann")
    desk.add("bob")
    desk.wait_until(THURSDAY)
    desk.do(desk.cancel("bob"))
    desk.wait(minutes=1)

    assert desk.refused(desk.cancel("ann")) == "too_late"
    assert desk.refused(desk.ask_to_move("ann")) == "too_late"
    desk.do(desk.confirm("ann"))
    desk.do(desk.cancel("ann", means=Means.STAFF))


@pytest.mark.spec("AR-08")
def test_an_answer_after_the_start_changes_nothing(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(FRIDAY)

    assert desk.refused(desk.confirm("ann")) == "too_late"
    assert desk.refused(desk.cancel("ann")) == "too_late"


@pytest.mark.spec("AR-09", "AR-12")
def test_wishes_for_another_time_are_kept_for_staff(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)

    desk.do(desk.ask_to_move("ann", wishes=" Any Monday? "))

    [reply] = desk.reads.replies_of(id_of("ann"))
    assert (reply.wishes, desk.of("ann").state) == ("Any Monday?", STATE.EXPECTED)
    assert desk.refused(desk.ask_to_move("ann", wishes="Or Tuesday")) == "spent"


@pytest.mark.spec("AR-09", "AR-21")
def test_a_wish_after_a_confirmation_waits_for_staff(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)

    desk.do(desk.confirm("ann")).do(desk.ask_to_move("ann"))

    assert desk.of("ann").state is STATE.EXPECTED
    assert [(each.before, each.after) for each in desk.reads.replies_of(id_of("ann"))] == [
        (STATE.EXPECTED, STATE.CONFIRMED),
        (STATE.CONFIRMED, STATE.EXPECTED),
    ]
    desk.wait_until(FRIDAY)
    assert [kind for kind, _, _ in desk.told()] == ["first"]


@pytest.mark.spec("AR-10", "AR-18")
def test_a_move_archives_the_chain_and_starts_a_new_one(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(THURSDAY)
    later = FRIDAY + 7 * DAY

    desk.do(desk.record("ann", later))
    desk.wait_until(later)

    assert desk.of("ann").chain == 2
    assert [kind for kind, _, _ in desk.told()] == ["first", "second", "first", "second"]
    archived = desk.reads.archived_reminders(id_of("ann"))
    assert [(each.chain, each.window) for each in archived] == [
        (1, Window.FIRST),
        (1, Window.SECOND),
    ]
    assert {each.chain for each in desk.reads.reminders_of(id_of("ann"))} == {2}


@pytest.mark.spec("AR-18")
def test_an_answer_to_an_old_time_changes_nothing(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)
    desk.do(MoveAppointment(id_of("ann"), FRIDAY + DAY))

    assert desk.refused(desk.cancel("ann", chain=1)) == "moved"
    assert desk.refused(desk.confirm("ann", chain=1)) == "moved"


@pytest.mark.spec("AR-10")
def test_a_customer_moves_to_a_time_that_they_chose(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)
    command = Move(id_of("ann"), 1, "1.first", Means.LINK, FRIDAY + DAY)

    desk.do(command)

    assert (desk.of("ann").starts_at, desk.of("ann").chain) == (FRIDAY + DAY, 2)
    assert desk.refused(command) == "moved"
    assert [kind for kind, _, _ in desk.told()] == ["first", "moved"]


@pytest.mark.spec("AR-22")
def test_staff_release_an_appointment_that_nobody_confirmed_in_time(desk: RemindersDesk) -> None:
    desk.given(usual=Schedule(confirm_by=LeadTime(days=1)))
    desk.add("ann")
    desk.add("bob")
    release = ReleaseAppointment(id_of("ann"))
    desk.wait_until(THURSDAY - HOUR)
    assert desk.refused(release) == "not_overdue"
    desk.do(desk.confirm("bob"))
    desk.wait_until(THURSDAY)

    desk.do(release)

    assert desk.of("ann").state is STATE.CANCELLED
    assert desk.kinds("ann")[-1] == "released"
    assert desk.refused(ReleaseAppointment(id_of("bob"))) == "not_overdue"


@pytest.mark.spec("AR-15")
def test_a_visit_and_a_no_show_are_noted_from_the_start_on(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.add("bob")
    assert desk.refused(MarkNoShow(id_of("ann"))) == "not_begun"
    desk.wait_until(FRIDAY)

    desk.do(MarkNoShow(id_of("ann"))).do(MarkCame(id_of("bob")))

    assert (desk.of("ann").state, desk.of("bob").state) == (STATE.NO_SHOW, STATE.CAME)
    assert desk.refused(MarkNoShow(id_of("ann"))) == "ended"
    assert desk.reads.no_shows_of(desk.of("ann").person_id) == 1


def test_a_source_that_says_the_same_again_changes_nothing(desk: RemindersDesk) -> None:
    desk.given().add("ann")

    assert desk.refused(desk.record("ann")) == "unchanged"
    desk.do(desk.record("ann", staff="Mia"))
    assert desk.of("ann").staff == "Mia"
    assert desk.of("ann").chain == 1


def test_an_appointment_that_its_source_has_no_longer_is_cancelled_without_a_message(
    desk: RemindersDesk,
) -> None:
    desk.given().add("ann")

    desk.do(EndAppointment(id_of("ann")))
    desk.wait_until(FRIDAY)

    assert desk.told() == []
    assert desk.refused(EndAppointment(id_of("ann"))) == "unchanged"


@pytest.mark.spec("FD-27")
def test_an_appointment_without_contact_service_or_length_is_refused(desk: RemindersDesk) -> None:
    desk.given()

    for wrong in (
        {"email": "", "mobile": ""},
        {"service": "  "},
        {"duration": timedelta()},
        {"duration": timedelta(days=2)},
        {"ref": ""},
    ):
        assert desk.refused(desk.record("ann", **wrong)) == "bad_appointment"
    assert desk.refused(desk.record("ann", FRIDAY - 7 * DAY)) == "too_late"


@pytest.mark.spec("AR-04")
def test_an_answer_while_the_message_is_on_its_way_stops_it(desk: RemindersDesk) -> None:
    """The tick has decided to send, but the mail server is down; the answer belongs to another
    message."""
    desk.given().add("ann")
    desk.clock.move_to(TUESDAY)
    desk.runtime.timers.step(TUESDAY)
    desk.runtime.timers.step(TUESDAY)
    desk.runtime.follow(TUESDAY)
    assert desk.kinds("ann") == ["added", "first_reminder"]

    assert isinstance(desk.run(desk.cancel("ann", means=Means.STAFF)), Committed)
    desk.settle()

    assert desk.told() == []
