"""Reads a guest's link and loads the rows that its page needs."""

from __future__ import annotations

from typing import Any, Final, assert_never

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.core.decision import Command, Refused
from frontdesk.core.people import Person
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.calendar_file import event_url
from frontdesk.desks.rsvp.commands import TakeFreeSeat
from frontdesk.desks.rsvp.decide.seats import seat_is_free
from frontdesk.desks.rsvp.links import (
    GuestLink,
    GuestLinks,
    LinkExpired,
    LinkOutdated,
    NotOurs,
    read_guest_link,
)
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event, EventState, Guest, GuestId, State, as_signed_up
from frontdesk.desks.rsvp.pages.event_page import occasion_values
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.web.links import LinkVisit, OpenedLink, link_expired, link_outdated
from frontdesk.web.site import site_of

#: A query value in the address after a press that came too late.
TOO_LATE: Final = "too-late"


class Visit(LinkVisit, kw_only=True):
    """The current rows for one opened link."""

    ev: RsvpReads
    link: GuestLink
    event: Event
    guest: Guest
    person: Person

    @property
    def is_open(self) -> bool:
        """Whether seats can still change hands."""
        return not self.is_off and self.now < self.event.details.starts_at

    @property
    def is_off(self) -> bool:
        return self.event.state is EventState.CALLED_OFF

    @property
    def place(self) -> int:
        return self.ev.position(self.guest) if self.guest.state is State.WAITING else 0

    @property
    def seat_is_free(self) -> bool:
        """Whether there is room for the whole party and nobody in line is owed it."""
        return self.is_open and seat_is_free(self.event.seats, self.guest.party)

    @property
    def is_too_late(self) -> bool:
        """Whether the guest has just pressed for a free seat that somebody else got first."""
        return self.request.query_params.get("then") == TOO_LATE

    @property
    def links(self) -> GuestLinks:
        return GuestLinks(
            self.site.settings.links_at,
            self.site.keys,
            self.guest.id,
            self.person.contact_version,
            self.event.details,
        )

    @property
    def event_url(self) -> str:
        """The page of the event; empty if the desk is switched off."""
        return self.site.open_url(event_url(self.site.settings.base_url, self.event))

    async def run(self, command: Command | None) -> None:
        """Runs the command and ignores its outcome, because the page then shows the
        current state."""
        if command is not None:
            await self.run_as(self.guest.id, command)

    async def take_free_seat(self) -> Response | None:
        """Takes a free seat. If somebody else was first, the page says so."""
        outcome = await self.run_as(self.guest.id, TakeFreeSeat(self.guest.id))
        if isinstance(outcome, Refused) and outcome.reason is Reason.FULL:
            return RedirectResponse(f"{self.path}?then={TOO_LATE}", 303)
        return None

    def page(self, template: str, title: str, status: int = 200, **values: Any) -> Response:
        shown = occasion_values(self.event)
        return super().page(template, title, status, **shown, **values)


def at_guest(request: Request, opened: OpenedLink) -> Visit | Response:
    site = site_of(request)
    ev, now = rsvp(site.reads()), site.clock.now()

    def contact_version(guest_id: GuestId) -> int | None:
        guest = ev.guest(guest_id)
        person = None if guest is None else ev.person(guest.person_id)
        return None if person is None or person.erased else person.contact_version

    match read_guest_link(opened.token, site.keys, now, contact_version):
        case GuestLink() as link:
            event, guest, person = _rows(ev, link.guest_id)
            return Visit(
                request=request,
                site=site,
                ev=ev,
                link=link,
                path=opened.path,
                event=event,
                guest=guest,
                person=person,
                now=now,
            )
        case LinkExpired(link):
            return _link_expired(request, _rows(ev, link.guest_id)[0])
        case LinkOutdated() | NotOurs():
            return _link_outdated(request)
        case never:
            assert_never(never)


def _rows(ev: RsvpReads, guest_id: GuestId) -> tuple[Event, Guest, Person]:
    """Returns the rows. They exist, because the link was just checked against them."""
    guest = ev.guest(guest_id)
    assert guest is not None
    event, person = ev.event(guest.event_id), ev.person(guest.person_id)
    assert event is not None
    assert person is not None
    return event, guest, as_signed_up(guest, person)


def _link_expired(request: Request, event: Event) -> Response:
    what = words.occasion(event.details)
    to_event = (f"/e/{event.slug}", "To the event")
    return link_expired(request, f"It was for {what.name}, {what.when}.", to_event)


def _link_outdated(request: Request) -> Response:
    return link_outdated(
        request,
        None,
        "It was sent to an address that has changed since, or the place has been given up for"
        " good. Your latest mail from us has the link that works. You can ask for a new one on the"
        " page of the event.",
    )
