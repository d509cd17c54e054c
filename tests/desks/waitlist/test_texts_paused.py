"""At the monthly limit on texts, people whom only a text can reach are passed over without a
message."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted, Fact
from frontdesk.core.localtime import zone
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import SpendOnText
from frontdesk.desks.waitlist.commands import FreeSlot, JoinList, MakeMove
from frontdesk.desks.waitlist.facts import NobodyFitted, OfferMade, PeoplePassedOver
from frontdesk.desks.waitlist.load import OutOfReach
from frontdesk.desks.waitlist.model import EntryId, Lane, Opening, SlotId, SlotStatus, Wish
from frontdesk.desks.waitlist.story import EntryNames, line
from frontdesk.desks.waitlist.why import OfferVerdict, explain
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Committed
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import build
from tests.support.dynamodb import needs_dynamodb
from tests.support.flaky_channel import FlakyChannel
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


@pytest.mark.spec("AR-07")
@pytest.mark.parametrize(("is_local", "expected"), [(True, OfferMade), (False, PeoplePassedOver)])
def test_texts_that_cost_nothing_are_never_paused(
    tmp_path: Path, is_local: bool, expected: type[Fact]
) -> None:
    """The amount may be from the time before the channel was changed."""
    now = datetime(2026, 11, 16, 12, tzinfo=UTC)
    settings = Settings(data_dir=tmp_path, texts_a_month_usd=1)
    product = build(settings, clock=VirtualClock(now), texts=FlakyChannel(local=is_local))
    spent = Accepted((SpendOnText(date(2026, 11, 1), before=0, cost=1_000_000),))
    product.store.decide(lambda _reads: spent, by="test", at=now)
    wish = Wish("Cut", 1, now.date(), now.date() + timedelta(days=9))
    ann, mobile = EntryId("ann"), "+6591234567"
    join = JoinList(ann, PersonId("ann"), "Ann", "", wish, Lane.STAFF, mobile=mobile)
    opening = Opening("Cut", now + timedelta(days=1), timedelta(hours=1), 1)
    for command in (join, FreeSlot(S1, "test", opening)):
        outcome = product.engine.run(command, by="test", now=now)
        assert isinstance(outcome, Committed), outcome

    decision = product.engine.ask(MakeMove(S1), now)(product.engine.reads())
    product.close()

    assert isinstance(decision, Accepted)
    assert isinstance(decision.facts[0], expected)
