"""Dates of holidays that people name instead of a day: 'on Boxing Day', 'Ostermontag'."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Final

from frontdesk.reading.periods import day_of, plus

#: Holidays with a fixed month and day, with their folded names.
_FIXED: Final[dict[tuple[int, int], str]] = {
    (1, 1): r"new year'?s? ?day|(?<!the )new year'?s(?! eve)|neujahr(?:stag|smorgen)?"
    r"|(?:le )?(?:jour de l'an|nouvel an|premier de l'an)|ano nuevo|dia de ano nuevo",
    (1, 5): r"noche de reyes|twelfth night",
    (1, 6): r"epiphany|(?<=en )reyes|(?<=de )reyes|(?<=antes de )reyes|(?<=tras )reyes"
    r"|(?<=navidad y )reyes|(?:heilige )?drei konige|dreikonigstag|epiphanie|fete des rois"
    r"|dia de (?:los )?reyes(?: magos)?",
    (1, 26): r"australia day",
    (2, 2): r"groundhog day|candlemas|maria lichtmess|chandeleur|(?:dia de la )?candelaria",
    (2, 14): r"(?:st\.? )?valentine'?s?(?: day)?|valentinstag|(?:la )?saint[ -]valentin"
    r"|(?:dia de )?san valentin|dia de los enamorados",
    (3, 8): r"(?:international )?women'?s day|(?:welt)?frauentag"
    r"|journee (?:de la|des droits des) femmes?|dia de la mujer",
    (3, 17): r"(?:st\.?|saint) patrick'?s? day|saint[ -]patrick",
    (3, 19): r"dia del padre|(?:dia de )?san jose",
    (4, 1): r"april fools?'?(?: day)?|all fools'? day|erster? april|poisson d'avril",
    (4, 22): r"earth day",
    (4, 23): r"(?:st\.?|saint) george'?s? day|sant jordi",
    (4, 25): r"anzac day",
    (4, 30): r"walpurgisnacht|dia del nino",
    (5, 1): r"may day|international workers'? day|tag der arbeit|maifeiertag|fete du travail"
    r"|dia del? (?:los )?trabaj(?:o|ador(?:es)?)",
    (5, 5): r"cinco de mayo",
    (5, 8): r"victoire 1945|fete de la victoire",
    (5, 9): r"europe day|europatag",
    (6, 14): r"flag day",
    (6, 19): r"juneteenth",
    (6, 21): r"fete de la musique",
    (6, 23): r"noche de san juan",
    (6, 24): r"johannistag|(?:la )?saint[ -]jean|(?:dia de )?san juan",
    (6, 29): r"peter und paul",
    (7, 1): r"canada day",
    (7, 4): r"(?:us )?independence day",
    (7, 14): r"bastille day|fete nationale|quatorze juillet",
    (8, 1): r"(?:schweizer )?bundesfeiertag|swiss national day",
    (8, 15): r"mari(?:a|ae|a) himmelfahrt|assumption(?: day)?|(?:l')?assomption"
    r"|(?:dia de la )?asuncion",
    (9, 11): r"patriot day|(?:la )?diada",
    (9, 20): r"weltkindertag",
    (10, 3): r"tag der deutschen einheit",
    (10, 12): r"dia de (?:la )?(?:hispanidad|raza|colon)|fiesta nacional"
    r"|(?:dia|puente|fiestas?) del pilar",
    (10, 26): r"(?:osterreichischer )?nationalfeiertag",
    (10, 31): r"hallowe'?en|reformationstag|noche de brujas",
    (11, 1): r"all saints'? day|allerheiligen|(?:la )?toussaint|(?:dia de )?todos los santos",
    (11, 2): r"all souls'? day|allerseelen|dia de (?:los )?(?:muertos|difuntos)|fete des morts",
    (11, 5): r"bonfire night|guy fawkes(?: (?:night|day))?",
    (11, 11): r"veterans'? day|(?:remembrance|armistice) day|martinstag|sankt martin"
    r"|(?:l')?armistice",
    (11, 30): r"(?:st\.?|saint) andrew'?s? day",
    (12, 6): r"nikolaus(?:tag)?|st\.? nicholas'? day|saint[ -]nicolas|dia de la constitucion",
    (12, 8): r"inmaculada(?: concepcion)?|maria empfangnis",
    (12, 24): r"(?:christmas|xmas|x-mas) eve|heiligabend|heilig(?:er)? abend"
    r"|veille de noel|reveillon de noel|nochebuena|vispera de navidad",
    (12, 25): r"(?:christmas|xmas|x-mas)(?: day)?|weihnachten|weihnachtstag"
    r"|(?:erster?n?|1\.) weihnachts(?:feier)?tag|(?:jour de )?noel|(?:dia de )?navidad",
    (12, 26): r"boxing day|(?:zweiter?n?|2\.) weihnachts(?:feier)?tag|st\.? stephen'?s day"
    r"|step(?:h|f)an(?:s|i)tag|san esteban",
    (12, 28): r"dia de los (?:santos )?inocentes",
    (12, 31): r"new year'?s? eve|nye|s[iy]lvester(?:abend)?|(?:la )?saint[ -]sylvestre"
    r"|san silvestre|nochevieja"
    r"|fin de ano|reveillon du (?:jour de l'an|nouvel an)|vispera de ano nuevo",
}  # fmt: skip
#: Holidays in days after Easter Sunday.
_EASTER: Final[dict[int, str]] = {
    -52: r"weiberfast(?:nacht|elovend)|altweiber(?:fastnacht)?|jueves lardero",
    -48: r"rosenmontag|lunes de carnaval|shrove monday",
    -47: r"mardi gras|shrove tuesday|fa(?:schings|stnachts)dienstag|pancake (?:day|tuesday)"
    r"|fat tuesday|martes de carnaval",
    -46: r"ash wednesday|aschermittwoch|mercredi des cendres|miercoles de ceniza",
    -21: r"mothering sunday",
    -7: r"palm sunday|palmsonntag|(?:dimanche des )?rameaux|domingo de ramos",
    -6: r"lunes santo",
    -5: r"martes santo",
    -4: r"miercoles santo",
    -3: r"(?:maundy|holy) thursday|grundonnerstag|jeudi saint|jueves santo",
    -2: r"good friday|karfreitag|vendredi saint|viernes santo",
    -1: r"(?:holy|easter) saturday|karsamstag|ostersamstag|samedi saint|sabado (?:santo|de gloria)",
    0: r"easter(?: (?:sunday|day))?|oster(?:n|sonntag)|(?:dimanche de )?paques"
    r"|(?:domingo de )?(?:pascua|resurreccion)",
    1: r"easter monday|ostermontag|lundi de paques|lunes de pascua",
    39: r"ascension(?: (?:day|thursday))?|(?:christi )?himmelfahrt(?:stag)?|vatertag|herrentag"
    r"|(?:jeudi de )?(?:l')?ascension|(?:jueves de )?(?:la )?ascension",
    49: r"pentecost|whit ?sun(?:day)?|pfingst(?:en|sonntag)|pentecote|pentecostes",
    50: r"whit monday|pentecost monday|pfingstmontag|lundi de pentecote",
    56: r"trinity sunday",
    60: r"corpus christi|fronleichnam|fete-dieu",
}
#: Holidays of several days, counted from Easter Sunday.
_EASTER_DAYS: Final[dict[tuple[int, int], str]] = {
    (-52, -47): r"carnival|karneval(?:szeit)?|fasching|fastnacht|carnaval(?:es)?",
    (-7, 0): r"holy week|karwoche|semaine sainte|semana santa",
    (-1, 1): r"osterwochenende",
    (39, 42): r"pont de l'ascension",
    (48, 50): r"pfingstwochenende",
    (-2, 1): r"ostertage|osterfeiertage|easter (?:holidays|bank holidays|break)|fetes de paques",
}
#: Holidays of several days: month and day of the first and the last.
_FIXED_DAYS: Final[dict[tuple[int, int, int, int], str]] = {
    (12, 24, 12, 26): r"weihnachts(?:feier)?tage",
    (5, 1, 5, 3): r"puente de mayo",
    (12, 6, 12, 8): r"puente de (?:la )?(?:constitucion|inmaculada|diciembre)",
    (12, 27, 12, 31): r"zwischen den jahren|twixmas",
}
#: Holidays on the nth weekday of a month, and days later: (month, weekday, n, days). A negative n
#: counts from the end.
_FLOATING: Final[dict[tuple[int, int, int, int], str]] = {
    (1, 0, 3, 0): r"(?:martin luther king|mlk)(?: jr\.?)?(?:'?s)?(?: day)?",
    (2, 0, 3, 0): r"president'?s'? day|washington'?s birthday",
    (5, 6, 1, 0): r"dia de las? madres?",
    (5, 6, 2, 0): r"mother'?s'? day|muttertag",
    (5, 0, 1, 0): r"early may bank holiday|may bank holiday",
    (5, 6, -1, 0): r"fetes? des meres",
    (5, 0, -1, 0): r"memorial day|spring bank holiday",
    (6, 6, 3, 0): r"father'?s'? day|fetes? des peres",
    (8, 0, -1, 0): r"(?:summer|august) bank holiday",
    (9, 0, 1, 0): r"labou?r day",
    (10, 6, 1, 0): r"erntedank(?:fest|tag)?",
    (10, 0, 2, 0): r"columbus day|indigenous peoples?'?s?'? day|canadian thanksgiving",
    (11, 3, 4, 0): r"thanksgiving(?: day)?|turkey day|(?:dia de )?accion de gracias",
    (11, 3, 4, 1): r"black friday|viernes negro|vendredi noir",
    (11, 3, 4, 4): r"cyber monday",
}
#: Holidays on the nth weekday before a day: (month, day, weekday, n).
_BEFORE: Final[dict[tuple[int, int, int, int], str]] = {
    (11, 23, 2, 1): r"bu(?:ss|ß)?-? ?(?:und|u\.) ?bettag",
    (12, 25, 6, 6): r"volkstrauertag",
    (12, 25, 6, 5): r"totensonntag|ewigkeitssonntag",
    (12, 25, 6, 4): r"(?:first (?:sunday (?:of|in) )?|ersten?r? |1\. |1er dimanche de l'"
    r"|premier dimanche de l'|primer domingo de )advent\w{0,8}"
    r"|1(?=\. (?:oder|und) \d\. advent)",
    (12, 25, 6, 3): r"(?:second (?:sunday (?:of|in) )?|zweiten?r? |2\. )advent(?:ssonntag)?"
    r"|2(?=\. (?:oder|und) \d\. advent)",
    (12, 25, 6, 2): r"(?:third (?:sunday (?:of|in) )?|dritten?r? |3\. )advent(?:ssonntag)?"
    r"|3(?=\. (?:oder|und) \d\. advent)",
    (12, 25, 6, 1): r"(?:fourth (?:sunday (?:of|in) )?|vierten?r? |4\. )advent(?:ssonntag)?",
}


def holiday_in(name: str, year: int) -> tuple[date, date] | None:
    """Returns the first and the last day of a holiday in a year."""
    kind, *numbers = name.split("_")
    if kind not in ("easterdays", "fixeddays"):
        day = _day_in(name, year)
        return (day, day) if day else None
    values = [_number(each) for each in numbers]
    if kind == "fixeddays":
        first, last = day_of(year, *values[:2]), day_of(year, *values[2:])
    else:
        sunday = easter(year)
        first, last = (plus(sunday, each) if sunday else None for each in values)
    return (first, last) if first and last else None


def _number(written: str) -> int:
    return -int(written[1:]) if written.startswith("m") else int(written)


def _day_in(name: str, year: int) -> date | None:
    kind, *numbers = name.split("_")
    values = [_number(each) for each in numbers]
    match kind:
        case "fixed":
            return day_of(year, *values)
        case "easter":
            sunday = easter(year)
            return plus(sunday, values[0]) if sunday else None
        case "floating":
            day = nth_weekday(year, *values[:3])
            return plus(day, values[3]) if day else None
        case _:
            month, number, weekday, nth = values
            day = day_of(year, month, number)
            back = (day.weekday() - weekday - 1) % 7 + 1 if day else 0
            return plus(day, -back - 7 * (nth - 1)) if day else None


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """Returns the nth such weekday of a month; -1 is the last. None if there is none."""
    first = day_of(year, month, 1)
    if first is None:
        return None
    if nth < 0:
        following = day_of(year + month // 12, month % 12 + 1, 1)
        last = plus(following, -1) if following else date.max
        return plus(last, -((last.weekday() - weekday) % 7) + 7 * (nth + 1))
    day = plus(first, (weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return day if day.month == month else None


def easter(year: int) -> date | None:
    """Returns Easter Sunday of the Gregorian calendar, by the method of Meeus."""
    century, of_century = divmod(year, 100)
    leaps, rest = divmod(century, 4)
    moon = (19 * (year % 19) + century - leaps - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * rest + 2 * (of_century // 4) - moon - of_century % 4) % 7
    shift = (year % 19 + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * shift + 114, 31)
    return day_of(year, month, day + 1)


def _name(kind: str, *numbers: int) -> str:
    return "_".join((kind, *(f"m{-each}" if each < 0 else str(each) for each in numbers)))


_NAMED: Final = {
    **{_name("easter", days): words for days, words in _EASTER.items()},
    **{_name("easterdays", *days): words for days, words in _EASTER_DAYS.items()},
    **{_name("fixed", *day): words for day, words in _FIXED.items()},
    **{_name("fixeddays", *days): words for days, words in _FIXED_DAYS.items()},
    **{_name("floating", *day): words for day, words in _FLOATING.items()},
    **{_name("before", *day): words for day, words in _BEFORE.items()},
}
_ALLOWED: Final = r"\b(?<!happy )(?<!merry )(?<!frohe )(?<!joyeux )(?<!feliz )"
_BEHIND: Final = r"\b(?!-| (?:market|party|present|gift|card|time|shopping|holidays?|feier|eve\b))"
_IN_ORDER: Final = sorted(_NAMED.items(), reverse=True)
#: Finds a holiday fast: without groups the alternatives are told apart by their first letter.
_ANY: Final = re.compile(
    f"{_ALLOWED}(?:" + "|".join(words for _, words in _IN_ORDER) + f"){_BEHIND}"
)


def find_holidays(plain: str) -> Iterator[tuple[str, int, int]]:
    """Yields the names of holidays in a folded text, with their positions."""
    for place in _ANY.finditer(plain):
        found = _named().match(plain, place.start())
        if found is not None:
            yield next(name for name in _NAMED if found[name] is not None), *found.span()


@cache
def _named() -> re.Pattern[str]:
    """Returns the same pattern with a group for each name."""
    groups = "|".join(f"(?P<{name}>{words})" for name, words in _IN_ORDER)
    return re.compile(f"{_ALLOWED}(?:{groups}){_BEHIND}")
