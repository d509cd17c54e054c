"""Parses days and times in cells: ISO, Excel's numbers, or the format of the country."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Final

from frontdesk.core.localtime import ENGLISH, check_year, is_month_first

#: Day 0 of Excel, and the range of day numbers that we accept.
_EXCEL_ZERO: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - a day on the wall
_EXCEL_DAYS: Final = (36_526, 73_050)

_SERIAL: Final = re.compile(r"\d{5}(?:\.\d{1,20})?")
_YEAR_FIRST: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})")
_MONTHS: Final = "|".join(f"{name}|{name[:3]}" for name in (*ENGLISH.months, "Sept"))
_NAMED: Final = re.compile(
    rf"(?:[a-z]{{3,9}}\.?,? )?(?:(\d{{1,2}})(?:st|nd|rd|th)?[ -]({_MONTHS})\.?"
    rf"|({_MONTHS})\.?[ -](\d{{1,2}})(?:st|nd|rd|th)?),?[ -](\d{{4}}|\d{{2}})",
    re.IGNORECASE,
)
#: Dates without a year mean the next such day. People who write dots put the day first.
_NO_YEAR: Final = re.compile(
    rf"(?:([a-z]{{3,9}})\.?,? )?(?:(\d{{1,2}})\.?(?:st|nd|rd|th)?[ -]({_MONTHS})\.?"
    rf"|({_MONTHS})\.?[ -](\d{{1,2}})(?:st|nd|rd|th)?)",
    re.IGNORECASE,
)
_NO_YEAR_DIGITS: Final = re.compile(r"(\d{1,2})([/.])(\d{1,2})\.?")
_WEEKDAY: Final = re.compile(r"(?:(next|this|on) )?([a-z]{2,9})\.?", re.IGNORECASE)
_MOST_CHARACTERS: Final = 60
_NEAR: Final = {"today": 0, "tomorrow": 1}
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)? ?([ap]m)?", re.IGNORECASE)
_HOUR: Final = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::\d{2})?)? ?(?P<sign>[ap]\.?m\.?|h|uhr)?",
    re.IGNORECASE,
)
_MOMENT: Final = re.compile(
    r"(?P<day>.{3,40}?)(?:,? at |,? um |, ?| |(?<=\d)T)"
    r"(?P<clock>\d{1,2}(?:[:.h]\d{2}(?::\d{2})?)? ?(?:[ap]\.?m\.?|h|uhr)?)",
    re.IGNORECASE,
)
_FRACTION: Final = re.compile(r"0(?:\.\d{1,20})?")
_CLOCK: Final = re.compile(r"(?:,? |(?<=\d)T)(?=\d{1,2}:\d{2})")
_MONTH_OF: Final = {name[:3].lower(): at for at, name in enumerate(ENGLISH.months, start=1)}


class BadDay(ValueError):
    """A text is not clearly a day. The message says what to write."""


def read_day(text: str, country: str, today: date | None = None) -> date:
    """Parses a day without guessing: where 4/5 is the fourth of May, 5/14 is invalid.

    With `today`, it accepts '21 Nov', '21.11.', 'Fri', 'next Fri' and 'tomorrow'.
    """
    plain = _single_spaced(text)
    if today is not None and (found := _relative_day(plain, country, today)):
        return found
    return read_wall(text, country).date()


def _relative_day(plain: str, country: str, today: date) -> date | None:
    """Parses a day relative to today, or without a year; None if it is written in another way."""
    if (near := _NEAR.get(plain.casefold())) is not None:
        return today + timedelta(days=near)
    if found := _NO_YEAR.fullmatch(plain):
        named, number = (found[3] or found[4]), (found[2] or found[5])
        day = _next(_MONTH_OF[named[:3].lower()], int(number), today, country)
        return _on_weekday(day, found[1] or "", country)
    if found := _NO_YEAR_DIGITS.fullmatch(plain):
        first, second = int(found[1]), int(found[3])
        month_leads = is_month_first(country) and found[2] == "/"
        month, number_of_day = (first, second) if month_leads else (second, first)
        return _next(month, number_of_day, today, country)
    return _next_weekday(plain, today)


def _next(month: int, day: int, today: date, country: str) -> date:
    """The next such day; the next 29 February is at most eight years away."""
    for year in range(today.year, today.year + 9):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return found
    raise BadDay(_not_a_date(country))


def _on_weekday(day: date, weekday: str, country: str) -> date:
    """Checks that a weekday beside the date is right."""
    if not weekday:
        return day
    wanted = _weekday_of(weekday)
    if wanted is None:
        raise BadDay(_not_a_date(country))
    if wanted != day.weekday():
        name = ENGLISH.weekdays[day.weekday()]
        raise BadDay(f"{day.day} {ENGLISH.months[day.month - 1]} {day.year} is a {name}.")
    return day


def _next_weekday(plain: str, today: date) -> date | None:
    found = _WEEKDAY.fullmatch(plain)
    wanted = _weekday_of(found[2]) if found else None
    if found is None or wanted is None:
        return None
    ahead = (wanted - today.weekday()) % 7
    if ahead == 0 and (found[1] or "").casefold() == "next":
        ahead = 7
    return today + timedelta(days=ahead)


def _weekday_of(word: str) -> int | None:
    """The weekday of 'Fri', 'Friday' or 'Thurs': at least three letters of its name."""
    start = word.casefold()
    names = (name.casefold() for name in ENGLISH.weekdays)
    return next(
        (n for n, name in enumerate(names) if len(start) > 2 and name.startswith(start)), None
    )


def read_wall(text: str, country: str) -> datetime:
    """Parses a day and an optional time (default midnight), in local time."""
    plain = _single_spaced(text)
    if _SERIAL.fullmatch(plain):
        if not is_serial(plain):
            raise BadDay("This is a number, not a date.")
        return from_serial(plain)
    day, clock = _split_clock(plain)
    try:
        on = _day(day, country)
        check_year(on.year)
        return datetime.combine(on, _time(clock))
    except ValueError as wrong:
        raise wrong if isinstance(wrong, BadDay) else BadDay(_not_a_date(country)) from None


def is_serial(text: str) -> bool:
    """Whether the text is Excel's number for a day in the accepted range."""
    first, last = _EXCEL_DAYS
    return _SERIAL.fullmatch(text) is not None and first <= float(text) <= last


def from_serial(text: str) -> datetime:
    return _EXCEL_ZERO + timedelta(seconds=round(float(text) * 86_400))


def serial_of(wall: datetime) -> str:
    """Excel's number for a time."""
    since = wall - _EXCEL_ZERO
    return f"{since.days + since.seconds / 86_400:.10f}".rstrip("0").rstrip(".")


def is_part_of_day(text: str) -> bool:
    """Whether the text is Excel's number for a time of day: a fraction of a day."""
    return _FRACTION.fullmatch(text) is not None


def clock_of(text: str) -> time:
    """The time of day of Excel's number, to the minute."""
    minutes = round(float(text) * 1_440) % 1_440
    return time(minutes // 60, minutes % 60)


def number_of(text: str) -> str:
    """Excel's number for an ISO date, or for a time of day; empty for another text."""
    try:
        if _TIME.fullmatch(text):
            at = time.fromisoformat(text)
            return f"{(at.hour * 60 + at.minute) / 1_440:.10f}"
        return serial_of(datetime.fromisoformat(text))
    except ValueError:
        return ""


def read_clock(text: str) -> time:
    """Parses a time of day: '15:30', '3:30 pm', '3pm', '15.30', '15h' or '15 Uhr'. A number alone
    may mean the morning or the afternoon, so it is invalid."""
    plain = _single_spaced(text)
    if is_part_of_day(plain):
        return clock_of(plain)
    found = _HOUR.fullmatch(plain)
    try:
        if found is None or not (found["minute"] or found["sign"]):
            raise ValueError
        half = found["sign"].replace(".", "").lower() if found["sign"] else ""
        half = half if half in ("am", "pm") else ""
        return _time(f"{found['hour']}:{found['minute'] or '00'}{half}").replace(second=0)
    except ValueError:
        raise BadDay("This is not a time of day that we can read. Write it like 15:30.") from None


def read_moment(text: str, country: str, today: date) -> tuple[date, time]:
    """Parses a day and a time of day in one text."""
    plain = _single_spaced(text)
    if is_serial(plain):
        wall = from_serial(plain)
        return wall.date(), wall.time().replace(second=0)
    found = _MOMENT.fullmatch(plain)
    if found is None:
        raise BadDay("It does not say at what time. Write it like 2026-11-20 15:30.")
    return read_day(found["day"], country, today), read_clock(found["clock"])


def _single_spaced(text: str) -> str:
    return " ".join(text.split())[:_MOST_CHARACTERS]


def _split_clock(plain: str) -> tuple[str, str]:
    """Splits a text into the day and the time after it."""
    day, clock = _CLOCK.split(plain, maxsplit=1) if _CLOCK.search(plain) else (plain, "")
    return day, clock


def _time(clock: str) -> time:
    if not clock:
        return time()
    found = _TIME.fullmatch(clock)
    if found is None:
        raise ValueError
    hour, half = int(found[1]), (found[4] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if half == "pm" else 0)
    return time(hour, int(found[2]), int(found[3] or 0))


def _day(plain: str, country: str) -> date:
    if found := _YEAR_FIRST.fullmatch(plain):
        return date(int(found[1]), int(found[3]), int(found[4]))
    if found := _YEAR_LAST.fullmatch(plain):
        first, second, year = int(found[1]), int(found[3]), _year(found[4])
        month, day = (first, second) if is_month_first(country) else (second, first)
        return date(year, month, day)
    if found := _NAMED.fullmatch(plain):
        named, number = (found[2] or found[3]), (found[1] or found[4])
        return date(_year(found[5]), _MONTH_OF[named[:3].lower()], int(number))
    raise BadDay(_not_a_date(country))


def _year(digits: str) -> int:
    return int(digits) + (2000 if len(digits) == 2 else 0)


def _not_a_date(country: str) -> str:
    example = "11/20/2026" if is_month_first(country) else "20/11/2026"
    return f"This is not a date we can read. Write it like 2026-11-20 or {example}."
