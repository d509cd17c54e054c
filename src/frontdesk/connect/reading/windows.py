"""Makes one window of days from the periods that a text names and the words between them.

'after the 15th' opens a window, 'until Friday' closes it, 'except Wednesday' is for staff to see.
"""

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Final, Literal

from frontdesk.connect.reading.days import find_days
from frontdesk.connect.reading.model import Confidence, Field, Words, in_order, least
from frontdesk.connect.reading.periods import Period, plus, week_of
from frontdesk.frozen import frozen

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CHARACTERS_BETWEEN: Final = 40
MOST_CHARACTERS_OF_ONE_THOUGHT: Final = 12
MOST_CLAUSE: Final = 300

_Side = Literal["", "after", "from", "before", "until", "week of", "not"]


@frozen
class Window:
    """What a text says about days; `also` is what a window cannot hold."""

    earliest_on: Field[date] | None
    latest_on: Field[date] | None
    also: tuple[Words, ...]


@frozen
class _Bound:
    """What one period says: either end may be open."""

    first: date | None
    last: date | None
    confidence: Confidence
    words: Words


def window(text: str, folded: str, *, today: date, written_on: date, country: str) -> Window:
    """Words like 'tomorrow' count from the day they were written."""
    days = find_days(text, folded, written_on, country)
    periods = _in_their_weeks(folded, [p for p in days.periods if not _is_other(folded, p)])
    bounds: list[_Bound] = []
    also = list(days.undated)
    for group in _groups(folded, periods):
        bound = _bound(text, folded, group)
        if isinstance(bound, Words):
            also.append(bound)
        else:
            bounds.append(bound)
    ahead = _ahead_of(bounds, today)
    is_all = len(ahead) == len(bounds) and not also
    most = UNSURE if _MOVED.search(folded) else CONFIDENT if is_all else LIKELY
    earliest, latest = _joined(ahead, most=most)
    return Window(_checked(earliest, today), _checked(latest, today), in_order(also))


#: Of the dates of somebody who moves an appointment only one is wished for.
_MOVED: Final = re.compile(
    r"\b(?:reschedule|postpone|(?:move|change|switch|swap) (?:\w{1,15} ){0,4}(?:from|to)"
    r"|verschieben|verlegen"
    r"|umbuchen|deplacer|decaler|reporter|aplazar|cambiar (?:la|mi) cita)\b"
)


def _is_other(folded: str, period: Period) -> bool:
    """A date of birth, of a mail, of something that has been."""
    before = folded[max(0, period.start - 2 * MOST_CHARACTERS_BETWEEN) : period.start]
    return bool(_OTHER_DATE.search(_CLAUSE_END.split(before)[-1]))


_OTHER_DATE: Final = re.compile(
    r"(?:\b(?:born|dob|d\.o\.b\.|date of birth|geboren|geb\.|geburtsdatum|nee?|ne\(e\)|nacid[oa]"
    r"|fecha de nacimiento|date de naissance|since|seit|depuis)(?: am| on| le| el| the)?:?"
    r"|\b(?:e-?mail|mail|message|letter|invoice|order|rechnung|nachricht|schreiben|facture|courriel"
    r"|factura|correo)(?: \S{1,15}){0,2} (?:of|from|dated|vom|du|del|de)"
    r"|\b(?:was|were|came|visited|called|rang|spoke|saw|had|met|missed|verpasst|etais"
    r"|estuve|tuve)(?: \w{1,12}){0,5}? (?:on|here|am|le|el|in))"
    r"(?: \w{1,3})?\s{0,3}$"
)


def _in_their_weeks(folded: str, periods: list[Period]) -> list[Period]:
    """'Tuesday next week', 'nächste Woche Dienstag', 'Tuesday or Thursday next week'."""
    found: list[Period] = []
    for period in periods:
        before = found[-1] if found else None
        gap = folded[before.end : period.start] if before else ""
        if before and before.is_week and period.weekday is not None and _BESIDE.fullmatch(gap):
            found[-1] = _weekday_of(period, before)
        elif before and before.is_week and period.weekday is not None and _FROM.fullmatch(gap):
            found[-1] = replace(_weekday_of(period, before), last=before.last, confidence=LIKELY)
        elif before and period.is_week and before.weekday is not None and _BESIDE.fullmatch(gap):
            found[-1] = _weekday_of(before, period)
            _list_in_week(folded, found, period)
        else:
            found.append(period)
    return found


_BESIDE: Final = re.compile(
    r"\s{0,3},?\s{0,3}(?:\(?(?:of|in|on|in der|der|de|de la|am|le|el|the)\s{1,3})?"
)


_FROM: Final = re.compile(
    r",?\s{1,3}(?:from|starting|ab|a partir du|a partir del?|desde)\s{1,3}(?:el )?"
)


def _weekday_of(day: Period, week: Period) -> Period:
    assert day.weekday is not None
    on = plus(week_of(week.last, 0)[0], day.weekday)
    return Period(
        on, on, week.confidence if on >= week.first else UNSURE,
        min(day.start, week.start), max(day.end, week.end),
    )  # fmt: skip


def _list_in_week(folded: str, found: list[Period], week: Period) -> None:
    """Weekdays that are listed before the one with the week lie in the same week."""
    for at in range(len(found) - 2, -1, -1):
        day, after = found[at], found[at + 1]
        if day.weekday is None or not _LISTED.fullmatch(folded[day.end : after.start]):
            break
        on = plus(week_of(week.last, 0)[0], day.weekday)
        found[at] = replace(day, first=on, last=on, weekday=None, confidence=week.confidence)


_AND: Final = r"(?:,|&|/|or|and|oder|und|ou|et|o|y|sowie|,\s?(?:or|and|oder|und))"
_TO: Final = r"(?:-|to|until|till?|through|thru|up to|bis(?: zu[mr]?)?|au|jusqu'(?:au|a)|al?|hasta)"
_ARTICLE: Final = (
    r"(?:(?:the|on|on the|am|den|dem|der|le|la|el|the week of|evtl\.?|even|maybe)\s{1,3})?"
)
_LISTED: Final = re.compile(rf"\s{{0,3}}(?:{_AND}|{_TO})\s{{0,3}}{_ARTICLE}")
_RANGED: Final = re.compile(rf"\s{{0,3}}{_TO}\s{{0,3}}{_ARTICLE}")
_ALSO_RANGED: Final = re.compile(rf"\s{{0,3}}(?:and|und|et|y)\s{{0,3}}{_ARTICLE}")
_BETWEEN: Final = re.compile(r"\b(?:between|zwischen|entre)\s{1,3}(?:the |dem |le |el )?$")


def _groups(folded: str, periods: list[Period]) -> list[list[Period]]:
    """Periods that a list or a range holds together."""
    gaps = [folded[one.end : two.start] for one, two in pairwise(periods)]
    groups = [[period] for period in periods[:1]]
    for at, period in enumerate(periods[1:]):
        if _is_listed(gaps[at:]):
            groups[-1].append(period)
        else:
            groups.append([period])
    return groups


def _is_listed(gaps: list[str]) -> bool:
    """Commas make a list only if 'or' and the like stand before its last."""
    end = next((gap for gap in gaps if gap.strip() != ","), "")
    return bool(_LISTED.fullmatch(end))


def _bound(text: str, folded: str, group: list[Period]) -> _Bound | Words:
    """What a group of periods says, or the words if it says when not."""
    first, last = group[0], group[-1]
    side, start = _side(folded, first)
    words = Words(text[start : last.end], start)
    if side == "not":
        return words
    if _is_refused(folded, start, last.end):
        return _refused(first, last, side, words)
    doubt = _doubt(folded, first.start) if not side else CONFIDENT
    confidence = least(doubt, *(each.confidence for each in group))
    if len(group) > 1:
        is_range = len(group) == 2 and _is_range(folded, first, last)
        if last.last < first.first and first.weekday is not None and last.weekday is not None:
            last = replace(last, last=plus(last.last, 7))
        return _Bound(
            min(each.first for each in (*group, last)),
            max(each.last for each in (*group[:-1], last)),
            confidence if is_range else least(confidence, LIKELY),
            words,
        )
    return _one_sided(replace(first, confidence=confidence), side, words)


def _doubt(folded: str, start: int) -> Confidence:
    """How sure one can be that a date is wished for, from what else is said before it."""
    before = _CLAUSE_END.split(folded[max(0, start - MOST_CLAUSE) : start])[-1]
    if _BEFORE_AN_OCCASION.search(before):
        return UNSURE
    return LIKELY if _OCCASION.search(before) else CONFIDENT


#: 'before her school photo on …': the date is that of the photo.
_BEFORE_AN_OCCASION: Final = re.compile(
    r"\b(?:before|b4|after|until|till|vor|nach|avant|apres|antes de|despues de)"
    r"\s(?!work\b|lunch\b|school\b|der arbeit|dem mittag|\d)(?:\w{1,15}\s){1,5}(?:on|am|le|el"
    r"|in)\s{1,3}"
    r"(?:the |den )?$"
)
_OCCASION: Final = re.compile(
    r"\b(?:birthday|wedding|married|anniversary|photo|exam|flight|arriv\w{1,4}|valid|voucher"
    r"|expires?|ends?"
    r"|deadline|paid|geburtstag|hochzeit|heirate\w?|gutschein|gultig|prufung|anniversaire"
    r"|mariage|valable"
    r"|boda|cumpleanos|vence)\b"
)


def _is_range(folded: str, first: Period, last: Period) -> bool:
    gap = folded[first.end : last.start]
    if _RANGED.fullmatch(gap):
        return True
    before = folded[max(0, first.start - MOST_CHARACTERS_BETWEEN) : first.start]
    return bool(_ALSO_RANGED.fullmatch(gap) and _BETWEEN.search(before))


def _one_sided(period: Period, side: _Side, words: Words) -> _Bound:
    first: date | None = period.first
    last: date | None = period.last
    match side:
        case "after":
            first, last = plus(period.last, 1), None
        case "from" if not period.is_range:
            last = None
        case "before":
            first, last = None, plus(period.first, -1)
        case "until":
            first = None
        case "week of":
            first, last = week_of(period.first, 0)
        case _:
            pass
    return _Bound(first, last, period.confidence, words)


def _refused(first: Period, last: Period, side: _Side, words: Words) -> _Bound | Words:
    """'I am away until the 20th' says when it begins to suit them."""
    match side:
        case "until":
            return _Bound(plus(last.last, 1), None, UNSURE, words)
        case "before":
            return _Bound(first.first, None, LIKELY, words)
        case "after":
            return _Bound(None, last.last, LIKELY, words)
        case _:
            return words


def _side(folded: str, period: Period) -> tuple[_Side, int]:
    """The word that stands before a period and bounds it, and where it begins."""
    at = max(0, period.start - MOST_CHARACTERS_BETWEEN)
    found = _SIDES.search(folded[at : period.start])
    if found is None:
        return "", period.start
    side: _Side = next(side for side, group in _GROUPS.items() if found[group] is not None)
    return side, at + found.start()


_GROUPS: Final[dict[_Side, str]] = {
    "not": "skip", "from": "open", "until": "close", "after": "after", "before": "before",
    "week of": "week",
}  # fmt: skip
_SIDES: Final = re.compile(
    r"\b(?:"
    r"(?P<skip>(?:except|excluding|but not|not on|not|other than|apart from|besides|ausser|außer"
    r"|bis auf"
    r"|nicht am|nicht|nur nicht|ohne|sauf|excepte|hormis|mais pas|pas|excepto|menos|salvo"
    r"|pero no|no)"
    r"(?: for)?)"
    r"|(?P<open>not before|no earlier than|not earlier than|at the earliest(?: on)?|earliest:?"
    r"|starting"
    r"(?: from| on)?|from|beginning|as of|since|nicht vor|fruhestens(?: am| ab)?|fruhestens|ab|von"
    r"|pas avant|a partir d[ue]|a compter d[ue]|des|au plus tot|a partir del?|desde|no antes del?)"
    r"|(?P<close>no later than|not later than|at the latest(?: on)?|latest:?|until|till?|up to|by"
    r"|spatestens(?: am| bis)?|bis(?: zu[mr]?)?|au plus tard|jusqu'(?:au|a)|d'ici(?: a| au)?"
    r"|a mas tardar|hasta|as late as)"
    r"|(?P<after>after|nach|apres|despues del?|tras|past)"
    r"|(?P<before>before|b4|vor|avant|antes del?|ahead of)"
    r"|(?P<week>(?:the )?week (?:of|commencing|beginning|starting)|w/c|woche (?:vom|um)"
    r"|semaine du"
    r"|semana del?)"
    r")\s{1,3}(?:(?:the|on|on the|dem|den|der|die|am|le|la|el|end of|anfang|ende|any|all)\s{1,3})?$"
)


def _is_refused(folded: str, start: int, end: int) -> bool:
    """Whether their part of the sentence says that those days do not suit."""
    before = _CLAUSE_END.split(folded[max(0, start - MOST_CLAUSE) : start])[-1]
    after = _CLAUSE_END.split(folded[end : end + MOST_CLAUSE])[0]
    return bool(_REFUSAL.search(before + " " + folded[start:end] + " " + after))


_CLAUSE_END: Final = re.compile(
    r"[!?;,]|(?<!\d)\.(?=\s|$)|\n\s{0,20}\n|\n(?=[^\n:]{1,25}:)|\n\s{0,3}[-*•|]"
    r"|\b(?:but|however|so|aber|sondern|daher|mais|donc|pero|asi que|sino)\b"
)
_REFUSAL: Final = re.compile(
    r"\b(?:can'?t|cannot|can not|couldn't|unable|unavailable|not (?:available|free|around|here"
    r"|possible"
    r"|in town|good)|(?:doesn't|does not|won't|don't|do not|isn't|is not|aren't) (?:work|suit"
    r"|good|fit"
    r"|possible|free|have time|an option)|no good|not an option|away|on (?:holidays?|vacation"
    r"|leave)"
    r"|out of (?:town|office|the office)|busy|travelling|traveling|fully booked|cancel(?:led|ed)?"
    r"|im urlaub|verreist|verhindert|unterwegs|nicht da|(?:geht|passt|kann"
    r"|konnen)(?: \w{1,12}){0,4}"
    r" (?:leider )?nicht|keine zeit|abgesagt"
    r"|en vacances|absente?s?|pas (?:disponible|libre|possible)|ne (?:peux|pouvons|suis|sommes) pas"
    r"|pas la|indisponible|ne convient pas"
    r"|de vacaciones|fuera|no (?:puedo|podemos|estoy|estamos|estare|me viene|tengo tiempo)"
    r"|ocupad[oa]"
    r"|no disponible)\b(?! wait)"
)


def _ahead_of(bounds: list[_Bound], today: date) -> list[_Bound]:
    """Without what has passed, if something is still to come."""
    ahead = [each for each in bounds if (each.last or each.first or today) >= today]
    return ahead or bounds


def _joined(
    bounds: list[_Bound], *, most: Confidence
) -> tuple[Field[date] | None, Field[date] | None]:
    closed = [each for each in bounds if each.first and each.last]
    firsts = _ends([each for each in bounds if not each.last], "first")
    lasts = _ends([each for each in bounds if not each.first], "last")
    most = least(most, LIKELY if len(closed) > 1 else CONFIDENT)
    earliest = min(_ends(closed, "first"), key=_value, default=None)
    latest = max(_ends(closed, "last"), key=_value, default=None)
    earliest, latest = _narrowed(earliest, latest, firsts, lasts)
    if earliest and latest and earliest.value > latest.value:
        most = UNSURE
    return _at_most(earliest, most), _at_most(latest, most)


def _narrowed(
    earliest: Field[date] | None,
    latest: Field[date] | None,
    firsts: list[Field[date]],
    lasts: list[Field[date]],
) -> tuple[Field[date] | None, Field[date] | None]:
    """'next week, after Wednesday': an open end counts within what is closed."""
    if not earliest or not latest:
        earliest = min(firsts, key=_value, default=None)
        latest = max(lasts, key=_value, default=None)
        most = CONFIDENT if not (earliest and latest) or _are_near(earliest, latest) else LIKELY
        most = UNSURE if max(len(firsts), len(lasts)) > 1 else most
        return _at_most(earliest, most), _at_most(latest, most)
    low, high = earliest.value, latest.value
    later = max((each for each in firsts if low <= each.value <= high), key=_value, default=None)
    sooner = min((each for each in lasts if low <= each.value <= high), key=_value, default=None)
    outside = len(firsts) + len(lasts) - bool(later) - bool(sooner)
    most = UNSURE if outside else CONFIDENT
    return _at_most(later or earliest, most), _at_most(sooner or latest, most)


def _are_near(one: Field[date], other: Field[date]) -> bool:
    """'after the 15th, but before the 20th' is one thought."""
    first, last = sorted((one.words, other.words), key=lambda words: words.start)
    return last.start - first.end <= MOST_CHARACTERS_OF_ONE_THOUGHT


def _ends(bounds: list[_Bound], end: Literal["first", "last"]) -> list[Field[date]]:
    values = ((each.first if end == "first" else each.last, each) for each in bounds)
    return [Field(value, each.confidence, each.words) for value, each in values if value]


def _value(field: Field[date]) -> date:
    return field.value


def _at_most(field: Field[date] | None, most: Confidence) -> Field[date] | None:
    return replace(field, confidence=least(field.confidence, most)) if field else None


def _checked(field: Field[date] | None, today: date) -> Field[date] | None:
    """A day that has passed is never certain."""
    return _at_most(field, UNSURE if field and field.value < today else CONFIDENT)
