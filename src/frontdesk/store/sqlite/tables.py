"""The types that each module of this store provides: writes of changes, and reads of a desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from sqlite3 import Connection
from typing import Any, Concatenate, ParamSpec, TypeVar

from frontdesk.core.decision import Change, Fact
from frontdesk.store.fact_json import FactJson
from frontdesk.values import Frozen

Db = Callable[[], Connection]
"""The connection to read from: the writer's own, or the one of the calling thread."""
SqlValue = str | int | bytes | None
P = ParamSpec("P")
R = TypeVar("R")


def delegate(
    function: Callable[Concatenate[Connection, P], R],
) -> Callable[Concatenate[Any, P], R]:
    """A method of a desk's reads that calls the function with their connection."""

    def method(self: Any, /, *args: P.args, **named: P.kwargs) -> R:
        return function(self._db(), *args, **named)

    return method


class Write(Frozen):
    """One conditional write. `apply` says whether its condition held; `row` names what it touches.

    No row is touched twice in one commit, as in DynamoDB; the store insists on it.
    """

    table: str
    row: Callable[[Any], object]
    apply: Callable[[Connection, Any], bool]


Writes = Mapping[type[Change], Write]


def writes_one(
    db: Connection, sql: str, values: Sequence[SqlValue] | Mapping[str, SqlValue]
) -> bool:
    """Run a conditional write; say whether its condition held for the one row it is about."""
    return db.execute(sql, values).rowcount == 1


class DeskTables(Frozen):
    """One desk in this store: its writes, its reads, its facts."""

    code: str
    writes: Writes
    reads: Callable[[Db, FactJson], Any]
    facts: tuple[type[Fact], ...]
    forget: Callable[[Connection, str], None] = lambda _db, _email_key: None
    """Erase what this desk keeps under an address outside the people table."""
    forget_person: Callable[[Connection, str], None] = lambda _db, _person_id: None
    """Erase what this desk knows to be about a person, whatever address stands in it."""
