"""The rules and the words of the waitlist as documents: written, checked line by line, kept.

What is asked for by GET is only looked at; a document is saved by a POST, and never half of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, cast

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.words import count
from frontdesk.desks.waitlist.console.documents_shown import shown_rules, shown_voice
from frontdesk.desks.waitlist.console.page import (
    WAITLIST,
    counter_of,
    me,
    waitlist_page,
    wl_of,
    zone_of,
)
from frontdesk.desks.waitlist.counter import written
from frontdesk.desks.waitlist.facts import DocumentTaken
from frontdesk.desks.waitlist.model import BadPaper, Document, DocumentName
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.story import Names
from frontdesk.engine.ports import Recorded
from frontdesk.frozen import frozen
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.shell import Handler, done, form_of, staff
from frontdesk.web.site import site_of

#: Under this name the site remembers who looks at documents that are written elsewhere, at once.
DOCUMENTS: Final = "wl.documents"
#: As many earlier ones are shown.
MOST_EARLIER: Final = 20


@frozen
class Paper:
    """One of the two documents, and where it is."""

    name: DocumentName
    tab: str
    path: str
    template: str
    called: str
    """'rules': as it stands in sentences."""
    shown: Callable[[str, Request], dict[str, Any]]
    """What a text comes to, for the template; `problems` is how many there are."""


RULES: Final = Paper(
    DocumentName.RULES, "Rules", f"{WAITLIST}/rules", "rules.html", "rules", shown_rules
)
VOICE: Final = Paper(
    DocumentName.VOICE, "Messages", f"{WAITLIST}/voice", "voice.html", "words", shown_voice
)


def routes() -> list[BaseRoute]:
    return [
        Route(path, staff(_for(paper, handler)), methods=[method])
        for paper in (RULES, VOICE)
        for method, path, handler in (
            ("GET", paper.path, document_page),
            ("POST", paper.path, save),
            ("POST", f"{paper.path}/again", use_again),
            ("POST", f"{paper.path}/look", look_now),
        )
    ]


def _for(paper: Paper, handler: Callable[[Paper, Request], Any]) -> Handler:
    return partial(handler, paper)


@frozen
class Standing:
    """The document as it is kept, and as it is written where staff edit it."""

    document: Document
    text: str
    is_edited_elsewhere: bool
    """What was written there counts from the next slot that comes free."""

    @property
    def stamp(self) -> str:
        return blake2b(self.text.encode(), digest_size=9).hexdigest()


def _stands(request: Request, paper: Paper) -> Standing:
    document = wl_of(request).document(paper.name)
    outside = counter_of(request).on_paper(document)
    text = written(document) if outside is None else outside
    return Standing(document, text, text != written(document))


# --- looking --------------------------------------------------------------------------------


async def document_page(paper: Paper, request: Request) -> Response:
    standing = await run_in_threadpool(_stands, request, paper)
    earlier = await run_in_threadpool(_earlier, request, paper)
    seq = request.query_params.get("look", "")
    look = next((one for one in earlier if str(one.seq) == seq), None)
    if look is None:
        return _page(request, paper, standing, Draft(standing.text), earlier)
    assert isinstance(look.fact, DocumentTaken)
    return _page(request, paper, standing, Draft(look.fact.text, is_saved=False), earlier)


def _earlier(request: Request, paper: Paper) -> list[Recorded]:
    """Those that were once in force, the latest first."""
    both = _once_in_force(wl_of(request))
    return list(islice((one for one, name in both if name is paper.name), MOST_EARLIER))


def _once_in_force(wl: WaitlistReads) -> Iterator[tuple[Recorded, DocumentName]]:
    """Of either document, however long ago."""
    before = 0
    while facts := wl.newest_facts("waitlist", DocumentTaken.kind, before=before):
        for one in facts:
            if isinstance(one.fact, DocumentTaken):
                yield one, one.fact.name
        before = facts[-1].seq


@frozen
class Draft:
    """What stands in the text area."""

    text: str
    is_saved: bool = True
    newer: str = ""
    """What somebody else has saved meanwhile."""
    asks: bool = False
    """There are problems: whether it is to be saved all the same."""


def _page(
    request: Request,
    paper: Paper,
    standing: Standing,
    draft: Draft,
    earlier: list[Recorded],
    *,
    status: int = 200,
) -> Response:
    tz, names = zone_of(request), Names(site_of(request).reads())
    document = standing.document
    return waitlist_page(
        request,
        me(request),
        paper.template,
        tab=paper.tab,
        page_title=paper.tab,
        status=status,
        paper=paper,
        stamp=standing.stamp,
        draft=draft,
        shown=paper.shown(draft.text, request),
        is_edited_elsewhere=standing.is_edited_elsewhere,
        elsewhere=counter_of(request).papers.edited_at(paper.name),
        in_force=paper.shown(written(_last_good(document)), request)
        if not document.is_good
        else None,
        changed=exact_time(document.changed_at, tz) if document.changed_at else "",
        earlier=[
            {
                "seq": one.seq,
                "at": exact_time(one.at, tz),
                "by": names.member(one.by) or "Outside of the console",
                "is_now": place == 0 and document.is_good,
            }
            for place, one in enumerate(earlier)
        ],
    )


def _last_good(document: Document) -> Document:
    return Document(document.name, document.good, document.good)


# --- saving ---------------------------------------------------------------------------------


async def save(paper: Paper, request: Request) -> Response:
    """Or only see how it reads. Nothing is replaced that its writer has not seen."""
    form = form_of(request)
    text = form.fields.get("text", "").replace("\r\n", "\n")
    standing = await run_in_threadpool(_stands, request, paper)
    draft = _draft(request, paper, standing, text)
    if draft is not None:
        earlier = await run_in_threadpool(_earlier, request, paper)
        status = 409 if draft.newer else 422 if draft.asks else 200
        return _page(request, paper, standing, draft, earlier, status=status)
    return await _write(paper, request, text)


def _draft(request: Request, paper: Paper, standing: Standing, text: str) -> Draft | None:
    """What to show again instead of saving; nothing if it can be saved."""
    do, stamp = form_of(request)["do"], form_of(request)["stamp"]
    if do == "preview":
        return Draft(text, is_saved=False)
    if stamp != standing.stamp:
        return Draft(text, is_saved=False, newer=standing.text)
    if do != "anyway" and paper.shown(text, request)["problems"]:
        return Draft(text, is_saved=False, asks=True)
    return None


async def use_again(paper: Paper, request: Request) -> Response:
    earlier = await run_in_threadpool(_earlier, request, paper)
    seq = form_of(request)["seq"]
    found = next((one.fact for one in earlier if str(one.seq) == seq), None)
    if not isinstance(found, DocumentTaken):
        raise HTTPException(404)
    return await _write(paper, request, found.text)


async def look_now(paper: Paper, request: Request) -> Response:
    """Takes over what staff have changed in Google Docs, without waiting for the next look."""
    take = cast("Callable[[], bool] | None", site_of(request).memory.get(DOCUMENTS))
    take = take or partial(counter_of(request).take_papers, by="papers")
    try:
        is_new = await run_in_threadpool(take)
        await run_in_threadpool(counter_of(request).papers.read, paper.name)
    except BadPaper as bad:
        return done(request, paper.path, str(bad), kind="problem")
    return done(request, paper.path, "What is new counts from now on." if is_new else NOTHING_NEW)


NOTHING_NEW: Final = "We have looked. There is nothing new in it."


async def _write(paper: Paper, request: Request, text: str) -> Response:
    write = counter_of(request).write
    outcome = await run_in_threadpool(write, paper.name, text, by=me(request).by)
    if isinstance(outcome, Refused) and outcome.reason is Reason.EDITED_ELSEWHERE:
        says = "This document is written in Google Docs. Nothing was saved."
        return done(request, paper.path, says, kind="problem")
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        says = (
            f"These {paper.called} cannot be used: please look at the numbers. Nothing was saved."
        )
        return done(request, paper.path, says, kind="problem")
    if problems := paper.shown(text, request)["problems"]:
        says = (
            f"Saved as it is. {count(problems, 'thing needs', 'things need')} a look:"
            f" until then the {paper.called} before stay in force."
        )
        return done(request, paper.path, says, kind="problem")
    return done(request, paper.path, f"Saved. These {paper.called} are in force.")
