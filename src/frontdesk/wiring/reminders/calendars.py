"""Connects calendars with appointments: reads their events, and writes changes back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.staff_events import StaffCalendar, WhenCancelled
from frontdesk.core.localtime import zone
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import CODE
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.features.calendars.sync import (
    AHEAD,
    SERIES_AHEAD,
    CalendarReader,
    CalendarSync,
    EventReader,
    SeveralCalendars,
)
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring.calendar_connections import (
    TRUSTED,
    Connection,
    connections_text,
    read_connections,
)
from frontdesk.wiring.google_documents import google_account

if TYPE_CHECKING:
    from frontdesk.connect.calendars.google_events import GoogleEvents
    from frontdesk.connect.calendars.microsoft_events import MicrosoftEvents
    from frontdesk.connect.calendars.rest_events import EventOptions
    from frontdesk.features.calendars.push import CalendarPush

#: The interval between two syncs of the calendars.
EVERY: Final = timedelta(minutes=15)


class OpenCalendar(Frozen):
    """A calendar with appointments: how it is read, and written if we may."""

    reader: EventReader
    writer: StaffCalendar | None = None


def appointment_connections(settings: Settings) -> Mapping[str, Connection]:
    """The calendars with `appointments` in `calendars.toml`, by name."""
    found = read_connections(connections_text(settings))
    return {name: one for name, one in found.items() if one.appointments}


def calendar_sync(settings: Settings, engine: Engine, clock: Clock) -> CalendarSync | None:
    """Returns None if no calendar has appointments."""
    connected = appointment_connections(settings)
    if not connected:
        return None
    from frontdesk.desks.reminders.calendar import AppointmentCalendar
    from frontdesk.reading.rules import RulesReader

    here = zone(reminder_reads(engine.reads()).rules().zone)
    opened = {name: _opened(name, one, settings, here) for name, one in connected.items()}
    desk = AppointmentCalendar(
        engine=engine,
        clock=clock,
        reader_of_text=RulesReader(),
        country=settings.country,
        trusted=frozenset(name for name, one in connected.items() if one.appointments == TRUSTED),
        our_addresses=frozenset((settings.from_email.lower(),)),
        calendars={name: one.writer for name, one in opened.items() if one.writer},
    )
    readers = SeveralCalendars(tuple(one.reader for one in opened.values()))
    return CalendarSync(engine, clock, desk, readers, EVERY)


def calendar_push(
    settings: Settings, engine: Engine, clock: Clock, sync: CalendarSync
) -> CalendarPush | None:
    """The channels of calendars at Google, if there is an address to call."""
    connected = appointment_connections(settings)
    google = {name: one for name, one in connected.items() if one.kind == "google"}
    if not google or not settings.calendar_hook_url:
        return None
    from frontdesk.features.calendars.push import CalendarPush

    opened = {name: google_events(name, one, settings) for name, one in google.items()}
    address = settings.calendar_hook_url
    return CalendarPush(engine, clock, CODE, opened, token_hex, address, sync.turn)


def _opened(name: str, one: Connection, settings: Settings, here: ZoneInfo) -> OpenCalendar:
    """Imports lazily: most businesses have one kind."""
    match one.kind:
        case "google":
            google = google_events(name, one, settings)
            return OpenCalendar(google, google)
        case "microsoft":
            microsoft = _microsoft_events(name, one)
            return OpenCalendar(microsoft, microsoft)
        case _:
            return _files(name, one, here)


def _files(name: str, one: Connection, here: ZoneInfo) -> OpenCalendar:
    from frontdesk.connect.calendars.caldav import CalDav
    from frontdesk.connect.calendars.caldav_events import CalDavEvents
    from frontdesk.connect.calendars.client import Account
    from frontdesk.connect.calendars.feed import Feed

    url = one.values["url"]
    account = Account(one.values.get("user", ""), one.values.get("password", ""))
    if one.kind == "ics":
        return OpenCalendar(CalendarReader(Feed(url, account), name, expands=True))
    writer = CalDavEvents(
        url=url, account=account, here=here, when_cancelled=WhenCancelled(one.when_cancelled)
    )
    return OpenCalendar(CalendarReader(CalDav(url, account), name, expands=True), writer)


def google_events(name: str, one: Connection, settings: Settings) -> GoogleEvents:
    from frontdesk.connect.calendars.google import GOOGLE
    from frontdesk.connect.calendars.google_events import GoogleEvents
    from frontdesk.connect.google_api import read_account

    return GoogleEvents(
        read_account(google_account(settings)),
        one.values["calendar"],
        one.values.get("subject", ""),
        options=_event_options(name, one),
        url=settings.google_api or GOOGLE,
    )


def _microsoft_events(name: str, one: Connection) -> MicrosoftEvents:
    from frontdesk.connect.calendars.microsoft_account import MicrosoftAccount
    from frontdesk.connect.calendars.microsoft_events import MicrosoftEvents

    values = one.values
    return MicrosoftEvents(
        MicrosoftAccount(values["tenant"], values["client_id"], values["client_secret"]),
        values["user"],
        values.get("calendar", ""),
        options=_event_options(name, one),
    )


def _event_options(name: str, one: Connection) -> EventOptions:
    from frontdesk.connect.calendars.rest_events import EventOptions

    when = WhenCancelled(one.when_cancelled)
    return EventOptions(calendar=name, ahead=AHEAD, series_ahead=SERIES_AHEAD, when_cancelled=when)
