"""Expands repeating events of iCalendar files: rules, dates, exceptions, and the length of each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from frontdesk.connect.calendars.ics_lines import Component, Property, Zone, instant_of, wall_of
from frontdesk.connect.calendars.ics_times import (
    BAD_TIME,
    IcsZones,
    UnclearTime,
    Wall,
    read_length,
    read_wall,
    read_wall_text,
)
from frontdesk.connect.calendars.recurrence import BadRule, Budget, occurrences, parse_rule
from frontdesk.values import Frozen

_DAY: Final = timedelta(days=1)


class TimedEvent(Frozen):
    """An event of a file with its start as written."""

    part: Component
    zones: IcsZones
    starts: Wall

    @property
    def zone(self) -> Zone:
        return self.zones.of(self.starts)


class EventLength:
    """The length of an event: whole days, or an exact time."""

    def __init__(self, event: TimedEvent, first: datetime) -> None:
        self._zone = event.zone
        ends = event.part.first("DTEND")
        if event.starts.is_day:
            self._days = max(wall_end(event.part, event.starts) - event.starts.at, _DAY)
            self.most = self._days + _DAY
            return
        self._days = timedelta()
        if ends:
            self.most = event.zones.instant(read_wall(ends)) - first
        else:
            self.most = wall_end(event.part, event.starts) - event.starts.at
        if self.most < timedelta():
            raise UnclearTime(BAD_TIME)

    def end(self, starts_at: datetime) -> datetime:
        if self._days:
            return instant_of(wall_of(starts_at, self._zone) + self._days, self._zone)
        return starts_at + self.most


def repeats(part: Component) -> bool:
    return any(name in part.properties for name in ("RRULE", "RDATE", "EXRULE"))


def rule_starts(
    event: TimedEvent,
    first: datetime,
    span: tuple[datetime, datetime],
    longest: timedelta,
    budget: Budget,
) -> Iterator[datetime]:
    """Yields the first start and those of the rules, each once, near the span or in it."""
    yield first
    if "EXRULE" in event.part.properties:
        raise BadRule("EXRULE")
    tz, seen = event.zone, {first}
    after = max(wall_of(span[0], tz) - longest - _DAY, event.starts.at)
    before = wall_of(span[1], tz) + _DAY
    for line in event.part.properties.get("RRULE", ()):
        rule = parse_rule(line.value, lambda utc: wall_of(utc.replace(tzinfo=UTC), tz))
        walls = occurrences(rule, event.starts.at, after=after, before=before, budget=budget)
        for wall in walls:
            at = instant_of(wall, tz)
            if at not in seen:
                seen.add(at)
                yield at


def dated_spans(
    event: TimedEvent, length: EventLength, budget: Budget
) -> Iterator[tuple[datetime, datetime]]:
    """Yields the dates and periods of RDATE."""
    for line in event.part.properties.get("RDATE", ()):
        for text in values(line):
            budget.spend()
            start, slash, end = text.partition("/")
            at = event.zones.instant(read_wall_text(start, line))
            yield at, period_end(at, end, line, event.zones) if slash else length.end(at)


def exceptions(event: TimedEvent, budget: Budget) -> Iterator[datetime]:
    """Yields the starts that EXDATE leaves out."""
    for line in event.part.properties.get("EXDATE", ()):
        for text in values(line):
            budget.spend()
            yield event.zones.instant(read_wall_text(text, line))


def wall_end(part: Component, starts: Wall) -> datetime:
    """The end as a wall time; it is approximate if start and end are in different zones."""
    if ends := part.first("DTEND"):
        return read_wall(ends).at
    if length := part.first("DURATION"):
        return starts.at + read_length(length.value)
    return starts.at + (_DAY if starts.is_day else timedelta())


def period_end(starts_at: datetime, text: str, line: Property, zones: IcsZones) -> datetime:
    if text[:1].upper() in ("P", "+"):
        return starts_at + read_length(text)
    return zones.instant(read_wall_text(text, line))


def values(line: Property) -> list[str]:
    return [each for part in line.value.split(",") if (each := part.strip())]
