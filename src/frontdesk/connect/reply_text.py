"""Extracts the new text of a reply.

It works line by line with hard limits, so that no text takes long. A line that may not be new is
dropped: a lost word costs a question, a quoted one taken for new may cost a seat.
"""

import re

MAX_TEXT = 16_384
MAX_LINE = 500
MAX_WRAP = 4
LONG_QUOTED_LINE = 60


def new_text(text: str) -> str:
    """Returns the text without quotes, forwarded mail and signatures."""
    lines = [line[:MAX_LINE].rstrip() for line in _plain(text[:MAX_TEXT]).split("\n")]
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if _ends_new_text(lines, at):
            break
        if line.lstrip().startswith(">"):
            at = _after_quote(lines, at)
            continue
        if (height := _quote_heading(lines, at)) and not _is_quoted(lines, at + height):
            break
        if not height and not _MOBILE_SIGNATURE.match(line.strip()):
            kept.append(line)
        at += height or 1
    return _tidy(kept)


def _plain(text: str) -> str:
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).replace("\xa0", " ")


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\ufeff\ud800-\udfff]")


def _ends_new_text(lines: list[str], at: int) -> bool:
    """Returns whether a signature, an original or a forwarded mail starts here."""
    line = lines[at].strip()
    return line in ("--", "—") or bool(_SEPARATOR.fullmatch(line)) or _is_header_block(lines, at)


_SEPARATOR = re.compile(
    r"(?:[-_=*]{2,} ?)[^-_=*]{0,20}(?:original|urspr(?:ü|ue)ngliche|weitergeleitete|origine"
    r"|transf[ée]r[ée]|reenviado|inoltrato|forwarded|doorgestuurd)[^-_=*]{0,30}(?: ?[-_=*]{2,})"
    r"|begin forwarded message:|anfang der weitergeleiteten nachricht:"
    r"|début du message (?:réexpédié|transféré) ?:|inicio del mensaje reenviado:",
    re.IGNORECASE,
)


def _is_header_block(lines: list[str], at: int) -> bool:
    """Detects 'From: …' with at least two more header lines close below, as Outlook writes it."""
    if not _FROM_LINE.match(lines[at].strip()):
        return False
    below = (line.strip() for line in lines[at + 1 : at + 7])
    return sum(1 for line in below if _HEADER_LINE.match(line)) >= 2


_FROM_LINE = re.compile(r"\*?(?:from|von|de|da|van|från|fra|od) ?:\*? ?\S", re.IGNORECASE)
_HEADER_LINE = re.compile(
    r"\*?(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoy[ée]|à|objet|enviado(?: el)?"
    r"|fecha|para|asunto|inviato|data|a|oggetto|verzonden|aan|onderwerp|assunto) ?:\*?(?: |$)",
    re.IGNORECASE,
)


def _after_quote(lines: list[str], at: int) -> int:
    """Returns the line after a quote, and after the rest of a long line that was wrapped."""
    longest = 0
    while at < len(lines) and lines[at].lstrip().startswith(">"):
        longest = len(lines[at])
        at += 1
    if longest >= LONG_QUOTED_LINE:
        while at < len(lines) and lines[at].strip():
            at += 1
    return at


def _quote_heading(lines: list[str], at: int) -> int:
    """Returns the number of lines that 'On … wrote:' takes here; 0 if there is none."""
    first = lines[at].strip()
    most = MAX_WRAP if _HEADING_START.match(first) else 1
    for height in range(1, most + 1):
        joined = " ".join(line.strip() for line in lines[at : at + height])
        if _is_heading(joined):
            return height
    return 0


def _is_heading(text: str) -> bool:
    """A heading ends in a colon, has the verb, and contains a date or an address."""
    return (
        text.endswith(":")
        and bool(_WROTE.search(text))
        and ("@" in text or any(character.isdigit() for character in text))
    )


_WROTE = re.compile(
    r"\b(?:wrote|schrieb|a écrit|a ecrit|escribi[óo]|ha scritto|schreef|escreveu|skrev"
    r"|napisał(?:\(a\))?|pisze)\b",
    re.IGNORECASE,
)
_HEADING_START = re.compile(
    r"(?:on|am|le|el|il|op|em|den|w dniu|dnia)\b|.{0,80}<[^<>\s@]+@[^<>\s]+>", re.IGNORECASE
)


def _is_quoted(lines: list[str], at: int) -> bool:
    following = next((line for line in lines[at:] if line.strip()), "")
    return following.lstrip().startswith(">")


_MOBILE_SIGNATURE = re.compile(
    r"(?:sent (?:from|via|with|using) (?:my|the|outlook|mail|yahoo|proton|samsung|gmail|iphone)"
    r"|get outlook for|von meinem \S+(?: \S+)? gesendet|gesendet (?:von|mit|aus|über)"
    r"|diese nachricht wurde von mein|outlook für (?:ios|android)|holen sie sich outlook"
    r"|envoy[ée] (?:de|depuis|à partir)|t[ée]l[ée]charger outlook|obtenir outlook"
    r"|enviado (?:desde|de|do|a partir) |obtener outlook|inviato da|verzonden (?:vanaf|met|van)"
    r"|verstuurd vanaf).{0,80}",
    re.IGNORECASE,
)


def _tidy(lines: list[str]) -> str:
    """Removes outer and repeated blank lines, and a rule at the end."""
    text = "\n".join(lines)
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    return re.sub(r"\n[_=*-]{5,}$", "", text).strip()
