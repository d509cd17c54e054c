"""Reads lists of people from files and pasted text; writes tables as CSV and XLSX."""

from frontdesk.connect.tables.model import (
    BadTable,
    Column,
    Limits,
    Meaning,
    PeopleTable,
    PersonRow,
    RowProblem,
)
from frontdesk.connect.tables.reading import read_people
from frontdesk.connect.tables.writing import Cell, write_csv, write_xlsx

__all__ = [
    "BadTable",
    "Cell",
    "Column",
    "Limits",
    "Meaning",
    "PeopleTable",
    "PersonRow",
    "RowProblem",
    "read_people",
    "write_csv",
    "write_xlsx",
]
