"""The values of a list of people that was read, and its size limits."""

from enum import StrEnum

from frontdesk.values import Frozen

HEADINGS_WITHIN_ROWS = 10


class BadTable(ValueError):
    """The list cannot be read at all; the text explains it to the user."""


class ListLimits(Frozen):
    """Limits of a list; a larger one is refused."""

    size_bytes: int = 10_000_000
    rows: int = 50_000
    columns: int = 50
    cell_chars: int = 10_000
    unpacked_bytes: int = 64_000_000
    xml_elements: int = 3_000_000
    zip_parts: int = 1_000
    zip_ratio: int = 200
    sheets: int = 50

    @property
    def rows_with_headings(self) -> int:
        """A sheet may have some rows above its people."""
        return self.rows + HEADINGS_WITHIN_ROWS


class Meaning(StrEnum):
    """The meaning of a column."""

    NAME = "name"
    FIRST_NAME = "first name"
    LAST_NAME = "last name"
    EMAIL = "e-mail"
    PARTY = "party"
    EXTRA = "people brought along"
    ANSWER = "answer"
    NOTE = "note"


class TableColumn(Frozen):
    """A column with its heading; one without a meaning is not read."""

    place: int
    heading: str
    meaning: Meaning | None


class PersonRow(Frozen):
    """A person; `line` is the row number in the sheet, `party` includes the person."""

    line: int
    name: str
    email: str
    party: int
    note: str = ""


class RowProblem(Frozen):
    """A row or a person that was skipped, and the reason."""

    line: int
    column: str
    text: str


class PeopleTable(Frozen):
    """Every row with content is in `rows` or in `problems`, in the order of the list.

    `columns` is empty if the list has no headings.
    """

    rows: tuple[PersonRow, ...]
    columns: tuple[TableColumn, ...]
    problems: tuple[RowProblem, ...]


class RawRow(Frozen):
    """The cells of one row, without their meaning."""

    line: int
    cells: tuple[str, ...]


def too_many_rows(limits: ListLimits) -> BadTable:
    return BadTable(f"This list has more than {limits.rows:,} rows.")


def too_large(limits: ListLimits) -> BadTable:
    return BadTable(f"This list is larger than {limits.size_bytes / 1_000_000:g} MB.")
