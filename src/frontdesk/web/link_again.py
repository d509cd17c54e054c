"""'Send me my link', for people who lost our mail. The answer never tells who is known."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.contacts import BadContact
from frontdesk.errors import Busy
from frontdesk.logs import log
from frontdesk.values import Frozen
from frontdesk.web.forms import read_form
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, site_of

#: A honeypot: people do not see this field, robots fill it in.
TRAP: Final = "website"
#: The limit for one visitor. An office may share one address.
VISITOR_RATE: Final = Rate(burst=10, per_minute=4)
#: The limit for one contact, from any visitor: three messages at once, then one in 20 minutes.
CONTACT_RATE: Final = Rate(burst=3, per_minute=0.05)

Send = Callable[[Site, str], Awaitable[None]]
"""Sends the links to the person with this contact; does nothing for a stranger."""


class LinkForm(Frozen, kw_only=True):
    """The texts of the page and the target of its form."""

    action: str
    lead: str
    """Tells the purpose of the link."""
    label: str = "E-mail"
    kind: str = "email"
    back: tuple[str, str]


def link_form(site: Site, form: LinkForm, typed: str = "", error: str = "") -> Response:
    return site.renderer.page(
        "link_again.html",
        site.clock.now(),
        status=422 if error else 200,
        page_title="Send me my link",
        form=form,
        typed=typed,
        error=error,
        asked=False,
    )


async def take_request(
    request: Request, form: LinkForm, clean: Callable[[str], str], send: Send
) -> Response:
    """Takes a request. The response time does not reveal whether the contact is known."""
    site = site_of(request)
    if not site.limits.take("link again by", _visitor(request), VISITOR_RATE):
        raise HTTPException(429)
    fields = await read_form(request)
    try:
        contact = clean(fields["contact"])
    except BadContact as bad:
        return link_form(site, form, fields["contact"], str(bad))
    answer = site.renderer.page(
        "link_again.html",
        site.clock.now(),
        page_title="Check your messages",
        form=form,
        asked=True,
    )
    if not fields[TRAP]:
        await site.unseen_work.run(partial(_send, site, contact, send))
    return answer


async def _send(site: Site, contact: str, send: Send) -> None:
    if not may_send(site, contact):
        return
    try:
        await send(site, contact)
    except Busy:
        log("link_again.busy")


def may_send(site: Site, contact: str) -> bool:
    """Limits messages to one contact: anybody can type somebody else's."""
    return site.limits.take("link again", contact, CONTACT_RATE)


def _visitor(request: Request) -> str:
    return request.client.host if request.client else ""
