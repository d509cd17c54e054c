"""link-handler: the links in mails: cancel, claim, decline, confirm, unsubscribe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.aws.doors import Door
from frontdesk.aws.http import Answer, Payload
from frontdesk.aws.pages import Pages
from frontdesk.desks.rsvp.pages import LINKS
from frontdesk.desks.waitlist.links import Purpose
from frontdesk.web import links
from frontdesk.web.links import LinkHandler, Opened
from frontdesk.web.site import site_of


async def _to_the_other_door(request: Request, _opened: Opened) -> Response:
    settings = site_of(request).settings
    if settings.claims_at == settings.links_at:
        raise HTTPException(404)  # whoever has one address for both should not go in a circle
    return RedirectResponse(settings.claims_at + request.url.path, 307)


_ELSEWHERE: Final = LinkHandler(_to_the_other_door, _to_the_other_door)
_HANDLERS: Final[Mapping[int, LinkHandler]] = {
    **LINKS,
    **dict.fromkeys(map(int, Purpose), _ELSEWHERE),
}

pages = Pages(Door.LINKS, lambda _back: links.routes(_HANDLERS))


def handler(payload: Payload, _context: object) -> Answer:
    return pages.answer(payload)
