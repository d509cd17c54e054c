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
"""Returns the items of a change. Most changes read nothing: they have conditions instead."""

P = ParamSpec("P")
R = TypeVar("R")


def delegate(
    function: Callable[Concatenate[TableReader, P], R],
) -> Callable[Concatenate[Any, P], R]:
    """Returns a method for a desk's reads that calls the function with their table reader."""

    def method(self: Any, /, *args: P.args, **named: P.kwargs) -> R:
        return function(self._reader, *args, **named)

    return method


class Write(Frozen):
    """Writes a change as items of the transaction of its commit."""

    items: Items
    optional: bool = False
    """Whether a failed condition leaves out this change, instead of failing the commit."""
    first: Callable[[TableReader, Any], None] = lambda _reader, _change: None
    """Runs before the transaction, possibly twice. For content that is too large for it."""
    after: Callable[[TableReader, Any], None] = lambda _reader, _change: None
    """Runs after the transaction, possibly not at all. For cleanup."""
    dated_items: Callable[[TableReader, Any, datetime], Sequence[TransactItem]] | None = None
    """Used instead of `items` by a change that also stores the time of its commit."""

    def items_at(self, reader: TableReader, change: Any, at: datetime) -> Sequence[TransactItem]:
        if self.dated_items is not None:
            return self.dated_items(reader, change, at)
        return self.items(reader, change)


def one(item: Callable[[Any], TransactItem], *, optional: bool = False) -> Write:
    """Writes a change as one item, which is the common case."""
    return Write(lambda _reader, change: (item(change),), optional)


def one_dated(item: Callable[[Any, datetime], TransactItem]) -> Write:
    """Writes a change as one item that stores the time of its commit."""

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
    """Erases this desk's rows with this address or number."""
    forget_person: Callable[[TableReader, str], None] = lambda _reader, _person_id: None
    """Erases this desk's rows about a person, whatever address they contain."""
