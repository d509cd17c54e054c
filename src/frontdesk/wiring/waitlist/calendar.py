"""Builds the sync with the calendar in which staff put openings."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from frontdesk.desks.admin.model import Part
from frontdesk.desks.waitlist.slot_intake import SlotIntake
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application
    from frontdesk.wiring.context import PeriodicTask


def periodic_tasks(back: Application, site: Site, intake: SlotIntake) -> tuple[PeriodicTask, ...]:
    """Syncs the calendar periodically; a page can start a sync at once."""
    if not back.settings.calendar_url:
        return ()
    from frontdesk.features.calendars.console import sync_key
    from frontdesk.wiring.context import PeriodicTask

    sync = calendar_sync(back.settings, intake)
    sync.on_result = back.troubles.watch(Part.OPENINGS)
    site.shared[sync_key("wl")] = sync
    return (PeriodicTask("calendar", sync.turn, lambda: sync.every),)


def calendar_sync(settings: Settings, intake: SlotIntake) -> CalendarSync:
    from frontdesk.connect.calendars.caldav import CalDav
    from frontdesk.connect.calendars.client import Account
    from frontdesk.connect.calendars.feed import Feed
    from frontdesk.desks.waitlist.calendar import OpeningsCalendar
    from frontdesk.features.calendars.sync import CalendarSync

    kind = CalDav if settings.calendar_by == "caldav" else Feed
    account = Account(settings.calendar_user, settings.calendar_password)
    every = timedelta(minutes=settings.calendar_minutes)
    source = kind(settings.calendar_url, account)
    return CalendarSync(intake.engine, intake.clock, OpeningsCalendar(intake), source, every)
