"""Builds the sources of appointments: the reader of forwarded confirmations, and calendars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.desks.reminders.commands import FinishLook
from frontdesk.desks.reminders.decide.proposals import PROPOSALS
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import CODE
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.wiring.context import DeskContext, PeriodicTask
from frontdesk.wiring.reminders.calendars import EVERY, calendar_push, calendar_sync

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
        return FinishLook(job.id)

    return look


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
