"""Drafts the thank-you note that the host edits and sends after the event."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from frontdesk.desks.rsvp.model import Event, EventState, State
from frontdesk.values import Frozen

MOST_DRAFT: Final = 3_000


class Evening(Frozen):
    """All that the author of the draft sees. It contains nothing about single guests."""

    event: str
    venue: str
    guests: int
    """How many people had a seat."""


def draft(event: Event, counts: Mapping[State, tuple[int, int]]) -> str:
    """Writes the default draft."""
    return default_text(evening_of(event, counts))


def evening_of(event: Event, counts: Mapping[State, tuple[int, int]]) -> Evening:
    _, seats = counts.get(State.CONFIRMED, (0, 0))
    return Evening(event.details.name, event.details.venue, seats)


def wants_draft(event: Event | None, now: datetime) -> bool:
    """Whether the event is over and nobody has written a note yet."""
    if event is None or event.state is EventState.CALLED_OFF:
        return False
    return now >= event.details.ends_at and not (event.thanks or event.thanks_sent)


def default_text(evening: Evening) -> str:
    together = f"There were {evening.guests} of us" if evening.guests > 2 else "You were there"
    return (
        f"Thank you for coming to {evening.event}.\n\n"
        f"{together}, and that is what made it what it was. We hope that you enjoyed it as much"
        " as we did.\n\n"
        "If there is anything we could do better, just answer this mail. Until next time."
    )


def usable_draft(written: str) -> str:
    """Returns the model's draft, or nothing if it is too long or contains a link."""
    text = "\n".join(line.rstrip() for line in written.strip().splitlines())
    return "" if len(text) > MOST_DRAFT or "://" in text else text
