"""Pages to sign in and out, by a mailed link or one printed at the start of the server."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import BadContact, clean_email
from frontdesk.core.decision import Refused
from frontdesk.core.members import Role
from frontdesk.desks.admin.commands import AskForSignIn, EndSession, SignIn
from frontdesk.desks.admin.desk import new_nonce
from frontdesk.desks.admin.links import SignInToken, read_sign_in
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reasons import Reason
from frontdesk.web.app import problem
from frontdesk.web.console.shell import refuse, signed_in, staff
from frontdesk.web.forms import Form, read_form
from frontdesk.web.limits import Rate
from frontdesk.web.sessions import (
    COOKIE,
    comes_from_us,
    device_of,
    drop_cookie,
    hash_of,
    new_session,
    put_cookie,
    put_session_cookie,
    read_cookie,
    safe_next,
    session_of,
)
from frontdesk.web.site import Site, site_of, visitor_of

NEXT_COOKIE: Final = "fd_next"
NEXT_LASTS: Final = timedelta(minutes=30)
ASKS: Final = Rate(burst=10, per_minute=4)
ASKS_FOR_ONE_ADDRESS: Final = Rate(burst=3, per_minute=0.2)
TRIES: Final = Rate(burst=30, per_minute=20)


def routes() -> list[BaseRoute]:
    return [
        Route("/sign-in", ask_page, methods=["GET"]),
        Route("/sign-in", ask, methods=["POST"]),
        Route("/sign-in/{token}", link_page, methods=["GET"]),
        Route("/sign-in/{token}", spend_link, methods=["POST"]),
        Route("/sign-out", staff(sign_out, role=Role.HOST), methods=["POST"]),
    ]


# --- asking for a link ----------------------------------------------------------------------


async def ask_page(request: Request) -> Response:
    then = safe_next(request.query_params.get("next", ""))
    if session_of(request):
        return RedirectResponse(then, 303)
    return _ask_page(request, then=then)


async def ask(request: Request) -> Response:
    """Answers everybody the same and equally fast, so that nobody learns who is in the team."""
    site, form = site_of(request), await read_form(request)
    if not comes_from_us(request):
        return _not_from_here(request)
    if not site.limits.take("sign-in", visitor_of(request), ASKS):
        return _too_many(request)
    then = safe_next(form["next"])
    try:
        email = clean_email(form["email"])
    except BadContact as bad:
        return _ask_page(request, form, str(bad), then=then)
    response = _page(request, "admin/sign_in_asked.html", "Check your email", email=email)
    put_cookie(response, site, NEXT_COOKIE, then, NEXT_LASTS)
    await site.unseen_work.run(partial(_send_link, site, email))
    return response


async def _send_link(site: Site, email: str) -> None:
    if site.limits.take("sign-in-to", email, ASKS_FOR_ONE_ADDRESS):
        await site.run(AskForSignIn(email, new_nonce()), by="guest")


def _ask_page(
    request: Request, form: Form | None = None, error: str = "", *, then: str
) -> Response:
    return _page(
        request,
        "admin/sign_in.html",
        "Sign in",
        status=422 if error else 200,
        email=form["email"] if form else "",
        error=error,
        then=then,
        is_local=site_of(request).settings.channel == "mailbox",
    )


# --- using a link ---------------------------------------------------------------------------


async def link_page(request: Request) -> Response:
    """Shows a button. Does not spend the link, because mail scanners open links, too."""
    said = _read(request)
    if isinstance(said, Response):
        return said
    link = admin(site_of(request).reads()).sign_in(said.member_id, said.nonce)
    if link is None:
        return _refused(request, Reason.UNKNOWN)
    if link.spent_at is not None:
        return _refused(request, Reason.LINK_SPENT)
    if said.expired:
        return _refused(request, Reason.LINK_EXPIRED)
    return _page(request, "admin/sign_in_link.html", "Sign in", path=request.url.path)


async def spend_link(request: Request) -> Response:
    if not comes_from_us(request):
        return _not_from_here(request)
    said = _read(request)
    if isinstance(said, Response):
        return said
    site, fresh = site_of(request), new_session()
    before = read_cookie(request, COOKIE)
    command = SignIn(
        said.member_id,
        said.nonce,
        fresh.token_hash,
        fresh.csrf,
        device_of(request),
        hash_of(before) if before else "",
    )
    outcome = await site.run(command, by=f"member:{said.member_id}")
    if isinstance(outcome, Refused):
        return _refused(request, Reason(outcome.reason))
    response = RedirectResponse(safe_next(read_cookie(request, NEXT_COOKIE)), 303)
    put_session_cookie(response, site, fresh)
    drop_cookie(response, site, NEXT_COOKIE)
    return response


async def sign_out(request: Request) -> Response:
    site, session = site_of(request), signed_in(request)
    await site.run(EndSession(session.token_hash), by=session.member.by)
    response = RedirectResponse("/sign-in", 303)
    drop_cookie(response, site, COOKIE)
    return response


def _read(request: Request) -> SignInToken | Response:
    site = site_of(request)
    if not site.limits.take("sign-in-link", visitor_of(request), TRIES):
        return _too_many(request)
    said = read_sign_in(request.path_params["token"], site.keys, site.clock.now())
    if said is None:
        site.bad_link()
        return problem(
            request,
            404,
            "This link is not complete.",
            "It may have been cut short when it was copied. You can ask for a new one.",
            ("/sign-in", "Ask for a new link"),
        )
    return said


def _refused(request: Request, reason: Reason) -> Response:
    """Says why the link does not work; lets somebody who is signed in already go on."""
    if session_of(request):
        return problem(
            request,
            200,
            "You are signed in.",
            "This link has done its work; you do not need it any more.",
            ("/console", "To the console"),
            calm=True,
        )
    happened = {
        Reason.LINK_SPENT: "This link was used already.",
        Reason.LINK_EXPIRED: "This link is too old.",
    }.get(reason, "This link does not work any more.")
    means = "A link lets you in once and for a short time. You can ask for a new one."
    return problem(request, 410, happened, means, ("/sign-in", "Ask for a new link"), calm=True)


def _page(
    request: Request, template: str, title: str, *, status: int = 200, **values: Any
) -> Response:
    site = site_of(request)
    return site.renderer.page(template, site.clock.now(), status=status, page_title=title, **values)


def _not_from_here(request: Request) -> Response:
    return refuse(
        request,
        "This did not come from our own page.",
        "Nothing was changed. Please open the link once more and press the button there.",
    )


def _too_many(request: Request) -> Response:
    return problem(
        request,
        429,
        "That was a lot at once.",
        "Please wait a minute, then try again.",
        calm=True,
    )
