"""Combines the days and the times of day in a text into options."""

import re
from datetime import date, datetime
from itertools import pairwise
from typing import Final

from frontdesk.reading.clock_times import ClockTime, within_part
from frontdesk.reading.model import Confidence, least
from frontdesk.reading.periods import plus
from frontdesk.reading.recurring_days import Recurring
from frontdesk.reading.when_model import DAY_ENDS, ClockRange, WhenOption
from frontdesk.reading.wished_days import DayRange, WishedDays
from frontdesk.values import Frozen, replace

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_OPTIONS: Final = 8
MOST_GAP: Final = 40


class TimesInText(Frozen):
    """The days and times in a folded text, in its order."""

    plain: str
    days: tuple[WishedDays, ...]
    clocks: tuple[ClockTime, ...]
    recurring: tuple[Recurring, ...]


class ReadOptions(Frozen):
    options: tuple[WhenOption, ...]
    not_weekdays: frozenset[int]
    not_on: tuple[tuple[date, date], ...]
    confidence: Confidence


class _Wish(Frozen):
    """Days that are wished for, with the times of day that belong to them."""

    readings: tuple[DayRange, ...]
    weekdays: frozenset[int]
    start: int
    end: int
    group: int
    confidence: Confidence
    is_before: bool = False


def options_of(said: TimesInText, now: datetime) -> ReadOptions:
    wishes = _wishes(said, now.date())
    chains = _chains(said)
    owned = _attached(said, wishes, chains)
    used = {id(clock) for _, own in owned for chain in own for clock in chain}
    is_all = all(id(clock) in used for clock in said.clocks)
    confidence = CONFIDENT if is_all or not owned else LIKELY
    options: list[WhenOption] = []
    for wish, clocks in owned:
        readings = _clock_readings(clocks)
        is_open = len(wish.readings) > 1 or len(readings) > 1
        confidence = least(confidence, wish.confidence, LIKELY if is_open else CONFIDENT)
        read = [(days, clocks_read) for clocks_read in readings for days in wish.readings]
        is_clock = any(time.part is None for chain in clocks for time in chain)
        if is_clock and any(_is_moment(*each) or _is_of_one_end(*each) for each in read):
            confidence = least(confidence, LIKELY)
        options += [each for days, own in read for each in _options(days, own, wish)]
    options = list(dict.fromkeys(options))
    ahead = [each for each in options if not _is_past(each, now)]
    if len(ahead) < len(options):
        confidence = least(confidence, LIKELY if ahead else UNSURE)
    excluded = [each for each in said.days if each.is_excluded]
    not_weekdays = frozenset(
        day for each in said.recurring if each.is_refused for day in each.weekdays
    )
    is_wide = not options or any(_is_wide(each) for each in options)
    by_weekday = frozenset(
        each.weekday for each in excluded if each.weekday is not None and is_wide
    )
    not_on = tuple(
        (first, last)
        for each in excluded
        if each.weekday is None or not is_wide
        for first, last in each.readings[:1]
        if first and last
    )
    return ReadOptions(
        tuple((ahead or options)[:MOST_OPTIONS]), not_weekdays | by_weekday, not_on, confidence
    )


def _is_moment(days: DayRange, clocks: tuple[ClockRange, ...]) -> bool:
    """Returns whether a time of day belongs to the one end of a wish: 'until Friday noon'."""
    is_point = len(clocks) == 1 and clocks[0].earliest == clocks[0].latest
    return is_point and (days[0] is None) != (days[1] is None)


def _is_of_one_end(days: DayRange, clocks: tuple[ClockRange, ...]) -> bool:
    """Returns whether times may belong to one end of several days, not to each of them.

    'From 4pm today to 5pm tomorrow', 'from Thursday, 3pm to 5pm'.
    """
    is_long = days[0] != days[1]
    points = [each for each in clocks if each.earliest == each.latest]
    is_mixed = bool(points) and len(clocks) > 1
    is_range = any(0 < each.earliest < each.latest < DAY_ENDS for each in clocks)
    return is_long and (is_mixed or (is_range and days[1] is None and days[0] is not None))


def _options(days: DayRange, clocks: tuple[ClockRange, ...], wish: _Wish) -> list[WhenOption]:
    first, last = days
    weekdays = wish.weekdays
    if not _is_moment(days, clocks):
        return [WhenOption(first, last, clocks=clocks, weekdays=weekdays)]
    at = clocks[0].earliest
    if last is not None:
        last = plus(last, 1) if wish.is_before else last
        end = WhenOption(last, last, clocks=(ClockRange(0, at),), weekdays=weekdays)
        return [end, WhenOption(None, plus(last, -1), weekdays=weekdays)]
    assert first is not None
    start = WhenOption(first, first, clocks=(ClockRange(at, DAY_ENDS),), weekdays=weekdays)
    return [start, WhenOption(plus(first, 1), None, weekdays=weekdays)]


def _is_wide(option: WhenOption) -> bool:
    return option.first_on is None or option.first_on != option.last_on


def _wishes(said: TimesInText, today: date) -> list[_Wish]:
    """Returns the days and weekdays that are wished for; a range takes the weekdays beside it."""
    wished = [each for each in said.days if not each.is_excluded]
    weekdays = [each for each in said.recurring if not each.is_refused]
    all_weekdays = frozenset(day for each in weekdays for day in each.weekdays)
    ranges = [each for each in wished if _is_range(each.readings[0])]
    found = [
        _Wish(
            each.readings,
            all_weekdays if each in ranges else frozenset(),
            each.start,
            each.end,
            each.group,
            each.confidence,
            each.is_before,
        )
        for each in _merged(wished)
    ]
    if not ranges:
        group = -1
        for recurring in weekdays:
            found.append(
                _Wish(
                    ((None, None),),
                    recurring.weekdays,
                    recurring.start,
                    recurring.end,
                    group,
                    CONFIDENT,
                )
            )
            group -= 1
    is_today = any(each.is_today for each in said.clocks)
    if not found and is_today:
        clock = next(each for each in said.clocks if each.is_today)
        found.append(_Wish(((today, today),), frozenset(), clock.start, clock.start, 0, CONFIDENT))
    return sorted(found, key=lambda each: each.start)


def _is_range(days: DayRange) -> bool:
    return days[0] != days[1]


def _merged(days: list[WishedDays]) -> list[WishedDays]:
    """Joins an open beginning and an open end: 'after the 15th, before the 20th'."""
    firsts = [each for each in days if each.readings[0][1] is None]
    lasts = [each for each in days if each.readings[0][0] is None]
    if len(firsts) != 1 or len(lasts) != 1:
        return days
    first, last = firsts[0].readings[0][0], lasts[0].readings[0][1]
    if first is None or last is None or first > last:
        return days
    joined = WishedDays(
        ((first, last),),
        least(firsts[0].confidence, lasts[0].confidence),
        min(firsts[0].start, lasts[0].start),
        max(firsts[0].end, lasts[0].end),
        firsts[0].group,
    )
    others = [each for each in days if each not in (firsts[0], lasts[0])]
    return sorted([*others, joined], key=lambda each: each.start)


def _chains(said: TimesInText) -> list[list[ClockTime]]:
    """Groups the times of each list: 'mornings or after 5'."""
    chains = [[clock] for clock in said.clocks[:1]]
    for one, other in pairwise(said.clocks):
        if _OR.fullmatch(said.plain, one.end, other.start) and not _narrows(said.plain, one, other):
            chains[-1].append(other)
        else:
            chains.append([other])
    return chains


def _narrows(plain: str, one: ClockTime, other: ClockTime) -> bool:
    """Returns whether a comma stands in one wish: 'in the afternoon, from 4 on'."""
    is_comma = plain[one.end : other.start].strip() == ","
    return is_comma and (one.part is None) != (other.part is None)


_OR: Final = re.compile(
    r"\s{0,3}(?:,|/|&|;|(?:or|and|oder|und|ou|et|o|u|y|but|aber|mais|pero)\b)\s{0,3}"
    r"(?:(?:or|oder|ou|o|even|also|auch)\s{1,3})?"
)


def _attached(
    said: TimesInText, wishes: list[_Wish], chains: list[list[ClockTime]]
) -> list[tuple[_Wish, list[list[ClockTime]]]]:
    """Gives each chain of times to the days beside it, or to all days that have none."""
    if not wishes:
        anywhen = _Wish(((None, None),), frozenset(), 0, 0, 0, CONFIDENT)
        return [(anywhen, chains)] if chains else []
    owned: dict[int, list[list[ClockTime]]] = {}
    before: set[int] = set()
    loose: list[list[ClockTime]] = []
    end, last = 0, None
    for chain in chains:
        at = _beside(said.plain, wishes, chain)
        if at is None and _MORE_EXACTLY.fullmatch(said.plain, end, chain[0].start):
            at = last  # 'Saturday in the morning, before 11', '…, preferably at 10'
        end, last = chain[-1].end, at
        if at is None:
            loose.append(chain)
            continue
        owned.setdefault(at, []).append(chain)
        if chain[0].start < wishes[at].start:
            before.add(at)
    found = []
    for at, wish in enumerate(wishes):
        clocks = owned.get(at)
        if clocks is None:
            clocks = _inherited(at, wishes, owned, before)
        found.append((wish, clocks or loose))
    return found


_MORE_EXACTLY: Final = re.compile(
    r"[\s,;(]{0,4}(?:(?:preferably|ideally|best|say|am besten|am liebsten|gerne?|idealerweise"
    r"|de preference|plutot|idealement|si possible|mejor|preferiblemente|de preferencia"
    r"|a poder ser|si puede ser)[\s,]{1,3})?"
)


def _inherited(
    at: int, wishes: list[_Wish], owned: dict[int, list[list[ClockTime]]], before: set[int]
) -> list[list[ClockTime]] | None:
    """Gives times to all days of a list: 'Tuesday or Thursday after 5', 'at 3 on Mon or Fri'."""
    behind = range(at + 1, len(wishes))
    for other in (*behind, *range(at - 1, -1, -1)):
        if wishes[other].group != wishes[at].group and wishes[at].group >= 0:
            continue
        if other in owned and (other > at) != (other in before):
            return owned[other]
    return None


def _beside(plain: str, wishes: list[_Wish], chain: list[ClockTime]) -> int | None:
    start, end = chain[0].start, chain[-1].end
    left = right = None
    for at, wish in enumerate(wishes):
        if wish.end <= start and _NEAR.fullmatch(plain[wish.end : start][: MOST_GAP + 1]):
            left = at
        if (
            right is None
            and end <= wish.start
            and _NEAR.fullmatch(plain[end : wish.start][: MOST_GAP + 1])
        ):
            right = at
        if wish.start <= start and end <= wish.end:
            return at
    if left is None or right is None:
        return right if left is None else left
    gap = plain[wishes[left].end : start]
    return right if "," in gap and "," not in plain[end : wishes[right].start] else left


_NEAR: Final = re.compile(
    r"[\s,(:-]{0,4}(?:(?:on|at|in|am|um|den|dem|der|le|la|el|the|of|for|from|de|del|du|des|any"
    r"|preferably"
    r"|ideally|am liebsten|de preference|please|bitte|only|nur|@|try|morning|appointment|is"
    r"|would be|if possible)"
    r"[\s,]{1,4}){0,3}"
)


def _clock_readings(chains: list[list[ClockTime]]) -> list[tuple[ClockRange, ...]]:
    """Returns the readings of all times together."""
    clocks = [clock for chain in _narrowed(chains) for clock in chain]
    wished = [each for each in clocks if not each.is_refused]
    refused = [
        _complement(each.readings[0])
        for each in clocks
        if each.is_refused and each.readings[0].earliest != each.readings[0].latest
    ]
    count = max((len(each.readings) for each in wished), default=1)
    is_between = sorted(each.bound for each in wished) == ["after", "before"]
    found = []
    for at in range(count):
        of_reading = [each.readings[min(at, len(each.readings) - 1)] for each in wished]
        of_reading = _between(of_reading) if is_between else of_reading
        found.append(tuple(dict.fromkeys(of_reading or [c for each in refused for c in each])))
    return list(dict.fromkeys(found))


def _between(clocks: list[ClockRange]) -> list[ClockRange]:
    """Joins 'after 9:30, but before 11'; 'before 9 or after 5' stays apart."""
    earliest = max(each.earliest for each in clocks)
    latest = min(each.latest for each in clocks)
    return [ClockRange(earliest, latest)] if earliest < latest else clocks


def _narrowed(chains: list[list[ClockTime]]) -> list[list[ClockTime]]:
    """Uses a part of the day to choose the reading of an hour: 'at 3 on Tuesday afternoon'."""
    if len(chains) == 2 and all(len(chain) == 1 and chain[0].part for chain in chains):
        return _common_part(chains[0][0], chains[1][0]) or chains
    parts = [chain[0].part for chain in chains if len(chain) == 1 and chain[0].part]
    others = [chain for chain in chains if not (len(chain) == 1 and chain[0].part)]
    if len(parts) != 1 or not others or parts[0] is None:
        return chains
    return [[within_part(clock, parts[0]) for clock in chain] for chain in others]


def _common_part(one: ClockTime, other: ClockTime) -> list[list[ClockTime]]:
    """Returns the time that two parts have in common: 'first thing on Monday morning'."""
    clock, there = one.readings[0], other.readings[0]
    earliest = max(clock.earliest, there.earliest)
    latest = min(clock.latest, there.latest)
    is_wished = not one.is_refused and not other.is_refused and earliest < latest
    return [[replace(one, readings=(ClockRange(earliest, latest),))]] if is_wished else []


def _complement(clock: ClockRange) -> list[ClockRange]:
    """Returns the times before and after one that does not suit."""
    found = [ClockRange(0, clock.earliest), ClockRange(clock.latest, DAY_ENDS)]
    is_morning = clock.latest <= 13 * 60
    return found[1:] if is_morning else found[:1] if clock.latest >= 20 * 60 else found


def _is_past(option: WhenOption, now: datetime) -> bool:
    today, minutes = now.date(), now.hour * 60 + now.minute
    if option.last_on is not None and option.last_on < today:
        return True
    is_today = option.first_on == option.last_on == today
    return is_today and bool(option.clocks) and all(c.latest < minutes for c in option.clocks)
