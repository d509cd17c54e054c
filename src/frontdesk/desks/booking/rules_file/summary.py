"""Summarises `rules.yml` in sentences, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from frontdesk.core.words import count, how_long
from frontdesk.desks.booking.rules import (
    Approval,
    BookingRules,
    Cap,
    DatedHours,
    Period,
    Resource,
    ResourceKind,
    ServiceRules,
    WeekHours,
)
from frontdesk.desks.booking.rules_file.edits import grouped
from frontdesk.desks.booking.rules_file.kinds import MINUTE
from frontdesk.desks.booking.rules_file.time_kinds import clock
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class RuleSentence(Frozen):
    line: int
    sentence: str


class Understood(Frozen):
    """The sentences about one part of the file."""

    title: str
    echoes: tuple[RuleSentence, ...]


def summary(rules: BookingRules, catalogue: Catalogue) -> tuple[Understood, ...]:
    """Summarises the rules. `catalogue` has the currency."""
    parts = (
        Understood("Opening hours", tuple(_opening(rules))),
        Understood("Team, rooms and devices", tuple(_resource(one) for one in rules.resources)),
        Understood("Services", tuple(_service(one, rules, catalogue) for one in rules.services)),
    )
    return tuple(part for part in parts if part.echoes)


def _opening(rules: BookingRules) -> Iterator[RuleSentence]:
    for days in grouped(rules.hours, range(7)):
        if periods := rules.hours[days[0]]:
            yield RuleSentence(periods[0].line, f"{_days(days)}: {hours_words(periods)}.")
    for one in rules.closed:
        yield RuleSentence(one.line, f"{dated_words(one)}.")
    for each in rules.blackouts:
        hours = f", {hours_words([each.period])}" if each.period else ""
        which = f" for {', '.join(each.services)}" if each.services else ""
        said = f"No bookings{which} on {_dates(each.first_on, each.last_on)}{hours}"
        yield RuleSentence(each.line, f"{said}{_note(each.note)}.")
    for cap in rules.caps:
        yield RuleSentence(cap.line, f"At most {_cap(cap)}.")


def _resource(one: Resource) -> RuleSentence:
    hours = "the hours of the business" if one.hours is None else week_words(one.hours)
    parts = [f"{one.name}: {hours}"]
    if one.capacity > 1:
        parts.append(f"{one.capacity} people at a time")
    is_staff = one.kind is ResourceKind.STAFF
    parts += [dated_words(each, is_staff=is_staff) for each in one.exceptions[:5]]
    if len(one.exceptions) > 5:
        parts.append(f"{count(len(one.exceptions) - 5, 'more date')}")
    parts += [f"at most {_cap(cap)}" for cap in one.caps]
    parts += [f"calendar {each.name}" for each in one.calendars]
    return RuleSentence(one.line, f"{'; '.join(parts)}.")


def _service(one: ServiceRules, rules: BookingRules, catalogue: Catalogue) -> RuleSentence:
    names = {each.id: each.name for each in rules.resources}
    needs = [" or ".join(names.get(each, each) for each in need.anyone_of) for need in one.needs]
    parts = [f"{one.name}: {how_long(one.duration)}"]
    if one.price_cents:
        parts.append(catalogue.price(one.price_cents))
    parts.append(f"needs {' and '.join(needs)}")
    if one.buffer_before or one.buffer_after:
        sides = ((one.buffer_before, "before"), (one.buffer_after, "after"))
        free = [f"{how_long(each)} {side}" for each, side in sides if each]
        parts.append(f"kept free: {' and '.join(free)}")
    parts.append(f"starts every {how_long(one.step)}")
    parts.append(f"booked {_notice(one)}")
    if one.approval is not Approval.NEVER:
        parts.append(f"approved by staff: {one.approval}")
    if one.questions:
        parts.append(count(len(one.questions), "question"))
    parts += [f"at most {_cap(cap)}" for cap in one.caps]
    if one.unlisted:
        parts.append("by private link only")
    return RuleSentence(one.line, f"{'; '.join(parts)}.")


def _notice(one: ServiceRules) -> str:
    if not one.notice:
        return f"up to {how_long(one.horizon)} ahead"
    return f"{how_long(one.notice)} to {how_long(one.horizon)} ahead"


def week_words(week: WeekHours) -> str:
    """'Monday to Friday 9:00–17:00, Saturday 9:00–14:00'."""
    groups = (days for days in grouped(week, range(7)) if week[days[0]])
    return ", ".join(f"{_days(days)} {hours_words(week[days[0]])}" for days in groups) or "no hours"


def hours_words(periods: Sequence[Period]) -> str:
    return " and ".join(f"{clock(one.start)}–{clock(one.end % 1440 or 1440)}" for one in periods)


def _days(days: Sequence[int]) -> str:
    first, last = WEEKDAYS[days[0]], WEEKDAYS[days[-1]]
    return first if len(days) == 1 else f"{first} to {last}"


def dated_words(one: DatedHours, *, is_staff: bool = False) -> str:
    on, note = _dates(one.first_on, one.last_on), _note(one.note)
    if not one.periods:
        return f"{'away' if is_staff else 'closed'} on {on}{note}"
    more = "also " if one.extra else ""
    return f"{more}{hours_words(one.periods)} on {on}{note}"


def _dates(first_on: date, last_on: date) -> str:
    first = f"{first_on:%a} {first_on.day} {first_on:%b %Y}"
    if first_on == last_on:
        return first
    return f"{first} to {last_on:%a} {last_on.day} {last_on:%b %Y}"


def _note(note: str) -> str:
    return f" ({note})" if note else ""


def _cap(cap: Cap) -> str:
    parts = [] if cap.bookings is None else [count(cap.bookings, "booking")]
    if cap.minutes is not None:
        parts.append(how_long(cap.minutes * MINUTE))
    return f"{' and '.join(parts)} a {cap.per}"
