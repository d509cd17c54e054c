"""Reads and writes saved settings in the table `fd_setting`."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import TypeVar

from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.store.setting_json import to_text, value_of
from frontdesk.store.sqlite.tables import Db, Write, Writes

T = TypeVar("T")


class SqliteSettingReads:
    _db: Db

    def setting(self, setting: SavedSetting[T]) -> T:
        return read(self._db(), setting)


def read(db: Connection, setting: SavedSetting[T]) -> T:
    row = db.execute("SELECT value FROM fd_setting WHERE key = ?", (setting.key,)).fetchone()
    return value_of(setting, None if row is None else row[0])


def write(db: Connection, change: WriteSetting) -> bool:
    key = change.setting.key
    if read(db, change.setting) != change.before:
        return False
    if change.after is None:
        db.execute("DELETE FROM fd_setting WHERE key = ?", (key,))
        return True
    db.execute(
        "INSERT INTO fd_setting (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, to_text(change.after)),
    )
    return True


SETTING_WRITES: Writes = {WriteSetting: Write("fd_setting", attrgetter("setting.key"), write)}
