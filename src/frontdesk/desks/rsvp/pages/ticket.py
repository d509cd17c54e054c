"""Shows the code for the door."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from frontdesk.desks.rsvp.model import State
from frontdesk.desks.rsvp.pages import status_texts
from frontdesk.desks.rsvp.pages.visit import Visit
from frontdesk.web.forms import Form
from frontdesk.web.sessions import member_of


def show(visit: Visit) -> Response:
    """Shows a QR code of this page's address. Staff who open it are redirected to the check-in
    page."""
    door = f"/console/door/{visit.path.rpartition('/')[2]}"
    if "code" not in visit.request.query_params and member_of(visit.request) is not None:
        return RedirectResponse(door, 303)
    now = status_texts.of(visit)
    coming = visit.guest.state is State.CONFIRMED and not visit.is_off
    address = f"{visit.site.settings.links_at}{visit.path}"
    return visit.page(
        "rsvp/ticket.html",
        "Your code for the door" if coming else now.title,
        lead=now.lead,
        tone=now.tone.value,
        code=_code(address) if coming else "",
        who=visit.person.name,
        event_url=visit.event_url,
        door=door,
    )


def _code(address: str) -> str:
    """Draws the QR code. Imports the library on first use, since few requests need it."""
    import segno

    drawn: str = segno.make(address, error="m").svg_data_uri(border=0, omitsize=True)
    return drawn


async def act(_visit: Visit, _form: Form) -> None:
    """Does nothing; staff check guests in from the console."""
