"""Objects that the wiring gives to the pages of a desk, under typed keys."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from frontdesk.values import Frozen

T = TypeVar("T")


class SharedKey(Frozen, Generic[T]):
    """Names an object of the type T. The name begins with the code of its desk or feature."""

    name: str


class SharedObjects:
    """A dictionary whose keys know the types of their values."""

    def __init__(self) -> None:
        self._objects: dict[SharedKey[Any], Any] = {}

    def __setitem__(self, key: SharedKey[T], value: T) -> None:
        self._objects[key] = value

    def __getitem__(self, key: SharedKey[T]) -> T:
        value: T = self._objects[key]
        return value

    def __delitem__(self, key: SharedKey[Any]) -> None:
        del self._objects[key]

    def __contains__(self, key: SharedKey[Any]) -> bool:
        return key in self._objects

    def get(self, key: SharedKey[T]) -> T | None:
        return self._objects.get(key)
