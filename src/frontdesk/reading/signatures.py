"""Finds a signed name: in a signature, on the last lines, or after the last sentence."""

import re
from typing import Final

from frontdesk.reading.contacts import EMAIL, LINK, PHONE
from frontdesk.reading.model import Confidence, Field, Words
from frontdesk.reading.passages import Passages
from frontdesk.reading.person_names import NAME, TITLE, is_full, named
from frontdesk.reading.words import blanked

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CLOSING: Final = 120
LONG_LINE: Final = 50


def find_signed(parts: Passages) -> Field[str] | None:
    """Finds a signed name. A first and last name is certain; a single name is not complete."""
    return _signature(parts.signature) or _last_lines(parts.body) or _closing(parts.body)


def _signature(signature: str) -> Field[str] | None:
    """Reads the first line of a signature; prefers 'Oliver Grant' below 'Ollie'."""
    lines = [each for each in _LINES.finditer(signature) if each[0].strip()]
    first, *below = [_alone(line) for line in lines[:4]] or [None]
    if first is None:
        return None
    alike = [each for each in below if each and each.text[0] == first.text[0]]
    return _signed(next((each for each in (first, *alike) if is_full(each.text)), first))


def _last_lines(body: str) -> Field[str] | None:
    """Reads the last lines with only names: first the person, then perhaps the company."""
    lines = [
        each
        for each in _LINES.finditer(blanked(body, EMAIL, LINK, _CALLED_NUMBER))
        if each[0].strip(_RIM)
    ]
    first: Field[str] | None = None
    for line in reversed(lines[1:][-2:]):
        if (
            _is_wrapped(lines, line)
            or (found := _alone(line)) is None
            or (name := _signed(found)) is None
        ):
            break
        if first is None or not is_full(first.value) or is_full(name.value):
            first = name
    return first


def _signed(words: Words) -> Field[str] | None:
    name = named(words, CONFIDENT)
    return name if name is None or is_full(name.value) else named(words, LIKELY)


def _is_wrapped(lines: list[re.Match[str]], line: re.Match[str]) -> bool:
    """Returns whether the line continues the one above, or has more than a name."""
    above = lines[lines.index(line) - 1][0].rstrip()
    return (len(above) > LONG_LINE and above[-1] not in ".!?,)") or bool(
        re.search(r"[!?]\s|\.\s[A-Z]", line[0])
    )


_RIM: Final = " .,:;-–—/|()*_\t"


_CALLED_NUMBER: Final = re.compile(
    rf"(?i:\b(?:tel|phone|mobile?|mob|cell|hp|handy|telefon|telefono|movil|portable)\b[.:]? ?)?"
    rf"{PHONE.pattern}"
)


def _alone(line: re.Match[str]) -> Words | None:
    """Returns the name if the line has nothing else before a comma or a bar.

    A name in a bulleted line with more text is an item of a list.
    """
    shown, *more = re.split(r"[,|•;]| - ", line[0].lstrip(" *_-–—"), maxsplit=1)
    is_listed = bool(_LISTED.match(line[0])) and any(each.strip(_RIM) for each in more)
    found = _SIGNED.fullmatch(_TITLE_BEHIND.sub("", shown).strip(_RIM))
    if found is None or is_listed:
        return None
    return Words(found["name"], line.start() + line[0].index(found["name"]))


_LINES: Final = re.compile(r"[^\n]{1,500}")
_TITLE_BEHIND: Final = re.compile(rf"\({TITLE}\)\s{{0,3}}$")
_LISTED: Final = re.compile(r"\s{0,4}(?:[-*•]|\d{1,2}[.)]) ")
_YOURS: Final = r"(?:(?:Ihre?|Deine?|Eure?|Your|Yours|Votre|Ton|Ta|Su|Tu) )?"
_SIGNED: Final = re.compile(rf"{_YOURS}(?P<name>(?:{TITLE} )?{NAME})\W{{0,3}}x{{0,3}}")


def _closing(body: str) -> Field[str] | None:
    """Finds a name after the last sentence: 'Thanks, Laura', perhaps with an address after it."""
    text = blanked(body, EMAIL, LINK, _CALLED_NUMBER).rstrip(_RIM + "\n")
    at = max(0, len(text) - MOST_CLOSING)
    for pattern in (_GREETED, _CLOSING, _PARTING):
        if match := pattern.search(text, at):
            return _signed(Words(match["name"], match.start("name")))
    return None


_THANKS: Final = (
    r"(?i:thanks|thank you|thks|thx|ta|cheers|regards|best|love|danke|gruß|grüße|grüsse|lg|vg"
    r"|bises|bisous|merci|gracias|saludos|svp|bitte|please)"
)
_LAST: Final = rf"{_YOURS}(?P<name>(?:{TITLE} )?{NAME})[.!,;]?$"
_GREETED: Final = re.compile(
    r"\b(?:(?i:regards|wishes|love|gruß|gruss|grüße|grüsse|grüßen|grüssen|lg|vg|bises|bisous"
    r"|saludos|cordialement|sincerely|faithfully|truly|dank)[,!]?"
    r"|(?i:thanks|thank you|thx|ta|cheers|best|danke|merci|gracias)"
    rf" ?[,.!]{{1,3}})\s{{1,40}}(?!{_THANKS}\b){_LAST}"
)
#: Not the dot of a title or an initial: 'for Mrs. Brand', 'K. Roux'.
_SENTENCE_END: Final = (
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bFr)(?<!\bHr)(?<!\bMrs)(?<!Prof)(?<!\b[A-Z])[.!?)]"
)
_CLOSING: Final = re.compile(
    rf"(?:{_SENTENCE_END}|\s[-–]|\bx{{1,3}}|\b{_THANKS}(?: x{{1,3}})?)[,!]?\s{{0,40}}(?<=[\s-])"
    rf"(?!{_THANKS}\b){_LAST}"
)
#: A few parting words, a comma, and a name: 'Big hug, Mirela'.
_PARTING: Final = re.compile(
    rf"[.!?)\n]\s{{1,2}}[^\W\d_]{{1,12}}(?: [a-zß-ÿ]{{1,12}}| (?:from|aus|de) \w{{1,20}}){{0,3}}"
    rf"[,!]\s{{1,2}}(?!{_THANKS}\b){_LAST}"
)
