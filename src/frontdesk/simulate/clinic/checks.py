"""Checks the invariants of a simulated year, and computes its figures."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

from frontdesk.core.localtime import spoken_date, to_wall, zone
from frontdesk.core.public_holidays import holidays_around
from frontdesk.core.sms import size
from frontdesk.cost.prices import price_list
from frontdesk.desks.booking.doctor import every_booking
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus, Lane
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import SlotStatus, figures
from frontdesk.doctor import check_up
from frontdesk.engine.ports import Reads
from frontdesk.simulate.clinic.scenario import Clinic
from frontdesk.store.sqlite.view import open_view
from frontdesk.wiring.one_machine import TABLES, data_file

_MANY: Final = 1_000_000
_COUNTRY: Final = "DE"
_REMINDERS: Final = "desk = 'ar' AND kind LIKE '%_reminder' AND state = 'sent'"


def problems_in(
    db: sqlite3.Connection, folder: Path, place: Clinic, now: datetime
) -> Iterator[str]:
    with open_view(data_file(folder), TABLES) as view:
        yield from check_up(view, now, served=False).problems
        bookings = list(every_booking(booking_reads(view.reads)))
        slots = waitlist(view.reads).slots(_MANY)
    yield from overlaps(bookings)
    for slot in slots:
        if slot.status is SlotStatus.OPEN and slot.opening.ends_at <= now:
            yield f"slot {slot.id} is over, and still open"
    yield from _late_messages(db, place)
    twice = db.execute(
        f"SELECT key, count(*) FROM fd_send WHERE {_REMINDERS} GROUP BY key, person_id"
        " HAVING count(*) > 1"
    )
    yield from (f"the reminder {key} went out {times} times" for key, times in twice)


def overlaps(bookings: Iterable[Booking]) -> Iterator[str]:
    """Yields bookings that one member of staff has at the same time."""
    by_staff: dict[str, list[Booking]] = {}
    for one in bookings:
        if one.status is BookingStatus.CONFIRMED:
            by_staff.setdefault(one.resources[0], []).append(one)
    for resource, theirs in by_staff.items():
        theirs.sort(key=lambda one: one.starts_at)
        for before, after in pairwise(theirs):
            if after.starts_at < before.ends_at:
                yield f"{resource} has {before.id} and {after.id} at the same time"


def _late_messages(db: sqlite3.Connection, place: Clinic) -> Iterator[str]:
    """Yields reminders and offers in quiet hours, and reminders on holidays."""
    tz, quiet = zone(place.zone), place.reminders.quiet
    found = db.execute(
        f"SELECT kind, sent_at FROM fd_send WHERE {_REMINDERS} OR kind = 'offer' AND state = 'sent'"
    )
    for kind, seconds in found:
        sent_at = datetime.fromtimestamp(seconds, UTC)
        on = to_wall(sent_at, tz).date()
        closed = holidays_around(place.reminders.country, place.reminders.region, on.year)
        is_reminder = kind != "offer"
        if is_reminder and (quiet.is_quiet(sent_at, tz) or on in closed):
            yield f"a {kind} went out at {to_wall(sent_at, tz)}, {spoken_date(sent_at, tz)}"
        if not is_reminder and to_wall(sent_at, tz).hour in (22, 23, 0, 1, 2, 3, 4, 5, 6):
            yield f"an offer went out at {to_wall(sent_at, tz)}"


# --- figures ----------------------------------------------------------------------------------


def figures_of(db: sqlite3.Connection, reads: Reads) -> dict[str, int]:
    bookings = list(every_booking(booking_reads(reads)))
    states = Counter(one.status for one in bookings)
    slots = figures(waitlist(reads).slots(_MANY))
    mails, texts, parts = _messages(db)
    return {
        "appointments": len(bookings),
        "cancelled": states[BookingStatus.CANCELLED],
        "no_shows": states[BookingStatus.NO_SHOW],
        "confirmed_by_patients": _count(db, "ar.confirmed"),
        "moved": _count(db, "bk.moved"),
        "freed": slots.freed,
        "refilled": sum(one.lane is Lane.WAITLIST for one in bookings),
        "seconds_to_fill": slots.seconds_to_fill // max(slots.filled, 1),
        "recovered_cents": slots.recovered_cents,
        "alerts_to_staff": _count(db, "ar.gap_alert"),
        "mails": mails,
        "texts": texts,
        "message_cost_cents": _cost_cents(mails, parts),
    }


def _count(db: sqlite3.Connection, kind: str) -> int:
    found: int = db.execute("SELECT count(*) FROM fd_fact WHERE kind = ?", (kind,)).fetchone()[0]
    return found


def _messages(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Returns the numbers of mails, of texts, and of the parts of texts."""
    mails = db.execute("SELECT count(*) FROM fd_message WHERE to_mobile = ''").fetchone()[0]
    texts = db.execute("SELECT text FROM fd_message WHERE to_mobile <> ''").fetchall()
    return mails, len(texts), sum(size(text).segments for (text,) in texts)


def _cost_cents(mails: int, parts: int) -> int:
    """The messages at the prices of AWS, in US cents."""
    prices = price_list().to(_COUNTRY).by_request
    usd = prices["ses.message"].of(mails) + prices["texts.part"].of(parts)
    return round(usd * 100)
