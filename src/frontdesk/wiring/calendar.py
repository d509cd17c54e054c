"""The calendar in which staff put openings, where there is one."""

from __future__ import annotations

from datetime import timedelta

from frontdesk.desks.waitlist.counter import Counter
from frontdesk.settings import Settings
from frontdesk.web.site import Site
from frontdesk.wiring.chores import Chore


def calendar(settings: Settings, site: Site, counter: Counter) -> tuple[Chore, ...]:
    """Looked at now and then; pages find the keeper, and with it what it could not understand."""
    if not settings.calendar_url:
        return ()
    from frontdesk.calendar_keeper import NAME, CalendarKeeper
    from frontdesk.connect.calendars.asking import Account
    from frontdesk.connect.calendars.caldav import CalDav
    from frontdesk.connect.calendars.feed import Feed

    kind = CalDav if settings.calendar_by == "caldav" else Feed
    account = Account(settings.calendar_user, settings.calendar_password)
    every = timedelta(minutes=settings.calendar_minutes)
    keeper = CalendarKeeper(counter, kind(settings.calendar_url, account), every)
    site.memory[NAME] = keeper
    return (Chore("calendar", keeper.turn, lambda: keeper.every),)
