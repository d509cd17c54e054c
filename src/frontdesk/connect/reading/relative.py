"""Rules for days that are named by where they lie: 'next Tuesday', 'this weekend', 'the 15th'."""

import re
from dataclasses import replace
from datetime import date
from typing import Final

from frontdesk.connect.reading.dated import ALL_MONTHS, ALL_WEEKDAYS, weekday_fits
from frontdesk.connect.reading.model import Confidence
from frontdesk.connect.reading.periods import (
    Period,
    Place,
    Rule,
    at,
    day_of,
    month_of,
    next_day_of_month,
    next_such,
    plus,
    week_of,
    whole_month,
)
from frontdesk.connect.reading.words import MONTHS, NUMBERS, WEEKDAYS, number, one_of

CONFIDENT, LIKELY, UNSURE = Confidence
#: Which days are the beginning, the middle and the end of a week and of a month.
WEEK_PARTS: Final = ((0, 2), (1, 3), (3, 6))
MONTH_PARTS: Final = ((0, 9), (10, 19), (20, 30))


def _week(match: re.Match[str], place: Place) -> Period | None:
    ahead = _ahead(match)
    first, last = _part(match["part"], week_of(place.today, ahead), WEEK_PARTS)
    if last < place.today:
        return None
    confidence = LIKELY if match["part"] else CONFIDENT
    period = at(match, max(first, place.today), last, confidence)
    return replace(period, is_week=not match["part"])


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


def _weekend(match: re.Match[str], place: Place) -> Period:
    """'next weekend' is the coming one to some; on a weekend it is clear."""
    ahead = _ahead(match)
    monday, sunday = week_of(place.today, ahead)
    if match["this"] or (ahead and place.today.weekday() >= 5):
        confidence = CONFIDENT
    else:
        confidence = UNSURE if ahead else LIKELY
    return at(match, max(plus(monday, 5), place.today), sunday, confidence)


def _relative_month(match: re.Match[str], place: Place) -> Period | None:
    return _of_month(match, place, month_of(place.today, _ahead(match)))


def _named_month(match: re.Match[str], place: Place) -> Period | None:
    month = ALL_MONTHS[match["month"]]
    year = int(match["year"] or place.today.year + (month < place.today.month))
    return _of_month(match, place, whole_month(year, month)) if year <= 9999 else None


def _of_month(match: re.Match[str], place: Place, whole: tuple[date, date]) -> Period:
    first, last = _part(match["part"], whole, MONTH_PARTS)
    if last < place.today:
        return at(match, first, last, UNSURE)
    is_exact = first >= place.today and not match["part"]
    return at(match, max(first, place.today), last, CONFIDENT if is_exact else LIKELY)


def _numbered_week(match: re.Match[str], place: Place) -> Period | None:
    week = int(match["week"])
    year = place.today.year + (week < place.today.isocalendar().week)
    try:
        monday = date.fromisocalendar(year, week, 1)
        return replace(at(match, monday, plus(monday, 6), LIKELY), is_week=True)
    except ValueError:
        return None


def _in_some_time(match: re.Match[str], place: Place) -> Period:
    """In two weeks is some day of that week, or a little later."""
    count = number(match["count"]) or 1
    if _DAYS.match(match["unit"]):
        day = plus(place.today, count)
        return at(match, day, day, LIKELY)
    monday, sunday = week_of(place.today, count)
    return at(match, monday, sunday, UNSURE)


def _coming_days(match: re.Match[str], place: Place) -> Period:
    """'within the next two weeks'"""
    days = (number(match["count"] or match["other"]) or 1) * (
        1 if _DAYS.match(match["unit"]) else 7
    )
    return at(match, place.today, plus(place.today, days), LIKELY)


_DAYS: Final = re.compile("[dtj]")


def _relative_day(match: re.Match[str], place: Place) -> Period | None:
    if match["second"]:
        return at(match, day := plus(place.today, 2), day, CONFIDENT)
    if not match["next"]:
        return at(match, place.today, place.today, LIKELY)
    day = plus(place.today, 1)
    is_noun = match["next"] == "morgen" and place.text[match.start("next")] == "M"
    return at(match, day, day, UNSURE if is_noun else CONFIDENT)


def _weekday(match: re.Match[str], place: Place) -> Period:
    """'next Tuesday', said on a Monday, is tomorrow to some and next week to others."""
    weekday = ALL_WEEKDAYS[match["short"] or match["weekday"]]
    ahead = (weekday - place.today.weekday()) % 7
    is_this_week = weekday > place.today.weekday()
    confidence = CONFIDENT
    if ahead == 0:
        ahead, confidence = (0, UNSURE) if match["this"] else (7, LIKELY)
    elif match["next"] and is_this_week:
        ahead, confidence = ahead + 7, UNSURE
    elif (match["after"] or match["soon"]) and is_this_week:
        confidence = LIKELY
    day = plus(place.today, ahead)
    is_open = not any(match[group] for group in ("next", "this", "after", "soon"))
    return replace(at(match, day, day, confidence), weekday=weekday if is_open else None)


def _day_alone(match: re.Match[str], place: Place) -> Period | None:
    """Begins at the number, so that what bounds it can be seen: 'à partir du 20'."""
    group = next(each for each in ("ordinal", "german", "latin", "bare") if match[each])
    day = next_day_of_month(place.today, int(match[group]))
    if day is None:
        return None
    confidence = {True: CONFIDENT, False: UNSURE, None: LIKELY}[weekday_fits(match, day)]
    start = match.start() if match["weekday"] else match.start(group)
    return replace(at(match, day, day, confidence), start=start)


def _feast(match: re.Match[str], place: Place) -> Period | None:
    if match["new_year"]:
        found = next_such(place.today, 1, 1)
        return at(match, found[0], found[0], LIKELY) if found else None
    first = day_of(place.today.year, 12, 24)
    last = first if match["eve"] else day_of(place.today.year, 12, 26)
    return at(match, first, last, LIKELY) if first and last else None


_S: Final = r"\s{1,4}"
_WEEKDAY: Final = one_of(WEEKDAYS)
_ANY_WEEKDAY: Final = one_of(ALL_WEEKDAYS)
_LONG_MONTH: Final = one_of(MONTHS)
_COUNT: Final = r"(?:\d{1,2}|a|einem|" + one_of(NUMBERS) + ")"
_UNIT: Final = "(?P<unit>days?|weeks?|tag|tagen?|wochen?|jours?|semaines?|dias?|semanas?)"
_PARTS: Final = (
    "(?:early|beginning|start|middle|mid|late|end|anfang|mitte|ende|debut|mi|milieu|fin"
    "|principios|comienzos|inicios|mediados|finales|fines)"
)
_PART: Final = (
    rf"(?:(?P<part>{_PARTS})(?:-|{_S}(?:(?:of|in|de|du|der|des|dem){_S})?(?:(?:the|la|el){_S})?))?"
)
#: A month's name alone may be a person's, or a verb.
_BEHIND_PREPOSITION: Final = "(?:" + "|".join(
    rf"(?<=\b{word} )"
    for word in (
        *("in", "during", "throughout", "from", "until", "till", "before", "after", "by", "early"),
        *("im", "ab", "bis", "nach", "vor", "en", "de", "avant", "apres", "desde", "hasta"),
    )
) + ")"  # fmt: skip
_NEXT: Final = (
    "next|the coming|(?:der |die |den )?(?:nachste|naechste|kommende)[nrs]?|(?:la |el )?proxim[oa]"
)
_THIS: Final = "this|the|diese[nrs]?|der|cette|ce|esta|este"
_AFTER_DAY: Final = (
    r"(?=\s{0,3}(?:\Z|[.,;:!?)\n/-]|(?:and|or|to|through|until|till|if|in the|at|please|would|is"
    r"|was|works?|suits?|as|but|for|so|onwards?|because|instead|does|doesn't|then|also|maybe"
    r"|when|can|could|should|i|we|my|on|around|thanks|ideally|und|oder|bis|ware|passt|geht|um"
    r"|hatte|stattdessen|dann|nicht|ich|wir|et|ou|si|serait|jusqu|au|y|o|al|hasta|seria|por"
    r"|para|pour|fur|with|mit|avec|con|morning|afternoon|evening|vormittag|nachmittag|abend"
    r"|konnen|konnte|kann|gerne?|of this month|of next month)\b))"
)

#: 'last week' is no wish; it only must not be taken for one.
PAST: Final = re.compile(
    rf"\b(?:last|past|previous|letzte[nrms]?|vergangene[nrs]?|vorige[nrs]?|pasad[oa]){_S}"
    rf"(?:{_WEEKDAY}|{_LONG_MONTH}|week|woche|semana|weekend|wochenende|month|monat|mes|time|mal"
    rf"|year|jahr)\b|\b(?:{_WEEKDAY}|semaine|mois|week-end|fois|semana|mes){_S}(?:derniere?"
    rf"|passee?|pasad[oa])\b"
    r"|\b(?:yesterday|gestern|vorgestern|ayer|anteayer|avant-hier)\b"
    rf"|\b{_COUNT}{_S}(?:days?|weeks?|months?|years?){_S}ago\b|\bvor{_S}{_COUNT}{_S}(?:tag"
    rf"|woche|monat|jahr)\w{{0,2}}\b|\b(?:il{_S}y{_S}a|hace){_S}{_COUNT}{_S}\w{{2,10}}"
)
#: Days of every week: of use to staff, but no date.
RECURRING: Final = re.compile(
    r"\b(?:every|each|any|on|jede[nr]?|chaque|cada|todos los|tous les|les|los)?\s?"
    rf"(?:{one_of(f'{day}s' for day in WEEKDAYS if not day.endswith('s'))}"
    rf"|{_WEEKDAY}(?:vormittag|nachmittag|abend)s)\b|\b(?:every|each|any|jede[nr]?|chaque|cada"
    rf"|todos los|tous les|les|los){_S}{_WEEKDAY}\b|\b{_ANY_WEEKDAY}\.?(?:\s?-\s?|{_S}(?:to|bis"
    rf"|a){_S}){_ANY_WEEKDAY}\b\.?:?"
    r"(?=,?\s{0,2}\d{1,2}(?:[:.]\d\d|\s?(?:-|uhr|am|pm|h\b)))"
)

#: Days that hang on others, or on nothing that can be reckoned.
UNPLACED: Final = re.compile(
    r"\b(?:the (?:week|weekend|day|month) after(?! (?:next|tomorrow))|(?:the )?following (?:week"
    r"|weekend|day)|die woche (?:darauf|danach)|(?:tag|wochenende) (?:darauf|danach)|danach"
    r"|la semaine (?:d'apres|suivante)|la semana siguiente|weekdays(?: only)?|werktags"
    r"|entre semana|en semaine|tomorrow week|en quinze|or so\b|(?:first|second) half of"
    r"|(?:erste|zweite)[nr]? halfte|(?:first|second|third|last|erste[nr]?|letzte[nr]?|premiere"
    r"|derniere|primera|ultima)"
    r" (?:week|woche|semaine|semana) (?:of|in|im|de|du))\b"
)

RULES: Final[tuple[Rule, ...]] = (
    (
        re.compile(
            rf"\b{_PART}(?:(?P<second>(?:the )?week after next|(?:die "
            rf"|der )?ubernachste[nr]? woche)|(?P<next>(?:{_NEXT}){_S}(?:week|woche|semana)"
            rf"|(?:la )?semaine prochaine|(?:la )?semana que viene|(?:la )?semaine qui vient)"
            rf"|(?:this|the rest of the|diese[rn]?|cette|esta){_S}(?:week|woche|semaine|semana)"
            r"|(?(part)(?:week|woche|semaine)|(?!)))\b"
        ),
        _week,
    ),
    (
        re.compile(
            r"\b(?:(?P<this>this (?:coming )?weekend|diese[sm]? wochenende|ce week-?end"
            r"|este fin de semana)|(?P<next>next weekend|(?:nachste[sn]?|kommende[sn]?) wochenende"
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
        ),
        _coming_days,
    ),
    (
        re.compile(rf"\b(?:in|dans|en|dentro de){_S}(?P<count>{_COUNT}){_S}{_UNIT}\b"),
        _in_some_time,
    ),
    (
        re.compile(
            r"\b(?:(?P<second>(?:the )?day after tomorrow|ubermorgen|pasado manana|apres-demain)"
            r"|(?<!guten )(?<!\bam )(?<!\bjeden )(?<!heute )(?<!\bla )(?<!esta )(?<!las )"
            r"(?P<next>tomorrow|tmrw|morgen|manana|demain)"
            r"|(?P<now>today|tonight|heute|hoy|aujourd'hui|ce soir|esta (?:noche|tarde)))\b"
        ),
        _relative_day,
    ),
    (
        re.compile(
            rf"(?:(?P<weekday>\b{_ANY_WEEKDAY})\b\.?,?{_S})?\b(?:the{_S}(?P<ordinal>[1-9]|[12]\d"
            rf"|3[01])"
            r"(?:st|nd|rd|th)"
            rf"|(?:am|dem|den|zum|vom){_S}(?P<german>[1-9]|[12]\d|3[01])\.(?!\d)"
            rf"|(?:le|du|au|el|del|al)(?:{_S}dia)?{_S}(?P<latin>[1-9]|[12]\d|3[01])\b"
            rf"|(?(weekday)(?P<bare>[1-9]|[12]\d|3[01])(?![\d:]|[.,/]\d|\s?(?:uhr|h\b|am\b"
            rf"|pm\b))|(?!)))"
            rf"(?!,?{_S}(?:rue|avenue|bd|boulevard|calle)\b){_AFTER_DAY}"
        ),
        _day_alone,
    ),
    (
        re.compile(
            rf"\b(?:(?P<next>next|nachste[nrs]?|naechste[nrs]?){_S}|(?P<this>this|diese[nrs]?|ce"
            rf"|este){_S}|(?:coming|kommende[nrs]?){_S}|(?P<soon>(?:el )?proximo){_S})?"
            rf"(?P<weekday>{_WEEKDAY})(?:vormittag|nachmittag|abend|mittag|morgen)?\b"
            rf"(?P<after>{_S}(?:prochain|qui vient|que viene))?"
            rf"|\b(?:next|this|on|am){_S}(?P<short>tues?|weds?|thurs?|thu|fri|sat|mon|sun)\b"
        ),
        _weekday,
    ),
    (
        re.compile(
            r"\b(?:(?P<eve>christmas eve|heiligabend|heilig abend|nochebuena)|christmas|xmas"
            r"|weihnachten|noel|navidad(?:es)?|(?P<new_year>new year'?s?(?: day)?"
            r"|neujahr|nouvel an|ano nuevo))\b"
        ),
        _feast,
    ),
)
