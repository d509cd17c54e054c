"""The schema of `rules.yml` as data: all keys with their kinds, defaults and descriptions.

The parser, its errors, the reference page, the editor's hints and the JSON Schema are made from
these tables.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from frontdesk.core.yaml_tree import YamlMap, YamlNode, YamlText
from frontdesk.desks.booking.rules import Preference
from frontdesk.desks.booking.rules_file.groups import (
    Key,
    Section,
    group_of,
    named,
    read_id,
    read_name,
)
from frontdesk.desks.booking.rules_file.kinds import (
    MOST_LONG_TEXT,
    PERCENT,
    YES_NO,
    Kind,
    choice,
    length,
    list_of,
    text_of,
    whole,
)
from frontdesk.desks.booking.rules_file.problems import Problems
from frontdesk.desks.booking.rules_file.resource_schema import (
    AT_MOST,
    AWAY,
    BLACKOUT,
    CALENDAR,
    CAPS,
    CLOSED,
    DATED,
    EXTRA,
    MOST_DATED,
    RESOURCE,
    SPECIAL,
)
from frontdesk.desks.booking.rules_file.service_schema import (
    ALL_SERVICES,
    BUFFER,
    QUESTION,
    SERVICE,
)
from frontdesk.desks.booking.rules_file.time_kinds import QUIET, RANGE, WEEK

MOST_SERVICES: Final = 200
MOST_RESOURCES: Final = 200
PARTS_OF_DAY: Final = {
    "early morning": "7:00-9:30",
    "morning": "8:00-12:00",
    "lunch": "12:00-13:30",
    "afternoon": "12:00-17:00",
    "after work": "17:00-20:00",
    "evening": "18:00-21:00",
    "night": "20:00-24:00",
}

_MINUTE, _DAY, _NONE = timedelta(minutes=1), timedelta(days=1), timedelta()

PARTS: Final = Section(
    "parts of the day",
    "The meaning of the words that customers use in mails.",
    tuple(
        Key(name, RANGE, f"The hours that are meant by '{name}'.", example)
        for name, example in PARTS_OF_DAY.items()
    ),
)
FILE: Final = Section(
    "rules.yml",
    "The keys of the file.",
    (
        Key(
            "hours",
            WEEK,
            "The opening hours of the business. Staff and rooms without hours have these.",
            "{mon-fri: 9:00-12:30 13:30-18:00, sat: 9:00-14:00}",
            "never open",
        ),
        Key(
            "closed",
            list_of(group_of(CLOSED), MOST_DATED),
            "Dates on which the whole business is closed.",
            "[{on: 2026-12-24..2026-12-26, note: Christmas}]",
            "none",
        ),
        SPECIAL,
        EXTRA,
        Key(
            "blackouts",
            list_of(group_of(BLACKOUT), MOST_DATED),
            "Times without bookings although the business is open.",
            "[{on: 2026-11-27, hours: 14:00-16:00, note: Training}]",
            "none",
        ),
        AT_MOST,
        Key(
            "staff",
            named(RESOURCE, read_id, MOST_RESOURCES),
            "The team. Each member has an id.",
            "{mira: {name: Mira}}",
            "nobody",
        ),
        Key(
            "rooms",
            named(RESOURCE, read_id, MOST_RESOURCES),
            "Rooms, chairs and tables.",
            "{chair-1: {name: Chair 1}}",
            "none",
        ),
        Key(
            "devices",
            named(RESOURCE, read_id, MOST_RESOURCES),
            "Devices that a service needs.",
            "{laser: {name: Laser}}",
            "none",
        ),
        Key(
            "pools",
            Kind(
                "names, each with a list of ids",
                lambda node, problems: _read_pools(node, problems),
                {"type": "object", "additionalProperties": {"type": "array"}},
            ),
            "Names for several rooms or devices of which a service needs any one.",
            "{chairs: [chair-1, chair-2]}",
            "none",
        ),
        Key(
            "all services",
            group_of(ALL_SERVICES),
            "Rules for every service that does not have its own.",
            "{notice: 4 hours, start every: 30 min}",
            "see all services",
        ),
        Key(
            "services",
            named(SERVICE, read_name, MOST_SERVICES),
            "The services that can be booked.",
            "{Haircut: {minutes: 45, price: 55, staff: [mira]}}",
            "nothing can be booked",
        ),
        Key(
            "parts of the day",
            group_of(PARTS),
            "The meaning of words such as 'morning' in mails of customers.",
            "{morning: 8:00-12:00, after work: 17:00-20:00}",
            "usual hours",
            field="parts_of_day",
        ),
        Key(
            "ranking",
            list_of(choice(each.value for each in Preference), len(Preference)),
            "The order of preferences between times that are all possible.",
            "[wished, no small gaps, touching, spread, earliest]",
            "as in the example",
        ),
        Key("proposals", whole(1, 5), "How many times are proposed.", "2", "3"),
        Key(
            "hold form for",
            length(_NONE, 30 * _MINUTE, example="5 min"),
            "How long a time is held while somebody fills in the form; 0 min holds nothing.",
            "10 min",
            "5 min",
            field="hold_for",
        ),
        Key(
            "hold proposals",
            YES_NO,
            "Whether proposed times are held until the customer answers, for a day at most.",
            "yes",
            "no",
        ),
        Key(
            "reminders",
            list_of(length(5 * _MINUTE, 30 * _DAY, example="1 day"), 4),
            "How long before the start customers are reminded; [] for no reminders.",
            "[2 days, 2 hours]",
            "[1 day, 1 hour]",
        ),
        Key(
            "quiet hours",
            QUIET,
            "Hours in which reminders wait.",
            "22:00-7:00",
            "21:00-8:00",
            field="quiet",
        ),
        Key(
            "event title",
            text_of(120),
            "The title of events in the calendars of staff. It may use {service},"
            " {first_name}, {name}, {party} and {price}.",
            "'{service}, {name}'",
            "{service}, {first_name}",
        ),
        Key(
            "certain from",
            PERCENT,
            "A mail that is read with less certainty becomes a draft for staff; a guess always"
            " does.",
            "90%",
            "80%",
        ),
        Key(
            "tone",
            text_of(MOST_LONG_TEXT),
            "How messages to customers should sound, in your words. Those who edit the email"
            " templates see it; it changes no message.",
            "Warm and short. We say du.",
            "none",
        ),
        Key(
            "calendar max age",
            length(5 * _MINUTE, _DAY, example="10 min"),
            "A calendar that was read longer ago offers no times.",
            "15 min",
            "10 min",
        ),
    ),
)
#: All sections, in the order of the reference page.
SECTIONS: Final = (
    FILE,
    RESOURCE,
    SERVICE,
    ALL_SERVICES,
    BUFFER,
    QUESTION,
    CAPS,
    CLOSED,
    AWAY,
    DATED,
    BLACKOUT,
    CALENDAR,
    PARTS,
)


def _read_pools(node: YamlNode, problems: Problems) -> tuple[tuple[YamlText, Any], ...] | None:
    if isinstance(node, YamlText) and node.is_empty:
        return ()
    if not isinstance(node, YamlMap):
        problems.add(node, "write each pool under its own name, like {chairs: [chair-1, chair-2]}")
        return None
    if len(node.pairs) > MOST_RESOURCES:
        problems.add(node, f"there are too many; write at most {MOST_RESOURCES}")
        return None
    found = []
    for pair in node.pairs:
        read_id(pair.key, problems)
        if (ids := list_of(text_of()).read(pair.value, problems)) is not None:
            found.append((pair.key, ids))
    return tuple(found)
