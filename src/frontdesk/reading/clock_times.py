"""Finds the times of day in a text: clock times, ranges, parts of the day, 'after 5', 'by noon'."""

import re
from typing import Final, Literal

from frontdesk.reading.day_parts import DayPart, Half
from frontdesk.reading.phrases.hours import NOON, ClockAtom
from frontdesk.reading.when_model import DAY_ENDS, ClockRange
from frontdesk.values import Frozen, replace

MOST_BEFORE: Final = 32

Bound = Literal["", "after", "before", "not"]


class ClockTime(Frozen):
    """A time of day with its position. It has several readings if morning or evening is open."""

    readings: tuple[ClockRange, ...]
    start: int
    end: int
    part: DayPart | None = None
    """Set if the words name only a part of the day."""
    is_today: bool = False
    bound: Bound = ""
    is_refused: bool = False


def join_clocks(plain: str, atoms: list[ClockAtom], parts: list[DayPart]) -> list[ClockTime]:
    """Returns the times in a folded text, in order, together with their prepositions."""
    times, left = _joined(plain, atoms, parts)
    times = _in_same_half(plain, times)
    clocks = [*_ranges(plain, times), *(_of_part(plain, part) for part in left)]
    return sorted(clocks, key=lambda each: each.start)


class _Time(Frozen):
    """A clock time, and the part of the day before it: 'Tuesday morning after 9'."""

    atom: ClockAtom
    start: int
    end: int
    within: DayPart | None = None
    is_today: bool = False


_TO: Final = r"(?:-|to|(?:un)?till?|bis|a|jusqu'a|hasta|and|und|et|y)"
_LINK: Final = rf"(?P<link>\s{{0,3}}{_TO}\s{{0,3}})(?:(?:las?|um|the|les)\s{{1,3}})?"
_AND: Final = re.compile("and|und|et|y")
_BETWEEN: Final = re.compile(r"\b(?:between|zwischen|entre)\s{1,3}(?:las |les |the )?$")


def _joined(
    plain: str, atoms: list[ClockAtom], parts: list[DayPart]
) -> tuple[list[_Time], list[DayPart]]:
    """Joins each time with the part of the day beside it; returns the parts that are left."""
    left = list(parts)
    times = []
    for atom in atoms:
        time = _Time(atom, atom.start, atom.end)
        for part in left:
            is_behind = atom.end <= part.start <= atom.end + 14
            is_before = part.end <= atom.start <= part.end + 16
            if is_behind and _BEHIND.fullmatch(plain, atom.end, part.start):
                time = _Time(
                    _in_half(atom, part.half), atom.start, part.end, is_today=part.is_today
                )
            elif is_before and _BEFORE.fullmatch(plain, part.end, atom.start):
                time = _Time(_in_half(atom, part.half), part.start, atom.end, part, part.is_today)
            else:
                continue
            left.remove(part)
            break
        times.append(time)
    return times, left


_BEHIND: Final = re.compile(
    r"\s{0,3},?\s{0,3}(?:on |(?:en punto|sharp|on the dot|pile|precises?|punktlich|genau) )?"
)
_BEFORE: Final = re.compile(
    r"\s{0,3},?\s{0,3}(?:(?:at|um|a|a las?|la|vers|gegen|around|about|@|by|for|from|von"
    r"|between|zwischen"
    r"|entre|after|before|nach|vor|ab|until|bis|apres|avant|despues de|antes de"
    r"|desde|hasta|de)\s{1,3})?"
    r"(?:las )?"
)


def _in_same_half(plain: str, times: list[_Time]) -> list[_Time]:
    """Applies the 'pm' of the last time in a list to all: '2 or 3pm'."""
    found = list(times)
    for at in range(len(times) - 2, -1, -1):
        one, other = found[at], found[at + 1]
        is_list = _OR.fullmatch(plain, one.end, other.start)
        if not is_list or one.atom.is_marked or not other.atom.is_marked:
            continue
        fitting = [each for each in _halves(one.atom) if each < other.atom.minutes]
        if fitting:
            atom = replace(one.atom, minutes=max(fitting), is_marked=True)
            found[at] = replace(one, atom=atom)
    return found


_OR: Final = re.compile(
    r"\s{0,3}(?:,|/|(?:or|and|oder|und|ou|et|o|y)\b)\s{0,3}(?:(?:at|um|a|a las|las)\s{1,3})?"
)


def _in_half(atom: ClockAtom, half: Half) -> ClockAtom:
    minutes = atom.minutes
    if atom.is_marked:
        return atom
    is_small = 60 <= minutes < 5 * 60
    match half:
        case "pm":
            minutes += NOON if minutes < NOON else 0
        case "noon":
            minutes += NOON if is_small else 0
        case "night":
            minutes += -NOON if minutes >= NOON else 0 if is_small else NOON
        case _:
            pass
    return replace(atom, minutes=minutes, is_marked=True)


def _ranges(plain: str, times: list[_Time]) -> list[ClockTime]:
    found: list[ClockTime] = []
    at = 0
    while at < len(times):
        first = times[at]
        last = times[at + 1] if at + 1 < len(times) else None
        if last and _is_range(plain, first, last):
            start, _ = _before(plain, first.start, _RANGE_WORDS)
            spans = _spans(first.atom, last.atom)
            is_bare = plain[start : first.start].strip() in ("", "at", "in")
            if is_bare and _MINUTES_TO.fullmatch(plain, first.atom.start, last.atom.start):
                spans = (*spans, *_minutes_to(first.atom, last.atom))
            is_today = first.is_today or last.is_today
            found.append(ClockTime(spans, start, last.end, is_today=is_today))
            at += 2
        else:
            found.append(_bounded(plain, first))
            at += 1
    return found


_RANGE_WORDS: Final = re.compile(
    r"(?:(?:any ?time|some ?time|irgendwann|(?P<no>not|nicht))\s{1,3})?\b(?:between|from"
    r"|zwischen|von|entre"
    r"|de|desde|des|at|um|in)\s{1,3}(?:las |el )?$"
)


def _minutes_to(minutes: ClockAtom, hour: ClockAtom) -> tuple[ClockRange, ...]:
    """Reads 'ten to four' as ten minutes before four."""
    starts = [each - minutes.minutes // 60 for each in hour.readings]
    return tuple(ClockRange(each, each) for each in starts if each > 0)


_MINUTES_TO: Final = re.compile(r"(?:5|10|five|ten) to ")


def _is_range(plain: str, first: _Time, last: _Time) -> bool:
    link = _GAP.fullmatch(plain, first.end, last.start)
    if link is None:
        return False
    is_and = _AND.fullmatch(link["link"].strip())
    at = first.atom.start
    return not is_and or bool(_BETWEEN.search(plain, max(0, at - 20), at))


_GAP: Final = re.compile(_LINK)


def _spans(first: ClockAtom, last: ClockAtom) -> tuple[ClockRange, ...]:
    """Returns the readings of a range: '11-1pm' starts before noon, '2 to 5' is open."""
    starts = first.readings if first.is_marked or not last.is_marked else _halves(first)
    ends = (last.minutes,) if last.is_marked else _halves(last)
    if last.is_marked and not first.is_marked:
        before = [start for start in starts if start < last.minutes]
        return (
            (ClockRange(max(before), last.minutes),)
            if before
            else (ClockRange(starts[0], DAY_ENDS),)
        )
    found = [
        ClockRange(start, min(end for end in ends if end > start))
        for start in starts
        if max(ends) > start
    ]
    if not found:
        return (ClockRange(starts[0], DAY_ENDS),)
    best = found[0]
    is_daytime = best.earliest >= 9 * 60 or best.earliest < NOON < best.latest
    return tuple(found[:1] if is_daytime and best.earliest < NOON else found)


def _halves(atom: ClockAtom) -> tuple[int, ...]:
    other = atom.minutes + (NOON if atom.minutes < NOON else -NOON)
    return (atom.minutes, other)


def _bounded(plain: str, time: _Time) -> ClockTime:
    start, bound = _before(plain, time.start, _BOUNDS)
    end = time.end
    if not bound and time.within:
        # 'Tuesday morning after 9'
        inner = _BOUNDS.search(plain, time.within.end, time.atom.start)
        bound = _bound_of(inner) if inner else ""
        start, _ = _before(plain, start, _RANGE_WORDS) if inner else (start, "")
    if not bound and (behind := _BOUNDS_BEHIND.match(plain, end)):
        bound, end = "after" if behind["after"] else "before", behind.end()
    minutes = time.atom.readings
    if time.atom.is_bare and bound in ("after", "before") and minutes[0] >= NOON:
        minutes = minutes[:1]  # 'after 5' is in the afternoon
    readings = tuple(_clock(each, bound, time.within) for each in minutes)
    if bound in ("after", "before") and start < time.start and time.within:
        # 'by evening 4:15': 'by' may belong to the part of the day only
        readings = (*readings, *(_clock(each, "", None) for each in minutes))
    return ClockTime(readings, start, end, None, time.is_today, bound, bound == "not")


def refused(time: ClockTime) -> ClockTime:
    """Inverts a time that does not suit: 'I can't before 10' wishes for 10 or later."""
    match time.bound:
        case "after":
            turned = tuple(ClockRange(0, clock.earliest) for clock in time.readings)
            return replace(time, readings=turned, bound="before")
        case "before":
            turned = tuple(ClockRange(clock.latest, DAY_ENDS) for clock in time.readings)
            return replace(time, readings=turned, bound="after")
        case _:
            return replace(time, is_refused=True)


def _clock(minutes: int, bound: Bound, within: DayPart | None) -> ClockRange:
    match bound:
        case "after":
            is_inside = within and minutes < within.clock.latest
            return ClockRange(minutes, within.clock.latest if within and is_inside else DAY_ENDS)
        case "before":
            is_inside = within and within.clock.earliest < minutes
            earliest = within.clock.earliest if within and is_inside else 0
            return ClockRange(earliest, minutes or DAY_ENDS)
        case _:
            return ClockRange(minutes, minutes)


def _of_part(plain: str, part: DayPart) -> ClockTime:
    start, bound = _before(plain, part.start, _BOUNDS)
    if bound != "not":
        readings = (part.clock, *part.others)
        return ClockTime(readings, part.start, part.end, part, part.is_today)
    return ClockTime((part.clock,), start, part.end, part, part.is_today, "not", is_refused=True)


def _before(plain: str, start: int, words: re.Pattern[str]) -> tuple[int, Bound]:
    found = words.search(plain, max(0, start - MOST_BEFORE), start)
    return (found.start(), _bound_of(found)) if found else (start, "")


def _bound_of(found: re.Match[str]) -> Bound:
    groups = found.groupdict()
    kinds: tuple[Bound, ...] = ("after", "before", "not")
    return next((kind for kind in kinds if groups.get(kind)), "")


_BOUNDS: Final = re.compile(
    r"\b(?:(?P<after>(?:work(?:ing)?|arbeite|travaille|trabajo) (?:until|till?|bis|jusqu'a|hasta)"
    r"|(?:any ?time |some ?time |a bit |shortly )?(?:after|past|later than|not before|not until"
    r"|not earlier than|no earlier than|from|starting(?: at| from)?|as of|since)(?: about"
    r"| around)?"
    r"|(?:erst |irgendwann |kurz )?(?:nach|ab|nicht vor|fruhestens(?: um| ab)?)|spater als"
    r"|nicht fruher als|ni avant|pas plus tot que|ni antes de|nor before"
    r"|pas avant"
    r"|(?:a partir|plus tard) (?:de|que)|apres|des|no antes del?|(?:a partir|despues"
    r"|mas tarde) del?|desde(?: el)?"
    r"|pasad[oa]s?)"
    r"|(?P<before>(?:any ?time |some ?time |shortly )?(?:before|until|till?|by|no later than"
    r"|not later than"
    r"|not after|nor after|nor later than|earlier than|up to|latest)"
    r"|nicht (?:nach|spater als)|(?:pas|ni) (?:apres|plus tard que)|(?:no|ni) despues de"
    r"|(?:bis spatestens|spatestens bis|(?:kurz |spatestens )?(?:vor|bis|spatestens))(?: um)?"
    r"|fruher als|jusqu'a|avant"
    r"|au plus tard(?: a)?"
    r"|plus tot que|antes del?|hasta(?: el)?|a mas tardar|no mas tarde de|no mas tardar"
    r"|como (?:muy )?tarde|como maximo"
    r"|d'ici(?: a)?)"
    r"|(?P<not>(?:but )?(?:not|no|except|nicht|keine?|ausser|pas|sauf|excepto|menos|pero no"
    r"|mais pas)"
    r"(?: in| at| on| am| le| por)?)"
    r"|(?:so |etwa |ungefahr |punktlich )?(?:at|for|around|about|approx(?:imately|\.)?|circa"
    r"|ca\.?|@|um|gegen"
    r"|ungefahr gegen|vers|environ|a environ|sobre|hacia|a eso de|a|on|para|al))"
    r"\s{1,3}(?:las?\s{1,3}|les\s{1,3}|the\s{1,3}|a las\s{1,3}|um\s{1,3}|about\s{1,3}"
    r"|around\s{1,3})?$"
)
_BOUNDS_BEHIND: Final = re.compile(
    r",?\s{1,3}(?:(?P<after>(?:or|and) (?:later|after)|onwards?|on\b(?=\s{0,2}(?:\Z|[,.;!?]))"
    r"|at the earliest"
    r"|oder spater|fruhestens|ou plus tard|ou apres|au plus tot|o mas tarde|o despues"
    r"|en adelante)"
    r"|(?:or (?:earlier|before)|at the latest|latest|oder fruher|spatestens|ou avant"
    r"|au plus tard|o antes"
    r"|como (?:muy )?tarde|como maximo|a mas tardar))\b"
)


def within_part(time: ClockTime, part: DayPart) -> ClockTime:
    """Chooses the readings that fit a part of the day: 'at 3 on Tuesday afternoon'."""
    low, high = part.clock.earliest - 120, part.clock.latest + 60
    fitting = tuple(
        _clipped(clock, part.clock)
        for clock in time.readings
        if clock.latest >= low and clock.earliest <= high
    )
    return replace(time, readings=fitting or time.readings)


def _clipped(clock: ClockRange, part: ClockRange) -> ClockRange:
    """'In the morning, before 11' begins with the morning."""
    earliest = (
        part.earliest if clock.earliest == 0 < part.earliest < clock.latest else clock.earliest
    )
    latest = part.latest if clock.latest == DAY_ENDS and part.latest > earliest else clock.latest
    return ClockRange(earliest, latest)
