"""Addresses of the booking page: every step is a link, and its state is in the address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Final
from urllib.parse import quote, quote_plus

from frontdesk.desks.booking.rules import BookingRules, ServiceRules, slug_of
from frontdesk.values import Frozen, field

PATH: Final = "/book"
EMBED_PATH: Final = "/book/embed"
#: Parts of a path after '/book/' that do not name a service.
_RESERVED: Final = frozenset(("ask", "choose", "embed", "embed.js", "link", "received"))
#: Most texts need no quoting, which takes longer than the rest of an address.
_UNQUOTED: Final = re.compile(r"[\w.~-]+", re.ASCII)


class Address(Frozen):
    """The address of a page, with parameters."""

    path: str
    params: Mapping[str, str] = field(default_factory=dict)

    def url(self, part: str = "", **changes: str) -> str:
        """The URL with some parameters changed: an empty value removes one. `part` is the id of the
        part of the page to scroll to."""
        params = {**self.params, **changes}.items()
        query = "&".join([f"{name}={_quoted(text)}" for name, text in params if text])
        if query:
            query = f"{'&' if '?' in self.path else '?'}{query}"
        return f"{self.path}{query}{f'#{part}' if part else ''}"

    def without(self, *names: str) -> Address:
        kept = {name: text for name, text in self.params.items() if name not in names}
        return Address(self.path, kept)


def _quoted(text: str) -> str:
    return text if _UNQUOTED.fullmatch(text) else quote_plus(text)


@lru_cache(maxsize=256)
def service_path(service: str, *, embedded: bool = False) -> str:
    start = EMBED_PATH if embedded else PATH
    slug = slug_of(service)
    return f"{start}?service={quote(service)}" if slug in _RESERVED else f"{start}/{quote(slug)}"


def find_service(rules: BookingRules, text: str) -> ServiceRules | None:
    """Finds a service by its name, an alias or its slug."""
    if found := rules.service(text[:200]):
        return found
    wanted = slug_of(text[:200])
    by_name = (one for one in rules.services if wanted == slug_of(one.name))
    by_alias = (one for one in rules.services if wanted in map(slug_of, one.aliases))
    return next(chain(by_name, by_alias), None)
