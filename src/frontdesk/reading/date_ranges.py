"""Rules for weeks, weekends and months: 'next week', 'end of March', 'in two weeks'."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.date_formats import ALL_MONTHS
from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import (
    DatePeriod,
    Place,
    Rule,
    at,
    month_of,
    plus,
    week_of,
    whole_month,
)
from frontdesk.reading.words import MONTHS, NUMBERS, number, one_of
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence
#: The days of the beginning, the middle and the end of a week and of a month.
WEEK_PARTS: Final = ((0, 2), (1, 3), (3, 6))
MONTH_PARTS: Final = ((0, 9), (10, 19), (20, 30))


def _week(match: re.Match[str], place: Place) -> DatePeriod | None:
    ahead = _ahead(match)
    first, last = _part(match["part"], week_of(place.today, ahead), WEEK_PARTS)
    if last < place.today:
        return None
    confidence = LIKELY if match["part"] else CONFIDENT
    period = at(match, max(first, place.today), last, confidence)
    others = _other_end(match["part"], first, last)
    return replace(period, is_week=not match["part"], is_end=bool(others), others=others)


def _other_end(part: str | None, first: date, last: date) -> tuple[tuple[date, date], ...]:
    """The end of a week begins on Thursday to some and on Friday to others."""
    is_end = part and not _EARLY.match(part) and not _MIDDLE.match(part)
    return ((plus(first, 1), last),) if is_end else ()


def _ahead(match: re.Match[str]) -> int:
    groups = match.groupdict()
    return 2 if groups.get("second") else 1 if groups.get("next") else 0


def _part(
    word: str | None, whole: tuple[date, date], parts: tuple[tuple[int, int], ...]
) -> tuple[date, date]:
    if not word:
        return whole
    start, end = parts[0 if _EARLY.match(word) else 1 if _MIDDLE.match(word) else 2]
    return plus(whole[0], start), min(plus(whole[0], end), whole[1])


_EARLY: Final = re.compile("early|begin|start|anfang|debut|princip|comienzo|inicio")
_MIDDLE: Final = re.compile("mi|med")


def _weekend(match: re.Match[str], place: Place) -> DatePeriod:
    """'next weekend' may mean the coming one; on a weekend it is clear."""
    ahead = _ahead(match)
    monday, sunday = week_of(place.today, ahead)
    if match["this"] or (ahead and place.today.weekday() >= 5):
        confidence = CONFIDENT
    else:
        confidence = UNSURE if ahead else LIKELY
    found = at(match, max(plus(monday, 5), place.today), sunday, confidence)
    if confidence is not UNSURE:
        return found
    return replace(found, others=((max(plus(monday, -2), place.today), plus(sunday, -7)),))


def _relative_month(match: re.Match[str], place: Place) -> DatePeriod | None:
    return _of_month(match, place, month_of(place.today, _ahead(match)))


def _named_month(match: re.Match[str], place: Place) -> DatePeriod | None:
    month = ALL_MONTHS[match["month"]]
    year = int(match["year"] or place.today.year + (month < place.today.month))
    return _of_month(match, place, whole_month(year, month)) if year <= 9999 else None


def _of_month(match: re.Match[str], place: Place, whole: tuple[date, date]) -> DatePeriod:
    first, last = _part(match["part"], whole, MONTH_PARTS)
    if last < place.today:
        return at(match, first, last, UNSURE)
    is_exact = first >= place.today and not match["part"]
    period = at(match, max(first, place.today), last, CONFIDENT if is_exact else LIKELY)
    others = ((max(first, place.today), plus(whole[0], 14)),) if _is_begin(match["part"]) else ()
    return replace(period, is_end=last == whole[1] and bool(match["part"]), others=others)


def _is_begin(part: str | None) -> bool:
    return bool(part and _EARLY.match(part))


def _numbered_week(match: re.Match[str], place: Place) -> DatePeriod | None:
    week = int(match["week"])
    year = place.today.year + (week < place.today.isocalendar().week)
    try:
        monday = date.fromisocalendar(year, week, 1)
        return replace(at(match, monday, plus(monday, 6), LIKELY), is_week=True)
    except ValueError:
        return None


def _in_some_time(match: re.Match[str], place: Place) -> DatePeriod:
    """'In two weeks' may be any day of that week, or a little later."""
    count = number(match["count"]) or 1
    if _DAYS.match(match["unit"]):
        day = plus(place.today, count)
        return at(match, day, day, LIKELY)
    monday, sunday = week_of(place.today, count)
    return at(match, monday, sunday, UNSURE)


def _coming_days(match: re.Match[str], place: Place) -> DatePeriod:
    """'within the next two weeks'"""
    count = 2 if match["fortnight"] else number(match["count"] or match["other"]) or 1
    days = count * (1 if _DAYS.match(match["unit"] or "") else 7)
    return at(match, place.today, plus(place.today, days), LIKELY)


_DAYS: Final = re.compile("[dtj]")


_S: Final = r"\s{1,4}"
_LONG_MONTH: Final = one_of(MONTHS)
_COUNT: Final = r"(?:\d{1,2}|a|einem|" + one_of(NUMBERS) + ")"
_UNIT: Final = "(?P<unit>days?|weeks?|tag|tagen?|wochen?|jours?|semaines?|dias?|semanas?)"
_PARTS: Final = (
    "(?:early|beginning|start|middle|mid|late|end|anfang|mitte|ende|debut|mi|milieu|fin"
    "|principios?|comienzos?|inicios?|mediados|mitad|finale?s?|fines)"
)
_PART: Final = (
    rf"(?:(?P<part>{_PARTS})(?:-|{_S}(?:d'|(?:of|in|de|du|der|des|dem|del){_S})?(?:(?:the|la"
    rf"|el){_S})?))?"
)
#: The name of a month alone may be a person's, or a verb.
_BEHIND_PREPOSITION: Final = "(?:" + "|".join(
    rf"(?<=\b{word} )"
    for word in (
        *("in", "during", "throughout", "from", "until", "till", "before", "after", "by", "early"),
        "courant",
        *("im", "ab", "bis", "nach", "vor", "en", "de", "avant", "apres", "desde", "hasta"),
    )
) + ")"  # fmt: skip
_NEXT: Final = (
    "next|the coming|(?:the )?following|(?:der |die |den )?(?:nachste|naechste|kommende)[nrs]?"
    "|(?:la |el )?proxim[oa]"
)

RULES: Final[tuple[Rule, ...]] = (
    (
        re.compile(
            rf"\b{_PART}(?:(?P<second>(?:the )?week after next|(?:die "
            rf"|der )?ubernachste[nr]? woche)|(?P<next>(?:{_NEXT}){_S}(?:week|woche|semana)"
            rf"|(?:la )?semaine prochaine|(?:la )?semana que viene|(?:la )?semaine qui vient"
            r"|(?:la )?semaine (?:suivante|d'apres)|(?:la )?semana siguiente)"
            rf"|(?:this|the rest of the|diese[rn]?|cette|esta){_S}(?:week|woche|semaine|semana)"
            r"|(?(part)(?:week|woche|semaine|semana)|(?!)))\b"
        ),
        _week,
    ),
    (
        re.compile(
            r"\b(?:(?P<this>this (?:coming )?weekend|diese[sm]? wochenende|ce week-?end"
            r"|este fin de semana)|(?P<next>next weekend|(?:nachste[sn]?"
            r"|kommende[sn]?) wochenende"
            r"|(?:le )?week-?end prochain|(?:el )?proximo fin de semana"
            r"|(?:el )?fin de semana que viene)|(?:at|on|over) the weekend|am wochenende"
            r"|le week-?end|el fin de semana)\b"
        ),
        _weekend,
    ),
    (
        re.compile(
            rf"\b{_PART}(?:(?P<next>(?:{_NEXT}){_S}(?:month|monats?|mes)|(?:le )?mois prochain"
            rf"|(?:el )?mes que viene)|(?:this|diese[nsm]|ce|este){_S}(?:month|monats?|mois|mes)"
            r"|(?(part)(?:month|monats|mois|mes)|(?!)))\b"
        ),
        _relative_month,
    ),
    (
        re.compile(
            rf"\b(?:{_BEHIND_PREPOSITION}|(?={_PARTS})){_PART}(?P<month>{_LONG_MONTH})\b"
            rf"(?<!\bfrom may)(?:{_S}(?:del?{_S})?(?P<year>20\d\d)\b)?(?!{_S}\d)"
        ),
        _named_month,
    ),
    (
        re.compile(r"\b(?:kw|calendar week|week no\.?|kalenderwoche)\s?(?P<week>\d{1,2})\b"),
        _numbered_week,
    ),
    (
        re.compile(
            rf"\b(?:(?:next|nachsten|kommenden|prochaine?s|proxim[oa]s){_S}(?P<count>{_COUNT})"
            rf"|(?P<other>{_COUNT}){_S}(?:prochaine?s|proxim[oa]s)){_S}{_UNIT}\b"
            r"|\b(?:next|coming) (?P<fortnight>fortnight)\b"
        ),
        _coming_days,
    ),
    (
        re.compile(rf"\b(?:in|dans|en|dentro de){_S}(?P<count>{_COUNT}){_S}{_UNIT}\b"),
        _in_some_time,
    ),
)
