"""The booking desk's cards on Today, and a person's bookings on their page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.localtime import spoken_deadline, to_wall, zone
from frontdesk.core.people import Person
from frontdesk.core.words import count
from frontdesk.desks.booking.console.formatting import CHIPS, customer, day_and_time, staff_name
from frontdesk.desks.booking.console.page import BOOKINGS, MOST_WAITING, booking_url
from frontdesk.desks.booking.documents import view
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus, RequestStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.engine.ports import Reads
from frontdesk.features.documents.console import mistakes_card
from frontdesk.web.console.sections import PersonPlace, TodayCard

#: How far ahead to look for bookings that are not in their calendar.
_AHEAD: Final = timedelta(days=60)
#: A booking whose approval lapses within this time is urgent.
_SOON: Final = timedelta(hours=2)


def cards(reads: Reads, now: datetime) -> Sequence[TodayCard]:
    bk = booking_reads(reads)
    rules = bk.rules()
    about_rules = list(mistakes_card(view(reads).document, "bookings", f"{BOOKINGS}/rules"))
    if not rules.services:
        return about_rules
    coming = [one for one in bk.bookings_between(now, now + _AHEAD) if one.takes_time]
    return [
        *about_rules,
        *_to_approve(bk, rules, now),
        *_drafts(bk),
        *_not_in_calendar(coming, rules),
        *_today(coming, rules, now),
    ]


def _to_approve(bk: BookingReads, rules: BookingRules, now: datetime) -> Iterator[TodayCard]:
    tz = zone(rules.zone)
    for one in bk.bookings_in(BookingStatus.PENDING, MOST_WAITING):
        until = f" It is held {spoken_deadline(one.decide_by, now, tz)}." if one.decide_by else ""
        yield TodayCard(
            title=f"{customer(one)}: {one.service}",
            text=f"{day_and_time(one, tz)}.{until}",
            url=booking_url(one.id),
            button="Approve or decline",
            icon="bookings",
            chip="Needs approval",
            state="ending" if one.decide_by and one.decide_by - now < _SOON else "waiting",
            at=one.decide_by,
        )


def _drafts(bk: BookingReads) -> Iterator[TodayCard]:
    if n := len(bk.requests(RequestStatus.DRAFT, MOST_WAITING)):
        yield TodayCard(
            title=f"{count(n, 'booking request')} to check",
            text="Sent by mail, and we are not sure that we read everything right.",
            url=f"{BOOKINGS}/requests",
            button="Check the request" if n == 1 else "Check the requests",
            icon="bookings",
            chip="Draft",
            state="waiting",
        )


def _not_in_calendar(coming: Sequence[Booking], rules: BookingRules) -> Iterator[TodayCard]:
    tz = zone(rules.zone)
    for one in coming:
        late = [link.calendar for link in one.calendars if link.written_sequence < one.sequence]
        if one.status is BookingStatus.CONFIRMED and late:
            yield TodayCard(
                title=f"Not in the calendar {late[0]} yet",
                text=f"{customer(one)}: {one.service}, {day_and_time(one, tz)}.",
                url=booking_url(one.id),
                button="See the booking",
                icon="alert",
                chip="Calendar",
                state="ending",
                at=one.starts_at,
            )


def _today(coming: Sequence[Booking], rules: BookingRules, now: datetime) -> Iterator[TodayCard]:
    tz = zone(rules.zone)
    today = to_wall(now, tz).date()
    left = [one for one in coming if to_wall(one.starts_at, tz).date() == today]
    if not left:
        return
    first = left[0]
    person = staff_name(rules, first)
    who = f" with {person}" if person else ""
    yield TodayCard(
        title=f"{count(len(left), 'booking')} still to come today",
        text=f"Next: {customer(first)}, {first.service}{who}, {day_and_time(first, tz)}.",
        url=BOOKINGS,
        button="See the day",
        icon="bookings",
        needs_you=False,
        at=first.starts_at,
    )


def places(reads: Reads, person: Person) -> Sequence[PersonPlace]:
    """A person's bookings, with the data for their export."""
    bk = booking_reads(reads)
    tz = zone(bk.rules().zone)
    return [
        PersonPlace(
            desk="Bookings",
            title=f"{one.service}, {day_and_time(one, tz)}",
            url=booking_url(one.id),
            word=CHIPS[one.status].word,
            state=CHIPS[one.status].state,
            about=one.id,
            data={
                "service": one.service,
                "starts_at": one.starts_at.isoformat(),
                "ends_at": one.ends_at.isoformat(),
                "party": one.party,
                "state": one.status.value,
                "answers": dict(one.answers),
                "note": one.note,
            },
        )
        for one in bk.bookings_of(person.id)
    ]
