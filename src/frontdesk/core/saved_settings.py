"""Settings in the store: one typed value as JSON under one key."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

import msgspec

from frontdesk.core.decision import Change

T = TypeVar("T")


class SavedSetting(msgspec.Struct, Generic[T], frozen=True):
    """Where a value is saved, its type, and its default while nothing is saved.

    Keys are persisted: never change one.
    """

    key: str
    type: Any
    default: T


class WriteSetting(Change):
    """Saves `after`, or deletes the row if it is None. Condition: the saved value, or the default
    if none is saved, equals `before`."""

    setting: SavedSetting[Any]
    before: Any
    after: Any


class SettingReads(Protocol):
    def setting(self, setting: SavedSetting[T]) -> T:
        """Returns the saved value, or the default."""
