"""Builds the waitlist's parts on AWS: documents in a bucket, sheet and calendar."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from frontdesk.settings import Settings
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, Elsewhere
from frontdesk.wiring.google_documents import account_in_secret, google_docs
from frontdesk.wiring.waitlist import calendar, documents
from frontdesk.wiring.waitlist.desk import documents as edited_documents
from frontdesk.wiring.waitlist.desk import slot_intake

if TYPE_CHECKING:
    from frontdesk.desks.waitlist.slot_intake import SlotIntake
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.model import SheetSource
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.web.site import Site

#: A version of the whole list costs more the longer the list is.
TABLE_EVERY: Final = timedelta(hours=1)


def install(back: Application, site: Site, account: AwsResources, elsewhere: Elsewhere) -> None:
    """Gives the console pages their sheet, documents, calendar and slot intake."""
    from frontdesk.desks.waitlist.slot_intake import SLOT_INTAKE
    from frontdesk.features.calendars.console import sync_key as calendar_sync_key
    from frontdesk.features.documents.console import refresh_key
    from frontdesk.features.sheet_sync.console import kept_in, source_key, sync_key

    settings = back.settings
    site.shared[SLOT_INTAKE] = slot_intake_of(back, account)
    site.shared[calendar_sync_key("wl")] = elsewhere.calendar
    if documents.addresses(settings):
        site.shared[refresh_key("wl")] = elsewhere.documents
    if settings.waitlist_sheet:
        site.shared[sync_key("wl")] = elsewhere.sheet
        site.shared[source_key("wl")] = kept_in(settings.waitlist_sheet)
    else:
        site.shared[sync_key("wl")] = sheet_sync(back, account)


def slot_intake_of(back: Application, account: AwsResources) -> SlotIntake:
    """Returns the entry point for freed slots and for the documents of staff."""
    from frontdesk.features.documents.bucket_files import BucketFiles
    from frontdesk.features.documents.files import NoFiles

    name, copies = account.rules_bucket, documents.addresses(back.settings)
    files = BucketFiles(account.bucket_named(name), copies) if name else NoFiles()
    return slot_intake(edited_documents(back.engine, back.clock, files, back.troubles, copies))


def documents_of(back: Application, account: AwsResources) -> Documents | None:
    """Copies Google Docs to the bucket from which all others read; None if there are none."""
    from frontdesk.features.documents.bucket_files import BucketFiles
    from frontdesk.features.documents.google_docs import MirroredDocs

    if not (documents.addresses(back.settings) and account.rules_bucket):
        return None
    bucket = BucketFiles(account.bucket_named(account.rules_bucket))
    files = MirroredDocs(
        google_docs(
            back.settings,
            documents.addresses(back.settings),
            documents.MARKUP,
            bucket,
            lambda: account_in_secret(account),
        ),
        bucket,
    )
    return edited_documents(back.engine, back.clock, files, back.troubles)


def sheet_sync(back: Application, account: AwsResources, *, changed: bool = True) -> SheetSync:
    """`changed` means that the list may have changed on our side since the last sync."""
    from frontdesk.desks.waitlist.sheet import list_table
    from frontdesk.features.sheet_sync.sync import SheetSync

    return SheetSync(
        back.engine,
        back.clock,
        list_table(back.settings.country),
        _sheet(back.settings, account),
        changed=changed,
        table_every=TABLE_EVERY,
    )


def _sheet(settings: Settings, account: AwsResources) -> SheetSource | None:
    """Returns the sheet. Staff see an error for one that cannot be opened."""
    from frontdesk.desks.waitlist.sheet import COLUMNS
    from frontdesk.errors import SourceFailed
    from frontdesk.features.sheet_sync.sources import NotOpened, source_at

    try:
        return source_at(
            settings.waitlist_sheet,
            COLUMNS,
            lambda: account_in_secret(account),
            settings.google_api,
        )
    except SourceFailed as bad:
        return NotOpened(str(bad))


def calendar_sync(back: Application, account: AwsResources) -> CalendarSync | None:
    """Returns the calendar sync, if there is a calendar of openings."""
    if not back.settings.calendar_url:
        return None
    return calendar.calendar_sync(back.settings, slot_intake_of(back, account))
