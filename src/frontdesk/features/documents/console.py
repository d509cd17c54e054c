"""The console pages of a desk's documents: edit, preview, save, reuse an earlier version.

GET changes nothing. A POST saves a whole document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.words import count
from frontdesk.core.yaml_tree import YamlProblem
from frontdesk.engine.ports import Recorded
from frontdesk.engine.stories import member_name
from frontdesk.features.documents.model import Document, DocumentUnavailable, Reason
from frontdesk.features.documents.sync import Documents
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.sections import TodayCard
from frontdesk.web.console.shell import done, form_of, signed_in, staff
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import or_404, site_of

#: The number of earlier versions that the page shows.
MOST_EARLIER: Final = 20
NOTHING_NEW: Final = "We have looked. There is nothing new in it."


def refresh_key(desk: str) -> SharedKey[Callable[[], bool]]:
    """The key in `Site.shared` of a function that reads a desk's documents elsewhere at once."""
    return SharedKey(f"documents.refresh.{desk}")


Shown = Callable[[str, Request], dict[str, Any]]
"""Returns template values that explain a text; `problems` is the number of its problems."""


class AfterSaving(Frozen):
    """More words for staff when a text has come into force."""

    says: str = ""
    query: str = ""
    """Makes the page show more about it: '?since=12'."""


class DocumentPage(Frozen):
    """The page of one document."""

    name: str
    tab: str
    path: str
    template: str
    """Extends the frame of the desk and uses the macros in `documents/parts.html`."""
    noun: str
    """The noun for it in sentences: 'rules'."""
    use: str
    """The occasion on which the document is read: 'slot that comes free'. Empty if it is only read
    from time to time."""
    shown: Shown
    saved: Callable[[str, Request], AfterSaving] = lambda _text, _request: AfterSaving()
    """Returns more to say when a text comes into force. Called before the text is written."""


class DocumentConsole(Frozen):
    """The console pages of a desk's documents. The desk passes these values."""

    pages: tuple[DocumentPage, ...]
    documents: Callable[[Request], Documents]
    page: Callable[..., Response]
    """Renders a template in the frame of the desk."""
    facts: Callable[[Request], Iterator[Recorded]]
    """The facts that a document was accepted, the newest first."""
    zone: Callable[[Request], ZoneInfo]
    """The time zone of the business."""

    def routes(self) -> list[BaseRoute]:
        return [
            Route(path, staff(partial(handler, page)), methods=[method])
            for page in self.pages
            for method, path, handler in (
                ("GET", page.path, self._show),
                ("POST", page.path, self._save),
                ("POST", f"{page.path}/again", self._use_again),
                ("POST", f"{page.path}/look", self._refresh),
            )
        ]

    def _present(self, page: DocumentPage, request: Request) -> PresentDocument:
        documents = self.documents(request)
        document = documents.known(page.name)
        known, in_file = documents.desk.text(document), documents.in_file(document)
        text = known if in_file is None else in_file
        saved = document.text if document.changed_at else known
        return PresentDocument(document, text, in_file is not None and text != saved)

    async def _show(self, page: DocumentPage, request: Request) -> Response:
        present = await run_in_threadpool(self._present, page, request)
        earlier = await run_in_threadpool(self._earlier, page, request)
        look = _of_seq(earlier, request.query_params.get("look", ""))
        draft = Draft(present.text) if look is None else Draft(look, is_saved=False)
        return self._page(page, request, present, draft, earlier)

    def _earlier(self, page: DocumentPage, request: Request) -> list[Recorded]:
        """The versions that have been in force, the latest first."""
        taken = self.documents(request).desk.decisions.taken
        ours = (
            one
            for one in self.facts(request)
            if isinstance(one.fact, taken) and one.fact.name == page.name
        )
        return list(islice(ours, MOST_EARLIER))

    def _page(
        self,
        page: DocumentPage,
        request: Request,
        present: PresentDocument,
        draft: Draft,
        earlier: list[Recorded],
        *,
        status: int = 200,
    ) -> Response:
        document, documents = present.document, self.documents(request)
        tz, reads = self.zone(request), site_of(request).reads()
        return self.page(
            request,
            page.template,
            tab=page.tab,
            page_title=page.tab,
            status=status,
            document=page,
            stamp=present.stamp,
            draft=draft,
            shown=page.shown(draft.text, request),
            is_edited_elsewhere=present.is_edited_elsewhere,
            elsewhere=(elsewhere := documents.files.edited_at(page.name)),
            is_behind=bool(elsewhere and document.replaces),
            in_force=None
            if document.is_good
            else page.shown(document.good or documents.desk.built_in[page.name], request),
            changed=exact_time(document.changed_at, tz) if document.changed_at else "",
            earlier=[
                {
                    "seq": one.seq,
                    "at": exact_time(one.at, tz),
                    "by": member_name(reads, one.by) or "Outside of the console",
                    "is_now": place == 0 and document.is_good,
                }
                for place, one in enumerate(earlier)
            ],
        )

    async def _save(self, page: DocumentPage, request: Request) -> Response:
        """Saves or previews the text. Never replaces a version that this person has not seen."""
        text = form_of(request).fields.get("text", "").replace("\r\n", "\n")
        present = await run_in_threadpool(self._present, page, request)
        draft = _draft(request, page, present, text)
        if draft is None:
            return await self._write(page, request, text)
        earlier = await run_in_threadpool(self._earlier, page, request)
        status = 409 if draft.newer else 422 if draft.asks else 200
        return self._page(page, request, present, draft, earlier, status=status)

    async def _use_again(self, page: DocumentPage, request: Request) -> Response:
        earlier = await run_in_threadpool(self._earlier, page, request)
        text = or_404(_of_seq(earlier, form_of(request)["seq"]))
        return await self._write(page, request, text)

    async def _refresh(self, page: DocumentPage, request: Request) -> Response:
        """Takes edits made elsewhere at once, before the next regular check."""
        documents = self.documents(request)
        take = site_of(request).shared.get(refresh_key(documents.desk.decisions.desk))
        try:
            is_new = await run_in_threadpool(take or documents.take_edits)
            await run_in_threadpool(documents.files.read, page.name)
        except DocumentUnavailable as error:
            return done(request, page.path, str(error), kind="problem")
        return done(
            request, page.path, "What is new counts from now on." if is_new else NOTHING_NEW
        )

    async def _write(self, page: DocumentPage, request: Request, text: str) -> Response:
        write, by = self.documents(request).write, signed_in(request).member.by
        more = await run_in_threadpool(page.saved, text, request)
        outcome = await run_in_threadpool(write, page.name, text, by=by)
        if isinstance(outcome, Refused) and outcome.reason == Reason.EDITED_ELSEWHERE:
            says = "This document is written in Google Drive. Nothing was saved."
            return done(request, page.path, says, kind="problem")
        if isinstance(outcome, Refused) and outcome.reason != Reason.UNCHANGED:
            says = (
                f"These {page.noun} cannot be used: please look at the numbers. Nothing was saved."
            )
            return done(request, page.path, says, kind="problem")
        if problems := page.shown(text, request)["problems"]:
            says = (
                f"Saved as it is. {count(problems, 'thing needs', 'things need')} a look:"
                f" until then the {page.noun} before stay in force."
            )
            return done(request, page.path, says, kind="problem")
        says = f"Saved. These {page.noun} are in force.{more.says}"
        return done(request, f"{page.path}{more.query}", says)


class PresentDocument(Frozen):
    """The stored document, and its text in the place where staff edit it."""

    document: Document
    text: str
    is_edited_elsewhere: bool
    """The text takes effect when the desk next reads it."""

    @property
    def stamp(self) -> str:
        return blake2b(self.text.encode(), digest_size=9).hexdigest()


def _of_seq(earlier: list[Recorded], seq: str) -> str | None:
    """The text of an earlier version."""
    return next((cast(Any, one.fact).text for one in earlier if str(one.seq) == seq), None)


class Draft(Frozen):
    """The content of the text area."""

    text: str
    is_saved: bool = True
    newer: str = ""
    """The text that somebody else has saved since."""
    asks: bool = False
    """There are problems; the page asks whether to save it anyway."""


def _draft(
    request: Request, page: DocumentPage, present: PresentDocument, text: str
) -> Draft | None:
    """The draft to show again instead of saving; None if the text can be saved."""
    do, stamp = form_of(request)["do"], form_of(request)["stamp"]
    if do == "preview":
        return Draft(text, is_saved=False)
    if stamp != present.stamp:
        return Draft(text, is_saved=False, newer=present.text)
    if do != "anyway" and page.shown(text, request)["problems"]:
        return Draft(text, is_saved=False, asks=True)
    return None


def wrong_lines(text: str, problems: Iterable[YamlProblem]) -> list[dict[str, Any]]:
    """The values of the macro `wrong_lines` in `documents/parts.html`."""
    lines = text.splitlines()
    return [
        {
            "line": one.line,
            "column": one.column,
            "why": one.why,
            "text": lines[one.line - 1].strip()[:200] if one.line <= len(lines) else "",
        }
        for one in problems
    ]


def mistakes_card(document: Document, of: str, url: str) -> Iterator[TodayCard]:
    """Yields a card if the last text has mistakes: staff may have edited the file outside of the
    console, where they see no mistakes."""
    if document.text and not document.is_good:
        yield TodayCard(
            title=f"The rules of {of} have mistakes",
            text="The rules before stay in force until they are corrected.",
            url=url,
            button="Correct the rules",
            icon="bookings",
            chip="Not in force",
            state="ending",
        )
