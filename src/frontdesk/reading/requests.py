"""Extracts the text of a request from a mail and its attachments, and reads it.

`read_request` returns passages of text, `read_passages` makes a proposal of them.
"""

import re
import time
from typing import Any, Final

from frontdesk.connect.mail_headers import addresses, decode_words
from frontdesk.connect.mail_text import header_block, readable_text
from frontdesk.connect.mime_parts import BadMail, MimePart, content_of, read_part, walk
from frontdesk.reading.documents import document_text
from frontdesk.reading.model import (
    BadDocument,
    Confidence,
    Context,
    Field,
    PictureReader,
    Reader,
    ReadFields,
    Words,
    in_order,
    least,
)
from frontdesk.reading.pictures import picture_kind, picture_size
from frontdesk.values import Frozen, replace

MAIL: Final = "message/rfc822"
MOST_ATTACHMENTS: Final = 5
MOST_PICTURES: Final = 4
MOST_FILE_NAME: Final = 80
#: The time limit for all attachments of one mail together.
MOST_SECONDS: Final = 30.0
#: Smaller pictures are logos and dots, not letters.
LEAST_PIXELS: Final = 200
BETWEEN: Final = "\n\n"


class Request(Frozen):
    """One passage for the mail and one for each readable document, and a list of the others.

    `unread` is for staff: 'scan.pdf: This PDF is locked with a password, and could not be read.'
    """

    passages: tuple[str, ...]
    unread: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return BETWEEN.join(self.passages)


def read_request(
    raw: bytes,
    kind: str = MAIL,
    *,
    pictures: PictureReader | None = None,
    own_addresses: frozenset[str] = frozenset(),
    seconds: float = MOST_SECONDS,
) -> Request:
    """Reads a whole mail, or a single document of another kind. Never raises.

    Opens no further attachment after `seconds`.
    """
    time_left = _TimeLeft(seconds)
    if kind != MAIL:
        return _joined("", [MimePart((("content-type", kind),), raw)], pictures, time_left)
    try:
        mail = read_part(raw)
    except BadMail:
        return Request((), ("This mail could not be read.",))
    inner = [part for part in walk(mail) if part.kind == MAIL]
    text = _text(mail, own_addresses) + "".join(
        BETWEEN + _FORWARDED + _text(each, frozenset()) for each in _mails(inner)
    )
    return _joined(text, _attached([mail, *_mails(inner)]), pictures, time_left)


_FORWARDED: Final = "---------- Forwarded message ---------\n"


def _text(mail: MimePart, own_addresses: frozenset[str]) -> str:
    """Returns the text with the header lines of a forwarded mail; our own mails get none."""
    body, titled = readable_text(mail).strip(), decode_words(mail.first("subject"))
    if _PASSED_ON.match(titled) and (at := header_block(body)) is not None:
        body = body[:at] + _FORWARDED + body[at:]
    subject = _PREFIXES.sub("", titled).strip()
    said = subject + BETWEEN + body if subject and not mail.first("in-reply-to") else body
    senders = addresses(mail.first("from"))
    if not senders or own_addresses & {each.email for each in senders}:
        return said
    head = {
        "From": f"{senders[0].name} <{senders[0].email}>".strip(),
        "Date": decode_words(mail.first("date")),
        "To": ", ".join(each.email for each in addresses(mail.first("to"))[:3]) or "us",
    }
    return "\n".join(f"{name}: {value}" for name, value in head.items()) + BETWEEN + said


#: The subject of a forwarded mail.
_PASSED_ON: Final = re.compile(r"\s{0,3}(?:fwd?|wg|tr|rv)\s{0,2}:", re.IGNORECASE)
_PREFIXES: Final = re.compile(r"(?:(?:re|fwd?|wg|aw|tr|rv)\s{0,2}:\s{0,3}){1,9}", re.IGNORECASE)


def _mails(parts: list[MimePart]) -> list[MimePart]:
    """Parses mails that are attached to the mail."""
    found = []
    for part in parts[:MOST_ATTACHMENTS]:
        try:
            found.append(read_part(content_of(part).lstrip()))
        except BadMail:
            continue
    return found


def _attached(mails: list[MimePart]) -> list[MimePart]:
    return [
        part
        for mail in mails
        for part in walk(mail)
        if not part.kind.startswith(("multipart/", "text/calendar", MAIL))
        and (not part.kind.startswith("text/") or _is_attachment(part))
        and part.body.strip()
    ]


def _is_attachment(part: MimePart) -> bool:
    return part.first("content-disposition").lower().startswith("attachment")


class _TimeLeft:
    """Tracks the time left for attachments. Raises `BadDocument` when it has run out."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def seconds(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise BadDocument("It was not read, as the attachments before it took too long.")
        return left


def _joined(
    text: str, attached: list[MimePart], pictures: PictureReader | None, time_left: _TimeLeft
) -> Request:
    seeing = _PictureLimit(pictures, time_left) if pictures else None
    found = [text] if text.strip() else []
    unread: list[str] = []
    documents = [part for part in attached if not _is_logo(part)]
    for part in documents[:MOST_ATTACHMENTS]:
        try:
            read = document_text(
                content_of(part),
                part.kind,
                part.parameter("charset"),
                pictures=seeing,
                seconds=time_left.seconds(),
            ).strip()
            found += [read] if read else []
            unread += [] if read else [f"{_name(part)}: There are no words in it."]
        except BadDocument as bad:
            unread.append(f"{_name(part)}: {bad}")
    unread += [f"{_name(part)}: There are too many." for part in documents[MOST_ATTACHMENTS:]]
    return Request(tuple(found), tuple(unread))


class _PictureLimit:
    """Limits the number of pictures of one mail: each takes time."""

    def __init__(self, pictures: PictureReader, time_left: _TimeLeft) -> None:
        self._pictures = pictures
        self._time_left = time_left
        self._left = MOST_PICTURES

    def text_of(self, picture: bytes) -> str:
        self._left -= 1
        if self._left < 0:
            raise BadDocument("There are too many pictures in this mail to be read.")
        self._time_left.seconds()
        return self._pictures.text_of(picture)


def _is_logo(part: MimePart) -> bool:
    data = content_of(part)
    if not picture_kind(data):
        return False
    try:
        return min(picture_size(data)) < LEAST_PIXELS
    except BadDocument:
        return False


def _name(part: MimePart) -> str:
    found = _FILE_NAME.search(part.first("content-disposition")[:2_000])
    name = decode_words((found[1] if found else "") or part.parameter("name"))
    return name[:MOST_FILE_NAME] or "An attachment"


_FILE_NAME: Final = re.compile(r'filename\s{0,3}=\s{0,3}"?([^";]{1,200})', re.IGNORECASE)


def read_passages(reader: Reader, request: Request, context: Context) -> ReadFields:
    """Joins the fields of all passages; their words are in `request.text`.

    Takes the most certain value of each field. If two passages differ, staff decide.
    """
    start = 0
    joined = ReadFields()
    for passage in request.passages:
        joined = _merged(joined, _moved(reader.read(passage, context), start))
        start += len(passage) + len(BETWEEN)
    return joined


_FIELDS: Final = tuple(each for each in ReadFields.__struct_fields__ if each != "asides")


def _moved(proposal: ReadFields, by: int) -> ReadFields:
    changed: dict[str, Any] = {
        name: Field(field.value, field.confidence, moved_words(field.words, by))
        for name in _FIELDS
        if (field := getattr(proposal, name))
    }
    asides = tuple(moved_words(words, by) for words in proposal.asides)
    return replace(proposal, **changed, asides=asides)


def moved_words(words: Words, by: int) -> Words:
    return Words(words.text, words.start + by)


def _merged(one: ReadFields, other: ReadFields) -> ReadFields:
    found: dict[str, Any] = {
        name: surer(getattr(one, name), getattr(other, name)) for name in _FIELDS
    }
    return ReadFields(**found, asides=in_order((*one.asides, *other.asides)))


def surer(one: Field[Any] | None, other: Field[Any] | None) -> Field[Any] | None:
    """Returns the more certain of two fields; at most LIKELY if they differ."""
    if one is None or other is None:
        return one or other
    best = min(one, other, key=lambda field: list(Confidence).index(field.confidence))
    if one.value == other.value:
        return best
    return Field(best.value, least(best.confidence, Confidence.LIKELY), best.words)
