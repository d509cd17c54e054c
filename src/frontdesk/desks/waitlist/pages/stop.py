"""The page that stops all offers: by its button, or by one-click unsubscribe (RFC 8058)."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response

from frontdesk.desks.waitlist.commands import StopOffers
from frontdesk.desks.waitlist.pages import status_texts
from frontdesk.desks.waitlist.pages.visit import Visit
from frontdesk.web.forms import Form


def show(visit: Visit) -> Response:
    if visit.entry.wants_no_offers:
        now = status_texts.stopped(visit)
        return visit.page("waitlist/stop.html", now.title, lead=now.lead, stopped=True)
    business = visit.site.renderer.branding.business_name
    return visit.page(
        "waitlist/stop.html",
        "Stop all offers?",
        lead=f"You come off every waitlist of {business}. What you have booked stays yours.",
        stopped=False,
    )


async def act(visit: Visit, form: Form) -> Response | None:
    """Stops offers. A mail program posts by itself and must not be redirected."""
    by_program = form["List-Unsubscribe"] == "One-Click"
    if by_program or form["do"] == "stop":
        await visit.run(StopOffers(visit.person.id))
    return PlainTextResponse("You won't get offers any more.") if by_program else None
