"""Builds a guest's calendar file, with a fixed UID and a sequence that grows with each change."""

from datetime import datetime

from frontdesk.core.contacts import plain_name
from frontdesk.core.ics import Invitation, Method
from frontdesk.core.people import Person
from frontdesk.desks.rsvp.model import Event, Guest
from frontdesk.values import Frozen


class Organizer(Frozen):
    name: str
    email: str
    base_url: str


def invitation(
    organizer: Organizer,
    event: Event,
    guest: Guest,
    person: Person,
    *,
    method: Method,
    now: datetime,
) -> Invitation:
    """A calendar entry that links only to public pages, because people share calendars."""
    details = event.details
    return Invitation(
        uid=f"{guest.id}@frontdesk",
        sequence=sequence(event, guest),
        method=method,
        summary=details.name,
        starts_at=details.starts_at,
        ends_at=details.ends_at,
        tz_name=details.zone,
        location=details.venue,
        description=details.description,
        organizer_name=organizer.name,
        organizer_email=organizer.email,
        attendee_name=plain_name(person.name) or person.email,
        attendee_email=person.email,
        stamped_at=now,
        url=event_url(organizer.base_url, event),
    )


def sequence(event: Event, guest: Guest) -> int:
    """The entry's sequence number. Both of its parts only grow, so the latest change wins: a
    cancellation after a move, or a new sign-up after a cancellation."""
    return event.sequence + guest.version


def event_url(base_url: str, event: Event) -> str:
    return f"{base_url}/e/{event.slug}"
