"""Phrases in four languages with every reading that people accept, and texts that name no time.

`phrases/*.txt` has one phrase a line, as written on Wednesday, 16 September 2026, at 10:00:

    Thursday at noon or Friday after five | 09-17 12:00 & 09-18 >17:00
    next Friday | 09-25 / 09-18

` / ` separates readings on which people differ, ` & ` the alternatives of one wish. A day has no
year if it is the next such day, and `*` stands for any day. A time is `12:00`, `9:00-11:00`,
`>17:00` (or later), `<17:00` (or earlier), or a part of the day: AM, PM, LU, EV, NT.
"""

import re
from datetime import date, datetime
from pathlib import Path

import pytest

from frontdesk.reading.model import Confidence
from frontdesk.reading.when import read_when
from frontdesk.reading.when_model import DAY_ENDS, ClockRange, PartsOfDay, When, WhenOption
from frontdesk.values import Frozen

NOW = datetime.fromisoformat("2026-09-16T10:00")
FOLDER = Path(__file__).with_name("phrases")
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_PARTS = PartsOfDay()
PARTS = {
    "AM": _PARTS.morning,
    "PM": _PARTS.afternoon,
    "LU": _PARTS.lunch,
    "EV": _PARTS.evening,
    "NT": _PARTS.night,
}


class _Wish(Frozen):
    """One accepted alternative."""

    days: tuple[date | None, date | None]
    times: tuple[ClockRange, ...]
    weekdays: frozenset[int]


def lines(name: str) -> list[tuple[str, str]]:
    """Returns text and accepted readings of each line."""
    written = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = (line.rpartition(" | ") for line in written)
    return [(text.replace("\\n", "\n"), accepted) for text, _, accepted in pairs]


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    ("language", "least"), [("en", 280), ("de", 250), ("es", 260), ("fr", 260)]
)
def test_phrases_are_read_in_a_way_that_people_accept(language: str, least: int) -> None:
    phrases = lines(language)
    wrong = [
        (text, accepted, found)
        for text, accepted in phrases
        if not _is_accepted(found := _read(text), accepted)
    ]

    assert len(phrases) >= least
    assert wrong == []


@pytest.mark.spec("BK-23")
def test_texts_that_wish_for_no_day_have_no_certain_one() -> None:
    for text, accepted in lines("no_wish"):
        found = _read(text)
        assert found is None or accepted != "none", text
        assert found is None or found.confidence is not Confidence.CONFIDENT, text


def _read(text: str) -> When | None:
    return read_when(text, NOW, PartsOfDay(), month_first=False)


def _is_accepted(found: When | None, accepted: str) -> bool:
    """Returns whether one of the readings was found. A certain answer must contain nothing else."""
    if found is None:
        return False
    for reading in accepted.split(" / "):
        wishes = [_wish(each) for each in reading.split(" & ")]
        has_all = all(any(_fits(option, wish) for option in found.options) for wish in wishes)
        has_more = any(not any(_fits(option, wish) for wish in wishes) for option in found.options)
        if has_all and not (has_more and found.confidence is Confidence.CONFIDENT):
            return True
    return False


def _wish(written: str) -> _Wish:
    days: tuple[date | None, date | None] = (None, None)
    times: list[ClockRange] = []
    weekdays: frozenset[int] = frozenset()
    for piece in written.split():
        if ".." in piece:
            first, last = piece.split("..")
            days = (_day(first), _day(last))
        elif re.fullmatch(r"(?:\d{4}-)?\d\d-\d\d", piece):
            days = (_day(piece), _day(piece))
        elif piece[0].islower():
            weekdays = _weekdays(piece)
        elif piece != "*":
            times.append(PARTS.get(piece) or _time(piece))
    return _Wish(days, tuple(times), weekdays)


def _day(written: str) -> date | None:
    if not written:
        return None
    if len(written) > len("MM-DD"):
        return date.fromisoformat(written)
    year = NOW.year + (written < f"{NOW:%m-%d}")
    return date.fromisoformat(f"{year}-{written}")


def _weekdays(written: str) -> frozenset[int]:
    if "-" in written:
        first, last = map(WEEKDAYS.index, written.split("-"))
        return frozenset(range(first, last + 1))
    return frozenset(map(WEEKDAYS.index, written.split("+")))


def _time(written: str) -> ClockRange:
    if written[0] in "<>":
        at = _minutes(written[1:])
        return ClockRange(at, DAY_ENDS) if written[0] == ">" else ClockRange(0, at)
    first, _, last = written.partition("-")
    return ClockRange(_minutes(first), _minutes(last or first))


def _minutes(written: str) -> int:
    hour, minute = written.split(":")
    return int(hour) * 60 + int(minute)


def _fits(option: WhenOption, wish: _Wish) -> bool:
    if (option.first_on, option.last_on) != wish.days:
        return False
    if (wish.weekdays and option.weekdays != wish.weekdays) or bool(wish.times) != bool(
        option.clocks
    ):
        return False
    return all(any(_overlap(time, clock) for clock in option.clocks) for time in wish.times)


def _overlap(time: ClockRange, clock: ClockRange) -> bool:
    """Compares times: a single time must be equal; of two ranges, half of the shorter is inside the
    other."""
    length = min(time.latest - time.earliest, clock.latest - clock.earliest)
    if time.earliest == time.latest:
        return time == clock
    shared = min(time.latest, clock.latest) - max(time.earliest, clock.earliest)
    return shared >= 0 and 2 * shared >= length
