"""Idempotency keys as stores keep them: a name, and after a line break a digest of the content."""

from __future__ import annotations

import hashlib


def request_key(scope: str, *, sender: str, key: str, content: object) -> str:
    """A key belongs to one sender and to what they asked for. No address can be read from it."""
    return f"{scope}/{_digest(sender, key)}\n{_digest(content)}"


def name_and_content(key: str) -> tuple[str, str]:
    """The content is empty where the key belongs to no particular content."""
    name, _, content = key.partition("\n")
    return name, content


def is_other_content(before: str, now: str) -> bool:
    """Whether a key that was used comes with another request. Old keys know no content."""
    return bool(before and now) and before != now


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
