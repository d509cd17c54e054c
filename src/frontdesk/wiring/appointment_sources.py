"""Builds the sources of appointments: the reader of forwarded confirmations, and calendars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from frontdesk.desks.reminders.decide.proposals import PROPOSALS
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import CODE
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.wiring.calendar_connections import TRUSTED, connections_text, read_connections
from frontdesk.wiring.context import DeskContext, PeriodicTask

if TYPE_CHECKING:
    from frontdesk.desks.reminders.confirmation_reader import ConfirmationReader
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application


#: The interval between looks at the calendars.
EVERY: Final = timedelta(minutes=15)


def calendar_tasks(back: Application, site: Site) -> Sequence[PeriodicTask]:
    """Reads the events of calendars with `appointments` in `calendars.toml`."""
    sync = calendar_sync(back)
    if sync is None:
        return ()
    from frontdesk.features.calendars.console import sync_key

    site.shared[sync_key(CODE)] = sync
    return (PeriodicTask("calendars with appointments", sync.turn, lambda: EVERY),)


def calendar_sync(back: Application) -> CalendarSync | None:
    """Returns None if no calendar has appointments."""
    settings = back.settings
    found = read_connections(connections_text(settings))
    connected = {name: one for name, one in found.items() if one.appointments}
    if not connected:
        return None
    from frontdesk.connect.calendars.caldav import CalDav
    from frontdesk.connect.calendars.client import Account
    from frontdesk.connect.calendars.feed import Feed
    from frontdesk.desks.reminders.calendar import AppointmentCalendar
    from frontdesk.features.calendars.sync import CalendarReader, CalendarSync, SeveralCalendars
    from frontdesk.reading.rules import RulesReader

    def reader(name: str) -> CalendarReader:
        one = connected[name]
        account = Account(one.values.get("user", ""), one.values.get("password", ""))
        kind = CalDav if one.kind == "caldav" else Feed
        return CalendarReader(kind(one.values["url"], account), name)

    desk = AppointmentCalendar(
        engine=back.engine,
        clock=back.clock,
        reader_of_text=RulesReader(),
        country=settings.country,
        trusted=frozenset(name for name, one in connected.items() if one.appointments == TRUSTED),
        our_addresses=frozenset((settings.from_email.lower(),)),
    )
    readers = SeveralCalendars(tuple(map(reader, connected)))
    return CalendarSync(back.engine, back.clock, desk, readers, EVERY)


def confirmation_reader(context: DeskContext) -> Callable[[], ConfirmationReader]:
    """Imports lazily: most functions read no mail."""

    @cache
    def made() -> ConfirmationReader:
        from frontdesk.desks.reminders.confirmation_reader import ConfirmationReader
        from frontdesk.reading.rules import RulesReader

        settings = context.settings
        return ConfirmationReader(
            desk=PROPOSALS,
            zone=lambda reads: reminder_reads(reads).rules().zone,
            catalogue=CATALOGUE,
            address=settings.reminders_address,
            clock=context.clock,
            reads=context.reads,
            country=settings.country,
            reader=context.reader() if context.reader else RulesReader(),
            reader_name="model" if context.reader else "rules",
            pictures=context.pictures(),
            our_addresses=(settings.from_email,),
            trusted_authserv=settings.trusted_authserv,
        )

    return made
