"""Splits the text of a mail into request and signature, and finds its sender and date.

A forwarded mail is the request, not the line above it. A quote of our own mail is not. Blanks
replace all dropped text, so that every character keeps its position.
"""

import re
from dataclasses import dataclass, field
from datetime import date
from email.utils import parsedate_to_datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.mail_text import MAX_LINE, new_text
from frontdesk.reading.model import MOST_CHARACTERS, Words
from frontdesk.values import Frozen

MOST_FORWARDS: Final = 10
MOST_WORDS_ABOVE: Final = 12
MOST_SIGNATURE_LINES: Final = 12
MOST_SIGNATURE_LINE: Final = 70


class Passages(Frozen):
    """Body and signature, each as long as the text; sender and date of a forwarded mail."""

    body: str
    signature: str
    sender: Words | None = None
    sent: Words | None = None
    text: str = ""
    """The whole text with its quotes."""
    is_of_two: bool = False
    """Two people wrote, one below the other, and it is unclear who of them asks."""


class _Line(Frozen):
    text: str
    start: int


@dataclass(slots=True)
class _MailHeader:
    """The lines 'From: …', 'Date: …' above a forwarded mail."""

    height: int = 0
    sender: Words | None = None
    sent: Words | None = None
    kinds: set[str] = field(default_factory=set)


def passages(text: str, own_addresses: frozenset[str] = frozenset()) -> Passages:
    plain = _CONTROL.sub(" ", text[:MOST_CHARACTERS])
    lines, head, is_of_two = _forwarded(_unquoted(_lines(plain)), own_addresses)
    kept, dropped = _split_off_quotes(_above_notes(lines))
    kept, signed = _before_greetings(kept)
    return Passages(
        body=_only(kept, plain),
        signature=_only([*signed, *_below_dashes(dropped)], plain),
        sender=head.sender,
        sent=head.sent,
        text=plain,
        is_of_two=is_of_two,
    )


_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\xa0\u200b\u2028\u2029\ufeff\ud800-\udfff]")


def _lines(text: str) -> list[_Line]:
    at = 0
    found = []
    for line in text.split("\n"):
        found.append(_Line(line[:MAX_LINE].rstrip(), at))
        at += len(line) + 1
    return found


def _only(lines: list[_Line], text: str) -> str:
    out: list[str] = []
    at = 0
    for line in sorted(lines, key=lambda each: each.start):
        out += (_BLANKED.sub(" ", text[at : line.start]), line.text)
        at = line.start + len(line.text)
    return "".join([*out, _BLANKED.sub(" ", text[at:])])


_BLANKED: Final = re.compile(r"[^\n]")


def _unquoted(lines: list[_Line]) -> list[_Line]:
    """Removes '> ' if all lines have it: some programs forward mail like that."""
    for _ in range(MOST_FORWARDS):
        written = [line for line in lines if line.text.strip()]
        if not written or not all(_QUOTE.match(line.text) for line in written):
            break
        lines = [_without_mark(line) for line in lines]
    return lines


_QUOTE: Final = re.compile(r"\s{0,3}> ?")


def _without_mark(line: _Line) -> _Line:
    mark = _QUOTE.match(line.text)
    return _Line(line.text[mark.end() :], line.start + mark.end()) if mark else line


def _forwarded(lines: list[_Line], own: frozenset[str]) -> tuple[list[_Line], _MailHeader, bool]:
    """Returns the innermost forwarded mail, or all lines if there is none.

    The last value is whether another writer, above or below, may be the one who asks.
    """
    head, is_of_two = _MailHeader(), False
    for _ in range(MOST_FORWARDS):
        at = next((at for at, line in enumerate(lines) if _starts_mail(lines, at)), None)
        if at is None:
            break
        is_marked = bool(_FORWARD.fullmatch(_without_mark(lines[at]).text.strip()))
        below = _unquoted(lines[at + 1 if is_marked else at :])
        inner = _head(below)
        is_ours = bool(inner.sender and own & set(_addresses(inner.sender.text)))
        above = new_text("\n".join(line.text for line in lines[:at]))
        if not is_marked and (is_ours or not _is_passed_on(above, head, own)):
            return lines[:at], head, is_of_two or not is_ours
        is_of_two = is_of_two or not (is_marked or _passes_on(above))
        lines, head = _unquoted(below[inner.height :]), inner
    return lines, head, is_of_two


def _starts_mail(lines: list[_Line], at: int) -> bool:
    """Detects a forward mark, three header lines, or two at the top with an address."""
    if _FORWARD.fullmatch(_without_mark(lines[at]).text.strip()):
        return True
    if not _HEAD_LINE.match(_without_mark(lines[at]).text):
        return False
    head = _head(_unquoted(lines[at:]))
    is_first = not any(line.text.strip() for line in lines[:at])
    is_known = is_first and head.sender is not None and "@" in head.sender.text
    return len(head.kinds) >= (2 if is_known else 3)


_FORWARD: Final = re.compile(
    r"(?:[-_=*]{2,} ?)[^-_=*]{0,20}(?:weitergeleitete|transf[ée]r[ée]|reenviado|forwarded)"
    r"[^-_=*]{0,30}(?: ?[-_=*]{2,})|begin forwarded message:"
    r"|anfang der weitergeleiteten (?:nachricht|e-mail):"
    r"|début du message (?:réexpédié|transféré) ?:|inicio del mensaje reenviado:",
    re.IGNORECASE,
)
_HEADS: Final = {
    "from": "from|von|de",
    "sent": "sent|date|gesendet|datum|envoy[ée]|enviado(?: el)?|fecha",
    "to": "to|an|à|para|cc|kopie|reply-to|antwort an",
    "subject": "subject|betreff|objet|asunto",
}
_HEAD_LINE: Final = re.compile(
    r"\s{0,3}\*{0,2}(?:"
    + "|".join(f"(?P<{kind}>{names})" for kind, names in _HEADS.items())
    + r") ?:\*{0,2}\s{0,3}(?P<value>.{0,300})",
    re.IGNORECASE,
)


def _head(lines: list[_Line]) -> _MailHeader:
    head = _MailHeader()
    for at, line in enumerate(lines[:14]):
        found = _HEAD_LINE.match(line.text)
        if found is None:
            if line.text.strip() and head.kinds and _is_wrapped(line):
                continue
            if line.text.strip() or head.kinds:
                break
            continue
        kind = str(found.lastgroup if found.lastgroup != "value" else _kind(found))
        words = Words(found["value"].strip(), line.start + found.start("value"))
        head.kinds.add(kind)
        head.height = at + 1
        if kind == "from":
            head.sender = words
        elif kind == "sent":
            head.sent = words
    return head


def _kind(found: re.Match[str]) -> str:
    return next(kind for kind in _HEADS if found[kind] is not None)


def _is_wrapped(line: _Line) -> bool:
    return line.text.startswith((" ", "\t", "<"))


def _is_passed_on(above: str, head: _MailHeader, own: frozenset[str]) -> bool:
    """Returns whether a mail below header lines was forwarded, rather than answered."""
    if head.kinds:
        return not above.strip()
    return bool(own) or len(above.split()) <= MOST_WORDS_ABOVE


def _passes_on(above: str) -> bool:
    """Returns whether the words above a mail only forward it."""
    return len(above.split()) <= MOST_WORDS_ABOVE or bool(_PASSING_ON.search(above))


_PASSING_ON: Final = re.compile(
    r"^\W*fwd?\b|\b(?:see below|fyi|forward(?:ed|ing)?|passing (?:this |it )?on"
    r"|(?:add|put|place|squeeze|book) (?:her|him|them|this one)|can you (?:deal|help|reply|answer)"
    r"|siehe unten|s\. ?u\.|zur info|weitergeleitet|ci-dessous|pour info|ver abajo|m[áa]s abajo)\b",
    re.IGNORECASE | re.MULTILINE,
)


def _addresses(text: str) -> list[str]:
    return [found.lower() for found in re.findall(r"[^\s<>()\[\]:;,\"]{1,64}@[\w.-]{1,200}", text)]


def _split_off_quotes(lines: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """Splits the lines into the new ones, as `new_text` finds them, and the others."""
    new = [line for line in new_text("\n".join(line.text for line in lines)).split("\n") if line]
    kept, dropped = [], []
    at = 0
    for line in lines:
        if at < len(new) and line.text.strip() and _same(line.text, new[at]):
            kept.append(line)
            at += 1
        else:
            dropped.append(line)
    return kept, dropped


def _same(one: str, other: str) -> bool:
    return "".join(one.split()) == "".join(other.split())


def _above_notes(lines: list[_Line]) -> list[_Line]:
    """Removes the legal note that companies put below every mail."""
    at = next((at for at, line in enumerate(lines) if _NOTE.match(line.text)), len(lines))
    return lines[:at]


_NOTE: Final = re.compile(
    r"[\s*_>]{0,5}(?:(?:this|the information in this) (?:e-?mail|message|communication)\b"
    r"[^\n]{0,60}(?:confidential|intended|privileged)|disclaimer\b|confidentiality notice"
    r"|diese (?:e-?mail|nachricht)\b[^\n]{0,60}vertraulich"
    r"|ce (?:message|courriel)\b[^\n]{0,60}confidentiel"
    r"|este (?:mensaje|correo)\b[^\n]{0,60}confiden)",
    re.IGNORECASE,
)


def _below_dashes(dropped: list[_Line]) -> list[_Line]:
    """Returns the signature below '--', up to the next quote or mail."""
    start = next((at for at, line in enumerate(dropped) if line.text.strip() in _DASHES), None)
    if start is None:
        return []
    found = []
    for line in dropped[start + 1 : start + 1 + MOST_SIGNATURE_LINES]:
        if line.text.startswith(">") or _HEAD_LINE.match(line.text) or line.text.endswith(":"):
            break
        found.append(line)
    return found


_DASHES: Final = ("--", "—")


def _before_greetings(lines: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """Splits at 'Kind regards': a signature follows, unless it is long or a postscript."""
    for at in range(max(0, len(lines) - MOST_SIGNATURE_LINES - 1), len(lines)):
        below = lines[at + 1 :]
        if _GREETINGS.fullmatch(lines[at].text.strip()) and _is_signature(below):
            said = [line for line in below if _POSTSCRIPT.match(line.text)]
            return [*lines[:at], *said], [line for line in below if line not in said]
    return lines, []


def _is_signature(lines: list[_Line]) -> bool:
    """Short lines, or anything below a line with only a name."""
    is_named = bool(lines) and bool(_NAME_ALONE.fullmatch(lines[0].text.strip()))
    return is_named or all(len(line.text) <= MOST_SIGNATURE_LINE for line in lines)


_NAME_ALONE: Final = re.compile(
    r"(?:Dr|Prof)?\.? ?[A-ZÀ-ÖØ-ÞŁŚŽŠČĐ][\w'’-]{0,30}(?: [A-ZÀ-ÖØ-ÞŁŚŽŠČĐ][\w.'’-]{0,30}){1,3}"
)
_GREETINGS: Final = re.compile(
    r"(?:(?:with |my |many )?(?:(?:best|kind|kindest|warm|warmest) )?(?:regards|wishes)|best"
    r"|(?:many )?thanks(?: (?:so much|a lot|again|in advance))?|thank you(?: (?:so|very) much)?"
    r"|(?:thanks|thank you) (?:and|&) (?:best|kind) regards|cheers|sincerely|yours(?: sincerely"
    r"| faithfully| truly)?"
    r"|love|xx?|(?:mit )?(?:viele|vielen|liebe|lieben|beste|besten|freundliche|freundlichen"
    r"|herzliche|schöne|schönen)n? (?:grüße|grüßen|grüsse|gruß|gruss|dank)|lg|vg|mfg"
    r"|danke(?: (?:schön|sehr))?|gruß|grüße|(?:bien )?cordialement|bien à vous"
    r"|merci(?: (?:beaucoup|d'avance))?|bonne journée"
    r"|(?:un )?(?:cordial )?saludos?(?: cordiales)?|(?:muchas )?gracias|atentamente|un abrazo"
    r"|grazie|groetjes|met vriendelijke groet)"
    r"(?: (?:from|von|aus|de)(?: \w{1,20}){1,2})?[,.!]{0,3}",
    re.IGNORECASE,
)
_POSTSCRIPT: Final = re.compile(r"\s{0,3}p\.? ?s\.?\b", re.IGNORECASE)


def day_sent(words: str, zone: ZoneInfo) -> date | None:
    """Parses the date of a mail header with an offset; None for other forms."""
    if not _OFFSET.search(words[:100]):
        return None
    try:
        return parsedate_to_datetime(words[:100]).astimezone(zone).date()
    except (ValueError, IndexError, TypeError, OverflowError):
        return None


_OFFSET: Final = re.compile(r"\d{2}:\d{2} [+-]\d{4}\b")
