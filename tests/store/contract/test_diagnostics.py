"""Reads for staff: counts, a fact, a dead letter."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted
from frontdesk.core.jobs import AddJob, AdvanceJob, Job, JobId
from frontdesk.core.notes import Note
from frontdesk.core.sends import EndSend, QueueSend, SendId, SendState, StartSend, Via
from frontdesk.engine.health import Diagnostics, StoreStats
from frontdesk.engine.ports import DeadLetter
from frontdesk.wiring.application import MonitoredStore
from tests.store.samples import (
    DAY,
    HOUR,
    NINE,
    PARTY,
    add_person,
    commit,
    fact,
    person_id,
    timer,
)


def diagnostics(store: MonitoredStore) -> Diagnostics:
    return store.diagnostics(lambda _letter_id, _at: None)


def test_an_empty_store_counts_nothing(store: MonitoredStore) -> None:
    assert diagnostics(store).numbers(NINE) == StoreStats(0, {}, {}, {}, None, None, 0, 0, 0)


def test_the_numbers_are_those_of_the_rows(store: MonitoredStore) -> None:
    (last,) = commit(store, add_person(), facts=(fact(),)).facts
    queue(store, "old", NINE - 2 * DAY)
    queue(store, "failed", NINE - HOUR)
    queue(store, "later", NINE + HOUR)
    commit(store, EndSend(SendId("failed"), SendState.QUEUED, SendState.FAILED, "refused"))
    timers = (timer("ev/due", NINE - HOUR), timer("ev/later", NINE + HOUR))
    store.commit(Accepted(timers=timers), by="cli", at=NINE)
    for name in ("j1", "j2"):
        commit(store, AddJob(Job(JobId(name), "ev", "move", PARTY)))
    commit(store, AdvanceJob(JobId("j2"), "", "z", 1, finished=True))
    store.add_dead_letter("send", "failed", "refused", at=NINE, cause=None)

    assert diagnostics(store).numbers(NINE) == StoreStats(
        facts=last.seq,
        places={},
        sends={SendState.QUEUED: 2, SendState.FAILED: 1},
        ended_last_day={SendState.QUEUED: 1, SendState.FAILED: 1},
        oldest_timer_at=NINE - HOUR,
        oldest_send_at=NINE - 2 * DAY,
        dead_letters=1,
        open_jobs=1,
        waiting_writes=0,
    )


def queue(store: MonitoredStore, name: str, at: datetime) -> None:
    note = Note("confirmed", "ann", f"ev/{name}", PARTY, "ann")
    commit(store, QueueSend(SendId(name), "ev", note, person_id("ann"), at))


def test_texts_that_ended_are_counted_apart(store: MonitoredStore) -> None:
    commit(store, add_person())
    queued = SendState.QUEUED
    for name, via in (("mail", Via.MAIL), ("text", Via.TEXT), ("open", Via.TEXT)):
        queue(store, name, NINE - HOUR)
        commit(store, StartSend(SendId(name), queued, attempts=0, via=via))
    for name in ("mail", "text"):
        commit(store, EndSend(SendId(name), SendState.SENDING, SendState.FAILED, "refused"))

    found = diagnostics(store).numbers(NINE)
    assert (found.texts_last_day, found.failed_texts_last_day) == (1, 1)


def test_a_fact_is_found_by_its_number(store: MonitoredStore) -> None:
    one, two = commit(store, facts=(fact("a"), fact("b"))).facts

    assert diagnostics(store).recorded(one.seq) == one
    assert diagnostics(store).recorded(two.seq) == two
    assert diagnostics(store).recorded(two.seq + 1) is None


def test_a_dead_letter_is_found_by_its_number(store: MonitoredStore) -> None:
    store.add_dead_letter("timer", "ev/due", "no such guest", at=NINE, cause=None)
    (letter,) = store.reads().engine.dead_letters(10)

    expected = DeadLetter(letter.id, NINE, "timer", "ev/due", "no such guest")
    assert diagnostics(store).dead_letter(letter.id) == letter == expected
    assert diagnostics(store).dead_letter(letter.id + 1) is None


def test_settling_a_dead_letter_returns_whether_it_was_open(store: MonitoredStore) -> None:
    told: list[tuple[int, datetime]] = []

    store.diagnostics(lambda *settled: told.append(settled)).mark_replayed(7, at=NINE)

    assert told == [(7, NINE)]
