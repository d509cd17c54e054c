"""Addresses of the booking page: every step is a link, and its state is in the address."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import quote, quote_plus

from frontdesk.desks.booking.rules import BookingRules, ServiceRules
from frontdesk.values import Frozen, field

PATH: Final = "/book"
EMBED_PATH: Final = "/book/embed"
#: Words after '/book/' that are no services.
_RESERVED: Final = frozenset(("ask", "choose", "embed", "embed.js", "link", "received"))
#: Texts that need no quotes, as most do: the quotes take longer than the rest of an address.
_UNQUOTED: Final = re.compile(r"[\w.~-]+", re.ASCII)
_NOT_IN_SLUGS: Final = re.compile(r"[^\w.]+")


class Address(Frozen):
    """A page with parameters; `url` changes some of them."""

    path: str
    params: Mapping[str, str] = field(default_factory=dict)

    def url(self, part: str = "", **changes: str) -> str:
        """An empty value removes a parameter. `part` is the id of the part of the page to show."""
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


def slug_of(name: str) -> str:
    """'Cut & Colour' is 'cut-colour'. Letters of all scripts stay."""
    plain = unicodedata.normalize("NFC", name.casefold())
    return _NOT_IN_SLUGS.sub("-", plain).strip("-.") or "service"


def find_service(rules: BookingRules, text: str) -> ServiceRules | None:
    """Finds a service by its name, an alias or its slug."""
    if found := rules.service(text[:200]):
        return found
    wanted = slug_of(text[:200])
    by_slug = (one for one in rules.services if wanted in _slugs((one.name, *one.aliases)))
    return next(by_slug, None)


def _slugs(names: Iterable[str]) -> Iterable[str]:
    return map(slug_of, names)
