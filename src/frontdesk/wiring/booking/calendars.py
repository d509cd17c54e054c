"""Connects calendars for bookings: builds a client for each in `calendars.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.port import AllDayEvents, BusySource
from frontdesk.core.localtime import zone
from frontdesk.desks.booking.calendar_job import calendar_names
from frontdesk.desks.booking.calendar_watch import CalendarWatch
from frontdesk.desks.booking.facts import CalendarUnusable
from frontdesk.desks.booking.load import BusyPort, BusyResources, Intervals, booking_reads
from frontdesk.desks.booking.model import CODE
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceId
from frontdesk.engine.clock import Clock
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.busy_cache import BusyCache
from frontdesk.features.calendars.busy_times import CacheLimits, SavedBusyTimes, UnreadableCalendar
from frontdesk.settings import Settings
from frontdesk.values import Frozen, field
from frontdesk.wiring.calendar_connections import Connection, connections_text, read_connections
from frontdesk.wiring.context import PeriodicTask
from frontdesk.wiring.google_documents import google_account

if TYPE_CHECKING:
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application


class ConnectedCalendars(Frozen):
    """The calendars that the rules name and the settings connect, by name."""

    connections: Mapping[str, Connection]
    reads: Callable[[], Reads]
    google_account: Callable[[], str]
    """Returns the JSON of the Google service account."""
    google_api: str = ""
    """Another address of Google's interfaces."""
    _open: dict[tuple[str, str, str], BusySource] = field(default_factory=dict)

    def __call__(self) -> Mapping[str, BusySource]:
        """Builds each client once: it keeps its access token and the last state."""
        rules = booking_reads(self.reads()).rules()
        found: dict[str, BusySource] = {}
        for name in calendar_names(rules.resources):
            if name in self.connections:
                found[name] = self._opened(name, _all_day(rules, name), rules.zone)
        return found

    def _opened(self, name: str, all_day: AllDayEvents, here: str) -> BusySource:
        key = (name, all_day.value, here)
        if key not in self._open:
            self._open[key] = self._client(self.connections[name], all_day, zone(here))
        return self._open[key]

    def _client(self, one: Connection, all_day: AllDayEvents, here: ZoneInfo) -> BusySource:
        """Imports lazily: most businesses have one kind, and most functions on AWS none."""
        values = one.values
        match one.kind:
            case "ics":
                from frontdesk.connect.calendars.client import Account
                from frontdesk.connect.calendars.feed import IcsAddress

                account = Account(values.get("user", ""), values.get("password", ""))
                return IcsAddress(values["url"], account, here=here, all_day=all_day)
            case "caldav":
                from frontdesk.connect.calendars.caldav import CalDavCalendar
                from frontdesk.connect.calendars.client import Account

                account = Account(values.get("user", ""), values.get("password", ""))
                return CalDavCalendar(values["url"], account, here=here, all_day=all_day)
            case "google":
                from frontdesk.connect.calendars.google import (
                    GOOGLE,
                    GoogleCalendar,
                    GoogleFreeBusy,
                )
                from frontdesk.connect.google_api import read_account

                known = read_account(self.google_account()), values["calendar"]
                subject, url = values.get("subject", ""), self.google_api or GOOGLE
                if one.is_free_busy_only:
                    return GoogleFreeBusy(*known, subject, url=url)
                return GoogleCalendar(*known, subject, here=here, all_day=all_day, url=url)
            case _:
                from frontdesk.connect.calendars.microsoft import (
                    MicrosoftCalendar,
                    MicrosoftFreeBusy,
                )
                from frontdesk.connect.calendars.microsoft_account import MicrosoftAccount

                app = MicrosoftAccount(
                    values["tenant"], values["client_id"], values["client_secret"]
                )
                if one.is_free_busy_only:
                    return MicrosoftFreeBusy(app, values["user"])
                calendar = values.get("calendar", "")
                return MicrosoftCalendar(app, values["user"], calendar, here=here, all_day=all_day)


def connected_calendars(settings: Settings, reads: Callable[[], Reads]) -> ConnectedCalendars:
    connections = read_connections(connections_text(settings))
    return ConnectedCalendars(
        connections, reads, lambda: google_account(settings), settings.google_api
    )


class CalendarTasks(Frozen):
    """Reads the busy times of all calendars, and watches the events of bookings."""

    calendars: ConnectedCalendars
    cache: BusyCache
    watch: CalendarWatch

    def turn(self) -> bool:
        """Does both at once: the caller chooses the pace. Returns whether a calendar was read."""
        read = [self.cache.refresh(name, at_once=True) for name in self.calendars()]
        self.watch.turn()
        return any(read)


def calendar_tasks(back: Application) -> CalendarTasks:
    calendars = connected_calendars(back.settings, back.engine.reads)
    watch = CalendarWatch(back.engine, back.clock, calendars)
    return CalendarTasks(calendars, busy_cache(back, calendars), watch)


def install(back: Application, site: Site) -> list[PeriodicTask]:
    """Keeps busy times fresh and watches the events of bookings. Pages can start a reading."""
    from frontdesk.desks.booking.pages.fresh_calendars import CACHE  # most functions show no page

    tasks = calendar_tasks(back)
    site.shared[CACHE] = tasks.cache
    if not tasks.calendars.connections:
        return []

    def every() -> timedelta:
        return limits(booking_reads(back.engine.reads()).rules()).every

    return [
        PeriodicTask("booking calendars", tasks.cache.turn, every),
        PeriodicTask("booking events", tasks.watch.turn, every),
    ]


def busy_cache(back: Application, calendars: ConnectedCalendars) -> BusyCache:
    rules = booking_reads(back.engine.reads()).rules()
    return BusyCache(back.engine, back.clock, CODE, calendars, CalendarUnusable, limits(rules))


def _all_day(rules: BookingRules, name: str) -> AllDayEvents:
    refs = (ref for one in rules.resources for ref in one.calendars if ref.name == name)
    return AllDayEvents(next(refs).all_day.value.replace("_", " "))


def limits(rules: BookingRules) -> CacheLimits:
    """A calendar is read so often that its times do not get too old."""
    usable = rules.calendar_max_age
    return CacheLimits(every=min(timedelta(minutes=5), usable / 2), usable=usable)


def saved_busy(clock: Clock) -> BusyPort:
    """Returns the busy times as last read, for searches and claims."""

    def busy(
        reads: Reads, resources: Sequence[Resource], since: datetime, until: datetime
    ) -> BusyResources:
        if not any(one.calendars for one in resources):
            return BusyResources()
        saved, now = SavedBusyTimes(CODE, limits(booking_reads(reads).rules())), clock.now()
        found: dict[ResourceId, Intervals] = {}
        unreadable: dict[ResourceId, str] = {}
        for resource in resources:
            spans: list[tuple[datetime, datetime]] = []
            for name in calendar_names([resource]):
                times = saved.busy(reads, name, since, until, now)
                if isinstance(times, UnreadableCalendar):
                    unreadable[resource.id] = f"{name}: {times.why}"
                else:
                    spans += times
            if spans:
                found[resource.id] = spans
        return BusyResources(found, unreadable)

    return busy
