"""Reads an answer to proposed times: 'the second one', 'Thursday is fine', 'none of these'.

The vocabulary is closed: a word that it does not know makes the answer uncertain, so that an
answer with a question or a condition in it goes to a person.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from frontdesk.reading.mail_frame import without_frame
from frontdesk.reading.model import Confidence
from frontdesk.reading.when import read_when
from frontdesk.reading.when_model import PartsOfDay, When, WhenOption
from frontdesk.reading.words import MONTHS, SHORT_WEEKDAYS, WEEKDAYS, folded, one_of
from frontdesk.values import Frozen

#: A longer answer is not only a choice.
MOST_CHARACTERS: Final = 1_000


class ProposalAnswer(Frozen):
    """The choice in an answer. Only a `CONFIDENT` one may be acted on."""

    chosen: int | None = None
    """The index of the proposed time; None if none suits."""
    confidence: Confidence = Confidence.UNSURE


UNCLEAR: Final = ProposalAnswer()


def read_proposal_answer(
    text: str, proposed: Sequence[datetime], now: datetime, parts: PartsOfDay
) -> ProposalAnswer:
    """Reads the new text of a mail. All times are wall times of the business."""
    said = without_frame(text.strip())
    if not said or len(said) > MOST_CHARACTERS or not proposed:
        return UNCLEAR
    plain = folded(said)
    when = _said_time(read_when(said, now, parts, month_first=False), proposed)
    chosen = _chosen(plain, when, proposed)
    none_suits = bool(_NONE.search(plain))
    if none_suits == (chosen is not None):
        return UNCLEAR
    is_certain = _is_closed(plain, when, none_suits=none_suits)
    return ProposalAnswer(
        chosen,
        Confidence.CONFIDENT if is_certain else Confidence.LIKELY,
    )


# --- the choice -----------------------------------------------------------------------------


def _said_time(when: When | None, proposed: Sequence[datetime]) -> When | None:
    """Returns None if 'the second' is a position in the list and not the 2nd of the month."""
    words = [folded(each.text) for each in when.words] if when else []
    named = [
        {at for at, pattern in enumerate(_ORDINALS) if pattern.fullmatch(each)} | _position(each)
        for each in words
    ]
    if not all(named):
        return when
    positions = set[int]().union(*named)
    on_that_day = {at for at, one in enumerate(proposed) if one.day - 1 in positions}
    return when if on_that_day - positions else None


def _position(word: str) -> set[int]:
    """Returns the index that '2nd', '2.' or '2eme' names."""
    found = _RANK.fullmatch(word)
    return {int(found[1]) - 1} if found else set()


_RANK: Final = re.compile(r"(?:\w{2,3} )?([123])(?:st|nd|rd|eme|ieme|er|[ªº]|\.)")


def _chosen(plain: str, when: When | None, proposed: Sequence[datetime]) -> int | None:
    """Returns the only proposed time that fits all words of the answer."""
    said = [
        each
        for each in (_numbered(plain, proposed), _by_time(plain, when, proposed))
        if each is not None
    ]
    fitting = set.intersection(set(range(len(proposed))), *said)
    compared = _compared(plain, fitting, proposed)
    if said or compared is not None:
        both = fitting if compared is None else compared
        return both.pop() if len(both) == 1 else None
    return 0 if len(proposed) == 1 and _YES.search(plain) else None


def _compared(plain: str, fitting: set[int], proposed: Sequence[datetime]) -> set[int] | None:
    """Reads 'the earliest', 'the earlier one' of two; None if nothing is compared.

    The earliest day may have a later hour than another: then both may be meant.
    """
    for pattern, most, best in _COMPARISONS:
        if pattern.search(plain):
            if not 1 < len(fitting) <= most:
                return set()
            by_date = best(fitting, key=lambda at: proposed[at])
            by_clock = best(fitting, key=lambda at: proposed[at].time())
            return {by_date, by_clock}
    return None


def _numbered(plain: str, proposed: Sequence[datetime]) -> set[int] | None:
    """Returns the times that the answer names by position; None if it names no position."""
    found: set[int] = set()
    for index, pattern in enumerate(_ORDINALS):
        if pattern.search(plain):
            found.add(index)
    if _LAST.search(plain):
        found.add(len(proposed) - 1)
    if _MIDDLE.search(plain) and len(proposed) == len(_ORDINALS):
        found.add(1)
    for match in _DIGIT.finditer(plain):
        number = _NUMBERS[match[1] or match[2]]
        if match[2] and _with_number(number, proposed) - {number - 1}:
            return set()
        found.add(number - 1)
    return {index for index in found if index < len(proposed)} if found else None


def _with_number(number: int, proposed: Sequence[datetime]) -> set[int]:
    """Returns the times that 'the 3rd' can mean: on that day, or at that hour."""
    return {
        index
        for index, at in enumerate(proposed)
        if at.day == number or at.hour % 12 == number % 12
    }


def _by_time(plain: str, when: When | None, proposed: Sequence[datetime]) -> set[int] | None:
    """Returns the times that fit the days and hours in the answer; None if it has none."""
    weekdays = {WEEKDAYS[word] for word in _WEEKDAY.findall(plain)}
    weekdays |= {SHORT_WEEKDAYS[word] for word in _SHORT_WEEKDAY.findall(plain)}
    if when is None and not weekdays:
        return None
    fits = {at for at, one in enumerate(proposed) if not weekdays or one.weekday() in weekdays}
    if len(weekdays) > 1:
        return set()
    if when is not None:
        fits = {at for at in fits if _suits(when, proposed[at], by_weekday=bool(weekdays))}
    return fits


def _suits(when: When, at: datetime, *, by_weekday: bool) -> bool:
    """Returns whether a time fits. A weekday alone is a proposed day, not always the next one."""
    if when.not_weekdays or when.not_on:
        return False
    minute = at.hour * 60 + at.minute
    return any(
        (by_weekday or option.first_on is None or _is_on(option, at))
        and (not option.clocks or any(c.earliest <= minute <= c.latest for c in option.clocks))
        for option in when.options
    )


def _is_on(option: WhenOption, at: datetime) -> bool:
    return option.first_on == option.last_on == at.date()


_ORDINALS: Final = tuple(
    re.compile(rf"\b(?:{words})\b")
    for words in (
        r"first|erste[nrs]?|premiere?|primer[oa]?",
        r"second|zweite[nrs]?|deuxieme|segund[oa]",
        r"third|dritte[nrs]?|troisieme|tercer[oa]?",
    )
)
_MIDDLE: Final = re.compile(
    r"\b(?:middle one|mittlere[nrs]?|celui du milieu|(?:el|la) del? (?:en )?medio)\b"
)
_EARLIEST: Final = re.compile(
    r"\b(?:earliest|fruhe?ste[nrs]?|l[ea] plus tot(?! possible)|(?:el|la) mas (?:temprano|pronto"
    r"|temprana))\b"
)
_EARLIER: Final = re.compile(r"\b(?:earlier one|fruhere[nrs]?)\b")
_LATEST: Final = re.compile(
    r"\b(?:latest|spateste[nrs]?|l[ea] plus tard(?! possible)|(?:el|la) mas (?:tarde|tardia))\b"
)
_LATER: Final = re.compile(r"\b(?:later one|spatere[nrs]?)\b")
_COMPARISONS: Final = (
    (_EARLIEST, MOST_CHARACTERS, min),
    (_EARLIER, 2, min),
    (_LATEST, MOST_CHARACTERS, max),
    (_LATER, 2, max),
)
_LAST: Final = re.compile(r"\b(?:last|letzte[nrs]?|derniere?|ultim[oa])\b")
_NUMBERS: Final = {
    word: number
    for number, words in enumerate(
        ("1 one eins uno una un une", "2 two zwei dos deux", "3 three drei tres trois"), start=1
    )
    for word in words.split()
}
_NUMBER: Final = one_of(_NUMBERS)
_DIGIT: Final = re.compile(
    r"(?:\b(?:number|no\.?|nr\.?|n[°º]|option|nummer|time|numero|choice|opcion|termin|slot|choix"
    rf"|proposition|propuesta|vorschlag) ?|#)({_NUMBER})\b(?![:.]\d)"
    rf"|^(?:(?:the|der|die|das|den|la|le|el) )?({_NUMBER})(?:st|nd|rd|eme|ieme|er|[ªº]|\.|\))?"
    r"(?: (?:one|option|slot|termin|opcion))?"
    r"(?:,? (?:please|bitte|s'il vous plait|svp|por favor|merci|gracias|thanks|danke))?[.!]?$",
    re.MULTILINE,
)
#: Abbreviations at the start of an answer, but those that are also other words.
_SHORT_WEEKDAY: Final = re.compile(
    rf"\A(?:(?:on|am|le|el) )?({one_of(set(SHORT_WEEKDAYS) - {'so', 'do', 'mi', 'mon'})})\b"
)
_WEEKDAY: Final = re.compile(rf"\b({one_of(WEEKDAYS)})\b")
_YES: Final = re.compile(r"\b(?:yes|ok|okay|fine|perfect|ja|gerne|passt|oui|parfait|si|perfecto)\b")
_NONE: Final = re.compile(
    r"\b(?:none|neither|keine[rs]?|keinen|aucune?|ningun[oa]?)\b"
    r"|\b(?:nothing|nichts|rien) (?:suits|fits|works|passt|ne)\b"
)


# --- certainty ------------------------------------------------------------------------------


def _is_closed(plain: str, when: When | None, *, none_suits: bool) -> bool:
    """Returns whether all other words are known and harmless."""
    if "?" in plain:
        return False
    left = list(plain)
    for words in when.words if when else ():
        left[words.start : words.end] = " " * (words.end - words.start)
    rest = "".join(left)
    for pattern in (*_ORDINALS, *_CHOICES, _NONE):
        rest = pattern.sub(" ", rest)
    known = _HARMLESS | _OF_NONE if none_suits else _HARMLESS
    return all(word in known for word in re.findall(r"[\w']+", rest))


_CHOICES: Final = (
    *(_EARLIEST, _EARLIER, _LATEST, _LATER, _MIDDLE, _LAST),
    *(_DIGIT, _WEEKDAY, _SHORT_WEEKDAY),
)


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_HARMLESS: Final = _listed("""
    a the one it is that this it's that's i'll i'd we'll we'd would be will ll i
    we me us please yes ok okay fine good great
    perfect lovely best works suits work suit well for take d like love book choose prefer go with
    thanks thank you very much many so my our choice option number time slot appointment at on in
    and see then hi hello hey cheers sounds excellent super let's do
    der die das den dem ist ware passt mir uns gut gerne gern bitte ja danke vielen dank nehme
    nehmen ich wir termin um uhr am und dann prima wunderbar der den perfekt mit fur mich nummer
    geht klar hatte wurde super klingt liebe viele grusse gruße tag hallo der am
    le la les l est me nous convient parfait oui merci beaucoup je prends prenons choisis s'il
    vous plait tres bien bon a et rendez creneau c'est proposition celui celle de du va pour ca
    moi ok prefere prefererais d'accord bonne journee bonjour rdv svp n choix
    el lo esta bien va si gracias muchas por favor me viene vale perfecto cojo prefiero tomo a las
    y opcion hora cita quedo con del de las los dia hola buenas propuesta
""") | frozenset(MONTHS)
_OF_NONE: Final = _listed("""
    of these them those sorry unfortunately times leider davon von diesen dieser termine zeiten
    tut leid de ces ceux dates horaires desole desolee malheureusement ne convient
    estos estas lo siento no puedo suit suits fit fits work works can do does for es passt
""")
