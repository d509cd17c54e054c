"""Extracts the text of a mail from the part that has it."""

import html
import re
from collections.abc import Iterator

from frontdesk.connect.mime_parts import (
    MAX_DEPTH,
    MAX_PARTS,
    BadMail,
    Part,
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


def readable_text(mail: Part) -> str:
    """Returns the text of a mail: the plain part, or the HTML part as text."""
    return _text(mail, PartLimit(), depth=0)[:MAX_TEXT]


def calendar_reply(mail: Part) -> str:
    """Returns a calendar's answer to an invitation: 'accepted', 'declined', 'tentative' or ''."""
    for part in walk(mail):
        if part.kind == "text/calendar" and part.parameter("method").lower() == "reply":
            found = _ANSWER.search(text_of(part)[:MAX_TEXT].replace("\r", "").replace("\n ", ""))
            return found[1].lower() if found else ""
    return ""


_ANSWER = re.compile(r"PARTSTAT=(ACCEPTED|DECLINED|TENTATIVE)\b", re.IGNORECASE)


def _text(part: Part, limit: PartLimit, *, depth: int) -> str:
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


def quotes(raw: bytes, url: str) -> bool:
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
