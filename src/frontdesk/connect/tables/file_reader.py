"""Reads a list of people from a CSV or Excel file or a pasted text, by its content."""

import io
import re
from collections.abc import Iterable, Sequence

from frontdesk.connect.tables.csv_text import SEPARATORS, csv_rows, decoded, filled_rows
from frontdesk.connect.tables.layout import TableLayout, layout_of
from frontdesk.connect.tables.model import BadTable, ListLimits, PeopleTable, RawRow, too_large
from frontdesk.connect.tables.pasted_text import PastedPerson, cells_of, people_in
from frontdesk.connect.tables.people import PersonList
from frontdesk.connect.tables.xlsx import is_zip, xlsx_rows

_LIMITS = ListLimits()
_SAMPLE_CHARS = 50_000
_SEPARATOR_LINE = re.compile(r"\s*sep=([,;\t])\r?\n", re.IGNORECASE)


def read_people(
    source: bytes | str, *, filename: str | None = None, limits: ListLimits = _LIMITS
) -> PeopleTable:
    """Reads a list by its content, not by its file name. Raises only `BadTable`.

    A row that cannot be used becomes a problem; the others are read.
    """
    try:
        return _read(source, limits)
    except BadTable as problem:
        raise BadTable(f"{_shown(filename)}{problem}") from problem.__cause__


def _shown(filename: str | None) -> str:
    printable = "".join(filter(str.isprintable, filename or ""))
    return f"{printable[:80]}: " if printable else ""


def _read(source: bytes | str, limits: ListLimits) -> PeopleTable:
    if len(source) > limits.size_bytes:
        raise too_large(limits)
    if isinstance(source, bytes) and is_zip(source):
        rows = xlsx_rows(source, limits)
        layout = layout_of(rows)
    else:
        rows, layout = _text_rows(decoded(source, limits), limits)
    return _without_headings(rows, limits) if layout is None else _table(rows, layout, limits)


def _text_rows(text: str, limits: ListLimits) -> tuple[list[RawRow], TableLayout | None]:
    """Returns the rows of a CSV with headings, or else those of a pasted list."""
    separators: Sequence[str] = SEPARATORS
    if given := _SEPARATOR_LINE.match(text):
        separators = given[1]
        text = text[given.end() :]
    sample = text[:_SAMPLE_CHARS]
    layouts = {sign: layout_of(csv_rows(sample, sign, limits)) for sign in separators}
    fits = {sign: layout.fit for sign, layout in layouts.items() if layout is not None}
    if fits:
        rows = csv_rows(text, max(fits, key=fits.__getitem__), limits)
        return rows, layout_of(rows)
    lines = io.StringIO(text, newline="")
    return filled_rows((cells_of(line.strip()) for line in lines), limits), None


def _without_headings(rows: Iterable[RawRow], limits: ListLimits) -> PeopleTable:
    people = PersonList(limits)
    for row in rows:
        if trouble := _too_long(row, limits):
            people.refuse(row.line, trouble)
        else:
            _add_all(people, row.line, people_in(row.cells))
    return people.table()


def _table(rows: Sequence[RawRow], layout: TableLayout, limits: ListLimits) -> PeopleTable:
    if len(layout.columns) > limits.columns:
        raise BadTable(f"This list has more than {limits.columns} columns.")
    people = PersonList(limits, layout.headings())
    for row in rows[layout.first :]:
        if trouble := _too_long(row, limits) or _too_wide(row, limits):
            people.refuse(row.line, trouble)
        else:
            _add_all(people, row.line, layout.people(row))
    return people.table(layout.columns)


def _add_all(people: PersonList, line: int, found: Iterable[PastedPerson]) -> None:
    for person in found:
        people.add(line, person)


def _too_long(row: RawRow, limits: ListLimits) -> str:
    if any(len(cell) > limits.cell_chars for cell in row.cells):
        return f"a cell holds more than {limits.cell_chars:,} characters."
    return ""


def _too_wide(row: RawRow, limits: ListLimits) -> str:
    if len(row.cells) > limits.columns:
        return f"there are more than {limits.columns} columns."
    return ""
