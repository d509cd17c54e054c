"""Finds the service that is asked for, and the member of staff."""

import re
from collections.abc import Iterator
from typing import Final

from frontdesk.reading.misspellings import find_misspellings
from frontdesk.reading.model import Confidence, Context, Field, Words
from frontdesk.reading.words import MONTHS, WEEKDAYS, folded, one_of

CONFIDENT, LIKELY, UNSURE = Confidence


def find_service(
    text: str, plain: str, labels: dict[str, Words], context: Context
) -> Field[str] | None:
    """Finds a service by name or alias; the longest if they overlap.

    Two services are left to staff, but in 'a table for lunch' the one with its own name counts.
    """
    if (words := labels.get("service")) and (found := _services(words.text, context)):
        name, start, end = found[0]
        return Field(name, CONFIDENT, Words(words.text[start:end], words.start + start))
    found = [each for each in _services(text, context) if not _is_denied(plain, each[1])]
    if not found:
        return _similar(text, plain, context)
    is_one = len({each[0] for each in found}) == 1
    named = [each for each in found if folded(text[each[1] : each[2]]).startswith(folded(each[0]))]
    by_name = len({each[0] for each in named}) == 1
    name, start, end = (named if by_name else found)[0]
    confidence = CONFIDENT if is_one else LIKELY if by_name else UNSURE
    return Field(name, confidence, Words(text[start:end], start))


def services_in(text: str, context: Context) -> list[Words]:
    """Returns all mentions of services."""
    return [Words(text[start:end], start) for _, start, end in _services(text, context)]


def _services(text: str, context: Context) -> list[tuple[str, int, int]]:
    """Returns every mention as (service, start, end), in the order of the text."""
    plain = folded(text)
    called = {folded(" ".join(n.split())): s.name for s in context.services for n in s.names if n}
    if not called:
        return []
    spaced = sorted(
        (re.escape(n).replace(r"\ ", r"\s{1,4}") for n in called), key=len, reverse=True
    )
    names = "|".join(spaced)
    pattern = re.compile(rf"(?<![\w-])(?P<name>{names})(?:e?s|e?n|e)?(?![\w-])")
    return [
        (called[" ".join(match["name"].split())], match.start(), match.end())
        for match in pattern.finditer(plain)
    ]


def _is_denied(plain: str, start: int) -> bool:
    return bool(_DENIED.search(plain[max(0, start - 25) : start]))


_DENIED: Final = re.compile(
    r"\b(?:not|no|without|instead of|kein(?:e[nr]?)?|ohne|statt|nicht|pas|sans|sin|en vez de)"
    r"(?: (?:a|an|the|my|de|d'|un|une|una|einer?|den|die|das|need|want))?\s{1,3}$"
)


def _similar(text: str, plain: str, context: Context) -> Field[str] | None:
    """Finds a misspelt name; never certain, and unsure between two services."""
    called = {folded(" ".join(n.split())): s.name for s in context.services for n in s.names if n}
    found = find_misspellings(plain, called)
    if not found:
        return None
    nearest = [each for each in found if each.errors == found[0].errors]
    is_one = len({called[each.name] for each in nearest}) == 1
    words = Words(text[found[0].start : found[0].end], found[0].start)
    return Field(called[found[0].name], LIKELY if is_one else UNSURE, words)


def find_staff(
    text: str, plain: str, labels: dict[str, Words], context: Context
) -> Field[str] | None:
    """Finds the staff member they want, not one they greet. A name without 'with' is a guess."""
    found = [field for name in context.staff for field in _mentions(text, plain, name)]
    if words := labels.get("staff"):
        told = [f for f in found if words.start <= f.words.start < words.end]
        if len({field.value for field in told}) == 1:
            return Field(told[0].value, CONFIDENT, told[0].words)
    if not found:
        return None
    best = min(found, key=lambda f: (list(Confidence).index(f.confidence), f.words.start))
    is_one = len({f.value for f in found if f.confidence == best.confidence}) == 1
    return best if is_one else Field(best.value, UNSURE, best.words)


def staff_in(text: str, plain: str, context: Context) -> list[Words]:
    """Returns all mentions of staff."""
    return [field.words for name in context.staff for field in _mentions(text, plain, name)]


def _mentions(text: str, plain: str, name: str) -> Iterator[Field[str]]:
    """Finds mentions by the full or the first name."""
    full = folded(name)
    first = full.split(" ")[0]
    for called in dict.fromkeys((full, full if _TITLE.fullmatch(first) else first)):
        for match in re.finditer(rf"(?<![\w@.-]){re.escape(called)}(?!'s\b|[\w@-])", plain):
            line_start = plain.rfind("\n", 0, match.start()) + 1
            line = plain[max(line_start, match.start() - 80) : match.start()]
            before = line if line.strip() else plain[max(0, match.start() - 80) : match.start()]
            after = plain[match.end() : match.end() + 25]
            if not called or _GREETED.search(before) or _UNWANTED.search(before):
                continue
            if not line.strip() and not after.partition("\n")[0].strip(" ,.!"):
                continue  # a line with only a name: a signature, or a greeting
            words = Words(text[match.start() : match.end()], match.start())
            is_other = " " not in called and _SURNAME.match(text, match.end())
            yield Field(name, UNSURE if is_other else _how_sure(before, after), words)


#: 'with Anna Schmidt' may not be our Anna.
_SURNAME: Final = re.compile(
    rf" (?!(?i:{one_of((*WEEKDAYS, *MONTHS))})\b)[A-ZÀ-ÖØ-Þ][a-zß-ÿ]{{2,20}}\b"
)
_TITLE: Final = re.compile(r"(?:dr|prof|mr|mrs|ms|miss|frau|herr|mme|m|sra?|dott)\.?")


def _how_sure(before: str, after: str) -> Confidence:
    if _ONCE.search(before) or _THEN.match(after):
        return UNSURE
    if _WITH.search(before):
        return LIKELY if _OR_OTHER.match(after) else CONFIDENT
    return UNSURE


_GREETED: Final = re.compile(
    r"(?:^|[\n.!])\s{0,3}(?:hi|hello|hey|dear|hallo|liebe[rs]?|servus|moin|guten (?:tag|morgen"
    r"|abend)|bonjour|salut|chere?|hola|buenos dias|buenas(?: tardes)?|estimad[oa]|querid[oa]"
    r"|good (?:morning|afternoon|evening)|thanks|thank you|danke|merci|gracias)(?: (?:frau|herr"
    r"|mr|mrs|ms|mme|sra?)\.?)?,?\s{1,3}$"
)
_UNWANTED: Final = re.compile(
    r"\b(?:not(?: with| to)?|but|except|anyone but|anybody but|other than|nicht(?: bei| mit| zu)?"
    r"|ausser|außer|pas(?: avec| chez)?|sauf|no(?: con)?|menos|excepto"
    r"|unless (?:it'?s |it is )?(?:with|by)|this is|i'm|i am|name is|ich bin|soy|je suis"
    r"|m'appelle|me llamo|name:)\s{1,3}$"
)
_WITH: Final = re.compile(
    r"(?:\bw/|\b(?:with|by|see|beim?|zu|mit|avec|chez|con|prefer|ask for|request|preferably"
    r"|wenn moglich|am liebsten|prefero|prefiero|prefere|preference)(?: (?:der|die|dem|frau"
    r"|herrn?|mr|mrs|ms|mme|sra?|la|el|either))?\.?)"
    r"\s{1,3}$"
)
_ONCE: Final = re.compile(
    r"\b(?:last (?:time|visit|week)|(?:was|were|had|came)\b(?! (?:wondering|hoping|thinking"
    r"|told)\b)|previously|letztes mal|zuletzt|la derniere fois|j'ai eu|etais|la ultima vez"
    r"|estuve|tuve|spoke (?:to|with)|talked to|gesprochen|told me"
    r"|have (?:an? |my )?(?:appointment|booking))\b[^.!?]{0,80}$"
)
_THEN: Final = re.compile(
    r"\s(?:last|was|did|before|previously|letzte\w|la derniere|la ultima|hat|war|a fait|me hizo)\b"
)
_OR_OTHER: Final = re.compile(r"\s{0,2}(?:or|oder|ou|o)\b")
