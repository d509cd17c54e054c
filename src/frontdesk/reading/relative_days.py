"""Rules for relative days: 'tomorrow', 'next Tuesday', 'the 15th'."""

import re
from datetime import date
from typing import Final

from frontdesk.reading.date_formats import ALL_WEEKDAYS, weekday_fits
from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import (
    DatePeriod,
    Place,
    Rule,
    at,
    day_of,
    month_of,
    next_day_of_month,
    next_such,
    plus,
)
from frontdesk.reading.words import WEEKDAYS, one_of
from frontdesk.values import replace

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_MONTHS_AHEAD: Final = 13


def _relative_day(match: re.Match[str], place: Place) -> DatePeriod | None:
    if match["second"]:
        return at(match, day := plus(place.today, 2), day, CONFIDENT)
    if not match["next"]:
        return at(match, place.today, place.today, LIKELY)
    day = plus(place.today, 1)
    is_noun = match["next"] == "morgen" and place.text[match.start("next")] == "M"
    return at(match, day, day, UNSURE if is_noun else CONFIDENT)


def _weekday(match: re.Match[str], place: Place) -> DatePeriod:
    """'next Tuesday', said on a Monday, is tomorrow to some and next week to others."""
    weekday = ALL_WEEKDAYS[match["short"] or match["weekday"]]
    ahead = (weekday - place.today.weekday()) % 7
    is_this_week = weekday > place.today.weekday()
    confidence, other = CONFIDENT, ahead
    if ahead == 0:
        ahead, other, confidence = (0, 7, UNSURE) if match["this"] else (7, 0, LIKELY)
    elif match["next"] and is_this_week:
        ahead, confidence = ahead + 7, UNSURE
    elif (match["after"] or match["soon"]) and is_this_week:
        other, confidence = ahead + 7, LIKELY
    if match["week"]:
        ahead, other, confidence = ahead + 7, ahead + 7, LIKELY
    day, other_day = plus(place.today, ahead), plus(place.today, other)
    is_open = not any(match[group] for group in ("next", "this", "after", "soon", "week"))
    return replace(
        at(match, day, day, confidence),
        weekday=weekday if is_open else None,
        others=() if other == ahead else ((other_day, other_day),),
    )


def _day_alone(match: re.Match[str], place: Place) -> DatePeriod | None:
    """Starts the period at the number, so that its preposition stays visible: 'à partir du 20'."""
    group = next(each for each in ("ordinal", "german", "latin", "bare") if match[each])
    day = next_day_of_month(place.today, int(match[group]))
    if day is None:
        return None
    fits = weekday_fits(match, day)
    confidence = {True: CONFIDENT, False: UNSURE, None: LIKELY}[fits]
    start = match.start() if match["weekday"] else match.start(group)
    others = _fitting(match, day) if fits is False else ()
    return replace(at(match, day, day, confidence), start=start, others=others)


def _fitting(match: re.Match[str], day: date) -> tuple[tuple[date, date], ...]:
    """Finds the next months in which that day falls on the named weekday."""
    months = (month_of(day, ahead)[0] for ahead in range(1, MOST_MONTHS_AHEAD))
    days = (day_of(first.year, first.month, day.day) for first in months)
    fitting = next((each for each in days if each and weekday_fits(match, each)), None)
    return ((fitting, fitting),) if fitting else ()


def _feast(match: re.Match[str], place: Place) -> DatePeriod | None:
    if match["new_year"] or match["last_night"]:
        found = next_such(place.today, *((1, 1) if match["new_year"] else (12, 31)))
        return at(match, found[0], found[0], LIKELY) if found else None
    first = day_of(place.today.year, 12, 24)
    last = first if match["eve"] else day_of(place.today.year, 12, 26)
    return at(match, first, last, LIKELY) if first and last else None


_S: Final = r"\s{1,4}"
_DAY: Final = r"(?:[1-9]|[12]\d|3[01])"
_WEEKDAY: Final = one_of(WEEKDAYS)
_ANY_WEEKDAY: Final = one_of(ALL_WEEKDAYS)
_AFTER_DAY: Final = (
    r"(?=\s{0,3}(?:\Z|[.,;:!?)\n/-]|(?:and|or|to|through|until|till|if|in the|at|please|would|is"
    r"|was|works?|suits?|as|but|for|so|onwards?|because|instead|does|doesn't|then|also|maybe"
    r"|when|can|could|should|i|we|my|on|around|thanks|ideally|und|oder|bis|ware|passt|geht|um"
    r"|hatte|stattdessen|dann|nicht|ich|wir|et|ou|si|serait|jusqu|au|y|o|al|hasta|seria|por"
    r"|para|pour|fur|with|mit|avec|con|morning|afternoon|evening|vormittag|nachmittag|abend"
    r"|konnen|konnte|kann|gerne?|of this month|of next month)\b))"
)

RULES: Final[tuple[Rule, ...]] = (
    (
        re.compile(
            r"\b(?:(?P<second>(?:the )?day after tomorrow|ubermorgen|pasado manana|apres-demain)"
            r"|(?<!guten )(?<!\bam )(?<!\bjeden )(?<!heute )(?<!\bla )(?<!esta )(?<!las )"
            r"(?P<next>tomorrow|tmrw?|tmw|2moro|morgen|manana|demain)"
            r"|(?P<now>today|tonight|heute|hoy|aujourd'hui|ce soir|esta (?:noche|tarde)))\b"
        ),
        _relative_day,
    ),
    (
        re.compile(
            rf"(?:(?P<weekday>\b{_ANY_WEEKDAY})\b\.?,?{_S})?"
            rf"\b(?:the{_S}(?P<ordinal>{_DAY})(?:st|nd|rd|th)"
            rf"|(?:am|dem|den|zum|vom){_S}(?P<german>{_DAY})\.(?!\d)"
            rf"|(?:le|du|au|el|del|al)(?:{_S}dia)?{_S}(?P<latin>{_DAY})\b"
            rf"|(?(weekday)(?P<bare>{_DAY})(?P<th>st|nd|rd|th)?"
            r"(?![\d:]|[.,/]\d|\s?(?:uhr|h\b|am\b|pm\b))|(?!)))"
            rf"(?!,?{_S}(?:rue|avenue|bd|boulevard|calle)\b)(?(th)\b|{_AFTER_DAY})"
        ),
        _day_alone,
    ),
    (
        re.compile(
            rf"\b(?:(?P<next>next|nachste[nrs]?|naechste[nrs]?){_S}|(?P<this>this|diese[nrs]?|ce"
            rf"|este){_S}|(?:coming|kommende[nrs]?){_S}|(?P<soon>(?:el )?proximo){_S})?"
            rf"(?P<weekday>{_WEEKDAY})(?:vormittag|nachmittag|abend|mittag|morgen)?\b"
            rf"(?P<after>{_S}(?:prochain|qui vient|que viene))?(?P<week>{_S}week\b(?!{_S}of))?"
            rf"|\b(?:next|this|on|or|am){_S}(?P<short>tues?|weds?|thurs?|thu|fri|sat|mon|sun)\b"
        ),
        _weekday,
    ),
    (
        re.compile(
            r"\b(?:(?P<eve>christmas eve|heiligabend|heilig abend|nochebuena)|christmas|xmas"
            r"|weihnachten|noel|navidad(?:es)?|(?P<last_night>new year'?s? eve|silvester"
            r"|(?:la )?saint-sylvestre|nochevieja)|(?P<new_year>(?<!the )new year'?s?(?: day)?"
            r"|neujahr|nouvel an|ano nuevo))\b"
        ),
        _feast,
    ),
)
