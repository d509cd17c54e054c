"""Builds the reminders desk's parts on AWS: sheet, calendars, documents in a bucket."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from frontdesk.desks.admin.model import Part
from frontdesk.desks.reminders.decide.event_changes import EVENTS_JOB
from frontdesk.desks.reminders.model import CODE
from frontdesk.features.documents.sync import Documents
from frontdesk.logs import log
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, RemoteWork
from frontdesk.wiring.desk_parts import DeskOnAws
from frontdesk.wiring.google_documents import copies_in_bucket, mirrored_docs
from frontdesk.wiring.reminders.desk import (
    MARKUP,
    SHEET,
    documents_with,
    drive_documents,
    install_console,
    watch_tick,
)
from frontdesk.wiring.sheets import DRIVE_SYNC, install_on_aws, sync_on_aws

if TYPE_CHECKING:
    from frontdesk.features.calendars.push import CalendarPush
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.web.site import Site

#: The function that reads and writes the calendars with appointments.
CALENDAR_SYNC: Final = "calendar-sync"


class RemindersOnAws(DeskOnAws):
    calendars = "appointments"
    fires_own_timers = True

    def install(
        self, back: Application, site: Site, account: AwsResources, remote: RemoteWork
    ) -> None:
        """Gives the console pages their documents and their sheet. Without a sheet, the console's
        own table has the appointments."""
        from frontdesk.desks.reminders.console.rules_page import EDITED_RULES
        from frontdesk.features.calendars.console import sync_key
        from frontdesk.features.documents.console import refresh_key

        install_console(site)
        settings = back.settings
        site.shared[sync_key(CODE)] = remote.calendars(self.calendars)
        site.shared[EDITED_RULES] = documents_in_bucket(back, account)
        if drive_documents(settings):
            site.shared[refresh_key(CODE)] = remote.documents(DRIVE_SYNC, CODE)
        sync = partial(self.sheet_sync, back, account, changed=True)
        install_on_aws(site, CODE, settings.reminders_sheet, remote.sheet(CODE), sync)

    def open(self, back: Application, _account: AwsResources) -> None:
        """Alerts staff if the tick did not run, and logs it, which raises an alarm."""
        if watch_tick(back):
            log("tick.missed")

    def job_functions(self) -> Mapping[str, str]:
        return {EVENTS_JOB: CALENDAR_SYNC}

    def sheet_sync(self, back: Application, account: AwsResources, *, changed: bool) -> SheetSync:
        from frontdesk.desks.reminders.sheet import COLUMNS, visit_table

        table, where = visit_table(back.settings.country), back.settings.reminders_sheet
        return sync_on_aws(back, account, table, COLUMNS, where, changed=changed)

    def sheet_follower(self) -> str:
        return SHEET.name

    def documents_in_drive(self, back: Application, account: AwsResources) -> Documents | None:
        addresses, name = drive_documents(back.settings), account.reminders_rules_bucket
        if not (addresses and name):
            return None
        return documents_with(back, mirrored_docs(back.settings, account, name, addresses, MARKUP))

    def calendar_sync(self, back: Application, _account: AwsResources) -> CalendarSync | None:
        from frontdesk.wiring.reminders.calendars import calendar_sync

        sync = calendar_sync(back.settings, back.engine, back.clock)
        if sync is not None:
            sync.on_result = back.troubles.watch(Part.APPOINTMENTS)
        return sync

    def calendar_push(self, back: Application, sync: CalendarSync) -> CalendarPush | None:
        from frontdesk.wiring.reminders.calendars import calendar_push

        return calendar_push(back.settings, back.engine, back.clock, sync)


def documents_in_bucket(back: Application, account: AwsResources) -> Documents:
    """Reads the files in the bucket, which are copies of documents that staff edit elsewhere."""
    copies = drive_documents(back.settings)
    files = copies_in_bucket(account, account.reminders_rules_bucket, copies)
    return documents_with(back, files, copies)
