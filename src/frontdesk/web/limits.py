"""Rate limits for visitors: a token bucket for each address and purpose."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Protocol

from frontdesk.values import Frozen

#: The number of addresses in memory; the least recently used are dropped first.
MOST_BUCKETS = 50_000


class Rate(Frozen):
    """Allows `burst` at once, then `per_minute`."""

    burst: int
    per_minute: float


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimits(Protocol):
    def take(self, purpose: str, address: str, rate: Rate) -> bool:
        """Takes one token; returns whether the request is allowed."""


class Limits:
    """Limits in memory; a restart resets them. With `enabled=False`, for benchmarks, none apply."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, enabled: bool = True
    ) -> None:
        self._clock = clock
        self._enabled = enabled
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()

    def take(self, purpose: str, address: str, rate: Rate) -> bool:
        """Takes one token; returns whether the request is allowed."""
        if not self._enabled:
            return True
        now = self._clock()
        key = (purpose, network(address))
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = _Bucket(rate.burst, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
            earned = (now - bucket.at) * rate.per_minute / 60
            bucket.left = min(rate.burst, bucket.left + earned)
            bucket.at = now
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True


def network(address: str) -> str:
    """Groups addresses: all of an IPv6 /64 count as one, since a household has a whole one."""
    if ":" not in address:
        return address
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 64 << 64))
