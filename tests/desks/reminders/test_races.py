"""Many answers at once about one appointment: one of them counts, and no message follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from frontdesk.core.consents import statement_in_cell
from frontdesk.core.decision import Command, Decision, Refused
from frontdesk.core.messages import IncomingText
from frontdesk.desks.reminders.commands import (
    ArmReminder,
    LookAtAppointment,
    MoveAppointment,
    RunTick,
)
from frontdesk.desks.reminders.model import AppointmentState, ReminderState, Window
from frontdesk.engine.ports import Reads
from frontdesk.intake.sms import TextIn
from tests.support.at_once import all_at_once, run_at_once, run_until_answered
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.reminders import DAY, FRIDAY, RemindersDesk, id_of

pytestmark = pytest.mark.xdist_group("reminder-races")
TUESDAY = FRIDAY - 3 * DAY


def answers_at_once(desk: RemindersDesk, commands: Sequence[Command]) -> Counter[str]:
    outcomes = run_at_once(desk, commands)
    return Counter(str(one.reason) if isinstance(one, Refused) else "yes" for one in outcomes)


@pytest.mark.spec("AR-08")
def test_of_many_presses_on_two_devices_one_confirms(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(TUESDAY)

    answers = answers_at_once(desk, [desk.confirm("ann")] * 12)

    assert answers == {"yes": 1, "spent": 11}
    assert len(desk.reads.replies_of(id_of("ann"))) == 1


@pytest.mark.spec("AR-08", "AR-12")
def test_confirm_and_cancel_at_once_end_cancelled_with_each_reply_recorded(
    desk: RemindersDesk,
) -> None:
    """In either order: a confirmed appointment can still be cancelled, and a cancelled one has
    ended."""
    desk.given().add("ann")
    desk.wait_until(TUESDAY)

    answers = answers_at_once(desk, [desk.confirm("ann"), desk.cancel("ann")] * 6)

    assert desk.of("ann").state is AppointmentState.CANCELLED
    replies = desk.reads.replies_of(id_of("ann"))
    assert answers["yes"] == len(replies)
    assert 1 <= len(replies) <= 2


@pytest.mark.spec("AR-04", "AR-05")
def test_a_tick_and_a_reply_that_cross_send_nothing_after_the_answer(desk: RemindersDesk) -> None:
    desk.given()
    for number in range(6):
        desk.add(f"g{number}")
    desk.clock.move_to(TUESDAY)
    names = [f"g{number}" for number in range(6)]
    looks = [LookAtAppointment(id_of(name), TUESDAY) for name in names]

    answers_at_once(desk, [*looks, *looks, *(desk.confirm(name) for name in names)])
    desk.settle()

    for name in names:
        assert desk.of(name).state is AppointmentState.CONFIRMED
        assert desk.kinds(name).count("first_reminder") <= 1
    assert desk.told() == []


@pytest.mark.spec("AR-05")
def test_ticks_that_overlap_remind_everybody_once(desk: RemindersDesk) -> None:
    desk.given()
    for number in range(5):
        desk.add(f"g{number}")
    desk.clock.move_to(TUESDAY)
    names = [f"g{number}" for number in range(5)]

    answers_at_once(desk, [*[RunTick(TUESDAY)] * 3])
    answers_at_once(desk, [LookAtAppointment(id_of(name), TUESDAY) for name in names] * 3)
    desk.settle()

    assert sorted(desk.told()) == [("first", name, TUESDAY) for name in names]


@pytest.mark.spec("AR-10")
def test_a_move_while_a_message_is_armed_leaves_one_truth(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.clock.move_to(TUESDAY)
    desk.run(LookAtAppointment(id_of("ann"), TUESDAY))
    arm = ArmReminder(id_of("ann"), 1, Window.FIRST)

    answers = answers_at_once(desk, [arm, MoveAppointment(id_of("ann"), FRIDAY + DAY)])

    assert answers["yes"] >= 1
    archived = desk.reads.archived_reminders(id_of("ann"))
    assert [each.state in (ReminderState.DUE, ReminderState.SENT) for each in archived] == [True]
    assert desk.of("ann").chain == 2
    assert desk.refused(arm) == "answered"


@pytest.mark.spec("AR-01", "AR-08", "AR-12")
def test_a_sheet_edit_and_a_reply_that_cross_both_count(desk: RemindersDesk) -> None:
    """The reply decides whether they come, the sheet decides about the visit: neither undoes the
    other."""
    desk.given().add("ann")
    desk.wait_until(TUESDAY)
    edits = [desk.record("ann", service=f"cut {n}", corrects=True) for n in range(3)]

    answers = answers_at_once(desk, [*edits, desk.confirm("ann"), desk.confirm("ann")])

    one = desk.of("ann")
    assert one.state is AppointmentState.CONFIRMED
    assert one.service in {each.service for each in edits}
    assert (one.chain, one.starts_at) == (1, FRIDAY)
    assert answers == {"yes": 4, "spent": 1}
    assert len(desk.reads.replies_of(id_of("ann"))) == 1


@pytest.mark.spec("AR-18", "AR-08")
def test_a_row_that_moves_while_the_customer_answers_is_unanswered_at_its_new_time(
    desk: RemindersDesk,
) -> None:
    """An answer applies to the time that the message named. In either order the appointment is open
    at its new time, unless the customer cancelled first."""
    desk.given()
    for name in ("ann", "bob"):
        desk.add(name)
    desk.wait_until(TUESDAY)
    moves = [desk.record(name, FRIDAY + DAY, corrects=True) for name in ("ann", "bob")]

    answers = answers_at_once(desk, [*moves, desk.confirm("ann"), desk.cancel("bob")])

    ann, bob = desk.of("ann"), desk.of("bob")
    assert (ann.chain, ann.starts_at) == (2, FRIDAY + DAY)
    assert ann.is_unanswered
    is_cancelled = bob.state is AppointmentState.CANCELLED
    assert is_cancelled == (bob.chain == 1)
    assert is_cancelled or bob.is_unanswered
    assert sum(answers[each] for each in ("yes", "ended", "moved")) == 4


@pytest.mark.spec("AR-24")
def test_stop_and_consent_that_cross_end_without_consent(desk: RemindersDesk) -> None:
    """Only START lifts a STOP, in any order."""
    mobile = "+6591234567"
    desk.given().add("ann", mobile=mobile)
    stop = IncomingText(from_mobile=mobile, words="STOP", id="1", at=desk.clock.now())
    states = [
        desk.record("ann", service=f"cut {n}", mobile=mobile, consent=statement_in_cell(f"yes {n}"))
        for n in range(4)
    ]
    stops = partial(TextIn(desk).take, stop)

    all_at_once([*(partial(run_until_answered, desk, each) for each in states), stops])

    record = desk.engine.reads().engine.consent(desk.of("ann").person_id)
    assert record.about(mobile) == record.statements[-1]
    assert not record.allows(mobile)
    assert record.version == len(record.statements)


@pytest.mark.spec("AR-24")
@needs_dynamodb
def test_consent_that_was_decided_before_a_stop_is_decided_again(
    tmp_path: Path, dynamodb: Tables
) -> None:
    """Another process takes the STOP between the read and the write."""
    mobile = "+6591234567"
    desk = RemindersDesk(tmp_path, dynamodb).given()
    desk.add("ann", mobile=mobile, consent=statement_in_cell("yes"))
    now = desk.clock.now()
    stop = IncomingText(from_mobile=mobile, words="STOP", id="1", at=now)
    again = desk.record("ann", service="wash", mobile=mobile, consent=statement_in_cell("yes!"))
    decided = 0

    def ask(reads: Reads) -> Decision:
        nonlocal decided
        decision = desk.engine.ask(again, now)(reads)
        decided += 1
        if decided == 1:
            TextIn(desk).take(stop)
        return decision

    desk.store.decide(ask, by="test", at=now)

    record = desk.engine.reads().engine.consent(desk.of("ann").person_id)
    assert decided == 2
    assert [each.words for each in record.statements] == ["yes", "STOP"]
    assert desk.of("ann").service == "wash"
    desk.close()
