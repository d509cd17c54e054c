"""An event, its guests, and short ways to write them, for tests of any store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, cast

from frontdesk.core.decision import Accepted, Change, Fact, Refused, SetTimer, TimerName
from frontdesk.core.people import AddPerson, PersonId
from frontdesk.desks.rsvp.changes import AddEvent, AddGuest, TakeSeats
from frontdesk.desks.rsvp.facts import GuestConfirmed, ThanksDrafted
from frontdesk.desks.rsvp.model import (
    Details,
    Event,
    EventId,
    EventSettings,
    Guest,
    GuestId,
    Lane,
    Seats,
    State,
)
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.ports import Ask, Committed, Outcome, Reads, Store
from frontdesk.errors import Conflict
from frontdesk.values import replace

NINE = datetime(2026, 5, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
PARTY = EventId("party")
ANN = GuestId("ann")


#: Two followers of the fact in these samples.
FOLLOWERS = {name: frozenset({ThanksDrafted.kind}) for name in ("react", "tell")}


class No(StrEnum):
    FULL = "full"


def event(**seats: int) -> Event:
    counters = Seats(**{"cap": 5, "free": 5} | seats)
    details = Details("Garden party", NINE + 30 * DAY, NINE + 30 * DAY + 2 * HOUR, "Europe/Berlin")
    return Event(PARTY, "garden-party", details, EventSettings(), counters)


def guest(name: str = "ann", state: State = State.CONFIRMED, **columns: Any) -> Guest:
    plain = Guest(GuestId(name), PARTY, person_id(name), state, 1, Lane.FORM, joined_at=NINE)
    return replace(plain, **columns)


def person_id(name: str) -> PersonId:
    return PersonId(f"p-{name}")


def add_person(name: str = "ann") -> AddPerson:
    address = f"{name}@example.org"
    return AddPerson(person_id(name), name.title(), address, address)


def fact(words: str = "") -> Fact:
    """Returns a fact; `words` makes it different from others."""
    return ThanksDrafted(EventId(words or PARTY))


def timer(name: str, due_at: datetime = NINE + HOUR) -> SetTimer:
    return SetTimer(TimerName(name), due_at)


def commit(store: Store, *changes: Change, facts: tuple[Fact, ...] = ()) -> Committed:
    return store.commit(Accepted(changes, facts), by="cli", at=NINE)


def refused(store: Store, *changes: Change) -> bool:
    """Returns whether a condition of the changes does not hold."""
    try:
        commit(store, *changes)
    except Conflict:
        return True
    return False


def given(store: Store, *guests: Guest, **seats: int) -> RsvpReads:
    """Adds an event with these counters and guests; returns the reads."""
    commit(store, AddEvent(event(**seats)))
    for each in guests:
        commit(store, add_person(each.id), AddGuest(each))
    return rsvp(store)


def rsvp(store: Store) -> RsvpReads:
    return rsvp_of(store.reads())


def rsvp_of(reads: Reads) -> RsvpReads:
    return cast(RsvpReads, reads.desk("ev"))


def decide(store: Store, ask: Ask, **how: Any) -> Outcome:
    return store.decide(ask, by="guest:x", at=NINE, **how)


def sign_up(name: str, seats: int = 1) -> Ask:
    """Decides a minimal sign-up: a seat if there is one, or a refusal."""

    def ask(reads: Reads) -> Accepted | Refused:
        found = rsvp_of(reads).event(PARTY)
        assert found is not None
        if found.seats.free < seats:
            return Refused(No.FULL)
        return seat(name, found.version, seats)

    return ask


def seat(name: str, version: int = 0, seats: int = 1) -> Accepted:
    taken = guest(name, party=seats, reminders=(f"ev/remind/{name}/1d",))
    return Accepted(
        (TakeSeats(PARTY, version, seats, waited=False), add_person(name), AddGuest(taken)),
        (
            GuestConfirmed(
                PARTY, taken.id, 0, taken.person_id, seats, Lane.FORM, None, taken.reminders
            ),
        ),
        (timer(f"ev/remind/{name}/1d"),),
    )
