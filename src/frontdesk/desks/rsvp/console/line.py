"""Shows the line in order: open offers, who is next, and who was passed over and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.desks.rsvp.console.formatting import event_zone, party
from frontdesk.desks.rsvp.console.live import headcount, stamp
from frontdesk.desks.rsvp.console.overview import MOST_IN_LINE, line_of, offer_cards
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url
from frontdesk.desks.rsvp.console.why import too_large, why_nobody
from frontdesk.desks.rsvp.facts import PartyPassedOver
from frontdesk.desks.rsvp.load import larger_than_the_event
from frontdesk.desks.rsvp.model import Event, State
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.engine.stories import full_name
from frontdesk.web.console.formatting import short_time
from frontdesk.web.console.lists import ListQuery, page_number, pager
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

MOST_OFFERS: Final = 60
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


def routes() -> list[BaseRoute]:
    path = f"{EVENTS}/{{event}}/line"
    return [Route(path, staff(line_page, event_param="event"), methods=["GET"])]


async def line_page(request: Request) -> Response:
    event, ev, now = event_of(request), ev_of(request), site_of(request).clock.now()
    query = ListQuery(path=f"{event_url(event.id)}/line", page=page_number(request))
    first = query.offset
    rows = ev.guest_rows(
        event.id,
        states=frozenset({State.WAITING}),
        order="line",
        limit=query.per_page,
        offset=first,
    )
    passed = _passed_over(ev, event, now) if any(row.guest.party > 1 for row in rows) else {}
    return event_page(
        request,
        "line.html",
        event,
        tab="Line",
        stamp=stamp(ev, event, headcount(ev, event)),
        offers=offer_cards(ev, event, now, MOST_OFFERS),
        rows=[_row(event, row, first + n, passed) for n, row in enumerate(rows, start=1)],
        why=why_nobody(event, line_of(ev, event), now),
        too_large=too_large(event, len(larger_than_the_event(ev, event, MOST_IN_LINE)), now),
        pages=pager(query, len(rows), event.seats.waiting),
        can_give=now < event.details.starts_at,
    )


def _passed_over(ev: RsvpReads, event: Event, now: datetime) -> dict[str, PartyPassedOver]:
    """Returns the latest fact for each guest who was passed over."""
    until = now + timedelta(days=1)
    facts = ev.facts_between(event.id, PartyPassedOver.kind, _LONG_AGO, until)
    return {one.fact.guest_id: one.fact for one in facts if isinstance(one.fact, PartyPassedOver)}


def _row(
    event: Event, row: GuestRow, place: int, passed: dict[str, PartyPassedOver]
) -> dict[str, Any]:
    guest = row.guest
    return {
        "place": place,
        "name": full_name(row.person),
        "more": f"{party(guest.party)}, since {short_time(guest.joined_at, event_zone(event))}",
        "url": f"{event_url(event.id)}/guests/{guest.id}",
        "notes": _notes(event, row, passed),
        "fits": event.seats.free >= guest.party,
    }


def _notes(event: Event, row: GuestRow, passed: dict[str, PartyPassedOver]) -> list[str]:
    guest, notes = row.guest, []
    if guest.lapsed:
        notes.append("Let an offer lapse")
    elif guest.seen >= event.seats.round and guest.seq:
        notes.append("Passed the last offer on")
    if over := passed.get(guest.id):
        notes.append(f"Passed over: {over.party} needed, {over.free} free")
    if guest.party > event.seats.cap:
        notes.append("Larger than the event")
    return notes
