"""Builds the waitlist's parts on AWS: documents in a bucket, sheet and calendar."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from frontdesk.settings import Settings
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import Account, Elsewhere
from frontdesk.wiring.waitlist import calendar, documents
from frontdesk.wiring.waitlist.desk import documents as edited_documents
from frontdesk.wiring.waitlist.desk import slot_intake

if TYPE_CHECKING:
    from frontdesk.desks.waitlist.slot_intake import SlotIntake
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.model import Source
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.web.site import Site

#: A version of the whole list costs more the longer the list is.
TABLE_EVERY: Final = timedelta(hours=1)


def install(back: Application, site: Site, account: Account, elsewhere: Elsewhere) -> None:
    """Gives the console pages their sheet, documents, calendar and slot intake."""
    from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
    from frontdesk.features.calendars.console import SYNC as CALENDAR_SYNC
    from frontdesk.features.documents.console import REFRESH
    from frontdesk.features.sheet_sync.console import SOURCE, SYNC, kept_in

    settings = back.settings
    site.memory[SLOT_INTAKE] = slot_intake_of(back, account)
    site.memory[CALENDAR_SYNC.format("wl")] = elsewhere.calendar
    if documents.addresses(settings):
        site.memory[REFRESH] = elsewhere.documents
    if settings.waitlist_sheet:
        site.memory[SYNC.format("wl")] = elsewhere.sheet
        site.memory[SOURCE.format("wl")] = kept_in(settings.waitlist_sheet)
    else:
        site.memory[SYNC.format("wl")] = sheet_sync(back, account)


def slot_intake_of(back: Application, account: Account) -> SlotIntake:
    """Returns the entry point for freed slots and for the documents of staff."""
    from frontdesk.features.documents.bucket_files import BucketFiles
    from frontdesk.features.documents.files import NoFiles

    name, copies = account.rules_bucket, documents.addresses(back.settings)
    files = BucketFiles(account.bucket_named(name), copies) if name else NoFiles()
    return slot_intake(edited_documents(back.engine, back.clock, files, back.troubles, copies))


def documents_of(back: Application, account: Account) -> Documents | None:
    """Copies Google Docs to the bucket from which all others read; None if there are none."""
    from frontdesk.features.documents.bucket_files import BucketFiles
    from frontdesk.features.documents.google_docs import MirroredDocs

    if not (documents.addresses(back.settings) and account.rules_bucket):
        return None
    bucket = BucketFiles(account.bucket_named(account.rules_bucket))
    docs = documents.google_docs(back.settings, bucket, lambda: _drive_key(account))
    files = MirroredDocs(docs, bucket)
    return edited_documents(back.engine, back.clock, files, back.troubles)


def sheet_sync(back: Application, account: Account, *, changed: bool = True) -> SheetSync:
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


def _sheet(settings: Settings, account: Account) -> Source | None:
    """Returns the sheet. Staff see an error for one that cannot be opened."""
    from frontdesk.desks.waitlist.sheet import COLUMNS
    from frontdesk.errors import SourceFailed
    from frontdesk.features.sheet_sync.sources import NotOpened, source_at

    try:
        return source_at(
            settings.waitlist_sheet, COLUMNS, lambda: _drive_key(account), settings.google_api
        )
    except SourceFailed as bad:
        return NotOpened(str(bad))


def _drive_key(account: Account) -> str:
    """Returns the JSON key of the service account."""
    from frontdesk.connect.google_api import GoogleError

    secrets = account.client("secretsmanager")
    try:
        return str(secrets.get_secret_value(SecretId=account.drive_secret)["SecretString"])
    except secrets.exceptions.ResourceNotFoundException:
        raise GoogleError(f"There is no key to the sheet in {account.drive_secret}.") from None


def calendar_sync(back: Application, account: Account) -> CalendarSync | None:
    """Returns the calendar sync, if there is a calendar of openings."""
    if not back.settings.calendar_url:
        return None
    return calendar.calendar_sync(back.settings, slot_intake_of(back, account))
