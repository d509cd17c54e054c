"""The keys of resources in `rules.yml`: hours, time off, limits, calendars."""

from __future__ import annotations

import re
from typing import Final

from frontdesk.core.yaml_tree import YamlNode
from frontdesk.desks.booking.rules import AllDay
from frontdesk.desks.booking.rules_file.groups import Key, Section, group_of
from frontdesk.desks.booking.rules_file.kinds import (
    NAME,
    YES_NO,
    Kind,
    choice,
    list_of,
    read_minutes,
    scalar_text,
    text_of,
    whole,
)
from frontdesk.desks.booking.rules_file.problems import Problems, quoted
from frontdesk.desks.booking.rules_file.time_kinds import DATES, RANGE, RANGES, WEEK

MOST_CAPACITY: Final = 200

# --- caps -------------------------------------------------------------------------------------


def _cap(node: YamlNode, problems: Problems) -> tuple[int | None, int | None] | None:
    """Reads '8 bookings', '32 hours' or both as bookings and minutes."""
    text = scalar_text(node, problems, "a limit", "8 bookings")
    if text is None:
        return None
    bookings = minutes = None
    for part in re.split(r"\s*(?:,| and )\s*", text.casefold()):
        found = re.fullmatch(r"(\d{1,5}) bookings?", part, re.ASCII)
        length_ = None if found else read_minutes(part)
        if found and bookings is None:
            bookings = int(found[1])
        elif length_ and minutes is None:
            minutes = length_
        else:
            problems.add(node, f"{quoted(part)} is not a limit; write 8 bookings, or 32 hours")
            return None
    return bookings, minutes


_LIMIT: Final = Kind("a limit like 8 bookings, 32 hours, or both with a comma", _cap)
CAPS: Final = Section(
    "limit",
    "The most bookings, or the longest booked time, in a day or a week from Monday.",
    (
        Key("day", _LIMIT, "The limit of each day.", "8 bookings"),
        Key("week", _LIMIT, "The limit of each week.", "32 hours"),
    ),
)
AT_MOST: Final = Key(
    "at most",
    group_of(CAPS),
    "Limits for a day or a week, by bookings or by booked time.",
    "{day: 8 bookings, week: 32 hours}",
    "no limit",
    field="caps",
)

# --- dated hours ------------------------------------------------------------------------------

ON: Final = Key(
    "on", DATES, "A date, or the first and the last date.", "2026-12-24..2026-12-26", required=True
)
NOTE: Final = Key("note", text_of(), "A note for staff.", "Christmas")
CLOSED: Final = Section(
    "closed days",
    "Days on which nothing can be booked. A date alone is enough.",
    (ON, NOTE),
    "on",
)
AWAY: Final = Section(
    "time off",
    "Days, or hours of days, on which somebody or something is not there. A date alone is enough.",
    (
        ON,
        Key(
            "hours", RANGES, "Only these hours of each of the days.", "9:00-12:00", "the whole day"
        ),
        NOTE,
    ),
    "on",
)
DATED: Final = Section(
    "dated hours",
    "Hours of certain days.",
    (ON, Key("hours", RANGES, "The hours.", "10:00-14:00", required=True), NOTE),
)
BLACKOUT: Final = Section(
    "blackout",
    "A time without bookings, for some services only if they are named.",
    (
        ON,
        Key(
            "hours", RANGE, "Only these hours of each of the days.", "14:00-16:00", "the whole day"
        ),
        Key("services", list_of(text_of()), "Only these services.", "[Colour]", "all services"),
        NOTE,
    ),
    "on",
)
MOST_DATED: Final = 200
SPECIAL: Final = Key(
    "special hours",
    list_of(group_of(DATED), MOST_DATED),
    "Dates with other hours. They replace the hours of the week.",
    "[{on: 2026-12-31, hours: 9:00-12:00}]",
    "none",
)
EXTRA: Final = Key(
    "extra hours",
    list_of(group_of(DATED), MOST_DATED),
    "Dates with more hours. They are added to the hours of the week.",
    "[{on: 2026-12-20, hours: 10:00-14:00, note: Sunday before Christmas}]",
    "none",
)

# --- staff, rooms and devices -----------------------------------------------------------------

CALENDAR: Final = Section(
    "calendar",
    "A connected calendar. Its name alone is enough.",
    (
        Key(
            "name",
            text_of(),
            "The name of a connected calendar in the settings.",
            "mira-google",
            required=True,
        ),
        Key("write", YES_NO, "Whether bookings are written into it.", "no", "yes"),
        Key(
            "all day",
            choice(each.value.replace("_", " ") for each in AllDay),
            "How its all-day events count.",
            "block",
            "as marked",
        ),
    ),
    "name",
)
RESOURCE: Final = Section(
    "resource",
    "A staff member, room or device. Its id is its key; bookings keep the id, so do not change it.",
    (
        Key("name", NAME, "The name that people see.", "Mira", "the id"),
        Key(
            "hours",
            WEEK,
            "The working hours of each weekday.",
            "{tue-sat: 10:00-18:00}",
            "the hours of the business",
        ),
        Key(
            "breaks",
            WEEK,
            "Breaks, which are taken out of the hours.",
            "{daily: 12:30-13:00}",
            "none",
        ),
        Key(
            "away",
            list_of(group_of(AWAY), MOST_DATED),
            "Time off: dates, or hours of dates.",
            "[2026-12-01..2026-12-05]",
            "none",
        ),
        SPECIAL,
        EXTRA,
        Key(
            "capacity",
            whole(1, MOST_CAPACITY),
            "The number of people at the same time. With more than 1, a party takes a place"
            " for each person.",
            "4",
            "1",
        ),
        Key(
            "calendar",
            list_of(group_of(CALENDAR), 5),
            "A calendar, or a list of them: its events block time, and bookings are written"
            " into it.",
            "mira-google",
            "none",
            field="calendars",
        ),
        AT_MOST,
    ),
)
