"""Reads an event's form into values, or into error messages by field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from frontdesk.core.localtime import BadZone, parse_wall, to_instant, to_wall, zone
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.reminder_times import (
    BadReminderTimes,
    DaysBefore,
    HoursBefore,
    MorningOf,
    ReminderRule,
    parse_rule,
)
from frontdesk.desks.rsvp.decide.hosting import LARGEST_CAP
from frontdesk.desks.rsvp.decide.timers import LEAST_GAP
from frontdesk.desks.rsvp.model import Details, EventSettings

Values = dict[str, str]

MOST_NAME: Final = 120
MOST_VENUE: Final = 200
MOST_DESCRIPTION: Final = 5_000
MOST_SLUG: Final = 60
MOST_REMINDERS: Final = 10
LARGEST_PARTY_LIMIT: Final = 100
SHORTEST_WINDOW: Final = timedelta(minutes=5)
LONGEST_WINDOW: Final = timedelta(days=30)
LONGEST_GAP: Final = timedelta(days=7)
UNITS: Final = {
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
}
#: The reminders that the form offers as boxes. Hosts type other ones.
USUAL_REMINDERS: Final = ("7d", "3d", "1d", "morning 09:00", "2h")
TICK: Final = "remind:"

_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_WALL: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?")


@dataclass(slots=True)
class EventFormReader:
    """The typed fields and the errors found so far."""

    typed: Mapping[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        return self.typed.get(name, "").strip()

    def ticked(self, name: str) -> bool:
        return name in self.typed

    def wrong(self, name: str, sentence: str) -> None:
        self.errors.setdefault(name, sentence)


# --- reading the fields ---------------------------------------------------------------------


def read_details(reading: EventFormReader) -> Details | None:
    """Reads the details; None if there are errors."""
    name = _one_line(reading, "name", MOST_NAME)
    if not name:
        reading.wrong("name", "Please give the event a name.")
    venue = _one_line(reading, "venue", MOST_VENUE)
    description = reading.typed.get("description", "").replace("\r\n", "\n").strip()
    if len(description) > MOST_DESCRIPTION:
        reading.wrong("description", f"Please write at most {MOST_DESCRIPTION:,} characters.")
    if not _can_be_shown(description.replace("\n", " ").replace("\t", " ")):
        reading.wrong("description", "There are characters in it that cannot be shown.")
    tz = read_zone(reading)
    starts_at, ends_at = read_instant(reading, "starts", tz), read_instant(reading, "ends", tz)
    if starts_at and ends_at and ends_at <= starts_at:
        reading.wrong("ends", "The event has to end after it begins.")
    if reading.errors or tz is None or starts_at is None or ends_at is None:
        return None
    return Details(name, starts_at, ends_at, tz.key or "UTC", venue, description)


def read_settings(reading: EventFormReader) -> EventSettings | None:
    before = len(reading.errors)
    reminders = _reminders(reading)
    quiet_start, quiet_end = read_clock(reading, "quiet_start"), read_clock(reading, "quiet_end")
    window, gap = _window(reading), _gap(reading)
    party_limit = _number(reading, "party_limit", 1, LARGEST_PARTY_LIMIT)
    if len(reading.errors) > before or not (window and gap and party_limit):
        return None
    assert quiet_start is not None
    assert quiet_end is not None
    return EventSettings(
        reminders=reminders,
        quiet=QuietHours(quiet_start, quiet_end),
        claim_window=window,
        time_critical=reading.ticked("time_critical"),
        party_limit=party_limit,
        strict_order=reading.text("order") == "strict",
        double_opt_in=reading.ticked("double_opt_in"),
        private_answers=reading.ticked("private_answers"),
        daily_mail=reading.ticked("daily_mail"),
        reminder_gap=gap,
    )


def read_cap(reading: EventFormReader) -> int | None:
    return _number(reading, "cap", 0, LARGEST_CAP)


def read_slug(reading: EventFormReader) -> str:
    """Reads the slug, or makes one from the name if none was given."""
    typed = reading.text("slug").lower()
    slug = typed or suggested_slug(reading.text("name"))
    if not _SLUG.fullmatch(slug) or len(slug) > MOST_SLUG:
        reading.wrong(
            "slug",
            f"A page address has small letters, digits and single hyphens, at most {MOST_SLUG}.",
        )
    return slug


def suggested_slug(name: str) -> str:
    """'Käse & Wein, 2027' becomes 'kase-wein-2027'; 'event' if nothing is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))[:MOST_SLUG].strip("-")
    return slug or "event"


def _one_line(reading: EventFormReader, name: str, most: int) -> str:
    text = " ".join(reading.text(name).split())
    if len(text) > most:
        reading.wrong(name, f"Please write at most {most} characters.")
    if not _can_be_shown(text):
        reading.wrong(name, "There are characters in it that cannot be shown.")
    return text


def _can_be_shown(text: str) -> bool:
    return not any(unicodedata.category(character) in ("Cc", "Cs", "Co") for character in text)


def read_zone(reading: EventFormReader) -> ZoneInfo | None:
    typed = reading.text("zone")
    try:
        return zone(_zones_by_lower_case().get(typed.lower().replace(" ", "_"), typed))
    except BadZone:
        reading.wrong("zone", "Please choose a time zone from the list, like Asia/Singapore.")
        return None


def read_instant(reading: EventFormReader, name: str, tz: ZoneInfo | None) -> datetime | None:
    wall = read_wall(reading.text(name))
    if wall is None:
        reading.wrong(name, "Please choose a day and a time.")
        return None
    if tz is None:
        return None
    try:
        at = to_instant(wall, tz)
    except OverflowError:
        reading.wrong(name, "Please choose a day and a time.")
        return None
    if to_wall(at, tz) != wall:
        reading.wrong(
            name,
            "There is no such time on that day: the clock is put forward over it."
            f" It would be {to_wall(at, tz):%H:%M}.",
        )
        return None
    return at


def read_wall(text: str) -> datetime | None:
    if not _WALL.fullmatch(text):
        return None
    try:
        return parse_wall(text).replace(second=0)
    except ValueError:
        return None


def read_clock(reading: EventFormReader, name: str) -> time | None:
    try:
        return datetime.strptime(reading.text(name)[:5], "%H:%M").time()  # noqa: DTZ007 - a wall time
    except ValueError:
        reading.wrong(name, "Please give a time like 21:00.")
        return None


def _number(reading: EventFormReader, name: str, least: int, most: int) -> int | None:
    text = reading.text(name)
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
    if number is None or not least <= number <= most:
        reading.wrong(name, f"Please write a whole number from {least} to {most:,}.")
        return None
    return number


def _window(reading: EventFormReader) -> timedelta | None:
    number = _number(reading, "window", 1, 10_000)
    unit = UNITS.get(reading.text("window_unit"))
    if number is None:
        return None
    if unit is None or not SHORTEST_WINDOW <= number * unit <= LONGEST_WINDOW:
        reading.wrong("window", "Please choose between 5 minutes and 30 days.")
        return None
    return number * unit


def _gap(reading: EventFormReader) -> timedelta | None:
    """Reads the reminder gap. Uses the default if the form does not have this field."""
    if "gap" not in reading.typed:
        return EventSettings().reminder_gap
    number = _number(reading, "gap", 1, 10_000)
    unit = UNITS.get(reading.text("gap_unit"))
    if number is None:
        return None
    if unit is None or not LEAST_GAP <= number * unit <= LONGEST_GAP:
        reading.wrong("gap", "Please choose between 10 minutes and 7 days.")
        return None
    return number * unit


def _reminders(reading: EventFormReader) -> tuple[str, ...]:
    ticked = [name.removeprefix(TICK) for name in reading.typed if name.startswith(TICK)]
    own = [part for part in re.split(r"[,;\n]", reading.text("own_reminders")) if part.strip()]
    rules: list[ReminderRule] = []
    for text in (*ticked, *own)[: MOST_REMINDERS + 1]:
        try:
            rules.append(parse_rule(text))
        except BadReminderTimes as bad:
            reading.wrong("own_reminders", f"{str(bad)[:1].upper()}{str(bad)[1:]}.")
    by_name = {rule.name: rule for rule in rules}
    if len(by_name) > MOST_REMINDERS:
        reading.wrong("own_reminders", f"At most {MOST_REMINDERS} reminders, please.")
    return tuple(str(rule) for rule in sorted(by_name.values(), key=_hours_before, reverse=True))


def _hours_before(rule: ReminderRule) -> float:
    """Returns roughly how many hours before the start it is due, for sorting."""
    match rule:
        case DaysBefore(days):
            return 24.0 * days
        case HoursBefore(hours):
            return hours
        case MorningOf(at):
            return 23.0 - at.hour - at.minute / 60


@cache
def zones() -> tuple[str, ...]:
    """Returns the time zones to choose from: those that are named after places, and UTC."""
    return tuple(
        sorted(
            name
            for name in available_timezones()
            if name == "UTC" or ("/" in name and not name.startswith(("Etc/", "SystemV/", "posix")))
        )
    )


@cache
def _zones_by_lower_case() -> dict[str, str]:
    by_city = {name.rpartition("/")[2].lower(): name for name in zones()}
    return by_city | {name.lower(): name for name in zones()}
