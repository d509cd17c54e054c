"""Key files in the data directory, readable by their owner only: for links and for numbers."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from frontdesk.core.links import Keys, LinkKey
from frontdesk.errors import BadSettings
from frontdesk.values import Frozen

FILE_NAME: Final = "link-keys.json"
NUMBER_FILE: Final = "number-key"
SECRET_BYTES: Final = 32
#: No link is valid for longer, so a retired key can be deleted after this time.
LONGEST_LINK: Final = timedelta(days=3 * 365)


class _Stored(Frozen):
    key: LinkKey
    retired_at: datetime | None


def link_keys(directory: Path) -> Keys:
    """Reads the link keys of this data directory. Creates a random one if there is none."""
    path = directory / FILE_NAME
    if not path.exists():
        _write(path, [_Stored(LinkKey(1, os.urandom(SECRET_BYTES)), None)])
    return _keys(_read(path))


def link_key_problem(directory: Path) -> str:
    """Returns the problem with this directory's link keys, or an empty text. Writes nothing."""
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
    """Reads the key of the stored digests of numbers that sent STOP. Creates it if there is none.
    It never changes: with another key, no stored number could be recognised."""
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
    """Reads link keys from the text of a secret: a list as in the file, or one key alone.

    One key is 64 hexadecimal digits, or any other random text of at least 32 characters.
    """
    text = text.strip()
    if text.startswith("["):
        return _keys(_read_rows(text, "The secret"))
    if len(text) < SECRET_BYTES:
        raise BadSettings("The secret is too short for a link key")
    is_hex = re.fullmatch(r"[0-9a-f]{64}", text)
    return Keys(LinkKey(1, bytes.fromhex(text) if is_hex else text.encode()))


def rotate(directory: Path, now: datetime) -> Keys:
    """Adds a new key, which signs from now on. Old keys stay until their last link has expired."""
    path = directory / FILE_NAME
    link_keys(directory)
    kept = [
        _Stored(each.key, each.retired_at or now)
        for each in _read(path)
        if each.retired_at is None or now < each.retired_at + LONGEST_LINK
    ]
    new = LinkKey(_free_id([each.key.id for each in kept]), os.urandom(SECRET_BYTES))
    stored = [_Stored(new, None), *kept]
    _write(path, stored)
    return _keys(stored)


def _free_id(used: list[int]) -> int:
    """Returns the first free id after the newest, which is the first in `used`."""
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
    key = LinkKey(row["id"], bytes.fromhex(row["secret"]))
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
    """Replaces the file atomically: a broken key file would invalidate every link that was sent."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
