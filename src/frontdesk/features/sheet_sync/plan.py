"""Three-way: what the sheet and we agreed on last, what it says now, and what we know now.

Staff's words win for what is theirs (name, contact, service, dates …); id and status are ours. A
row that cannot be read changes nothing. Planning again when all is done gives nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from frontdesk.desks.waitlist.commands import LeaveList
from frontdesk.desks.waitlist.model import EntryId
from frontdesk.features.sheet_sync.layout import OURS, layout_of
from frontdesk.features.sheet_sync.matching import match
from frontdesk.features.sheet_sync.model import (
    BadSheet,
    CellWrite,
    OurRow,
    Problem,
    Row,
    RowWrite,
    Version,
)
from frontdesk.features.sheet_sync.planner import Order, Planner, rows_below
from frontdesk.features.sheet_sync.reading import Customs
from frontdesk.values import Frozen

#: So many rows gone at once, and more than this part of all, are an accident until staff say no.
MANY_ROWS: Final = 5
PART_OF_ALL: Final = 3


class Plan(Frozen):
    orders: tuple[Order, ...] = ()
    cells: tuple[CellWrite, ...] = ()
    appends: tuple[RowWrite, ...] = ()
    problems: tuple[Problem, ...] = ()
    missing: tuple[EntryId, ...] = ()
    """Too many rows that are gone at once, or name somebody else: everything else is empty, and
    staff are asked."""


def plan(
    base: Version | None,
    theirs: Sequence[Row],
    ours: Sequence[OurRow],
    customs: Customs,
    ids: Callable[[], str],
    *,
    refused: Mapping[int, str] | None = None,
    let_go: frozenset[EntryId] = frozenset(),
) -> Plan:
    """`refused`: the lines whose command was, and why. `let_go`: who may be missing."""
    layout = layout_of(theirs)
    if layout is None:
        raise BadSheet(
            "There is no row with headings: at least a name, a mobile or e-mail, and a service."
        )
    seen = rows_below(theirs, layout.with_ours(), customs)
    planner = Planner(base, layout.with_ours(), customs, ids, refused or {})
    matched = match(seen, ours)
    gone = planner.gone(matched, ours)
    planner.orders += [Order(0, LeaveList(each, quietly=True)) for each in gone]
    for one, known in matched.known:
        planner.known(one, known)
    missing = (*gone, *planner.others)
    if _are_too_many(len(set(missing) - let_go), planner.mirrored):
        return Plan(missing=missing)
    for one in matched.fresh:
        planner.fresh(one)
    for one in matched.unknown:
        planner.problems += one.read.problems
    planner.problems += matched.doubles
    headings = tuple(
        CellWrite(layout.line, planner.layout.places[each], OURS[each]) for each in layout.lacks
    )
    return Plan(
        tuple(planner.orders),
        (*headings, *planner.cells),
        planner.appends(matched, ours),
        tuple(sorted(planner.problems, key=lambda each: each.line)),
    )


def _are_too_many(gone: int, mirrored: int) -> bool:
    return gone >= MANY_ROWS and gone * PART_OF_ALL > mirrored
