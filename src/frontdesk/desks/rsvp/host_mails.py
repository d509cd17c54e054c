"""What the mails to hosts say: how many are coming, and that a thank-you note is ready."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from frontdesk.desks.rsvp.facts import GuestCancelled, GuestConfirmed
from frontdesk.desks.rsvp.mails import Office, Saying
from frontdesk.desks.rsvp.model import Event, EventState, State
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.desk import Drop


def headcount(office: Office, ev: RsvpReads, event: Event, now: datetime) -> Saying | Drop:
    if event.state is EventState.CALLED_OFF:
        return Drop("the event is called off")
    seats = event.seats
    cancelled_guests, _ = ev.counts(event.id).get(State.CANCELLED, (0, 0))
    figures = (
        f"Taken: {seats.taken} of {seats.cap}",
        f"On offer: {seats.offered}",
        f"Free: {max(seats.free, 0)}",
        f"In line: {seats.waiting}",
        f"Cancelled: {cancelled_guests}",
    )
    values = {
        "coming": f"{seats.taken} of {seats.cap}",
        "headline": f"{seats.taken} of {seats.cap} seats are taken.",
        "figures": "\n".join(figures),
        "since": _since_yesterday(ev, event, now),
        "console_link": office.console_url(event),
    }
    return Saying("headcount", values)


def _since_yesterday(ev: RsvpReads, event: Event, now: datetime) -> str:
    day = (now - timedelta(days=1), now)
    came = len(ev.facts_between(event.id, GuestConfirmed.kind, *day))
    left = len(ev.facts_between(event.id, GuestCancelled.kind, *day))
    if not came and not left:
        return "Nothing has changed since yesterday."
    return f"Since yesterday: {came} confirmed, {left} cancelled."


def thanks_drafted(office: Office, _ev: RsvpReads, event: Event, _now: datetime) -> Saying | Drop:
    if event.thanks_sent:
        return Drop("has been sent already")
    values = {"thanks": event.thanks, "console_link": office.console_url(event)}
    return Saying("thanks_drafted", values)


TO_HOSTS: Final[Mapping[str, Callable[[Office, RsvpReads, Event, datetime], Saying | Drop]]] = {
    "headcount": headcount,
    "thanks_drafted": thanks_drafted,
}
