"""Idempotency keys for stores: a name and, after a line break, a digest of the content."""

from __future__ import annotations

import hashlib


def request_key(scope: str, *, sender: str, key: str, content: object) -> str:
    """Returns a key for one sender and one request. It contains digests only, no address."""
    return f"{scope}/{_digest(sender, key)}\n{_digest(content)}"


def name_and_content(key: str) -> tuple[str, str]:
    """Splits a key. The content is empty if the key has none."""
    name, _, content = key.partition("\n")
    return name, content


def is_other_content(before: str, now: str) -> bool:
    """Whether a used key comes with another content. Old keys have no content."""
    return bool(before and now) and before != now


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
