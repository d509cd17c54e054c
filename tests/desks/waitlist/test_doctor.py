"""The doctor judges messages by the quiet hours that applied when they were sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import time
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.sends import Send, SendId, SendState
from frontdesk.desks.waitlist.commands import ClaimOffer, SetRules
from frontdesk.desks.waitlist.doctor import list_problems, night_problems
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.values import replace
from tests.support.waitlist import (
    HOUR,
    NEXT_OPENING,
    NINE,
    OPENING,
    RULES,
    WaitlistDesk,
    waitlist_desk_at,
)

#: Quiet hours only from ten in the morning until noon.
AT_TEN = replace(RULES, quiet=QuietHours(time(10), time(12)))
SENT = Send(SendId("s"), "k", "wl", "joined", PersonId("p"), "e", "e", SendState.SENT, NINE, NINE)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WaitlistDesk]:
    """Has quiet hours from nine in the evening to eight; since eleven in the morning, from ten to
    noon."""
    desk = waitlist_desk_at(tmp_path).given()
    desk.wait(hours=2).do(SetRules(AT_TEN))
    yield desk
    desk.close()


@pytest.mark.spec("WL-07")
def test_the_doctor_names_a_staff_member_who_has_two_slots_at_once(desk: WaitlistDesk) -> None:
    desk.free()
    desk.free(NEXT_OPENING, slot_id="s2")
    assert list_problems(desk.reads, desk.timers()) == []

    at = int(OPENING.starts_at.timestamp())
    desk.execute(f"UPDATE wl_slot SET starts_at = {at + 60} WHERE slot_id = 's2'")

    said = "slots s1 and s2 are at the same time: mia"
    assert said in list_problems(desk.reads, desk.timers(), OPENING.starts_at)
    assert said not in list_problems(desk.reads, desk.timers(), OPENING.ends_at + HOUR)


@pytest.mark.spec("FD-12")
@pytest.mark.parametrize(
    ("hours", "wrong"), [(-3, True), (1.5, False), (2, False), (2.5, True), (13, False)]
)
def test_hours_that_were_changed_later_change_no_past_night(
    desk: WaitlistDesk, hours: float, wrong: bool
) -> None:
    at = NINE + hours * HOUR
    found = night_problems(desk.reads, [replace(SENT, sent_at=at)], desk.timers())

    said = f"waitlist: joined s went out in quiet hours, at {at.isoformat()}"
    assert found == ([said] if wrong else [])


@pytest.mark.spec("WL-19", "FD-06")
def test_the_doctor_names_a_slot_whose_customer_is_not_booked_until_it_is_over(
    desk: WaitlistDesk,
) -> None:
    desk.do(SetRules(RULES)).join("ann")
    desk.free(replace(OPENING, starts_at=NINE + 6 * HOUR))
    desk.settle().do(ClaimOffer(SlotId("s1"), 1))
    healthy = desk.problems()
    desk.execute("UPDATE wl_entry SET status = 'waiting' WHERE entry_id = 'ann'")

    found = [list_problems(desk.reads, desk.timers(), NINE + at * HOUR) for at in (3, 7)]

    said = "slot s1: it is booked by ann, whose entry is waiting"
    assert (healthy, [said in each for each in found]) == ([], [True, False])
