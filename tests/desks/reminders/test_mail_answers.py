"""Answers by mail: matched by their thread, read with a closed vocabulary, or left for staff."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from frontdesk.core.mail import FOR_A_PERSON
from frontdesk.desks.reminders.commands import MoveAppointment
from frontdesk.desks.reminders.decide.written_replies import ANSWERED
from frontdesk.desks.reminders.model import AppointmentState, Means, ReplyAction
from tests.support.dynamodb import needs_dynamodb
from tests.support.reminder_mail import REMIND, ReminderMailDesk
from tests.support.reminders import DAY, FRIDAY, HOUR, id_of

TUESDAY = FRIDAY - 3 * DAY
STATE = AppointmentState
Opened = Callable[..., ReminderMailDesk]


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def open_mail(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Opens desks. Checks at the end that nothing is broken or undelivered."""
    tables = request.getfixturevalue("dynamodb") if request.param == "dynamodb" else None
    opened: list[ReminderMailDesk] = []

    def open_(**options: object) -> ReminderMailDesk:
        opened.append(ReminderMailDesk(tmp_path, tables, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_
    for desk in opened:
        assert desk.settle().problems() == []
        assert desk.dead_letters() == []
        desk.close()


@pytest.fixture
def desk(open_mail: Opened) -> ReminderMailDesk:
    """Has an appointment on Friday. It is Tuesday, and the first reminder has gone out."""
    return reminded(open_mail())


def reminded(desk: ReminderMailDesk) -> ReminderMailDesk:
    desk.given().add("ann")
    desk.wait_until(TUESDAY + HOUR)
    return desk


@pytest.mark.spec("AR-12")
@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("Yes, thank you!\n\nAnn", STATE.CONFIRMED),
        ("Hallo,\n\nich kann leider nicht kommen.\n\nViele Grüße\nAnn", STATE.CANCELLED),
    ],
)
def test_a_clear_answer_does_what_a_link_does(
    desk: ReminderMailDesk, words: str, state: AppointmentState
) -> None:
    assert desk.answers(words, desk.last_mail("ann")) == ANSWERED

    assert desk.of("ann").state is state
    [reply] = desk.reads.replies_of(id_of("ann"))
    assert (reply.means, reply.before, reply.after) == (Means.MAIL, STATE.EXPECTED, state)


@pytest.mark.spec("AR-12")
def test_a_wish_for_another_time_is_kept_in_the_words_of_the_mail(desk: ReminderMailDesk) -> None:
    assert desk.answers("Another time please. Any Monday?", desk.last_mail("ann")) == ANSWERED

    [reply] = desk.reads.replies_of(id_of("ann"))
    assert (reply.action, reply.wishes) == (ReplyAction.MOVE, "Another time please. Any Monday?")
    assert desk.last_mail("ann").subject == "Another time for cut"
    assert desk.answers("Yes", desk.last_mail("ann")) == FOR_A_PERSON
    assert desk.of("ann").state is STATE.EXPECTED


@pytest.mark.spec("AR-12")
def test_unclear_words_go_to_staff_and_change_nothing(desk: ReminderMailDesk) -> None:
    before = desk.of("ann")

    assert desk.answers("Can I come at 11 instead of 10?", desk.last_mail("ann")) == FOR_A_PERSON

    assert desk.of("ann") == before
    assert desk.kinds("ann")[-1] == "words_received"


@pytest.mark.spec("AR-12")
def test_an_address_that_names_the_message_is_enough(open_mail: Opened) -> None:
    """SES replaces the Message-ID."""
    desk = reminded(open_mail(names_sends=True))
    assert "+" in desk.last_mail("ann").reply_to

    assert desk.answers("yes", desk.last_mail("ann")) == ANSWERED
    assert desk.of("ann").state is STATE.CONFIRMED


@pytest.mark.spec("AR-12")
def test_nobody_else_can_answer(desk: ReminderMailDesk) -> None:
    mail = desk.last_mail("ann")

    assert desk.answers("I can't come", mail, From="Eve <eve@example.org>") == FOR_A_PERSON
    assert desk.answers("I can't come", To=REMIND) == FOR_A_PERSON
    forged = "<00000000000000000000000000@frontdesk.example>"
    assert desk.answers("I can't come", In_Reply_To=forged) == FOR_A_PERSON

    assert desk.of("ann").state is STATE.EXPECTED
    assert desk.kinds("ann") == ["added", "first_reminder"]


@pytest.mark.spec("AR-12")
def test_an_automatic_reply_is_no_answer(desk: ReminderMailDesk) -> None:
    away = {"Auto_Submitted": "auto-replied"}

    outcome = desk.answers("Yes", desk.last_mail("ann"), **away)

    assert outcome.startswith("not answered: ")
    assert desk.of("ann").state is STATE.EXPECTED


@pytest.mark.spec("AR-18")
def test_an_answer_to_a_reminder_of_an_earlier_time_is_for_staff(desk: ReminderMailDesk) -> None:
    mail = desk.last_mail("ann")
    desk.wait(minutes=1)
    desk.do(MoveAppointment(id_of("ann"), FRIDAY + 7 * DAY))

    assert desk.answers("I can't come", mail) == FOR_A_PERSON
    assert desk.of("ann").state is STATE.EXPECTED


@pytest.mark.spec("AR-12")
def test_an_answer_for_several_visits_asks_which_by_mail(open_mail: Opened) -> None:
    desk = open_mail().given()
    assert isinstance(desk, ReminderMailDesk)
    desk.add("ann")
    desk.add("ann", FRIDAY + 5 * HOUR, ref="nails")
    desk.wait_until(TUESDAY + HOUR)

    assert desk.answers("I can't come", desk.last_mail("ann")) == ANSWERED

    asked = desk.last_mail("ann")
    assert asked.subject == "Which appointment do you mean?"
    assert desk.answers("3 15:00", asked) == ANSWERED
    assert (desk.of("ann").state, desk.of("nails").state) == (STATE.EXPECTED, STATE.CANCELLED)


def test_a_mail_after_the_visit_is_for_a_person(desk: ReminderMailDesk) -> None:
    mail = desk.last_mail("ann")
    desk.wait_until(FRIDAY + HOUR)

    assert desk.answers("yes", mail) == FOR_A_PERSON
