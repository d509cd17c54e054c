"""Answers by text: digits and words, several visits, other text, and words to opt out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from frontdesk.core.mail import FOR_A_PERSON, MailId
from frontdesk.desks.reminders.commands import EndAppointment, MoveAppointment, NoteOptOut
from frontdesk.desks.reminders.decide.written_replies import ANSWERED
from frontdesk.desks.reminders.model import AppointmentState, Means, ReplyAction
from frontdesk.desks.reminders.rules import Schedule
from frontdesk.engine.ports import Committed
from tests.support.flaky_channel import FlakyChannel
from tests.support.reminders import DAY, FRIDAY, HOUR, RemindersDesk, id_of

ANN, BOB = "+6591234567", "+6598765432"
TUESDAY, THURSDAY = FRIDAY - 3 * DAY, FRIDAY - DAY
STATE = AppointmentState
Opened = Callable[..., RemindersDesk]


@pytest.fixture
def desk(open_desk: Opened) -> RemindersDesk:
    """Sends texts. It is Tuesday, and the first reminder of Friday has gone out."""
    return open_desk(texts=FlakyChannel()).given()


def reminded(desk: RemindersDesk) -> RemindersDesk:
    desk.add("ann", mobile=ANN)
    return desk.wait_until(TUESDAY + HOUR)


def replies(desk: RemindersDesk, ref: str) -> list[tuple[ReplyAction, Means, str, str]]:
    found = desk.reads.replies_of(id_of(ref))
    return [(each.action, each.means, each.before.value, each.after.value) for each in found]


@pytest.mark.spec("AR-12")
def test_one_confirms_and_the_reply_is_recorded_with_before_and_after(desk: RemindersDesk) -> None:
    reminded(desk)

    assert desk.text("1", ANN) == ANSWERED

    assert desk.of("ann").state is STATE.CONFIRMED
    assert replies(desk, "ann") == [
        (ReplyAction.CONFIRM, Means.TEXT, "expected", "confirmed"),
    ]
    desk.wait_until(FRIDAY)
    assert [kind for kind, _, _ in desk.told()] == ["first"]


@pytest.mark.spec("AR-12")
def test_an_answer_counts_however_many_strangers_have_given_the_number(desk: RemindersDesk) -> None:
    for number in range(40):
        stranger = f"stranger-{number}"
        desk.add(stranger, email=f"{stranger}@example.org", mobile=ANN)
        desk.do(EndAppointment(id_of(stranger)))
    reminded(desk)

    assert desk.text("1", ANN) == ANSWERED

    assert desk.of("ann").state is STATE.CONFIRMED


@pytest.mark.spec("AR-12", "AR-21")
def test_three_cancels_also_after_a_confirmation(desk: RemindersDesk) -> None:
    reminded(desk)
    desk.text("1", ANN, 1)
    desk.wait(minutes=1)

    assert desk.text("3", ANN, 2) == ANSWERED

    assert desk.of("ann").state is STATE.CANCELLED
    assert replies(desk, "ann")[-1] == (ReplyAction.CANCEL, Means.TEXT, "confirmed", "cancelled")


@pytest.mark.spec("AR-12")
def test_two_asks_for_another_time_and_sends_the_page_for_it(desk: RemindersDesk) -> None:
    reminded(desk)

    assert desk.text("2", ANN) == ANSWERED

    assert (desk.of("ann").state, desk.of("ann").starts_at) == (STATE.EXPECTED, FRIDAY)
    assert desk.kinds("ann")[-1] == "move_asked"
    assert [kind for kind, _, _ in desk.told()] == ["first", "choose_time"]


@pytest.mark.spec("AR-12")
def test_the_same_text_again_changes_nothing(desk: RemindersDesk) -> None:
    reminded(desk)
    desk.text("1", ANN)
    before = desk.facts("ann")

    desk.text("1", ANN)

    assert desk.facts("ann") == before


@pytest.mark.spec("AR-12")
def test_another_yes_is_noted_and_needs_nobody(desk: RemindersDesk) -> None:
    reminded(desk)
    desk.text("1", ANN, 1)
    desk.wait(minutes=1)

    assert desk.text("yes", ANN, 2) == ANSWERED
    assert replies(desk, "ann")[-1] == (ReplyAction.CONFIRM, Means.TEXT, "confirmed", "confirmed")


@pytest.mark.spec("AR-12")
@pytest.mark.parametrize("words", ["Can I come ten minutes late?", "no", "HELP", "\ud800\x00"])
def test_other_words_change_nothing_and_go_to_staff(desk: RemindersDesk, words: str) -> None:
    reminded(desk)
    before = desk.of("ann")

    assert desk.text(words, ANN) == FOR_A_PERSON

    assert desk.of("ann") == before
    assert desk.kinds("ann")[-1] == "words_received"
    assert replies(desk, "ann") == [(ReplyAction.OTHER, Means.TEXT, "expected", "expected")]


@pytest.mark.spec("AR-12")
def test_an_answer_that_could_mean_several_visits_changes_nothing_and_asks_which(
    desk: RemindersDesk,
) -> None:
    desk.add("ann", mobile=ANN)
    desk.add("ann", FRIDAY + 5 * HOUR, ref="nails", mobile=ANN)
    desk.wait_until(TUESDAY + HOUR)

    assert desk.text("3", ANN, 1) == ANSWERED

    assert {desk.of("ann").state, desk.of("nails").state} == {STATE.EXPECTED}
    assert [kind for kind, _, _ in desk.told()] == ["first", "which_visit"]
    assert desk.text("3", ANN, 2) == FOR_A_PERSON
    assert desk.text("3 15:00", ANN, 3) == ANSWERED
    assert (desk.of("ann").state, desk.of("nails").state) == (STATE.EXPECTED, STATE.CANCELLED)
    assert desk.text("1", ANN, 4) == ANSWERED
    assert desk.of("ann").state is STATE.CONFIRMED


@pytest.mark.spec("AR-12")
def test_a_family_with_one_number_is_asked_which_visit_they_mean(desk: RemindersDesk) -> None:
    desk.add("ann", mobile=ANN)
    desk.add("bob", FRIDAY + HOUR, mobile=ANN)
    desk.wait_until(TUESDAY + 2 * HOUR)

    desk.text("3", ANN, 1)
    assert {desk.of("ann").state, desk.of("bob").state} == {STATE.EXPECTED}

    desk.text("11:00 3", ANN, 2)
    assert (desk.of("ann").state, desk.of("bob").state) == (STATE.EXPECTED, STATE.CANCELLED)


@pytest.mark.spec("AR-12")
def test_a_text_of_somebody_without_a_reminder_is_not_for_this_desk(desk: RemindersDesk) -> None:
    reminded(desk)
    desk.add("bob", FRIDAY + 7 * DAY, mobile=BOB)

    assert desk.text("3", BOB) == FOR_A_PERSON
    assert desk.text("3", "+6590000000", 2) == FOR_A_PERSON

    assert (desk.of("ann").state, desk.of("bob").state) == (STATE.EXPECTED, STATE.EXPECTED)
    assert desk.kinds("bob") == ["added"]


@pytest.mark.spec("AR-12")
def test_a_text_answers_no_reminder_that_went_by_mail(open_desk: Opened) -> None:
    desk = open_desk().given()
    reminded(desk)

    assert desk.text("3", ANN) == FOR_A_PERSON
    assert desk.of("ann").state is STATE.EXPECTED


@pytest.mark.spec("AR-12", "AR-21")
def test_after_the_cut_off_the_customer_is_asked_to_call_and_staff_know(
    desk: RemindersDesk,
) -> None:
    desk.given(usual=Schedule(cut_off=2 * DAY))
    reminded(desk)
    desk.wait_until(THURSDAY)

    assert desk.text("3", ANN, 1) == FOR_A_PERSON
    assert desk.text("3", ANN, 2) == FOR_A_PERSON

    assert desk.of("ann").state is STATE.EXPECTED
    assert [kind for kind, _, _ in desk.told()] == ["first", "second", "too_late"]
    assert replies(desk, "ann")[0] == (ReplyAction.CANCEL, Means.TEXT, "expected", "expected")


@pytest.mark.spec("AR-18")
def test_an_answer_to_a_reminder_of_an_earlier_time_is_not_taken(desk: RemindersDesk) -> None:
    reminded(desk)
    desk.do(MoveAppointment(id_of("ann"), FRIDAY + 7 * DAY))

    assert desk.text("3", ANN) == FOR_A_PERSON
    assert desk.of("ann").state is STATE.EXPECTED


@pytest.mark.spec("AR-12")
def test_an_opt_out_word_cancels_nothing_and_is_recorded(desk: RemindersDesk) -> None:
    reminded(desk)
    before = desk.of("ann")

    outcome = desk.run(NoteOptOut(MailId("m1"), (id_of("ann"),)))

    assert isinstance(outcome, Committed)
    assert desk.of("ann") == before
    assert desk.kinds("ann")[-1] == "opted_out"
    assert replies(desk, "ann") == [(ReplyAction.STOP, Means.TEXT, "expected", "expected")]


def test_an_opt_out_of_somebody_without_a_visit_is_nothing_to_this_desk(
    desk: RemindersDesk,
) -> None:
    reminded(desk).wait_until(FRIDAY)

    assert desk.refused(NoteOptOut(MailId("m1"), (id_of("ann"),))) == "ended"
