"""Builds the access to waitlist documents that staff edit in Google Docs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.features.documents.files import DocumentFiles
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.connect.google_api import GoogleApi
    from frontdesk.features.documents.google_docs import GoogleDocs, Markup

#: The interval for checking documents in Google Docs. A freed slot reads them again at once.
EVERY: Final = timedelta(minutes=3)

MARKUP: Final[dict[str, Markup]] = {
    DocumentName.RULES: rules_doc.with_title,
    DocumentName.VOICE: DOCUMENT.with_headings,
}


def addresses(settings: Settings) -> dict[str, str]:
    """Returns the addresses of the documents that are Google Docs."""
    found: dict[str, str] = {
        DocumentName.RULES: settings.rules_doc,
        DocumentName.VOICE: settings.voice_doc,
    }
    return {name: address for name, address in found.items() if address}


def google_docs(
    settings: Settings, others: DocumentFiles, account: Callable[[], str]
) -> GoogleDocs:
    """`account` returns the JSON key of the service account; called on first use."""
    from frontdesk.features.documents.google_docs import GoogleDocs, docs_api

    def api() -> GoogleApi:
        return docs_api(account(), settings.google_api)

    return GoogleDocs(api, addresses(settings), others, MARKUP)
