"""The newest part of an event's audit, read from its end: an audit only grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from frontdesk.desks.rsvp.model import EventId
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.ports import Recorded

_FIRST_LOOK: Final = 4
"""How many times as many numbers as facts are looked at first; others' facts lie in between."""


def newest_facts(
    ev: RsvpReads, event_id: EventId, most: int, *, before: int = 0
) -> Sequence[Recorded]:
    """The last `most` facts with a number below `before` (0 for all of them), oldest first."""
    end = before or newest_number(ev, event_id) + 1
    width = most * _FIRST_LOOK
    while True:
        start = max(end - 1 - width, 0)
        found = [one for one in ev.facts(event_id, after=start, limit=width) if one.seq < end]
        if len(found) >= most or start == 0:
            return found[-most:]
        width *= _FIRST_LOOK


def newest_number(ev: RsvpReads, event_id: EventId) -> int:
    """The number of the event's last fact: doubled until it is passed, then halved."""
    above = 1
    while ev.facts(event_id, after=above, limit=1):
        above *= 2
    low, high = above // 2, above
    while low < high:
        middle = (low + high) // 2
        if ev.facts(event_id, after=middle, limit=1):
            low = middle + 1
        else:
            high = middle
    return low
