"""The frame of every console page: access control, navigation, commands and their answers.

A desk's console module declares its `ConsoleSection`, wraps each of its handlers with `staff`, and
answers with `console_page` or `done`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from frontdesk.core.decision import Command
from frontdesk.core.ids import is_id
from frontdesk.core.members import Member, Role, Session
from frontdesk.engine.ports import Committed, Outcome
from frontdesk.values import Frozen
from frontdesk.web.app import NOT_SNIFFED, problem, wants_json
from frontdesk.web.console.sections import NavItem, shell_of
from frontdesk.web.flash import Flash, flash_of, forget_flash, put_flash
from frontdesk.web.forms import Form, read_upload
from frontdesk.web.sessions import comes_from_us, extend, is_our_form, member_of, session_of
from frontdesk.web.site import site_of

__all__ = [
    "Handler",
    "act",
    "console_page",
    "done",
    "form_of",
    "member_of",
    "nav_url",
    "refuse",
    "run",
    "signed_in",
    "staff",
    "tabs",
]

Handler = Callable[[Request], Awaitable[Response]]

CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"
READING = frozenset({"GET", "HEAD"})


# --- access control -------------------------------------------------------------------------


def staff(handler: Handler, *, event_param: str | None = None, role: Role = Role.STAFF) -> Handler:
    """Admits members with at least this role, and a host only if the path names their event.

    `event_param` is the path parameter with the event's id. Every request that is not a GET or HEAD
    must carry the session's CSRF token, in the form's field `csrf` or in the header `x-csrf-token`,
    and come from our own pages.
    """

    async def guarded(request: Request) -> Response:
        session = session_of(request)
        if session is None:
            return _sign_in_first(request)
        if not _may(session.member, request, event_param, role):
            return _not_yours(request, session.member)
        if request.method in READING:
            return await handler(request)
        if not await _is_from_our_page(request, session):
            return refuse(
                request,
                "This page was open for too long.",
                "Nothing was changed. Please go back, load the page again and try once more.",
            )
        response = await handler(request)
        await extend(request, response, session)
        return response

    return guarded


def signed_in(request: Request) -> Session:
    """Returns the session. Only for handlers that `staff` wraps: these always have one."""
    session = session_of(request)
    assert session is not None
    return session


def form_of(request: Request) -> Form:
    """The posted form and its files, in a handler that `staff` wraps. For JSON: `read_json`."""
    form = request.state.form
    assert isinstance(form, Form)
    return form


def refuse(request: Request, happened: str, means: str) -> Response:
    return problem(request, 403, happened, means, ("/console", "To the console"))


async def _is_from_our_page(request: Request, session: Session) -> bool:
    if not comes_from_us(request):
        return False
    is_json = request.headers.get("content-type", "").startswith("application/json")
    form = Form({}) if is_json else await read_upload(request)
    request.state.form = form
    return is_our_form(session, request.headers.get(CSRF_HEADER, form[CSRF_FIELD]))


def _may(member: Member, request: Request, event_param: str | None, role: Role) -> bool:
    if event_param is not None and member.role is Role.HOST:
        return member.may_see(request.path_params[event_param])
    return member.role.is_at_least(role)


def _sign_in_first(request: Request) -> Response:
    is_page = "text/event-stream" not in request.headers.get("accept", "")
    if wants_json(request) or not is_page:
        answer = {"problem": "You are not signed in.", "means": "Please sign in at /sign-in."}
        return JSONResponse(answer, 401, NOT_SNIFFED)
    if request.method not in READING:
        return RedirectResponse("/sign-in", 303)
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"/sign-in?next={quote(path, safe='/')}", 303)


def _not_yours(request: Request, member: Member) -> Response:
    if member.role is Role.HOST:
        means = "You are signed in as a host, who sees the events they host."
    else:
        means = "Only an owner can see and change this. Please ask one of them."
    return refuse(request, "This page is not open to you.", means)


# --- the frame ------------------------------------------------------------------------------


def console_page(
    request: Request,
    template: str,
    *,
    page_title: str,
    active: str,
    crumbs: Sequence[tuple[str, str]] = (),
    status: int = 200,
    frame: str = "console/page.html",
    **values: Any,
) -> Response:
    """Renders a page of the console.

    `active` is the url of its entry in the navigation; `crumbs` are pairs of label and url, the
    last one this page; `frame` is the template that the pages of the kit (`console/list.html`,
    `console/form.html`) extend.

    Templates also get `csrf` (the token), `hidden` (the hidden fields for a form that posts) and
    `member`.
    """
    site, session = site_of(request), signed_in(request)
    hidden = {CSRF_FIELD: session.csrf}
    flash = flash_of(request, session)
    response = site.renderer.page(
        template,
        site.clock.now(),
        status=status,
        page_title=page_title,
        frame=frame,
        nav=_nav(request, session.member, active),
        crumbs=[{"label": label, "url": url} for label, url in crumbs],
        signed_in_as=session.member.name or session.member.email,
        sign_out={"url": "/sign-out", "label": "Sign out", "hidden": hidden},
        flash=flash.shown(hidden) if flash else None,
        csrf=session.csrf,
        hidden=hidden,
        member=session.member,
        **values,
    )
    if flash:
        forget_flash(response, site)
    return response


async def run(request: Request, command: Command, *, once: str = "") -> Outcome:
    """Runs a command as the signed-in member. A second press with the same id in `once` does
    nothing."""
    key = f"console/{once}" if is_id(once) else None
    return await site_of(request).run(command, by=signed_in(request).member.by, key=key)


async def act(
    request: Request,
    command: Command,
    url: str,
    says: str,
    refused: str | Callable[[StrEnum], str],
) -> Response:
    """Runs a command and redirects to a page that shows the result or the reason for a refusal."""
    outcome = await run(request, command)
    if isinstance(outcome, Committed):
        return done(request, url, says)
    why = refused if isinstance(refused, str) else refused(outcome.reason)
    return done(request, url, why, kind="problem")


def tabs(
    items: Sequence[tuple[str, str]], active: str, counts: Mapping[str, object] | None = None
) -> list[dict[str, Any]]:
    """Makes tabs of pairs of label and url. `active` is a label or url; counts are by label."""
    return [
        {"label": label, "url": url, "active": active in (label, url)}
        | ({"count": counts[label]} if counts and counts.get(label) else {})
        for label, url in items
    ]


class DeskFrame(Frozen):
    """The frame of a desk's console pages: its tabs, and the breadcrumbs of pages below them."""

    name: str
    path: str
    tabs: tuple[tuple[str, str], ...]
    tabs_label: str
    templates: str

    def page(
        self,
        request: Request,
        template: str,
        *,
        tab: str,
        page_title: str,
        badges: Mapping[str, object],
        status: int = 200,
        **context: Any,
    ) -> Response:
        """Renders a page. `tab` is the label of the open tab; a template name without a folder
        belongs to the desk: it extends `console/page.html` and fills the block `body`."""
        return console_page(
            request,
            template if "/" in template else f"{self.templates}/{template}",
            page_title=page_title,
            active=self.path,
            crumbs=self._crumbs(tab, page_title),
            status=status,
            tabs=tabs(self.tabs, tab, badges),
            tabs_label=self.tabs_label,
            **context,
        )

    def _crumbs(self, tab: str, page_title: str) -> tuple[tuple[str, str], ...]:
        if page_title == tab:
            return ()
        above = () if tab == self.tabs[0][0] else ((tab, dict(self.tabs)[tab]),)
        return ((self.name, self.path), *above, (page_title, ""))


def done(
    request: Request, url: str, says: str = "", *, kind: str = "good", undo_url: str = ""
) -> Response:
    """Redirects after a POST (303) to a page that shows `says` once.

    `says` must be fixed text, never user input; `kind` is good or problem. `undo_url` gets a POST
    with only the CSRF token.
    """
    response = RedirectResponse(url, 303)
    if says:
        put_flash(response, site_of(request), signed_in(request), Flash(says, kind, undo_url))
    return response


def _nav(request: Request, member: Member, active: str) -> list[dict[str, Any]]:
    reads = site_of(request).reads()
    found = []
    for item in sorted(shell_of(request).nav, key=lambda each: each.order):
        url = nav_url(item, member)
        if url:
            badge = item.badge(reads) if member.role is not Role.HOST else ""
            found.append(
                {
                    "label": item.label,
                    "url": url,
                    "icon": item.icon,
                    "active": active in (item.url, url),
                    "badge": badge,
                }
            )
    return found


def nav_url(item: NavItem, member: Member) -> str:
    """Returns the address of this entry for this member; empty if they may not see it."""
    if member.role is not Role.HOST:
        return item.url
    first = min(member.events, default="")
    return item.for_host(first) if item.for_host and first else ""
