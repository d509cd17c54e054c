"""The script with which a business puts the booking page on its own site."""

from __future__ import annotations

from typing import Final

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.desks.booking.pages.addresses import EMBED_PATH, service_path
from frontdesk.values import Frozen
from frontdesk.web.app import NOT_SNIFFED
from frontdesk.web.site import site_of

SCRIPT_PATH: Final = "/book/embed.js"
FRAME_HEIGHT: Final = 1_400
#: Browsers ask again after an hour, so that an update reaches all sites.
_HEADERS: Final = {
    "cache-control": "public, max-age=3600",
    "cross-origin-resource-policy": "cross-origin",
    **NOT_SNIFFED,
}


async def script(request: Request) -> Response:
    """Sends the script. It inserts a frame whose height follows the page inside."""
    source = site_of(request).renderer.templates.get_template("booking/embed.js").render()
    return Response(source, media_type="text/javascript; charset=utf-8", headers=_HEADERS)


class Snippets(Frozen):
    """HTML to copy. The frame is for sites that allow no scripts; its height is fixed."""

    script: str
    frame: str


def snippets(base_url: str, service: str = "") -> Snippets:
    """The HTML that owners copy to their own site, for one service or for all."""
    page = service_path(service, embedded=True) if service else EMBED_PATH
    part = page.removeprefix(EMBED_PATH)
    chosen = f' data-page="{escape(part)}"' if part else ""
    return Snippets(
        script=f'<script src="{escape(base_url)}{SCRIPT_PATH}"{chosen} async></script>',
        frame=(
            f'<iframe src="{escape(base_url + page)}" title="Book an appointment" width="100%"'
            f' height="{FRAME_HEIGHT}" style="border:0" loading="lazy"></iframe>'
        ),
    )
