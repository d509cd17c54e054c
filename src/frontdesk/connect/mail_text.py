"""Extracts the text of a mail from the part that has it, and the new text of a reply."""

import html
import re
from collections.abc import Iterator

from frontdesk.connect.mime_parts import (
    MAX_DEPTH,
    MAX_PARTS,
    BadMail,
    MimePart,
    PartLimit,
    children,
    content_of,
    read_part,
    text_of,
    walk,
)

MAX_TEXT = 64_000
#: Hidden text at the top of a mail is one or two lines for the preview.
MOST_HIDDEN = 4_000


def readable_text(mail: MimePart) -> str:
    """Returns the text of a mail: the plain part, or the HTML part as text."""
    return _text(mail, PartLimit(), depth=0)[:MAX_TEXT]


def calendar_reply(mail: MimePart) -> str:
    """Returns a calendar's answer to an invitation: 'accepted', 'declined', 'tentative' or ''."""
    for part in walk(mail):
        if part.kind == "text/calendar" and part.parameter("method").lower() == "reply":
            found = _ANSWER.search(text_of(part)[:MAX_TEXT].replace("\r", "").replace("\n ", ""))
            return found[1].lower() if found else ""
    return ""


_ANSWER = re.compile(r"PARTSTAT=(ACCEPTED|DECLINED|TENTATIVE)\b", re.IGNORECASE)


def _text(part: MimePart, limit: PartLimit, *, depth: int) -> str:
    if depth > MAX_DEPTH:
        return ""
    if part.first("content-disposition").lower().startswith("attachment"):
        return ""
    if part.kind == "text/plain":
        return text_of(part)
    if part.kind == "text/html":
        return text_from_html(text_of(part))
    texts = (_text(child, limit, depth=depth + 1) for child in children(part, limit))
    if part.kind == "multipart/alternative":
        return next((text for text in texts if text.strip()), "")
    return "\n".join(text for text in texts if text.strip())


def contains_url(raw: bytes, url: str) -> bool:
    """Returns whether a mail contains this URL, even encoded, wrapped or in a forwarded mail.

    Also returns True if the mail has too many parts to check them all.
    """
    wanted = _WRAPPED.sub(b"", url.encode()).lower()
    return any(
        text is None or wanted in _WRAPPED.sub(b"", text).lower() for text in _contents(raw, 0)
    )


#: Characters that mail programs insert when they wrap or quote a line.
_WRAPPED = re.compile(rb"[\s>=]+")


def _contents(raw: bytes, depth: int) -> Iterator[bytes | None]:
    """Yields the raw mail and each decoded part; None for parts that are skipped."""
    yield raw
    try:
        parts = walk(read_part(raw))
    except BadMail:
        return
    if len(parts) == MAX_PARTS or depth == MAX_DEPTH:
        yield None
        return
    for part in parts:
        content = content_of(part)
        if part.kind.startswith("message/"):
            yield from _contents(content.lstrip(), depth + 1)
        else:
            yield content


def text_from_html(source: str) -> str:
    """Returns the text of an HTML mail; block quotes get '> ' in front.

    One pass from left to right: hostile input makes the standard library's parser take quadratic
    time.
    """
    out: list[str] = []
    quotes = at = 0
    while at < len(source):
        start = source.find("<", at)
        out.append(_SPACES.sub(" ", source[at:] if start < 0 else source[at:start]))
        if start < 0:
            break
        name, at = _skip_tag(source, start)
        if name.strip("/") == "blockquote":
            quotes = max(0, quotes + (-1 if name.startswith("/") else 1))
        if _NEW_LINE.fullmatch(name.strip("/")):
            out.append("\n> " if quotes else "\n")
        elif name in ("/td", "/th"):
            out.append("\t")
    return "\n".join(_unescape(line).strip() for line in "".join(out).split("\n"))


_SPACES = re.compile(r"\s+")
_TAG_NAME = re.compile(r"[/!?]?[A-Za-z][A-Za-z0-9]{0,20}|[/!?]")
_NEW_LINE = re.compile("br|p|div|tr|li|ul|ol|h[1-6]|table|blockquote|hr|pre")
_HIDDEN = re.compile(r"display\s{0,3}:\s{0,3}none", re.IGNORECASE)
_STRUCK_OUT = ("s", "del", "strike")
_UNSEEN = {
    name: re.compile("</" + name, re.IGNORECASE) for name in ("script", "style", "head", "title")
}


def _skip_tag(source: str, start: int) -> tuple[str, int]:
    """Returns the name of the tag at `start` and the next position; the end if it never closes."""
    if source.startswith("<!--", start):
        return "", _after(source, "-->", start + 4)
    found = _TAG_NAME.match(source, start + 1)
    if found is None:
        return "", start + 1
    name = found[0].lower()
    end = _after(source, ">", found.end())
    if name in _UNSEEN:
        close = _UNSEEN[name].search(source, end)
        end = _after(source, ">", close.end()) if close else len(source)
    elif name in _STRUCK_OUT or _HIDDEN.search(source, found.end(), end):
        close_tag = f"</{found[0]}>"
        at = source.find(close_tag, end, end + MOST_HIDDEN)
        end = at + len(close_tag) if at >= 0 else end
    return name, end


def _after(source: str, mark: str, start: int) -> int:
    found = source.find(mark, start)
    return len(source) if found < 0 else found + len(mark)


def _unescape(line: str) -> str:
    """Unescapes HTML. Removes very long character numbers first: Python fails on them."""
    return html.unescape(_LONG_NUMBER.sub("", line)).replace("\xa0", " ")


_LONG_NUMBER = re.compile("&#[0-9]{8,};?")


# This works line by line with hard limits, so that no text takes long. It drops a line that may not
# be new: a lost word costs a question, but a quoted word that counts as new may cost a seat.

MAX_REPLY = 16_384
MAX_LINE = 500
MAX_WRAP = 4
LONG_QUOTED_LINE = 60


def new_text(text: str) -> str:
    """Returns the text without quotes, forwarded mail and signatures."""
    lines = [line[:MAX_LINE].rstrip() for line in _plain(text[:MAX_REPLY]).split("\n")]
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


def header_block(text: str) -> int | None:
    """Returns the position at which a mail begins that Outlook forwarded: its header lines, without
    a separator before them. None if there is no such mail."""
    lines = text[:MAX_REPLY].split("\n")
    for at, line in enumerate(lines):
        if _SEPARATOR.fullmatch(line[:MAX_LINE].strip()):
            return None
        if _is_header_block(lines, at):
            return sum(len(each) + 1 for each in lines[:at])
    return None


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
