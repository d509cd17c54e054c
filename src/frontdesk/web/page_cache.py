"""Caches rendered pages; placeholders mark the few values that differ in each response."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from itertools import count
from typing import Any, Final, Generic, TypeVar

from starlette.responses import HTMLResponse, Response

from frontdesk.web.renderer import HEADERS, POLICY, Renderer

MOST_KEPT: Final = 512

#: New in each process, so that nobody can type one.
_MARK: Final = f"placeholder-{secrets.token_hex(8)}-"
_PLACEHOLDER: Final = re.compile(f"{_MARK}([a-z]+)-")

_SECRET: Final = secrets.token_bytes(32)
_numbers: Final = count()

T = TypeVar("T")


class LruCache(Generic[T]):
    """A cache of bounded size that drops the entry that was not used for the longest time."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        try:
            self._kept.move_to_end(key)
            return self._kept[key]
        except KeyError:
            made = self._kept[key] = make()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return made


def placeholder(name: str) -> str:
    """Returns a mark for a template value that is filled in for each response."""
    return f"{_MARK}{name}-"


class CachedPage:
    """A page rendered once. Each response gets its own nonce, time and other placeholders."""

    def __init__(
        self, renderer: Renderer, template: str, now: datetime, values: Mapping[str, Any]
    ) -> None:
        html = renderer.html(template, now, placeholder("nonce"), values)
        timeless = html.replace(
            f'data-now="{now.isoformat()}"', f'data-now="{placeholder("now")}"', 1
        )
        self._parts = _PLACEHOLDER.split(timeless)  # text and names of placeholders, in turns

    def page(
        self,
        now: datetime,
        *,
        status: int = 200,
        embeddable: bool = False,
        headers: Mapping[str, str] | None = None,
        **filling: str,
    ) -> Response:
        """`filling` is HTML: escape user input."""
        nonce = _nonce()
        filling |= {"nonce": nonce, "now": now.isoformat()}
        parts = self._parts.copy()
        parts[1::2] = [filling[name] for name in parts[1::2]]
        policy = POLICY.format(nonce=nonce, ancestors="*" if embeddable else "'none'")
        frames = {} if embeddable else {"x-frame-options": "DENY"}
        return HTMLResponse(
            "".join(parts),
            status,
            {"content-security-policy": policy, **frames, **HEADERS, **(headers or {})},
        )


def _nonce() -> str:
    """Returns a unique, unpredictable nonce without a system call."""
    number = next(_numbers).to_bytes(8, "big")
    return hashlib.blake2b(number, key=_SECRET, digest_size=16).hexdigest()
