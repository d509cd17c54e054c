"""Finds the phone number and e-mail address of a person."""

import re
from collections.abc import Iterator
from typing import Final

from frontdesk.core.contacts import BadContact, clean_email
from frontdesk.core.phones import clean_phone
from frontdesk.reading.model import Confidence, Context, Field, Words, least
from frontdesk.reading.passages import Passages
from frontdesk.reading.words import KIN, MINE, folded

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CANDIDATES: Final = 20
#: Countries whose numbers are not dialled with a 0 in front.
WITHOUT_ZERO: Final = ("US", "CA", "SG", "HK", "ES", "PT", "IT", "PL", "CZ", "NO", "DK", "GR", "LU")

EMAIL: Final = re.compile(r"[\w.+'&%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
LINK: Final = re.compile(r"(?:https?://|www\.)\S{1,500}", re.IGNORECASE)


def at_most(field: Field[str] | None, most: Confidence) -> Field[str] | None:
    return Field(field.value, least(field.confidence, most), field.words) if field else None


def find_email(parts: Passages, context: Context) -> Field[str] | None:
    """Returns the only address; of several, the one that they ask us to use, else the sender's."""
    written = [*_emails(parts.body, 0, context), *_emails(parts.signature, 0, context)]
    sender = _emails(parts.sender.text, parts.sender.start, context) if parts.sender else []
    found = [*written, *sender]
    if not found:
        return None
    is_one = len({field.value for field in found}) == 1
    if is_one or not written:
        return found[0]
    asked = [each for each in written if _WRITE_TO.search(_before(parts.body, each.words.start))]
    if asked and len({field.value for field in asked}) == 1:
        return asked[0]
    return at_most((sender or written)[0], LIKELY)


def _emails(text: str, start: int, context: Context) -> list[Field[str]]:
    found = []
    for match in list(EMAIL.finditer(text))[:MOST_CANDIDATES]:
        written = match[0].rstrip(".-_'")
        try:
            address = clean_email(written)
        except BadContact:
            continue
        if address not in context.own_addresses:
            words = Words(written, start + match.start())
            is_other = _OF_OTHER.search(_before(text, match.start())) or _ROLE.match(address)
            found.append(Field(address, LIKELY if is_other else CONFIDENT, words))
    return found


_ROLE: Final = re.compile(
    r"(?:no-?reply|do-?not-?reply|support|help|notifications?|mailer|bookings?|reservations?"
    r"|orders?"
    r"|enquiries|service|team|admin)\b"
)
#: 'my sister's number', 'the old one', 'don't use'
_OF_OTHER: Final = re.compile(
    rf"\b(?:{MINE} {KIN}\b|old|former|don't|do not|not|alte[nr]?|nicht|ancien\w{{0,3}}"
    r"|antigu[oa]|no)\b[^\n.!?]{0,25}$"
)


def _before(text: str, at: int) -> str:
    return folded(text[max(0, at - 40) : at])


_WRITE_TO: Final = re.compile(
    r"(?:\b(?:my|me|at|to|reach|e-?mail|mail|correo|courriel|unter|an|adresse|a)\b[^\n]{0,15})$"
)


def find_phone(parts: Passages, context: Context) -> Field[str] | None:
    """Prefers a mobile number; ignores fax numbers.

    A number is not certain beside another one, even if that one cannot be parsed.
    """
    found = [*_phones(parts.body, context), *_phones(parts.signature, context)]
    if not found:
        return None
    best = min(found, key=lambda each: each[0])[1]
    is_one = len({field.value for _, field in found}) == 1
    seen = len(_numbers(parts.body)) + len(_numbers(parts.signature))
    return best if is_one and seen <= len(found) else at_most(best, LIKELY)


def _phones(text: str, context: Context) -> Iterator[tuple[int, Field[str]]]:
    """Yields each number with its rank: called mobile, called a phone, or just a number."""
    for match in _numbers(text):
        before = _before(text, match.start()).rpartition("\n")[2]
        try:
            number = clean_phone(match[0], context.country)
        except BadContact:
            continue
        rank = 0 if _MOBILE.search(before) else 1 if _CALLED.search(before) else 2
        is_whole = context.country in WITHOUT_ZERO and re.search(r"\d\W", match[0])
        is_clear = rank < 2 or is_whole or match[0].startswith(("+", "00", "0", "("))
        is_extended = _EXTENSION.match(text, match.end())
        is_clear = (
            is_clear
            and not is_extended
            and not _FREE.match(match[0])
            and not _OF_OTHER.search(before)
        )
        confidence = UNSURE if _MORE.search(before) else CONFIDENT if is_clear else LIKELY
        yield rank, Field(number, confidence, Words(match[0], match.start()))


def _numbers(text: str) -> list[re.Match[str]]:
    """Finds digits that may be a phone number, even if there is no such number."""
    found = []
    for match in list(PHONE.finditer(text))[:MOST_CANDIDATES]:
        before = _before(text, match.start()).rpartition("\n")[2]
        if not _NOPHONE.search(before) and not _DATE.fullmatch(match[0]):
            found.append(match)
    return found


PHONE: Final = re.compile(
    r"(?<![\w.,/@+-])(?:\+|\()?\d(?:[ ()./\xa0‐‑–-]{0,3}\d){6,14}(?![\w@]|[.,/-]\d)"
)
#: Toll-free numbers belong to companies.
_FREE: Final = re.compile(r"\(?(?:\+?1[ -])?0?800\b|00800|1[38]00\b")
_EXTENSION: Final = re.compile(r",?\s{0,3}(?i:ext\b|extension|x ?\d|durchwahl|poste)")
#: Digits, or misread ones in a scan, that may be the start of the number.
_MORE: Final = re.compile(r"(?<!\w)[\w/]{0,10}\d[\w/]{0,10}\s{1,2}$")
_DATE: Final = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}\b)|20\d\d-\d\d-\d\d")
_MOBILE: Final = re.compile(
    r"\b(?:mobile?|mob|cell|handy|handynummer|mobilnummer|portable|movil|whatsapp|m)\b"
)
_CALLED: Final = re.compile(
    r"\b(?:tel|phone|telephone|telefon|telefonnummer|telefono|number|nummer|numero|call|ring"
    r"|text|reach|anrufen|erreich\w{0,6}|appeler|joindre|llamar\w{0,3}|sms|t)\b"
)
_NOPHONE: Final = re.compile(
    r"\b(?:fax|telefax|iban|order|invoice|booking|reference|ref|kundennummer|bestellnummer|rechnung"
    r"|rechnungsnummer|ust|vat|hrb|siret|customer (?:no|number)|account|konto|nif"
    r"|id|no|nr|voucher|gutschein|bon|vale|room|zimmer|nric|dob|conf)\b[^\d\n]{0,15}$"
    r"|#\s{0,2}$"
)
