"""Finds the party size of a request."""

import re
from collections.abc import Iterator
from typing import Final

from frontdesk.reading.model import Confidence, Field, Words, least
from frontdesk.reading.words import MONTHS, NUMBERS, SHORT_MONTHS, folded, number, one_of

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_PARTY: Final = 99


def find_party(text: str, plain: str, labels: dict[str, Words]) -> Field[int] | None:
    """Returns the party size. Two different numbers are never certain."""
    if (words := labels.get("party")) and (found := _COUNTED.match(folded(words.text))):
        size = number(found[1])
        if 1 <= size <= MOST_PARTY:
            return Field(size, CONFIDENT, Words(words.text[: found.end()], words.start))
    fields = list(_parties(text, plain))
    if not fields:
        return None
    best = min(fields, key=lambda each: list(Confidence).index(each.confidence))
    others = plain[: best.words.start] + " " + plain[best.words.end :]
    if re.search(rf"\b{_CHILDREN}\b", others):
        best = Field(best.value, least(best.confidence, LIKELY), best.words)
    if len({field.value for field in fields if field.confidence == best.confidence}) > 1:
        return Field(best.value, UNSURE, best.words)
    return best


_N: Final = r"(?:\d{1,2}|" + one_of(word for word in NUMBERS) + ")"
_COUNTED: Final = re.compile(rf"\s{{0,3}}({_N})\b")
_PEOPLE: Final = (
    r"(?:people|persons?|guests?|pax|adults?|of us|of them|diners|personen|person|leute|gaste"
    r"|erwachsene|personnes?|couverts?|convives|adultes?|personas?|comensales|adultos?)"
)
_CHILDREN: Final = (
    r"(?:child|children|kids?|kinder?|kind|enfants?|ninos?|ninas?|toddlers?|bab(?:y|ies))"
)
_PARTIES: Final = (
    (
        CONFIDENT,
        re.compile(
            rf"\b(?!one of us)(?P<n>{_N})\s{{1,3}}(?:\w{{1,12}} )?{_PEOPLE}\b"
            rf"(?:\s{{0,2}}(?:and|und|et|y|\+|,|plus|&|mit|with|con"
            rf"|avec)\s{{0,2}}(?P<more>{_N}|an?)\s{{1,3}}"
            rf"(?:\w{{1,10}} )?{_CHILDREN}\b)?"
        ),
    ),
    (
        CONFIDENT,
        re.compile(
            rf"\b(?:(?:party|group|table|tisch|gruppe|groupe|grupo|mesa|table|reservation"
            rf"|reservierung)"
            rf" (?:of|for|fur|von|pour|de|para)|there (?:are|will be|would be)|we(?:'re| are"
            rf"| will be|'ll be)|wir (?:sind|waren)(?: zu)?|nous (?:sommes|serons)|on sera"
            rf"|somos|seremos|seriamos)"
            rf" (?P<n>{_N})\b(?!\s{{0,2}}(?:hour|min|day|week|month|year|tag|woche|stunde|jour"
            rf"|heure|dia|hora"
            r"|minutes? late|[:.]\d|%|o'clock|uhr|am\b|pm\b))"
        ),
    ),
    (
        CONFIDENT,
        re.compile(
            r"\b(?:zu (?P<together>zweit|dritt|viert|funft|sechst)|(?P<alone>just (?:for )?me"
            r"|only me|just myself|nur (?:fur )?mich|nur ich|juste (?:pour )?moi"
            r"|solo (?:para mi|yo)|para mi sol[oa]|fur mich allein))\b"
        ),
    ),
    (
        LIKELY,
        re.compile(
            r"\b(?P<two>(?:me|i|myself) and my (?:\w{1,12} )?(?:husband|wife|partner|friend"
            r"|mother|mum|mom|sister|brother|daughter|son|girlfriend|boyfriend)|my (?:husband"
            r"|wife|partner|friend|mother|mum|mom|sister|brother|daughter|son)"
            r"(?: \w{1,15})? and (?:for )?(?:i|me|myself)|mein mann und ich"
            r"|meine (?:frau|freundin) und ich|ma femme et moi|mon mari et moi"
            r"|mi (?:mujer|marido) y yo|a couple|both of us|the two of us)\b"
        ),
    ),
    (
        LIKELY,
        re.compile(
            rf"\b(?:for|fur|pour|para|a(?= deux\b)) (?P<n>{_N})\b(?=\s{{0,3}}(?:\Z|[.,;!?)\n]"
            rf"|\b(?:on|next|this|at"
            r"|please|with|in the|tomorrow|today|am|um|bitte|nachste|le|la|demain|s'il|si|el"
            r"|manana|por|and|und|mit|bei|avec|con|any|between|from|after)\b))"
            r"(?!\s{0,3}(?:[:.]\d|pm|am \d|at night))"
        ),
    ),
    (
        LIKELY,
        re.compile(rf"\b(?:me|myself) (?:plus|and|\+) (?P<others>{_N})\b(?! (?:hour|day|week))"),
    ),
)
_TOGETHER: Final = {"zweit": 2, "dritt": 3, "viert": 4, "funft": 5, "sechst": 6}


def _parties(text: str, plain: str) -> Iterator[Field[int]]:
    for confidence, pattern in _PARTIES:
        for match in pattern.finditer(plain):
            size = _size({key: value for key, value in match.groupdict().items() if value})
            before = plain[max(0, match.start() - 12) : match.start()]
            after = plain[match.end() : match.end() + 25]
            is_about = _ABOUT.search(before) or _OR_MORE.match(after)
            if 1 <= size <= MOST_PARTY and not _NO_PARTY.search(before):
                words = Words(text[match.start() : match.end()], match.start())
                most = LIKELY if _AND_MORE.match(after) else CONFIDENT
                yield Field(size, UNSURE if is_about else least(confidence, most), words)


def _size(groups: dict[str, str]) -> int:
    if "two" in groups:
        return 2
    if "others" in groups:
        return 1 + number(groups["others"])
    if "alone" in groups:
        return 1
    if "together" in groups:
        return _TOGETHER[groups["together"]]
    more = groups.get("more", "0")
    return number(groups.get("n", "")) + (1 if more in ("a", "an") else number(more))


#: '4 adults, 2 teens': the number does not count all of them.
_AND_MORE: Final = re.compile(
    rf"\s{{0,2}}(?:,|and|und|et|y|\+|plus|&)\s{{0,2}}{_N} (?!(?:pm|am|uhr|h|o'clock"
    rf"|{one_of((*MONTHS, *SHORT_MONTHS))})\b)[a-z]{{3,}}"
)
_NO_PARTY: Final = re.compile(r"(?:\d[.,:/]|\bup to |\bbis zu |\bmax\.? |\bnot )$")
_ABOUT: Final = re.compile(
    rf"(?:{_N} ?(?:-|to|or|bis|oder|ou) ?|\b(?:about|around|maybe|at least|ca\.?|etwa"
    r"|mindestens|environ|au moins|unos|al menos) )$"
)


_OR_MORE: Final = re.compile(
    rf"\+|(?: {_PEOPLE})?[ ,(]{{1,3}}(?:(?:or|oder|ou|o) {_N}\b|maybe|perhaps|possibly|might|evtl"
    r"|eventuell|vielleicht|peut-etre|quizas|tal vez)"
)
