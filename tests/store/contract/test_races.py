"""Many people at once for the last seats: exactly as many winners as seats."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from frontdesk.core.decision import Accepted, Refused
from frontdesk.desks.rsvp import load
from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.decide.cancellations import cancel
from frontdesk.desks.rsvp.facts import GuestCancelled, SeatsFreed
from frontdesk.desks.rsvp.model import GuestId, Seats
from frontdesk.engine.ports import Committed, Store
from frontdesk.errors import Conflict
from tests.store.samples import (
    NINE,
    PARTY,
    decide,
    given,
    guest,
    rsvp,
    seat,
    sign_up,
)
from tests.support.at_once import all_at_once

THREADS = 32
ATTEMPTS = 20
CAP = 50
#: So few that none is refused because too many ask at once.
CANCELLING = 6


def attempts_at_once(attempt: Callable[[str], str]) -> Counter[str]:
    """Starts all threads together; each makes its attempts one after the other."""

    def one_thread(number: int) -> list[str]:
        return [attempt(f"g{number}-{turn}") for turn in range(ATTEMPTS)]

    found = all_at_once([partial(one_thread, number) for number in range(THREADS)])
    return Counter(answer for answers in found for answer in answers)


@contextmanager
def watched(store: Store) -> Iterator[list[Seats]]:
    """Reads the counters again and again while others write."""
    seen: list[Seats] = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            seen.append(seats_of(store))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()


def seats_of(store: Store) -> Seats:
    found = rsvp(store).event(PARTY)
    assert found is not None
    return found.seats


def check_all_seats_are_taken_once(store: Store, seen: list[Seats]) -> None:
    assert seats_of(store) == Seats(cap=CAP, free=0, taken=CAP)
    assert rsvp(store).guest_count(PARTY) == CAP
    assert len(rsvp(store).facts(PARTY)) == CAP
    assert len(store.due_timers(NINE.replace(year=2030), 1000)) == CAP
    assert all(0 <= each.taken <= CAP and each.free == CAP - each.taken for each in seen)


@pytest.mark.spec("EV-04")
def test_of_all_who_decide_at_once_exactly_as_many_win_as_there_are_seats(store: Store) -> None:
    given(store, cap=CAP, free=CAP)

    def attempt(name: str) -> str:
        outcome = decide(store, sign_up(name))
        return "refused" if isinstance(outcome, Refused) else "seated"

    with watched(store) as seen:
        answers = attempts_at_once(attempt)

    assert answers == {"seated": CAP, "refused": THREADS * ATTEMPTS - CAP}
    check_all_seats_are_taken_once(store, seen)


@pytest.mark.spec("EV-04")
def test_of_all_stale_decisions_exactly_as_many_commit_as_there_are_seats(store: Store) -> None:
    given(store, cap=CAP, free=CAP)

    def attempt(name: str) -> str:
        try:
            store.commit(seat(name), by="guest:x", at=NINE)
        except Conflict:
            return "conflict"
        return "seated"

    with watched(store) as seen:
        answers = attempts_at_once(attempt)

    assert answers == {"seated": CAP, "conflict": THREADS * ATTEMPTS - CAP}
    check_all_seats_are_taken_once(store, seen)


@pytest.mark.spec("EV-06")
def test_of_all_requests_of_one_person_exactly_one_gets_a_place(store: Store) -> None:
    given(store, cap=CAP, free=CAP)

    def attempt(_name: str) -> str:
        try:
            store.commit(seat("ann"), by="guest:x", at=NINE)
        except Conflict:
            return "conflict"
        return "seated"

    answers = attempts_at_once(attempt)

    assert answers == {"seated": 1, "conflict": THREADS * ATTEMPTS - 1}
    assert seats_of(store) == Seats(cap=CAP, free=CAP - 1, taken=1)


@pytest.mark.spec("FD-03")
def test_of_all_requests_under_one_key_exactly_one_has_its_effect(store: Store) -> None:
    given(store, cap=CAP, free=CAP)

    def attempt(name: str) -> str:
        outcome = decide(store, sign_up(name), key="the same")
        assert isinstance(outcome, Committed)
        assert len(outcome.facts) == 1
        return "repeated" if outcome.repeated else "done"

    answers = attempts_at_once(attempt)

    assert answers == {"done": 1, "repeated": THREADS * ATTEMPTS - 1}
    assert seats_of(store) == Seats(cap=CAP, free=CAP - 1, taken=1)


@pytest.mark.spec("EV-18", "EV-19")
def test_when_many_cancel_at_once_each_release_has_the_counts_of_its_own_write(
    store: Store,
) -> None:
    names = [f"g{number}" for number in range(CANCELLING)]
    given(store, cap=CAP, free=CAP)
    for name in names:
        decide(store, sign_up(name))

    def cancel_one(name: str) -> None:
        command = Cancel(GuestId(name))
        decide(store, lambda reads: cancel(load.guest(reads, command), command, NINE))

    all_at_once([partial(cancel_one, name) for name in names])

    facts = [each.fact for each in rsvp(store).facts(PARTY, limit=1_000)]
    released = [fact for fact in facts if isinstance(fact, GuestCancelled)]
    freed = [fact for fact in facts if isinstance(fact, SeatsFreed)]
    counts = [(taken, taken - 1) for taken in range(CANCELLING, 0, -1)]
    assert sorted(fact.guest_id for fact in released) == sorted(names)
    for said in (released, freed):
        assert [(fact.taken_before, fact.taken_after) for fact in said] == counts
    assert seats_of(store).taken == 0


@pytest.mark.spec("EV-19")
@pytest.mark.parametrize("debt", [0, 2], ids=["seats come free", "a debt shrinks"])
def test_a_release_that_was_decided_on_an_older_count_is_not_written(
    store: Store, debt: int
) -> None:
    """Both are decided on the same rows. The second is refused, decides again, and records the
    right count."""
    seated = [guest(name) for name in ("ann", "bob")]
    given(store, *seated, cap=2 - debt, free=-debt, taken=2)
    commands = [Cancel(GuestId(name)) for name in ("ann", "bob")]
    first, second = [cancel(load.guest(store.reads(), each), each, NINE) for each in commands]
    assert isinstance(first, Accepted)
    assert isinstance(second, Accepted)

    store.commit(first, by="guest:ann", at=NINE)
    with pytest.raises(Conflict):
        store.commit(second, by="guest:bob", at=NINE)
    decide(store, lambda reads: cancel(load.guest(reads, commands[1]), commands[1], NINE))

    facts = [each.fact for each in rsvp(store).facts(PARTY, limit=100)]
    released = [fact for fact in facts if isinstance(fact, GuestCancelled)]
    assert [(fact.taken_before, fact.taken_after) for fact in released] == [(2, 1), (1, 0)]
