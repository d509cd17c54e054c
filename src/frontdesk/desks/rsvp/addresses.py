"""Finds the event that a mail address belongs to."""

from __future__ import annotations

from frontdesk.desks.rsvp.model import Event
from frontdesk.desks.rsvp.reads import RsvpReads


def event_addressed(ev: RsvpReads, recipient: str, mail_domain: str) -> Event | None:
    """Return the event whose slug is the local part of `recipient`, ignoring a +tag."""
    local, _, domain = recipient.lower().rpartition("@")
    if domain != mail_domain.lower():
        return None
    return ev.event_by_slug(local.partition("+")[0])
