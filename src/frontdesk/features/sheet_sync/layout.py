"""Finds the columns of a sheet by its headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from frontdesk.features.sheet_sync.model import Row
from frontdesk.features.sheet_sync.schema import (
    DATE,
    EMAIL,
    ID,
    MOBILE,
    PAIRS,
    STATUS,
    TIME,
    WHEN,
    Columns,
    parts_of,
    plain,
)
from frontdesk.values import Frozen

#: The headings are within the first rows: a title may be above them.
WITHIN_ROWS: Final = 10
#: Our own columns, which we add if they are missing.
OURS: Final = (ID, STATUS)


class Layout(Frozen):
    """The line of the headings, and the place of each column."""

    line: int
    places: Mapping[str, int]
    width: int
    """The number of columns, the business's own included."""
    headings: tuple[str, ...]

    @property
    def lacks(self) -> tuple[str, ...]:
        """Our own columns that the sheet does not have yet."""
        return tuple(each for each in OURS if each not in self.places)

    def with_ours(self) -> Layout:
        """The layout with our columns added at the right."""
        places, headings = dict(self.places), list(self.headings)
        headings += [""] * (self.width - len(headings))
        for key in self.lacks:
            places[key] = len(headings)
            headings.append(key)
        return Layout(self.line, places, len(headings), tuple(headings))

    def heading(self, key: str) -> str:
        """The heading of a column; empty if the sheet has no such column."""
        own = (place for other, place in self.places.items() if key in (other, *parts_of(other)))
        place = next(own, None)
        return "" if place is None else self.headings[place]


def layout_of(rows: Sequence[Row], columns: Columns) -> Layout | None:
    """Finds the row with the most known headings. It must have a contact and the required
    columns."""
    above = [row for row in rows[:WITHIN_ROWS] if not any("@" in cell for cell in row.cells)]
    layouts = [_layout_at(row, rows, columns) for row in above]
    found = [each for each in layouts if _is_enough(each.places, columns)]
    return max(found, key=lambda each: (len(each.places), -each.line), default=None)


def table_layout(columns: Columns) -> Layout:
    """The layout of a built-in table: every column under its key."""
    keys = tuple(key for key in columns.by_key if key not in PAIRS)
    return Layout(1, {key: place for place, key in enumerate(keys)}, len(keys), keys)


def _layout_at(row: Row, rows: Sequence[Row], columns: Columns) -> Layout:
    places: dict[str, int] = {}
    for place, heading in enumerate(row.cells):
        key = columns.by_heading.get(plain(heading))
        if key is not None and key not in places:
            places[key] = place
    _settle_pairs(places, columns)
    width = max(len(each.cells) for each in rows)
    return Layout(row.line, places, width, tuple(cell.strip() for cell in row.cells))


def _settle_pairs(places: dict[str, int], columns: Columns) -> None:
    """Resolves columns for two values. Beside an e-mail column 'contact' means the mobile, and vice
    versa. A date column without a time column has both."""
    for pair, ((one, other), _) in PAIRS.items():
        beside = [key for key in (one, other) if key in places]
        if pair in places and beside:
            place = places.pop(pair)
            if len(beside) == 1:
                places[other if beside == [one] else one] = place
    if DATE in places and TIME not in places and WHEN in columns.by_key:
        places[WHEN] = places.pop(DATE)


def _is_enough(places: Mapping[str, int], columns: Columns) -> bool:
    known = {part for key in places for part in parts_of(key)}
    return known >= set(columns.required) and bool(known & {MOBILE, EMAIL})
