"""Loads phrases about wished times, and writes what was read in the same short form."""

from datetime import date, datetime
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

from frontdesk.reading.when import read_when
from frontdesk.reading.when_model import ClockRange, PartsOfDay, When, WhenOption
from frontdesk.values import Frozen

NOW = datetime.fromisoformat("2026-11-16T10:00")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Phrase(Frozen):
    """A phrase and its reading: the options, what it excludes, and the confidence."""

    text: str
    lang: str
    options: tuple[str, ...]
    excluded: tuple[str, ...]
    confidence: str
    month_first: bool = False


@cache
def phrases() -> tuple[Phrase, ...]:
    written = YAML(typ="safe").load(Path(__file__).with_name("when_corpus.yaml"))
    return tuple(
        Phrase(
            each["text"],
            lang,
            tuple(each.get("options", ())),
            tuple(each.get("not", ())),
            each["confidence"],
            each.get("month_first", False),
        )
        for lang, group in written.items()
        for each in group
    )


def read(text: str, *, now: datetime = NOW, month_first: bool = False) -> When | None:
    return read_when(text, now, PartsOfDay(), month_first=month_first)


def options_in(found: When | None) -> tuple[str, ...]:
    return tuple(map(written, found.options)) if found else ()


def excluded_in(found: When | None) -> tuple[str, ...]:
    if found is None:
        return ()
    weekdays = (WEEKDAYS[day] for day in sorted(found.not_weekdays))
    return (*weekdays, *(_days(first, last) for first, last in found.not_on))


def written(option: WhenOption) -> str:
    """Returns text like '2026-11-17 17:00-24:00' or 'any day 07:00-12:00 mon tue'."""
    clocks = ",".join(map(_clock, option.clocks))
    weekdays = " ".join(WEEKDAYS[day] for day in sorted(option.weekdays))
    return " ".join(filter(None, (_days(option.first_on, option.last_on), clocks, weekdays)))


def _days(first: date | None, last: date | None) -> str:
    if first is None and last is None:
        return "any day"
    return f"{first}" if first == last else f"{first or ''}..{last or ''}"


def _clock(clock: ClockRange) -> str:
    ends = dict.fromkeys((clock.earliest, clock.latest))
    return "-".join(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in ends)
