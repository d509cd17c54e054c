"""Rows of one kind that are one partition of a table, so that decisions can query them strongly
consistent: the rows are small and few.

The keys of such a table are `shelf`, which names the partition, and the id of the row. A second row
in the partition of a person finds what is theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from frontdesk.store.dynamodb.items import TransactItem, check, put, put_new
from frontdesk.store.dynamodb.schema import Table
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.values import Value
from frontdesk.store.rows import DynamoRows

T = TypeVar("T", bound=Struct)

#: DynamoDB rejects empty keys. A space sorts before all ids.
BEFORE_ALL: Final = " "
NOWHERE: Final[Mapping[str, Value | None]] = {}


def person_shelf(person_id: str) -> str:
    return f"person#{person_id}"


class Partition(Generic[T]):
    def __init__(self, table: Table, shelf: str, rows: DynamoRows[T]) -> None:
        self.table = table
        self.shelf = shelf
        self._rows = rows
        _, self._id = table.key.names

    # --- reads --------------------------------------------------------------------------------

    def get(self, reader: TableReader, row_id: str) -> T | None:
        return self._rows.read_or_none(reader.get(self.table, self.shelf, row_id))

    def get_many(self, reader: TableReader, ids: Iterable[str]) -> list[T]:
        rows = reader.get_many(self.table, [(self.shelf, each) for each in ids])
        return [self._rows.read(row) for row in rows.values()]

    def of_person(self, reader: TableReader, person_id: str) -> list[T]:
        mine = reader.query(self.table, "shelf = :person", person=person_shelf(person_id))
        return self.get_many(reader, [row[self._id] for row in mine])

    def query(
        self,
        reader: TableReader,
        where: str = "",
        *,
        index: str = "",
        only: str = "",
        backwards: bool = False,
        limit: int | None = None,
        **values: Any,
    ) -> Iterator[T]:
        """`where` is a condition on the second key of the table or of the index."""
        rows = reader.query(
            self.table,
            f"shelf = :shelf AND {where}" if where else "shelf = :shelf",
            index=index,
            only=only,
            backwards=backwards,
            limit=limit,
            shelf=self.shelf,
            **values,
        )
        return map(self._rows.read, rows)

    def page(self, reader: TableReader, /, *, limit: int = 100, after: str = "") -> list[T]:
        """Returns the first rows after this id."""
        where = f"{self._id} > :after"
        return list(self.query(reader, where, limit=limit, after=after or BEFORE_ALL))

    def between(
        self,
        reader: TableReader,
        since: datetime,
        until: datetime,
        *,
        index: str = "by-start",
        name: str = "start",
    ) -> list[T]:
        """Returns rows from `since` up to, not including, `until`: a key is the moment and an id,
        so the keys of `until` sort after its moment."""
        where = f"#{name} BETWEEN :since AND :until"
        since_key, until_key = moment(since), moment(until)
        return list(self.query(reader, where, index=index, since=since_key, until=until_key))

    def filed(
        self,
        reader: TableReader,
        state: str,
        limit: int | None = None,
        *,
        index: str = "by-status",
    ) -> list[T]:
        """Returns the rows in a state, in order: `filed` is the state, a moment and the id."""
        where = "begins_with(filed, :state)"
        return list(self.query(reader, where, index=index, limit=limit, state=f"{state}#"))

    # --- writes -------------------------------------------------------------------------------

    def key(self, row_id: str) -> dict[str, Value]:
        return {"shelf": self.shelf, self._id: row_id}

    def add(self, value: T, places: Mapping[str, Value | None] = NOWHERE) -> TransactItem:
        """`places` are its keys in the indexes. Condition: there is no row with this id."""
        row = self._row(value, places)
        return put_new(self.table.name, self.table.key.names, row)

    def replace(
        self,
        value: T,
        places: Mapping[str, Value | None] = NOWHERE,
        *,
        when: str = "",
        **values: Value,
    ) -> TransactItem:
        """Condition: the row has the version before, and `when` holds."""
        row = self._row(value, places)
        names, before = self.table.key.names, row["version"] - 1
        when = f"{when} AND version = :before" if when else "version = :before"
        return put(self.table.name, names, row, when=when, before=before, **values)

    def as_read(self, row_id: str, version: int) -> TransactItem:
        """Writes nothing. Condition: the row has this version."""
        key, name = self.key(row_id), self.table.name
        return check(name, key, when="version = :version", version=version)

    def _row(self, value: T, places: Mapping[str, Value | None]) -> dict[str, Any]:
        return {"shelf": self.shelf, **self._rows.row(value), **places}
