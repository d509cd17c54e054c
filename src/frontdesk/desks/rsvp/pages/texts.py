"""Writes the sentences of the public pages: free seats, the line, the result of a sign-up."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.contacts import masked_email
from frontdesk.core.occasions import Tone
from frontdesk.core.words import count
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.decide.seats import largest_party, seat_is_free
from frontdesk.desks.rsvp.model import Event, Guest, Lane, Seats, State
from frontdesk.values import Frozen

_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


class SeatsLeft(Frozen):
    """The texts about free seats around the form."""

    heading: str
    says: str
    means: str
    button: str


def seats_left(event: Event) -> SeatsLeft:
    if seat_is_free(event.seats, 1):
        means = " ".join(filter(None, (_large_parties(event), _also_in_line(event.seats))))
        return SeatsLeft("Save your seat", _free(event.seats), means, "Take a seat")
    return SeatsLeft(
        "Join the line", _full(event.seats), what_joining_means(event), "Join the line"
    )


def _free(seats: Seats) -> str:
    if seats.free == seats.cap:
        return "The only seat is free." if seats.cap == 1 else f"All {seats.cap:,} seats are free."
    if seats.free == 1:
        return f"1 of {seats.cap:,} seats is left."
    return f"{seats.free:,} of {seats.cap:,} seats are left."


def _large_parties(event: Event) -> str:
    free = event.seats.free
    if largest_party(event, Lane.FORM) <= free:
        return ""
    if free == 1:
        return "If there is more than one of you, you join the line."
    return f"If there are more than {free} of you, you join the line."


def _also_in_line(seats: Seats) -> str:
    """Says that those in line, who have all let an offer pass, can take free seats as well."""
    if seats.waiting == 0:
        return ""
    who = "1 person in line" if seats.waiting == 1 else f"{seats.waiting:,} people in line"
    return f"{who} may take what is free as well. Whoever is first has it."


def _full(seats: Seats) -> str:
    if seats.cap == 0:
        return f"There are no seats at the moment. {_waiting(seats.waiting)}"
    if seats.free > 0:
        return f"What is free goes to those in line first. {_waiting(seats.waiting)}"
    if seats.cap == 1:
        how = "on offer" if seats.offered else "taken"
        return f"The only seat is {how}. {_waiting(seats.waiting)}"
    if seats.offered:
        return f"All seats are taken or on offer. {_waiting(seats.waiting)}"
    return f"All {seats.cap:,} seats are taken. {_waiting(seats.waiting)}"


def _waiting(people: int) -> str:
    if people == 0:
        return "Nobody is waiting yet."
    return "1 person is waiting." if people == 1 else f"{people:,} people are waiting."


def what_joining_means(event: Event) -> str:
    """Explains what it means to be in line."""
    window = spoken_window(event.settings.claim_window)
    return f"If a seat frees up, we offer it to you by mail and hold it for {window}."


def spoken_window(window: timedelta) -> str:
    """Returns '6 hours', '2 days' or '90 minutes'."""
    if window % _DAY == timedelta() and window > _DAY:
        return count(window // _DAY, "day")
    if window % _HOUR == timedelta():
        return count(window // _HOUR, "hour")
    return count(window // timedelta(minutes=1), "minute")


class SignUpResult(Frozen):
    """The result of a sign-up, for a page or as JSON."""

    state: str
    title: str
    lead: str
    next: str
    tone: Tone
    position: int | None = None

    @property
    def message(self) -> str:
        return f"{self.title} {self.lead}"


def confirmed_result(party: int, email: str) -> SignUpResult:
    return SignUpResult(
        "confirmed",
        "You're in.",
        words.confirmed_seats(party),
        f"A mail with the details and your link to cancel is on its way to {masked_email(email)}.",
        Tone.GOOD,
    )


def in_line_result(event: Event, position: int, email: str) -> SignUpResult:
    return SignUpResult(
        "waitlisted",
        words.in_line(position),
        what_joining_means(event),
        f"A mail with your link to leave the line is on its way to {masked_email(email)}.",
        Tone.WAITING,
        position,
    )


def queued_result(email: str) -> SignUpResult:
    return SignUpResult(
        "written_down",
        "We have it.",
        "Very many people are asking just now. Your request is written down, and its turn comes.",
        f"A mail to {masked_email(email)} tells you what became of it in a few minutes.",
        Tone.WAITING,
    )


def to_confirm_result(email: str) -> SignUpResult:
    return SignUpResult(
        "pending",
        "Please confirm.",
        f"We sent a mail to {masked_email(email)}. Open it and press its button to ask for your"
        " seat.",
        "No seat is held until you confirm.",
        Tone.WAITING,
    )


def received_result(email: str) -> SignUpResult:
    """The same answer for everybody, so that it does not reveal whether an address is on
    the list."""
    return SignUpResult(
        "received",
        "Thank you.",
        f"We're sending a mail to {masked_email(email)} that says whether you have a seat.",
        "If nothing arrives within a few minutes, look among your junk mail.",
        Tone.WAITING,
    )


def listed_result(
    event: Event, guest: Guest, place: int, email: str, now: datetime
) -> SignUpResult:
    """Answers a repeated sign-up with the status, but without anything that only the
    guest may see."""
    next_ = f"Your links are in the mail that we sent to {masked_email(email)}."
    match guest.state:
        case State.CONFIRMED:
            lead = "You're already on the list, and your seat is confirmed."
            return SignUpResult("confirmed", "You're in.", lead, next_, Tone.GOOD)
        case State.WAITING:
            lead = "You're already on the list. Asking again keeps your place as it is."
            title = words.in_line(place)
            return SignUpResult("waitlisted", title, lead, next_, Tone.WAITING, place)
        case State.OFFERED:
            lead = "You're already on the list. Our mail to you has the link to take it."
            title = words.offered(event, guest, now)
            return SignUpResult("offered", title, lead, next_, Tone.WAITING)
        case State.PENDING:
            return to_confirm_result(email)
        case State.CANCELLED:
            lead = "You have cancelled, and nothing is held for you. You can sign up again."
            return SignUpResult("cancelled", "You're not on the list.", lead, "", Tone.GONE)
