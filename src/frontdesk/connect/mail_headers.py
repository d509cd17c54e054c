"""Parses mail headers: encoded words, addresses, message ids."""

import binascii
import re
from dataclasses import dataclass, field

from frontdesk.connect.mime_parts import decode
from frontdesk.values import Frozen

MAX_VALUE = 10_000
MAX_ADDRESSES = 100


def decode_words(value: str) -> str:
    """Decodes encoded words in a header, and collapses spaces."""
    value = _BETWEEN_WORDS.sub(r"\1", value[:MAX_VALUE])
    out: list[str] = []
    run = b""  # one character may be split over adjacent words of one charset
    charset = ""
    at = 0
    for word in _ENCODED_WORD.finditer(value):
        if run and (word.start() > at or word[1].lower() != charset):
            out.append(decode(run, charset))
            run = b""
        out.append(value[at : word.start()])
        charset = word[1].lower()
        run += _word_bytes(word[2], word[3])
        at = word.end()
    out += [decode(run, charset), value[at:]]
    return plain_line("".join(out))


_ENCODED_WORD = re.compile(
    r"=\?([A-Za-z0-9_.:-]{1,40})(?:\*[A-Za-z0-9-]{0,20})?\?([bBqQ])\?([^?\s]*)\?="
)
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t]+(?==\?)")


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(raw, header=True)
    raw = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    raw = raw[:-1] if len(raw) % 4 == 1 else raw
    return binascii.a2b_base64(raw + b"=" * (-len(raw) % 4))


def plain_line(text: str) -> str:
    """Returns one line without control characters or runs of spaces."""
    return " ".join(_CONTROL.sub(" ", text).split())


_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


class Address(Frozen):
    """An address in a header. `email` is empty if it is ambiguous."""

    name: str
    email: str


def addresses(value: str) -> list[Address]:
    """Returns all addresses of a header, in order. Decodes names after splitting, never before."""
    found: list[Address] = []
    item = _Item()
    for token in _TOKEN.finditer(value[:MAX_VALUE]):
        quoted, angle, separator, bracket, run, stray = token.groups()
        if bracket is not None:
            item.comment_depth = max(0, item.comment_depth + (1 if bracket == "(" else -1))
        elif item.comment_depth:
            item.comment += token[0]
        elif separator == ":":
            item = _Item()  # the name of a group
        elif separator is not None:
            found += item.addresses()
            item = _Item()
        elif angle is not None:
            item.angles.append(angle)
        elif quoted is not None:
            item.quoted = True
            item.phrase += re.sub(r"\\(.?)", r"\1", quoted)
        else:
            item.phrase += run or ""
            item.broken = item.broken or stray is not None
    return (found + item.addresses())[:MAX_ADDRESSES]


_TOKEN = re.compile(
    r'"((?:[^"\\]|\\.?)*+)(?:"|$)|<([^<>]*+)>|([,;:])|([()])|([^",;:()<>]++)|(.)', re.DOTALL
)


@dataclass(slots=True)
class _Item:
    """One address while it is being parsed."""

    phrase: str = ""
    comment: str = ""
    angles: list[str] = field(default_factory=list)
    comment_depth: int = 0
    quoted: bool = False
    broken: bool = False

    def addresses(self) -> list[Address]:
        """Returns no address, one, or one without an e-mail if it is ambiguous."""
        phrase = self.phrase.strip()
        if not phrase and not self.angles and not self.broken:
            return []
        if self.broken or len(self.angles) > 1 or (not self.angles and self.quoted):
            return [Address(decode_words(phrase), "")]
        if self.angles:
            return [Address(decode_words(phrase or self.comment), self.angles[0].strip())]
        return [Address(decode_words(self.comment), phrase)]


def message_ids(value: str, *, at_most: int) -> tuple[str, ...]:
    """Returns ids like `<x@y>` in a header; of too many, the first and the last ones."""
    found = list(dict.fromkeys(_MESSAGE_ID.findall(value[: 4 * MAX_VALUE])))
    if len(found) > at_most:
        found = [found[0], *found[1 - at_most :]] if at_most > 1 else found[:1]
    return tuple(found)


_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")


def domain_of(email: str) -> str:
    return email.rpartition("@")[2].strip("<> ").lower().rstrip(".")
