"""What the answers say to people who write to an event and are not on its list."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.occasions import Tone
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.mails import Saying
from frontdesk.desks.rsvp.model import Event


def closed(event: Event, now: datetime) -> Saying:
    return Saying("closed", {"why_not": words.no_seats_because(event, now)}, Tone.GONE, "Closed")


def not_listed(_event: Event, _now: datetime) -> Saying:
    return Saying("not_listed", {}, Tone.WAITING, "Nothing has changed")


#: By the kind of the note.
TO_STRANGERS: Final[Mapping[str, Callable[[Event, datetime], Saying]]] = {
    "closed": closed,
    "not_listed": not_listed,
}
