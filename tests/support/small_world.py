"""An event small enough to visit all its states: changes are applied in memory.

The conditions and updates are written here a second time, from the descriptions of the changes, so
that a difference between a store and the rules shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Accepted, Change, Command, Decision
from frontdesk.core.people import AddPerson, Person, PersonId
from frontdesk.desks.rsvp import changes as c
from frontdesk.desks.rsvp import commands
from frontdesk.desks.rsvp.desk import RULES
from frontdesk.desks.rsvp.invariants import broken_invariants, unfilled_seat
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
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, replace

EVENT = EventId("event")
NOW = datetime(2026, 11, 16, 1, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=7)
STARTS = NOW + timedelta(days=20)
DETAILS = Details("Small", STARTS, STARTS + timedelta(hours=1), "UTC")


class World(Frozen):
    """One state: the rows of the event and of its guests. Frozen, because states are stored in
    sets."""

    event: Event
    guests: tuple[Guest, ...] = ()
    wishes: tuple[int, ...] = (1, 1, 1)
    """The parties of people who may sign up."""

    # --- what the rules read ----------------------------------------------------------------

    def event_row(self) -> Event:
        return self.event

    def guest(self, guest_id: str) -> Guest | None:
        return next((one for one in self.guests if one.id == guest_id), None)

    def line(self, round_: int) -> list[Guest]:
        waiting = [one for one in self.guests if one.state is State.WAITING]
        owed = [one for one in waiting if one.seen < round_]
        return sorted(owed, key=lambda one: (one.lapsed, one.ticket))

    # --- what can happen --------------------------------------------------------------------

    def commands(self) -> Iterator[tuple[Command, datetime]]:
        for number, party in enumerate(self.wishes):
            name = f"g{number}"
            yield (
                commands.SignUp(
                    EVENT,
                    GuestId(name),
                    PersonId(name),
                    name,
                    f"{name}@example.org",
                    party,
                    Lane.FORM,
                ),
                NOW,
            )
        for one in self.guests:
            yield commands.Cancel(one.id), NOW
            yield commands.ReduceParty(one.id, one.party - 1), NOW
            yield commands.MoveInLine(one.id, to_front=True), NOW
            yield commands.SeatFromTheLine(one.id), NOW
            yield commands.TakeFreeSeat(one.id), NOW
            for seq in {one.seq, one.seq - 1}:
                yield commands.ArmOffer(one.id, seq), NOW
                yield commands.DisarmOffer(one.id, seq), NOW
                yield commands.ClaimOffer(one.id, seq), NOW
                yield commands.DeclineOffer(one.id, seq), NOW
                yield commands.LapseOffer(one.id, seq), LATER
                yield commands.WithdrawOffer(one.id, seq), NOW
        yield commands.Fill(EVENT), NOW
        for cap in {self.event.seats.cap - 1, self.event.seats.cap + 1}:
            yield commands.SetCap(EVENT, cap), NOW

    def decide(self, command: Command, now: datetime) -> Decision:
        rule = RULES[type(command)]
        reads = cast(Reads, _Reads(self))
        return rule.decide(rule.load(reads, command), command, now)

    # --- what is wrong ----------------------------------------------------------------------

    def problems(self) -> list[str]:
        timers = frozenset(
            name
            for one in self.guests
            for name in (*one.reminders, *([f"ev/offer/{one.id}/{one.seq}"] if one.live else []))
        )
        return list(broken_invariants(self.event, self.guests, timers))

    def settled(self) -> World:
        """Fills seats until nothing changes; returns the result."""
        world = self
        for _ in range(50):
            decision = world.decide(commands.Fill(EVENT), NOW)
            if not isinstance(decision, Accepted):
                return world
            after = world.after(decision)
            assert after is not None, "a decision holds in the world that it was made in"
            world = after
        raise AssertionError("it never settles")

    def left_over(self) -> str | None:
        return unfilled_seat(self.event, self.guests)

    def key(self) -> tuple[object, ...]:
        """Equal for states that differ only in how often things have happened."""
        seats = self.event.seats
        ranks = {ticket: n for n, ticket in enumerate(sorted({one.ticket for one in self.guests}))}
        rows = sorted(
            (
                one.id,
                one.state,
                one.party,
                ranks[one.ticket] if one.state in (State.WAITING, State.OFFERED) else 0,
                one.lapsed,
                one.seen < seats.round,
                one.live,
            )
            for one in self.guests
        )
        return (seats.cap, seats.free, seats.offered, seats.taken, tuple(rows))

    def after(self, decision: Accepted) -> World | None:
        """Returns the next state; None if a condition does not hold."""
        world: World | None = self
        for change in decision.changes:
            if world is None:
                return None
            world = _applied(world, change)
        return world


class _Reads:
    """Implements the reads that these commands use."""

    def __init__(self, world: World) -> None:
        self._world = world

    def desk(self, _code: str) -> Any:
        return self

    def event(self, _event_id: str) -> Event:
        return self._world.event

    def guest(self, guest_id: str) -> Guest | None:
        return self._world.guest(guest_id)

    def guest_of(self, _event_id: str, person_id: str) -> Guest | None:
        return self._world.guest(person_id)

    def person_by_email(self, key: str) -> Person | None:
        name = key.partition("@")[0]
        if self._world.guest(name) is None:
            return None
        return Person(PersonId(name), name, key)

    def next_in_line(self, _event_id: str, round_: int, limit: int) -> Sequence[Guest]:
        return self._world.line(round_)[:limit]

    def next_that_fits(self, _event_id: str, round_: int, seats: int) -> Guest | None:
        return next((one for one in self._world.line(round_) if one.party <= seats), None)

    def last_pending_offer(self, _event_id: str) -> Guest | None:
        pending = [one for one in self._world.guests if one.state is State.OFFERED and not one.live]
        return max(pending, key=lambda one: (one.lapsed, one.ticket), default=None)

    def lapsed_waiting(self, _event_id: str) -> int:
        return sum(one.state is State.WAITING and one.lapsed for one in self._world.guests)

    def line_ends(self, _event_id: str) -> tuple[int, int]:
        tickets = [
            one.ticket for one in self._world.guests if one.state in (State.WAITING, State.OFFERED)
        ]
        return (min(tickets), max(tickets)) if tickets else (0, 0)


def _applied(world: World, change: Change) -> World | None:
    match change:
        case AddPerson():
            known = world.guest(change.email_key.partition("@")[0]) is not None
            return None if known else world
        case c.AddGuest():
            taken = world.guest(change.guest.id) is not None
            return None if taken else replace(world, guests=(*world.guests, change.guest))
        case c.WriteGuest():
            before = world.guest(change.guest.id)
            if before is None or before.version != change.guest.version - 1:
                return None
            rest = tuple(change.guest if one.id == change.guest.id else one for one in world.guests)
            return replace(world, guests=rest)
        case c.AddOffer() | c.MoveOffer():
            return world
        case c.SeatChange():
            seats = _seats_after(world.event, change)
            if seats is None:
                return None
            return replace(world, event=replace(world.event, seats=seats))
        case _:
            raise AssertionError(f"not a change of this world: {change}")


def _seats_after(event: Event, change: c.SeatChange) -> Seats | None:
    s = event.seats
    r = s.rev + 1
    match change:
        case c.TakeSeats(_, version, n, waited):
            if event.version != version or s.free < n or s.owed:
                return None
            return replace(s, free=s.free - n, taken=s.taken + n, waiting=s.waiting - waited)
        case c.JoinLine(_, version, n, rev):
            if event.version != version or s.rev != rev or (s.free >= n and s.owed == 0):
                return None
            return replace(s, waiting=s.waiting + 1, owed=s.owed + 1, tickets=s.tickets + 1, rev=r)
        case c.SeatFromLine(_, version, n, round_, owed):
            if event.version != version or s.free < n or s.round != round_:
                return None
            return replace(
                s,
                free=s.free - n,
                taken=s.taken + n,
                waiting=s.waiting - 1,
                owed=s.owed - owed,
                rev=r,
            )
        case c.ReleaseSeats(_, n, taken, round_, opens):
            if s.taken != taken or s.round != round_ or (s.free > -n) != opens:
                return None
            return _opened(replace(s, free=s.free + n, taken=s.taken - n, rev=r), opens)
        case c.RaiseCap(_, cap, by, round_, opens):
            if s.cap != cap or s.round != round_ or (s.free > -by) != opens:
                return None
            return _opened(replace(s, cap=s.cap + by, free=s.free + by, rev=r), opens)
        case c.LowerCap(_, cap, by):
            return None if s.cap != cap else replace(s, cap=cap - by, free=s.free - by, rev=r)
        case c.HoldSeats(_, version, n, rev):
            if event.version != version or s.rev != rev or s.free < n:
                return None
            return replace(
                s,
                free=s.free - n,
                offered=s.offered + n,
                waiting=s.waiting - 1,
                owed=s.owed - 1,
                rev=r,
            )
        case c.TakeBackSeats(_, n, rev):
            return None if s.rev != rev or s.free >= 0 else _back_and_owed(s, n)
        case c.NotInDebt(_, version):
            return None if event.version != version or s.free < 0 else s
        case c.ClaimSeats(_, version, n):
            if event.version != version or s.room < n:
                return None
            return replace(s, offered=s.offered - n, taken=s.taken + n)
        case c.KeepPlace(_, n):
            return None if s.room >= n else _back_and_owed(s, n)
        case c.ReturnSeats(_, n, round_):
            if s.round != round_:
                return None
            return replace(s, offered=s.offered - n, free=s.free + n, waiting=s.waiting + 1, rev=r)
        case c.DropHeldSeats(_, n):
            return replace(s, offered=s.offered - n, free=s.free + n, rev=r)
        case c.LeaveLine(_, round_, owed):
            if s.round != round_:
                return None
            return replace(s, waiting=s.waiting - 1, owed=s.owed - owed, rev=r)
        case c.LineChanged(_, tickets):
            return replace(s, tickets=s.tickets + tickets, rev=r)
        case _:
            raise AssertionError(f"no such change: {change}")


def _opened(seats: Seats, opens: bool) -> Seats:
    return replace(seats, round=seats.round + 1, owed=seats.waiting) if opens else seats


def _back_and_owed(s: Seats, n: int) -> Seats:
    return replace(
        s,
        offered=s.offered - n,
        free=s.free + n,
        waiting=s.waiting + 1,
        owed=s.owed + 1,
        rev=s.rev + 1,
    )


def small_world(cap: int, wishes: tuple[int, ...], **settings: Any) -> World:
    event = Event(
        EVENT,
        "small",
        DETAILS,
        replace(EventSettings(), reminders=(), party_limit=max(wishes), **settings),
        Seats(cap=cap, free=cap),
    )
    assert email_key("G0@example.org") == "g0@example.org"
    return World(event, (), wishes)
