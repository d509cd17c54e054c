"""Tells the story of a booking and its request from their facts, to the second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import spoken_start
from frontdesk.core.mail import MailReceived
from frontdesk.core.occasions import Tone
from frontdesk.core.words import how_long
from frontdesk.desks.booking import facts as f
from frontdesk.desks.booking.calendar_file import staff_name
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus, GivenBy, Lane, RequestStatus
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.engine.stories import StoryLine, story_line

_Told = tuple[str, Tone | None]

_LANES: Final = {
    Lane.FORM: "on the booking page",
    Lane.READING: "by mail",
    Lane.DIRECT: "by mail",
    Lane.STAFF: "by staff",
    Lane.WAITLIST: "from the waitlist",
}


_GIVEN: Final[Mapping[str, str]] = {
    GivenBy.JSON: "by another program",
    GivenBy.CONSOLE: "by staff",
    GivenBy.COMMAND_LINE: "by staff, on the command line",
}


def booking_story(reads: Reads, booking: Booking, tz: ZoneInfo) -> tuple[StoryLine, ...]:
    """The story of a booking. Includes its request, unless the request was the booking itself."""
    bk = booking_reads(reads)
    facts = list(bk.facts(booking.id))
    if booking.request_id not in ("", booking.id):
        facts += bk.facts(booking.request_id)
    return tuple(line(reads, each, tz) for each in sorted(facts, key=lambda one: one.seq))


def line(reads: Reads, recorded: Recorded, tz: ZoneInfo) -> StoryLine:
    def told(fact: Fact) -> _Told:
        match fact:
            case f.BookingMade():
                return _booked(fact, tz, booking_reads(reads).rules())
            case f.BookingMoved():
                return _moved(fact, tz, booking_reads(reads).rules())
            case _:
                return WORDS[type(fact)](fact, tz)

    return story_line(reads, recorded, told)


def _booked(fact: f.BookingMade, tz: ZoneInfo, rules: BookingRules | None = None) -> _Told:
    booking = fact.booking
    given_by = fact.request.reader if fact.request else ""
    way = _GIVEN.get(given_by, _LANES[booking.lane])
    verb = "Requested" if booking.status is BookingStatus.PENDING else "Booked"
    text = f"{verb} {way}: {_what(booking, tz)}."
    if booking.anyone and booking.why_resource:
        chosen = rules.resource(booking.resources[0]) if rules else None
        name = chosen.name if chosen else booking.resources[0].capitalize()
        text += f" {name} was chosen: {booking.why_resource}."
    if booking.overrides:
        text += f" Staff knew: {', '.join(booking.overrides)}."
    waits = booking.status is not BookingStatus.CONFIRMED
    return text, Tone.WAITING if waits else Tone.GOOD


def _what(booking: Booking, tz: ZoneInfo) -> str:
    return f"{booking.service}, {spoken_start(booking.starts_at, tz)}"


def _moved(fact: f.BookingMoved, tz: ZoneInfo, rules: BookingRules | None = None) -> _Told:
    who = "Staff moved it" if fact.by_staff else "The customer moved it"
    before, after = (spoken_start(at, tz) for at in (fact.starts_at_before, fact.booking.starts_at))
    old, new = (
        staff_name(each, rules) if rules else ""
        for each in (fact.resources_before, fact.booking.resources)
    )
    if before == after:
        where = f"from {old} to {new}" if old and new and old != new else "to another place"
        return f"{who} {where} at the same time.", Tone.WAITING
    other = f", now with {new}" if new and old != new else ""
    return f"{who} from {before} to {after}{other}.", Tone.WAITING


def _reminder(fact: f.ReminderDue, _tz: ZoneInfo) -> _Told:
    before = how_long(timedelta(seconds=fact.seconds_before))
    return f"A reminder is due, {before} before.", None


def _trouble(fact: f.CalendarTroubled, _tz: ZoneInfo) -> _Told:
    return f"The calendar {fact.calendar} could not be written: {fact.why}", Tone.ENDING


def _request(fact: f.RequestFact, tz: ZoneInfo) -> _Told:
    """The line about a request, by its state at that time."""
    match fact.status:
        case RequestStatus.OPEN:
            proposed = fact.request.proposed if fact.request else ()
            times = "; ".join(spoken_start(one.starts_at, tz) for one in proposed)
            return f"The request was answered with times: {times}.", Tone.WAITING
        case RequestStatus.DRAFT:
            return "Staff were asked to check the request.", Tone.WAITING
        case RequestStatus.BOOKED:
            return "The request is answered by this booking.", Tone.GOOD
        case RequestStatus.FORWARDED:
            return "The mail was forwarded unread.", Tone.GOOD
        case RequestStatus.WAITLISTED:
            return "The request went to the waitlist.", Tone.GOOD
        case RequestStatus.DISCARDED:
            return "Staff discarded the request.", Tone.GONE


def _says(text: str, tone: Tone | None = None) -> Callable[[Any, ZoneInfo], _Told]:
    return lambda _fact, _tz: (text, tone)


WORDS: Final[Mapping[type[Fact], Callable[[Any, ZoneInfo], _Told]]] = {
    MailReceived: _says("A mail with a request came in.", Tone.WAITING),
    f.RequestReceived: _request,
    f.RequestChanged: _request,
    f.BookingMade: _booked,
    f.BookingConfirmed: _says("It is confirmed.", Tone.GOOD),
    f.BookingApproved: _says("It is approved.", Tone.GOOD),
    f.BookingMoved: _moved,
    f.BookingCancelled: _says("The customer cancelled.", Tone.GONE),
    f.BookingCancelledByStaff: _says("Staff cancelled it.", Tone.GONE),
    f.BookingMissed: _says("The customer did not come.", Tone.GONE),
    f.BookingDeclined: _says("Staff declined it.", Tone.GONE),
    f.BookingLapsed: _says("Nobody approved it in time.", Tone.GONE),
    f.BookingReleased: lambda fact, _tz: (f"The time was set free: {fact.why}", Tone.GONE),
    f.BookingEdited: _says("Name, contact or note was changed."),
    f.LinkAsked: _says("The customer asked for their link again."),
    f.ReminderDue: _reminder,
    f.CalendarWritten: _says("The calendar is up to date.", Tone.GOOD),
    f.CalendarTroubled: _trouble,
    f.CalendarRetried: _says("The calendar is written again."),
}
