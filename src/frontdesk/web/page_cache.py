"""Caches rendered pages; placeholders mark the few values that differ in each response."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Mapping
from datetime import datetime
from functools import cache
from itertools import count
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlsplit

from starlette.responses import Response

from frontdesk.web.renderer import HEADERS, POLICY, Renderer

MOST_KEPT: Final = 512

#: The prefix of placeholders. It is new in each process, so that nobody can type one.
_MARK: Final = f"placeholder-{secrets.token_hex(8)}-"
_PLACEHOLDER: Final = re.compile(f"{_MARK}([a-z]+)-")

_SECRET: Final = secrets.token_bytes(32)
_numbers: Final = count()

T = TypeVar("T")


class LruCache(Generic[T]):
    """A cache of bounded size that drops the least recently used entry."""

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


class MomentCache(Generic[T]):
    """Makes each value once for all who request it at the same instant, while the data stays the
    same.

    The stamp has everything that a value depends on besides its key: the time and the revision of
    the data. A new stamp empties the cache.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._stamp: Hashable = None
        self._made: dict[Hashable, asyncio.Task[T]] = {}

    async def get(
        self, stamp: Hashable, key: Hashable, make: Callable[[], Coroutine[None, None, T]]
    ) -> T:
        """Waits for a value that another request is making. Read the stamp before the data."""
        if stamp != self._stamp:
            self._stamp, self._made = stamp, {}
        made = self._made.get(key)
        if made is None or not _is_usable(made):
            made = asyncio.create_task(make())
            if len(self._made) < self._most:
                self._made[key] = made
        if made.done():
            return made.result()
        # A visitor who leaves does not end the work for the others.
        return await asyncio.shield(made)


def _is_usable(made: asyncio.Task[T]) -> bool:
    if not made.done():
        return made.get_loop() is asyncio.get_running_loop()
    return not made.cancelled() and made.exception() is None


def placeholder(name: str) -> str:
    """Returns a mark for a template value that is filled in for each response."""
    return f"{_MARK}{name}-"


class CachedPage:
    """A page rendered once. Each response gets its own nonce, time and other placeholders."""

    def __init__(
        self,
        renderer: Renderer,
        template: str,
        now: datetime,
        values: Mapping[str, Any],
        *,
        posts_to: str = "",
    ) -> None:
        """`posts_to` is another address of ours that receives a form of the page."""
        html = renderer.html(template, now, placeholder("nonce"), values)
        timeless = html.replace(
            f'data-now="{now.isoformat()}"', f'data-now="{placeholder("now")}"', 1
        )
        parts = _PLACEHOLDER.split(timeless)  # text and names of placeholders, in turns
        self._names = parts[1::2]
        self._parts = [part.encode() for part in parts]
        self._origin = _origin(posts_to)

    def page(
        self, now: datetime, *, status: int = 200, embeddable: bool = False, **filling: str
    ) -> Response:
        """`filling` is HTML: escape user input."""
        nonce = _nonce()
        filling |= {"nonce": nonce, "now": now.isoformat()}
        parts = self._parts.copy()
        parts[1::2] = [filling[name].encode() for name in self._names]
        policy, headers = _encoded(embeddable=embeddable, origin=self._origin)
        policy_header = (b"content-security-policy", nonce.encode().join(policy))
        return _EncodedPage(b"".join(parts), status, (policy_header, *headers))


class _EncodedPage(Response):
    """A response whose headers are encoded in advance, because encoding takes longer than
    everything else.
    """

    def __init__(self, body: bytes, status: int, headers: tuple[tuple[bytes, bytes], ...]) -> None:
        self.status_code = status
        self.background = None
        self.body = body
        self.raw_headers = [*headers, (b"content-length", b"%d" % len(body))]


def _origin(url: str) -> str:
    """The part of an address that a policy names; empty if it is on this site."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


@cache
def _encoded(
    *, embeddable: bool, origin: str
) -> tuple[list[bytes], tuple[tuple[bytes, bytes], ...]]:
    """The policy, split at the nonce, and all other headers."""
    policy = POLICY.format(
        nonce=_MARK,
        posts_to=f" {origin}" if origin else "",
        ancestors="*" if embeddable else "'none'",
    )
    frames = {} if embeddable else {"x-frame-options": "DENY"}
    headers = {"content-type": "text/html; charset=utf-8", **frames, **HEADERS}
    encoded = tuple((name.encode(), text.encode()) for name, text in headers.items())
    return policy.encode().split(_MARK.encode()), encoded


def _nonce() -> str:
    """Returns a unique, unpredictable nonce without a system call."""
    number = next(_numbers).to_bytes(8, "big")
    return hashlib.blake2b(number, key=_SECRET, digest_size=16).hexdigest()
