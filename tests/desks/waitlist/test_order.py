"""The order is total and stable."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.desks.waitlist.decide.moves import next_move
from frontdesk.desks.waitlist.eligibility import in_order, place
from frontdesk.desks.waitlist.model import (
    Check,
    Entry,
    EntryStatus,
    OrderBy,
    Rules,
)
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
