"""Formats slots, offers and entries for staff: a label and a state for each, and short times."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.words import how_long
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.model import Entry, EntryStatus, OfferState, Slot, SlotStatus
from frontdesk.desks.waitlist.story_words import to_the_second
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.web.console.formatting import Chip, exact_time, short_date


def slot_chip(slot: Slot, now: datetime) -> Chip:
    match slot.status:
        case SlotStatus.BOOKED:
            return Chip("Booked", "good")
        case SlotStatus.HANDED_BACK:
            return Chip("Handed back", "gone")
        case SlotStatus.CANCELLED:
            return Chip("Cancelled", "gone")
        case SlotStatus.NO_SHOW:
            return Chip("Did not come", "gone")
        case SlotStatus.OPEN if slot.live:
            return Chip("On offer", "ending")
        case SlotStatus.OPEN if slot.offer_seq:
            return Chip("Held" if quiet_until(slot, now) else "Going out", "waiting")
        case SlotStatus.OPEN if slot.nobody_fits:
            return Chip("Nobody fits", "gone")
        case SlotStatus.OPEN:
            return Chip("Looking", "waiting")
        case _:
            assert_never(slot.status)


def quiet_until(slot: Slot, now: datetime) -> datetime | None:
    """The end of the current quiet hours, when a held offer may go out; None if there are
    none now."""
    at = slot.rules.quiet.next_allowed(now, zone(slot.rules.zone))
    return at if at > now else None


OFFER_CHIPS: Final = {
    OfferState.PENDING: Chip("Not out yet", "waiting"),
    OfferState.LIVE: Chip("Open", "ending"),
    OfferState.CLAIMED: Chip("Claimed", "good"),
    OfferState.DECLINED: Chip("Can't make it", "gone"),
    OfferState.EXPIRED: Chip("No answer", "gone"),
    OfferState.WITHDRAWN: Chip("Taken back", "gone"),
    OfferState.UNREACHABLE: Chip("Not reached", "gone"),
}

ENTRY_CHIPS: Final = {
    EntryStatus.WAITING: Chip("Waiting", "waiting"),
    EntryStatus.BOOKED: Chip("Booked", "good"),
    EntryStatus.LEFT: Chip("Left", "gone"),
    EntryStatus.STOPPED: Chip("Wants no offers", "gone"),
    EntryStatus.EXPIRED: Chip("Dates passed", "gone"),
}


def entry_chip(entry: Entry) -> Chip:
    return ENTRY_CHIPS[entry.status]


# --- words ----------------------------------------------------------------------------------


def service_and_staff(slot: Slot) -> str:
    """'Cut and colour with Mia'."""
    return f"{slot.opening.service} {words.with_staff(slot.opening)}".strip()


def details(slot: Slot, catalogue: Catalogue) -> str:
    """'2 hours · 2 places · S$120.00'."""
    opening = slot.opening
    parts = [how_long(opening.duration)]
    if opening.capacity > 1:
        parts.append(f"{opening.capacity} places")
    if opening.price_cents:
        parts.append(catalogue.price(opening.price_cents))
    return " · ".join(parts)


def short_day(on: date, today: date) -> str:
    """'Today', 'Tomorrow', or 'Fri 20 Nov'."""
    if on == today:
        return "Today"
    if on == today + timedelta(days=1):
        return "Tomorrow"
    return short_date(on)


def when(slot: Slot, now: datetime) -> str:
    """'Today, 15:00'."""
    tz = zone(slot.rules.zone)
    wall = to_wall(slot.opening.starts_at, tz)
    return f"{short_day(wall.date(), to_wall(now, tz).date())}, {wall:%H:%M}"


def time_range(since: datetime, until: datetime, tz: ZoneInfo) -> str:
    """'Mon 16 Nov, 15:04:09 to 15:14:09'."""
    same_day = to_wall(since, tz).date() == to_wall(until, tz).date()
    end = to_the_second(until, tz) if same_day else exact_time(until, tz)
    return f"{exact_time(since, tz)} to {end}"
