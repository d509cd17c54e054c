"""Verifies that a request is signed with our secret and, where it has a time, that it is fresh."""

from __future__ import annotations

import hmac
import re
from datetime import datetime, timedelta
from typing import Final

#: The tolerance for clock difference and delay.
FRESH: Final = timedelta(minutes=5)

_STAMPED: Final = re.compile(r"t=(?P<at>\d{1,12}),v1=(?P<mac>[0-9a-f]{64})")
_PLAIN: Final = re.compile(r"(?:sha256=)?(?P<mac>[0-9a-f]{64})")


def stamped(header: str, body: bytes, secret: str, now: datetime) -> bool:
    """Verifies `t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<seconds>.<body>`. Rejects old requests."""
    found = _STAMPED.fullmatch(header.strip())
    if found is None or not secret:
        return False
    expected = _mac(secret, found["at"].encode() + b"." + body)
    fresh = abs(now.timestamp() - int(found["at"])) <= FRESH.total_seconds()
    return hmac.compare_digest(expected, found["mac"]) and fresh


def plain(header: str, body: bytes, secret: str, _now: datetime) -> bool:
    """Verifies the HMAC-SHA256 of the body. The origin of the slot makes a replay harmless."""
    found = _PLAIN.fullmatch(header.strip())
    return (
        found is not None and bool(secret) and hmac.compare_digest(_mac(secret, body), found["mac"])
    )


def stamp(body: bytes, secret: str, at: datetime) -> str:
    """The signature header of a request in our own format."""
    seconds = str(int(at.timestamp()))
    return f"t={seconds},v1={_mac(secret, seconds.encode() + b'.' + body)}"


def _mac(secret: str, signed: bytes) -> str:
    return hmac.digest(secret.encode(), signed, "sha256").hex()
