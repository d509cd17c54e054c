"""Describes a guest's current status for a page: title, sentence and tone."""

from __future__ import annotations

from typing import assert_never

from frontdesk.core.occasions import Tone
from frontdesk.core.words import ordinal
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.model import State
from frontdesk.desks.rsvp.pages import texts
from frontdesk.desks.rsvp.pages.visit import Visit
from frontdesk.values import Frozen, replace


class GuestStatusText(Frozen):
    title: str
    lead: str
    tone: Tone
    status: int = 200
    take: str = ""
    """The label of the button that takes a free seat; empty for no button."""


def current_status(visit: Visit) -> GuestStatusText:
    event, guest = visit.event, visit.guest
    if visit.is_off:
        lead = "Everybody on the list has been told by mail."
        return GuestStatusText("This event has been called off.", lead, Tone.GONE)
    match guest.state:
        case State.CONFIRMED:
            return GuestStatusText("You're in.", words.confirmed_seats(guest.party), Tone.GOOD)
        case State.CANCELLED:
            lead = "Nothing is held for you, and you won't get reminders."
            return GuestStatusText("You're not on the list any more.", lead, Tone.GONE)
        case State.PENDING | State.WAITING | State.OFFERED if not visit.is_open:
            return GuestStatusText("This event has begun.", "No seat came free in time.", Tone.GONE)
        case State.PENDING if guest.signed_up_themselves:
            lead = "Our mail to you has the button. No seat is held until you press it."
            return GuestStatusText("Please confirm your e-mail address.", lead, Tone.WAITING)
        case State.PENDING:
            lead = "Your invitation has the button to say yes. No seat is held until then."
            return GuestStatusText("You're invited.", lead, Tone.WAITING)
        case State.WAITING if visit.seat_is_free:
            return _can_take(visit)
        case State.WAITING:
            lead = words.party_in_line(event, guest.party) or texts.what_joining_means(event)
            if visit.is_too_late:
                still = f"You're still on the list: {ordinal(visit.place)} in line. {lead}"
                return GuestStatusText(_just_taken(guest.party), still, Tone.WAITING)
            return GuestStatusText(words.in_line(visit.place), lead, Tone.WAITING)
        case State.OFFERED:
            return _offered(visit)
        case never:
            assert_never(never)


def _can_take(visit: Visit) -> GuestStatusText:
    """The status if nobody is owed the seat: this guest can take it, and so can anybody who signs
    up."""
    party = visit.guest.party
    it = "It isn't held for you" if party == 1 else "They aren't held for you"
    lead = f"{it}: whoever is first has it. Until then you're {ordinal(visit.place)} in line."
    return GuestStatusText(words.free_seat(party), lead, Tone.GOOD, take=words.take_label(party))


def _just_taken(party: int) -> str:
    return "This seat was just taken." if party == 1 else "These seats were just taken."


def _offered(visit: Visit) -> GuestStatusText:
    guest = visit.guest
    if guest.claim_by is not None and visit.now >= guest.claim_by:
        return expired_offer(visit)
    title = words.offered(visit.event, guest, visit.now)
    if not guest.live:
        return GuestStatusText(
            title, "We'll write to you as soon as you can take it.", Tone.WAITING
        )
    return GuestStatusText(title, "Our latest mail to you has the link to take it.", Tone.GOOD)


def expired_offer(visit: Visit) -> GuestStatusText:
    """The status after an offer's deadline, even if its timer has not fired. Shows the place that
    the guest will get."""
    guest = visit.guest
    if guest.state is State.WAITING and visit.seat_is_free:
        still = _can_take(visit)
        lead = f"Nobody else was waiting. {still.title} {still.lead}"
        return GuestStatusText("This offer has expired.", lead, Tone.WAITING, 410, still.take)
    if guest.state is State.WAITING and visit.is_too_late:
        return replace(current_status(visit), status=410)
    will_be = replace(guest, lapsed=True) if guest.state is State.OFFERED else guest
    place = visit.ev.position(will_be)
    lead = (
        f"You're now {ordinal(place)} in line. "
        "If another seat frees up and it's your turn, we'll write to you."
    )
    return GuestStatusText("This offer has expired.", lead, Tone.WAITING, status=410)


def replaced_offer() -> GuestStatusText:
    """The status for a link to an older offer than the guest's current one."""
    lead = "You have a newer one: our latest mail to you has the link to take it."
    return GuestStatusText("This offer has expired.", lead, Tone.WAITING, status=410)


def taken_back(now: GuestStatusText) -> GuestStatusText:
    """The status after the host took the offer back or cut the cap, or if its message did not
    arrive. The seat may still be free."""
    lead = f"We're sorry. You're still on the list. {now.title}"
    return GuestStatusText("We had to take this offer back.", lead, now.tone)
