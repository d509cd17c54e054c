"""A network reports later that a text was not delivered: a mail goes out, and the number is
marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.messages import Text
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import SendState, StartSend, Via
from frontdesk.desks.reminders.model import AppointmentState, ReminderState
from frontdesk.intake.sms_failures import NotYetKnown, TextFailure, TextFailures
from tests.support.flaky_channel import FlakyChannel
from tests.support.reminders import DAY, FRIDAY, HOUR, MINUTE, RemindersDesk, an_id, id_of

ANN = "+6591234567"
TUESDAY, THURSDAY = FRIDAY - 3 * DAY, FRIDAY - DAY
UNREACHABLE = "Phone is currently unreachable/unavailable"
Opened = Callable[..., RemindersDesk]


class ReportingPost(FlakyChannel):
    """Accepts texts and gives them its own ids, as SNS does."""

    def send(self, message: Any) -> str:
        super().send(message)
        assert isinstance(message, Text)
        return f"sns-{len(self.delivered)}"


@pytest.fixture
def desk(open_desk: Opened) -> RemindersDesk:
    return open_desk(texts=ReportingPost()).given()


def reports(desk: RemindersDesk, number: int = 1, why: str = UNREACHABLE, to: str = ANN) -> bool:
    taken = TextFailures(desk).take(TextFailure(f"sns-{number}", to, why))
    desk.settle()
    return taken


def ann(desk: RemindersDesk) -> Person:
    person = desk.reads.person(PersonId(an_id("ann")))
    assert person is not None
    return person


def is_reminded_by_text(desk: RemindersDesk, **more: Any) -> None:
    desk.add("ann", mobile=ANN, **more)
    desk.wait_until(TUESDAY)
    assert [send.via for send in desk.sends()] == [Via.TEXT]
    desk.clock.move_to(TUESDAY + 5 * MINUTE)


@pytest.mark.spec("AR-20")
def test_the_reminder_goes_out_again_as_a_mail_and_staff_are_told(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk)

    assert reports(desk)

    text, mail = sorted(desk.sends(), key=lambda send: send.via, reverse=True)
    assert (text.via, text.state) == (Via.TEXT, SendState.SENT)
    assert text.why == f"not delivered: {UNREACHABLE}"
    assert (mail.via, mail.kind) == (Via.MAIL, "first_reminder")
    assert desk.kinds("ann") == ["added", "first_reminder", "text_undelivered"]
    [row] = desk.reads.reminders_of(id_of("ann"))
    assert (row.state, row.at) == (ReminderState.SENT, TUESDAY + 5 * MINUTE)


@pytest.mark.spec("AR-20")
def test_the_number_is_marked_and_the_next_reminder_is_a_mail(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk)
    reports(desk)

    desk.wait_until(FRIDAY)

    assert ann(desk).mobile_fails
    assert sorted(send.via for send in desk.sends()) == [Via.MAIL, Via.MAIL, Via.TEXT]


@pytest.mark.spec("AR-20")
def test_a_failure_of_the_network_says_nothing_about_the_number(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk)

    assert reports(desk, why="Phone carrier is currently unreachable/unavailable")

    assert not ann(desk).mobile_fails
    assert sorted(send.via for send in desk.sends()) == [Via.MAIL, Via.TEXT]


@pytest.mark.spec("AR-20")
def test_a_report_that_comes_twice_sends_one_mail(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk)
    reports(desk)

    assert reports(desk)

    assert desk.kinds("ann").count("text_undelivered") == 1
    assert len(desk.sends()) == 2


@pytest.mark.spec("AR-20")
def test_a_report_about_another_text_to_the_number_changes_nothing(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk)

    assert not reports(desk, number=7)
    assert not reports(desk, to="+6590000000")

    assert desk.kinds("ann") == ["added", "first_reminder"]
    assert not ann(desk).mobile_fails


@pytest.mark.spec("AR-20")
def test_without_an_address_staff_are_told_that_nothing_arrives(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk, email="")

    reports(desk)

    assert desk.kinds("ann") == ["added", "first_reminder", "undelivered"]
    [row] = desk.reads.reminders_of(id_of("ann"))
    assert row.state is ReminderState.FAILED


@pytest.mark.spec("AR-20")
def test_a_customer_who_has_answered_meanwhile_gets_no_mail(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk)
    desk.run(desk.confirm("ann"))

    reports(desk)

    assert [send.via for send in desk.sends()] == [Via.TEXT]
    assert desk.of("ann").state is AppointmentState.CONFIRMED


@pytest.mark.spec("AR-20")
def test_a_report_after_the_visit_has_begun_sends_nothing(desk: RemindersDesk) -> None:
    is_reminded_by_text(desk)
    desk.clock.move_to(FRIDAY + HOUR)

    reports(desk)

    assert all(send.via is Via.TEXT for send in desk.sends())


@pytest.mark.spec("AR-20")
def test_a_report_that_overtakes_our_own_note_is_to_be_tried_again(desk: RemindersDesk) -> None:
    """The ledger has the id of a text only once it has recorded the sending."""
    desk.add("ann", mobile=ANN)
    desk.clock.move_to(TUESDAY)
    while not (queued := desk.store.sends_in(SendState.QUEUED, 9)):
        desk.runtime.timers.step(TUESDAY)
        desk.runtime.follow(TUESDAY)
    starts = StartSend(queued[0].id, SendState.QUEUED, 0, Via.TEXT)
    desk.store.commit(Accepted((starts,)), by="test", at=TUESDAY)

    with pytest.raises(NotYetKnown):
        TextFailures(desk).take(TextFailure("sns-1", ANN, UNREACHABLE))
    desk.runtime.sender.recover(TUESDAY)
    desk.known_letters = desk.dead_letters()
