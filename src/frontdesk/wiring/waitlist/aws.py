"""Builds the waitlist's parts on AWS: documents in a bucket, sheet and calendar."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, Elsewhere
from frontdesk.wiring.google_documents import copies_in_bucket, mirrored_docs
from frontdesk.wiring.sheets import install_on_aws, sync_on_aws
from frontdesk.wiring.waitlist import calendar, documents
from frontdesk.wiring.waitlist.desk import documents as edited_documents
from frontdesk.wiring.waitlist.desk import slot_intake

if TYPE_CHECKING:
    from frontdesk.desks.waitlist.slot_intake import SlotIntake
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.web.site import Site


def install(back: Application, site: Site, account: AwsResources, elsewhere: Elsewhere) -> None:
    """Gives the console pages their sheet, documents, calendar and slot intake."""
    from frontdesk.desks.waitlist.slot_intake import SLOT_INTAKE
    from frontdesk.features.calendars.console import sync_key as calendar_sync_key
    from frontdesk.features.documents.console import refresh_key

    settings = back.settings
    site.shared[SLOT_INTAKE] = slot_intake_of(back, account)
    site.shared[calendar_sync_key("wl")] = elsewhere.calendar
    if documents.addresses(settings):
        site.shared[refresh_key("wl")] = elsewhere.documents
    sync = partial(sheet_sync, back, account)
    install_on_aws(site, "wl", settings.waitlist_sheet, elsewhere.sheet, sync)


def slot_intake_of(back: Application, account: AwsResources) -> SlotIntake:
    """Returns the entry point for freed slots and for the documents of staff."""
    copies = documents.addresses(back.settings)
    files = copies_in_bucket(account, account.rules_bucket, copies)
    return slot_intake(edited_documents(back.engine, back.clock, files, back.troubles, copies))


def documents_of(back: Application, account: AwsResources) -> Documents | None:
    """Copies Google Docs to the bucket from which all others read; None if there are none."""
    addresses, name = documents.addresses(back.settings), account.rules_bucket
    if not (addresses and name):
        return None
    files = mirrored_docs(back.settings, account, name, addresses, documents.MARKUP)
    return edited_documents(back.engine, back.clock, files, back.troubles)


def sheet_sync(back: Application, account: AwsResources, *, changed: bool = True) -> SheetSync:
    from frontdesk.desks.waitlist.sheet import COLUMNS, list_table

    table, where = list_table(back.settings.country), back.settings.waitlist_sheet
    return sync_on_aws(back, account, table, COLUMNS, where, changed=changed)


def calendar_sync(back: Application, account: AwsResources) -> CalendarSync | None:
    """Returns the calendar sync, if there is a calendar of openings."""
    if not back.settings.calendar_url:
        return None
    return calendar.calendar_sync(back.settings, slot_intake_of(back, account))
