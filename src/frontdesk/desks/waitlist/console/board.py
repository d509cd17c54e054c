"""The board with every slot from today on, and the page that tells what happened on a day."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, assert_never

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import (
    ENGLISH,
    parse_day,
    same_wall_time,
    spoken_day,
    spoken_deadline,
    spoken_time,
    to_wall,
    zone,
    zone_name,
)
from frontdesk.core.phones import shown
from frontdesk.core.words import count
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.console.formatting import (
    details,
    quiet_until,
    service_and_staff,
    slot_chip,
    when,
)
from frontdesk.desks.waitlist.console.page import (
    WAITLIST,
    me,
    open_requests,
    person_url,
    slot_url,
    waitlist_page,
    wl_of,
    zone_of,
)
from frontdesk.desks.waitlist.console.slot_actions import SlotAction, offer_actions, slot_actions
from frontdesk.desks.waitlist.facts import SlotHandedBack
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import (
    LONGEST_SLOT,
    EntryStatus,
    Offer,
    Slot,
    SlotId,
    SlotStatus,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.slot_chain import cancellation_of, followed_by
from frontdesk.desks.waitlist.story import MOST_FACTS, DayStory, EntryNames, day_story
from frontdesk.desks.waitlist.story_words import to_the_second
from frontdesk.engine.ports import Reads
from frontdesk.engine.stories import StoryLine
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import Chip, short_time
from frontdesk.web.console.lists import PageLink, number
from frontdesk.web.console.shell import staff
from frontdesk.web.console.timeline import steps
from frontdesk.web.live import Counts, live_answer
from frontdesk.web.site import site_of

AHEAD: Final = timedelta(days=120)
#: The most cards in each part of the board.
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
        "board.html",
        tab="Board",
        page_title="Board",
        stamp=stamp(wl, slots, now),
        says=_card_line(slots),
        parts=_parts(site.reads(), slots, now),
        first_step="" if slots else _first_step(wl),
    )


async def live_board(request: Request) -> Response:
    site, wl = site_of(request), wl_of(request)

    def counts() -> Counts:
        now = site.clock.now()
        slots = on_board(wl, now)
        return {"stamp": stamp(wl, slots, now), "says": _card_line(slots)}

    return await live_answer(request, counts, by=me(request).id)


def on_board(wl: WaitlistReads, now: datetime) -> list[Slot]:
    """Slots from today on, and those since last night that are not over."""
    tz = zone(wl.rules().zone)
    midnight = same_wall_time(to_wall(now, tz).date(), time(), tz)
    return [
        slot
        for slot in wl.slots_between(midnight - LONGEST_SLOT, now + AHEAD)
        if midnight <= slot.opening.starts_at or now < slot.ends_at
        if _is_shown(wl, slot, now)
    ]


def _is_shown(wl: WaitlistReads, slot: Slot, now: datetime) -> bool:
    """Leaves out slots that have ended, and handed-back ones that cannot be offered again."""
    match slot.status:
        case SlotStatus.BOOKED:
            return True
        case SlotStatus.OPEN:
            return now < slot.opening.starts_at
        case SlotStatus.HANDED_BACK:
            return bool(slot_actions(wl, slot, now))
        case SlotStatus.CANCELLED | SlotStatus.NO_SHOW:
            return False
        case _:
            assert_never(slot.status)


def stamp(wl: WaitlistReads, slots: Sequence[Slot], now: datetime) -> str:
    """A digest that changes when the board may look different. An open page with another digest
    reloads."""
    seen = (
        [
            (
                one.id,
                one.status,
                one.offer_seq,
                one.live,
                one.nobody_fits,
                _time_dependent_parts(one, now),
            )
            for one in slots
        ],
        open_requests(wl),
    )
    return hashlib.blake2b(repr(seen).encode(), digest_size=8).hexdigest()


def _time_dependent_parts(slot: Slot, now: datetime) -> tuple[bool, bool]:
    """The parts of a card that change only with time."""
    return now < slot.opening.starts_at, quiet_until(slot, now) is None


def _card_line(slots: Sequence[Slot]) -> str:
    """Sums up the board in one sentence."""
    is_open = [one for one in slots if one.status is SlotStatus.OPEN]
    live = sum(one.live for one in is_open)
    booked = sum(one.status is SlotStatus.BOOKED for one in slots)
    if not slots:
        return "Nothing is free at the moment."
    return f"{len(is_open):,} open, {live:,} of them on offer; {booked:,} booked."


def _first_step(wl: WaitlistReads) -> str:
    """The next step for an empty board: services, people, or a slot."""
    if not wl.catalogue().services:
        return "services"
    return "slot" if wl.entries(status=EntryStatus.WAITING, limit=1) else "people"


# --- sections -------------------------------------------------------------------------------


class BoardSection(Frozen):
    """A section of the board. `left_out` is the number of cards that are not shown."""

    key: str
    title: str
    cards: tuple[SlotCard, ...]
    count: int
    none: str

    @property
    def left_out(self) -> int:
        return self.count - len(self.cards)


_PARTS: Final = (
    ("open", "Open slots", SlotStatus.OPEN, "No slot is open."),
    ("back", "Handed back to you", SlotStatus.HANDED_BACK, "Nothing was handed back."),
    ("booked", "Booked from the list", SlotStatus.BOOKED, "Nothing is booked from the list yet."),
)


def _parts(reads: Reads, slots: Sequence[Slot], now: datetime) -> list[BoardSection]:
    names, found = EntryNames(reads), []
    for key, title, status, none in _PARTS:
        of_it = [slot for slot in slots if slot.status is status]
        cards = tuple(card(reads, names, slot, now) for slot in of_it[:MOST])
        found.append(BoardSection(key, title, cards, len(of_it), none))
    return found


# --- a card ---------------------------------------------------------------------------------

FREED_AGAIN: Final = "What was left of the time was freed again."
CHANGED_ELSEWHERE: Final = "It was cancelled, moved or missed outside the waitlist."
GIVEN_AWAY: Final = "Staff gave it to somebody else."


class SlotCard(Frozen):
    url: str
    when: str
    what: str
    details: str
    chip: Chip
    who: str
    """The person who has the slot or its offer; empty if there is none."""
    who_url: str
    mobile: str
    mobile_shown: str
    deadline_iso: str
    deadline: str
    note: str
    acts: tuple[SlotAction, ...]


def card(
    reads: Reads, names: EntryNames, slot: Slot, now: datetime, *, in_full: bool = False
) -> SlotCard:
    """Builds a card. `in_full` adds the actions that answer for the person who has the offer."""
    wl = waitlist(reads)
    offer = wl.offer(slot.id, slot.offer_seq) if slot.offer_seq else None
    entry_id = offer.entry_id if offer else slot.booked_by
    person = names.person(entry_id) if entry_id else None
    who = names.of_entry(entry_id) if entry_id else ""
    mobile = person.mobile if person else ""
    claim_by = offer.claim_by if offer and slot.live else None
    return SlotCard(
        url=slot_url(slot.id),
        when=when(slot, now),
        what=service_and_staff(slot),
        details=details(slot, wl.catalogue()),
        chip=slot_chip(slot, now),
        who=who,
        who_url=person_url(person.id) if person and not person.erased else "",
        mobile=mobile,
        mobile_shown=shown(mobile) if mobile else "",
        deadline_iso=claim_by.isoformat() if claim_by else "",
        deadline=spoken_deadline(claim_by, now, zone(slot.rules.zone)) if claim_by else "",
        note=_note(wl, slot, offer, now),
        acts=(*(offer_actions(slot, who) if in_full else ()), *slot_actions(wl, slot, now)),
    )


def _note(wl: WaitlistReads, slot: Slot, offer: Offer | None, now: datetime) -> str:
    """A sentence about the state of the slot."""
    if slot.status is SlotStatus.BOOKED or slot.live:
        return ""
    if slot.status in (SlotStatus.CANCELLED, SlotStatus.NO_SHOW):
        following = followed_by(wl, slot)
        if following is None:
            fact = cancellation_of(wl, slot)
            is_quiet = fact is not None and fact.quietly
            return CHANGED_ELSEWHERE if is_quiet else "The time is not offered again."
        return GIVEN_AWAY if following.is_given else FREED_AGAIN
    if slot.status is SlotStatus.HANDED_BACK:
        back = hand_back_of(wl, slot)
        return words.handed_back(back.why, len(back.tried)) if back else ""
    if offer and (until := quiet_until(slot, now)):
        at = spoken_time(until, zone(slot.rules.zone))
        return f"Quiet hours: the offer goes out at {at}."
    if offer:
        return "The message is on its way. The time to answer starts when it is sent."
    if slot.nobody_fits:
        return "Nobody on the list suits it. It stays open for people who join in time."
    return "The next person is being looked for at this moment."


def hand_back_of(wl: WaitlistReads, slot: Slot) -> SlotHandedBack | None:
    facts = (recorded.fact for recorded in reversed(wl.facts(slot.id, limit=MOST_FACTS)))
    return next((fact for fact in facts if isinstance(fact, SlotHandedBack)), None)


DAY: Final = f"{WAITLIST}/day"
#: The most digits of a fact's number in the address.
_LONGEST: Final = 37
_DATE: Final = re.compile(r"[12]\d{3}-\d\d-\d\d", re.ASCII)


def day_routes() -> list[BaseRoute]:
    return [Route(DAY, staff(day_page), methods=["GET"])]


async def day_page(request: Request) -> Response:
    site, tz = site_of(request), zone_of(request)
    now = site.clock.now()
    today = to_wall(now, tz).date()
    on = asked_for(request.query_params.get("on", ""), today)
    after = number(request.query_params.get("after", ""), digits=_LONGEST)
    told = await run_in_threadpool(day_story, site.reads(), on, tz, after=after)
    return waitlist_page(
        request,
        "day.html",
        tab="Day",
        page_title="Day",
        date=f"{spoken_day(on)} {on.year}",
        on=on.isoformat(),
        zone=zone_name(now, tz),
        says=_day_line(told, is_today=on == today, is_part=after > 0),
        story=steps(
            told.lines,
            lambda at: to_the_second(at, tz),
            links=_slot_links(wl_of(request), told),
        ),
        earlier=_link(on - timedelta(days=1)),
        later=_link(on + timedelta(days=1)) if on < today else None,
        begins=_part(on) if after else "",
        goes_on=_part(on, told.goes_on_after) if told.goes_on_after else "",
    )


def asked_for(text: str, today: date) -> date:
    """Parses a day. For an invalid or future day, returns today."""
    try:
        found = parse_day(text) if _DATE.fullmatch(text) else today
    except ValueError:
        return today
    return min(found, today)


def _part(on: date, after: int = 0) -> str:
    return f"{DAY}?on={on.isoformat()}" + (f"&after={after}" if after else "")


def _link(on: date) -> tuple[str, str]:
    weekday, month = ENGLISH.weekdays[on.weekday()], ENGLISH.months[on.month - 1]
    return _part(on), f"{weekday} {on.day} {month}"


def _day_line(told: DayStory, *, is_today: bool, is_part: bool) -> str:
    things = count(len(told.lines), "thing")
    if is_part:
        return f"{things} of a long day."
    if told.goes_on_after:
        return f"The first {things} of a long day."
    if not told.lines:
        return "Nothing has happened yet." if is_today else "Nothing happened."
    return f"{things} happened."


def _slot_links(wl: WaitlistReads, told: DayStory) -> Callable[[StoryLine], Sequence[PageLink]]:
    """Links each line to its slot. Reads each slot only once."""
    found = {slot_id: wl.slot(SlotId(slot_id)) for line in told.lines if (slot_id := line.thing_id)}
    links = {slot_id: [_slot_link(slot)] for slot_id, slot in found.items() if slot}
    return lambda line: links.get(line.thing_id, [])


def _slot_link(slot: Slot) -> PageLink:
    starts_at = short_time(slot.opening.starts_at, zone(slot.rules.zone))
    return PageLink(f"{service_and_staff(slot)}, {starts_at}", slot_url(slot.id))
