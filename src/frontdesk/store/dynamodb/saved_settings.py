"""Reads and writes saved settings in the table `fd-settings`."""

from __future__ import annotations

from typing import TypeVar

from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.store.dynamodb.items import TransactItem, delete, put
from frontdesk.store.dynamodb.schema import FD_SETTINGS
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes
from frontdesk.store.setting_json import to_text, value_of

T = TypeVar("T")


class DynamoSettingReads:
    _reader: TableReader

    def setting(self, setting: SavedSetting[T]) -> T:
        return read(self._reader, setting)


def read(reader: TableReader, setting: SavedSetting[T]) -> T:
    return value_of(setting, _text(reader, setting.key))


def _text(reader: TableReader, key: str) -> str | None:
    row = reader.get(FD_SETTINGS, key)
    return None if row is None else str(row["value"])


def write(reader: TableReader, change: WriteSetting) -> TransactItem:
    """The condition compares the text as read: another version may spell an equal value
    differently."""
    key = change.setting.key
    text = _text(reader, key)
    if value_of(change.setting, text) != change.before:
        text = to_text(change.before)  # not the saved text, so that the condition fails
    when = "attribute_not_exists(#value)" if text is None else "#value = :before"
    values = {} if text is None else {"before": text}
    if change.after is None:
        return delete(FD_SETTINGS.name, {"key": key}, when=when, **values)
    row = {"key": key, "value": to_text(change.after)}
    return put(FD_SETTINGS.name, FD_SETTINGS.key.names, row, when=when, **values)


SETTING_WRITES: Writes = {WriteSetting: Write(lambda reader, change: (write(reader, change),))}
