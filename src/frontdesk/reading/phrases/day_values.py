"""Days that some words may mean: readings on which people differ, each in one year or several."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import (
    DAYS_JUST_PASSED,
    DatePeriod,
    day_of,
    month_of,
    plus,
    week_of,
    whole_month,
)
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
#: A date with a year that is farther away is not a wish for an appointment.
MOST_DAYS_AHEAD: Final = 730
LAST_YEAR: Final = 9998
MOST_READINGS: Final = 4
#: 29 February is at most so many years away.
YEARS_AHEAD: Final = 8

#: First and last day.
Range = tuple[date, date]
#: The same days of several years, the earliest first: the words do not say which year.
Series = tuple[Range, ...]
Grain = str


class DayReadings(Frozen):
    readings: tuple[Series, ...]
    """The best first."""
    grain: Grain
    confidence: Confidence
    weekday: int | None = None
    """Set if the words name only a weekday."""
    is_range: bool = False
    """The words name both ends."""
    is_end: bool = False
    """'the end of the month': 'before' it means up to its last day."""
    is_counted: bool = False
    """'in three weeks': a weekday beside it names the day of that week."""
    has_year: bool = False
    is_loose: bool = False
    """'the month', 'all week', 'now': no particular days that somebody chose."""


def one_day(day: date, confidence: Confidence = CONFIDENT) -> DayReadings:
    return DayReadings((((day, day),),), "day", confidence)


def whole(first: date, last: date, grain: Grain, confidence: Confidence = LIKELY) -> DayReadings:
    return DayReadings((((first, last),),), grain, confidence)


def either(grain: Grain, *ranges: Range, confidence: Confidence = LIKELY) -> DayReadings:
    """Returns several readings of the same words."""
    return DayReadings(tuple((each,) for each in dict.fromkeys(ranges)), grain, confidence)


def years_around(today: date) -> range:
    return range(max(1, today.year - 1), min(today.year + YEARS_AHEAD, LAST_YEAR) + 1)


def every_year(
    today: date,
    grain: Grain,
    in_year: Callable[[int], Range | None],
    confidence: Confidence = LIKELY,
) -> DayReadings | None:
    """Returns days without a year: the next ones are meant."""
    series = tuple(found for year in years_around(today) if (found := in_year(year)))
    return DayReadings((series,), grain, confidence) if series else None


def day_in_month(today: date, month: int, day: int, year: int | None) -> DayReadings | None:
    if year is None:
        return every_year(today, "day", lambda each: _same(day_of(each, month, day)), CONFIDENT)
    found = day_of(year, month, day)
    if found is None:
        return None
    is_near = today <= found <= plus(today, MOST_DAYS_AHEAD)
    return replace(one_day(found, CONFIDENT if is_near else UNSURE), has_year=True)


def _same(day: date | None) -> Range | None:
    return (day, day) if day else None


def month_days(today: date, month: int, year: int | None) -> DayReadings | None:
    if year is None:
        return every_year(today, "month", lambda each: whole_month(each, month), CONFIDENT)
    if not 0 < year <= LAST_YEAR:
        return None
    return replace(whole(*whole_month(year, month), "month"), has_year=True)


def year_days(year: int) -> DayReadings | None:
    if not 0 < year <= LAST_YEAR:
        return None
    return replace(whole(date(year, 1, 1), date(year, 12, 31), "year"), has_year=True)


def in_year(days: DayReadings, year: int) -> DayReadings | None:
    """Chooses one year of days without a year."""
    readings = tuple(
        tuple(each for each in series if each[0].year == year) for series in days.readings
    )
    kept = tuple(series for series in readings if series)
    return replace(days, readings=kept, has_year=True) if kept else None


def mapped(
    days: DayReadings,
    change: Callable[[date, date], Iterable[Range]],
    grain: Grain,
    confidence: Confidence = LIKELY,
) -> DayReadings | None:
    """Replaces each range by what `change` returns: its readings, the best first."""
    readings: list[Series] = []
    for series in days.readings:
        rows = [row for first, last in series if (row := list(change(first, last)))]
        width = max(map(len, rows), default=0)
        readings += [tuple(row[min(at, len(row) - 1)] for row in rows) for at in range(width)]
    kept = tuple(dict.fromkeys(readings))[:MOST_READINGS]
    return DayReadings(kept, grain, confidence, has_year=days.has_year) if kept else None


def upcoming(days: DayReadings, today: date) -> DayReadings:
    """Drops the years that have passed."""
    readings = tuple(
        tuple(each for each in series if each[1] >= today) or series[-1:]
        for series in days.readings
    )
    return replace(days, readings=readings)


def ranges_of(days: DayReadings, today: date) -> tuple[Range, ...]:
    """Returns one range for each reading: the next one that has not passed."""
    return tuple(dict.fromkeys(_next(series, today) for series in days.readings))


def _next(series: Series, today: date) -> Range:
    return next((each for each in series if each[1] >= today), series[-1])


def to_period(days: DayReadings, today: date, start: int, end: int) -> DatePeriod:
    """Converts days to a period at this position, without those that have passed."""
    (first, last), *others = ranges_of(days, today)
    confidence = days.confidence if len(days.readings) == 1 else least_likely(days.confidence)
    passed = just_passed(days, today)
    if passed:
        (first, last), others, confidence = passed, [], UNSURE
    is_whole = days.grain not in ("day", "range") and not days.is_range
    spans = [
        (max(one, today) if is_whole and other >= today and not _is_this_week(days) else one, other)
        for one, other in ((first, last), *others)
    ]
    return DatePeriod(
        *spans[0], confidence, start, end,
        weekday=days.weekday, is_week=days.grain == "week", is_range=days.is_range,
        is_end=days.is_end, is_loose=days.is_loose or days.grain == "year",
        is_far=abs((first - today).days) > MOST_DAYS_AHEAD,
        others=tuple(spans[1:]),
    )  # fmt: skip


def _is_this_week(days: DayReadings) -> bool:
    return days.grain == "week"


def least_likely(confidence: Confidence) -> Confidence:
    return LIKELY if confidence is CONFIDENT else confidence


def just_passed(days: DayReadings, today: date) -> Range | None:
    """Returns the day that has just passed, for a date without a year.

    It is more likely than the same day of next year.
    """
    if days.grain != "day" or len(days.readings[0]) < 2 or days.confidence is not CONFIDENT:
        return None
    since = plus(today, -DAYS_JUST_PASSED)
    passed = [each for each in days.readings[0] if since <= each[0] < today]
    return passed[-1] if passed else None


def unit_days(today: date, unit: str, ahead: int) -> DayReadings | None:
    """Returns the current unit of the calendar, or one that is so many units ahead."""
    match unit:
        case "day":
            return one_day(plus(today, ahead))
        case "week":
            return whole(*week_of(today, ahead), "week", CONFIDENT)
        case "weekend":
            monday, sunday = week_of(today, ahead)
            return either("weekend", (plus(monday, 5), sunday), (plus(monday, 4), sunday))
        case "month":
            return whole(*month_of(today, ahead), "month", CONFIDENT)
        case "quarter":
            first = month_of(today, 3 * ahead - (today.month - 1) % 3)[0]
            return whole(first, month_of(first, 2)[1], "quarter")
        case "halfyear":
            first = month_of(today, 6 * ahead - (today.month - 1) % 6)[0]
            return whole(first, month_of(first, 5)[1], "halfyear")
        case "year":
            return year_days(today.year + ahead)
        case _:
            return None
