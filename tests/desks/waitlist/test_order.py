"""The order is total and stable, and the store walks the list in the same one."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core.decision import Accepted, Change
from frontdesk.core.people import AddPerson
from frontdesk.desks.waitlist.changes import AddEntry, AddOffer, AddSlot
from frontdesk.desks.waitlist.decide.moves import next_move
from frontdesk.desks.waitlist.eligible import failure
from frontdesk.desks.waitlist.model import (
    Check,
    Entry,
    EntryId,
    EntryStatus,
    Offer,
    OfferState,
    OrderBy,
    Rules,
    Slot,
    SlotId,
)
from frontdesk.desks.waitlist.order import in_order, place
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.store.sqlite.waitlist import WAITLIST
from tests.support.waitlist import NINE, RULES, TODAY, entry, slot

ORDERS = [(OrderBy.PRIORITY, OrderBy.JOINED), (OrderBy.JOINED,), (OrderBy.JOINED, OrderBy.PRIORITY)]


@pytest.mark.spec("WL-09")
def test_priority_comes_first_then_who_joined_first_then_a_stable_key() -> None:
    line = [
        entry("bob", joined=1),
        entry("ann", joined=1),
        entry("zoe", joined=9, priority=True),
        entry("old", joined=0),
    ]

    assert [one.id for one in in_order(line, RULES.order)] == ["zoe", "old", "ann", "bob"]
    assert [one.id for one in in_order(line, (OrderBy.JOINED,))] == ["old", "ann", "bob", "zoe"]


days = st.integers(-2, 2).map(lambda days: TODAY + timedelta(days=days))


@st.composite
def lists(draw: st.DrawFn) -> list[Entry]:
    names = draw(st.lists(st.sampled_from("abcdefghij"), unique=True))
    return [
        entry(
            name,
            joined=draw(st.integers(0, 3)),
            priority=draw(st.booleans()),
            party=draw(st.integers(1, 3)),
            earliest_on=min(on := draw(days), until := draw(days)),
            latest_on=max(on, until),
            staff=draw(st.sampled_from(["", "mia", "leo"])),
            service=draw(st.sampled_from(["cut", "cut", "colour"])),
            status=draw(st.sampled_from([EntryStatus.WAITING] * 3 + [EntryStatus.LEFT])),
        )
        for name in names
    ]


rules = st.builds(
    Rules,
    zone=st.just("Asia/Singapore"),
    order=st.sampled_from(ORDERS),
    checks=st.sets(st.sampled_from(Check)).map(lambda some: tuple(sorted(some))),
    down_fitting=st.sampled_from([0, 1, None]),
)


@pytest.mark.spec("WL-09", "WL-10")
@settings(max_examples=50, deadline=None)
@given(line=lists(), rules=rules, data=st.data())
def test_the_same_list_gives_the_same_order_and_move_however_it_is_shuffled(
    line: list[Entry], rules: Rules, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(line))
    what = slot(rules=rules, capacity=2)

    assert in_order(shuffled, rules.order) == in_order(line, rules.order)
    assert next_move(what, shuffled, (), NINE) == next_move(what, line, (), NINE)
    assert len({place(one, rules.order) for one in line}) == len(line)


@pytest.mark.spec("WL-08", "WL-09", "WL-10")
@settings(max_examples=40, deadline=None)
@given(line=lists(), rules=rules, had=st.sets(st.sampled_from("abcdefghij"), max_size=2))
def test_the_store_finds_whom_the_rules_would_find_in_the_whole_list(
    tmp_path_factory: pytest.TempPathFactory, line: list[Entry], rules: Rules, had: set[str]
) -> None:
    what = slot(rules=rules, capacity=2)
    tried = [one.id for one in line if one.id in had]
    store = filled(tmp_path_factory.mktemp("list") / "wl.db", what, line, tried)
    reads = store.reads().desk("wl")
    fitting = [
        one
        for one in in_order(line, rules.order)
        if one.status is EntryStatus.WAITING and one.id not in had and failure(one, what) is None
    ]
    history = reads.offers(what.id)

    assert reads.candidates(what, 100) == fitting
    assert reads.candidates(what, 1) == fitting[:1]
    assert [reads.ahead(what, one) for one in fitting] == list(range(len(fitting)))
    assert next_move(what, line, history, NINE) == next_move(
        what, reads.candidates(what, 1), history, NINE
    )
    store.close()


def filled(path: Path, what: Slot, line: list[Entry], tried: list[EntryId]) -> SqliteStore:
    store = SqliteStore(path, [WAITLIST])
    changes: list[Change] = [AddSlot(replace(what, offers=len(tried)))]
    for one in line:
        address = f"{one.id}@example.org"
        changes += (AddPerson(one.person_id, one.id, address, address), AddEntry(one))
    for seq, entry_id in enumerate(tried, start=1):
        ended = Offer(SlotId("s1"), seq, entry_id, OfferState.DECLINED, NINE, ended_at=NINE)
        changes.append(AddOffer(ended))
    store.commit(Accepted(tuple(changes)), by="cli", at=NINE)
    return store
