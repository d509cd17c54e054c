"""The console pages of proposals: the list, and one proposal to approve, correct or discard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command, Refused
from frontdesk.features.proposals.decide import ProposalDesk
from frontdesk.features.proposals.model import (
    Proposal,
    ProposalId,
    ProposalReads,
    ProposalStatus,
    Reason,
)
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import Chip, date_and_time
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.lists import Column, EmptyState, ListSpec, Pager
from frontdesk.web.console.shell import done, run, staff
from frontdesk.web.site import or_404, site_of

Values = Mapping[str, str]

MAIL: Final = "/console/messages/in"
MOST_SHOWN: Final = 100
SURE: Final = {
    "confident": Chip("Certain", "good"),
    "likely": Chip("Likely", "waiting"),
    "unsure": Chip("Please check", "ending"),
}
_MAIL_KEPT: Final = " The mail itself is kept."
NOT_THERE: Final = Chip("Not in the text", "gone")
#: For a value that was typed into a field of its own, so nothing had to be read from free text.
GIVEN: Final = Chip("Given", "good")
_SETTLED: Final = {
    "approved": ProposalStatus.APPROVED,
    "discarded": ProposalStatus.DISCARDED,
}


class ProposalTexts(Frozen):
    """A desk's texts about proposals and what they become."""

    lead: str
    empty: str
    """Explains how requests come in; shown while no proposal is open."""
    became: str
    """'On the list': the label of approved proposals."""
    approved: str
    see: str
    """A sentence that says that it was approved, and the label of the link to what it became."""
    not_yet: str
    """The heading above the errors of the form."""
    would_be: str
    """The heading of the form."""
    approve: str
    """The label of the button."""
    done: str
    """The message after approval."""
    discarding: str
    """Explains what discarding does."""
    tab: str = "Requests"
    noun: str = "request"


class ProposalConsole(Frozen, kw_only=True):
    """The console pages of a desk's proposals. The desk passes these values."""

    path: str
    desk: ProposalDesk
    name: tuple[str, str]
    """The desk's name and URL, for the breadcrumbs."""
    texts: ProposalTexts
    fields: Mapping[str, str]
    """Maps the reader's field names to the form's."""
    labels: Mapping[str, str]
    """The label of each field of the form."""
    columns: Sequence[Column[Proposal]]
    """Columns of the list, beside those that every desk has."""
    readiness: Callable[[Proposal], Chip]
    """Shows whether an open proposal is complete."""
    became_url: Callable[[str], str]
    template: str
    """Extends `proposals/request.html` and fills the block `fields`."""
    values: Callable[[Proposal, ZoneInfo], Values]
    """Converts what was read to values of the form."""
    context: Callable[[Request, Proposal, Values], Mapping[str, Any]]
    """Returns further values for the template."""
    approval: Callable[[Request, Proposal], tuple[Values, Command | Values]]
    """Returns the values of the submitted form, and a command that approves them or the errors."""
    refusal: Callable[[StrEnum], Values]
    """Returns messages by field for a refusal of the command."""
    page: Callable[..., Response]
    """Renders a template in the frame of the desk."""
    zone: Callable[[Request], ZoneInfo]

    def routes(self) -> list[BaseRoute]:
        one = f"{self.path}/{{request}}"
        return [
            Route(path, staff(handler), methods=[method])
            for method, path, handler in (
                ("GET", self.path, self._list),
                ("GET", one, self._show),
                ("POST", one, self._approve),
                ("POST", f"{one}/discard", self._discard),
            )
        ]

    def reads(self, request: Request) -> ProposalReads:
        found: ProposalReads = site_of(request).reads().desk(self.desk.code)
        return found

    def url(self, proposal: Proposal) -> str:
        return f"{self.path}/{proposal.id}"

    def show(
        self,
        request: Request,
        proposal: Proposal,
        values: Values,
        errors: Values,
        *,
        status: int = 200,
    ) -> Response:
        tz = self.zone(request)
        return self.page(
            request,
            self.template,
            tab=self.texts.tab,
            page_title=proposal.value("name") or self.texts.noun.capitalize(),
            status=status,
            url=self.url(proposal),
            texts=self.texts,
            proposal=proposal,
            came=date_and_time(proposal.received_at, tz),
            settled=date_and_time(proposal.settled_at, tz) if proposal.settled_at else "",
            became_url=self.became_url(proposal.entry_id) if proposal.entry_id else "",
            mail_url=f"{MAIL}/{proposal.mail_id}" if proposal.mail_id else "",
            pieces=marked(proposal, self.fields, self.labels),
            how_sure=how_sure(proposal, self.fields),
            v=values,
            errors=errors,
            **self.context(request, proposal, values),
        )

    def already_settled(self, request: Request, proposal: Proposal) -> Response:
        says = "Somebody has decided about it already. Nothing was changed."
        return done(request, self.url(proposal), says, kind="problem")

    async def _list(self, request: Request) -> Response:
        tz, is_open = self.zone(request), request.query_params.get("show", "") not in _SETTLED
        spec = ListSpec[Proposal](
            id="requests",
            path=self.path,
            caption=self.texts.tab,
            columns=(
                Column("name", "Who", lambda one: one.value("name") or one.sender or "No name"),
                *((Column("state", "State", self.readiness),) if is_open else ()),
                *self.columns,
                Column("came", "Came in", lambda one: date_and_time(one.received_at, tz)),
            ),
            row_url=self.url,
            filters=(
                ("", "To decide"),
                ("approved", self.texts.became),
                ("discarded", "Discarded"),
            ),
            filter_by="show",
            nothing_found="None so far.",
        )
        query = spec.query(request)
        status = _SETTLED.get(query.filter, ProposalStatus.OPEN)
        found = self.reads(request).proposals(status, MOST_SHOWN)
        says = f"These are the latest {MOST_SHOWN}." if len(found) == MOST_SHOWN else ""
        return self.page(
            request,
            "proposals/list.html",
            tab=self.texts.tab,
            page_title=self.texts.tab,
            lead=self.texts.lead,
            list=spec.view(query, found, pages=Pager(says)),
            empty=EmptyState("Nothing to decide", self.texts.empty, "messages")
            if is_open
            else None,
        )

    def _named(self, request: Request) -> Proposal:
        return or_404(self.reads(request).proposal(ProposalId(request.path_params["request"])))

    async def _show(self, request: Request) -> Response:
        proposal = self._named(request)
        return self.show(request, proposal, self.values(proposal, self.zone(request)), {})

    async def _approve(self, request: Request) -> Response:
        """Approves the proposal with the values of the form, corrected or not."""
        proposal = self._named(request)
        values, command = self.approval(request, proposal)
        if not isinstance(command, Command):
            return self.show(request, proposal, values, command, status=422)
        outcome = await run(request, command)
        if not isinstance(outcome, Refused):
            became = outcome.facts[0].fact.about
            return done(request, self.became_url(became), self.texts.done)
        if outcome.reason in (Reason.SETTLED, Reason.NO_SUCH_PROPOSAL):
            return self.already_settled(request, proposal)
        return self.show(request, proposal, values, self.refusal(outcome.reason), status=422)

    async def _discard(self, request: Request) -> Response:
        proposal = self._named(request)
        if not is_confirmed(request):
            return confirm_page(
                request,
                question=f"Discard this {self.texts.noun}?",
                means=f"{self.texts.discarding}{_MAIL_KEPT if proposal.mail_id else ''}",
                label="Discard it",
                keep_url=self.url(proposal),
                keep_label="Keep it",
                page_title=f"Discard this {self.texts.noun}",
                active=self.name[1],
                crumbs=(self.name, (self.texts.tab, self.path), ("Discard", "")),
            )
        if isinstance(await run(request, self.desk.discard(proposal.id)), Refused):
            return self.already_settled(request, proposal)
        says = "Discarded. Nobody is told."
        if proposal.mail_id:
            says = "Discarded. The mail itself is kept, and nobody is told."
        return done(request, self.path, says)


class MarkedText(Protocol):
    """A text with the fields that were read from it."""

    @property
    def text(self) -> str: ...
    @property
    def fields(self) -> Sequence[MarkedField]: ...


class MarkedField(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def confidence(self) -> str: ...
    @property
    def words(self) -> str: ...


def confidence_chip(field: MarkedField) -> Chip:
    """How sure the reader is, for a value that was read from free text."""
    if field.confidence == "confident" and not field.words:
        return GIVEN
    return SURE.get(field.confidence, NOT_THERE)


def how_sure(proposal: MarkedText, fields: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The confidence and the words of each field of the form."""
    read = {fields[one.name]: one for one in reversed(proposal.fields) if one.name in fields}
    return {
        field: (
            {"chip": confidence_chip(read[field]), "words": read[field].words}
            if field in read
            else {"chip": NOT_THERE, "words": ""}
        )
        for field in fields.values()
    }


def _place(text: str, words: str) -> int:
    """The position of the words in the text; -1 if the text does not have them. Prefers the text
    below the head of a mail, because a sender may have the name of a staff member."""
    below = text.find(words, max(text.find("\n\n"), 0))
    return below if below >= 0 else text.find(words)


def marked(
    proposal: MarkedText, fields: Mapping[str, str], labels: Mapping[str, str]
) -> list[tuple[str, str]]:
    """The text in pieces, each with the labels of the fields that were read from it."""
    spans = []
    for one in proposal.fields:
        start = _place(proposal.text, one.words) if one.words and one.name in fields else -1
        if start >= 0:
            spans.append((start, start + len(one.words), labels[fields[one.name]]))
    cuts = sorted({0, len(proposal.text), *(at for start, end, _ in spans for at in (start, end))})
    return [
        (
            proposal.text[start:end],
            ", ".join(label for first, last, label in spans if first <= start and end <= last),
        )
        for start, end in pairwise(cuts)
    ]
