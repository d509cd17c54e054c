"""The types that each module of this store provides: writes of changes, and reads of a desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

from frontdesk.core.decision import Change, Fact
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.fact_json import FactJson
from frontdesk.values import Frozen

Items = Callable[[TableReader, Any], Sequence[TransactItem]]
"""Most changes need no look at what is there: their conditions say it all."""

P = ParamSpec("P")
R = TypeVar("R")


def delegate(
    function: Callable[Concatenate[TableReader, P], R],
) -> Callable[Concatenate[Any, P], R]:
    """A method of a desk's reads that calls the function with their table reader."""

    def method(self: Any, /, *args: P.args, **named: P.kwargs) -> R:
        return function(self._reader, *args, **named)

    return method


class Write(Frozen):
    """How a change is written, as items of the one transaction of its commit."""

    items: Items
    optional: bool = False
    """Where its condition does not hold it is left out, and the rest is written all the same."""
    first: Callable[[TableReader, Any], None] = lambda _reader, _change: None
    """Done before the transaction, possibly twice: what is too large or too much for it."""
    after: Callable[[TableReader, Any], None] = lambda _reader, _change: None
    """Done after the transaction, possibly not at all: what it leaves lying about."""
    dated_items: Callable[[TableReader, Any, datetime], Sequence[TransactItem]] | None = None
    """Used instead of `items` by a change that also stores the time of its commit."""

    def items_at(self, reader: TableReader, change: Any, at: datetime) -> Sequence[TransactItem]:
        if self.dated_items is not None:
            return self.dated_items(reader, change, at)
        return self.items(reader, change)


def one(item: Callable[[Any], TransactItem], *, optional: bool = False) -> Write:
    """The common case: one change, one item."""
    return Write(lambda _reader, change: (item(change),), optional)


def one_dated(item: Callable[[Any, datetime], TransactItem]) -> Write:
    """One change, one item that stores the time of its commit."""

    def dated_items(_reader: TableReader, change: Any, at: datetime) -> Sequence[TransactItem]:
        return (item(change, at),)

    return Write(items=lambda _reader, _change: (), dated_items=dated_items)


Writes = Mapping[type[Change], Write]


class DeskItems(Frozen):
    """One desk in this store: its writes, its reads, its facts."""

    code: str
    writes: Writes
    reads: Callable[[TableReader, FactJson], Any]
    facts: tuple[type[Fact], ...]
    forget: Callable[[TableReader, str], None] = lambda _reader, _email_key: None
    """Erase what this desk keeps under an address outside the people table."""
    forget_person: Callable[[TableReader, str], None] = lambda _reader, _person_id: None
    """Erase what this desk knows to be about a person, whatever address stands in it."""
