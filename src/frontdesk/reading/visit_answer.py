"""Reads an answer to a reminder: '1', 'yes', 'another time please', 'I cannot come'.

The vocabulary is closed: a word that it does not know makes a yes or a no uncertain, so that an
answer with a question or a condition in it goes to a person.
"""

from __future__ import annotations

import re
from datetime import time
from enum import StrEnum
from typing import Final

from frontdesk.reading.mail_frame import without_frame
from frontdesk.reading.model import Confidence
from frontdesk.reading.words import folded
from frontdesk.values import Frozen

#: A longer answer says more than yes or no.
MOST_CHARACTERS: Final = 1_000


class VisitChoice(StrEnum):
    CONFIRM = "confirm"
    MOVE = "move"
    CANCEL = "cancel"


class VisitAnswer(Frozen):
    """The choice in an answer. Only a `CONFIDENT` one may be acted on."""

    choice: VisitChoice | None = None
    at: time | None = None
    """The time of the visit that it names."""
    by_digit: bool = False
    """Whether the choice is one of the digits that we print."""
    confidence: Confidence = Confidence.UNSURE


UNCLEAR: Final = VisitAnswer()


def read_visit_answer(text: str) -> VisitAnswer:
    """Reads a text message, or the new text of a mail."""
    said = without_frame(text[: MOST_CHARACTERS + 1].strip())
    if not said or len(said) > MOST_CHARACTERS:
        return UNCLEAR
    plain = " ".join(_ACCEPTED_SIGNS.sub(" yes ", folded(said)).split())
    at, rest = _time(plain)
    by_digit = _DIGIT.fullmatch(rest)
    if by_digit:
        return VisitAnswer(_DIGITS[by_digit[1]], at, True, Confidence.CONFIDENT)
    found = [choice for choice, pattern in _PHRASES.items() if pattern.search(rest)]
    if len(found) != 1:
        return UNCLEAR
    [choice] = found
    is_sure = choice is VisitChoice.MOVE or _is_closed(rest, choice)
    return VisitAnswer(choice, at, False, Confidence.CONFIDENT if is_sure else Confidence.LIKELY)


def _time(plain: str) -> tuple[time | None, str]:
    """Returns the time if the text names just one, and the text without it."""
    found = list(_CLOCK.finditer(plain))
    if len(found) != 1:
        return None, plain
    [clock] = found
    hour, minute = int(clock[1]), int(clock[2])
    if hour > 23 or minute > 59:
        return None, plain
    rest = f"{plain[: clock.start()]} {plain[clock.end() :]}"
    return time(hour, minute), " ".join(rest.split())


def _is_closed(rest: str, choice: VisitChoice) -> bool:
    """Returns whether all other words are known and harmless."""
    if "?" in rest:
        return False
    left = _PHRASES[choice].sub(" ", rest)
    known = _HARMLESS[choice]
    return all(word in known for word in re.findall(r"[\w']+", left))


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{'|'.join(patterns)})(?![\w'])")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ACCEPTED_SIGNS: Final = re.compile(
    "[\N{THUMBS UP SIGN}\N{OK HAND SIGN}\N{WHITE HEAVY CHECK MARK}]"
)
_CLOCK: Final = re.compile(r"(?<![\d:.])([0-2]?\d)[:.h]([0-5]\d)(?![\d:])(?: ?uhr\b)?")
_DIGIT: Final = re.compile(r"(?:reply |answer |antwort )?[\"'(]?([123])[\"')]?[.!]*")
_DIGITS: Final = dict(zip("123", VisitChoice, strict=True))

_CANNOT: Final = r"(?:can ?not|can't|cant|won't|will not|unable to|am not able to|not able to)"
_COME: Final = r"(?:come|make it|be there|attend|make the appointment|make my appointment)"
_PHRASES: Final = {
    VisitChoice.CONFIRM: _any(
        r"yes|yep|yeah|yup|sure|ok|okay|confirm|confirmed|i confirm|\A[yj](?=[.!]*\Z)",
        r"(?:perfect|great|good|fine|all good)(?:,? (?:thanks|thank you|see you))?(?=[.!]*\Z)",
        r"see you (?:then|there)|will be there",
        r"(?:i'm|i am|im|we are|we're) coming|(?:i'll|i will|we will|we'll) (?:be there|come)",
        r"ja|jawohl|(?:alles )?klar|bin dabei|bis dann|(?:ich komme"
        r"|wir kommen)(?! (?:leider )?nicht)",
        r"bin da|bestatigt|ich bestatige|passt",
        r"bien sur|c'est (?:bon|parfait)|oui|je viens|nous venons|je serai la|je confirme|d'accord",
        r"de acuerdo|perfecto|alli nos vemos|si|claro|(?<!no )voy|vale|ire|alli estare|confirmo"
        r"|confirmado",
    ),
    VisitChoice.MOVE: _any(
        r"another (?:time|day|date|appointment)|(?:a )?different (?:time|day|date)",
        r"(?:move|rebook|change) (?:it|this|that|my|the|our)|reschedul(?:e|ing)|postpone",
        r"(?:ein|einen|eine|zu einer|an einem)? ?andere[nrsm]? (?:zeit|termin|tag|uhrzeit)",
        r"verschieben|verlegen|umbuchen",
        r"(?:une?|a une?)? ?autre (?:heure|jour|date|moment|rendez-vous|creneau)",
        r"deplacer|reporter|decaler|changer (?:d'heure|l'heure|l'horaire|le|la|mon|ma|de (?:date"
        r"|jour))",
        r"otr[oa] (?:hora|dia|fecha|momento|cita)|cambiar(?:l[ao])?|aplazar(?:l[ao])?"
        r"|posponer(?:l[ao])?|mover(?:l[ao])?",
    ),
    VisitChoice.CANCEL: _any(
        rf"(?:i |we )?{_CANNOT} (?:be able to )?{_COME}",
        r"(?:i'm|i am|im|we are|we're) not coming|not coming",
        r"(?:please |i (?:want|need|would like|have|'d like) to |i must )?cancel"
        r"(?: (?:it|this|that|(?:my|the|this|our) (?:appointment|visit|booking)))?",
        r"(?:ich |wir )?(?:kann|konnen) (?:leider )?nicht (?:kommen|erscheinen)",
        r"(?:ich )?komme (?:leider )?nicht|(?:ich |wir )?schaffen? es (?:leider )?nicht",
        r"(?:ich )?(?:muss|mochte)(?: den termin| leider)* absagen",
        r"(?:den )?termin (?:bitte )?absagen|absagen|(?:bitte )?stornieren",
        r"(?:je |nous )?(?:ne )?(?:peux|pourrai|pouvons|pourrons) pas venir",
        r"(?:je )?(?:ne )?viens pas|j'annule|annulez|(?:je (?:dois|veux) )?annuler"
        r"(?: (?:mon|le|ce) (?:rendez-vous|rdv))?",
        r"no (?:puedo|podre|podemos) (?:ir|venir|asistir|acudir)|no voy(?: a ir)?",
        r"(?:quiero |tengo que )?(?:cancelar|anular)(?: (?:mi|la|esta) cita)?|(?:cancelo|anulo)"
        r"(?: (?:mi|la|esta) cita)?",
    ),
}
_POLITE: Final = """
    please thanks thank you very much many so hi hello hey dear all
    bitte danke vielen dank sehr hallo guten tag morgen liebe viele schone grusse gruße
    merci beaucoup bonjour s'il vous plait
    gracias muchas por favor hola buenos dias
"""
_HARMLESS: Final = {
    VisitChoice.CONFIRM: _listed(
        _POLITE
        + """
    i i'll will be there we and see then it that's is fine good great perfect lovely sounds
    works for me my the appointment visit coming
    gerne gern ich bin da prima gut alles klar bis dann der termin
    parfait tres bien c'est bon a bientot je pour moi
    perfecto muy bien de acuerdo hasta luego alli
"""
    ),
    VisitChoice.CANCEL: _listed(
        _POLITE
        + """
    no sorry unfortunately i'm i am afraid the my appointment visit sick ill we to have and
    after anymore
    nein leider ich bin krank und tut mir leid den meinen termin
    non desole desolee malheureusement je suis malade et mon le rendez-vous
    lo siento estoy enfermo enferma y lamentablemente svp stp
"""
    ),
}
