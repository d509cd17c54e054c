"""Rules for dates that are written out: '3 March', '15.3.', 'between 3 and 7 March', '03/04'."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.model import Confidence, least
from frontdesk.reading.periods import DatePeriod, Place, Rule, at, day_of, next_such, plus
from frontdesk.reading.words import (
    MONTHS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    folded,
    one_of,
)
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence
ALL_MONTHS: Final = {**MONTHS, **SHORT_MONTHS}
ALL_WEEKDAYS: Final = {**WEEKDAYS, **SHORT_WEEKDAYS}
#: A date with a year that is farther away is not a wish for an appointment.
MOST_DAYS_AHEAD: Final = 730


def weekday_fits(match: re.Match[str], day: date) -> bool | None:
    """Returns None without a weekday, or with another word that looks like one."""
    named: str = match["weekday"] or match.groupdict().get("behind") or ""
    fits = bool(named) and ALL_WEEKDAYS[named] == day.weekday()
    return None if not named or (named in _ALSO_WORDS and not fits) else fits


#: 'so 24 November', 'do 3 December', 'mi 24 de noviembre'
_ALSO_WORDS: Final = ("so", "do", "di", "mi")


def _dated(place: Place, year: str | None, month: int, day: int) -> tuple[date, Confidence] | None:
    if not year:
        return next_such(place.today, month, day)
    found = day_of(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    if found is None:
        return None
    is_near = place.today <= found <= plus(place.today, MOST_DAYS_AHEAD)
    return found, CONFIDENT if is_near else UNSURE


def _day_in_month(match: re.Match[str], place: Place) -> DatePeriod | None:
    found = _dated(place, match["year"], ALL_MONTHS[match["month"]], int(match["day"]))
    if found is None:
        return None
    day, confidence = found
    if weekday_fits(match, day) is False:
        confidence = UNSURE
    return replace(at(match, day, day, confidence), is_far=_is_far(day, place))


def _is_far(day: date, place: Place) -> bool:
    return abs((day - place.today).days) > MOST_DAYS_AHEAD


def _days_in_month(match: re.Match[str], place: Place) -> DatePeriod | None:
    """Reads '3 to 7 March', '3.-7.3.'"""
    word = match["month"]
    month = int(word) if word.isdecimal() else ALL_MONTHS[word]
    last = _dated(place, match["year"], month, int(match["last"]))
    first = day_of(last[0].year, month, int(match["day"])) if last else None
    if last is None or first is None or first > last[0]:
        return None
    before = folded(place.text[max(0, match.start() - 16) : match.start()])
    is_list = match["link"].strip() in ("and", "und", "et", "y") and not _BETWEEN.search(before)
    is_choice = match["link"].strip() in ("or", "oder", "ou", "o") or is_list
    confidence = least(last[1], LIKELY if is_choice else CONFIDENT)
    return replace(at(match, first, last[0], confidence), is_range=True)


_BETWEEN: Final = re.compile(r"\b(?:between|zwischen|entre)\s{1,3}(?:the |dem |le |el )?$")


def _numeric(match: re.Match[str], place: Place) -> DatePeriod | None:
    """Reads '15/03', '3.4.2027'. If day and month could be swapped, only a weekday decides."""
    one, two = int(match["one"]), int(match["two"])
    readings = [(one, two)] if one == two else [(one, two), (two, one)]
    if place.month_first:
        readings.reverse()
    elif match["mark"] == ".":
        readings = [(one, two)]
    days = [found for day, month in readings if (found := _dated(place, match["year"], month, day))]
    if not days:
        return None
    fitting = [found for found in days if weekday_fits(match, found[0])]
    ahead = [found for found in days if found[0] >= place.today]
    day, confidence = (fitting or ahead or days)[0]
    if weekday_fits(match, day) is False:
        confidence = UNSURE
    elif len(days) > 1:
        confidence = least(confidence, LIKELY if len(fitting) == 1 else UNSURE)
    others = () if fitting else tuple((other, other) for other, _ in days if other != day)
    return replace(at(match, day, day, confidence), others=others)


def _numeric_alone(match: re.Match[str], place: Place) -> DatePeriod | None:
    """Reads '15/3' without a year: it needs a weekday, a range or a preposition."""
    before = folded(place.text[max(0, match.start() - 14) : match.start()])
    after = place.text[match.end() : match.end() + 12]
    is_dated = match["weekday"] or _BEHIND.search(before) or _RANGED.match(after)
    return _numeric(match, place) if is_dated else None


_RANGED: Final = re.compile(r"\s{0,2}[-–]\s{0,2}\d{1,2}/\d{1,2}")
_BEHIND: Final = re.compile(
    r"(?:^|[\n:;,(|-]|\b(?:on|for|by|until|till|from|after|before|between|and|or|to|week of|the"
    r"|am|vom|bis|zum|ab|nach|vor|und|oder|le|du|au|et|ou|el|del|al|dia|y|o|date|datum"
    r"|fecha))\s{0,3}$"
)


def _iso(match: re.Match[str], place: Place) -> DatePeriod | None:
    found = _dated(place, match["year"], int(match["month"]), int(match["day"]))
    return at(match, found[0], found[0], found[1]) if found else None


_S: Final = r"\s{1,4}"
_MONTH: Final = one_of(ALL_MONTHS)
_ANY_WEEKDAY: Final = one_of(ALL_WEEKDAYS)
_BEFORE: Final = r"(?<![\w/.,+-])"
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_TH: Final = r"(?:st|nd|rd|th|er|eme|e|\.[º°]|\.|º|°)?"
_YEAR: Final = rf"(?:\.?,?{_S}(?:(?:del?|in){_S})?(?P<year>20\d\d)\b)?"
_OF: Final = rf"(?:{_S}(?:of|de)(?:{_S}the)?)?"
_ARTICLE: Final = rf"(?:(?:the|le|el|den|dem){_S})?"
_NAMED: Final = (
    rf"(?:(?P<weekday>\b{_ANY_WEEKDAY})\b\.?,?{_S}(?:(?:the|den|dem|der|le|el|on){_S})?)?"
)
_LINK: Final = (
    rf"(?P<link>\s{{0,2}}-\s{{0,2}}|{_S}(?:to|and|until|till?|through|thru|or|bis(?:{_S}zum)?|und"
    rf"|oder|au|jusqu'au|et|ou|al|y|a|o|hasta){_S})"
)
_NO_DATE: Final = (
    r"(?!\s{0,2}(?:hours?|h\b|std|stunden?|uhr|portion|cup|price|of the|of a|heures?|horas?|inch"
    r"|€|\$|£|%|euros?\b|eur\b|chf|kg|cm|mm|m\b))"
)
_IN_BRACKETS: Final = rf"(?:,?\s?\((?P<behind>{_ANY_WEEKDAY})\.?\))?"
_NO_STREET: Final = r"(?!\s(?:street|st\b|road|rd\b|avenue|ave\b|lane|square|drive|str\.|strasse))"

RULES: Final[tuple[Rule, ...]] = (
    (
        re.compile(
            rf"{_BEFORE}{_NAMED}(?P<day>{_DAY}){_TH}(?:,\s?{_DAY}{_TH}){{0,4}}{_LINK}{_ARTICLE}"
            rf"(?:{_ANY_WEEKDAY}\.?,?{_S}{_ARTICLE})?(?P<last>{_DAY}){_TH}{_OF}\s{{0,3}}"
            rf"(?P<month>{_MONTH})\b{_YEAR}"
        ),
        _days_in_month,
    ),
    (
        re.compile(
            rf"\b(?P<month>{_MONTH})\.?{_S}{_ARTICLE}(?P<day>{_DAY}){_TH}{_LINK}{_ARTICLE}"
            rf"(?P<last>{_DAY}){_TH}(?![\w:/]|\.\d|{_S}(?:of{_S})?{_MONTH}\b){_YEAR}"
        ),
        _days_in_month,
    ),
    (
        re.compile(
            rf"{_BEFORE}(?P<day>{_DAY})\.?{_LINK}{_ARTICLE}(?P<last>{_DAY})\."
            rf"(?P<month>0?[1-9]|1[0-2])(?:\.(?P<year>20\d\d|\d\d)\b|\.(?!\d)){_NO_DATE}"
        ),
        _days_in_month,
    ),
    (
        re.compile(
            rf"{_BEFORE}{_NAMED}(?P<day>{_DAY}){_TH}{_OF}\s{{0,3}}(?P<month>{_MONTH})\b{_YEAR}"
            rf"{_NO_STREET}{_IN_BRACKETS}"
        ),
        _day_in_month,
    ),
    (
        re.compile(
            rf"{_NAMED}\b(?P<month>{_MONTH})\.?{_S}{_ARTICLE}(?P<day>{_DAY})(?:st|nd|rd|th)?"
            rf"(?![\w:/%€$£]|[.,]\d|{_S}(?:people|persons?|guests?|pm|am|uhr)\b){_YEAR}"
            rf"{_IN_BRACKETS}"
        ),
        _day_in_month,
    ),
    (
        re.compile(r"(?<![\w/.+-])(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])"),
        _iso,
    ),
    (
        re.compile(
            rf"{_BEFORE}{_NAMED}(?P<one>\d{{1,2}})(?P<mark>[./-])(?P<two>\d{{1,2}})(?P=mark)"
            rf"(?P<year>20\d\d|\d\d)(?![\w/-]|\.\d){_IN_BRACKETS}"
        ),
        _numeric,
    ),
    (re.compile(r"(?<![\w/])24/7(?![\w/])"), None),
    (
        re.compile(
            rf"{_BEFORE}{_NAMED}(?P<one>\d{{1,2}})(?P<mark>/)(?P<two>\d{{1,2}})(?P<year>)"
            rf"(?![\w/]|[.-]\d){_NO_DATE}"
        ),
        _numeric_alone,
    ),
    (
        re.compile(
            rf"{_BEFORE}{_NAMED}(?P<one>\d{{1,2}})(?P<mark>\.)(?P<two>\d{{1,2}})\.(?P<year>)(?!\d)"
            rf"{_NO_DATE}"
        ),
        _numeric,
    ),
    (
        re.compile(
            r"(?:(?<=\bam )|(?<=\bbis )|(?<=\bvom )|(?<=\bab )|(?<=\bdem )|(?<=\bden )|(?<=\bzum ))"
            r"(?P<weekday>)(?P<one>\d{1,2})(?P<mark>\.)(?P<two>\d{1,2})(?P<year>)(?![\d:])"
            rf"{_NO_DATE}"
        ),
        _numeric,
    ),
)
