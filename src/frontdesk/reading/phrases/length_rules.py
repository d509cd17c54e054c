"""Rules for lengths of time: 'two weeks', 'half an hour', 'una hora y media'."""

from typing import Final

from frontdesk.reading.phrases.grammar import Roles, Rule, RuleMatch, TextContext
from frontdesk.reading.phrases.hours import Hour
from frontdesk.reading.phrases.spans import TimeSpan
from frontdesk.values import replace

#: Nobody books a visit that far ahead; the limit also keeps dates in range.
MOST_COUNT: Final = 400
#: Units as multiples of others.
_UNITS: Final = {
    "minute": ("minute", 1), "hour": ("minute", 60), "day": ("day", 1), "workday": ("workday", 1),
    "week": ("week", 1), "fortnight": ("week", 2), "halfmonth": ("day", 15), "weekend": ("week", 1),
    "month": ("month", 1), "quarter": ("month", 3), "halfyear": ("month", 6), "year": ("year", 1),
}  # fmt: skip


def span_of(unit: str, count: float) -> TimeSpan | None:
    """Returns a length of time; None if the unit cannot be halved."""
    if unit not in _UNITS:
        return None
    base, times = _UNITS[unit]
    total = count * times
    if base == "month" and total % 1 == 0.5:
        return TimeSpan("month", int(total), days=15) if total <= MOST_COUNT else None
    if total != int(total):
        smaller = {"year": ("month", 12), "week": ("day", 7), "day": ("minute", 24 * 60)}
        base, times = smaller.get(base, ("", 0))
        total = int(total * times)
    is_small = 0 < total <= MOST_COUNT * (60 if base == "minute" else 1)
    return TimeSpan(base, int(total)) if base and is_small else None


def _span(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '3 weeks', 'a day'. In French and Spanish, '3 heures' is also a time of day."""
    count, unit = m.get("n", "int", "few", "one", "decimal"), m.get("u", "unit")
    if "ord" in m.item("n").roles and place.plain[m.item("n").end - 1] == ".":
        return None  # 'die 5. Woche'
    span = span_of(unit, count)
    is_part = place.plain.startswith("quarter", m.item("u").start) and "one" in m.item("n").roles
    if span is None or is_part:
        return None
    if {"dash", "to"} & m.before.keys() and "next" in m.behind:
        return None  # '4-23 mois prochain'
    own = m.item("u").roles
    is_number = "int" in m.item("n").roles
    if unit == "hour" and "oclock" in own and is_number and count <= 24:
        is_clear = count >= 9
        clock = Hour(count * 60 % 1440, count > 12 or count == 0, is_clear, takes_minutes=True)
        return {"clock": clock, "span": span}
    return {"span": span}


def _span_range(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'two or three weeks', '5-6 Tage'."""
    unit, least, most = m.get("u", "unit"), m.get("a", "int", "one"), m.get("b", "int")
    one, other = span_of(unit, least), span_of(unit, most)
    is_range = one and other and not one.is_short and least < most
    return {"spans": (one, other)} if is_range else None


def _decimal(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '2.5 hours'."""
    span = span_of(m.get("u", "unit"), float(m.get("n", "dotted").replace(",", ".")))
    return {"span": span} if span else None


def _half_unit(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'half an hour', 'une demi-heure', 'three quarters of an hour'."""
    unit, part = m.get("u", "unit"), m.get("h", "half", "quarter")
    if "c" in m:
        part = 15 * m.get("c", "int") if m.get("h", "unit") == "quarter" else None
    if part is None or not 0 < part < 240:
        return None
    if unit == "hour":
        return {"span": TimeSpan("minute", part)}
    span = span_of(unit, part / 60)
    return {"span": span} if span and part == 30 else None


def _and_half(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'two and a half hours', 'una hora y media', 'une heure et demie'."""
    if "u" in m:
        span = span_of(m.get("u", "unit"), m.get("n", "int", "one") + 0.5)
    else:
        before: TimeSpan = m.get("s", "span")
        minutes = {"half": 30, "quarter": 15}[_half_role(m)]
        is_hours = before.is_short and before.count % 60 == 0
        if is_hours:
            span = replace(before, count=before.count + minutes)
        else:
            is_long = before.unit in ("week", "month", "year") and minutes == 30
            span = span_of(before.unit, before.count + 0.5) if is_long else None
    if span is None:
        return None
    clock = m.get("s", "clock")
    roles: dict[str, object] = {"span": span}
    if isinstance(clock, Hour):
        minutes = span.count % 60
        roles["clock"] = replace(clock, minutes=clock.minutes + minutes, takes_minutes=False)
    return roles


def _hour_and_half(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads 'hora y media', 'mes y medio'."""
    span = span_of(m.get("w", "unit"), 1.5)
    return {"span": span} if span and span.unit != "day" else None


def _half_role(m: RuleMatch) -> str:
    return "half" if "half" in m.item("h").roles else "quarter"


def _sum(m: RuleMatch, place: TextContext) -> Roles | None:
    """Reads '1 hour and 20 minutes'."""
    one, other = m.get("a", "span"), m.get("b", "span")
    if not (one.is_short and other.is_short and one.count % 60 == 0 and other.count < 60):
        return None
    return {"span": replace(one, count=one.count + other.count)}


def _word(m: RuleMatch, place: TextContext) -> Roles | None:
    return {"span": TimeSpan("minute", m.get("s", "spanword"))}


RULES: Final[tuple[Rule, ...]] = (
    ("one? s=spanword", _word),
    ("c=int h=quarter|unit of one? u=unit", _half_unit),
    ("n=int|one and|plus one? half u=unit", _and_half),
    ("<!plus|and one? h=half|quarter of? one? u=unit", _half_unit),
    ("<!int|one|few|decimal w=unit plus h=half", _hour_and_half),
    (
        "<in|in_after|next|within|about|few|the a=int|one or|to|dash|comma b=int u=unit",
        _span_range,
    ),
    ("a=one u=unit or b=int !unit|noun|oclock|of", _span_range),
    ("n=decimal u=unit", _span),
    ("n=dotted u=unit", _decimal),
    ("n=int|few|one more? u=unit", _span),
    ("s=span and|plus one? h=half|quarter", _and_half),
    ("a=span and? b=span", _sum),
)
