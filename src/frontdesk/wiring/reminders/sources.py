"""Builds the sources of appointments: the reader of forwarded confirmations, and calendars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.desks.admin.model import Part
from frontdesk.desks.reminders.commands import FinishCalendarSync
from frontdesk.desks.reminders.decide.proposals import PROPOSALS
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import CODE
from frontdesk.wiring.context import DeskContext, PeriodicTask
from frontdesk.wiring.reminders.calendars import EVERY, calendar_push, calendar_sync
from frontdesk.wiring.request_readers import request_reader

if TYPE_CHECKING:
    from frontdesk.desks.reminders.confirmation_reader import ConfirmationReader
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application


def calendar_tasks(back: Application, site: Site) -> Sequence[PeriodicTask]:
    """Reads the events of calendars with `appointments` in `calendars.toml`."""
    sync = calendar_sync(back.settings, back.engine, back.clock)
    if sync is None:
        return ()
    from frontdesk.features.calendars.console import sync_key

    sync.on_result = back.troubles.watch(Part.APPOINTMENTS)
    site.shared[sync_key(CODE)] = sync
    look = PeriodicTask("calendars with appointments", sync.turn, lambda: EVERY)
    push = calendar_push(back.settings, back.engine, back.clock, sync)
    if push is None:
        return (look,)
    from frontdesk.features.calendars.push import push_key

    site.shared[push_key(CODE)] = push
    return look, PeriodicTask("calendar notifications", push.renew, lambda: EVERY)


def events_job(context: DeskContext) -> Callable[[Job], Command]:
    """The job that syncs the calendars, so that their events change at once."""

    @cache
    def sync() -> CalendarSync | None:
        return calendar_sync(context.settings, context.engine(), context.clock)

    def look(job: Job) -> Command:
        if (made := sync()) is not None:
            made.turn()
        return FinishCalendarSync(job.id)

    return look


def confirmation_reader(context: DeskContext) -> Callable[[], ConfirmationReader]:
    """Imports lazily: most functions read no mail."""

    @cache
    def made() -> ConfirmationReader:
        from frontdesk.desks.reminders.confirmation_reader import ConfirmationReader

        return request_reader(
            ConfirmationReader,
            context,
            PROPOSALS,
            zone=lambda reads: reminder_reads(reads).rules().zone,
            address=context.settings.reminders_address,
        )

    return made
