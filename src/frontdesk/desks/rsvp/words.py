"""Writes sentences for guests: their status, deadlines, and when and where the event is."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final, assert_never

from frontdesk.core import occasions
from frontdesk.core.localtime import ENGLISH, TimeWords, spoken_deadline, to_wall, zone
from frontdesk.core.occasions import Occasion
from frontdesk.core.words import count, ordinal
from frontdesk.desks.rsvp.decide.seats import seat_is_free, whole_event
from frontdesk.desks.rsvp.model import Details, Event, EventState, Guest, State, open_until
from frontdesk.values import replace

#: Mails do not say 'tomorrow', because they may be read on another day.
IN_MAIL: Final[TimeWords] = replace(ENGLISH, until_tomorrow=ENGLISH.until_date)


@lru_cache(maxsize=256)
def occasion(details: Details) -> Occasion:
    return occasions.occasion(
        details.name, details.starts_at, details.ends_at, details.zone, details.venue
    )


def until(event: Event, at: datetime, now: datetime, words: TimeWords = ENGLISH) -> str:
    """Returns the deadline as 'until 16:00 today (SGT)'."""
    return spoken_deadline(at, now, zone(event.details.zone), words)


def status_sentence(
    event: Event, guest: Guest, place: int, now: datetime, words: TimeWords = ENGLISH
) -> str:
    """Describes the guest's current status. `place` is used only for those who wait."""
    if event.state is EventState.CALLED_OFF:
        return "This event has been called off."
    match guest.state:
        case State.PENDING if guest.signed_up_themselves:
            return "Please confirm your e-mail address."
        case State.PENDING:
            return "You're invited."
        case State.CONFIRMED:
            return "You're in."
        case State.WAITING:
            return in_line(place)
        case State.OFFERED:
            return offered(event, guest, now, words)
        case State.CANCELLED:
            return "You're not on the list any more."
        case _:
            assert_never(guest.state)


def no_seats_because(event: Event, now: datetime) -> str:
    """Says why the event takes no more sign-ups, or has no room for the party."""
    if event.state is EventState.CALLED_OFF:
        return "This event has been called off."
    if now < event.details.starts_at:
        return "There is no room for so many."
    return "This event is over." if now >= event.details.ends_at else "This event has begun."


def in_line(place: int) -> str:
    return f"You're {ordinal(place)} in line."


def offered(event: Event, guest: Guest, now: datetime, words: TimeWords = ENGLISH) -> str:
    """Describes an offer, with its deadline: 'This seat is yours until 16:00 today (SGT).'"""
    ends_at = open_until(event, guest)
    if ends_at is None:
        one, more = "A seat is being held for you.", "{n} seats are being held for you."
        return one if guest.party == 1 else more.format(n=guest.party)
    if now >= ends_at:
        return "This offer has passed on."
    deadline = until(event, ends_at, now, words)
    if guest.party == 1:
        return f"This seat is yours {deadline}."
    return f"These {guest.party} seats are yours {deadline}."


def after_offer(event: Event, party: int, *, next_fits: bool) -> str:
    """Says what happens to seats that the guest did not take. `next_fits` says that a guest in line
    is owed a chance and fits."""
    left, one = event.seats, party == 1
    if seat_is_free(left, party):
        now = "it is" if one else "they are"
        it = "it" if one else "them"
        return (
            f"Nobody else is waiting for {it}, so {now} open to everybody. You can still take {it}"
            " on your page, as long as nobody else has."
        )
    if left.free >= party and not next_fits:
        return "A larger party is ahead of you in line."
    if left.owed == 0 and left.offered == 0:
        return "Somebody else has taken it." if one else "Somebody else has taken them."
    return "It goes to the next in line." if one else "They go to the next in line."


def are_only(n: int) -> str:
    return "is only 1 seat" if n == 1 else f"are only {n:,} seats"


def free_seat(n: int) -> str:
    return "A seat is free." if n == 1 else f"{n} seats are free."


def take_label(n: int) -> str:
    return "Take the seat" if n == 1 else f"Take the {n} seats"


def seats(n: int) -> str:
    """Returns 'A seat' or '3 seats'."""
    return "A seat" if n == 1 else count(n, "seat")


def confirmed_seats(n: int) -> str:
    if n == 1:
        return "Your seat is confirmed."
    return f"Your {n} seats are confirmed: you and {count(n - 1, 'guest')}."


def party_in_line(event: Event, n: int) -> str:
    """Says that a waiting party gets its seats together, or is now larger than the event; empty for
    a party of one."""
    if n == 1:
        return ""
    if n > whole_event(event):
        return f"{fewer_seats(event, n)} We can't offer you so many, but you can come with fewer."
    return f"You asked for {n} seats. We'll offer them to you together."


def fewer_seats(event: Event, n: int) -> str:
    """Says that there are fewer seats than a waiting party needs."""
    cap = event.seats.cap
    now = "There are no seats now" if cap == 0 else f"There {are_only(cap)} now"
    return f"{now}, and you're waiting for {n}."


def party_now(event: Event, guest: Guest, place: int, now: datetime) -> str:
    """Describes the guest's status after their party became smaller."""
    match guest.state:
        case State.CONFIRMED:
            return confirmed_seats(guest.party)
        case State.WAITING:
            return f"You're waiting for {count(guest.party, 'seat')} now. {in_line(place)}"
        case State.OFFERED:
            return offered(event, guest, now, IN_MAIL)
        case State.PENDING:
            return f"Your invitation is for {count(guest.party, 'seat')} now."
        case State.CANCELLED:
            return "You're not on the list any more."
        case _:
            assert_never(guest.state)


def what_stays(event: Event, guest: Guest, place: int, now: datetime) -> str:
    """Describes what stays the same for the guest after a change of the event."""
    if guest.state is not State.CONFIRMED:
        return status_sentence(event, guest, place, now, IN_MAIL)
    return "Your seat is still yours." if guest.party == 1 else "Your seats are still yours."


def how_soon(event: Event, now: datetime) -> str:
    """Returns 'today', 'tomorrow' or 'in 3 days', in the event's time zone."""
    tz = zone(event.details.zone)
    days = (to_wall(event.details.starts_at, tz).date() - to_wall(now, tz).date()).days
    return {0: "today", 1: "tomorrow", 7: "in a week"}.get(days, f"in {days} days")


def given_up(before: State, n: int) -> str:
    match before:
        case State.CONFIRMED if n == 1:
            return "Your seat is free for somebody else now. Thank you for telling us."
        case State.CONFIRMED:
            return f"Your {n} seats are free for others now. Thank you for telling us."
        case State.OFFERED:
            return "You've given up the offer and left the line. Thank you for telling us."
        case State.WAITING:
            return "You've left the line. You won't get an offer for this event."
        case State.PENDING | State.CANCELLED:
            return "You won't hear from us about this event again."
        case _:
            assert_never(before)


def taken_off_the_list(before: State) -> str:
    """Tells the guest that the host took them off the list."""
    match before:
        case State.CONFIRMED:
            return "The host has taken you off the guest list. Your seat has been given up."
        case State.OFFERED | State.WAITING:
            return "The host has taken you off the waiting list."
        case State.PENDING | State.CANCELLED:
            return "The host has withdrawn your invitation."
        case _:
            assert_never(before)


def passed_on(n: int) -> str:
    """Tells the guest that the host gave their seats to somebody else."""
    if n == 1:
        return "The host has given your seat to somebody else."
    return f"The host has given your {n} seats to somebody else."


def changed(before: Details, after: Details) -> str:
    """Describes a change of name, time or place, one paragraph each."""
    return "\n\n".join(_changes(before, after))


def _changes(before: Details, after: Details) -> Iterator[str]:
    was, now = occasion(before), occasion(after)
    if was.name != now.name:
        yield f"It's now called {now.name}. It was {was.name}."
    if was.when != now.when:
        yield f"It's now on {now.when}. It was {was.when}."
    if was.where != now.where:
        place = f"It's now at {now.where}." if now.where else "The place is still to be announced."
        yield f"{place} It was {was.where}." if was.where else place


def why_this_mail(event: Event, guest: Guest, business: str) -> str:
    """Explains why the guest gets this mail."""
    if guest.signed_up_themselves:
        return f"You get this mail because you signed up for {event.details.name}."
    return f"You get this mail because {business} put you on the list for {event.details.name}."
