"""What each row asks for: staff's words, ours, and what both were before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import EditEntry, JoinList
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane
from frontdesk.features.sheet_sync.layout import Layout, layout_of
from frontdesk.features.sheet_sync.matching import Matched, Seen
from frontdesk.features.sheet_sync.model import (
    CellWrite,
    Column,
    OurRow,
    Problem,
    Row,
    RowWrite,
    Version,
)
from frontdesk.features.sheet_sync.reading import (
    Customs,
    Said,
    joined_at_of,
    reader_of,
    said_by_us,
    wish_of,
)
from frontdesk.features.sheet_sync.writing import differing, parts_of, whole_row
from frontdesk.values import Frozen

#: How long somebody waits who gives no last day.
OPEN_END: Final = timedelta(days=365)

#: An empty cell where there was one of these means 'not any more'; elsewhere it says nothing.
_CAN_BE_CLEARED: Final = frozenset((Column.MOBILE, Column.EMAIL, Column.STAFF, Column.PRIORITY))
_PERSONAL: Final = frozenset((Column.NAME, Column.MOBILE, Column.EMAIL))
_OURS: Final = frozenset((Column.ID, Column.STATUS))
_WAITING: Final = EntryStatus.WAITING.value


class Order(Frozen):
    """A command, and the line that asked for it (0: a row that is gone)."""

    line: int
    command: Command


class Before(Frozen):
    """A row as it was in the last version."""

    said: Said
    settled: bool
    """We said the same."""

    @property
    def waited(self) -> bool:
        return self.said.get(Column.STATUS, _WAITING) == _WAITING


class Planner:
    """Gathers what is to be done, row by row."""

    def __init__(
        self,
        base: Version | None,
        layout: Layout,
        customs: Customs,
        ids: Callable[[], str],
        refused: Mapping[int, str],
    ) -> None:
        self.layout = layout
        self.orders: list[Order] = []
        self.cells: list[CellWrite] = []
        self.problems: list[Problem] = []
        self.others: list[EntryId] = []
        """Whose rows name somebody else now, as when one column was sorted without the rest."""
        self._voices: dict[PersonId, dict[Column, str]] = {}
        self._customs = customs
        self._ids = ids
        self._refused = refused
        self._has_base = base is not None
        self._before = {} if base is None else before_of(base, customs)
        self._unseen = frozenset() if base is None else base.unseen
        self._columns = [
            part for column in layout.places if column not in _OURS for part in parts_of(column)
        ]

    # --- rows that are not there --------------------------------------------------------------

    @property
    def mirrored(self) -> int:
        return sum(was.waited for was in self._before.values())

    def gone(self, matched: Matched, ours: Sequence[OurRow]) -> list[EntryId]:
        """Staff took the row out, and not only saved an older copy that never had it."""
        there = {known.entry.id for _, known in matched.known} | self._unseen
        return [
            one.entry.id
            for one in ours
            if one.entry.status is EntryStatus.WAITING
            and one.entry.id not in there
            and self._waited(one.entry.id)
        ]

    def appends(self, matched: Matched, ours: Sequence[OurRow]) -> tuple[RowWrite, ...]:
        """Who has come by another way, in the order of joining."""
        there = {known.entry.id for _, known in matched.known}
        new = [
            one
            for one in ours
            if one.entry.status is EntryStatus.WAITING
            and not one.erased
            and one.entry.id not in there
            and (one.entry.id in self._unseen or not self._waited(one.entry.id))
        ]
        new.sort(key=lambda one: (one.entry.joined_at, one.entry.id))
        return tuple(whole_row(said_by_us(one, self._customs), self.layout) for one in new)

    def _waited(self, entry_id: EntryId) -> bool:
        """There was a row for them, and it said so."""
        was = self._before.get(entry_id)
        return was is not None and was.waited

    # --- rows that are there ------------------------------------------------------------------

    def known(self, one: Seen, ours: OurRow) -> None:
        us = said_by_us(ours, self._customs)
        if ours.erased:
            self._blank(one, us)
            return
        was = self._before.get(ours.entry.id)
        merged = self._merged(one.said, was, us, self._voice(one, ours))
        order: Command | None = None
        if ours.entry.status is EntryStatus.WAITING:
            order = self._edit(ours, us, merged)
            problems = self._problems(one, us, merged, order is not None)
        elif self._is_back(one, ours, was):
            order = self._join(ours.entry.id, ours.entry.person_id, merged, ours)
            problems = self._problems(one, us, merged, True)
        else:
            merged, problems = dict(one.said), []
        if problems:
            self.problems += problems
            merged = dict(one.said)
        elif order is not None:
            self.orders.append(Order(one.line, order))
            if _is_somebody_else(us, merged):
                self.others.append(ours.entry.id)
        after = {**merged, Column.ID: us[Column.ID], Column.STATUS: us[Column.STATUS]}
        self.cells += differing(one.said, after, self.layout, one.line)

    def fresh(self, one: Seen) -> None:
        said = self._complete(one.said)
        if problems := self._problems(one, {}, said, True):
            self.problems += problems
            return
        order = self._join(EntryId(self._ids()), PersonId(self._ids()), said)
        self.orders.append(Order(one.line, order))

    def _voice(self, one: Seen, ours: OurRow) -> dict[Column, str]:
        """What rows have said anew of this person. Who waits for two services has two rows: of
        two new names the first counts for both."""
        if one.read.problems or one.line in self._refused:
            return {}
        return self._voices.setdefault(ours.entry.person_id, {})

    def _merged(
        self, theirs: Said, was: Before | None, us: Said, voice: dict[Column, str]
    ) -> dict[Column, str]:
        """Staff's words where staff wrote something new, else ours."""
        merged = dict(us)
        for column in self._columns:
            said = theirs.get(column, "")
            if was is None or not was.settled:
                new = bool(said)
            else:
                can_be = bool(said) or column in _CAN_BE_CLEARED
                new = can_be and said != was.said.get(column, "")
            if new:
                merged[column] = voice.setdefault(column, said) if column in _PERSONAL else said
        return merged

    def _edit(self, ours: OurRow, us: Said, merged: Said) -> EditEntry | None:
        if all(merged.get(each, "") == us.get(each, "") for each in self._columns):
            return None
        return EditEntry(
            ours.entry.id,
            EntryId(self._ids()),
            merged[Column.NAME],
            merged.get(Column.EMAIL, ""),
            merged.get(Column.MOBILE, ""),
            wish_of(merged),
            self._joined_at(merged, ours) or ours.entry.joined_at,
            ours.seen,
        )

    def _is_back(self, one: Seen, ours: OurRow, was: Before | None) -> bool:
        """Staff want somebody on the list again who is not waiting any more: they typed the row
        anew or put it back, wrote 'waiting', or gave a later day to who had expired."""
        status = ours.entry.status
        if ours.entry.wants_no_offers:
            return False
        if one.id != ours.entry.id:
            return was is None
        says_waiting = one.said.get(Column.STATUS) == _WAITING
        if self._has_base and says_waiting and (was is None or not was.waited):
            return True
        latest = one.said.get(Column.LATEST, "")
        later = was is not None and latest > was.said.get(Column.LATEST, "")
        return status is EntryStatus.EXPIRED and later

    def _join(
        self, entry_id: EntryId, person_id: PersonId, said: Said, ours: OurRow | None = None
    ) -> JoinList:
        """Who is known is known by the contact that we have."""
        return JoinList(
            entry_id,
            person_id,
            said[Column.NAME],
            ours.email if ours else said.get(Column.EMAIL, ""),
            wish_of(said),
            Lane.SHEET,
            self._joined_at(said, ours),
            mobile=ours.mobile if ours else said.get(Column.MOBILE, ""),
        )

    def _joined_at(self, said: Said, ours: OurRow | None) -> datetime | None:
        """To the second, if staff left it alone."""
        if ours and said.get(Column.JOINED) == said_by_us(ours, self._customs)[Column.JOINED]:
            return ours.entry.joined_at
        return joined_at_of(said, self._customs.zone)

    def _complete(self, said: Said) -> Said:
        """With days for who gives none: from now on, for long."""
        earliest = said.get(Column.EARLIEST) or self._customs.today.isoformat()
        if Column.LATEST in said:
            return {**said, Column.EARLIEST: min(earliest, said[Column.LATEST])}
        latest = (date.fromisoformat(earliest) + OPEN_END).isoformat()
        return {**said, Column.EARLIEST: earliest, Column.LATEST: latest}

    def _problems(self, one: Seen, us: Said, merged: Said, asks: bool) -> list[Problem]:
        """Of a row that says something new, or that cannot be read."""
        if one.read.problems:
            return list(one.read.problems)
        if one.line in self._refused:
            return [Problem(one.line, "", self._refused[one.line])]
        latest = merged.get(Column.LATEST, "")
        if asks and latest < self._customs.today.isoformat() and latest != us.get(Column.LATEST):
            return [self._at(one, Column.LATEST, "The latest day has passed.")]
        if asks and merged.get(Column.EARLIEST, "") > latest:
            return [self._at(one, Column.LATEST, "The latest day is before the earliest.")]
        return []

    def _at(self, one: Seen, column: Column, text: str) -> Problem:
        place = self.layout.places.get(column)
        return Problem(one.line, "" if place is None else self.layout.headings[place], text)

    def _blank(self, one: Seen, us: Said) -> None:
        """Who was erased is erased from the sheet as well, notes and all; the id stays."""
        kept = {self.layout.places[each]: us[each] for each in _OURS}
        for place, cell in enumerate(one.row.cells):
            if place not in kept and cell.strip():
                self.cells.append(CellWrite(one.line, place, ""))
        self.cells += [
            CellWrite(one.line, place, text)
            for place, text in kept.items()
            if one.row.cell(place) != text
        ]


def _is_somebody_else(us: Said, merged: Said) -> bool:
    contacts = (Column.EMAIL, Column.MOBILE)
    known = [(us[each], merged.get(each)) for each in contacts if each in us]
    return all(before != after for before, after in known)


def before_of(base: Version, customs: Customs) -> dict[EntryId, Before]:
    """The rows of a version by their id."""
    layout = layout_of(base.rows)
    if layout is None:
        return {}
    rows = rows_below(base.rows, layout, customs)
    return {one.id: Before(one.said, one.line not in base.unsettled) for one in rows if one.id}


def rows_below(rows: Sequence[Row], layout: Layout, customs: Customs) -> list[Seen]:
    """A row that says nothing in any column that we know is the business's own."""
    reader = reader_of(layout, customs)
    below = [row for row in rows if row.line > layout.line]
    return [
        Seen(row, reader.read(row))
        for row in below
        if any(row.cell(place) for place in layout.places.values())
    ]
