"""Finds parts of the day: 'in the morning', 'nach der Arbeit', 'en fin d'après-midi'."""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

from frontdesk.reading.when_model import DAY_ENDS, ClockRange, PartsOfDay
from frontdesk.values import Frozen

Half = Literal["am", "pm", "night", "noon"]


class DayPart(Frozen):
    """The clock of a part of the day; `half` tells which 3 o'clock is in it."""

    clock: ClockRange
    half: Half
    start: int
    end: int
    is_today: bool = False
    """'tonight', 'this morning'"""
    others: tuple[ClockRange, ...] = ()
    """Other readings: 'the end of Sunday' may be midnight."""
    is_vague: bool = False
    """'late afternoon' begins at different times for different people."""


def find_parts(plain: str, parts: PartsOfDay) -> Iterator[DayPart]:
    """Yields the parts of the day in a folded text, except greetings."""
    for found in _PART.finditer(plain):
        if _is_greeting(plain, found):
            continue
        name = next(name for name in _KINDS if found[name] is not None)
        kind = _KINDS[name]
        clock = _narrowed(found, kind.clock(parts), parts, kind.half)
        is_today = found["today"] is not None or _IS_TODAY.search(found[0]) is not None
        is_today = is_today or _BY_END_OF_DAY.match(found[0]) is not None
        is_vague = bool(found["early"] or found["late"] or found["mid"] or found["soon"])
        yield DayPart(clock, kind.half, *found.span(), is_today, is_vague=is_vague)


def begin_of_day(parts: PartsOfDay, start: int, end: int) -> DayPart:
    """Returns the beginning of a day that is named beside it: 'early on Friday'."""
    return DayPart(parts.early_morning, "am", start, end, others=(parts.morning,), is_vague=True)


def end_of_day(parts: PartsOfDay, start: int, end: int) -> DayPart:
    """Returns the end of a day that is named beside it: the late afternoon, or its last minute."""
    last = ClockRange(DAY_ENDS - 1, DAY_ENDS - 1)
    return DayPart(_end_of_day(parts), "pm", start, end, others=(last,), is_vague=True)


def _is_greeting(plain: str, found: re.Match[str]) -> bool:
    start, end = found.span()
    is_first = _FIRST.search(plain, max(0, start - 9), start) and " " not in found[0]
    is_alone = is_first and _GREETED.match(plain, end)
    return bool(is_alone or _GREETING.search(plain, max(0, start - 20), start))


def _narrowed(found: re.Match[str], clock: ClockRange, parts: PartsOfDay, half: Half) -> ClockRange:
    third = (clock.latest - clock.earliest) // 3
    if found["early"] or found["soon"]:
        early = ClockRange(clock.earliest, clock.earliest + third)
        return parts.early_morning if half == "am" else early
    if found["late"]:
        return ClockRange(clock.latest - third, clock.latest)
    if found["mid"]:
        return ClockRange(clock.earliest + third, clock.latest - third)
    return clock


def _before_lunch(parts: PartsOfDay) -> ClockRange:
    return ClockRange(parts.morning.earliest, parts.lunch.earliest)


def _after_lunch(parts: PartsOfDay) -> ClockRange:
    return ClockRange(parts.lunch.latest, max(parts.afternoon.latest, parts.lunch.latest))


def _end_of_day(parts: PartsOfDay) -> ClockRange:
    return ClockRange(
        (parts.afternoon.earliest + 2 * parts.afternoon.latest) // 3, parts.afternoon.latest
    )


def _daytime(parts: PartsOfDay) -> ClockRange:
    return ClockRange(parts.morning.earliest, parts.afternoon.latest)


def _tonight(parts: PartsOfDay) -> ClockRange:
    return ClockRange(parts.evening.earliest, parts.night.latest)


class _Kind(Frozen):
    """A part of the day: folded words, clock, and the half of the day for an hour beside it."""

    words: str
    clock: Callable[[PartsOfDay], ClockRange]
    half: Half


#: 'el sábado noche'
_BEHIND_DAY: Final = "(?:" + "|".join(
    rf"(?<=\b{day} )"
    for day in (
        *("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo", "hoy"),
        "manana",
    )
) + ")"  # fmt: skip
#: 'mañana' alone is tomorrow, 'tarde' alone is late, and 'lunch' alone may be the service.
_KINDS: Final = {
    "before_lunch": _Kind(
        r"before (?:lunch(?:time)?|midday)|vor (?:dem )?mittag(?:essen)?|avant (?:le )?dejeuner"
        r"|antes de (?:comer|almorzar|la comida)",
        _before_lunch,
        "am",
    ),
    "after_lunch": _Kind(
        r"after (?:lunch(?:time)?)|nach (?:dem )?mittag(?:essen)?|apres (?:le )?dejeuner"
        r"|despues de (?:comer|almorzar|la comida)",
        _after_lunch,
        "pm",
    ),
    "before_work": _Kind(
        r"before (?:work|school)|vor der (?:arbeit|schule)|avant le (?:travail|boulot)"
        r"|antes del trabajo",
        lambda parts: parts.early_morning,
        "am",
    ),
    "after_work": _Kind(
        r"after (?:work|the office)|nach (?:der arbeit|feierabend)|zum feierabend"
        r"|apres (?:le )?(?:travail|boulot|bureau)|despues del? (?:trabajo|trabajar)"
        r"|al salir del trabajo|a la salida del trabajo|a la sortie du (?:travail|bureau)",
        lambda parts: parts.after_work,
        "pm",
    ),
    "after_school": _Kind(
        r"after (?:school|class|classes)|nach (?:der )?schule|nach dem unterricht"
        r"|apres (?:l'ecole|les cours|la classe)|a la sortie de l'ecole"
        r"|despues del? (?:la escuela|colegio|cole|clase)|al salir del? (?:clase|cole|colegio)",
        lambda parts: parts.afternoon,
        "pm",
    ),
    "before_dawn": _Kind(
        r"(?:small|wee|early) hours|de madrugada|la madrugada|petites heures",
        lambda parts: ClockRange(0, parts.early_morning.earliest),
        "am",
    ),
    "early_morning": _Kind(
        r"(?:crack of )?dawn|daybreak|sunrise|aurores|petit matin|aube|morgengrauen"
        r"|fruhe?n? morgenstunden|al amanecer|breakfast ?time"
        r"|(?:at|over|for|around) breakfast"
        r"|first thing(?: in the morning)?|fruhmorgens|in aller fruhe?"
        r"|tot (?:le|dans la) matin(?:ee)?|matin (?:tres )?tot|(?<=demain )tot|(?<=di )tot"
        r"|de bonne heure"
        r"|a la premiere heure|(?<=uhr )fruh"
        r"|temprano (?:en|por) la manana|la manana temprano"
        r"|(?<!mas )(?:(?:bien|muy) )?temprano(?! (?:en|por) )"
        r"|a primera hora(?! de la tarde)(?: de la manana)?"
        r"|(?:(?<=morgen )|(?<=heute )|(?<=tag )|(?<=woch )|(?<=in der )|(?<=tag)|(?<=woch))fruh"
        r"|(?<!so )(?<!zu )(?<!sehr )fruh(?=\s{0,2}(?:[,.;!?)]|\Z|(?:um|gegen|ab|vor|bis)\b|\d))",
        lambda parts: parts.early_morning,
        "am",
    ),
    "end_of_day": _Kind(
        r"(?:by |at )?(?:the )?(?:end of (?:(?:the )?day|business)|close of business|eod|cob)"
        r"|(?:am )?ende des tages|(?:en )?fin de journee|a ultima hora(?! de la)|last thing",
        _end_of_day,
        "pm",
    ),
    "tonight": _Kind(r"tonight|tonite|ce soir|esta noche", _tonight, "night"),
    "night": _Kind(
        r"nights?(?! (?:before|after)\b)|nachts|nacht|nuit|(?:la |las |esta |cualquier "
        r"|alguna )noches?|nachtstunden"
        rf"|{_BEHIND_DAY}noche"
        r"|overnight",
        lambda parts: parts.night,
        "night",
    ),
    "afternoon": _Kind(
        r"after-?noons?|arvo|(?:(?<=tomorrow )|(?<=today )|(?<=day ))p\.?m\b|tea ?time"
        r"|media tarde|nachmittags?(?:stunden)?|spatnachmittags?|apres[ -]?midis?|aprem|apm|nachm"
        r"|(?:la |las |esta |cualquier |alguna )tardes?"
        rf"|{_BEHIND_DAY}tarde",
        lambda parts: parts.afternoon,
        "pm",
    ),
    "morning": _Kind(
        r"mornings?|(?:(?<=tomorrow )|(?<=today )|(?<=day ))a\.?m\b|(?<!\by )media manana"
        r"|morgenstunden|vorm"
        r"|morgens|vormittags?(?:stunden)?"
        r"|(?:(?<=am )|(?<=fruhen )|(?<=heute )|(?<=tag )(?<!mittag )|(?<=woch )|(?<=tag)"
        r"|(?<=woch))morgen"
        r"|mat(?:in(?:ee)?s?)?"
        r"|(?:la |las |esta |cualquier |alguna )mananas?",
        lambda parts: parts.morning,
        "am",
    ),
    "lunch": _Kind(
        r"(?:at|over|during|around|my) lunch|lunch ?(?:time|break|hour)|mittags|mittagspause"
        r"|(?<=pendant le )dejeuner|pause (?:de )?(?:dejeuner|midi)|hora de(?:l almuerzo| comer"
        r"| la comida)"
        r"|heure du (?:dejeuner|midi)|mi-journee|(?<=\bce )midi"
        r"|mittagsstunde[n]?",
        lambda parts: parts.lunch,
        "noon",
    ),
    "evening": _Kind(
        r"evenings?(?! before (?:the|my|our|christmas)\b)|abends?|abendstunden"
        r"|spatabends?|soirs?|soirees?|dusk|sunset|sundown"
        r"|(?:dinner|supper) ?time|hora de (?:la )?cena\w?|heure du diner|al? (?:anochecer"
        r"|atardecer)",
        lambda parts: parts.evening,
        "pm",
    ),
    "daytime": _Kind(
        r"during the day|daytime|tagsuber|(?:en|dans la|en pleine) journee(?! d[eu]\b)",
        _daytime,
        "pm",
    ),
}
_PART: Final = re.compile(
    r"(?:\b|(?<=[a-z]tag)|(?<=twoch)|(?<=nabend))"
    r"(?:(?P<today>this|heute?|diese(?= nacht)|diesen(?= (?:abend|nachmittag|vormittag))"
    r"|cet(?:te)?|ce)\s{1,3})?"
    r"(?:(?:in|on|during|over|at|around)(?: the| an?)? |the |any |some |every |each |all |zur "
    r"|am "
    r"|des (?=(?:\w+mittag|morgen|abend)s\b)"
    r"|an einem |jeden |uber |in der |(?:dans |pendant )?(?:le |la |les |l')|du |de l'|en "
    r"|por |de |a "
    r"|au )?"
    r"(?:(?P<soon>fruh am|early in the|temprano (?:en|por)|(?:tres )?tot (?:le|dans la)) )?"
    r"(?:(?:(?P<early>(?:very )?early|(?:ganz )?fruhe?[nrsm]?|(?:en )?(?:tout )?debut (?:de |d')"
    r"(?:la |l')?|a primera hora de|al principio de)"
    r"|(?P<late>later?(?: in the)?|spate?[nrsm]?(?: am)?|(?:en )?fin (?:de |d')(?:la |l')?"
    r"|a ultima hora de|al final de)"
    r"|(?P<mid>mid(?!-?night)|milieu (?:de |d')(?:la |l')?))[ -]?)?(?:"
    + "|".join(f"(?P<{name}>{kind.words})" for name, kind in _KINDS.items())
    + r")\b"
)
_GREETING: Final = re.compile(
    r"\b(?:good|gute[nr]?|buen[oa]s|schonen?|bonne|nice|lovely|great|wonderful|belle|excellente"
    r"|feliz|your|heiliger?)\s{1,3}$"
)
_IS_TODAY: Final = re.compile(r"\b(?:esta|tonight|tonite|ce)\b")
_BY_END_OF_DAY: Final = re.compile(r"by (?:the )?(?:end|close|eod|cob)\b")
#: 'Morning, can I …' at the start of a text or a line.
_FIRST: Final = re.compile(r"(?:\A|\n)\s{0,3}$")
_GREETED: Final = re.compile(r"(?: all| everyone| there| team)?[,!]\s")
