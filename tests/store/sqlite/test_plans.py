"""Every query of a sign-up uses an index."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from frontdesk.core.decision import Accepted, DropTimer, TimerName
from frontdesk.core.mail import KeepMail, MailId, RawMail, SettleMail
from frontdesk.core.notes import Note
from frontdesk.core.sends import (
    DeferSend,
    EndSend,
    QueueSend,
    SendId,
    SendState,
    StartSend,
)
from frontdesk.desks.rsvp.changes import (
    AddGuest,
    AddOffer,
    HoldSeats,
    JoinLine,
    LeaveLine,
    MoveOffer,
    ReleaseSeats,
    WriteGuest,
)
from frontdesk.desks.rsvp.model import Offer, OfferState, State
from frontdesk.engine.ports import Fired, Followed
from frontdesk.store.sqlite.store import SqliteStore
from tests.store.samples import (
    ANN,
    HOUR,
    NINE,
    PARTY,
    add_person,
    commit,
    decide,
    fact,
    given,
    guest,
    person_id,
    rsvp,
    sign_up,
    timer,
)

BOB = guest("bob", State.WAITING, ticket=1, version=0)
REMIND = TimerName("ev/remind/cat/1d")


def signs_up(store: SqliteStore) -> None:
    reads = rsvp(store)
    reads.event(PARTY)
    reads.event_by_slug("garden-party")
    reads.person_by_email("cat@example.org")
    reads.guest_of(PARTY, person_id("cat"))
    decide(store, sign_up("cat"), key="k")
    decide(store, sign_up("cat"), key="k")


def joins_the_line(store: SqliteStore) -> None:
    rsvp(store).lapsed_waiting(PARTY)
    rsvp(store).line_ends(PARTY)
    cat = guest("cat", State.WAITING, ticket=2)
    commit(store, JoinLine(PARTY, 0, 3, rev=0), add_person("cat"), AddGuest(cat))
    rsvp(store).position(cat)


def cancels(store: SqliteStore) -> None:
    rsvp(store).guest(ANN)
    release = ReleaseSeats(PARTY, 1, taken=1, round=0, opens=True)
    gone = WriteGuest(guest(state=State.CANCELLED, version=1))
    accepted = Accepted((release, gone), (fact(),), (DropTimer(REMIND),))
    store.commit(accepted, by="guest:ann", at=NINE)


def leaves_the_line(store: SqliteStore) -> None:
    gone = guest("bob", State.CANCELLED, version=1)
    commit(store, LeaveLine(PARTY, 0, owed=True), WriteGuest(gone))


def is_offered_a_seat(store: SqliteStore) -> None:
    reads = rsvp(store)
    reads.next_in_line(PARTY, 1, 1)
    reads.next_that_fits(PARTY, 1, 2)
    reads.last_pending_offer(PARTY)
    offer = Offer(PARTY, BOB.id, 1, 1, OfferState.PENDING, NINE)
    offered = guest("bob", State.OFFERED, ticket=1, version=1, seq=1)
    commit(store, HoldSeats(PARTY, 0, 1, rev=0), WriteGuest(offered), AddOffer(offer))
    reads.offer(BOB.id, 1)
    live = (OfferState.PENDING, OfferState.LIVE)
    commit(store, MoveOffer(PARTY, BOB.id, 1, *live, NINE, NINE + HOUR))


def is_followed_and_timed(store: SqliteStore) -> None:
    store.commit(Accepted(facts=(fact(),), timers=(timer("t"),)), by="cli", at=NINE)
    store.unfollowed("f", frozenset({fact().kind}), 10)
    store.due_timers(NINE + HOUR, 10)
    store.next_timer_at()
    decide(store, lambda _reads: Accepted(), cause=Followed("f", 1))
    decide(store, lambda _reads: Accepted(), cause=Fired(TimerName("t"), NINE + HOUR))
    rsvp(store).facts(PARTY)
    rsvp(store).facts(PARTY, about=ANN)
    store.open_jobs(10)


def is_told(store: SqliteStore) -> None:
    send_id = SendId("s")
    commit(store, QueueSend(send_id, "ev", Note("x", "ann", "k", PARTY), guest().person_id, NINE))
    store.due_sends(NINE, 10)
    store.next_send_at()
    store.reads().engine.send(send_id)
    commit(store, StartSend(send_id, SendState.QUEUED, 0))
    store.sends_in(SendState.SENDING, 10)
    commit(store, DeferSend(send_id, SendState.SENDING, SendState.HELD, NINE, ""))
    commit(store, EndSend(send_id, SendState.HELD, SendState.DROPPED, ""))


def writes_a_mail(store: SqliteStore) -> None:
    mail = RawMail(MailId("m"), NINE, "ann@example.org", "party@example.org", b"")
    commit(store, KeepMail(mail))
    store.reads().engine.raw_mail(mail.id)
    commit(store, SettleMail(mail.id, guest().person_id, "asked again"))


@pytest.mark.parametrize(
    "someone",
    [
        signs_up,
        joins_the_line,
        cancels,
        leaves_the_line,
        is_offered_a_seat,
        is_followed_and_timed,
        is_told,
        writes_a_mail,
    ],
)
def test_no_query_scans_a_table(
    store: SqliteStore, db: sqlite3.Connection, someone: Callable[[SqliteStore], None]
) -> None:
    given(store, guest("ann"), BOB, cap=3, free=2, taken=1, waiting=1, owed=0)
    if someone in (is_offered_a_seat, leaves_the_line):
        db.execute("UPDATE ev_event SET owed = 1")
    statements = traced(store)

    someone(store)

    steps = [step for sql in statements for step in plan(db, sql)]
    assert any(step.startswith("SEARCH") for step in steps)
    assert [step for step in steps if goes_through_many(step)] == []


def goes_through_many(step: str) -> bool:
    """Returns whether a step reads a whole table or all guests of an event, or sorts everything."""
    return (
        step.startswith("SCAN")
        or "TEMP B-TREE" in step
        or ("(event_id=?)" in step and "ev_event" not in step and " COVERING " not in step)
    )


def traced(store: SqliteStore) -> list[str]:
    """Records every statement from now on."""
    statements: list[str] = []
    for connection in (store._db, store._readers.mine()):
        connection.set_trace_callback(statements.append)
    return statements


#: These scan no table: a constant, the kinds of a follower, and an index that has only open jobs.
HARMLESS = ("SCAN CONSTANT ROW", "SCAN json_each ", "SCAN fd_job USING INDEX fd_job_open")


def plan(db: sqlite3.Connection, sql: str) -> list[str]:
    if not sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
        return []
    steps = [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    return [f"{step} in: {sql}" for step in steps if not step.startswith(HARMLESS)]
