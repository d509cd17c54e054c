"""Who asks: their name, phone number and e-mail address."""

import re
from collections.abc import Iterator
from typing import Final

from frontdesk.connect.reading.model import Confidence, Context, Field, Words, least
from frontdesk.connect.reading.passages import Passages
from frontdesk.connect.reading.words import folded
from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.phones import clean_phone
from frontdesk.frozen import frozen

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CANDIDATES: Final = 20

EMAIL: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
LINK: Final = re.compile(r"(?:https?://|www\.)\S{1,500}", re.IGNORECASE)


@frozen
class People:
    name: Field[str] | None
    phone: Field[str] | None
    email: Field[str] | None


def find_people(parts: Passages, labels: dict[str, Words], context: Context) -> People:
    """Who writes for somebody else may give either's name and number."""
    name, phone = find_name(parts, labels, context), find_phone(parts, context)
    if other := _FOR_OTHER.search(parts.body):
        if other["name"]:
            name = _named(Words(other["name"], other.start("name")), LIKELY) or name
        name, phone = _at_most(name, LIKELY), _at_most(phone, LIKELY)
    return People(name, phone, find_email(parts, context))


def _at_most(field: Field[str] | None, most: Confidence) -> Field[str] | None:
    return Field(field.value, least(field.confidence, most), field.words) if field else None


def find_email(parts: Passages, context: Context) -> Field[str] | None:
    """The only address is theirs; of several, the one in the request before the one it is from."""
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
    return _at_most((sender or written)[0], LIKELY)


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
            found.append(Field(address, CONFIDENT, words))
    return found


def _before(text: str, at: int) -> str:
    return folded(text[max(0, at - 40) : at])


_WRITE_TO: Final = re.compile(
    r"(?:\b(?:my|me|at|to|reach|e-?mail|mail|correo|courriel|unter|an|adresse|a)\b[^\n]{0,15})$"
)


def find_phone(parts: Passages, context: Context) -> Field[str] | None:
    """A mobile number before others; a fax is none."""
    found = [*_phones(parts.body, context), *_phones(parts.signature, context)]
    if not found:
        return None
    best_rank = min(rank for rank, _ in found)
    best = [field for rank, field in found if rank == best_rank]
    is_one = len({field.value for field in best}) == 1
    return best[0] if is_one else _at_most(best[0], LIKELY)


def _phones(text: str, context: Context) -> Iterator[tuple[int, Field[str]]]:
    """Each with its rank: called mobile, called a phone, or just a number."""
    for match in list(_PHONE.finditer(text))[:MOST_CANDIDATES]:
        before = _before(text, match.start()).rpartition("\n")[2]
        if _NO_PHONE.search(before) or _DATE.fullmatch(match[0]):
            continue
        try:
            number = clean_phone(match[0], context.country)
        except BadContact:
            continue
        rank = 0 if _MOBILE.search(before) else 1 if _CALLED.search(before) else 2
        is_clear = rank < 2 or match[0].startswith(("+", "00", "0", "("))
        words = Words(match[0], match.start())
        yield rank, Field(number, CONFIDENT if is_clear else LIKELY, words)


_PHONE: Final = re.compile(
    r"(?<![\w.,/@+-])(?:\+|\()?\d(?:[ ()./\xa0-]{0,3}\d){6,14}(?![\w@]|[.,/-]\d)"
)
_DATE: Final = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}\b)|20\d\d-\d\d-\d\d")
_MOBILE: Final = re.compile(
    r"\b(?:mobile?|mob|cell|handy|handynummer|mobilnummer|portable|movil|whatsapp|m)\b"
)
_CALLED: Final = re.compile(
    r"\b(?:tel|phone|telephone|telefon|telefonnummer|telefono|number|nummer|numero|call|ring"
    r"|text|reach|anrufen|erreich\w{0,6}|appeler|joindre|llamar\w{0,3}|sms|t)\b"
)
_NO_PHONE: Final = re.compile(
    r"\b(?:fax|telefax|iban|order|invoice|booking|reference|ref|kundennummer|bestellnummer|rechnung"
    r"|rechnungsnummer|ust|vat|hrb|siret|customer (?:no|number)|account|konto|nif"
    r"|id)\b[^\d\n]{0,15}$"
)


def find_name(parts: Passages, labels: dict[str, Words], context: Context) -> Field[str] | None:
    """What they say they are called; else how they sign, with whom the mail is from."""
    if told := _labelled(labels) or _told(parts.body):
        return told
    signed, sender = _signed(parts) or _closing(parts.body), _sender(parts.sender, context)
    if signed and sender:
        return _agreed(signed, sender)
    return signed or sender


def _labelled(labels: dict[str, Words]) -> Field[str] | None:
    words = labels.get("name")
    return _named(words, CONFIDENT) if words else None


def _told(body: str) -> Field[str] | None:
    """'My name is …'. A single name is less than all of it."""
    match = _MY_NAME.search(body)
    if match is None:
        return None
    confidence = CONFIDENT if match["clear"] else LIKELY
    return _named(Words(match["name"], match.start("name")), confidence)


_NAME: Final = (
    r"(?:[A-ZÀ-ÖØ-ÞŁŚŽŠČĐ][\w'’-]{0,30}"
    r"(?: (?:(?:von|van|de|del|della|der|den|la|le|al|bin|da|dos|zu|di|y|Mc|O)(?: ))?"
    r"(?:de |la |der |den )?[A-ZÀ-ÖØ-ÞŁŚŽŠČĐ](?:\.|[\w'’-]{0,30})){0,3})"
)
_MY_NAME: Final = re.compile(
    r"(?:(?P<clear>(?i:\bmy (?:full )?name(?: is|:)|\bmy name's|\bthe name is|\bname'?s"
    r"|\bmein name(?: ist|:)"
    r"|\bich heiße|\bich heisse|\bje m['’]appelle|\bmon nom est|\bme llamo|\bmi nombre es))"
    r"|(?i:\bthis is|\bit['’]s|\bhier ist|\bhier schreibt|\bsoy|\bje suis|\bich bin)|\bI(?:['’]"
    r"|\s?a)m)"
    rf" {{1,3}}(?P<name>{_NAME})(?=\s{{0,2}}(?:[.,;!()\n-]|$|\b(?:and|from|und|aus|et|y|here|i"
    rf"|we|ich|je"
    r"|de|mit|with)\b))"
)


def _signed(parts: Passages) -> Field[str] | None:
    """The first line of the signature, or a last line that is but a name."""
    for text, is_signature in ((parts.signature, True), (parts.body, False)):
        lines = [each for each in _LINES.finditer(text) if each[0].strip()]
        line = lines[0] if lines and is_signature else lines[-1] if len(lines) > 1 else None
        shown = re.split(r"[,|•;]| - ", line[0], maxsplit=1)[0] if line else ""
        found = _SIGNED.fullmatch(shown.strip(" .-–\t*_"))
        if line and found:
            start = line.start() + line[0].index(found["name"])
            is_whole = is_signature and " " in found["name"]
            return _named(Words(found["name"], start), CONFIDENT if is_whole else LIKELY)
    return None


def _closing(body: str) -> Field[str] | None:
    """A name behind the last sentence: 'Thanks, Laura', perhaps with an address after it."""
    text = EMAIL.sub(lambda found: " " * len(found[0]), body).rstrip()
    at = max(0, len(text) - 120)
    match = _CLOSING.search(text[at:])
    return _named(Words(match["name"], at + match.start("name")), LIKELY) if match else None


_LINES: Final = re.compile(r"[^\n]{1,500}")
_SIGNED: Final = re.compile(
    rf"(?:(?:Dr|Prof|Mr|Mrs|Ms|Frau|Herr|Mme|Sra?)\.? )?(?P<name>{_NAME})\W{{0,3}}x{{0,3}}"
)
_CLOSING: Final = re.compile(
    r"(?:[.!?)]|\b(?i:thanks|thank you|thx|cheers|regards|best|love|danke|gruß|grüße|lg|vg|bises"
    r"|bisous|merci|gracias"
    rf"|saludos|svp|bitte|please))[,!]? {{1,2}}(?!(?i:lg|vg|thank|thanks|cheers|best|regards"
    rf"|danke|merci|gracias)\b)(?P<name>{_NAME})[.!,;]?"
    r"(?:,? (?:tel|phone|mobile)?[ :]?[+\d][\d /-]{6,20})?$"
)
_FOR_OTHER: Final = re.compile(
    r"\b(?i:for my (?:mother|mum|mom|father|dad|wife|husband|daughter|son|boss|friend|sister"
    r"|brother|client)|on behalf of|für mein(?:e|en) (?:mutter|vater|frau|mann|tochter|sohn"
    r"|freundin|freund|chefin|chef)|pour (?:ma|mon) (?:mère|père|femme|mari|fille|fils|amie|ami)"
    r"|para mi (?:madre|padre|mujer|marido|hija|hijo|amiga|amigo))"
    rf"(?:,? (?P<name>{_NAME}))?"
)


def _sender(words: Words | None, context: Context) -> Field[str] | None:
    """The name before the address in 'From: …', if it is a person's."""
    if words is None or set(EMAIL.findall(words.text.lower())) & context.own_addresses:
        return None
    name = re.split(r"[<\[(]", words.text, maxsplit=1)[0].strip(" \"'*")
    last, comma, first = name.partition(", ")
    field = _named(Words(name, words.start + words.text.index(name)), LIKELY)
    if not field or _NO_PERSON.search(folded(name)) or " " not in name:
        return None
    return Field(f"{first} {last}", LIKELY, field.words) if comma else field


_NO_PERSON: Final = re.compile(
    r"@|\d|\b(?:info|team|office|booking|reservations?|support|noreply|no-reply|kontakt|contact"
    r"|admin|service|gmbh|ltd|inc|via)\b"
)


def _agreed(signed: Field[str], sender: Field[str]) -> Field[str]:
    """'Ann' below a mail from Ann Lee is Ann Lee; another name is theirs who wrote it."""
    both = set(folded(signed.value).split()) & set(folded(sender.value).split())
    if not both:
        return Field(signed.value, LIKELY, signed.words)
    longer = max(sender, signed, key=lambda each: len(each.value.split()))
    return Field(longer.value, CONFIDENT, longer.words)


def _named(words: Words, confidence: Confidence) -> Field[str] | None:
    try:
        name = clean_name(words.text.rstrip(" .,"))
    except BadContact:
        return None
    if _NO_NAME.search(folded(name)) or len(name.split()) > 5:
        return None
    return Field(name, least(confidence, CONFIDENT if " " in name else LIKELY), words)


_NO_NAME: Final = re.compile(
    r"^(?:hi|hello|hallo|hola|bonjour|dear|thanks?|thank you|danke|gracias|merci|best|regards"
    r"|sent|cheers|please|bitte|looking|yes|no|ok|the|a|an|not|available|interested|free|sorry"
    r"|monday|tuesday|here|ps|lg|vg|mfg|mobile?|phone|tel|urgent|asap)\b"
)
