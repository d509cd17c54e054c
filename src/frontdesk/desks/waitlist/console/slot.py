"""The page of one slot: state, offers, next in line, explanations and story."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import spoken_deadline, zone
from frontdesk.core.people import Person
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.console.board import card
from frontdesk.desks.waitlist.console.formatting import (
    OFFER_CHIPS,
    entry_chip,
    quiet_until,
    service_and_staff,
    time_range,
)
from frontdesk.desks.waitlist.console.page import (
    WAITLIST,
    me,
    person_url,
    slot_of,
    slot_url,
    waitlist_page,
    wl_of,
)
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Entry, EntryId, Offer, OfferState, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.slot_chain import followed_by
from frontdesk.desks.waitlist.story import MOST_FACTS, EntryNames, slot_story
from frontdesk.desks.waitlist.story_words import came_free
from frontdesk.desks.waitlist.why import explain
from frontdesk.engine.ports import Reads
from frontdesk.engine.stories import full_name
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.shell import staff
from frontdesk.web.console.timeline import steps
from frontdesk.web.live import Counts, live_answer
from frontdesk.web.site import site_of

NEXT: Final = 5
MOST_FOUND: Final = 20
MOST_SEARCH: Final = 100


def routes() -> list[BaseRoute]:
    path = f"{WAITLIST}/slots/{{slot}}"
    return [
        Route(path, staff(slot_page), methods=["GET"]),
        Route(f"{path}/live", staff(live_slot), methods=["GET"]),
    ]


async def slot_page(request: Request) -> Response:
    slot, wl, reads = slot_of(request), wl_of(request), site_of(request).reads()
    now, tz, names = site_of(request).clock.now(), zone(slot.rules.zone), EntryNames(reads)
    search = request.query_params.get("q", "").strip()[:MOST_SEARCH]
    again = followed_by(wl, slot)
    return waitlist_page(
        request,
        "slot.html",
        tab="Board",
        page_title=service_and_staff(slot),
        stamp=stamp(wl, slot, now),
        url=slot_url(slot.id),
        card=card(reads, names, slot, now, in_full=True),
        when=words.slot_when(slot),
        came_free=came_free(slot.origin),
        offers=[_offer_row(names, slot, one, now) for one in wl.offers(slot.id)],
        next=_next(wl, slot),
        is_open=slot.status is SlotStatus.OPEN,
        tries=slot.rules.tries,
        again_url=slot_url(again.id) if again else "",
        search=search,
        found=_why(reads, slot, search),
        story=steps(slot_story(reads, slot.id, tz), lambda at: exact_time(at, tz)),
    )


async def live_slot(request: Request) -> Response:
    slot_id, wl, clock = slot_of(request).id, wl_of(request), site_of(request).clock

    def counts() -> Counts:
        slot = wl.slot(slot_id)
        assert slot is not None, "slots are never deleted"
        return {"stamp": stamp(wl, slot, clock.now())}

    return await live_answer(request, counts, by=me(request).id)


def stamp(wl: WaitlistReads, slot: Slot, now: datetime) -> str:
    """A digest that changes with the facts, the next in line and the end of quiet hours."""
    facts = wl.facts(slot.id, limit=MOST_FACTS)
    is_open = slot.status is SlotStatus.OPEN
    line = [one.id for one in wl.candidates(slot, NEXT)] if is_open else []
    seen = (facts[-1].seq if facts else 0, line, quiet_until(slot, now) is None)
    return hashlib.blake2b(repr(seen).encode(), digest_size=8).hexdigest()


def _offer_row(names: EntryNames, slot: Slot, offer: Offer, now: datetime) -> dict[str, Any]:
    tz, person = zone(slot.rules.zone), names.person(offer.entry_id)
    return {
        "place": offer.seq,
        "name": names.of_entry(offer.entry_id),
        "url": _url_of(person),
        "chip": OFFER_CHIPS[offer.state],
        "more": _times(offer, tz, now),
    }


def _times(offer: Offer, tz: ZoneInfo, now: datetime) -> str:
    if offer.state is OfferState.LIVE and offer.claim_by:
        return f"Open {spoken_deadline(offer.claim_by, now, tz)}"
    if offer.ended_at:
        return time_range(offer.made_at, offer.ended_at, tz)
    return f"Since {exact_time(offer.made_at, tz)}"


def _url_of(person: Person | None) -> str:
    return person_url(person.id) if person and not person.erased else ""


def _next(wl: WaitlistReads, slot: Slot) -> list[dict[str, Any]]:
    """The first entries in line after the person who has the offer now."""
    if slot.status is not SlotStatus.OPEN:
        return []
    return [_in_line(wl, entry) for entry in wl.candidates(slot, NEXT)]


def _in_line(wl: WaitlistReads, entry: Entry) -> dict[str, Any]:
    person = wl.person(entry.person_id)
    return {
        "name": full_name(person),
        "url": _url_of(person),
        "more": "Comes first: priority" if entry.priority else "",
    }


def _why(reads: Reads, slot: Slot, search: str) -> list[dict[str, Any]] | None:
    """Explanations for everybody who matches the search; None without a search."""
    if not search:
        return None
    wl = waitlist(reads)
    people: list[Person] = reads.desk("fd").people(search, limit=MOST_FOUND)
    entries = [(person, entry) for person in people for entry in wl.entries_of(person.id)]
    return [_explained(wl, slot, person, entry) for person, entry in entries[:MOST_FOUND]]


def _explained(wl: WaitlistReads, slot: Slot, person: Person, entry: Entry) -> dict[str, Any]:
    found = explain(wl, slot.id, EntryId(entry.id))
    assert found is not None, "both are there"
    return {
        "name": full_name(person),
        "url": _url_of(person),
        "service": entry.service,
        "chip": entry_chip(entry),
        "why": found.sentence,
    }
