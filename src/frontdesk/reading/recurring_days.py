"""Finds weekdays without a date: 'Tuesdays', 'any Friday', 'montags', 'weekdays', 'Mon-Fri'."""

import re
from typing import Final

from frontdesk.reading.words import ALL_WEEKDAYS, WEEKDAYS, one_of
from frontdesk.values import Frozen

WORKDAYS: Final = frozenset(range(5))
WEEKEND: Final = frozenset((5, 6))
MOST_MENTIONS: Final = 30


class Recurring(Frozen):
    """Weekdays of any week, as one wish or one exclusion."""

    weekdays: frozenset[int]
    start: int
    end: int
    is_refused: bool
    is_of_one_week: bool = False
    """'during the week' may mean the current week."""


def find_recurring(plain: str) -> list[Recurring]:
    found = []
    for match in _RECURRING.finditer(plain):
        start = match.start()
        refused = _NOT.search(plain, max(0, start - 24), start)
        found.append(
            Recurring(
                _weekdays(match),
                refused.start() if refused else start,
                match.end(),
                is_refused=refused is not None,
                is_of_one_week=_ONE_WEEK.search(match[0]) is not None,
            )
        )
    return found[:MOST_MENTIONS]


def _weekdays(match: re.Match[str]) -> frozenset[int]:
    if match["work"]:
        return WORKDAYS
    if match["weekend"]:
        return WEEKEND
    if match["first"]:
        first, last = (
            ALL_WEEKDAYS[_singular(match["first"])],
            ALL_WEEKDAYS[_singular(match["last"])],
        )
        return frozenset((first + at) % 7 for at in range((last - first) % 7 + 1))
    names = re.findall(one_of(_NAMES), match["listed"])
    return frozenset(ALL_WEEKDAYS[_singular(name)] for name in names)


def _singular(name: str) -> str:
    return name if name in ALL_WEEKDAYS else name.removesuffix("s")


_S: Final = r"\s{1,3}"
_PLURAL: Final = [f"{day}s" for day in WEEKDAYS if not day.endswith("s")]
_SHORT: Final = (
    *("mon", "tues", "tue", "wed", "weds", "thu", "thurs", "fri", "sat", "sun"),
    *("mo", "di", "mi", "do", "fr", "sa", "so"),
)
_NAMES: Final = (*WEEKDAYS, *_PLURAL)
_DAYS: Final = one_of(_PLURAL)
_ANY_DAY: Final = one_of((*_PLURAL, *WEEKDAYS))
_EVERY: Final = (
    r"(?:every|each|any|an?(?= (?:mon|tues|wednes|thurs|fri|satur|sun)day)|jede[nr]?|an einem|einen"
    r"|chaque|n'importe quel|un|cada|todos los|tous les|les|los|cualquier|algun)"
)
_LIST: Final = (
    rf"(?:(?:\s{{0,2}}[,/&]\s{{0,2}}|{_S}(?:or|and|oder|und|ou|et|o|u|y){_S})"
    rf"(?:{_EVERY}{_S}|on{_S})?"
)
#: 'Tuesday evenings', 'dienstagabends'
_PARTS: Final = (
    r"(?:\s(?:mornings|lunchtimes|afternoons|evenings|nights)\b|(?:(?:vor|nach)?mittag|abend)s\b)"
)
#: 'Tuesday or Thursday evenings'
_BEFORE_PARTS: Final = rf"(?={_LIST}{_ANY_DAY}){{0,5}}{_PARTS})"
_RECURRING: Final = re.compile(
    rf"(?<!\d )\b(?:(?P<first>{one_of((*WEEKDAYS, *_PLURAL, *_SHORT))})\.?"
    rf"(?:\s?-\s?|{_S}(?:to|through|thru){_S})(?P<last>{one_of((*_PLURAL, *_SHORT))})\b"
    rf"|(?:on{_S})?(?P<listed>(?:{_EVERY}{_S}{_ANY_DAY}|{_DAYS}|{_ANY_DAY}{_BEFORE_PARTS})"
    rf"{_LIST}{_ANY_DAY}){{0,5}})"
    rf"|(?:on{_S}|an{_S}|en{_S}|los{_S}|les{_S}|during{_S}the{_S}"
    rf"|{_EVERY}{_S})?(?:(?P<work>week-?days?|"
    rf"wochentags?|werktags?|werktagen|unter der woche|business days?|work(?:ing )?days?"
    rf"|jours de semaine|(?<=matins )de semaine|(?<=soirs )de semaine"
    rf"|jours ouvres|en semaine(?! \d)|entre semana|dias laborables|during the week)"
    rf"|(?P<weekend>week-?ends"
    rf"|wochenenden?s?(?<=s|n)|(?<=every )week-?end|(?<=any )week-?end|(?<=jedes )wochenende"
    rf"|(?:los )?fines de"
    rf" semana|les week-?ends)))(?:\b|(?={_PARTS}))"
)
_ONE_WEEK: Final = re.compile(r"during the week|unter der woche|en semaine|entre semana")
_NOT: Final = re.compile(
    r"\b(?:(?:but |just |only )?(?:not|no|never|except(?: for)?|excluding|apart from"
    r"|other than|any(?:thing"
    r"| ?time| day)? but|avoid|nicht|keine?|ausser|ohne|nur nicht|bis auf|nie|pas|sauf|hormis"
    r"|jamais|excepto"
    r"|menos|salvo|nunca|pero no|no puedo)(?: on| am| an| le| les| los| el| any)?)\s{1,3}$"
)
