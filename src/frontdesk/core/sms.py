"""SMS: counts segments, shortens texts, and recognises STOP and other replies."""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final

from frontdesk.core.plain_text import plain_words
from frontdesk.values import Frozen

# --- segments ---------------------------------------------------------------------------------


class Alphabet(StrEnum):
    """The encoding of an SMS. One character outside GSM-7 changes the whole SMS to UCS-2."""

    GSM = "gsm"
    UCS2 = "ucs2"


class Size(Frozen):
    """The length and the number of segments of an SMS."""

    alphabet: Alphabet
    units: int
    """The length in the units of the network: some characters take two."""
    segments: int


#: GSM 03.38. The second set needs an escape, so each of its characters takes two units.
_BASIC: Final = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_ESCAPED: Final = frozenset("\f^{}\\[~]|€")
_GSM: Final = _BASIC | _ESCAPED

#: Units in a single SMS, and in each segment of a longer one, where a header takes the rest.
_ALONE: Final = {Alphabet.GSM: 160, Alphabet.UCS2: 70}
_IN_PARTS: Final = {Alphabet.GSM: 153, Alphabet.UCS2: 67}
_LAST_IN_ONE_UNIT: Final = "\uffff"


def size(text: str) -> Size:
    """Measures a text. Empty text takes no segment. No character is split over two segments."""
    alphabet = alphabet_of(text)
    wide = _wide(set(text), alphabet)
    if not wide:
        return Size(alphabet, len(text), _parts_of(len(text), alphabet))
    widths = [2 if sign in wide else 1 for sign in text]
    return Size(alphabet, sum(widths), _parts(widths, alphabet))


def alphabet_of(text: str) -> Alphabet:
    return Alphabet.GSM if _GSM.issuperset(text) else Alphabet.UCS2


def fits_one(text: str) -> bool:
    return size(text).segments <= 1


def _wide(signs: set[str], alphabet: Alphabet) -> set[str]:
    """The characters that take two units."""
    if alphabet is Alphabet.GSM:
        return signs & _ESCAPED
    return {sign for sign in signs if sign > _LAST_IN_ONE_UNIT}


def _parts_of(units: int, alphabet: Alphabet) -> int:
    """The segments of characters that take one unit each."""
    if units <= _ALONE[alphabet]:
        return 1 if units else 0
    return -(-units // _IN_PARTS[alphabet])


def _parts(widths: list[int], alphabet: Alphabet) -> int:
    """The segments of characters of these widths."""
    if sum(widths) <= _ALONE[alphabet]:
        return 1
    room = _IN_PARTS[alphabet]
    parts, left = 1, room
    for width in widths:
        if width > left:
            parts, left = parts + 1, room
        left -= width
    return parts


# --- making it shorter ------------------------------------------------------------------------


def shorten(text: str) -> str:
    """Abbreviates a text step by step until it fits one segment. Links stay whole.

    It never cuts text off: the result may still need more than one segment.
    """
    for step in _STEPS:
        if fits_one(text):
            return text
        text = _outside_links(text, step)
    return text


_LINK: Final = re.compile(r"(\S+://\S+)")


def _outside_links(text: str, step: Callable[[str], str]) -> str:
    parts = _LINK.split(text)
    return "".join(part if n % 2 else step(part) for n, part in enumerate(parts))


#: Characters outside GSM-7, and the plain ones that replace them.
_PLAIN: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2009\u202f\t", " "),
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad"),
        "\u2026": "...",
        "\u2022": "-",
    }
)


def _plain_signs(text: str) -> str:
    return text.translate(_PLAIN)


def _single_spaces(text: str) -> str:
    return re.sub(r" {2,}", " ", text)


def _short_dates(text: str) -> str:
    """'Friday 20 November' becomes 'Fri 20 Nov'; the name April stays."""
    return _MONTH.sub(_three_letters, _WEEKDAY.sub(_three_letters, text))


_WEEKDAY: Final = re.compile(
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?=,? \d|,? at \d)", re.IGNORECASE
)
_MONTHS: Final = "January|February|March|April|June|July|August|September|October|November|December"
_MONTH: Final = re.compile(rf"(?<=\d )(?:{_MONTHS})\b|\b(?:{_MONTHS})(?= \d)", re.IGNORECASE)


def _three_letters(found: re.Match[str]) -> str:
    return found[0][:3]


def _short_words(text: str) -> str:
    return _KNOWN_WORD.sub(lambda found: _cased(found[0], _SHORT[found[0].lower()]), text)


def _cased(word: str, short: str) -> str:
    return short.capitalize() if word[0].isupper() else short


_SHORT: Final = {
    "appointment": "appt",
    "appointments": "appts",
    "confirmation": "conf",
    "minutes": "min",
    "minute": "min",
    "hours": "hrs",
    "people": "ppl",
    "please": "pls",
    "reservation": "resv",
    "tomorrow": "tmrw",
    "with": "w/",
    "and": "&",
}
_KNOWN_WORD: Final = re.compile(rf"\b(?:{'|'.join(_SHORT)})\b", re.IGNORECASE)

#: From the least to the most noticeable.
_STEPS: Final = (_plain_signs, _single_spaces, _short_dates, _short_words)


# --- replies ----------------------------------------------------------------------------------


def is_stop(text: str) -> bool:
    """Whether the reply means STOP. It often means 'cancel my visit', so staff should know.

    The reply must say nothing else: 'I'll stop by at five' and 'don't stop' do not count.
    """
    return _normalized(text) in _STOP


def may_cancel(text: str) -> bool:
    """Whether the reply is CANCEL. Networks read it as STOP, but it may mean the visit."""
    return _normalized(text) in _CANCEL


def is_start(text: str) -> bool:
    """Whether the reply asks for texts again. YES does not count: it answers something else."""
    return _normalized(text) in _START


def is_help(text: str) -> bool:
    return _normalized(text) in _HELP


MOST_REPLY_CHARACTERS: Final = 80


def _normalized(text: str) -> str:
    """Returns lower case without accents, punctuation and polite words."""
    if len(text) > MOST_REPLY_CHARACTERS:
        return ""
    words = plain_words(text)
    return " ".join(_without_manners(words)) or " ".join(words)


_MANNERS: Final = frozenset(
    (
        *("please", "pls", "thanks", "thank", "you", "bitte", "danke", "merci", "svp"),
        *("gracias", "por", "favor", "grazie", "prego", "obrigado", "obrigada", "alstublieft"),
    )
)


def _without_manners(words: list[str]) -> Iterator[str]:
    return (word for word in words if word not in _MANNERS)


def _words(text: str) -> frozenset[str]:
    return frozenset(" ".join(word.split()) for word in text.split(","))


#: The words that networks recognise, and the same in German, French, Spanish, Italian,
#: Portuguese and Dutch, in the form that `_normalized` returns.
_CANCEL: Final = _words("cancel, stornieren, storno, annuler, cancelar, annulla, annuleren")
_STOP: Final = _CANCEL | _words(
    "stop, stop all, stopall, unsubscribe, end, quit, remove, remove me, revoke, opt out, optout,"
    "td, stop it, stop texting, stop texting me, stop texts, no more texts, do not text me,"
    "don t text me, stop messages, stop messaging me,"
    "stopp, stoppen, abmelden, abbestellen, austragen, keine sms, keine sms mehr,"
    "arret, arreter, arretez, desabonner, desabonnement, desinscrire, desinscription, plus de sms,"
    "alto, parar, baja, dar de baja, darme de baja, detener, no mas mensajes, no mas sms,"
    "ferma, fermare, basta, basta sms, disiscrivi, disiscrivimi,"
    "pare, sair, remover, descadastrar,"
    "afmelden, uitschrijven, geen sms meer"
)
_START: Final = _words(
    "start, unstop, subscribe, opt in, optin, resume,"
    "anmelden, reprendre, reabonner, alta, reanudar, iniciar, iscrivi, iscrivimi, inscrever,"
    "aanmelden, hervatten"
)
_HELP: Final = _words("help, help me, info, information, hilfe, aide, ayuda, aiuto, ajuda, hulp")
