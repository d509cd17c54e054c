"""The list is rebuilt from the audit, even if the clocks of two machines differed."""

from __future__ import annotations

import pytest

from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.facts import GuestFact
from frontdesk.desks.rsvp.replay import differences, replay
from tests.support.rsvp import RsvpDesk


@pytest.mark.spec("FD-06", "EV-30")
def test_a_guests_facts_are_put_in_the_order_of_their_versions(desk: RsvpDesk) -> None:
    desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.do(Cancel(desk.id("ann"))).wait(hours=7)
    facts = desk.facts()
    bobs = [n for n, each in enumerate(facts) if _is_about(each.fact, desk.id("bob"))]
    first, last = bobs[0], bobs[-1]

    facts[first], facts[last] = facts[last], facts[first]

    guests = desk.reads.guests_after(desk.event.id, "", 100)
    assert len(bobs) > 2
    assert differences(replay(facts), [desk.event], guests) == []


def _is_about(fact: object, guest_id: str) -> bool:
    return isinstance(fact, GuestFact) and fact.guest_id == guest_id
