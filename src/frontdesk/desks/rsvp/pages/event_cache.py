"""Caches events for page text. Decisions never use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from frontdesk.desks.rsvp.facts import CapChanged, EventCalledOff, EventCreated, EventEdited
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event
from frontdesk.engine.ports import Recorded
from frontdesk.web.site import Site

NAME: Final = "rsvp.event_cache"


class EventCache:
    """Caches events by slug, in a process that hears of every commit. Of the cached counters only
    the cap is current."""

    def __init__(self) -> None:
        self._events: dict[str, Event] = {}
        self._edits = 0

    def heard(self, facts: Sequence[Recorded]) -> None:
        """Clears the cache after a change of an event. Registered with `Store.on_commit`."""
        if any(
            isinstance(each.fact, EventEdited | EventCalledOff | EventCreated | CapChanged)
            for each in facts
        ):
            self._edits += 1
            self._events = {}

    def event(self, site: Site, slug: str) -> Event | None:
        event = self._events.get(slug)
        if event is None:
            edits = self._edits
            event = rsvp(site.reads()).event_by_slug(slug)
            if event is not None and edits == self._edits:
                self._events[slug] = event
        return event


def event_for_words(site: Site, slug: str) -> Event | None:
    event_cache = site.memory.get(NAME)
    if isinstance(event_cache, EventCache):
        return event_cache.event(site, slug)
    return rsvp(site.reads()).event_by_slug(slug)
