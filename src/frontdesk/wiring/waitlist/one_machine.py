"""Builds the waitlist's parts on one machine: documents as files, sheet and calendar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from frontdesk.desks.waitlist.sheet import COLUMNS, list_table
from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
from frontdesk.errors import BadSettings, SourceFailed
from frontdesk.features.documents.files import DocumentFiles, LocalFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.features.sheet_sync.console import SOURCE, SYNC, kept_in
from frontdesk.features.sheet_sync.sources import source_at
from frontdesk.features.sheet_sync.sync import SheetSync
from frontdesk.settings import Settings
from frontdesk.web.site import Site
from frontdesk.wiring.application import Application
from frontdesk.wiring.periodic_tasks import PeriodicTask
from frontdesk.wiring.waitlist import calendar, documents
from frontdesk.wiring.waitlist.desk import documents as edited_documents
from frontdesk.wiring.waitlist.desk import slot_intake

#: The folder with the documents that staff edit.
DOCUMENT_FOLDER: Final = "waitlist"


def install(back: Application, site: Site) -> list[PeriodicTask]:
    settings = back.settings
    files: DocumentFiles = LocalFiles(settings.data_dir / DOCUMENT_FOLDER)
    if written_elsewhere := documents.addresses(settings):
        _account(settings)
        files = documents.google_docs(settings, files, lambda: _account(settings))
    edited = edited_documents(back.engine, back.clock, files, back.troubles)
    intake = site.memory[SLOT_INTAKE] = slot_intake(edited)
    return [
        sheet(back, site, lambda: _account(settings)),
        *([_documents(edited)] if written_elsewhere else ()),
        *calendar.periodic_tasks(settings, site, intake),
    ]


def sheet(back: Application, site: Site, account: Callable[[], str]) -> PeriodicTask:
    """Keeps the list and the sheet of the staff in sync; pages can start a sync at once."""
    settings = back.settings
    try:
        source = source_at(settings.waitlist_sheet, COLUMNS, account, settings.google_api)
    except SourceFailed as bad:
        raise BadSettings(f"waitlist_sheet: {bad}") from bad
    keeper = SheetSync(back.engine, back.clock, list_table(settings.country), source)
    back.store.on_commit(keeper.heard)
    site.memory[SYNC.format("wl")] = keeper
    if source is not None:
        site.memory[SOURCE.format("wl")] = kept_in(settings.waitlist_sheet)
    return PeriodicTask("sheet", keeper.turn, lambda: keeper.every)


def _documents(edited: Documents) -> PeriodicTask:
    """Checks the Google Docs, so that staff soon hear of a line that is not understood."""
    return PeriodicTask("documents", edited.take_edits, lambda: documents.EVERY)


def _account(settings: Settings) -> str:
    """Reads the key of the service account that may edit the sheet and read the documents."""
    if not settings.google_account:
        raise BadSettings("google_account should be the file with the service account's key.")
    try:
        return Path(settings.google_account).read_text("utf-8")
    except OSError as error:
        file = settings.google_account
        raise BadSettings(f"google_account: {file} cannot be read: {error.strerror}.") from error
