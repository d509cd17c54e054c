"""The console page of `rules.yml`: edit with a live check, errors by line, reference, versions."""

from __future__ import annotations

from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.yaml_tree import MOST_BYTES
from frontdesk.desks.booking.console import hours_pages, time_off_pages
from frontdesk.desks.booking.console.broken_list import (
    after_saving,
    broken_by_text,
    broken_since,
)
from frontdesk.desks.booking.console.form_edits import LINKS, documents_of
from frontdesk.desks.booking.console.page import (
    BOOKINGS,
    bk_of,
    booking_page,
    zone_of,
)
from frontdesk.desks.booking.decide.documents import RULES_NAME
from frontdesk.desks.booking.documents import view
from frontdesk.desks.booking.facts import DocumentTaken
from frontdesk.desks.booking.rules_file.catalogue import catalogue_of
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.desks.booking.rules_file.schema import SECTIONS
from frontdesk.desks.booking.rules_file.summary import summary
from frontdesk.desks.booking.rules_file.warnings import warnings_of
from frontdesk.engine.stories import newest_first
from frontdesk.features.documents.console import DocumentConsole, DocumentPage, wrong_lines
from frontdesk.web.console.shell import form_of, staff, tabs
from frontdesk.web.site import site_of

PATH: Final = f"{BOOKINGS}/rules"


def routes() -> list[BaseRoute]:
    """All pages about the rules: the editor, the hours and time off."""
    return [
        Route(f"{PATH}/check", staff(check), methods=["POST"]),
        *_DOCUMENT.routes(),
        *hours_pages.routes(),
        *time_off_pages.routes(),
    ]


def shown(text: str, request: Request) -> dict[str, Any]:
    """Explains a text: its problems with their lines, or how it was understood."""
    parsed = parse_rules(text, bk_of(request).rules().zone)
    known = view(site_of(request).reads())
    return {
        "problems": len(parsed.problems),
        "found": wrong_lines(text, parsed.problems),
        "warned": wrong_lines(text, warnings_of(parsed.rules)) if parsed.rules else (),
        "is_new": not known.document.text,
        "broken": broken_by_text(request, text) or broken_since(request),
        "understood": summary(parsed.rules, known.catalogue) if parsed.rules else (),
        "is_apart": bool(known.document.good)
        and catalogue_of(known.rules, known.catalogue.currency) != known.catalogue,
        "sections": SECTIONS,
        "links": tabs(LINKS, "Rules"),
    }


async def check(request: Request) -> Response:
    """Answers the editor while somebody types. Changes nothing."""
    text = form_of(request).fields.get("text", "").replace("\r\n", "\n")[: MOST_BYTES + 1]
    site = site_of(request)
    found = await run_in_threadpool(shown, text, request)
    return site.renderer.page("booking/console/checked.html", site.clock.now(), shown=found)


_DOCUMENT: Final = DocumentConsole(
    pages=(
        DocumentPage(
            name=RULES_NAME,
            tab="Rules",
            path=PATH,
            template="rules.html",
            noun="rules",
            use="",
            shown=shown,
            saved=after_saving,
        ),
    ),
    documents=documents_of,
    page=booking_page,
    facts=lambda request: newest_first(bk_of(request), "booking", DocumentTaken.kind),
    zone=zone_of,
)
