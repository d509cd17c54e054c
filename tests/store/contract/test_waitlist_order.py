"""Both stores search the list in the order of the rules and skip entries that do not suit a
slot."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontdesk.core.decision import Accepted, Change
from frontdesk.core.people import AddPerson, PersonId
from frontdesk.desks.waitlist.changes import AddEntry, AddOffer, AddSlot, WriteEntry
from frontdesk.desks.waitlist.decide.documents import ORDERS
from frontdesk.desks.waitlist.decide.moves import next_move
from frontdesk.desks.waitlist.eligibility import failure, in_order
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
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Store
from frontdesk.values import replace
from tests.support.waitlist import NINE, OPENING, TODAY, entry, slot

days = st.integers(-2, 2).map(lambda days: TODAY + timedelta(days=days))
#: One store for all lists: each list has its own names and services.
numbers = count()


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
            service=draw(st.sampled_from(["cut", "cut", "cut:", "colour"])),
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


@pytest.mark.spec("WL-08", "WL-09", "WL-10")
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(line=lists(), rules=rules, had=st.sets(st.sampled_from("abcdefghij"), max_size=2))
def test_the_store_finds_whom_the_rules_would_find_in_the_whole_list(
    store: Store, line: list[Entry], rules: Rules, had: set[str]
) -> None:
    number = next(numbers)
    line = [renamed(one, number) for one in line]
    second = timedelta(seconds=1)  # each list has its own
    starts_at = OPENING.starts_at + number * second
    service = f"cut {number}"
    what = slot(rules=rules, capacity=2, service=service, starts_at=starts_at, duration=second)
    what = replace(what, id=SlotId(f"s{number}"), origin=f"tap:{number}")
    tried = [one.id for one in line if one.id[0] in had]
    reads = filled(store, what, line, tried)
    fitting = [
        one
        for one in in_order(line, rules.order)
        if one.status is EntryStatus.WAITING and one.id not in tried and failure(one, what) is None
    ]
    history = reads.offers(what.id)

    assert reads.candidates(what, 100) == fitting
    assert reads.candidates(what, 1) == fitting[:1]
    assert [reads.ahead(what, one) for one in fitting] == list(range(len(fitting)))
    assert next_move(what, line, history, NINE) == next_move(
        what, reads.candidates(what, 1), history, NINE
    )


def renamed(one: Entry, number: int) -> Entry:
    name = f"{one.id}-{number}"
    return replace(
        one, id=EntryId(name), person_id=PersonId(f"p-{name}"), service=f"{one.service} {number}"
    )


def filled(store: Store, what: Slot, line: list[Entry], tried: list[EntryId]) -> WaitlistReads:
    changes: list[Change] = [AddSlot(replace(what, offers=len(tried)))]
    for one in line:
        address = f"{one.id}@example.org"
        changes += (AddPerson(one.person_id, one.id, address, address), AddEntry(one))
    commit(store, *changes)
    for seq, entry_id in enumerate(tried, start=1):
        ended = Offer(what.id, seq, entry_id, OfferState.DECLINED, NINE, ended_at=NINE)
        commit(store, AddOffer(ended))
    return wl(store)


def commit(store: Store, *changes: Change) -> None:
    store.commit(Accepted(changes), by="cli", at=NINE)


def wl(store: Store) -> WaitlistReads:
    return cast(WaitlistReads, store.reads().desk("wl"))


@pytest.mark.spec("WL-08", "WL-09")
@pytest.mark.parametrize("order", ORDERS)
def test_a_fitting_entry_is_found_behind_any_number_of_others(
    store: Store, order: tuple[OrderBy, ...]
) -> None:
    line = [entry(f"e{n:03}", joined=n, party=1 + (n < 250)) for n in range(260)]
    what = slot(rules=Rules("Asia/Singapore", order))
    commit(store, AddSlot(what))
    for start in range(0, len(line), 20):
        some = line[start : start + 20]
        people = [AddPerson(e.person_id, e.id, f"{e.id}@x.org", f"{e.id}@x.org") for e in some]
        commit(store, *people, *(AddEntry(one) for one in some))

    reads = wl(store)
    assert reads.candidates(what, 3) == line[250:253]
    assert reads.ahead(what, line[-1]) == 9
    assert reads.ahead(what, line[0]) == 0
    assert reads.entries(limit=5, after="e100") == line[101:106]
    assert reads.entries(status=EntryStatus.WAITING, limit=999) == line
    assert reads.entries(status=EntryStatus.LEFT) == []


@pytest.mark.spec("WL-08")
def test_an_entry_for_another_staff_member_is_passed_over(
    store: Store,
) -> None:
    leo, mia, anyone = entry("leo", staff="leo"), entry("mia", staff="mia"), entry("any", staff="")
    what = slot(rules=Rules("Asia/Singapore", checks=tuple(Check)), staff="mia")

    reads = filled(store, what, [leo, mia, anyone], [])

    assert {one.id for one in reads.candidates(what, 9)} == {mia.id, anyone.id}


@pytest.mark.spec("WL-20")
def test_an_entry_that_was_asked_already_is_passed_over(store: Store) -> None:
    ann, bob = entry("ann"), entry("bob", joined=1)
    what = replace(slot(), not_to=(ann.id,))

    reads = filled(store, what, [ann, bob], [])

    assert reads.candidates(what, 9) == [bob]
    assert reads.candidates(slot(), 9) == [ann, bob]


def test_an_entry_that_returns_or_moves_is_found_at_its_new_place(store: Store) -> None:
    ann, bob = entry("ann"), entry("bob", joined=1)
    reads = filled(store, slot(), [ann, bob], [])
    away = replace(ann, status=EntryStatus.LEFT, version=2)
    back = replace(ann, joined_at=bob.joined_at + timedelta(minutes=1), version=3)
    first = replace(back, priority=True, latest_on=TODAY, version=4)

    for now, candidates, soonest in (
        (ann, [ann, bob], [ann, bob]),
        (away, [bob], [bob]),
        (back, [bob, back], [back, bob]),
        (first, [first, bob], [first, bob]),
    ):
        if now.version > 1:
            commit(store, WriteEntry(now))
        assert reads.candidates(slot(), 9) == candidates
        assert reads.soonest_to_expire(9) == soonest
        assert reads.soonest_to_expire(1) == soonest[:1]
