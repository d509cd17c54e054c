"""The documents of the waitlist that staff may edit in Google Docs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from frontdesk.desks.admin.model import Part
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.features.documents.google_docs import Markup

MARKUP: Final[dict[str, Markup]] = {
    DocumentName.RULES: rules_doc.with_title,
    DocumentName.VOICE: DOCUMENT.with_headings,
}
PARTS: Final[dict[str, Part]] = {DocumentName.RULES: Part.RULES, DocumentName.VOICE: Part.VOICE}


def addresses(settings: Settings) -> dict[str, str]:
    """Returns the addresses of the documents that are Google Docs."""
    found: dict[str, str] = {
        DocumentName.RULES: settings.rules_doc,
        DocumentName.VOICE: settings.voice_doc,
    }
    return {name: address for name, address in found.items() if address}
