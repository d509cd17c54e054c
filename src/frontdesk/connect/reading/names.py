"""What somebody is called: as they say it, as a form has it, or as they sign."""

import re
from typing import Final

from frontdesk.connect.reading.contacts import EMAIL, LINK, PHONE
from frontdesk.connect.reading.model import Confidence, Context, Field, Words, least
from frontdesk.connect.reading.passages import Passages
from frontdesk.connect.reading.words import folded
from frontdesk.core.contacts import BadContact, clean_name

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CLOSING: Final = 120
LONG_LINE: Final = 50


def find_name(parts: Passages, labels: dict[str, Words], context: Context) -> Field[str] | None:
    """What they say they are called; else how they sign, with whom the mail is from."""
    if told := _labelled(labels, parts.body) or _told(parts.body):
        return told
    signed = _signature(parts.signature) or _last_lines(parts.body) or _closing(parts.body)
    sender = _sender(parts.sender, context)
    if signed and sender:
        return _agreed(signed, sender)
    return signed or sender or spoken_of(parts.body)


def _labelled(labels: dict[str, Words], body: str) -> Field[str] | None:
    if (words := labels.get("name")) and not re.search(r"\d", words.text):
        return named(words, CONFIDENT)
    first, last = labels.get("first_name"), labels.get("last_name")
    if first is None or last is None:
        return None
    start, end = min(first.start, last.start), max(first.end, last.end)
    found = named(Words(f"{first.text} {last.text}", start), CONFIDENT)
    return Field(found.value, found.confidence, Words(body[start:end], start)) if found else None


def _told(body: str) -> Field[str] | None:
    """'My name is …'. A single name is less than all of it."""
    match = _MY_NAME.search(body)
    if match is None:
        return None
    confidence = CONFIDENT if match["clear"] else LIKELY
    return named(Words(match["name"], match.start("name")), confidence)


_FIRST: Final = "[A-ZÀ-ÖØ-ÞŁŚŽŠČĐ]"
_PARTICLE: Final = (
    "(?:(?:von|van|de|del|della|der|den|la|le|al|bin|da|dos|zu|di|y|Mc|O) )?(?:de |la |der |den )?"
)
NAME: Final = (
    rf"(?:(?:{_FIRST}\. )?{_FIRST}[\w'’-]{{0,30}}"
    rf"(?: {_PARTICLE}{_FIRST}(?:\.|[\w'’-]{{0,30}})){{0,3}})"
)
_MY_NAME: Final = re.compile(
    r"(?:(?P<clear>(?i:\bmy (?:full )?name(?: is|:)|\bmy name's|\bthe name is|\bname'?s"
    r"|\bmein name(?: ist|:)"
    r"|\bich heiße|\bich heisse|\bje m['’]appelle|\bmon nom est|\bme llamo|\bmi nombre es))"
    r"|(?i:\bthis is|\bit['’]s(?: u[hm])?|\bhier ist|\bhier schreibt|\bsoy|\bje suis|\bich bin"
    r"|\bname:|\b(?:in the |under the )?name of|\bunder(?: the name)?|\bau nom d[e'’]|\ba nombre de"
    r"|\bauf den namen|\bpatient:)"
    r"|\bI(?:['’]|\s?a)m)"
    rf" {{0,3}}(?<=[\s'’])(?P<name>{NAME})"
    r"(?=\s{0,2}(?:[.,;!()\n-]|$|\b(?i:and|from|und|aus|et|y|here|i|we|ich|je|de|mit|with|dob)\b))"
)


def _signature(signature: str) -> Field[str] | None:
    """The first line of a signature."""
    lines = [each for each in _LINES.finditer(signature) if each[0].strip()]
    found = _alone(lines[0]) if lines else None
    if found is None:
        return None
    is_clear = " " in found.text and not _NO_PERSON.search(folded(found.text))
    return named(found, CONFIDENT if is_clear else LIKELY)


def _last_lines(body: str) -> Field[str] | None:
    """The last lines that are but names: first comes the person, then perhaps the company."""
    lines = [each for each in _LINES.finditer(_without_contacts(body)) if each[0].strip(_RIM)]
    first = None
    for line in reversed(lines[1:][-2:]):
        if (
            _is_wrapped(lines, line)
            or (found := _alone(line)) is None
            or (name := named(found, LIKELY)) is None
        ):
            break
        first = name
    return first


def _is_wrapped(lines: list[re.Match[str]], line: re.Match[str]) -> bool:
    """Whether it goes on with the line above, or has more to say than a name."""
    above = lines[lines.index(line) - 1][0].rstrip()
    return (len(above) > LONG_LINE and above[-1] not in ".!?,)") or bool(
        re.search(r"[!?]\s|\.\s[A-Z]", line[0])
    )


_RIM: Final = " .,:;-–/|()*_\t"


def _without_contacts(text: str) -> str:
    """Blanks in the place of addresses and numbers, and of what they are called."""
    for pattern in (EMAIL, LINK, _CALLED_NUMBER):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text


_CALLED_NUMBER: Final = re.compile(
    rf"(?i:\b(?:tel|phone|mobile?|mob|cell|hp|handy|telefon|telefono|movil|portable)\b[.:]? ?)?"
    rf"{PHONE.pattern}"
)


def _alone(line: re.Match[str]) -> Words | None:
    """The name that is all of a line, but for what stands behind a comma or a bar."""
    shown = re.split(r"[,|•;]| - ", line[0], maxsplit=1)[0]
    found = _SIGNED.fullmatch(shown.strip(_RIM))
    if found is None:
        return None
    return Words(found["name"], line.start() + line[0].index(found["name"]))


_LINES: Final = re.compile(r"[^\n]{1,500}")
_TITLE: Final = r"(?:Dr|Prof|Mr|Mrs|Ms|Miss|Mdm|Frau|Herr|Mme|Sra?)\.?"
_SIGNED: Final = re.compile(rf"(?:{_TITLE} )?(?P<name>{NAME})\W{{0,3}}x{{0,3}}")


def _closing(body: str) -> Field[str] | None:
    """A name behind the last sentence: 'Thanks, Laura', perhaps with an address after it."""
    text = _without_contacts(body).rstrip(_RIM + "\n")
    at = max(0, len(text) - MOST_CLOSING)
    match = _CLOSING.search(text, at) or _PARTING.search(text, at)
    return named(Words(match["name"], match.start("name")), LIKELY) if match else None


_THANKS: Final = (
    r"(?i:thanks|thank you|thks|thx|ta|cheers|regards|best|love|danke|gruß|grüße|lg|vg|bises|bisous"
    r"|merci|gracias|saludos|svp|bitte|please)"
)
_CLOSING: Final = re.compile(
    rf"(?:[.!?)]|\s[-–]|\bx{{1,3}}|\b{_THANKS}(?: x{{1,3}})?)[,!]?\s{{0,40}}(?<=[\s-])"
    rf"(?!{_THANKS}\b)"
    rf"(?:{_TITLE} )?(?P<name>{NAME})[.!,;]?$"
)
#: A few words of parting, a comma, and a name: 'Big hug, Mirela'.
_PARTING: Final = re.compile(
    rf"[.!?)\n]\s{{1,2}}(?:[^\W\d_]{{1,12}} ){{0,3}}[^\W\d_]{{1,12}}[,!]\s{{1,2}}"
    rf"(?!{_THANKS}\b)(?P<name>{NAME})$"
)


def spoken_of(body: str) -> Field[str] | None:
    """'Mrs Abernathy phoned': a guess, but better than nothing."""
    match = _SPOKEN_OF.search(body)
    return named(Words(match["name"], match.start("name")), UNSURE) if match else None


_SPOKEN_OF: Final = re.compile(
    rf"(?<!Dear )(?<!Hi )(?<!with )(?<!see )\b(?:Mr|Mrs|Ms|Miss|Mdm|Frau|Herr|Mme|Sra?)\.? "
    rf"(?P<name>{NAME})"
)


def _sender(words: Words | None, context: Context) -> Field[str] | None:
    """The name before the address in 'From: …', if it is a person's."""
    if words is None or set(EMAIL.findall(words.text.lower())) & context.own_addresses:
        return None
    name = re.split(r"[<\[(]", words.text, maxsplit=1)[0].strip(" \"'*")
    last, comma, first = name.partition(", ")
    field = named(Words(name, words.start + words.text.index(name)), LIKELY)
    if not field or _NO_PERSON.search(folded(name)) or " " not in name:
        return None
    return Field(f"{first} {last}", LIKELY, field.words) if comma else field


_NO_PERSON: Final = re.compile(
    r"@|\d|\b(?:info|team|office|booking|reservations?|support|noreply|no-reply|kontakt|contact"
    r"|admin|service|gmbh|ag|kg|ltd|llc|inc|sarl|via|the|family|familie|salon|studio|design|hotel"
    r"|clinic|praxis|reception|unsubscribe)\b"
)


def _agreed(signed: Field[str], sender: Field[str]) -> Field[str]:
    """'Ann' below a mail from Ann Lee is Ann Lee; another name is theirs who wrote it."""
    both = set(folded(signed.value).split()) & set(folded(sender.value).split())
    if not both:
        return Field(signed.value, LIKELY, signed.words)
    longer = max(sender, signed, key=lambda each: len(each.value.split()))
    return Field(longer.value, CONFIDENT, longer.words)


def named(words: Words, confidence: Confidence) -> Field[str] | None:
    try:
        name = clean_name(_TITLES.sub("", words.text.rstrip(" .,")))
    except BadContact:
        return None
    if _NO_NAME.search(folded(name)) or len(name.split()) > 5:
        return None
    return Field(name, least(confidence, CONFIDENT if " " in name else LIKELY), words)


_TITLES: Final = re.compile(rf"(?:{_TITLE} ){{1,3}}")
_NO_NAME: Final = re.compile(
    r"^(?:saludos|gru(?:ß|ss)e?|herzlich\w{0,3}|liebe|viele|mit|cordialement|atentamente|greetings"
    r"|love|kind|hi|hello|hallo|hola|bonjour|dear|thanks?|thank you|thks|danke|gracias|merci|grazie"
    r"|ciao|best|regards|sent|cheers|please|bitte|looking|yes|no|ok|the|a|an|not|available"
    r"|interested|free|sorry"
    r"|monday|tuesday|here|ps|lg|vg|mfg|mobile?|phone|tel|urgent|asap|sincerely|yours"
    r"|unsubscribe)\b"
)
