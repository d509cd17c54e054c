"""A refused text: a mail goes out in the same window, the number is marked, and staff are told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.messages import SendRefused
from frontdesk.core.people import PersonId
from frontdesk.core.sends import DeferSend, SendState, Via
from frontdesk.desks.reminders.model import AppointmentState, ReminderState
from frontdesk.desks.reminders.tags import Tags
from tests.support.flaky_channel import FlakyChannel
from tests.support.reminders import DAY, FRIDAY, RemindersDesk, an_id, id_of

ANN = "+6591234567"
TUESDAY, THURSDAY = FRIDAY - 3 * DAY, FRIDAY - DAY
REFUSED = SendRefused("sns: this number has opted out", about_recipient=True)
Opened = Callable[..., RemindersDesk]


class FussyPost(FlakyChannel):
    """Refuses every text."""

    def send(self, message: object) -> None:
        raise REFUSED


@pytest.fixture
def desk(open_desk: Opened) -> RemindersDesk:
    return open_desk(texts=FussyPost()).given()


def letters(desk: RemindersDesk) -> int:
    """Returns the number of dead letters of texts, which these tests expect."""
    desk.known_letters = desk.dead_letters()
    assert set(desk.known_letters) <= {REFUSED.reason}
    return len(desk.known_letters)


@pytest.mark.spec("AR-20")
def test_a_refused_text_goes_out_as_a_mail_in_the_same_window(desk: RemindersDesk) -> None:
    desk.add("ann", mobile=ANN)
    desk.wait_until(TUESDAY)

    assert desk.told() == [("first", "ann", TUESDAY)]
    [sent] = desk.sends()
    assert sent.via is Via.MAIL
    assert [each.kind for each in desk.store.sends_in(SendState.FAILED, 9)] == ["first_reminder"]
    [row] = desk.reads.reminders_of(id_of("ann"))
    assert row.state is ReminderState.SENT
    assert desk.kinds("ann") == ["added", "first_reminder", "text_undelivered"]
    assert letters(desk) == 0, "the mail is out, so staff have nothing to try again"


@pytest.mark.spec("AR-20", "AR-05")
def test_a_refused_text_that_is_tried_again_is_no_second_reminder(desk: RemindersDesk) -> None:
    desk.add("ann", mobile=ANN)
    desk.wait_until(TUESDAY)
    [failed] = desk.store.sends_in(SendState.FAILED, 9)
    again = DeferSend(failed.id, failed.state, SendState.QUEUED, desk.clock.now(), "")
    desk.store.commit(Accepted((again,)), by="test", at=desk.clock.now())
    desk.settle()

    assert desk.told() == [("first", "ann", TUESDAY)]
    assert [each.via for each in desk.sends()] == [Via.MAIL]


@pytest.mark.spec("AR-20")
def test_the_number_is_marked_and_mail_is_used_from_then_on(desk: RemindersDesk) -> None:
    desk.add("ann", mobile=ANN)
    desk.wait_until(FRIDAY)

    person = desk.reads.person(PersonId(an_id("ann")))
    assert person is not None
    assert person.mobile_fails
    assert desk.told() == [("first", "ann", TUESDAY), ("second", "ann", THURSDAY)]
    assert letters(desk) == 0


@pytest.mark.spec("AR-20")
def test_a_text_from_the_number_lifts_the_mark(desk: RemindersDesk) -> None:
    desk.add("ann", mobile=ANN)
    desk.wait_until(TUESDAY)

    desk.text("hello", ANN)

    person = desk.reads.person(PersonId(an_id("ann")))
    assert person is not None
    assert not person.mobile_fails
    letters(desk)


@pytest.mark.spec("AR-20")
def test_without_an_address_staff_are_told_that_nothing_arrives(desk: RemindersDesk) -> None:
    desk.add("ann", mobile=ANN, email="")
    desk.add("bob", mobile="+6598765432", tags=Tags(no_email=True))
    desk.wait_until(TUESDAY)

    assert desk.told() == []
    assert desk.kinds("ann") == ["added", "first_reminder", "undelivered"]
    assert desk.kinds("bob") == ["added", "first_reminder", "undelivered"]
    assert letters(desk) == 2


@pytest.mark.spec("AR-20", "AR-05")
def test_an_answer_while_the_mail_is_on_its_way_stops_it(desk: RemindersDesk) -> None:
    desk.add("ann", mobile=ANN)
    desk.clock.move_to(TUESDAY)
    while desk.kinds("ann")[-1] != "text_undelivered":
        desk.runtime.timers.step(TUESDAY)
        desk.runtime.follow(TUESDAY)
        desk.runtime.sender.step(TUESDAY)
    desk.run(desk.confirm("ann"))
    desk.settle()

    assert desk.told() == []
    assert desk.of("ann").state is AppointmentState.CONFIRMED
    letters(desk)
