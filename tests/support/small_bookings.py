"""A booking desk small enough to visit all its states: changes are applied in memory.

The conditions and updates are written here a second time, from the descriptions of the changes, so
that a difference between a store and the rules shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

from frontdesk.core.decision import Accepted, Change, Command, Decision
from frontdesk.core.jobs import AddJob
from frontdesk.core.people import AddPerson, Person, PersonId
from frontdesk.desks.booking import changes as c
from frontdesk.desks.booking import commands
from frontdesk.desks.booking.desk import rules as desk_rules
from frontdesk.desks.booking.invariants import capacity_problems, cell_problems, tally_problems
from frontdesk.desks.booking.load import Loader
from frontdesk.desks.booking.model import (
    Booking,
    BookingId,
    Handover,
    HandoverStatus,
    Hold,
    HoldId,
    Lane,
    Tally,
)
from frontdesk.desks.booking.rules import BookingRules, Resource
from frontdesk.desks.booking.ticks import Cell, Span
from frontdesk.desks.booking.views import DeskOptions, SlotState, WaitlistSlot
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, replace
from tests.support.booking import MINUTE, MIRA, SEVEN, TEN, resource, rules, service

NOW = SEVEN
TICK = timedelta(minutes=5)
CellKey = tuple[str, int, int]


class Rows(Frozen):
    """All rows, as mappings; each change copies them."""

    cells: Mapping[CellKey, str]
    bookings: Mapping[str, Booking]
    holds: Mapping[str, Hold]
    handovers: Mapping[str, Handover]
    tallies: Mapping[tuple[str, str], Tally]
    people: Mapping[str, Person]


EMPTY = Rows({}, {}, {}, {}, {}, {})


class World(Frozen):
    rows: Rows
    rules: BookingRules
    options: DeskOptions = DeskOptions()

    def key(self) -> object:
        """Equal for histories with the same holders of the same cells: one of them is enough."""
        rows = self.rows
        return (
            tuple(sorted(rows.cells.items())),
            tuple(sorted((one.id, one.status) for one in rows.bookings.values())),
            tuple(sorted((one.id, one.status) for one in rows.handovers.values())),
            tuple(sorted(rows.holds)),
        )

    def decide(self, command: Command) -> Decision:
        loader = Loader(self.options, slot=cast(Any, self._slot))
        rule = desk_rules(loader)[type(command)]
        return rule.decide(rule.load(self._reads(), command), command, NOW)

    def _slot(self, _reads: Reads, origin: str) -> WaitlistSlot | None:
        """Returns a slot that suits nobody."""
        known = next((one for one in self.rows.handovers.values() if one.origin == origin), None)
        if known is None:
            return None
        at = (known.starts_at, known.ends_at)
        return WaitlistSlot("slot", origin, SlotState.CLOSED, known.service, "mira", *at)

    def _reads(self) -> Reads:
        bk = _InMemory(self.rows, self.rules)
        return cast(Reads, SimpleNamespace(desk=lambda _code: bk, engine=None))

    def after(self, accepted: Accepted) -> World | None:
        """Returns the state after a commit; None if a condition does not hold."""
        rows = self.rows
        for change in accepted.changes:
            after = _APPLY[type(change)](rows, change)
            if after is None:
                return None
            rows = after
        return replace(self, rows=rows)

    def problems(self) -> list[str]:
        rows = self.rows
        cells = [Cell(*key, holder) for key, holder in rows.cells.items()]  # type: ignore[arg-type]
        bookings, handovers = list(rows.bookings.values()), list(rows.handovers.values())
        return [
            *cell_problems(cells, bookings, handovers),
            *capacity_problems(cells, bookings, self.rules, NOW),
            *tally_problems(rows.tallies.values(), bookings),
        ]


class _InMemory:
    """Implements the reads that decisions use."""

    def __init__(self, rows: Rows, rules_: BookingRules) -> None:
        self._rows = rows
        self._rules = rules_

    def rules(self) -> BookingRules:
        return self._rules

    def booking(self, booking_id: str) -> Booking | None:
        return self._rows.bookings.get(booking_id)

    def hold(self, hold_id: str) -> Hold | None:
        return self._rows.holds.get(hold_id)

    def handover(self, handover_id: str) -> Handover | None:
        return self._rows.handovers.get(handover_id)

    def person(self, person_id: str) -> Person | None:
        return self._rows.people.get(person_id)

    def person_by_email(self, email_key: str) -> Person | None:
        return next((one for one in self._rows.people.values() if one.email == email_key), None)

    def bookings_of(self, person_id: str) -> list[Booking]:
        return [one for one in self._rows.bookings.values() if one.person_id == person_id]

    def tallies(self, keys: Collection[tuple[str, str]]) -> list[Tally]:
        return [one for key in keys if (one := self._rows.tallies.get(key))]

    def cells(self, resources: Collection[str], span: Span) -> list[Cell]:
        return [
            Cell(resource, tick, place, holder)  # type: ignore[arg-type]
            for (resource, tick, place), holder in self._rows.cells.items()
            if resource in resources and span.start <= tick < span.end
        ]


def _write_cells(rows: Rows, change: c.WriteCells) -> Rows | None:
    cells = dict(rows.cells)
    for cell in change.cells:
        key = (change.resource, cell.tick, cell.place)
        if cells.get(key, "") != cell.before:
            return None
        cells.pop(key, None)
        if cell.after:
            cells[key] = cell.after
    return replace(rows, cells=cells)


def _add_booking(rows: Rows, change: c.AddBooking) -> Rows | None:
    one = change.booking
    return None if one.id in rows.bookings else _with(rows, "bookings", one.id, one)


def _write_booking(rows: Rows, change: c.WriteBooking) -> Rows | None:
    one = change.booking
    known = rows.bookings.get(one.id)
    is_next = known is not None and known.version == one.version - 1
    return _with(rows, "bookings", one.id, one) if is_next else None


def _as_read(rows: Rows, change: c.BookingAsRead) -> Rows | None:
    known = rows.bookings.get(change.booking_id)
    return rows if known is not None and known.version == change.version else None


def _write_hold(rows: Rows, change: c.WriteHold) -> Rows | None:
    one = change.hold
    known = rows.holds.get(one.id)
    before = known.version if known else 0
    return _with(rows, "holds", one.id, one) if before == one.version - 1 else None


def _delete_hold(rows: Rows, change: c.DeleteHold) -> Rows | None:
    known = rows.holds.get(change.hold_id)
    if known is None or known.version != change.version:
        return None
    return replace(rows, holds={key: one for key, one in rows.holds.items() if key != known.id})


def _add_handover(rows: Rows, change: c.AddHandover) -> Rows | None:
    one = change.handover
    return None if one.id in rows.handovers else _with(rows, "handovers", one.id, one)


def _write_handover(rows: Rows, change: c.WriteHandover) -> Rows | None:
    one = change.handover
    known = rows.handovers.get(one.id)
    is_next = known is not None and known.version == one.version - 1
    return _with(rows, "handovers", one.id, one) if is_next else None


def _add_to_tally(rows: Rows, change: c.AddToTally) -> Rows | None:
    key = (change.scope, change.period)
    known = rows.tallies.get(key) or Tally(*key)
    if change.bookings_room is not None and known.bookings > change.bookings_room:
        return None
    if change.minutes_room is not None and known.minutes > change.minutes_room:
        return None
    if change.seen is not None and known.bookings != change.seen:
        return None
    after = replace(
        known,
        bookings=known.bookings + change.bookings,
        minutes=known.minutes + change.minutes,
    )
    return replace(rows, tallies={**rows.tallies, key: after})


def _add_person(rows: Rows, change: AddPerson) -> Rows | None:
    if any(one.email == change.email_key for one in rows.people.values()):
        return None
    person = Person(change.person_id, change.name, change.email)
    return _with(rows, "people", person.id, person)


def _with(rows: Rows, table: str, key: str, one: object) -> Rows:
    return replace(rows, **{table: {**getattr(rows, table), key: one}})


_APPLY: dict[type[Change], Callable[[Any, Any], Rows | None]] = {
    c.WriteCells: _write_cells,
    c.AddBooking: _add_booking,
    c.WriteBooking: _write_booking,
    c.BookingAsRead: _as_read,
    c.WriteHold: _write_hold,
    c.DeleteHold: _delete_hold,
    c.AddHandover: _add_handover,
    c.WriteHandover: _write_handover,
    c.AddToTally: _add_to_tally,
    AddPerson: _add_person,
    AddJob: lambda rows, _change: rows,
    c.AddRequest: lambda rows, _change: rows,
}


# --- worlds ---------------------------------------------------------------------------------


def small_world(
    *, capacity: int = 1, most_upcoming: int = 9, cap: Any = None, **options: bool
) -> World:
    visit = service(
        duration=2 * TICK,
        most=2,
        most_upcoming=most_upcoming,
        change_notice=timedelta(),
        caps=(cap,) if cap else (),
    )
    staff: Resource = resource(MIRA, capacity=capacity)
    return World(EMPTY, rules([visit], [staff]), DeskOptions(**options))


def bookings_and_moves(world: World, *, parties: tuple[int, ...] = (1,)) -> Iterator[Command]:
    """Two people, three starts that overlap in part; cancellations and moves."""
    for number, party in enumerate(parties):
        for start in range(3):
            yield booking(number, start, party)
    for one in world.rows.bookings.values():
        if one.takes_time:
            yield commands.CancelBooking(one.id, by_staff=True)
            for start in range(3):
                at = TEN + start * TICK
                yield commands.MoveBooking(one.id, at, by_staff=True)


def booking(number: int, start: int, party: int = 1, **more: Any) -> commands.Book:
    """Makes the id from name and time, so that each command makes one booking at most."""
    return commands.Book(
        BookingId(f"{number}{start}"),
        PersonId(f"p{number}"),
        "cut",
        TEN + start * 5 * MINUTE,
        f"P{number}",
        f"p{number}@example.org",
        party=party,
        **more,
    )


def holds(_world: World) -> Iterator[Command]:
    for start in (0, 1):
        yield commands.HoldTime(HoldId("visitor"), "cut", TEN + start * TICK)
        yield booking(7, start, hold_id=HoldId("visitor"))
    yield commands.DropHold(HoldId("visitor"))


def overbookings(_world: World) -> Iterator[Command]:
    yield booking(8, 1, lane=Lane.STAFF, override=True)


def settlements(world: World) -> Iterator[Command]:
    for one in world.rows.handovers.values():
        if one.status is HandoverStatus.OPEN:
            yield commands.SettleHandover(one.id)
