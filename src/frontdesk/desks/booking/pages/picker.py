"""View models of the times to choose from: the best ones, a month or week, the times of a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import ENGLISH, parse_instant, to_wall, zone_name
from frontdesk.core.words import count
from frontdesk.desks.booking.pages.addresses import Address
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.wish_wording import date_text, day_text
from frontdesk.values import Frozen

_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
#: The week shows the first times of each day; a link leads to all of them.
MOST_IN_A_WEEK: Final = 6
#: The ends of the parts of the day in minutes, unless the rules name others.
_MORNING_ENDS: Final = 12 * 60
_AFTERNOON_ENDS: Final = 17 * 60


class Zones(Frozen):
    """The time zone of the business, and the one in which the visitor reads times."""

    business: ZoneInfo
    shown: ZoneInfo

    @property
    def differ(self) -> bool:
        return self.business.key != self.shown.key

    def on(self, at: datetime) -> date:
        """The day in the zone of the business. The visitor's zone changes labels only."""
        return to_wall(at, self.business).date()


class TimeChoice(Frozen):
    """A time as the template shows it: a button."""

    value: str
    """The instant, for the form."""
    clock: str
    day: str
    """'Tue 24 Nov'."""
    note: str = ""
    """'Wed' if it is another day in the visitor's zone; 'CET' if the clock shows it twice."""


class TimeGroup(Frozen):
    name: str
    times: tuple[TimeChoice, ...]


class DayCell(Frozen):
    """A day of the month. Without an address it cannot be picked."""

    iso: str
    number: int
    label: str
    url: str = ""
    is_selected: bool = False
    is_today: bool = False


class MonthPicker(Frozen):
    title: str
    weeks: tuple[tuple[DayCell | None, ...], ...]
    previous_url: str
    next_url: str


class WeekDay(Frozen):
    iso: str
    title: str
    label: str
    """The full date, which is read aloud."""
    times: tuple[TimeChoice, ...]
    more: str = ""
    """'All 14 times'; empty if all are shown."""
    url: str = ""


class WeekPicker(Frozen):
    title: str
    days: tuple[WeekDay, ...]
    previous_url: str
    next_url: str


class DayView(Frozen):
    iso: str
    title: str
    parts: tuple[TimeGroup, ...]
    count: str


# --- times ------------------------------------------------------------------------------------


def instant_text(at: datetime) -> str:
    """'2026-11-24T02:15Z'."""
    return f"{at.astimezone(UTC).isoformat()[:16]}Z"


def read_instant(text: str) -> datetime | None:
    """Reads the instant of a form; None if it is missing or wrong."""
    try:
        return parse_instant(text) if text else None
    except (ValueError, OverflowError):
        return None


def _tiny_day(on: date, today: date) -> str:
    """'Tue 24 Nov'; with the year if it is another one."""
    year = f" {on.year}" if on.year != today.year else ""
    return f"{ENGLISH.weekdays[on.weekday()][:3]} {on.day} {ENGLISH.months[on.month - 1][:3]}{year}"


def time_text(at: datetime, zones: Zones, now: datetime) -> str:
    """'Tuesday 24 November, 10:15 (SGT)'."""
    wall, today = to_wall(at, zones.shown), to_wall(now, zones.shown).date()
    name = zone_name(at, zones.shown)
    return f"{day_text(wall.date(), today)}, {wall:%H:%M} ({name})"


def time_choice(at: datetime, zones: Zones, now: datetime) -> TimeChoice:
    return _time_choice(at, zones, to_wall(now, zones.shown).date())


@lru_cache(maxsize=4_096)  # the page is made anew after each booking, mostly with the same times
def _time_choice(at: datetime, zones: Zones, today: date) -> TimeChoice:
    wall, here = to_wall(at, zones.shown), to_wall(at, zones.business)
    other_day = wall.date() != here.date()
    return TimeChoice(
        value=instant_text(at),
        clock=f"{wall:%H:%M}",
        day=_tiny_day(wall.date(), today),
        note=_note(at, wall, zones.shown, other_day=other_day),
    )


def _note(at: datetime, wall: datetime, tz: ZoneInfo, *, other_day: bool) -> str:
    """The weekday if it differs, and the zone if the wall time occurs twice that day."""
    parts = [ENGLISH.weekdays[wall.weekday()][:3]] if other_day else []
    local = wall.replace(tzinfo=tz)
    if local.utcoffset() != local.replace(fold=1).utcoffset():
        parts.append(zone_name(at, tz))
    return " ".join(parts)


# --- a day ------------------------------------------------------------------------------------


def day_view(
    on: date, starts: Sequence[datetime], zones: Zones, rules: BookingRules, now: datetime
) -> DayView:
    """The times of one day of the business, by part of the day."""
    ends = _part_ends(rules)
    groups = groupby(starts, key=lambda at: _part(at, zones, ends))
    return DayView(
        iso=on.isoformat(),
        title=day_text(on, zones.on(now)),
        parts=tuple(
            TimeGroup(name, tuple(time_choice(at, zones, now) for at in times))
            for name, times in groups
        ),
        count=count(len(starts), "time"),
    )


def _part_ends(rules: BookingRules) -> tuple[int, int]:
    ends = {one.name: one.period.end for one in rules.parts_of_day}
    return ends.get("morning", _MORNING_ENDS), ends.get("afternoon", _AFTERNOON_ENDS)


def _part(at: datetime, zones: Zones, ends: tuple[int, int]) -> str:
    """The part of the day in the zone that the labels are in."""
    wall = to_wall(at, zones.shown)
    minute = wall.hour * 60 + wall.minute
    morning_ends, afternoon_ends = ends
    if minute < morning_ends:
        return "Morning"
    return "Afternoon" if minute < afternoon_ends else "Evening"


# --- a month ----------------------------------------------------------------------------------


def month_start(on: date) -> date:
    return on.replace(day=1)


def next_month(on: date) -> date:
    return (month_start(on) + 32 * _DAY).replace(day=1)


def month_view(
    first_on: date,
    free: Mapping[date, int],
    address: Address,
    *,
    selected: date | None,
    today: date,
    last_on: date,
) -> MonthPicker:
    """A month with its days. `free` counts the times of each day; `last_on` is the last day to
    book."""
    after = next_month(first_on)
    cells: list[DayCell | None] = [None] * first_on.weekday()
    for number in range((after - first_on).days):
        on = first_on + number * _DAY
        cells.append(_cell(on, free.get(on, 0), address, selected=selected, today=today))
    cells += [None] * (-len(cells) % 7)
    weeks = (tuple(cells[at : at + 7]) for at in range(0, len(cells), 7))
    previous = month_start(first_on - _DAY)
    return MonthPicker(
        title=f"{ENGLISH.months[first_on.month - 1]} {first_on.year}",
        weeks=tuple(week for week in weeks if not _is_over(week, today)),
        previous_url=_from(address, previous) if previous >= month_start(today) else "",
        next_url=_from(address, after) if after <= last_on else "",
    )


def _is_over(week: Sequence[DayCell | None], today: date) -> bool:
    """Whether the week is over. The month leaves out such weeks."""
    return all(cell is None or cell.iso < today.isoformat() for cell in week)


def _cell(on: date, times: int, address: Address, *, selected: date | None, today: date) -> DayCell:
    label = day_text(on, today)
    return DayCell(
        iso=on.isoformat(),
        number=on.day,
        label=f"{label}, {count(times, 'time')}" if times else f"{label}, no times",
        url=address.url(part="times", day=on.isoformat(), **_NO_FROM) if times else "",
        is_selected=on == selected,
        is_today=on == today,
    )


_NO_FROM: Final = {"from": ""}


def _from(address: Address, first_on: date) -> str:
    return address.url(part="days", day="", **{"from": first_on.isoformat()})


# --- a week -----------------------------------------------------------------------------------


def week_start(on: date) -> date:
    return on - on.weekday() * _DAY


def week_view(
    first_on: date,
    starts: Sequence[Sequence[datetime]],
    address: Address,
    zones: Zones,
    now: datetime,
    *,
    last_on: date,
) -> WeekPicker:
    """Seven days from Monday. `starts` has the times of each day."""
    today = zones.on(now)
    days = [first_on + number * _DAY for number in range(7)]
    previous, after = first_on - _WEEK, first_on + _WEEK
    return WeekPicker(
        title=_week_title(days[0], days[-1], today),
        days=tuple(
            _week_day(on, of_day, address, zones, now)
            for on, of_day in zip(days, starts, strict=True)
            if on >= today
        ),
        previous_url=_from(address, previous) if previous >= week_start(today) else "",
        next_url=_from(address, after) if after <= last_on else "",
    )


def _week_title(first_on: date, last_on: date, today: date) -> str:
    """'16 to 22 November' or '30 November to 6 December'."""
    is_one = (first_on.year, first_on.month) == (last_on.year, last_on.month)
    first = str(first_on.day) if is_one else date_text(first_on, today)
    return f"{first} to {date_text(last_on, today)}"


def _week_day(
    on: date, starts: Sequence[datetime], address: Address, zones: Zones, now: datetime
) -> WeekDay:
    is_long = len(starts) > MOST_IN_A_WEEK
    shown = _spread(starts, MOST_IN_A_WEEK) if is_long else starts
    return WeekDay(
        iso=on.isoformat(),
        title=day_text(on, zones.on(now), short=True),
        label=day_text(on, zones.on(now)),
        times=tuple(time_choice(at, zones, now) for at in shown),
        more=f"All {count(len(starts), 'time')}" if is_long else "",
        url=address.url(part="times", day=on.isoformat(), view="", **_NO_FROM) if is_long else "",
    )


def _spread(starts: Sequence[datetime], most: int) -> Sequence[datetime]:
    """Picks the first, the last and some of the times between them."""
    steps = [round(number * (len(starts) - 1) / (most - 1)) for number in range(most)]
    return [starts[step] for step in steps]
