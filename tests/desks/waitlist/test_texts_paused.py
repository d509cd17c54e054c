"""At the month's limit on texts: people whom only a text reaches are passed over quietly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.core.localtime import zone
from frontdesk.core.people import Person
from frontdesk.desks.waitlist.facts import NobodyFitted, PeoplePassedOver
from frontdesk.desks.waitlist.load import OutOfReach
from frontdesk.desks.waitlist.model import EntryId, SlotId, SlotStatus
from frontdesk.desks.waitlist.story import EntryNames, line
from frontdesk.desks.waitlist.why import OfferVerdict, explain
from tests.support.dynamodb import needs_dynamodb
from tests.support.waitlist import WaitlistDesk, waitlist_desk_at
from tests.support.waitlist_dynamodb import dynamo_waitlist_desk

S1 = SlotId("s1")
WHY = "texts are paused until 1 December"


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WaitlistDesk]:
    if request.param == "sqlite":
        desk = waitlist_desk_at(tmp_path)
    else:
        desk = dynamo_waitlist_desk(request.getfixturevalue("dynamodb"))
    yield desk
    assert desk.settle().dead_letters() == []
    desk.close()


def reached_by_text_alone(*names: str) -> OutOfReach:
    def why_not(person: Person) -> str:
        return WHY if person.name.lower() in names else ""

    return lambda _reads: why_not


@pytest.mark.spec("AR-07", "WL-10")
def test_the_first_person_who_can_be_reached_is_offered_the_slot(desk: WaitlistDesk) -> None:
    desk.out_of_reach = reached_by_text_alone("ann", "bob")
    desk.given("ann", "bob", "cat", tries=1).free()
    desk.settle()

    assert desk.tried() == [("cat", "live")]
    passed = PeoplePassedOver(S1, (EntryId("ann"), EntryId("bob")), WHY)
    assert desk.kinds() == ["wl.slot_freed", "wl.passed_over", "wl.make_offer", "wl.offer_armed"]
    assert desk.facts()[1].fact == passed
    assert [to for to, _ in desk.mail()] == ["cat"]


@pytest.mark.spec("AR-07")
def test_the_story_of_a_slot_says_who_was_passed_over_once(desk: WaitlistDesk) -> None:
    desk.out_of_reach = reached_by_text_alone("ann")
    desk.given("ann", "bob", "cat").free()
    desk.settle().wait(minutes=20)

    assert [who for who, _ in desk.tried()] == ["bob", "cat"]
    told = [one for one in desk.facts() if isinstance(one.fact, PeoplePassedOver)]
    assert len(told) == 1
    names = EntryNames(desk.engine.reads())
    assert line(told[0], names, zone("UTC")).text == (
        f"1 person was passed over, without an e-mail address: {WHY}."
    )
    explained = explain(desk.reads, S1, EntryId("ann"))
    assert explained is not None
    assert explained.verdict is OfferVerdict.PASSED_OVER
    assert explained.sentence == f"They suit it, but have no e-mail address: {WHY}."


@pytest.mark.spec("AR-07", "WL-10")
def test_the_slot_waits_for_them_if_they_are_the_only_ones(desk: WaitlistDesk) -> None:
    names = [f"guest{n}" for n in range(12)]
    desk.out_of_reach = reached_by_text_alone(*names)
    desk.given(*names).free()
    desk.settle().wait(hours=1)

    assert desk.tried() == []
    assert desk.slot().status is SlotStatus.OPEN
    assert [type(one.fact) for one in desk.facts()[1:]] == [PeoplePassedOver, NobodyFitted]

    desk.out_of_reach = lambda _reads: None
    desk.join("zoe")
    desk.settle()

    assert desk.tried() == [("guest0", "live")]
