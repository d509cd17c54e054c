"""Formats slots, deadlines and monthly figures as text."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final, assert_never

from frontdesk.core.checked_words import Figure, is_faithful
from frontdesk.core.localtime import ENGLISH, spoken_day, spoken_start, to_wall, zone
from frontdesk.core.words import count, how_long
from frontdesk.desks.waitlist.model import Figures, Opening, Slot
from frontdesk.desks.waitlist.reasons import HandBack
from frontdesk.features.catalogue.model import Catalogue

_MINUTE: Final = timedelta(minutes=1)
#: The prompt of a language model that writes about the month; `month_told` adds the figures.
MONTH_PROMPT: Final = (
    "You write the first paragraph of a monthly summary for the owner of a business with a"
    " waitlist: when a customer cancels, the freed slot is offered to people on the list. You get"
    " the month and its figures, already counted. Write two to four short, friendly sentences in"
    " plain text, no heading, no list. Use the figures exactly as they are written, with their"
    " units and currency, and no other number, share, comparison or name. Say what each figure is"
    " in the same part of the sentence. Say nothing that you were not told."
)


def slot_when(slot: Slot) -> str:
    """'Friday 20 November, 15:00 (SGT)'."""
    return spoken_start(slot.opening.starts_at, zone(slot.rules.zone))


def with_staff(opening: Opening) -> str:
    """'with Mia'; empty for a room or device."""
    return f"with {opening.staff}" if opening.staff and not opening.in_room else ""


def deadline(slot: Slot, at: datetime, now: datetime) -> str:
    """'14:10', with the day if it is not today. The time zone is in the slot's text."""
    tz = zone(slot.rules.zone)
    wall = to_wall(at, tz)
    clock = f"{wall:%H:%M}"
    return (
        clock if wall.date() == to_wall(now, tz).date() else f"{spoken_day(wall.date())}, {clock}"
    )


def people(n: int) -> str:
    return count(n, "person", "people")


def handed_back(why: HandBack, tried: int) -> str:
    """Explains in a sentence why a slot went back to staff."""
    offered = f"It was offered to {people(tried)}" if tried else "It was offered to nobody"
    match why:
        case HandBack.EXHAUSTED:
            if not tried:
                return "Nobody on the list could take it."
            return f"{offered}, and nobody else on the list suits it."
        case HandBack.TRIES:
            return f"{offered}, which is as many as your rules say."
        case HandBack.TOO_LATE:
            return f"{offered}; it is too close to its start to ask anybody else."
        case HandBack.QUIET_HOURS:
            return f"{offered}; by the end of the quiet hours it would be too late to ask."
        case HandBack.STAFF:
            return f"{offered} before you took it back."
        case HandBack.NOBODY_FITS:
            return "Nobody on the list suits it, so it can be booked again."
        case _:
            assert_never(why)


def month_name(month: date) -> str:
    return f"{ENGLISH.months[month.month - 1]} {month.year}"


def figures_text(figures: Figures, catalogue: Catalogue) -> str:
    """The figures, one on each line."""
    took = figures.average_to_fill
    lines = [
        f"Came free: {figures.freed:,}",
        f"Filled: {figures.filled:,}",
        f"Offers made: {figures.offers:,}",
    ]
    if took is not None:
        lines.append(f"Time to fill, on average: {how_long(max(took, _MINUTE))}")
    if figures.recovered_cents:
        lines.append(f"Recovered: {catalogue.price(figures.recovered_cents)}")
    return "\n".join(lines)


def month_told(month: date, figures: Figures, catalogue: Catalogue) -> str:
    """The month and its figures as text for a model's prompt."""
    return f"Month: {month_name(month)}\n{figures_text(figures, catalogue)}"


def is_true_summary(said: str, month: date, figures: Figures, catalogue: Catalogue) -> bool:
    """Whether a model's text states exactly the figures of the month and nothing else."""
    if not figures.freed:
        return False
    ours = f"{summary(month, figures)} {month_told(month, figures, catalogue)}"
    return is_faithful(said, _figures_to_say(month, figures, catalogue), ours)


def _figures_to_say(month: date, figures: Figures, catalogue: Catalogue) -> list[Figure]:
    found = [
        Figure((month_name(month),), "", is_needed=False),
        Figure((f"{figures.freed:,}",), r"\b(?:free|freed|opened|cancel\w*)\b"),
        Figure((f"{figures.filled:,}",), r"\b(?:fill\w*|taken|booked|claimed)\b"),
        Figure((f"{figures.offers:,}",), r"\boffer\w*\b", is_needed=False),
    ]
    if figures.average_to_fill is not None:
        took = how_long(max(figures.average_to_fill, _MINUTE))
        found.append(Figure((took,), r"\b(?:average|typical\w*|usual\w*)\b", is_needed=False))
    if figures.recovered_cents:
        money = catalogue.price(figures.recovered_cents)
        ways = (money, money.removesuffix(".00"))
        found.append(Figure(ways, r"\b(?:recover\w*|revenue|income|worth|sales)\b"))
    return found


def summary(month: date, figures: Figures) -> str:
    """The month in one or two sentences, used if there is no model's text."""
    name = month_name(month)
    if not figures.freed:
        return f"Nothing came free in {name}, so there was nothing to fill."
    filled = f"{figures.filled:,} of {count(figures.freed, 'slot')}"
    said = f"In {name} the list filled {filled} that came free."
    took = figures.average_to_fill
    if took is not None:
        said += f" It took {how_long(max(took, _MINUTE))} on average."
    return said
