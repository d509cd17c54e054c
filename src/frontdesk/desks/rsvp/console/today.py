"""Adds the RSVP desk's content to shared console pages: Today, people, mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.people import Person
from frontdesk.core.words import count
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.console.formatting import event_chip, fullness, guest_chip
from frontdesk.desks.rsvp.console.overview import MOST_IN_LINE, waiting_line_of
from frontdesk.desks.rsvp.console.page import event_url
from frontdesk.desks.rsvp.console.stories import too_large_warning, why_not_offered
from frontdesk.desks.rsvp.links import event_addressed
from frontdesk.desks.rsvp.load import larger_than_the_event, rsvp
from frontdesk.desks.rsvp.model import Event, EventState, State
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.ports import Reads
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.sections import AddressSource, PersonPlace, TodayCard

SOON: Final = timedelta(days=2)
LONG_OVER: Final = timedelta(days=30)
MOST: Final = 20


def cards(reads: Reads, now: datetime) -> Sequence[TodayCard]:
    ev = rsvp(reads)
    found = [
        card
        for event in ev.events(not_over_at=now - LONG_OVER)
        if event.state is EventState.OPEN
        for card in _cards(ev, event, now)
    ]
    return found[:MOST]


def _cards(ev: RsvpReads, event: Event, now: datetime) -> Iterator[TodayCard]:
    url, name = event_url(event.id), event.details.name
    if event.thanks and not event.thanks_sent:
        yield TodayCard(
            title=f"Thank the guests of {name}",
            text="A note is drafted. Change what you like, then send it.",
            url=f"{url}/thanks",
            button="Review the note",
            icon="messages",
            at=event.details.ends_at,
        )
    if now >= event.details.ends_at:
        return
    large = too_large_warning(event, len(larger_than_the_event(ev, event, MOST_IN_LINE)), now)
    for why in filter(None, (why_not_offered(event, waiting_line_of(ev, event), now), large)):
        yield TodayCard(
            title=name,
            text=why,
            url=f"{url}/line",
            button="See the line",
            icon="line",
            chip="Stuck",
            state="ending",
        )
    yield from _of_the_day(event, now)


def _of_the_day(event: Event, now: datetime) -> Iterator[TodayCard]:
    url, name = event_url(event.id), event.details.name
    if event.seats.offered and now < event.details.starts_at:
        yield TodayCard(
            title=f"{count(event.seats.offered, 'seat')} on offer",
            text=name,
            url=f"{url}/line",
            button="See the line",
            icon="hourglass",
            needs_you=False,
        )
    if event.details.starts_at - now < SOON:
        chip = event_chip(event, now)
        at_the_door = now >= event.details.starts_at - timedelta(hours=3)
        yield TodayCard(
            title=name,
            text=f"{words.occasion(event.details).when}. {fullness(event.seats)}",
            url=f"{url}/door" if at_the_door else url,
            button="Open the door list" if at_the_door else "See the event",
            icon="events",
            chip=chip.word,
            state=chip.state,
            needs_you=False,
            at=event.details.starts_at,
        )


def places(reads: Reads, person: Person) -> Sequence[PersonPlace]:
    """Returns the events at which a person is a guest, newest first."""
    ev = rsvp(reads)
    found = []
    events = ((guest, ev.event(guest.event_id)) for guest in ev.places_of(person.id))
    guest_at = [(guest, event) for guest, event in events if event is not None]
    guest_at.sort(key=lambda each: (each[1].details.starts_at, each[1].id), reverse=True)
    for guest, event in guest_at:
        offered = guest.state is State.OFFERED
        chip = (
            Chip("Has an offer", "waiting")
            if offered
            else guest_chip(event, guest, event.details.starts_at)
        )
        found.append(
            PersonPlace(
                desk="ev",
                title=event.details.name,
                url=f"{event_url(event.id)}/guests/{guest.id}",
                word=chip.word,
                state=chip.state,
                about=guest.id,
                data={
                    "name": guest.name,
                    "email": guest.email,
                    "event": event.details.name,
                    "starts_at": event.details.starts_at.isoformat(),
                    "state": guest.state.value,
                    "party": guest.party,
                    "arrived": guest.arrived,
                    "joined_at": guest.joined_at.isoformat() if guest.joined_at else "",
                },
            )
        )
    return found


def hostable(reads: Reads) -> Sequence[tuple[str, str]]:
    """Returns the events that can have hosts, newest first."""
    return [(event.id, event.details.name) for event in reversed(rsvp(reads).events())]


def addresses(mail_domain: str) -> AddressSource:
    """Finds the event that a mail address belongs to."""

    def addressed(reads: Reads, address: str) -> tuple[str, str] | None:
        event = event_addressed(rsvp(reads), address, mail_domain)
        return (event.details.name, event_url(event.id)) if event else None

    return addressed
