"""Shows a guest their own page, the code for the door, and the page that stops optional mail."""

from __future__ import annotations

from typing import Any

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from frontdesk.core.ics import Method
from frontdesk.core.words import count
from frontdesk.desks.rsvp.calendar_file import Organizer, invitation
from frontdesk.desks.rsvp.commands import Cancel, ReduceParty, Unsubscribe
from frontdesk.desks.rsvp.decide.seats import whole_event
from frontdesk.desks.rsvp.model import Guest, State
from frontdesk.desks.rsvp.pages import status_texts
from frontdesk.desks.rsvp.pages.visit import Visit
from frontdesk.values import replace
from frontdesk.web.app import problem
from frontdesk.web.forms import Form, party_options
from frontdesk.web.links import calendar_file
from frontdesk.web.sessions import member_of


def show(visit: Visit) -> Response:
    """Shows the page, or the question of `?do=cancel` with one large button."""
    if visit.request.query_params.get("do") == "cancel" and _can_leave(visit):
        return visit.page(
            "rsvp/leave.html", _leave_question(visit.guest)["title"], **_question_values(visit)
        )
    now = status_texts.current_status(visit)
    return visit.page(
        "rsvp/manage.html",
        now.title,
        now.status,
        lead=now.lead,
        tone=now.tone.value,
        take=now.take,
        who=_who(visit),
        calendar=_has_file(visit),
        ticket=visit.links.ticket() if _has_file(visit) else "",
        smaller=_smaller_parties(visit),
        leave=_leave_question(visit.guest)["label"] if _can_leave(visit) else "",
        event_url=visit.event_url,
        again=visit.is_open and visit.guest.state is State.CANCELLED,
    )


def _who(visit: Visit) -> str:
    name = visit.person.name or visit.person.email
    more = visit.guest.party - 1
    return name if more == 0 else f"{name} and {count(more, 'guest')}"


def _has_file(visit: Visit) -> bool:
    """Whether the guest has a calendar file and a door code: only with a confirmed seat."""
    return visit.guest.state is State.CONFIRMED and not visit.is_off


def _can_leave(visit: Visit) -> bool:
    return visit.is_open and visit.guest.state is not State.CANCELLED


def _smaller_parties(visit: Visit) -> tuple[tuple[str, str], ...]:
    """Returns the smaller parties to choose from, down to one person. For guests without a seat,
    only parties for which the event is large enough."""
    fewer = visit.guest.party - 1
    if visit.guest.state is not State.CONFIRMED:
        fewer = min(fewer, whole_event(visit.event))
    return party_options(fewer) if fewer and _can_leave(visit) else ()


def _leave_question(guest: Guest) -> dict[str, str]:
    """Returns the question, the label of its button, and the way back."""
    match guest.state:
        case State.CONFIRMED if guest.party == 1:
            return _question("Give your seat back?", "Give my seat back", "Keep my seat")
        case State.CONFIRMED:
            seats = f"{guest.party} seats"
            title = f"Give your {seats} back?"
            return _question(title, f"Give my {seats} back", "Keep my seats")
        case State.PENDING | State.CANCELLED:
            return _question("Not coming?", "I can't come", "Back")
        case State.WAITING | State.OFFERED:
            return _question("Leave the line?", "Leave the line", "Keep my place")


def _question(title: str, label: str, keep: str) -> dict[str, str]:
    return {"title": title, "label": label, "keep": keep}


def _question_values(visit: Visit) -> dict[str, Any]:
    asks = _leave_question(visit.guest)
    return {"lead": _what_leaving_means(visit), "label": asks["label"], "keep": asks["keep"]}


def _what_leaving_means(visit: Visit) -> str:
    others = visit.event.seats.waiting > 0
    again = "If you sign up again, you join the line at the end."
    match visit.guest.state:
        case State.PENDING | State.CANCELLED:
            return "You won't hear from us about this event again."
        case State.CONFIRMED if others:
            return f"The next in line is asked at once. {again}"
        case State.CONFIRMED:
            one = visit.guest.party == 1
            return f"{'It is' if one else 'They are'} free for others then. You can't undo this."
        case State.WAITING:
            return f"You won't get an offer. {again}"
        case State.OFFERED:
            return f"You give up what is held for you. {again}"


async def act(visit: Visit, form: Form) -> Response | None:
    guest_id = visit.guest.id
    if form["do"] == "take_free":
        return await visit.take_free_seat()
    presses = {
        "cancel": Cancel(guest_id),
        "party": ReduceParty(guest_id, form.number("party", 0) or 0),
    }
    await visit.run(presses.get(form["do"]))
    return None


def calendar(visit: Visit) -> Response:
    if not _has_file(visit):
        return problem(
            visit.request,
            404,
            "There is no calendar file.",
            "Only a confirmed seat has one. Your own page says where you stand.",
            (visit.path, "See where you stand"),
            calm=True,
        )
    settings, look = visit.site.settings, visit.site.renderer.branding
    organizer = Organizer(look.business_name, settings.from_email, settings.base_url)
    file = invitation(
        organizer,
        visit.event,
        visit.guest,
        visit.person,
        method=Method.PUBLISH,
        now=visit.now,
    )
    return calendar_file(replace(file, url=visit.event_url or None), visit.event.slug)


def show_ticket(visit: Visit) -> Response:
    """Shows a QR code of this page's address. Staff who open it are redirected to the check-in
    page."""
    door = visit.site.open_url(f"/console/door/{visit.path.rpartition('/')[2]}")
    if door and "code" not in visit.request.query_params and member_of(visit.request) is not None:
        return RedirectResponse(door, 303)
    now = status_texts.current_status(visit)
    coming = visit.guest.state is State.CONFIRMED and not visit.is_off
    address = f"{visit.site.settings.links_at}{visit.path}"
    return visit.page(
        "rsvp/ticket.html",
        "Your code for the door" if coming else now.title,
        lead=now.lead,
        tone=now.tone.value,
        code=_qr_code(address) if coming else "",
        who=visit.person.name,
        event_url=visit.event_url,
        door=door,
    )


def _qr_code(address: str) -> str:
    """Draws the QR code. Imports the library on first use, because few requests need it."""
    import segno

    drawn: str = segno.make(address, error="m").svg_data_uri(border=0, omitsize=True)
    return drawn


async def act_on_ticket(_visit: Visit, _form: Form) -> None:
    """Does nothing, because staff check guests in from the console."""


def show_unsubscribe(visit: Visit) -> Response:
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


async def unsubscribe(visit: Visit, form: Form) -> Response | None:
    """Stops or resumes optional mail. A mail program posts without a browser, so it must not be
    redirected."""
    if form["List-Unsubscribe"] == "One-Click":
        await _set_opted_out(visit, out=True)
        return PlainTextResponse("You won't get these mails any more.")
    if form["do"] in ("stop", "again"):
        await _set_opted_out(visit, out=form["do"] == "stop")
    return None


async def _set_opted_out(visit: Visit, *, out: bool) -> None:
    await visit.run(Unsubscribe(visit.guest.id, out))
