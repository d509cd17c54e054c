"""A commit writes all or nothing: changes, facts, timers, and its cause."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

import pytest

from frontdesk.core.decision import Accepted, Change, DropTimer, Refused, TimerName
from frontdesk.core.request_keys import request_key
from frontdesk.desks.rsvp.changes import AddEvent, AddGuest, LineChanged, TakeSeats
from frontdesk.desks.rsvp.model import EventId, Seats
from frontdesk.engine.ports import Committed, Fired, Followed, Outcome, Reads, Recorded, Store
from frontdesk.errors import Busy, Conflict, KeyReused
from frontdesk.store.dynamodb.store import DynamoStore
from tests.store.samples import (
    DAY,
    FOLLOWERS,
    HOUR,
    NINE,
    PARTY,
    No,
    add_person,
    commit,
    decide,
    event,
    fact,
    given,
    guest,
    person_id,
    rsvp,
    seat,
    sign_up,
    timer,
)

REMIND = TimerName("ev/remind/ann/1d")


def timers(store: Store) -> list[tuple[TimerName, datetime]]:
    return list(store.due_timers(NINE + 1000 * DAY, 1000))


@pytest.mark.spec("FD-01")
def test_changes_facts_and_timers_become_true_together(store: Store) -> None:
    reads = given(store, cap=1, free=1)
    accepted = seat("ann")

    outcome = store.commit(accepted, by="guest:ann", at=NINE)

    (recorded,) = outcome.facts
    assert outcome == Committed((Recorded(recorded.seq, NINE, "guest:ann", accepted.facts[0]),))
    assert reads.facts(PARTY) == [recorded]
    assert reads.guest(guest().id) == guest(reminders=(REMIND,))
    assert reads.event(PARTY) == event(cap=1, free=0, taken=1)
    assert timers(store) == [(REMIND, NINE + HOUR)]


@pytest.mark.spec("FD-01")
def test_a_last_change_that_fails_leaves_nothing_of_the_commit(store: Store) -> None:
    reads = given(store, guest("bob"), cap=2, free=2)
    twice = AddGuest(guest("bea", person_id=person_id("bob")))
    accepted = Accepted(
        (TakeSeats(PARTY, 0, 1, waited=False), add_person("bea"), twice),
        (fact(),),
        (timer("ev/new"), DropTimer(REMIND)),
    )
    commit(store, facts=())
    store.commit(Accepted(timers=(timer(REMIND),)), by="cli", at=NINE)

    with pytest.raises(Conflict) as refused:
        store.commit(accepted, by="cli", at=NINE)

    assert refused.value.change == twice
    assert reads.event(PARTY) == event(cap=2, free=2)
    assert reads.person(person_id("bea")) is None
    assert reads.facts(PARTY) == []
    assert timers(store) == [(REMIND, NINE + HOUR)]


@pytest.mark.spec("FD-01")
def test_a_failed_commit_affects_no_other(store: Store) -> None:
    given(store, cap=3, free=3)
    stale = Accepted((add_person("bad"), TakeSeats(PARTY, 7, 1, waited=False)))

    asks = [sign_up("ann"), lambda _reads: stale, sign_up("bob"), fail_in_a_rule, sign_up("cat")]
    answers = [store.submit(ask, by="x", at=NINE) for ask in asks]

    assert [future.exception() is None for future in answers] == [True, False, True, False, True]
    assert isinstance(answers[1].exception(), Busy)
    assert isinstance(answers[3].exception(), ZeroDivisionError)
    assert counters(store) == Seats(cap=3, free=0, taken=3)
    assert store.reads().engine.person(person_id("bad")) is None


def fail_in_a_rule(_reads: Reads) -> Accepted:
    raise ZeroDivisionError


def counters(store: Store) -> Seats:
    found = rsvp(store).event(PARTY)
    assert found is not None
    return found.seats


@pytest.mark.spec("FD-01")
def test_a_write_that_fails_by_a_bug_leaves_nothing_and_affects_no_other(store: Store) -> None:
    given(store, cap=3, free=3)
    strange = Accepted((TakeSeats(PARTY, 0, 1, waited=False), Unheard()), (fact(),))

    asks = [sign_up("ann"), lambda _reads: strange, sign_up("bob")]
    answers = [store.submit(ask, by="x", at=NINE) for ask in asks]

    assert [future.exception() is None for future in answers] == [True, False, True]
    assert isinstance(answers[1].exception(), KeyError)
    assert counters(store) == Seats(cap=3, free=1, taken=2)


class Unheard(Change):
    """A change that no store can write."""


def test_a_refusal_writes_nothing_and_is_the_answer(store: Store) -> None:
    given(store, cap=0, free=0)

    assert decide(store, sign_up("ann")) == Refused(No.FULL)
    assert rsvp(store).facts(PARTY) == []


def test_a_decision_sees_what_was_decided_before_it(store: Store) -> None:
    given(store, cap=1, free=1)

    answers = [store.submit(sign_up(name), by="x", at=NINE) for name in ("ann", "bob")]

    assert isinstance(answers[0].result(), Committed)
    assert answers[1].result() == Refused(No.FULL)


def test_a_conflict_is_decided_again_a_few_times_and_then_busy(store: Store) -> None:
    given(store)
    asked: list[int] = []

    def stale_at_first(reads: Reads) -> Accepted:
        asked.append(len(asked))
        return Accepted((TakeSeats(PARTY, 0 if len(asked) > 2 else 9, 1, waited=False),))

    assert decide(store, stale_at_first) == Committed(())

    with pytest.raises(Busy):
        decide(store, lambda _reads: Accepted((TakeSeats(PARTY, 9, 1, waited=False),)))
    assert counters(store) == Seats(cap=5, free=4, taken=1)


@pytest.mark.spec("FD-01")
def test_facts_are_numbered_in_the_order_in_which_they_became_true(store: Store) -> None:
    given(store)
    first, second, third = fact("a"), fact("b"), fact("a")

    one, two = commit(store, facts=(first, second)).facts
    (three,) = store.commit(Accepted(facts=(third,)), by="member:1", at=NINE + HOUR).facts

    assert one.seq < two.seq < three.seq
    expected = [
        Recorded(one.seq, NINE, "cli", first),
        Recorded(two.seq, NINE, "cli", second),
        Recorded(three.seq, NINE + HOUR, "member:1", third),
    ]
    assert list(store.unfollowed("react", frozenset({first.kind}), 10)) == expected
    assert list(rsvp(store).facts(EventId("a"))) == [expected[0], expected[2]]


def test_listeners_hear_the_facts_of_each_commit(store: Store) -> None:
    heard: list[Recorded] = []

    def listen(facts: Sequence[Recorded]) -> None:
        heard.extend(facts)

    store.on_commit(listen)
    committed = commit(store, AddEvent(event()), facts=(fact("a"), fact("b")))

    assert tuple(heard) == committed.facts


def test_listeners_hear_of_a_commit_without_facts_but_not_of_a_refusal(store: Store) -> None:
    given(store, cap=0, free=0)
    heard: list[Sequence[Recorded]] = []
    store.on_commit(heard.append)

    decide(store, sign_up("ann"))
    commit(store, LineChanged(PARTY))

    assert heard == [[]]


def test_an_instant_is_kept_in_whole_seconds(store: Store) -> None:
    given(store)

    committed = store.commit(
        Accepted(facts=(fact(),)), by="cli", at=NINE.replace(microsecond=999_999)
    )

    assert committed.facts[0].at == NINE
    assert tuple(rsvp(store).facts(PARTY)) == committed.facts


# --- timers ---------------------------------------------------------------------------------


def test_timers_are_set_moved_and_dropped(store: Store) -> None:
    store.commit(Accepted(timers=(timer("ev/a"), timer("ev/b"), timer("ev/c"))), by="cli", at=NINE)
    assert store.next_timer_at() == NINE + HOUR

    moved = Accepted(timers=(timer("ev/a", NINE + DAY), DropTimer(TimerName("ev/b"))))
    store.commit(moved, by="cli", at=NINE)
    store.commit(Accepted(timers=(DropTimer(TimerName("ev/not-there")),)), by="cli", at=NINE)

    assert timers(store) == [("ev/c", NINE + HOUR), ("ev/a", NINE + DAY)]


def test_only_due_timers_are_due_and_the_oldest_first(store: Store) -> None:
    late, now, early = (
        timer("ev/late", NINE + HOUR),
        timer("ev/now", NINE),
        timer("ev/early", NINE - HOUR),
    )
    store.commit(Accepted(timers=(late, now, early)), by="cli", at=NINE)

    assert list(store.due_timers(NINE, 10)) == [("ev/early", NINE - HOUR), ("ev/now", NINE)]
    assert list(store.due_timers(NINE, 1)) == [("ev/early", NINE - HOUR)]
    assert store.next_timer_at() == NINE - HOUR


def test_no_timer_is_next_when_there_is_none(store: Store) -> None:
    assert store.next_timer_at() is None


# --- causes ---------------------------------------------------------------------------------


@pytest.mark.spec("FD-03")
def test_a_timer_goes_in_the_commit_that_it_caused_and_fires_once(store: Store) -> None:
    given(store)
    store.commit(Accepted(timers=(timer("ev/due"),)), by="cli", at=NINE)
    fired = Fired(TimerName("ev/due"), NINE + HOUR)

    first = decide(store, sign_up("ann"), cause=fired)
    again = decide(store, sign_up("bob"), cause=fired)

    assert isinstance(first, Committed)
    assert not first.repeated
    assert again == Committed((), repeated=True)
    assert timers(store) == [(REMIND, NINE + HOUR)]
    assert counters(store) == Seats(cap=5, free=4, taken=1)


@pytest.mark.spec("FD-03")
def test_a_timer_that_was_moved_does_not_fire_for_its_old_time(store: Store) -> None:
    given(store)
    store.commit(Accepted(timers=(timer("ev/due", NINE + DAY),)), by="cli", at=NINE)

    outcome = decide(store, sign_up("ann"), cause=Fired(TimerName("ev/due"), NINE + HOUR))

    assert outcome == Committed((), repeated=True)
    assert timers(store) == [("ev/due", NINE + DAY)]


def test_the_command_of_a_timer_may_set_it_again(store: Store) -> None:
    store.commit(Accepted(timers=(timer("ev/daily", NINE),)), by="cli", at=NINE)
    tomorrow = Accepted(timers=(timer("ev/daily", NINE + DAY),))

    decide(store, lambda _reads: tomorrow, cause=Fired(TimerName("ev/daily"), NINE))

    assert timers(store) == [("ev/daily", NINE + DAY)]


@pytest.mark.spec("FD-03")
def test_a_refusal_settles_its_cause(store: Store) -> None:
    given(store, cap=0, free=0)
    accepted = Accepted(facts=(fact(),), timers=(timer("ev/due"),))
    (followed,) = store.commit(accepted, by="cli", at=NINE).facts

    by_timer = decide(store, sign_up("ann"), cause=Fired(TimerName("ev/due"), NINE + HOUR))
    by_fact = decide(store, sign_up("ann"), cause=Followed("react", followed.seq))

    assert by_timer == by_fact == Refused(No.FULL)
    assert timers(store) == []
    assert unfollowed(store) == []


@pytest.mark.spec("FD-03")
def test_a_fact_is_followed_once_by_each_follower(store: Store) -> None:
    given(store)
    one, two, three = seqs(store, 3)

    first = decide(store, sign_up("ann"), cause=Followed("react", one))
    again = decide(store, sign_up("bob"), cause=Followed("react", one))

    assert isinstance(first, Committed)
    assert again == Committed((), repeated=True)
    assert counters(store).taken == 1
    assert unfollowed(store) == [two, three]
    assert unfollowed(store, "tell") == [one, two, three]


def seqs(store: Store, count: int) -> list[int]:
    """Returns the seqs of this many new facts."""
    committed = commit(store, facts=tuple(fact() for _ in range(count)))
    return [each.seq for each in committed.facts]


def unfollowed(store: Store, follower: str = "react") -> list[int]:
    return [each.seq for each in store.unfollowed(follower, frozenset({fact().kind}), 100)]


@pytest.mark.spec("FD-03")
def test_a_later_fact_settles_those_before_it_where_facts_are_followed_in_order(
    store: Store,
) -> None:
    given(store)
    one, two, three = seqs(store, 3)

    decide(store, sign_up("ann"), cause=Followed("react", two))
    earlier = decide(store, sign_up("bob"), cause=Followed("react", one))

    assert isinstance(earlier, Committed)
    assert earlier.repeated is store.follows_in_order
    assert counters(store).taken == (1 if store.follows_in_order else 2)
    assert unfollowed(store) == [three]


@pytest.mark.spec("FD-03")
def test_the_last_to_follow_a_fact_is_settled_like_the_first(store: Store) -> None:
    given(store)
    (seq,) = seqs(store, 1)

    for name, follower in (("ann", "react"), ("bob", "tell")):
        followed = decide(store, sign_up(name), cause=Followed(follower, seq))
        assert isinstance(followed, Committed)
        assert not followed.repeated

    assert unfollowed(store) == unfollowed(store, "tell") == []
    for follower in FOLLOWERS:
        again = decide(store, sign_up("cat"), cause=Followed(follower, seq))
        assert again == Committed((), repeated=True)
    assert counters(store).taken == 2


@pytest.mark.spec("FD-01")
def test_a_follower_keeps_its_place_when_the_commit_fails(store: Store) -> None:
    given(store)
    (seq,) = seqs(store, 1)
    impossible = Accepted((TakeSeats(PARTY, 9, 1, waited=False),))

    with pytest.raises(Busy):
        decide(store, lambda _reads: impossible, cause=Followed("react", seq))

    assert unfollowed(store) == [seq]


def test_a_follower_sees_only_the_kinds_it_asks_for_in_bounded_steps(store: Store) -> None:
    given(store)
    one, two, three = seqs(store, 3)
    decide(store, sign_up("ann"))

    assert unfollowed(store) == [one, two, three]
    assert [each.seq for each in store.unfollowed("react", frozenset({fact().kind}), 2)] == [
        one,
        two,
    ]
    assert list(store.unfollowed("react", frozenset({"no.such"}), 10)) == []


def test_a_follower_passes_over_other_facts_and_never_goes_back(store: Store) -> None:
    given(store)
    one, two, three = seqs(store, 3)

    store.pass_over("react", two)
    assert unfollowed(store) == ([three] if store.follows_in_order else [one, three])
    store.pass_over("react", one)
    store.pass_over("react", one)

    assert unfollowed(store) == [three]
    assert unfollowed(store, "tell") == [one, two, three]


@pytest.mark.spec("FD-03")
def test_a_repeated_key_gets_the_same_answer_and_no_second_effect(store: Store) -> None:
    given(store)

    first = decide(store, sign_up("ann"), key="k1")
    again = decide(store, sign_up("bob"), key="k1")

    assert isinstance(first, Committed)
    assert again == Committed(first.facts, repeated=True)
    assert counters(store) == Seats(cap=5, free=4, taken=1)


@pytest.mark.spec("FD-03")
def test_a_key_that_comes_with_another_content_is_refused_and_writes_nothing(
    store: Store,
) -> None:
    given(store)
    mine = request_key("t", sender="ann", key="k1", content="one")
    other = request_key("t", sender="ann", key="k1", content="two")

    first = decide(store, sign_up("ann"), key=mine)
    with pytest.raises(KeyReused):
        decide(store, sign_up("bob"), key=other)
    again = decide(store, sign_up("bob"), key=mine)

    assert isinstance(first, Committed)
    assert again == Committed(first.facts, repeated=True)


@pytest.mark.spec("FD-03")
def test_a_cause_is_settled_also_under_a_key_that_was_used(store: Store) -> None:
    given(store)
    (seq,) = seqs(store, 1)
    first = decide(store, sign_up("ann"), key="k1")

    again = decide(store, sign_up("bob"), key="k1", cause=Followed("react", seq))

    assert isinstance(first, Committed)
    assert again == Committed(first.facts, repeated=True)
    assert unfollowed(store) == []


def test_a_key_is_remembered_also_when_nothing_was_recorded(store: Store) -> None:
    given(store)

    first = decide(store, lambda _reads: Accepted((LineChanged(PARTY),)), key="k1")
    again = decide(store, lambda _reads: Accepted((LineChanged(PARTY),)), key="k1")

    assert (first, again) == (Committed(()), Committed((), repeated=True))
    assert counters(store) == Seats(cap=5, free=5, rev=1)


def test_a_key_whose_request_was_refused_can_be_used_again(store: Store) -> None:
    given(store, cap=1, free=1)

    refused = decide(store, sign_up("ann", seats=2), key="k1")
    accepted = decide(store, sign_up("ann"), key="k1")

    assert refused == Refused(No.FULL)
    assert isinstance(accepted, Committed)
    assert not accepted.repeated


def test_an_event_loop_gets_the_same_answers(store: Store) -> None:
    given(store, cap=1, free=1)
    names = ["ann", "bob", "cat"]

    async def all_at_once() -> list[Outcome]:
        asked = [store.decide_async(sign_up(name), by="x", at=NINE) for name in names]
        return await asyncio.gather(*asked)

    answers = asyncio.run(all_at_once())

    assert [isinstance(each, Committed) for each in answers].count(True) == 1
    assert answers.count(Refused(No.FULL)) == 2


# --- dead letters ---------------------------------------------------------------------------


def test_a_dead_letter_and_its_cause_are_settled_together(store: Store) -> None:
    given(store)
    (seq,) = seqs(store, 1)

    for _ in range(2):
        store.add_dead_letter(
            "fact", "react/1", "no such guest", at=NINE, cause=Followed("react", seq)
        )

    assert unfollowed(store) == []
    assert [
        (each.at, each.what, each.ref, each.why, each.replayed_at)
        for each in store.reads().engine.dead_letters(10)
    ] == [(NINE, "fact", "react/1", "no such guest", None)]


def test_a_dead_letter_needs_no_cause(store: Store) -> None:
    store.add_dead_letter("send", "s1", "refused", at=NINE, cause=None)
    store.add_dead_letter("job", "j1", "stuck", at=NINE, cause=None)

    assert [each.ref for each in store.reads().engine.dead_letters(1)] == ["j1"]


# --- one row once ---------------------------------------------------------------------------


def test_no_row_may_be_touched_twice_in_one_commit(store: Store) -> None:
    given(store)

    with pytest.raises(AssertionError, match="twice"):
        commit(store, LineChanged(PARTY), TakeSeats(PARTY, 0, 1, waited=False))
    with pytest.raises(AssertionError, match="twice"):
        store.commit(
            Accepted(timers=(timer("ev/a"), DropTimer(TimerName("ev/a")))), by="cli", at=NINE
        )

    assert counters(store) == Seats(cap=5, free=5)


def test_the_revision_has_changed_before_a_commit_with_such_a_change_is_announced(
    store: Store,
) -> None:
    """Stores that other processes also write to have no revision."""
    heard: list[object] = []
    store.on_commit(lambda _facts: heard.append(store.revision([TakeSeats])))
    given(store, cap=9, free=9)
    found = [store.revision([TakeSeats]), store.revision([AddGuest, TakeSeats])]

    commit(store, add_person("ann"))
    found.append(store.revision([TakeSeats]))
    commit(store, *seat("bob").changes)
    found += [store.revision([TakeSeats]), store.revision([AddGuest, TakeSeats]), heard[-1]]

    if isinstance(store, DynamoStore):
        assert found == [None] * 6
        return
    before, both_before, after_another, after, both_after, told = found
    assert before == after_another != after == told
    assert both_before != both_after
