"""Plans a three-way sync from the last version, the sheet as it is now, and the table.

Edits of staff win, except for id and status, which are ours. A row that cannot be read changes
nothing. Planning again after everything is done gives an empty plan.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.cells import ReadRow, differing, rows_below, whole_row
from frontdesk.features.sheet_sync.layout import Layout, layout_of
from frontdesk.features.sheet_sync.matching import RowMatches, match
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetProblem, SheetWrite, Version
from frontdesk.features.sheet_sync.schema import (
    EMAIL,
    ID,
    MOBILE,
    STATUS,
    Fields,
    Schema,
    TableRow,
    parts_of,
)
from frontdesk.values import Frozen

#: If this many rows vanish at once, and more than a third of all, the sync asks staff first.
MANY_ROWS: Final = 5
PART_OF_ALL: Final = 3

_OURS: Final = (ID, STATUS)


class PlannedCommand(Frozen):
    """A command, the line that caused it (0 for a missing row), and the count that it raises."""

    line: int
    command: Command
    counts_as: str


class Plan(Frozen):
    commands: tuple[PlannedCommand, ...] = ()
    cells: tuple[SheetWrite, ...] = ()
    appends: tuple[RowWrite, ...] = ()
    problems: tuple[SheetProblem, ...] = ()
    missing: tuple[str, ...] = ()
    """Rows that vanished or now name somebody else, if they are too many. The plan is otherwise
    empty: the sync asks staff first."""


def plan(
    base: Version | None,
    theirs: Sequence[Row],
    ours: Sequence[TableRow],
    schema: Schema,
    ids: Callable[[], str],
    *,
    refused: Mapping[int, str] | None = None,
    let_go: frozenset[str] = frozenset(),
    stale: Collection[str] = (),
) -> Plan:
    """Makes a plan. `refused` has the lines whose command was refused, with the reason; `let_go`
    has the rows that may be missing; `stale` has the columns in which the sheet is right although
    nobody has edited them."""
    layout = layout_of(theirs, schema.columns)
    if layout is None:
        raise SourceFailed(
            "There is no row with headings: at least a name, a mobile or e-mail, and a"
            f" {schema.columns.topic}."
        )
    seen = rows_below(theirs, layout.with_ours(), schema)
    planner = _Planner(base, layout.with_ours(), schema, ids, refused or {}, stale)
    matched = match(seen, ours, schema.columns)
    gone = planner.gone(matched, ours)
    planner.commands += [PlannedCommand(0, schema.remove(each), "left") for each in gone]
    for one, known in matched.known:
        planner.known(one, known)
    missing = (*gone, *planner.others)
    if _are_too_many(len(set(missing) - let_go), planner.mirrored(ours)):
        return Plan(missing=missing)
    for one in matched.fresh:
        planner.fresh(one)
    for one in matched.unknown:
        planner.problems += () if schema.is_over(one.fields) else one.problems
    planner.problems += matched.duplicates
    headings = tuple(
        SheetWrite(layout.line, planner.layout.places[key], key) for key in layout.lacks
    )
    return Plan(
        tuple(planner.commands),
        (*headings, *planner.cells),
        planner.appends(matched, ours),
        tuple(sorted(planner.problems, key=lambda each: each.line)),
    )


def _are_too_many(gone: int, mirrored: int) -> bool:
    return gone >= MANY_ROWS and gone * PART_OF_ALL > mirrored


class _Before(Frozen):
    """A row in the last version."""

    fields: Fields
    settled: bool
    """The table agreed with it."""
    listed: bool


class _Planner:
    """Collects commands and writes, row by row."""

    def __init__(
        self,
        base: Version | None,
        layout: Layout,
        schema: Schema,
        ids: Callable[[], str],
        refused: Mapping[int, str],
        stale: Collection[str],
    ) -> None:
        self.layout = layout
        self.commands: list[PlannedCommand] = []
        self.cells: list[SheetWrite] = []
        self.problems: list[SheetProblem] = []
        self.others: list[str] = []
        """Ids of rows that now name somebody else, for example after sorting one column alone."""
        self._new_fields: dict[str, dict[str, str]] = {}
        self._schema = schema
        self._ids = ids
        self._refused = refused
        self._stale = stale
        self._has_base = base is not None
        self._before = {} if base is None else _before(base, schema)
        self._unseen = frozenset() if base is None else base.unseen
        self._keys = [part for key in layout.places if key not in _OURS for part in parts_of(key)]

    # --- rows that are not there --------------------------------------------------------------

    def mirrored(self, ours: Sequence[TableRow]) -> int:
        """The number of rows that are listed, and were in the last version."""
        return sum(one.is_listed and self._was_listed(one.id) for one in ours)

    def gone(self, matched: RowMatches, ours: Sequence[TableRow]) -> list[str]:
        """Rows that staff removed. Rows that an older copy of the file never had do not count."""
        there = {known.id for _, known in matched.known} | self._unseen
        return [
            one.id
            for one in ours
            if one.is_listed and one.id not in there and self._was_listed(one.id)
        ]

    def appends(self, matched: RowMatches, ours: Sequence[TableRow]) -> tuple[RowWrite, ...]:
        """Rows that were added in the table, in their order."""
        there = {known.id for _, known in matched.known}
        new = [
            one
            for one in ours
            if one.is_listed
            and not one.is_erased
            and one.id not in there
            and (one.id in self._unseen or not self._was_listed(one.id))
        ]
        new.sort(key=lambda one: one.position)
        return tuple(whole_row(self._schema.fields_of(one), self.layout) for one in new)

    def _was_listed(self, row_id: str) -> bool:
        was = self._before.get(row_id)
        return was is not None and was.listed

    # --- rows that are there ------------------------------------------------------------------

    def known(self, one: ReadRow, ours: TableRow) -> None:
        us = self._schema.fields_of(ours)
        if ours.is_erased:
            self._blank(one, us)
            return
        was = self._before.get(ours.id)
        merged = self._merged(one.fields, was, us, self._shared(one, ours))
        planned: PlannedCommand | None = None
        problems: list[SheetProblem] = []
        if ours.is_listed:
            if any(merged.get(key, "") != us.get(key, "") for key in self._keys):
                command = self._schema.edit(ours, merged, self._ids)
                planned = PlannedCommand(one.line, command, "edited")
            problems = self._problems(one, us, merged, planned is not None)
        elif self._is_back(one, ours, was):
            planned = PlannedCommand(one.line, self._schema.add(merged, self._ids, ours), "joined")
            problems = self._problems(one, us, merged, True)
        else:
            problems = self._edits_without_effect(one, us, was, ours.why_fixed)
            merged = dict(one.fields)
        if problems:
            self.problems += problems
            merged = dict(one.fields)
        elif planned is not None:
            self.commands.append(planned)
            if _is_somebody_else(us, merged):
                self.others.append(ours.id)
        after = {**merged, ID: us[ID], STATUS: us[STATUS]}
        self.cells += differing(one.fields, after, self.layout, one.line)

    def _edits_without_effect(
        self, one: ReadRow, us: Fields, was: _Before | None, why: str
    ) -> list[SheetProblem]:
        """Reports that staff wrote another name or contact into a row that is fixed."""
        if was is None or not why:
            return []
        return [
            SheetProblem(one.line, self.layout.heading(key), why)
            for key in self._keys
            if key in self._schema.shared
            and one.fields.get(key, "") != us.get(key, "")
            and (not was.settled or one.fields.get(key, "") != was.fields.get(key, ""))
        ][:1]

    def fresh(self, one: ReadRow) -> None:
        if self._schema.is_over(one.fields):
            return
        fields = self._schema.complete(one.fields)
        if problems := self._problems(one, {}, fields, True):
            self.problems += problems
            return
        command = self._schema.add(fields, self._ids, None)
        self.commands.append(PlannedCommand(one.line, command, "joined"))

    def _shared(self, one: ReadRow, ours: TableRow) -> dict[str, str]:
        """New values for this person in other rows. The first new name applies to all of them."""
        if one.problems or one.line in self._refused:
            return {}
        return self._new_fields.setdefault(ours.person_id, {})

    def _merged(
        self, theirs: Fields, was: _Before | None, us: Fields, shared: dict[str, str]
    ) -> dict[str, str]:
        """The values of staff if they wrote something new, else ours."""
        merged, columns = dict(us), self._schema.columns.by_key
        for key in self._keys:
            text = theirs.get(key, "")
            if was is None or not was.settled or key in self._stale:
                new = bool(text)
            else:
                can_be = bool(text) or columns[key].can_be_cleared
                new = can_be and text != was.fields.get(key, "")
            if new:
                merged[key] = shared.setdefault(key, text) if key in self._schema.shared else text
        return merged

    def _is_back(self, one: ReadRow, ours: TableRow, was: _Before | None) -> bool:
        """Whether staff list a row again: they typed it again, put it back, wrote the listed
        status, or edited it in a way that the desk treats as listing it again."""
        if not ours.can_return:
            return False
        if one.id != ours.id:
            return was is None
        says_listed = one.fields.get(STATUS) in self._schema.listed
        if self._has_base and says_listed and (was is None or not was.listed):
            return True
        return was is not None and self._schema.is_revived(ours, was.fields, one.fields)

    def _problems(self, one: ReadRow, us: Fields, merged: Fields, asks: bool) -> list[SheetProblem]:
        """The problems of a row that cannot be read, or whose change is refused."""
        if one.problems:
            return list(one.problems)
        if one.line in self._refused:
            return [SheetProblem(one.line, "", self._refused[one.line])]
        found = self._schema.change_problems(us, merged) if asks else ()
        return [SheetProblem(one.line, self.layout.heading(key), text) for key, text in found]

    def _blank(self, one: ReadRow, us: Fields) -> None:
        """Clears the row of an erased person, notes included; id and status stay."""
        kept = {self.layout.places[key]: us[key] for key in _OURS}
        for place, cell in enumerate(one.row.cells):
            if place not in kept and cell.strip():
                self.cells.append(SheetWrite(one.line, place, ""))
        self.cells += [
            SheetWrite(one.line, place, text)
            for place, text in kept.items()
            if one.row.cell(place) != text
        ]


def _is_somebody_else(us: Fields, merged: Fields) -> bool:
    known = [(us[key], merged.get(key)) for key in (EMAIL, MOBILE) if key in us]
    return all(before != after for before, after in known)


def _before(base: Version, schema: Schema) -> dict[str, _Before]:
    """The rows of a version by their id."""
    layout = layout_of(base.rows, schema.columns)
    if layout is None:
        return {}
    return {
        one.id: _Before(
            one.fields,
            one.line not in base.unsettled,
            STATUS not in one.fields or one.fields[STATUS] in schema.listed,
        )
        for one in rows_below(base.rows, layout, schema)
        if one.id
    }
