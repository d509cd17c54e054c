"""Lists of people as files and pasted text: read with care, written so that they can be read."""

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
