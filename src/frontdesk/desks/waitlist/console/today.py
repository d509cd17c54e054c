"""The waitlist's cards on Today, and its entries on a person's page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import Person
from frontdesk.core.words import count
from frontdesk.desks.waitlist.console.board import (
    hand_back_of,
    on_board,
)
from frontdesk.desks.waitlist.console.formatting import entry_chip, service_and_staff, when
from frontdesk.desks.waitlist.console.page import WAITLIST, open_requests, slot_url
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import DocumentName, Entry, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import HandBack
from frontdesk.desks.waitlist.words import handed_back
from frontdesk.engine.ports import Reads
from frontdesk.web.console.sections import PersonPlace, TodayCard

MOST: Final = 20
#: So many services that people wait for are compared with those of the rules.
MOST_SERVICES: Final = 100
_YEAR: Final = timedelta(days=400)


def cards(reads: Reads, now: datetime) -> Sequence[TodayCard]:
    wl = waitlist(reads)
    slots = on_board(wl, now)
    return [
        *_returned_cards(wl, slots, now),
        *_unclear(wl),
        *_requests(wl),
        *_missing_services(wl),
        *_on_offer(slots),
    ]


def _returned_cards(wl: WaitlistReads, slots: Sequence[Slot], now: datetime) -> Iterator[TodayCard]:
    """Cards for today's slots that came back, unless staff took them back themselves."""
    today = to_wall(now, zone(wl.rules().zone)).date()
    back = [one for one in slots if one.status is SlotStatus.HANDED_BACK and one.on == today]
    for slot in back[:MOST]:
        fact = hand_back_of(wl, slot)
        if fact is None or fact.why in (HandBack.STAFF, HandBack.NOBODY_FITS):
            continue
        yield TodayCard(
            title=f"{when(slot, now)}: {service_and_staff(slot)}",
            text=handed_back(fact.why, len(fact.tried)),
            url=slot_url(slot.id),
            button="See the slot",
            icon="line",
            chip="Handed back",
            state="ending",
            at=slot.opening.starts_at,
        )


_PAPERS: Final = {
    DocumentName.RULES: ("The rules of the waitlist", f"{WAITLIST}/rules"),
    DocumentName.VOICE: ("The messages of the waitlist", f"{WAITLIST}/voice"),
}


def _unclear(wl: WaitlistReads) -> Iterator[TodayCard]:
    for name, (title, url) in _PAPERS.items():
        if not wl.document(name).is_good:
            yield TodayCard(
                title=f"{title} cannot be understood",
                text="The last good ones stay in force until they are put right.",
                url=url,
                button="Correct the document",
                icon="alert",
                chip="Unclear",
                state="ending",
            )


def _requests(wl: WaitlistReads) -> Iterator[TodayCard]:
    if n := open_requests(wl):
        yield TodayCard(
            title="1 waitlist request to approve"
            if n == "1"
            else f"{n} waitlist requests to approve",
            text="Sent by mail. A request joins the list once you approve it.",
            url=f"{WAITLIST}/requests",
            button="Review the request" if n == "1" else "Review the requests",
            icon="messages",
            state="ending",
        )


def _missing_services(wl: WaitlistReads) -> Iterator[TodayCard]:
    """A card for each service that people wait for and that was renamed or removed in the rules."""
    catalogue = wl.catalogue()
    waited_for = wl.services_waited_for(MOST_SERVICES) if catalogue.services else ()
    for name in catalogue.missing(waited_for)[:MOST]:
        people = count(wl.count_waiting(name), "person waits", "people wait")
        yield TodayCard(
            title=f"{people} for {name}, which is not a service now",
            text="Nothing that comes free is offered to them. Was it renamed? Then give them the"
            " service with the new name.",
            url=f"{WAITLIST}/services",
            button="Give them another service",
            icon="alert",
            state="waiting",
        )


def _on_offer(slots: Sequence[Slot]) -> Iterator[TodayCard]:
    """A card for open slots. It needs no action."""
    if looking := [one for one in slots if one.status is SlotStatus.OPEN]:
        yield TodayCard(
            title=f"{count(len(looking), 'open slot')}",
            text=f"{sum(one.live for one in looking):,} on offer at this moment.",
            url=WAITLIST,
            button="See the board",
            icon="hourglass",
            needs_you=False,
        )


# --- people ---------------------------------------------------------------------------------


def places(reads: Reads, person: Person) -> Sequence[PersonPlace]:
    return [_place(entry) for entry in waitlist(reads).entries_of(person.id)]


def _place(entry: Entry) -> PersonPlace:
    chip = entry_chip(entry)
    return PersonPlace(
        desk="wl",
        title=entry.service,
        url=f"{WAITLIST}/entries/{entry.id}",
        word=chip.word,
        state=chip.state,
        about=entry.id,
        data={
            "service": entry.service,
            "party": entry.party,
            "earliest_on": entry.earliest_on.isoformat(),
            "latest_on": entry.latest_on.isoformat(),
            "staff": entry.staff,
            "priority": entry.priority,
            "joined_at": entry.joined_at.isoformat(),
            "status": entry.status.value,
            "lane": entry.lane.value,
        },
    )


def count_upcoming(reads: Reads, now: datetime) -> tuple[int, str, str]:
    """Counts open and booked slots."""
    ahead = waitlist(reads).slots_between(now, now + _YEAR)
    slots = [one for one in ahead if one.status in (SlotStatus.OPEN, SlotStatus.BOOKED)]
    return len(slots), "slot of the waitlist", "slots of the waitlist"
