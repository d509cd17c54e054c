"""The address that each event has."""

from __future__ import annotations

from frontdesk.desks.rsvp.model import Event
from frontdesk.desks.rsvp.reads import RsvpReads


def event_addressed(ev: RsvpReads, recipient: str, mail_domain: str) -> Event | None:
    """The event whose address this is: its slug at our domain, with or without a +tag."""
    local, _, domain = recipient.lower().rpartition("@")
    if domain != mail_domain.lower():
        return None
    return ev.event_by_slug(local.partition("+")[0])
