"""Opens the links in messages: GET `/l/<token>` shows a page, a POST acts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import NO_CONTACT, BadContact, clean_email
from frontdesk.core.decision import Command
from frontdesk.core.ics import Invitation, mime_type, write
from frontdesk.core.links import BadLink, ExpiredLink, Link, read
from frontdesk.core.people import Person
from frontdesk.core.phones import clean_phone
from frontdesk.engine.ports import Outcome
from frontdesk.errors import Busy
from frontdesk.logs import log
from frontdesk.values import Frozen, field
from frontdesk.web.app import HOME, problem
from frontdesk.web.forms import TRAP, Form, read_form
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, limit_visitor, site_of

#: The limit for one address. An office may share it, and its mail scanner opens every link.
LINK_RATE: Final = Rate(burst=240, per_minute=120)
#: The limit for forged links.
FORGED_RATE: Final = Rate(burst=30, per_minute=6)


class OpenedLink(Frozen):
    """A link with a valid signature; it may have expired."""

    token: str
    link: Link
    expired: bool

    @property
    def path(self) -> str:
        return f"/l/{self.token}"


Answer = Callable[[Request, OpenedLink], Awaitable[Response]]


class LinkHandler(Frozen):
    """Handles one purpose of links. `show` and `parts` are read-only; `act` redirects to `show`."""

    show: Answer
    act: Answer
    parts: Mapping[str, Answer] = field(default_factory=dict)
    """More resources under the link, by name: `/l/<token>/calendar.ics`."""


V = TypeVar("V")
Find = Callable[[Request, OpenedLink], V | Response]
"""Loads the person and the subject of a link, or returns a page that explains why it cannot."""
Show = Callable[[V], Response | Awaitable[Response]]
Act = Callable[[V, Form], Awaitable[Response | None]]


def handler(find: Find[V], show: Show[V], act: Act[V], **parts: Show[V]) -> LinkHandler:
    """Builds a handler for the table of links. If `act` returns nothing, redirects to the page."""

    def shown(by: Show[V]) -> Answer:
        async def answer(request: Request, opened: OpenedLink) -> Response:
            visit = find(request, opened)
            page = visit if isinstance(visit, Response) else by(visit)
            return page if isinstance(page, Response) else await page

        return answer

    async def acted(request: Request, opened: OpenedLink) -> Response:
        visit = find(request, opened)
        if isinstance(visit, Response):
            return visit
        return await act(visit, await read_form(request)) or _redirect_to(opened)

    files = {name.replace("_", "."): shown(part) for name, part in parts.items()}
    return LinkHandler(shown(show), acted, files)


def routes(handlers: Mapping[int, LinkHandler]) -> list[BaseRoute]:
    """`handlers` are those of all desks, by the number of their purpose."""

    async def link(request: Request) -> Response:
        opened = open_link(request)
        handler = handlers.get(opened.link.purpose) if opened else None
        if opened is None or handler is None:
            return _not_ours(request)
        answer = handler.act if request.method == "POST" else handler.show
        return await answer(request, opened)

    async def part(request: Request) -> Response:
        opened = open_link(request)
        handler = handlers.get(opened.link.purpose) if opened else None
        if opened is None or handler is None:
            return _not_ours(request)
        answer = handler.parts.get(request.path_params["part"])
        if answer is None:
            raise HTTPException(404)
        return await answer(request, opened)

    return [
        Route("/l/{token}", link, methods=["GET", "POST"]),
        Route("/l/{token}/{part}", part, methods=["GET"]),
    ]


def open_link(request: Request) -> OpenedLink | None:
    """Verifies the link in the address; None for a forged one, which it counts and limits."""
    site, token = site_of(request), request.path_params["token"]
    limit_visitor(request, "link", LINK_RATE)
    try:
        return OpenedLink(token, read(token, site.keys, site.clock.now()), expired=False)
    except ExpiredLink as late:
        return OpenedLink(token, late.link, expired=True)
    except BadLink:
        site.bad_link()
        limit_visitor(request, "forged link", FORGED_RATE)
        return None


class LinkVisit(Frozen, kw_only=True):
    """An opened link. A desk adds the rows that its page shows."""

    request: Request
    site: Site
    path: str
    now: datetime

    async def run_as(self, guest_id: str, command: Command) -> Outcome:
        """Runs a command as this guest. Callers show the current state, whatever the outcome."""
        return await self.site.run(command, by=f"guest:{guest_id}")

    def page(self, template: str, title: str, status: int = 200, **values: Any) -> Response:
        return self.site.renderer.page(
            template,
            self.now,
            status=status,
            page_title=title,
            title=title,
            path=self.path,
            **values,
        )


def calendar_file(invitation: Invitation, name: str) -> Response:
    """A calendar entry as a file to download. `name` has letters, digits and hyphens only."""
    headers = {
        "content-disposition": f'attachment; filename="{name}.ics"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(write(invitation), media_type=mime_type(invitation.method), headers=headers)


def link_expired(request: Request, purpose: str, link: tuple[str, str] | None) -> Response:
    """`purpose` is a sentence that says what the link was for; `link` is an address and a label."""
    means = f"{purpose} Nothing has changed because you opened it."
    return problem(request, 410, "This link has expired.", means, link, calm=True)


def link_outdated(
    request: Request,
    link: tuple[str, str] | None,
    means: str = "It was sent to an address or a number that has changed since, or what it was"
    " about is gone for good. Your latest message from us has the link that works.",
) -> Response:
    return problem(request, 410, "This link is no longer in use.", means, link, calm=True)


def _redirect_to(opened: OpenedLink) -> Response:
    """Redirects to the page after a POST."""
    return RedirectResponse(opened.path, 303)


def _not_ours(request: Request) -> Response:
    return problem(
        request,
        404,
        "This link is not complete.",
        "It may have been cut short on its way to you. Please open it from the message again, "
        "or copy all of it.",
        HOME,
        calm=True,
    )


#: The limit for one visitor. An office may share one address.
VISITOR_RATE: Final = Rate(burst=10, per_minute=4)
#: The limit for one contact, from any visitor: three messages at once, then one in 20 minutes.
CONTACT_RATE: Final = Rate(burst=3, per_minute=0.05)

SendLinks = Callable[[Site, str], Awaitable[None]]
"""Sends the links to the person with this contact; does nothing for a stranger."""


class LinkForm(Frozen, kw_only=True):
    """The texts of the page on which people ask for a lost link, and the target of its form."""

    action: str
    lead: str
    """Says what the link is for."""
    by_number: bool = False
    """People may also give their mobile number."""
    back: tuple[str, str]


def lost_link_routes(
    path: str, find: Callable[[Request], tuple[LinkForm, SendLinks] | Response]
) -> list[BaseRoute]:
    """Returns the routes of the page on which people ask for a lost link.

    `find` returns the form of this address and the function that sends, or an error page.
    """

    async def show(request: Request) -> Response:
        found = find(request)
        return found if isinstance(found, Response) else _link_form(site_of(request), found[0])

    async def ask(request: Request) -> Response:
        found = find(request)
        return found if isinstance(found, Response) else await _take_request(request, *found)

    return [Route(path, show, methods=["GET"]), Route(path, ask, methods=["POST"])]


def _link_form(site: Site, form: LinkForm, typed: str = "", error: str = "") -> Response:
    return site.renderer.page(
        "link_again.html",
        site.clock.now(),
        status=422 if error else 200,
        page_title="Send me my link",
        form=form,
        typed=typed,
        error=error,
        requested=False,
    )


async def _take_request(request: Request, form: LinkForm, send: SendLinks) -> Response:
    """Takes a request. The response time does not reveal whether the contact is known."""
    site = site_of(request)
    limit_visitor(request, "link again by", VISITOR_RATE)
    fields = await read_form(request)
    try:
        contact = _clean_contact(fields["contact"], site, form)
    except BadContact as bad:
        return _link_form(site, form, fields["contact"], str(bad))
    answer = site.renderer.page(
        "link_again.html",
        site.clock.now(),
        page_title="Check your messages",
        form=form,
        requested=True,
    )
    if not fields[TRAP]:
        await site.unseen_work.run(partial(_send, site, contact, send))
    return answer


def _clean_contact(text: str, site: Site, form: LinkForm) -> str:
    if form.by_number and not text:
        raise BadContact(NO_CONTACT)
    if form.by_number and "@" not in text:
        return clean_phone(text, site.settings.country)
    return clean_email(text)


async def _send(site: Site, contact: str, send: SendLinks) -> None:
    if not may_send(site, contact):
        return
    try:
        await send(site, contact)
    except Busy:
        log("link_again.busy")


def may_send(site: Site, contact: str) -> bool:
    """Limits messages to one contact, because anybody can enter the contact of somebody else."""
    return site.limits.take("link again", contact, CONTACT_RATE)


def people_with(site: Site, contact: str) -> Sequence[Person]:
    """Returns the people with this address or number; a family may share a number."""
    engine = site.reads().engine
    if "@" not in contact:
        return engine.people_by_mobile(contact)
    person = engine.person_by_email(contact)
    return () if person is None else (person,)
