"""Reads lists of people from files and pasted text; writes tables as CSV and XLSX."""

from frontdesk.connect.tables.file_reader import read_people
from frontdesk.connect.tables.file_writer import Cell, write_csv, write_xlsx
from frontdesk.connect.tables.model import (
    BadTable,
    ListLimits,
    Meaning,
    PeopleTable,
    PersonRow,
    RowProblem,
    TableColumn,
)

__all__ = [
    "BadTable",
    "Cell",
    "ListLimits",
    "Meaning",
    "PeopleTable",
    "PersonRow",
    "RowProblem",
    "TableColumn",
    "read_people",
    "write_csv",
    "write_xlsx",
]
