"""Builds the waitlist's parts on one machine: documents as files, sheet and calendar."""

from __future__ import annotations

from typing import Final

from frontdesk.desks.waitlist.console.services import move_waiting
from frontdesk.desks.waitlist.sheet import COLUMNS, list_table
from frontdesk.desks.waitlist.slot_intake import SLOT_INTAKE
from frontdesk.features.catalogue.console import MOVE_USERS
from frontdesk.features.documents.files import DocumentFiles, LocalFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.web.site import Site
from frontdesk.wiring.application import Application
from frontdesk.wiring.context import PeriodicTask
from frontdesk.wiring.google_documents import EVERY, account_in_file, google_docs
from frontdesk.wiring.sheets import synced
from frontdesk.wiring.waitlist import calendar, documents
from frontdesk.wiring.waitlist.desk import documents as edited_documents
from frontdesk.wiring.waitlist.desk import slot_intake

#: The folder with the documents that staff edit.
DOCUMENT_FOLDER: Final = "waitlist"


def install(back: Application, site: Site) -> list[PeriodicTask]:
    settings = back.settings
    files: DocumentFiles = LocalFiles(settings.data_dir / DOCUMENT_FOLDER)
    if written_elsewhere := documents.addresses(settings):
        account_in_file(settings)
        files = google_docs(
            settings, written_elsewhere, documents.MARKUP, files, lambda: account_in_file(settings)
        )
    edited = edited_documents(back.engine, back.clock, files, back.troubles)
    intake = site.shared[SLOT_INTAKE] = slot_intake(edited)
    site.shared[MOVE_USERS] = move_waiting
    return [
        synced(back, site, list_table(settings.country), COLUMNS, "waitlist_sheet"),
        *([_documents(edited)] if written_elsewhere else ()),
        *calendar.periodic_tasks(back, site, intake),
    ]


def _documents(edited: Documents) -> PeriodicTask:
    """Checks the Google Docs, so that staff soon hear of a line that is not understood."""
    return PeriodicTask("documents", edited.take_edits, lambda: EVERY)
