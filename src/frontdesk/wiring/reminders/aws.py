"""Builds the reminders desk's parts on AWS: its sheet, and its documents in a bucket."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from frontdesk.desks.reminders.model import CODE
from frontdesk.features.documents.sync import Documents
from frontdesk.logs import log
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, Elsewhere
from frontdesk.wiring.google_documents import copies_in_bucket, mirrored_docs
from frontdesk.wiring.reminders.desk import (
    MARKUP,
    documents_with,
    drive_documents,
    install_console,
    watch_tick,
)
from frontdesk.wiring.reminders.existing_bookings import NAME
from frontdesk.wiring.sheets import install_on_aws, sync_on_aws

if TYPE_CHECKING:
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.web.site import Site


def install(back: Application, site: Site, account: AwsResources, elsewhere: Elsewhere) -> None:
    """Gives the console pages their documents and their sheet. Without a sheet, the console's own
    table has the appointments."""
    from frontdesk.desks.reminders.console.rules_page import EDITED_RULES
    from frontdesk.features.calendars import console as calendars
    from frontdesk.features.documents.console import refresh_key

    install_console(site)
    settings = back.settings
    site.shared[calendars.sync_key(CODE)] = elsewhere.appointments
    site.shared[EDITED_RULES] = documents_in_bucket(back, account)
    if drive_documents(settings):
        site.shared[refresh_key(CODE)] = elsewhere.reminder_documents
    sync = partial(sheet_sync, back, account)
    install_on_aws(site, CODE, settings.reminders_sheet, elsewhere.reminder_sheet, sync)


def watch(back: Application) -> None:
    """Staff are told of a tick that did not come; its line in the log rings an alarm."""
    if back.settings.has_desk(NAME) and watch_tick(back):
        log("tick.missed")


def documents_in_bucket(back: Application, account: AwsResources) -> Documents:
    """Reads the files in the bucket, which are copies of documents that staff edit elsewhere."""
    copies = drive_documents(back.settings)
    files = copies_in_bucket(account, account.reminders_rules_bucket, copies)
    return documents_with(back, files, copies)


def documents_in_drive(back: Application, account: AwsResources) -> Documents | None:
    """Copies documents in Google Drive to the bucket from which all others read; None if there are
    none."""
    addresses, name = drive_documents(back.settings), account.reminders_rules_bucket
    if not (addresses and name):
        return None
    return documents_with(back, mirrored_docs(back.settings, account, name, addresses, MARKUP))


def sheet_sync(back: Application, account: AwsResources, *, changed: bool = True) -> SheetSync:
    from frontdesk.desks.reminders.sheet import COLUMNS, visit_table

    table, where = visit_table(back.settings.country), back.settings.reminders_sheet
    return sync_on_aws(back, account, table, COLUMNS, where, changed=changed)
