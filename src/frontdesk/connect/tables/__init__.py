"""Reads lists of people from files and pasted text; writes tables as CSV and XLSX."""

from frontdesk.connect.tables.model import (
    BadTable,
    ListLimits,
    Meaning,
    PeopleTable,
    PersonRow,
    RowProblem,
    TableColumn,
)
from frontdesk.connect.tables.reading import read_people
from frontdesk.connect.tables.writing import Cell, write_csv, write_xlsx

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
