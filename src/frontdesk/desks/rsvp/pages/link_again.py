"""Lets a guest who has lost our mail ask for their link on the event's page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.contacts import clean_email
from frontdesk.desks.rsvp.commands import ResendLink
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event
from frontdesk.desks.rsvp.pages import event_page
from frontdesk.web.link_again import LinkForm, Send, link_form, take_request
from frontdesk.web.site import Site, site_of


async def show(request: Request) -> Response:
    site = site_of(request)
    event = event_page.find(site, request)
    if event is None:
        return event_page.no_such_event(request)
    return link_form(site, _form(event))


async def ask(request: Request) -> Response:
    event = event_page.find(site_of(request), request)
    if event is None:
        return event_page.no_such_event(request)
    return await take_request(request, _form(event), clean_email, _send_for(event))


def _form(event: Event) -> LinkForm:
    page = f"/e/{event.slug}"
    return LinkForm(
        action=f"{page}/link",
        lead=f"With it you see where you stand for {event.details.name}, answer an offer or cancel."
        " Give the address with which you signed up.",
        back=(page, "Back to the event"),
    )


def _send_for(event: Event) -> Send:
    async def send(site: Site, email: str) -> None:
        ev = rsvp(site.reads())
        person = ev.person_by_email(email)
        guest = None if person is None else ev.guest_of(event.id, person.id)
        if guest is not None:
            await site.run(ResendLink(guest.id, by_guest=True), by=f"guest:{guest.id}")

    return send
