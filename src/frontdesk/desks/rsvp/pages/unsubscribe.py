"""Stops optional mail: by a button, or by one click in the mail program (RFC 8058)."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response

from frontdesk.desks.rsvp.commands import Unsubscribe
from frontdesk.desks.rsvp.pages.visit import Visit
from frontdesk.web.forms import Form


def show(visit: Visit) -> Response:
    out = visit.person.opted_out
    business = visit.site.renderer.branding.business_name
    return visit.page(
        "rsvp/unsubscribe.html",
        "You won't get these mails any more." if out else "Stop these mails?",
        out=out,
        lead=f"You still hear from {business} about the seats that you have or wait for."
        if out
        else f"You will still hear from {business} about the seats that you have or wait for.",
    )


async def act(visit: Visit, form: Form) -> Response | None:
    """Stops or resumes optional mail. A mail program's own post must not be redirected."""
    if form["List-Unsubscribe"] == "One-Click":
        await _opt(visit, out=True)
        return PlainTextResponse("You won't get these mails any more.")
    if form["do"] in ("stop", "again"):
        await _opt(visit, out=form["do"] == "stop")
    return None


async def _opt(visit: Visit, *, out: bool) -> None:
    await visit.run(Unsubscribe(visit.guest.id, out))
