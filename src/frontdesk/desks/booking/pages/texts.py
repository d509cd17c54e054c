"""Sentences of the customers' pages: prices, and the states of a booking."""

from __future__ import annotations

from datetime import datetime
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import spoken_deadline, spoken_start, zone
from frontdesk.core.occasions import Tone
from frontdesk.core.words import count, how_long
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.rules import Approval, BookingRules, ServiceRules
from frontdesk.values import Frozen


def party_text(number: int) -> str:
    return "Just me" if number == 1 else f"{number} of us"


UNREAD_PARTY: Final = "We could not read how many you are. Please choose again."


def no_such_staff(service: ServiceRules) -> str:
    return f"The person that you chose cannot be booked for {service.name}. Please choose again."


def no_such_service(shown: ServiceRules, sentence: str) -> str:
    return f"We found none of our services in “{sentence}”. These are times for {shown.name}."


def too_large(service: ServiceRules, party: int) -> str:
    """Says that the party is too large to book online. The page adds how to reach the business."""
    most = count(service.most, "person", "people")
    shown = f"these are times for {service.most}"
    return f"You can book online for at most {most}: {shown}. Are you {party:,}?"


def approval_text(service: ServiceRules) -> str:
    """Tells the customer before booking that staff must approve it."""
    match service.approval:
        case Approval.NEVER:
            return ""
        case Approval.FIRST_VISIT:
            return "We confirm first visits ourselves. We hold the time and send you a message."
        case Approval.ALWAYS:
            return "We confirm each request ourselves. We hold the time and send you a message."
        case _:
            assert_never(service.approval)


def change_terms(service: ServiceRules, starts_at: datetime, now: datetime, tz: ZoneInfo) -> str:
    """Tells the customer before booking how long the booking can be changed."""
    last_at = starts_at - service.change_notice
    if now > last_at:
        once = "" if service.approval is Approval.NEVER else " once it is confirmed"
        return f"This time is so soon that you can't move or cancel it online{once}."
    return f"You can move or cancel it online {spoken_deadline(last_at, now, tz)}."


def move_terms(
    booking: Booking, service: ServiceRules, first_at: datetime | None, now: datetime, tz: ZoneInfo
) -> str:
    """Tells the customer before a move what they cannot change afterwards. `first_at` is the next
    free time."""
    at_once = "Press a time to move it there."
    if booking.moves + 1 >= service.most_moves:
        return f"{at_once} After that, you can't move it online again."
    soonest = now + service.change_notice
    if booking.status is BookingStatus.PENDING or first_at is None or first_at >= soonest:
        return at_once
    return f"{at_once} Times before {spoken_start(soonest, tz)} can't be changed online afterwards."


# --- a booking --------------------------------------------------------------------------------


class StatusText(Frozen):
    title: str
    lead: str
    tone: Tone


def status_text(booking: Booking, rules: BookingRules, now: datetime) -> StatusText:
    """The present state, and the next step."""
    match booking.status:
        case BookingStatus.PENDING:
            until = ""
            if booking.decide_by is not None:
                until = f" {spoken_deadline(booking.decide_by, now, zone(rules.zone))}"
            lead = f"We hold the time for you{until}, and send you a message when we have decided."
            return StatusText("Your request is waiting for approval.", lead, Tone.WAITING)
        case BookingStatus.CLAIMED:
            lead = "The time is yours. We send you a message as soon as it is confirmed."
            return StatusText("We're confirming your booking.", lead, Tone.WAITING)
        case BookingStatus.CONFIRMED if now >= booking.ends_at:
            return StatusText("This appointment is over.", "We hope to see you again.", Tone.GONE)
        case BookingStatus.CONFIRMED:
            return StatusText("It's booked.", "We look forward to seeing you.", Tone.GOOD)
        case BookingStatus.CANCELLED:
            lead = "The time is free for somebody else. You don't have to do anything else."
            return StatusText("This appointment is cancelled.", lead, Tone.GONE)
        case BookingStatus.DECLINED:
            lead = "We can't offer you this time. Please choose another one."
            return StatusText("We could not accept this request.", lead, Tone.GONE)
        case BookingStatus.LAPSED:
            lead = "We did not manage to confirm it in time. Please choose another one."
            return StatusText("This request has expired.", lead, Tone.GONE)
        case BookingStatus.RELEASED:
            lead = "We're sorry: the time was not free after all. Please choose another one."
            return StatusText("We had to give this time back.", lead, Tone.GONE)
        case BookingStatus.NO_SHOW:
            lead = "If this is wrong, please tell us."
            return StatusText("We missed you.", lead, Tone.GONE)
        case _:
            assert_never(booking.status)


class AllowedChanges(Frozen):
    """The changes that a customer can still make."""

    move: bool
    cancel: bool
    until: str = ""
    reach: str = ""
    """Says why the customer cannot change it. The page adds how to reach the business."""


def changes(booking: Booking, rules: BookingRules, now: datetime) -> AllowedChanges | None:
    """The changes that are left; None once the booking has begun or ended."""
    if not booking.takes_time or now >= booking.starts_at:
        return None
    service = rules.service(booking.service)
    if service is None:
        return AllowedChanges(
            move=False, cancel=False, reach="This service is not booked online any more."
        )
    is_pending = booking.status is BookingStatus.PENDING
    last_at = booking.starts_at - service.change_notice
    if now > last_at and not is_pending:
        notice = how_long(service.change_notice)
        reach = f"Changes online are possible until {notice} before the start."
        return AllowedChanges(move=False, cancel=False, reach=reach)
    until = spoken_deadline(last_at, now, zone(rules.zone))
    if now > last_at:
        until = "until we confirm it"
    if booking.moves >= service.most_moves:
        moved = (
            f"You have moved it {count(booking.moves, 'time')}, so it can't be moved online again."
        )
        return AllowedChanges(
            move=False,
            cancel=True,
            until=f"You can cancel it {until}.",
            reach=moved if booking.moves else "It can't be moved online.",
        )
    return AllowedChanges(move=True, cancel=True, until=f"You can move or cancel it {until}.")
