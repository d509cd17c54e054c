"""Everybody at once for one slot, on a database that refuses simultaneous transactions."""

from __future__ import annotations

from itertools import repeat

import pytest

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import (
    ClaimOffer,
    DeclineOffer,
    ExpireEntries,
    FreeSlot,
    JoinList,
    LapseOffer,
    LeaveList,
    MakeMove,
    WithdrawOffer,
)
from frontdesk.desks.waitlist.facts import SlotClaimed
from frontdesk.desks.waitlist.model import EntryId, Lane, SlotId, SlotStatus
from frontdesk.engine.ports import Committed
from tests.store.dynamodb.faults import Contended, Failing, cancelled
from tests.support.at_once import facts_at_once
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.waitlist import NEXT_OPENING, OPENING, WISH
from tests.support.waitlist_dynamodb import dynamo_waitlist_desk

pytestmark = needs_dynamodb

S1 = SlotId("s1")
THREADS = 12


@pytest.mark.spec("WL-12", "WL-19", "WL-21")
def test_after_any_simultaneous_commands_one_person_has_the_slot_and_nothing_is_left_over(
    dynamodb: Tables,
) -> None:
    client = Contended(dynamodb.client, dynamodb.prefix)
    desk = dynamo_waitlist_desk(dynamodb, client=client).given("ann", "bob", "cat")
    desk.free()
    desk.settle()
    for seq in (1, 2, 3):
        commands: list[Command] = [
            *([DeclineOffer(S1, seq)] if seq < 3 else [ClaimOffer(S1, seq)]),
            LapseOffer(S1, seq),
            WithdrawOffer(S1, seq),
            MakeMove(S1),
        ] * 3
        facts_at_once(desk, commands)
        desk.settle()
        assert desk.problems() == []

    assert desk.tried() == [("ann", "declined"), ("bob", "declined"), ("cat", "claimed")]
    assert desk.slot().status is SlotStatus.BOOKED
    assert client.conflicts > 0
    assert desk.dead_letters() == []


@pytest.mark.spec("WL-05", "WL-07", "WL-12")
def test_simultaneous_reports_and_joins_make_one_slot_and_one_entry_each(
    dynamodb: Tables,
) -> None:
    client = Contended(dynamodb.client, dynamodb.prefix)
    desk = dynamo_waitlist_desk(dynamodb, client=client).given()
    told = [FreeSlot(SlotId(f"s{n}"), "webhook:1", OPENING) for n in range(THREADS // 2)]
    joining = [
        JoinList(
            EntryId(f"e{n}"),
            PersonId(f"p{n}"),
            "Ann",
            "ann@example.org",
            WISH,
            Lane.FORM,
        )
        for n in range(THREADS // 2)
    ]

    facts = facts_at_once(desk, [*told, *joining])
    desk.settle()

    repeated = THREADS // 2 - 1
    assert facts == {"wl.slot_freed": 1, "wl.joined": 1, "wl.join_repeated": repeated}
    [only] = desk.reads.slots(99)
    [ann] = desk.reads.entries()
    assert desk.tried(only.id) == [(ann.id, "live")]
    assert desk.problems() == []


@pytest.mark.spec("WL-13", "WL-19")
def test_claiming_two_slots_at_once_gives_one_and_passes_the_other_on(dynamodb: Tables) -> None:
    desk = dynamo_waitlist_desk(dynamodb).given("ann", "bob")
    for number, opening in ((1, OPENING), (2, NEXT_OPENING)):
        desk.free(opening, slot_id=f"s{number}")
    desk.settle()

    facts = facts_at_once(desk, [ClaimOffer(SlotId(f"s{n}"), 1) for n in (1, 2) for _ in range(4)])
    desk.settle()

    assert facts[SlotClaimed.kind] == 1
    assert sorted(desk.tried("s1") + desk.tried("s2")) == [
        ("ann", "claimed"),
        ("ann", "withdrawn"),
        ("bob", "live"),
    ]
    assert desk.problems() == []


@pytest.mark.spec("WL-06", "WL-12")
def test_leaving_during_the_decision_does_not_delay_the_slot(dynamodb: Tables) -> None:
    desk = dynamo_waitlist_desk(dynamodb).given("ann", "bob")
    desk.free()

    facts_at_once(desk, [LeaveList(EntryId("ann")), *repeat(MakeMove(S1), 4), ExpireEntries()])
    desk.settle()

    assert desk.tried()[-1] == ("bob", "live")
    assert desk.problems() == []


@pytest.mark.spec("WL-19")
def test_a_claim_at_a_busy_moment_is_answered_after_some_tries(dynamodb: Tables) -> None:
    dynamo_waitlist_desk(dynamodb).given("ann").free()
    dynamo_waitlist_desk(dynamodb).settle()
    client = Failing(dynamodb.client, repeat(cancelled("TransactionConflict"), 5))

    desk = dynamo_waitlist_desk(dynamodb, client=client)
    outcome = desk.run(ClaimOffer(S1, 1))

    assert isinstance(outcome, Committed)
    assert [one.fact for one in outcome.facts] == [SlotClaimed(S1, EntryId("ann"), 1, version=2)]
    assert client.transactions == 6
