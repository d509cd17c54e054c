"""Weeks of the business, and their figures as text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import dropwhile
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.checked_words import Figure, is_faithful
from frontdesk.core.localtime import ENGLISH, same_wall_time, to_wall
from frontdesk.core.words import count
from frontdesk.desks.reminders.figures import WeekFigures

WEEK: Final = timedelta(days=7)
SUMMARY_TIME: Final = time(8)
_BAR: Final = "\u2588"
_BAR_LENGTH: Final = 12
#: The prompt of a language model that writes about the week; `week_told` adds the figures.
WEEK_PROMPT: Final = (
    "You write the first paragraph of a weekly summary for the team of a business whose customers"
    " are reminded of their appointments and confirm or cancel them. You get the week and its"
    " figures, already counted. Write two or three short, friendly sentences in plain text, no"
    " heading, no list. Use the figures exactly as they are written, as digits, and no other"
    " number, share, comparison or name. Say what each figure is in the same part of the sentence."
    " Say nothing that you were not told."
)


def monday_of(on: date) -> date:
    return on - timedelta(days=on.weekday())


def week_span(week: date, tz: ZoneInfo) -> tuple[datetime, datetime]:
    """The instants at which the week of this Monday begins and ends."""
    return same_wall_time(week, time(), tz), same_wall_time(week + WEEK, time(), tz)


def last_summary_at(now: datetime, tz: ZoneInfo) -> datetime:
    """The last Monday at eight, or now if it is that instant."""
    at = same_wall_time(monday_of(to_wall(now, tz).date()), SUMMARY_TIME, tz)
    return at if at <= now else next_summary_at(now - WEEK, tz)


def next_summary_at(after: datetime, tz: ZoneInfo) -> datetime:
    """The next Monday at eight."""
    week = monday_of(to_wall(after, tz).date())
    days = (week, week + WEEK, week + 2 * WEEK)
    return next(at for day in days if (at := same_wall_time(day, SUMMARY_TIME, tz)) > after)


def week_before(due_at: datetime, tz: ZoneInfo) -> date:
    """The Monday of the week that a summary is about."""
    return monday_of(to_wall(due_at, tz).date()) - WEEK


# --- words ----------------------------------------------------------------------------------


def week_name(week: date) -> str:
    """'9 to 15 November 2026', or '30 November to 6 December 2026'."""
    last = week + timedelta(days=6)
    until = f"{last.day} {ENGLISH.months[last.month - 1]} {last.year}"
    if week.month == last.month:
        return f"{week.day} to {until}"
    year = f" {week.year}" if week.year != last.year else ""
    return f"{week.day} {ENGLISH.months[week.month - 1]}{year} to {until}"


def summary(week: date, them: WeekFigures) -> str:
    """The week in a few sentences, used if there is no model's text."""
    confirmed = f"{them.confirmed:,} of {count(them.appointments, 'appointment')}"
    said = [f"In the week of {week_name(week)}, {confirmed} {_was(them.confirmed)} confirmed."]
    if them.freed:
        said.append(f"{count(them.freed, 'time')} came free early enough, {_refilled(them)}.")
    missed = count(them.no_shows, "no-show") if them.no_shows else "no no-shows"
    silent = f", and {count(them.quiet, 'customer')} did not answer" if them.quiet else ""
    said.append(f"There {_was(them.no_shows)} {missed}{silent}.")
    return " ".join(said)


def _refilled(them: WeekFigures) -> str:
    if not them.refilled:
        return "but nobody took it" if them.freed == 1 else "but nobody took them"
    if them.freed == 1:
        return "and was filled again"
    return f"and {them.refilled:,} of them {_was(them.refilled)} filled again"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def figures_text(them: WeekFigures) -> str:
    """The figures, one on each line."""
    return "\n".join(f"{label}: {value:,}" for label, value in figure_lines(them))


def figure_lines(them: WeekFigures) -> list[tuple[str, int]]:
    return [
        ("Appointments", them.appointments),
        ("Confirmed", them.confirmed),
        ("Came free in time", them.freed),
        ("Filled again", them.refilled),
        ("No-shows", them.no_shows),
        ("No answer", them.quiet),
    ]


def bars_text(weeks: Sequence[tuple[date, WeekFigures]]) -> str:
    """A small plot of the confirmed appointments of each week, in plain text. Leaves out weeks
    before the first appointment."""
    weeks = list(dropwhile(lambda each: not each[1].appointments, weeks))
    top = max((them.appointments for _, them in weeks), default=0) or 1
    return "\n".join(
        f"{_short(week)} {_BAR * round(_BAR_LENGTH * them.confirmed / top)}"
        f" {them.confirmed:,} of {them.appointments:,}"
        for week, them in weeks
    )


def _short(week: date) -> str:
    return f"{week.day} {ENGLISH.months[week.month - 1][:3]}"


def week_told(week: date, them: WeekFigures) -> str:
    """The week and its figures as text for a model's prompt."""
    return f"Week: {week_name(week)}\n{figures_text(them)}"


def is_true_summary(said: str, week: date, them: WeekFigures) -> bool:
    """Whether a model's text states only the figures of the week."""
    ours = f"{summary(week, them)} {week_told(week, them)}"
    return is_faithful(said, _figures_to_say(week, them), ours)


def _figures_to_say(week: date, them: WeekFigures) -> list[Figure]:
    return [
        Figure((week_name(week),), "", is_needed=False),
        Figure((f"{them.appointments:,}",), r"\b(?:appointment|visit)\w*\b", is_needed=False),
        Figure((f"{them.confirmed:,}",), r"\bconfirm\w*\b"),
        Figure((f"{them.freed:,}",), r"\b(?:free|freed|cancel\w*)\b"),
        Figure((f"{them.refilled:,}",), r"\b(?:re)?fill\w*\b", is_needed=False),
        Figure((f"{them.no_shows:,}",), r"\b(?:no-shows?|missed)\b"),
        Figure((f"{them.quiet:,}",), r"\b(?:quiet|answer\w*|silent)\b", is_needed=False),
    ]
