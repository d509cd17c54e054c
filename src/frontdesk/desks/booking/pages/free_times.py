"""Searches free times for the pages."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from frontdesk.desks.booking.availability import Availability, OwnTime
from frontdesk.desks.booking.links import read_hold
from frontdesk.desks.booking.load import Loader, booking_reads
from frontdesk.desks.booking.model import Booking, Hold, rules_with_holds
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.search.query import Query, Removed
from frontdesk.desks.booking.search.ranking import RankedTime
from frontdesk.desks.booking.search.times import Times
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue
from frontdesk.values import Frozen, replace
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import Site

#: The key of the loader in `Site.shared`. It knows the busy times of connected calendars.
LOADER: Final = SharedKey[Loader]("bk.loader")
BEST: Final = 3


class FoundTimes(Frozen):
    times: Times | None
    """None if the service cannot be booked at all."""

    @property
    def best(self) -> tuple[RankedTime, ...]:
        return self.times.best if self.times else ()

    @property
    def next_free(self) -> datetime | None:
        return self.times.first if self.times else None


def find(
    site: Site,
    rules: BookingRules,
    query: Query,
    now: datetime,
    *,
    last_on: date,
    hold: str = "",
    own: Booking | None = None,
) -> FoundTimes:
    """Searches the days of the query. If they have no times, searches all days until `last_on`. The
    time of the visitor's hold and of their own booking counts as free."""
    found = _search(site, rules, query, now, hold=hold, own=own)
    if found is None or found.starts or query.last_on >= last_on:
        return FoundTimes(found)
    whole = replace(query, last_on=last_on)
    return FoundTimes(_search(site, rules, whole, now, hold=hold, own=own))


def _search(
    site: Site,
    rules: BookingRules,
    query: Query,
    now: datetime,
    *,
    hold: str,
    own: Booking | None,
) -> Times | None:
    reads, mine = site.reads(), _mine(_held(site, hold, now), own)
    most = BEST + 1 if own else BEST  # the page leaves the own time out
    times = Availability(loader_of(site).busy).find(reads, rules, query, now, most=most, mine=mine)
    return None if isinstance(times, Removed) else times


def can_be_booked(
    site: Site, rules: BookingRules, query: Query, at: datetime, now: datetime, *, hold: str = ""
) -> bool:
    """Whether one time is free, for the visitor with this hold."""
    held = _held(site, hold, now)
    service = rules.service(query.service)
    if held is not None and service is not None:
        rules = rules_with_holds(rules, (held,), service, at, now)
    search, mine = Availability(loader_of(site).busy), _mine(held, None)
    return search.check(site.reads(), rules, query, at, now, mine=mine) is None


def can_be_moved(
    site: Site, rules: BookingRules, query: Query, at: datetime, now: datetime, *, own: Booking
) -> bool:
    """Whether one time is free for the booking that moves."""
    search, mine = Availability(loader_of(site).busy), _mine(None, own)
    return search.check(site.reads(), rules, query, at, now, mine=mine) is None


def _held(site: Site, hold: str, now: datetime) -> Hold | None:
    link = read_hold(hold, site.keys, now) if hold else None
    return booking_reads(site.reads()).hold(link.hold_id) if link else None


def _mine(held: Hold | None, own: Booking | None) -> OwnTime:
    return OwnTime(frozenset({held.holder}) if held else frozenset(), own)


def loader_of(site: Site) -> Loader:
    """The loader with the busy times of connected calendars."""
    return site.shared.get(LOADER) or Loader()


def saved_catalogue(site: Site) -> Catalogue:
    """The catalogue of the business, with its currency. All desks share it."""
    return site.reads().engine.setting(CATALOGUE)
