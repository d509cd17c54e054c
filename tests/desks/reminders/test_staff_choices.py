"""Staff send a reminder at once, or leave it out."""

from __future__ import annotations

import pytest

from frontdesk.desks.reminders.commands import RemindNow, SkipReminder
from frontdesk.desks.reminders.model import Window
from tests.support.reminders import DAY, FRIDAY, MONDAY, RemindersDesk, id_of


@pytest.mark.spec("AR-23")
def test_a_reminder_that_staff_send_at_once_is_not_sent_again(desk: RemindersDesk) -> None:
    desk.given(after_booking=0 * DAY).add("ann")

    desk.do(RemindNow(id_of("ann"), MONDAY)).wait_until(FRIDAY)

    assert desk.told() == [("first", "ann", MONDAY), ("second", "ann", FRIDAY - DAY)]


@pytest.mark.spec("AR-23")
def test_a_reminder_that_staff_leave_out_is_not_sent(desk: RemindersDesk) -> None:
    desk.given().add("ann")

    desk.do(SkipReminder(id_of("ann"), Window.FIRST)).wait_until(FRIDAY)

    assert desk.told() == [("second", "ann", FRIDAY - DAY)]
    assert desk.refused(SkipReminder(id_of("ann"), Window.FIRST)) == "answered"


def test_nothing_is_sent_or_left_out_after_an_answer(desk: RemindersDesk) -> None:
    desk.given().add("ann")
    desk.wait_until(FRIDAY - 3 * DAY).do(desk.confirm("ann"))

    assert desk.refused(RemindNow(id_of("ann"), desk.clock.now())) == "answered"
    assert desk.refused(SkipReminder(id_of("ann"), Window.SECOND)) == "answered"
