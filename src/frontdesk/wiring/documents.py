"""Where the rules and the words of the waitlist are written: in the console, or in Google Docs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from frontdesk.desks.waitlist.counter import Papers
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.connect.google_api import GoogleApi
    from frontdesk.connect.google_docs import GoogleDocs

#: How often documents in Google Docs are looked at. For a slot that comes free they are read anew.
EVERY: Final = timedelta(minutes=3)


def addresses(settings: Settings) -> dict[DocumentName, str]:
    """Of those that are Google Docs."""
    found = {DocumentName.RULES: settings.rules_doc, DocumentName.VOICE: settings.voice_doc}
    return {name: address for name, address in found.items() if address}


def google_docs(settings: Settings, others: Papers, account: Callable[[], str]) -> GoogleDocs:
    """`account` gives the JSON of the service account, and is asked with the first look."""
    from frontdesk.connect.google_docs import GoogleDocs, docs_api

    def api() -> GoogleApi:
        return docs_api(account(), settings.google_api)

    return GoogleDocs(api, addresses(settings), others)
