"""Splits a raw mail into headers and parts, in linear time for any input.

The standard parser is too slow for nested parts, and fails at great depth.
"""

import binascii
import re

from frontdesk.values import Frozen

MAX_BYTES = 5_000_000
MAX_HEADER_BYTES = 256_000
MAX_HEADERS = 1_000
MAX_HEADER_LINES = 5_000
MAX_PART_HEADER_BYTES = 16_000
MAX_DEPTH = 8
#: The limit for a whole mail, at any nesting.
MAX_PARTS = 50
MAX_TEXT_BYTES = 128_000


class BadMail(Exception):
    """The bytes cannot be parsed as a mail."""


class MimePart(Frozen):
    """A mail or a part of one: headers as (lower-case name, value) and the raw body."""

    headers: tuple[tuple[str, str], ...]
    body: bytes

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.headers if key == name)

    def first(self, name: str) -> str:
        return next(iter(self.all(name)), "")

    @property
    def kind(self) -> str:
        """Returns the content type, like 'text/plain', without parameters."""
        found = self.first("content-type").partition(";")[0].strip().lower()
        return found if "/" in found else "text/plain"

    def parameter(self, name: str) -> str:
        """Returns a parameter of the content type, like 'charset'."""
        found = re.search(
            rf';\s*{name}\s*=\s*("([^"]{{0,200}})"|[^\s;"]{{1,200}})',
            self.first("content-type")[:2_000],
            re.IGNORECASE,
        )
        if found is None:
            return ""
        return found[1] if found[2] is None else found[2]


def read_part(raw: bytes) -> MimePart:
    """Splits headers from body. Raises `BadMail` if either is too large, or without any header."""
    if not raw or len(raw) > MAX_BYTES:
        raise BadMail("empty" if not raw else "too big")
    head, body = _split(raw)
    headers = _headers(head)
    if not headers:
        raise BadMail("no headers")
    return MimePart(headers, body)


class PartLimit:
    """Counts how many more parts of one mail may be read. A whole walk shares it."""

    def __init__(self, left: int = MAX_PARTS) -> None:
        self.left = left


def walk(part: MimePart) -> list[MimePart]:
    """Returns the part itself and the parts inside it, in order: at most `MAX_PARTS` in all."""
    return _walk(part, PartLimit(MAX_PARTS - 1), depth=0)


def _walk(part: MimePart, limit: PartLimit, depth: int) -> list[MimePart]:
    found = [part]
    for child in children(part, limit) if depth < MAX_DEPTH else ():
        found += _walk(child, limit, depth + 1)
    return found


def children(part: MimePart, limit: PartLimit) -> list[MimePart]:
    """Returns the parts of a multipart, in order; none if it is not one or cannot be split.

    Does not parse parts beyond the limit.
    """
    if limit.left <= 0 or not part.kind.startswith("multipart/"):
        return []
    boundary = part.parameter("boundary").encode("utf-8", "replace")
    if not boundary:
        return []
    found = _between(b"\n" + part.body, b"\n--" + boundary, at_most=limit.left)
    limit.left -= len(found)
    return [_child(raw) for raw in found]


def _between(body: bytes, mark: bytes, *, at_most: int) -> list[bytes]:
    """Splits the body at the boundary lines; a boundary followed by '--' is the last."""
    found: list[bytes] = []
    start = -1
    at = body.find(mark)
    while at >= 0:
        if len(found) == at_most:
            return found
        rest = _REST_OF_LINE.match(body, at + len(mark))
        if rest is not None:
            if start >= 0:
                found.append(body[start:at])
            if rest[1]:
                return found
            start = rest.end()
        at = body.find(mark, at + len(mark))
    return [*found, body[start:]] if start >= 0 else found


_REST_OF_LINE = re.compile(rb"(--)?[ \t]{0,100}\r?(?:\n|\Z)")


def text_of(part: MimePart) -> str:
    """Returns the body of a text part as text, truncated at the limit."""
    raw = _decoded(part, part.body[: 3 * MAX_TEXT_BYTES])
    return decode(raw[:MAX_TEXT_BYTES], part.parameter("charset"))


def content_of(part: MimePart) -> bytes:
    """Returns the body of a part without its transfer encoding."""
    return _decoded(part, part.body)


def _decoded(part: MimePart, raw: bytes) -> bytes:
    encoding = part.first("content-transfer-encoding").strip().lower()
    if encoding == "base64":
        return _from_base64(raw)
    return binascii.a2b_qp(raw) if encoding == "quoted-printable" else raw


def decode(raw: bytes, charset: str) -> str:
    """Decodes bytes in a charset that may be wrong, unknown or missing."""
    name = re.sub("[^a-z0-9]", "", charset.lower())
    if _CHARSET.fullmatch(name) and name not in ("ascii", "usascii"):
        try:
            return raw.decode(_ALIASES.get(name, charset.strip()), "replace")
        except (LookupError, ValueError):
            pass
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


#: Only these charsets are allowed: some Python codecs are slow on hostile input, or no charsets.
_CHARSET = re.compile(
    "utf8|utf16(le|be)?|utf32(le|be)?|(us)?ascii|latin[1-9]|iso8859[0-9]{1,2}[ei]?|(windows|cp)12[0-9]{2}"
    "|(windows|cp)874|koi8[rtu]|gb2312|gbk|gb18030|big5(hkscs)?|shiftjis|sjis|euc(jp|kr)|iso2022(jp|kr)"
    "|ksc56011987|mac(roman)?|ibm8[0-9]{2}|cp8[0-9]{2}|tis620"
)
_ALIASES = {"ksc56011987": "euc_kr", "mac": "mac_roman", "iso88598i": "iso8859_8"}


def _split(raw: bytes) -> tuple[bytes, bytes]:
    if raw.startswith((b"\n", b"\r\n")):
        return b"", raw.lstrip(b"\r\n")
    ends = [(at, len(blank)) for blank in (b"\n\r\n", b"\n\n") if (at := raw.find(blank)) >= 0]
    if not ends:
        return raw, b""
    at, length = min(ends)
    return raw[:at], raw[at + length :]


def _headers(head: bytes, *, most_bytes: int = MAX_HEADER_BYTES) -> tuple[tuple[str, str], ...]:
    """Parses headers; stops at the first line that is not one, as mail servers do."""
    if len(head) > most_bytes:
        raise BadMail("too many headers")
    found: list[tuple[str, list[str]]] = []
    for number, raw_line in enumerate(head.split(b"\n")):
        if number > MAX_HEADER_LINES:
            raise BadMail("too many headers")
        line = decode(raw_line.rstrip(b"\r"), "")
        if line[:1] in (" ", "\t") and found:
            found[-1][1].append(line)
            continue
        name, colon, value = line.partition(":")
        if not colon or not _FIELD_NAME.fullmatch(name.rstrip(" \t")):
            if number == 0 and line.startswith("From "):
                continue  # a line on top of a mail in mailbox files
            break
        found.append((name.rstrip(" \t").lower(), [value]))
        if len(found) > MAX_HEADERS:
            raise BadMail("too many headers")
    return tuple((name, _clean("".join(lines))) for name, lines in found)


_FIELD_NAME = re.compile(r"[!-9;-~]{1,200}")


def _clean(value: str) -> str:
    return _CONTROL.sub(" ", value).strip()


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def _child(raw: bytes) -> MimePart:
    if raw.endswith(b"\r"):
        raw = raw[:-1]
    head, body = _split(raw)
    try:
        return MimePart(_headers(head, most_bytes=MAX_PART_HEADER_BYTES), body)
    except BadMail:
        return MimePart((), b"")


def _from_base64(raw: bytes) -> bytes:
    """Decodes base64 leniently: padding and stray characters are often wrong in real mail."""
    clean = _NOT_BASE64.sub(b"", raw)
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
