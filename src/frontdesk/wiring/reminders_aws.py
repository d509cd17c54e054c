"""Builds the reminders desk's parts on AWS: its sheet, and its documents in a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frontdesk.desks.reminders.model import CODE
from frontdesk.features.documents.files import DocumentFiles, NoFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.logs import log
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, Elsewhere
from frontdesk.wiring.existing_bookings import NAME
from frontdesk.wiring.google_documents import mirrored_docs
from frontdesk.wiring.reminders import (
    MARKUP,
    documents_with,
    drive_documents,
    install_console,
    watch_tick,
)
from frontdesk.wiring.sheets import TABLE_EVERY, sheet_on_aws

if TYPE_CHECKING:
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.web.site import Site


def install(back: Application, site: Site, account: AwsResources, elsewhere: Elsewhere) -> None:
    """Gives the console pages their documents and their sheet. Without a sheet, the console's own
    table has the appointments."""
    from frontdesk.desks.reminders.console.rules_page import EDITED_RULES
    from frontdesk.features.calendars import console as calendars
    from frontdesk.features.documents.console import refresh_key
    from frontdesk.features.sheet_sync.console import kept_in, source_key, sync_key

    install_console(site)
    settings = back.settings
    site.shared[calendars.sync_key(CODE)] = elsewhere.appointments
    site.shared[EDITED_RULES] = documents_in_bucket(back, account)
    if drive_documents(settings):
        site.shared[refresh_key(CODE)] = elsewhere.reminder_documents
    if settings.reminders_sheet:
        site.shared[sync_key(CODE)] = elsewhere.reminder_sheet
        site.shared[source_key(CODE)] = kept_in(settings.reminders_sheet)
    else:
        site.shared[sync_key(CODE)] = sheet_sync(back, account)


def watch(back: Application) -> None:
    """Staff are told of a tick that did not come; its line in the log rings an alarm."""
    if back.settings.has_desk(NAME) and watch_tick(back):
        log("tick.missed")


def documents_in_bucket(back: Application, account: AwsResources) -> Documents:
    """Reads the files in the bucket, which are copies of documents that staff edit elsewhere."""
    from frontdesk.features.documents.bucket_files import BucketFiles

    name, copies = account.reminders_rules_bucket, drive_documents(back.settings)
    files: DocumentFiles = NoFiles()
    if name:
        files = BucketFiles(account.bucket_named(name), copies)
    return documents_with(back, files, copies)


def documents_in_drive(back: Application, account: AwsResources) -> Documents | None:
    """Copies documents in Google Drive to the bucket from which all others read; None if there are
    none."""
    addresses, name = drive_documents(back.settings), account.reminders_rules_bucket
    if not (addresses and name):
        return None
    return documents_with(back, mirrored_docs(back.settings, account, name, addresses, MARKUP))


def sheet_sync(back: Application, account: AwsResources, *, changed: bool = True) -> SheetSync:
    """`changed` means that appointments may have changed on our side since the last sync."""
    from frontdesk.desks.reminders.sheet import COLUMNS, visit_table
    from frontdesk.features.sheet_sync.sync import SheetSync

    settings = back.settings
    return SheetSync(
        back.engine,
        back.clock,
        visit_table(settings.country),
        sheet_on_aws(settings, account, settings.reminders_sheet, COLUMNS),
        changed=changed,
        table_every=TABLE_EVERY,
    )
