"""Any desk can have a sheet: here one of appointments, with its own schema and three commands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from itertools import count
from typing import Any, ClassVar

from frontdesk.core.decision import Command
from frontdesk.features.sheet_sync.dates import read_wall
from frontdesk.features.sheet_sync.model import Row, SheetProblem, Version, VersionHead
from frontdesk.features.sheet_sync.plan import Plan, PlannedCommand, plan
from frontdesk.features.sheet_sync.restore import table_of
from frontdesk.features.sheet_sync.schema import ColumnKind, Columns, Fields, SheetColumn
from frontdesk.values import Frozen

NINE = datetime(2026, 11, 16, 9, tzinfo=UTC)
HEAD = VersionHead(1, NINE, "sheet", "paper")


class Book(Command):
    id: str
    name: str
    time: str


class Move(Command):
    id: str
    time: str


class Cancel(Command):
    id: str


class Appointment(Frozen):
    id: str
    name: str
    email: str
    topic: str
    """When it starts: one person may have several."""
    is_listed: bool = True
    mobile: str = ""
    is_erased: bool = False
    can_return: bool = False
    why_fixed: str = ""

    @property
    def person_id(self) -> str:
        return self.email

    @property
    def position(self) -> tuple[Any, ...]:
        return (self.topic,)


def _time(cell: str, schema: Appointments) -> Fields:
    return {"time": f"{read_wall(cell, schema.country):%Y-%m-%d %H:%M}"} if cell else {}


class Appointments(Frozen):
    country: str = "SG"
    shared: Collection[str] = ()
    listed: Collection[str] = ("booked",)
    columns: ClassVar[Columns] = Columns(
        SheetColumn(
            "time", "time, starts, when", _time, ColumnKind.TIME, required="It has no time."
        ),
        topic="time",
    )

    def fields_of(self, row: Appointment) -> Fields:
        said = {"name": row.name, "e-mail": row.email, "time": row.topic}
        return {**said, "id": row.id, "status": "booked" if row.is_listed else "cancelled"}

    def complete(self, fields: Fields) -> Fields:
        return fields

    def is_over(self, _fields: Fields) -> bool:
        return False

    def problems(self, _fields: Fields) -> Iterable[tuple[str, str]]:
        return ()

    def change_problems(self, _before: Fields, after: Fields) -> Iterable[tuple[str, str]]:
        if after["time"] < f"{NINE:%Y-%m-%d %H:%M}":
            yield "time", "This time has passed."

    def is_revived(self, _row: Appointment, _before: Fields, _after: Fields) -> bool:
        return False

    def add(self, fields: Fields, new_id: Callable[[], str], _row: Appointment | None) -> Command:
        return Book(new_id(), fields["name"], fields["time"])

    def edit(self, row: Appointment, fields: Fields, _new_id: Callable[[], str]) -> Command:
        return Move(row.id, fields["time"])

    def remove(self, row_id: str) -> Command:
        return Cancel(row_id)


ANN = Appointment("a", "Ann", "ann@example.org", "2026-11-20 10:00")
BOB = Appointment("b", "Bob", "bob@example.org", "2026-11-21 11:00")
TABLE = table_of([BOB, ANN], Appointments())


def planned(*rows: Row) -> Plan:
    numbers = count(1)
    base = Version(HEAD, TABLE)
    return plan(base, rows, [ANN, BOB], Appointments(), lambda: f"new{next(numbers)}")


def test_a_table_has_the_columns_of_a_person_the_desks_own_and_ours() -> None:
    assert (
        Row(1, ("name", "mobile", "e-mail", "consent", "time", "id", "status")),
        Row(2, ("Ann", "", "ann@example.org", "", "2026-11-20 10:00", "a", "booked")),
        Row(3, ("Bob", "", "bob@example.org", "", "2026-11-21 11:00", "b", "booked")),
    ) == TABLE
    assert planned(*TABLE) == Plan()


def test_added_edited_and_removed_rows_become_commands_of_the_desk() -> None:
    moved = Row(2, (*TABLE[1].cells[:4], "20/11/2026 15:30", "a", "booked"))
    added = Row(3, ("Cat", "+65 9123 4567", "", "", "22 Nov 2026 9:00"))

    assert planned(TABLE[0], moved, added).commands == (
        PlannedCommand(0, Cancel("b"), "left"),
        PlannedCommand(2, Move("a", "2026-11-20 15:30"), "edited"),
        PlannedCommand(3, Book("new1", "Cat", "2026-11-22 09:00"), "joined"),
    )


def test_the_checks_of_the_desk_are_problems_of_their_rows() -> None:
    past = Row(4, ("Cat", "+65 9123 4567", "", "", "1 Nov 2026 9:00"))
    vague = Row(5, ("Dan", "+65 9123 4568"))

    found = planned(*TABLE, past, vague)

    assert found.commands == ()
    assert found.problems == (
        SheetProblem(4, "time", "This time has passed."),
        SheetProblem(5, "time", "It has no time."),
    )
