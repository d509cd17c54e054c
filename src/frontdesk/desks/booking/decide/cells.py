"""Chooses places in ticks, and exchanges the cells of holders in one commit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import datetime
from itertools import count, islice
from typing import Final

from frontdesk.desks.booking.changes import CellWrite, WriteCells
from frontdesk.desks.booking.rules import Resource, ResourceId
from frontdesk.desks.booking.ticks import TICKS_PER_HOUR, Cell, Span, has_ended
from frontdesk.values import Frozen

Tick = tuple[ResourceId, int]
_NONE: Final[Set[int]] = frozenset()
_UNREAD: Final[Mapping[int, str]] = {}


class WantedPlaces(Frozen):
    """The number of places of a resource that are wanted in each tick of a span."""

    resource: Resource
    span: Span
    places: int


class Grid:
    """The cells of some resources as read, and their holders as a decision changes them.

    An expired hold takes no place, but writes compare it, because it is still stored.
    """

    def __init__(self, cells: Iterable[Cell], now: datetime) -> None:
        self._now = now
        self._ended: dict[str, bool] = {}
        self._read: dict[Tick, dict[int, str]] = {}
        for cell in cells:
            self._read.setdefault((cell.resource, cell.tick), {})[cell.place] = cell.holder
        self._written: dict[Tick, dict[int, str]] = {}

    def give_up(self, holder: str) -> None:
        """Sets all cells of a holder free."""
        self._replace(holder, "", only_free=False)

    def hand_over(self, holder: str, to: str) -> None:
        """Gives the cells of a holder to another, if they were given up and not taken again."""
        self._replace(holder, to, only_free=True)

    def take(
        self,
        wanted: Sequence[WantedPlaces],
        holder: str,
        *,
        overbook: bool = False,
        sharing: Collection[str] = (),
    ) -> bool:
        """Takes the wanted places in every tick, if they are free. Returns whether it did.

        With `overbook`, it takes places beyond the capacity where none is left. The places of the
        holders in `sharing` count towards the wanted ones.
        """
        chosen: list[tuple[Tick, list[int]]] = []
        for one in wanted:
            lowest = list(range(one.places)) if one.places <= one.resource.capacity else None
            for tick in one.span:
                at = (one.resource.id, tick)
                places: list[int] | None = lowest
                if lowest is None or at in self._read or at in self._written:
                    missing = one.places - self._places_of(sharing, at)
                    places = self._choose(one, tick, max(missing, 0), overbook=overbook)
                if places is None:
                    return False
                chosen.append((at, places))
        for at, places in chosen:
            taken = dict.fromkeys(places, holder)
            if at in self._written:
                self._written[at].update(taken)
            else:
                self._written[at] = taken
        if self._read:
            for one in wanted:
                self._guard(one)
        return True

    def fits(self, wanted: Sequence[WantedPlaces]) -> bool:
        """Whether the wanted places are free within the capacity."""
        return all(
            self._choose(one, tick, one.places, overbook=False) is not None
            for one in wanted
            for tick in one.span
        )

    def reuses(self, holder: str, by: str) -> bool:
        """Whether `by` takes a cell that `holder` had when the cells were read."""
        return any(
            self._read.get(at, {}).get(place) == holder and after == by
            for at, places in self._written.items()
            for place, after in places.items()
        )

    def places_taken(self) -> dict[ResourceId, list[tuple[int, int, int]]]:
        """The number of places that have a holder now, by resource and tick."""
        found: dict[ResourceId, list[tuple[int, int, int]]] = {}
        for resource, tick in sorted({*self._read, *self._written}):
            if places := len(self._taken((resource, tick))):
                found.setdefault(resource, []).append((tick, tick + 1, places))
        return found

    def changes(self) -> tuple[WriteCells, ...]:
        """The writes, one for each resource and hour."""
        by_hour: dict[Tick, list[CellWrite]] = {}
        for at in sorted(self._written):
            resource, tick = at
            cells = by_hour.setdefault((resource, tick // TICKS_PER_HOUR), [])
            read, written = self._read.get(at, _UNREAD), self._written[at]
            for place in sorted(written):
                cells.append(CellWrite(tick, place, read.get(place, ""), written[place]))
        return tuple(
            WriteCells(resource, hour, tuple(cells)) for (resource, hour), cells in by_hour.items()
        )

    def _replace(self, holder: str, after: str, *, only_free: bool) -> None:
        for at, places in self._read.items():
            written = self._written.setdefault(at, {})
            for place, before in places.items():
                if before == holder and (not only_free or written.get(place) == ""):
                    written[place] = after
            if not written:
                del self._written[at]

    def _choose(
        self, one: WantedPlaces, tick: int, places: int, *, overbook: bool
    ) -> list[int] | None:
        """The lowest free places. All holders count, including those beyond the capacity."""
        taken = self._taken((one.resource.id, tick))
        capacity = one.resource.capacity
        if len(taken) + places > capacity and not overbook:
            return None
        if not taken:
            return list(range(places))
        return list(islice((place for place in count() if place not in taken), places))

    def _places_of(self, holders: Collection[str], at: Tick) -> int:
        if not holders:
            return 0
        return sum(holder in holders for holder in self._written.get(at, {}).values())

    def _taken(self, at: Tick) -> Set[int]:
        read, written = self._read.get(at), self._written.get(at)
        if not read and not written:
            return _NONE
        now = {**(read or {}), **(written or {})}
        return {place for place, holder in now.items() if holder and self._holds(holder)}

    def _holds(self, holder: str) -> bool:
        ended = self._ended.get(holder)
        if ended is None:
            ended = self._ended[holder] = has_ended(holder, self._now)
        return not ended

    def _guard(self, one: WantedPlaces) -> None:
        """Compares all places of ticks with a holder beyond the capacity, so that concurrent
        commits together do not take more than the capacity."""
        for tick in one.span:
            at = (one.resource.id, tick)
            read = self._read.get(at)
            if read and (highest := max(read)) >= one.resource.capacity:
                written = self._written.setdefault(at, {})
                for place in range(highest + 1):
                    written.setdefault(place, read.get(place, ""))
