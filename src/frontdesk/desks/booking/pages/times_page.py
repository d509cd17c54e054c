"""Builds the values of the times to choose from, for the booking page and for moving a booking."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import ENGLISH, parse_instant, to_wall, zone, zone_name
from frontdesk.desks.booking.pages.addresses import Address
from frontdesk.desks.booking.pages.board import Board, FreeTimes, PageAnswer, ShownDays, board
from frontdesk.desks.booking.pages.picker import TimeChoice, Zones, time_choice
from frontdesk.desks.booking.rules import BookingRules, ServiceRules
from frontdesk.desks.booking.search.ranking import RankedTime
from frontdesk.values import Frozen

_EXAMPLES: Final = ("Thursday after 5", "Next Tuesday morning")
#: Zones to choose from, one for each part of the world. With JavaScript the visitor's own is added.
_ZONES: Final = (
    *("Pacific/Honolulu", "America/Los_Angeles", "America/Denver", "America/Chicago"),
    *("America/New_York", "America/Sao_Paulo", "Europe/London", "Europe/Berlin", "Europe/Athens"),
    *("Europe/Istanbul", "Africa/Lagos", "Africa/Nairobi", "Asia/Dubai", "Asia/Karachi"),
    *("Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Singapore", "Asia/Tokyo"),
    *("Australia/Sydney", "Pacific/Auckland"),
)


class TimesForm(Frozen):
    """The form of the buttons of times, or of a field."""

    action: str
    hidden: Mapping[str, str]
    method: str = "post"


class SentenceField(Frozen):
    action: str
    hidden: Mapping[str, str]
    value: str = ""
    clear_url: str = ""
    example: str = _EXAMPLES[0]


class ZoneField(Frozen):
    text: str
    action: str
    hidden: Mapping[str, str]
    value: str
    options: tuple[tuple[str, str], ...]


def last_day(service: ServiceRules, zones: Zones, now: datetime) -> date:
    """The last day that can be booked."""
    return zones.on(now + min(service.horizon, timedelta(days=750)))


def best_choices(
    best: tuple[RankedTime, ...], zones: Zones, now: datetime
) -> tuple[TimeChoice, ...]:
    """The best times in the order of the calendar."""
    return tuple(time_choice(at, zones, now) for at in sorted(one.starts_at for one in best))


def times_values(
    shown: ShownDays,
    free: FreeTimes | None,
    answer: PageAnswer,
    choose: TimesForm,
    address: Address,
    zones: Zones,
    rules: BookingRules,
    now: datetime,
    *,
    last_on: date,
) -> dict[str, Any]:
    """The values that times.html needs, except those of the sentence and the waitlist."""
    view = Board()
    if free is not None:
        view = board(shown, free, address, zones, rules, now, last_on=last_on) or view
    return {
        "answer": answer,
        "choose": choose,
        "month": view.month,
        "week": view.week,
        "day": view.day,
        "views": view.views,
        "note": view.note,
        "weekdays": ENGLISH.weekdays,
        "zones": zone_field(address, zones, now, _shown_at(view)),
    }


def _shown_at(view: Board) -> datetime | None:
    """The last time in the calendar, which may be after a change of the clock."""
    lists = [one.times for one in view.day.parts] if view.day else []
    lists += [one.times for one in view.week.days if one.times] if view.week else []
    return parse_instant(lists[-1][-1].value) if lists else None


def zone_field(
    address: Address, zones: Zones, now: datetime, shown_at: datetime | None
) -> ZoneField:
    business, shown = (_names(tz, now, shown_at) for tz in (zones.business, zones.shown))
    text = f"All times are in {business}."
    if zones.differ:
        text = f"All times are shown in {shown}. The business is in {business}."
    return ZoneField(
        text=text,
        action=address.path,
        hidden=address.without("zone").params,
        value=zones.shown.key,
        options=_zone_options(zones, now.replace(second=0, microsecond=0)),
    )


def _names(tz: ZoneInfo, now: datetime, shown_at: datetime | None) -> str:
    """'CET', or 'CET or CEST' if the clock changes until then."""
    return " or ".join(dict.fromkeys(zone_name(at, tz) for at in (now, shown_at or now)))


@lru_cache(maxsize=256)  # the page is made anew after each booking
def _zone_options(zones: Zones, minute: datetime) -> tuple[tuple[str, str], ...]:
    keys = dict.fromkeys((zones.business.key, zones.shown.key, *_ZONES))
    return tuple((key, _zone_label(key, minute)) for key in keys)


def _zone_label(key: str, now: datetime) -> str:
    """'Berlin, 09:15 now'."""
    place = key.rpartition("/")[2].replace("_", " ")
    return f"{place}, {to_wall(now, zone(key)):%H:%M} now"
