"""The services of the business, its team and its currency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Fact, Refused
from frontdesk.core.saved_settings import SavedSetting, WriteSetting
from frontdesk.core.words import how_long
from frontdesk.values import Frozen, replace

MOST_SERVICES: Final = 200
MOST_CALLED: Final = 600
"""The limit for names and aliases together."""
MOST_STAFF: Final = 200
MOST_NAME: Final = 80
MOST_CURRENCY: Final = 8
MOST_PARTY: Final = 1_000
LONGEST: Final = timedelta(days=1)


class Reason(StrEnum):
    UNCHANGED = "unchanged"
    BAD_CATALOGUE = "bad_catalogue"


class Service(Frozen):
    """A service of the business, such as a haircut or a table."""

    name: str
    duration: timedelta = timedelta(hours=1)
    price_cents: int = 0
    most: int = 1
    """The largest party."""
    aliases: tuple[str, ...] = ()
    """Other names for it."""
    unlisted: bool = False
    """Public pages do not show it."""

    @property
    def is_valid(self) -> bool:
        return (
            timedelta(minutes=1) <= self.duration <= LONGEST
            and self.price_cents >= 0
            and 1 <= self.most <= MOST_PARTY
        )


class Catalogue(Frozen):
    """The services of the business, its team and its currency."""

    services: tuple[Service, ...] = ()
    staff: tuple[str, ...] = ()
    currency: str = ""
    """The sign before a price: 'S$'."""

    def service(self, name: str) -> Service | None:
        """Finds a service by its name or an alias, ignoring case."""
        wanted = name.strip().casefold()
        return next(
            (
                one
                for one in self.services
                if wanted in (each.casefold() for each in (one.name, *one.aliases))
            ),
            None,
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.services)

    def missing(self, names: Iterable[str]) -> list[str]:
        """The names that no service has now. None while there are no services at all: then people
        may write what they want."""
        return sorted({*names} - {*self.names}) if self.services else []

    @property
    def public(self) -> Catalogue:
        """The catalogue without services that public pages do not show."""
        return replace(self, services=tuple(one for one in self.services if not one.unlisted))

    def member(self, name: str) -> str | None:
        wanted = name.strip().casefold()
        return next((one for one in self.staff if one.casefold() == wanted), None)

    def price(self, cents: int) -> str:
        """'S$2,880.00'."""
        return f"{self.currency}{cents / 100:,.2f}"

    def length_and_price(self, length: timedelta, cents: int) -> str:
        """'2 hours · S$120.00'; only the length if there is no price."""
        return " · ".join(filter(None, (how_long(length), self.price(cents) if cents else "")))

    @property
    def is_valid(self) -> bool:
        """Whether it is within the limits, and each name or alias is unique."""
        called = [each for one in self.services for each in (one.name, *one.aliases)]
        return (
            len(self.services) <= MOST_SERVICES
            and len(called) <= MOST_CALLED
            and len(self.staff) <= MOST_STAFF
            and len(self.currency) <= MOST_CURRENCY
            and _are_names(called)
            and _are_names(self.staff)
            and all(one.is_valid for one in self.services)
        )


def _are_names(them: Sequence[str]) -> bool:
    """Whether all are unique and without spaces around them, because people find them by typing."""
    distinct = {each.casefold() for each in them}
    return len(distinct) == len(them) and all(
        each == each.strip() and 0 < len(each) <= MOST_NAME for each in them
    )


#: All desks share this catalogue. The prefix of its key is that of the first desk that had one; it
#: never changes.
CATALOGUE: Final = SavedSetting("wl.shop", Catalogue, Catalogue())


def change_catalogue(before: Catalogue, after: Catalogue, changed: Fact) -> Decision:
    """Decides about a new catalogue. `changed` is the fact that the desk states."""
    if before == after:
        return Refused(Reason.UNCHANGED)
    if not after.is_valid:
        return Refused(Reason.BAD_CATALOGUE)
    return Accepted((WriteSetting(CATALOGUE, before, after),), (changed,))
