"""Finds the event or guest of a request, and renders pages in the event's frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.members import Member
from frontdesk.core.people import Person
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.console.formatting import event_chip
from frontdesk.desks.rsvp.facts import GuestArrived
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import (
    Event,
    EventId,
    EventState,
    Guest,
    GuestId,
    State,
    as_signed_up,
)
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.values import Frozen
from frontdesk.web.console.shell import console_page, signed_in, tabs
from frontdesk.web.site import or_404, site_of

EVENTS: Final = "/console/events"


class ListedGuest(Frozen):
    """A guest with their event and person."""

    event: Event
    guest: Guest
    person: Person

    @property
    def url(self) -> str:
        return f"{EVENTS}/{self.event.id}/guests/{self.guest.id}"


def ev_of(request: Request) -> RsvpReads:
    return rsvp(site_of(request).reads())


def member(request: Request) -> Member:
    return signed_in(request).member


def event_url(event_id: str) -> str:
    return f"{EVENTS}/{event_id}"


def event_of(request: Request) -> Event:
    return or_404(ev_of(request).event(EventId(request.path_params["event"])))


def guest_of(request: Request) -> ListedGuest:
    """Returns the guest in the URL; raises 404 unless they are on the list of the event in it."""
    event, ev = event_of(request), ev_of(request)
    guest = ev.guest(GuestId(request.path_params["guest"]))
    if guest is None or guest.event_id != event.id:
        raise HTTPException(404)
    person = ev.person(guest.person_id)
    assert person is not None, "a guest is a person"
    return ListedGuest(event, guest, as_signed_up(guest, person))


def event_page(
    request: Request,
    template: str,
    event: Event,
    *,
    tab: str,
    page_title: str = "",
    above: Sequence[tuple[str, str]] = (),
    status: int = 200,
    **values: Any,
) -> Response:
    """Renders a page about one event, with its tabs. `tab` is the label of the open one.

    A template name without a folder belongs to this desk. `above` are crumbs between the tab and a
    page below it.
    """
    url, now = event_url(event.id), site_of(request).clock.now()
    what = words.occasion(event.details)
    title = page_title or tab
    return console_page(
        request,
        template if "/" in template else f"rsvp/console/{template}",
        page_title=f"{title} · {what.name}",
        active=EVENTS,
        crumbs=(("Events", EVENTS), (what.name, url), *_crumbs(url, tab, page_title, above)),
        status=status,
        event=event,
        what=what,
        url=url,
        frame="rsvp/console/frame.html",
        tabs=_tabs(event, tab),
        tabs_label="This event",
        state_chip=event_chip(event, now),
        can_join=event.state is EventState.OPEN and now < event.details.starts_at,
        **values,
    )


def _crumbs(
    url: str, tab: str, page_title: str, above: Sequence[tuple[str, str]]
) -> Sequence[tuple[str, str]]:
    """Returns the crumbs of pages below a tab and of pages without a tab."""
    if page_title:
        return (tab, f"{url}/{tab.lower()}"), *above, (page_title, "")
    return () if tab in ("Overview", *_TABS) else ((tab, ""),)


_TABS: Final = ("Guests", "Line", "Door", "Import", "Story")


def _tabs(event: Event, active: str) -> list[dict[str, Any]]:
    url = event_url(event.id)
    items = (("Overview", url), *((tab, f"{url}/{tab.lower()}") for tab in _TABS))
    return tabs(items, active, {"Line": str(event.seats.waiting)})


# --- guests ---------------------------------------------------------------------------------

EXPECTED: Final = frozenset({State.CONFIRMED})
#: The length of a page of rows. It is large, because each page sorts the whole list again.
_PAGE: Final = 10_000


def arrived_at(ev: RsvpReads, guest: Guest) -> datetime | None:
    """Returns when a guest was last checked in; None if they are not here."""
    if not guest.arrived:
        return None
    facts = ev.facts(guest.event_id, about=guest.id, limit=10_000)
    return next((one.at for one in reversed(facts) if isinstance(one.fact, GuestArrived)), None)


def all_rows(
    ev: RsvpReads, event_id: EventId, states: frozenset[State] | None, search: str, order: str
) -> Iterator[GuestRow]:
    """Yields every guest of a list page by page, so that a large list is never in memory as a
    whole."""
    offset = 0
    while page := ev.guest_rows(
        event_id, states=states, search=search, order=order, limit=_PAGE, offset=offset
    ):
        yield from page
        offset += len(page)
