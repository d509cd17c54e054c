"""Maps structs to rows of either store and back, by the types of their fields.

Instants and durations are whole seconds, dates are ISO text, and enums are their value. A struct in
a field is JSON text, unless `flat` names it: then each of its fields is a column; so is a tuple of
structs. SQLite stores booleans as 0 and 1, and tuples, sets and mappings as JSON text.

A mapping is compiled to one expression when its first row is read or written: a loop over the
columns takes a tenth longer for a guest, and twice as long for a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from functools import cached_property, lru_cache, partial
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from frontdesk.store.setting_json import decoded, to_text
from frontdesk.values import Frozen

T = TypeVar("T", bound=Struct)
Convert = Callable[[Any], Any]
Codecs = Mapping[Any, tuple[Convert | None, Convert | None]]
"""The functions that write and read each type; None leaves the value unchanged."""

instant = partial(datetime.fromtimestamp, tz=UTC)
"""Converts whole seconds to an instant."""


def seconds(at: datetime) -> int:
    return int(at.timestamp())


def seconds_or_none(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp())


def instant_or_none(value: int | None) -> datetime | None:
    return None if value is None else instant(value)


class _Column(Frozen):
    name: str
    path: str
    """The path of the value in the struct: 'details.name'."""
    info: FieldInfo


class _Rows(Generic[T]):
    """Maps a struct to rows. `names` has the columns that differ in name from their field."""

    def __init__(
        self,
        kind: type[T],
        names: Mapping[str, str] | None = None,
        *,
        flat: Mapping[str, type[Struct]] | None = None,
    ) -> None:
        self._kind = kind
        self._flat = flat or {}
        self._renamed = names or {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in the order of the fields."""
        found: list[str] = []
        for field in self._kind.__struct_fields__:
            found += self._flat[field].__struct_fields__ if field in self._flat else (field,)
        return tuple(self._renamed.get(field, field) for field in found)

    @cached_property
    def _columns(self) -> Mapping[str, _Column]:
        """The columns by their paths. It is cached, because `fields` resolves types slowly."""
        return {column.path: column for column in self._find_columns()}

    def _find_columns(self) -> Iterator[_Column]:
        for info in fields(self._kind):
            inner = self._flat.get(info.name)
            for each in (info,) if inner is None else fields(inner):
                path = each.name if inner is None else f"{info.name}.{each.name}"
                yield _Column(self._renamed.get(each.name, each.name), path, each)

    def _builder(self, codecs: Codecs, get: Callable[[_Column], str]) -> tuple[str, dict[str, Any]]:
        """Returns an expression that builds the struct. `get` returns one for a column's value."""
        known: dict[str, Any] = {"kind": self._kind}
        arguments: list[str] = []
        for field in self._kind.__struct_fields__:
            if (inner := self._flat.get(field)) is None:
                arguments.append(_converted(self._columns[field], _decoder, codecs, get, known))
                continue
            known[f"kind_{field}"] = inner
            parts = [self._columns[f"{field}.{each}"] for each in inner.__struct_fields__]
            made = [_converted(part, _decoder, codecs, get, known) for part in parts]
            arguments.append(f"kind_{field}({', '.join(made)})")
        return f"kind({', '.join(arguments)})", known

    def _column_values(self, codecs: Codecs) -> tuple[list[str], dict[str, Any]]:
        """Returns an expression for the value of each column."""
        known: dict[str, Any] = {}
        taken = [
            _converted(each, _encoder, codecs, lambda column: f"value.{column.path}", known)
            for each in self._columns.values()
        ]
        return taken, known


class SqliteRows(_Rows[T]):
    """Maps a struct to rows of SQLite. `read` and `values` use the order of `columns`.

    The last `remembered` different rows share their values: comparing a row with a cached one is
    cheaper than converting it, and values are frozen. Such a row must be a tuple.
    """

    def __init__(
        self,
        kind: type[T],
        names: Mapping[str, str] | None = None,
        *,
        flat: Mapping[str, type[Struct]] | None = None,
        remembered: int = 0,
    ) -> None:
        super().__init__(kind, names, flat=flat)
        self._remembered = remembered

    @cached_property
    def columns(self) -> str:
        return ", ".join(self.names)

    @cached_property
    def marks(self) -> str:
        """A question mark for each column."""
        return ", ".join("?" * len(self.names))

    def __len__(self) -> int:
        return len(self.names)

    def of(self, alias: str) -> str:
        """Returns the columns with the table's alias."""
        return ", ".join(f"{alias}.{name}" for name in self.names)

    def sets(self, keys: int) -> str:
        """Returns the assignments of an update: all columns but the first `keys`."""
        return ", ".join(f"{name} = ?" for name in self.names[keys:])

    @cached_property
    def read(self) -> Callable[[Sequence[Any]], T]:
        places = {name: at for at, name in enumerate(self.names)}
        made, known = self._builder(_SQLITE, lambda column: f"row[{places[column.name]}]")
        convert: Callable[[Sequence[Any]], T] = _compiled("row", made, known)
        return lru_cache(self._remembered)(convert) if self._remembered else convert

    def read_or_none(self, row: Sequence[Any] | None) -> T | None:
        return None if row is None else self.read(row)

    @cached_property
    def values(self) -> Callable[[T], list[Any]]:
        taken, known = self._column_values(_SQLITE)
        return _compiled("value", f"[{', '.join(taken)}]", known)


class DynamoRows(_Rows[T]):
    """Maps a struct to rows of DynamoDB. A missing attribute is read as its field's default.
    Attributes in `sparse` are left out when they are false or empty."""

    def __init__(
        self,
        kind: type[T],
        names: Mapping[str, str] | None = None,
        *,
        flat: Mapping[str, type[Struct]] | None = None,
        sparse: Sequence[str] = (),
    ) -> None:
        super().__init__(kind, names, flat=flat)
        self._sparse = sparse

    @cached_property
    def read(self) -> Callable[[Mapping[str, Any]], T]:
        defaults: dict[str, Any] = {}

        def get(column: _Column) -> str:
            default = _default(column.info)
            if default is NODEFAULT:
                return f"row[{column.name!r}]"
            defaults[f"default_{column.name}"] = default
            return f"row.get({column.name!r}, default_{column.name})"

        made, known = self._builder(_DYNAMODB, get)
        return _compiled("row", made, known | defaults)

    def read_or_none(self, row: Mapping[str, Any] | None) -> T | None:
        return None if row is None else self.read(row)

    @cached_property
    def row(self) -> Callable[[T], dict[str, Any]]:
        taken, known = self._column_values(_DYNAMODB)
        items = [
            f"{name!r}: {value}" + (" or None" if name in self._sparse else "")
            for name, value in zip(self.names, taken, strict=True)
        ]
        return _compiled("value", f"{{{', '.join(items)}}}", known)


def _compiled(parameter: str, expression: str, known: dict[str, Any]) -> Convert:
    made: Convert = eval(f"lambda {parameter}: {expression}", known)  # noqa: S307 - our own names
    return made


def _converted(
    column: _Column,
    converter: Callable[[Any, Codecs], Convert | None],
    codecs: Codecs,
    get: Callable[[_Column], str],
    known: dict[str, Any],
) -> str:
    """Returns an expression that converts a column's value for reading or writing."""
    convert, got = converter(column.info.type, codecs), get(column)
    if convert is None:
        return got
    call = f"convert_{column.name}"
    known[call] = convert
    if NoneType not in get_args(column.info.type):
        return f"{call}({got})"
    return f"(None if (found := {got}) is None else {call}(found))"


_PLAIN: Codecs = {
    datetime: (seconds, instant),
    date: (date.isoformat, date.fromisoformat),
    timedelta: (lambda span: int(span.total_seconds()), lambda value: timedelta(seconds=value)),
}
_SQLITE: Codecs = {**_PLAIN, bool: (int, bool)}
_DYNAMODB: Codecs = {
    **_PLAIN,
    tuple: (None, tuple),
    frozenset: (None, None),
    Mapping: (None, None),
}


def _encoder(hint: Any, codecs: Codecs) -> Convert | None:
    kind = _kind(hint)
    plain = _plain(kind)
    if plain in codecs and not _is_of_structs(kind):
        return codecs[plain][0]
    if issubclass(plain, Enum):
        return {member: member.value for member in plain}.__getitem__
    return to_text if issubclass(plain, _IN_JSON) else None


def _decoder(hint: Any, codecs: Codecs) -> Convert | None:
    kind = _kind(hint)
    plain = _plain(kind)
    if plain in codecs and not _is_of_structs(kind):
        return codecs[plain][1]
    if issubclass(plain, Enum):
        return {member.value: member for member in plain}.__getitem__
    if issubclass(plain, Struct):
        return partial(decoded, plain)
    if issubclass(plain, tuple | frozenset):
        return partial(decoded, kind)
    return msgspec.json.Decoder(kind).decode if issubclass(plain, _IN_JSON) else None


_IN_JSON = (tuple, frozenset, Mapping, Struct)


def _kind(hint: Any) -> Any:
    """Returns the type of a field without None; for a `NewType`, its supertype."""
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    if get_origin(hint) in (Union, UnionType):
        (only,) = [each for each in get_args(hint) if each is not NoneType]
        return _kind(only)
    return hint


def _is_of_structs(kind: Any) -> bool:
    """Whether this is a tuple of structs."""
    arguments = get_args(kind)
    return bool(arguments) and isinstance(arguments[0], type) and issubclass(arguments[0], Struct)


def _plain(kind: Any) -> Any:
    return get_origin(kind) or kind


def _default(info: FieldInfo) -> Any:
    if info.default_factory is not NODEFAULT:
        return info.default_factory()
    if info.required and NoneType in get_args(info.type):
        return None
    return info.default
