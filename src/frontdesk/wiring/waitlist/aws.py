"""Builds the waitlist's parts on AWS: documents in a bucket, sheet and calendar."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from frontdesk.desks.admin.model import Part
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, RemoteWork
from frontdesk.wiring.desk_parts import DeskOnAws
from frontdesk.wiring.google_documents import copies_in_bucket, mirrored_docs
from frontdesk.wiring.sheets import DRIVE_SYNC, install_on_aws, sync_on_aws
from frontdesk.wiring.waitlist import calendar, documents
from frontdesk.wiring.waitlist.desk import documents as edited_documents
from frontdesk.wiring.waitlist.desk import slot_intake

if TYPE_CHECKING:
    from frontdesk.desks.waitlist.slot_intake import SlotIntake
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.web.site import Site

CODE: Final = "wl"


class WaitlistOnAws(DeskOnAws):
    calendars = "openings"

    def install(
        self, back: Application, site: Site, account: AwsResources, remote: RemoteWork
    ) -> None:
        """Gives the console pages their sheet, documents, calendar and slot intake."""
        from frontdesk.desks.waitlist.console.services import move_waiting
        from frontdesk.desks.waitlist.slot_intake import SLOT_INTAKE
        from frontdesk.features.calendars.console import sync_key as calendar_sync_key
        from frontdesk.features.catalogue.console import MOVE_USERS
        from frontdesk.features.documents.console import refresh_key

        settings = back.settings
        site.shared[SLOT_INTAKE] = slot_intake_of(back, account)
        site.shared[MOVE_USERS] = move_waiting
        site.shared[calendar_sync_key(CODE)] = remote.calendars(self.calendars)
        if documents.addresses(settings):
            site.shared[refresh_key(CODE)] = remote.documents(DRIVE_SYNC, CODE)
        sync = partial(self.sheet_sync, back, account, changed=True)
        install_on_aws(site, CODE, settings.waitlist_sheet, remote.sheet(CODE), sync)

    def open(self, back: Application, account: AwsResources) -> None:
        slot_intake_of(back, account).documents.open()

    def sheet_sync(self, back: Application, account: AwsResources, *, changed: bool) -> SheetSync:
        from frontdesk.desks.waitlist.sheet import COLUMNS, list_table

        table, where = list_table(back.settings.country), back.settings.waitlist_sheet
        return sync_on_aws(back, account, table, COLUMNS, where, changed=changed)

    def documents_in_drive(self, back: Application, account: AwsResources) -> Documents | None:
        addresses, name = documents.addresses(back.settings), account.rules_bucket
        if not (addresses and name):
            return None
        files = mirrored_docs(back.settings, account, name, addresses, documents.MARKUP)
        return edited_documents(back.engine, back.clock, files, back.troubles)

    def calendar_sync(self, back: Application, account: AwsResources) -> CalendarSync | None:
        if not back.settings.calendar_url:
            return None
        sync = calendar.calendar_sync(back.settings, slot_intake_of(back, account))
        sync.on_result = back.troubles.watch(Part.OPENINGS)
        return sync


def slot_intake_of(back: Application, account: AwsResources) -> SlotIntake:
    """Returns the entry point for freed slots and for the documents of staff."""
    copies = documents.addresses(back.settings)
    files = copies_in_bucket(account, account.rules_bucket, copies)
    return slot_intake(edited_documents(back.engine, back.clock, files, back.troubles, copies))
