"""Keys in files beside the data that only their owner can read: for links, and for numbers."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from frontdesk.core.links import Key, Keys
from frontdesk.errors import BadSettings
from frontdesk.values import Frozen

FILE_NAME: Final = "link-keys.json"
NUMBER_FILE: Final = "number-key"
SECRET_BYTES: Final = 32
#: No link lives longer than this, so that a retired key can go then.
LONGEST_LINK: Final = timedelta(days=3 * 365)


class _Stored(Frozen):
    key: Key
    retired_at: datetime | None


def link_keys(directory: Path) -> Keys:
    """The keys in this data directory; made with fresh randomness if there are none yet."""
    path = directory / FILE_NAME
    if not path.exists():
        _write(path, [_Stored(Key(1, os.urandom(SECRET_BYTES)), None)])
    return _keys(_read(path))


def link_key_problem(directory: Path) -> str:
    """What is wrong with the link keys in this data directory, if anything. Writes nothing."""
    path = directory / FILE_NAME
    try:
        _read(path)
    except FileNotFoundError:
        return f"{path} is missing: no link that was sent opens any more. Restore it from a backup."
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}."
    except BadSettings as bad:
        return f"{bad}. Restore it from a backup."
    return ""


def number_key(directory: Path) -> bytes:
    """Under which numbers that said STOP are kept; made if there is none yet, and never changed:
    with another one, none of them would be known again."""
    path = directory / NUMBER_FILE
    if not path.exists():
        _write_text(path, os.urandom(SECRET_BYTES).hex() + "\n")
    key = number_key_in(directory)
    assert key is not None, "it is there now"
    return key


def number_key_in(directory: Path) -> bytes | None:
    path = directory / NUMBER_FILE
    try:
        text = path.read_text().strip()
    except FileNotFoundError:
        return None
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise BadSettings(f"{path} is not a key for numbers")
    return bytes.fromhex(text)


def keys_in(text: str) -> Keys:
    """Those in a secret's text: a list as in the file, or one key alone.

    The one key is 64 hexadecimal digits, or any other long string as it was made by chance.
    """
    text = text.strip()
    if text.startswith("["):
        return _keys(_read_rows(text, "The secret"))
    if len(text) < SECRET_BYTES:
        raise BadSettings("The secret is too short for a link key")
    is_hex = re.fullmatch(r"[0-9a-f]{64}", text)
    return Keys(Key(1, bytes.fromhex(text) if is_hex else text.encode()))


def rotate(directory: Path, now: datetime) -> Keys:
    """A new key signs from now on. Older ones stay until the last link that they signed is dead."""
    path = directory / FILE_NAME
    link_keys(directory)
    kept = [
        _Stored(each.key, each.retired_at or now)
        for each in _read(path)
        if each.retired_at is None or now < each.retired_at + LONGEST_LINK
    ]
    new = Key(_free_id([each.key.id for each in kept]), os.urandom(SECRET_BYTES))
    stored = [_Stored(new, None), *kept]
    _write(path, stored)
    return _keys(stored)


def _free_id(used: list[int]) -> int:
    """The one after the newest, which comes first."""
    for step in range(1, 256):
        if (candidate := (used[0] + step) % 256) not in used:
            return candidate
    raise BadSettings("every key id is in use: wait until the oldest links have expired")


def _keys(stored: list[_Stored]) -> Keys:
    current, *old = (each.key for each in stored)
    return Keys(current, tuple(old))


def _read(path: Path) -> list[_Stored]:
    return _read_rows(path.read_text(errors="replace"), f"{path}")


def _read_rows(text: str, where: str) -> list[_Stored]:
    try:
        stored = [_stored(each) for each in json.loads(text)]
        if not stored:
            raise ValueError("no keys")
        return stored
    except (ValueError, LookupError, TypeError) as error:
        raise BadSettings(f"{where} is not a file of link keys") from error


def _stored(row: dict[str, Any]) -> _Stored:
    retired = row["retired_at"]
    key = Key(row["id"], bytes.fromhex(row["secret"]))
    return _Stored(key, datetime.fromisoformat(retired) if retired else None)


def _write(path: Path, stored: list[_Stored]) -> None:
    rows = [
        {
            "id": each.key.id,
            "secret": each.key.secret.hex(),
            "retired_at": each.retired_at.isoformat() if each.retired_at else None,
        }
        for each in stored
    ]
    _write_text(path, json.dumps(rows, indent=1) + "\n")


def _write_text(path: Path, text: str) -> None:
    """All of it or nothing: a torn key file would kill every link that is out there."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
