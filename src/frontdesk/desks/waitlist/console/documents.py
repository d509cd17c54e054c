"""The document pages: the rules as understood line by line, and a preview of each message."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.routing import BaseRoute

from frontdesk.core.sends import Via
from frontdesk.core.words import count
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.console.page import (
    WAITLIST,
    slot_intake_of,
    waitlist_page,
    wl_of,
    zone_of,
)
from frontdesk.desks.waitlist.console.sample import real_values, text_cost
from frontdesk.desks.waitlist.facts import DocumentTaken
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import DocumentName
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Recorded
from frontdesk.features.documents.console import DocumentConsole, DocumentPage, Shown
from frontdesk.features.wordings.document import Preview, title_of


def routes() -> list[BaseRoute]:
    return DocumentConsole(
        pages=(
            _page(DocumentName.RULES, "Rules", "rules", shown_rules),
            _page(DocumentName.VOICE, "Messages", "words", shown_voice),
        ),
        documents=lambda request: slot_intake_of(request).documents,
        page=waitlist_page,
        facts=lambda request: _documents_taken(wl_of(request)),
        zone=zone_of,
    ).routes()


def _page(name: DocumentName, tab: str, called: str, shown: Shown) -> DocumentPage:
    return DocumentPage(
        name=name,
        tab=tab,
        path=f"{WAITLIST}/{name}",
        template=f"{name}.html",
        called=called,
        use="slot that comes free",
        shown=shown,
    )


def _documents_taken(wl: WaitlistReads) -> Iterator[Recorded]:
    """All accepted versions of all documents, the newest first."""
    before = 0
    while facts := wl.newest_facts("waitlist", DocumentTaken.kind, before=before):
        yield from facts
        before = facts[-1].seq


def shown_rules(text: str, _request: Request) -> dict[str, Any]:
    parsed = rules_doc.parse(text)
    echoes, problems = defaultdict(list), defaultdict(list)
    for echo in parsed.echoes:
        echoes[echo.line].append(echo.meaning)
    for problem in parsed.problems:
        problems[problem.line].append(problem)
    return {
        "problems": len(parsed.problems),
        "lines": [
            {"number": n, "text": line, "echoes": echoes[n], "problems": problems[n]}
            for n, line in enumerate(text.split("\n"), start=1)
            if line.strip() or problems[n]
        ][: rules_doc.MOST_LINES],
    }


def shown_voice(text: str, request: Request) -> dict[str, Any]:
    """Previews use the names and links of this business, so that the length of a text is right."""
    parsed, real = DOCUMENT.parse(text), real_values(request)
    previews = DOCUMENT.previews(parsed.wordings, real)
    wrong = {problem.part.casefold() for problem in parsed.problems}
    messages: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for preview in previews:
        messages[preview.key[1]].append(_message(preview, wrong, real))
    return {
        "cost": text_cost(request, previews),
        "problems": len(parsed.problems),
        "found": parsed.problems,
        "messages": [
            {
                "title": DOCUMENT.specs[them[0]["key"]].title,
                "parts": them,
                "placeholders": _placeholders(them[0]["key"][1], real),
                "is_wrong": any(each["is_wrong"] for each in them),
            }
            for them in messages.values()
        ],
    }


def _message(preview: Preview, wrong: set[str], real: Mapping[str, str]) -> dict[str, Any]:
    title = title_of(preview.key)
    size = preview.size
    return {
        "key": preview.key,
        "part": title,
        "is_text": preview.key[0] is Via.TEXT,
        "text": preview.text,
        "subject": preview.filled.subject,
        "blocks": preview.filled.blocks,
        "sender": real["business"],
        "size": ""
        if size is None
        else f"{count(size.units, 'character')}, {count(size.segments, 'segment')}",
        "is_wrong": title.casefold() in wrong,
    }


def _placeholders(kind: str, real: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    """The placeholders of a message: name, sample, and whether one of its channels requires it."""
    known: dict[str, str] = {}
    must: set[str] = set()
    for (_, name), spec in DOCUMENT.specs.items():
        if name == kind:
            known |= spec.placeholders
            must |= spec.must
    return [
        (name, _one_line(real.get(name, sample)), name in must) for name, sample in known.items()
    ]


def _one_line(sample: str) -> str:
    return (
        "a link" if sample.startswith(("https://", "http://")) else " · ".join(sample.splitlines())
    )
