"""The board: every slot of today and to come, who it is offered to, and what there is to do."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import same_wall_time, spoken_deadline, spoken_time, to_wall, zone
from frontdesk.core.phones import shown
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.console.acts import Act, acts_on, followed_by
from frontdesk.desks.waitlist.console.frame import (
    WAITLIST,
    me,
    open_requests,
    person_url,
    slot_url,
    waitlist_page,
    wl_of,
)
from frontdesk.desks.waitlist.console.looks import (
    Chip,
    details,
    quiet_until,
    slot_chip,
    what,
    when,
)
from frontdesk.desks.waitlist.facts import SlotHandedBack
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryStatus, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story import MOST_FACTS, Names
from frontdesk.engine.ports import Reads
from frontdesk.frozen import frozen
from frontdesk.web.console_shell import staff
from frontdesk.web.live import Counts, live_answer
from frontdesk.web.site import site_of

AHEAD: Final = timedelta(days=120)
#: In each part of the board; more than anybody looks at.
MOST: Final = 60


def routes() -> list[BaseRoute]:
    return [
        Route(WAITLIST, staff(board_page), methods=["GET"]),
        Route(f"{WAITLIST}/live", staff(live_board), methods=["GET"]),
    ]


async def board_page(request: Request) -> Response:
    site, wl = site_of(request), wl_of(request)
    now = site.clock.now()
    slots = on_board(wl, now)
    return waitlist_page(
        request,
        me(request),
        "board.html",
        tab="Board",
        page_title="Board",
        stamp=stamp(wl, slots, now),
        says=_says(slots),
        parts=_parts(site.reads(), slots, now),
        first_step="" if slots else _first_step(wl),
    )


async def live_board(request: Request) -> Response:
    site, wl = site_of(request), wl_of(request)

    def counts() -> Counts:
        now = site.clock.now()
        slots = on_board(wl, now)
        return {"stamp": stamp(wl, slots, now), "says": _says(slots)}

    return await live_answer(request, counts, by=me(request).id)


def on_board(wl: WaitlistReads, now: datetime) -> list[Slot]:
    """Today's and those to come. What came back is over once it begins, or is freed again."""
    tz = zone(wl.rules().zone)
    midnight = same_wall_time(to_wall(now, tz).date(), time(), tz)
    return [
        slot
        for slot in wl.slots_between(midnight, now + AHEAD)
        if slot.status is SlotStatus.BOOKED or now < slot.opening.starts_at
        if slot.status is not SlotStatus.HANDED_BACK or followed_by(wl, slot) is None
    ]


def stamp(wl: WaitlistReads, slots: Sequence[Slot], now: datetime) -> str:
    """Differs when something on the board may differ: a page with another one is out of date."""
    seen = (
        [
            (one.id, one.status, one.offer_seq, one.live, one.nobody_fits, _turns(one, now))
            for one in slots
        ],
        open_requests(wl),
    )
    return hashlib.blake2b(repr(seen).encode(), digest_size=8).hexdigest()


def _turns(slot: Slot, now: datetime) -> tuple[bool, bool]:
    """What becomes another with time alone."""
    return now < slot.opening.starts_at, quiet_until(slot, now) is None


def _says(slots: Sequence[Slot]) -> str:
    """How it stands, in one sentence."""
    is_open = [one for one in slots if one.status is SlotStatus.OPEN]
    live = sum(one.live for one in is_open)
    booked = sum(one.status is SlotStatus.BOOKED for one in slots)
    if not slots:
        return "Nothing is free at the moment."
    return f"{len(is_open):,} open, {live:,} of them on offer; {booked:,} booked."


def _first_step(wl: WaitlistReads) -> str:
    """What an empty board needs next: services, people, or a slot."""
    if not wl.shop().services:
        return "services"
    return "slot" if wl.entries(status=EntryStatus.WAITING, limit=1) else "people"


# --- cards ----------------------------------------------------------------------------------


@frozen
class Card:
    """One slot on the board."""

    url: str
    when: str
    what: str
    details: str
    chip: Chip
    who: str = ""
    who_url: str = ""
    mobile: str = ""
    mobile_shown: str = ""
    deadline_iso: str = ""
    deadline: str = ""
    note: str = ""
    acts: tuple[Act, ...] = ()


@frozen
class Part:
    """`key` names it on the page; `left_out` are too many to show."""

    key: str
    title: str
    cards: tuple[Card, ...]
    count: int
    none: str

    @property
    def left_out(self) -> int:
        return self.count - len(self.cards)


_PARTS: Final = (
    ("open", "Finding somebody", SlotStatus.OPEN, "No slot is looking for somebody."),
    ("back", "Yours again", SlotStatus.HANDED_BACK, "Nothing was handed back."),
    ("booked", "Booked from the list", SlotStatus.BOOKED, "Nothing is booked from the list yet."),
)


def _parts(reads: Reads, slots: Sequence[Slot], now: datetime) -> list[Part]:
    names, found = Names(reads), []
    for key, title, status, none in _PARTS:
        of_it = [slot for slot in slots if slot.status is status]
        cards = tuple(card(reads, names, slot, now) for slot in of_it[:MOST])
        found.append(Part(key, title, cards, len(of_it), none))
    return found


def card(reads: Reads, names: Names, slot: Slot, now: datetime) -> Card:
    wl = waitlist(reads)
    deadline_at, deadline, note = _standing(wl, slot, now)
    entry_id = _held_by(wl, slot)
    person = names.person(entry_id) if entry_id else None
    is_known = person is not None and not person.erased
    mobile = person.mobile if person and is_known else ""
    return Card(
        url=slot_url(slot.id),
        when=when(slot, now),
        what=what(slot),
        details=details(slot, wl.shop()),
        chip=Chip("Freed again", "gone") if _was_missed(wl, slot) else slot_chip(slot, now),
        who=names.of_entry(entry_id) if entry_id else "",
        who_url=person_url(person.id) if person and is_known else "",
        mobile=mobile,
        mobile_shown=shown(mobile) if mobile else "",
        deadline_iso=deadline_at.isoformat() if deadline_at else "",
        deadline=deadline,
        note=note,
        acts=acts_on(wl, slot, now),
    )


def _held_by(wl: WaitlistReads, slot: Slot) -> str:
    """The entry that has it, or has it on offer; nothing if nobody does."""
    if slot.booked_by:
        return slot.booked_by
    offer = wl.offer(slot.id, slot.offer_seq) if slot.offer_seq else None
    return offer.entry_id if offer else ""


def _was_missed(wl: WaitlistReads, slot: Slot) -> bool:
    return slot.status is SlotStatus.BOOKED and followed_by(wl, slot) is not None


def _standing(wl: WaitlistReads, slot: Slot, now: datetime) -> tuple[datetime | None, str, str]:
    """Until when somebody has time, that in words, and what else is to be said."""
    tz = zone(slot.rules.zone)
    if slot.status is SlotStatus.HANDED_BACK:
        return None, "", why_back(wl, slot)
    if slot.status is SlotStatus.BOOKED:
        return (
            None,
            "",
            "What was left of the time was freed again." if _was_missed(wl, slot) else "",
        )
    if slot.live:
        offer = wl.offer(slot.id, slot.offer_seq)
        claim_by = offer.claim_by if offer else None
        return claim_by, spoken_deadline(claim_by, now, tz) if claim_by else "", ""
    if slot.offer_seq and (until := quiet_until(slot, now)):
        return None, "", f"Quiet hours: the offer goes out at {spoken_time(until, tz)}."
    if slot.offer_seq:
        return None, "", "The message is on its way. The time to answer starts when it is sent."
    if slot.nobody_fits:
        return None, "", "Nobody on the list suits it. It stays open for who joins in time."
    return None, "", "The next person is being looked for at this moment."


def why_back(wl: WaitlistReads, slot: Slot) -> str:
    back = hand_back_of(wl, slot)
    return words.handed_back(back.why, len(back.tried)) if back else ""


def hand_back_of(wl: WaitlistReads, slot: Slot) -> SlotHandedBack | None:
    facts = (recorded.fact for recorded in reversed(wl.facts(slot.id, limit=MOST_FACTS)))
    return next((fact for fact in facts if isinstance(fact, SlotHandedBack)), None)
