"""Reads what mail headers mean: encoded words, addresses, message ids."""

import binascii
import re
from dataclasses import dataclass

from frontdesk.connect.mime_parts import decode

MAX_VALUE = 10_000
MAX_ADDRESSES = 100


def decode_words(value: str) -> str:
    """A header's text with its encoded words read and its spaces made single."""
    value = _BETWEEN_WORDS.sub(r"\1", value[:MAX_VALUE])
    out: list[str] = []
    run = b""  # one character may be split over neighbouring words of one charset
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


_ENCODED_WORD = re.compile(r"=\?([A-Za-z0-9_.:-]{1,40})(?:\*[A-Za-z0-9-]{0,20})?\?([bBqQ])\?([^?\s]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t]+(?==\?)")


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(raw, header=True)
    raw = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    raw = raw[:-1] if len(raw) % 4 == 1 else raw
    return binascii.a2b_base64(raw + b"=" * (-len(raw) % 4))


def plain_line(text: str) -> str:
    """One line without control characters and without runs of spaces."""
    return " ".join(_CONTROL.sub(" ", text).split())


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Address:
    """An address in a header. The e-mail is empty if there is no sound one."""

    name: str
    email: str


def addresses(value: str) -> list[Address]:
    """All addresses of a header, in order. Names are decoded after splitting, never before."""
    return [
        _address(item) for item in _items(value[:MAX_VALUE])[:MAX_ADDRESSES] if any(item) 
    ]


@dataclass(slots=True)
class _Item:
    """The characters of one address while it is being read."""

    phrase: list[str]
    angle: list[str]
    comment: list[str]
    angles: int = 0


def _items(value: str) -> list[_Item]:
    raise NotImplementedError


def domain_of(email: str) -> str:
    return email.rpartition("@")[2].lower().rstrip(".")
