"""Builds the document `rules.yml`, and its reactions to facts of other desks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from frontdesk.desks.admin.branding import business_zone
from frontdesk.desks.admin.facts import BusinessChanged
from frontdesk.desks.admin.model import Part
from frontdesk.desks.booking.decide.documents import RULES_NAME
from frontdesk.desks.booking.documents import (
    EDITED_RULES,
    document_desk,
    follow_business,
)
from frontdesk.engine.follow import Binding
from frontdesk.features.documents.files import DocumentFiles, LocalFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.features.documents.yaml_markup import as_yaml
from frontdesk.settings import Settings
from frontdesk.wiring.application import Application
from frontdesk.wiring.between_desks.waitlist_facts import CATALOGUE_FACTS
from frontdesk.wiring.context import PeriodicTask
from frontdesk.wiring.google_documents import EVERY as DRIVE_EVERY
from frontdesk.wiring.google_documents import (
    DocumentTroubles,
    google_yaml,
)

if TYPE_CHECKING:
    from frontdesk.features.documents.google_docs import Markup
    from frontdesk.web.site import Site

#: The folder with `rules.yml` in the data directory.
FOLDER: Final = "booking"
#: An edit of the file is in force after this time at the latest.
EVERY: Final = timedelta(seconds=30)
MARKUP: Final[dict[str, Markup]] = {RULES_NAME: as_yaml}


#: No loop: the booking desk states neither of these facts.
FROM_BUSINESS: Final = Binding(
    "bk.from_business",
    {kind: follow_business(business_zone) for kind in (*CATALOGUE_FACTS, BusinessChanged)},
)


def install(back: Application, site: Site) -> Sequence[PeriodicTask]:
    """On one machine, `rules.yml` is a file for any editor, or a document in Google Drive."""
    settings = back.settings
    files: DocumentFiles = LocalFiles(settings.data_dir / FOLDER)
    every = EVERY
    if addresses := addresses_of(settings):
        files = google_yaml(settings, addresses, files)
        every = DRIVE_EVERY
    edited = site.shared[EDITED_RULES] = documents_with(back, files)
    return (PeriodicTask("rules", edited.take_edits, lambda: every),)


def documents_with(
    back: Application, files: DocumentFiles, copies: Collection[str] = ()
) -> Documents:
    desk = document_desk(business_zone, back.engine.reads)
    watch = DocumentTroubles(back.troubles, {RULES_NAME: Part.BOOKING_RULES}, copies)
    return Documents(desk, back.engine, back.clock, files, watch)


def addresses_of(settings: Settings) -> dict[str, str]:
    """Returns the address of `rules.yml` in Google Drive, if it is there."""
    address = settings.booking_rules_doc
    return {RULES_NAME: address} if address else {}
