"""Signs tokens with the key of a Google service account (RS256: RSASSA-PKCS1-v1_5 with SHA-256).

It only signs, once an hour, and nobody can measure its time, so a library of 16 MB is not worth it.
A bug here grants no access: Google would reject the token.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
from collections.abc import Iterator
from typing import Final

from frontdesk.values import Frozen

#: The DER prefix of a SHA-256 digest.
_SHA256: Final = bytes.fromhex("3031300d060960864801650304020105000420")
_SEQUENCE: Final = 0x30
_INTEGER: Final = 0x02
_OCTETS: Final = 0x04
_LEAST_BITS: Final = 2048


class BadKey(ValueError):
    """The text is not a private RSA key in PEM."""


class RsaKey(Frozen):
    """The modulus, the public and the private exponent."""

    n: int
    e: int
    d: int

    def __repr__(self) -> str:
        return "RsaKey()"

    def sign(self, message: bytes) -> bytes:
        """Signs with blinding, so that the time reveals nothing of the key; verifies the result."""
        size = (self.n.bit_length() + 7) // 8
        digest = _SHA256 + hashlib.sha256(message).digest()
        padded = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
        number = int.from_bytes(padded, "big")
        blind = secrets.randbelow(self.n - 2) + 2
        hidden = pow(number * pow(blind, self.e, self.n) % self.n, self.d, self.n)
        signed = hidden * pow(blind, -1, self.n) % self.n
        assert pow(signed, self.e, self.n) == number, "the key is not what it says"
        return signed.to_bytes(size, "big")


def read_key(pem: str) -> RsaKey:
    """Parses 'BEGIN PRIVATE KEY' (PKCS #8), the format of Google's keys."""
    lines = [line.strip() for line in pem.strip().splitlines()]
    if lines[:1] != ["-----BEGIN PRIVATE KEY-----"] or lines[-1] != "-----END PRIVATE KEY-----":
        raise BadKey("the key does not begin with 'BEGIN PRIVATE KEY'")
    try:
        outer = base64.b64decode("".join(lines[1:-1]), validate=True)
        _version, _algorithm, (kind, inner) = list(_items(_content(outer, _SEQUENCE)))[:3]
        numbers = list(_items(_content(inner, _SEQUENCE))) if kind == _OCTETS else []
        _zero, n, e, d, *_ = (_number(item) for item in numbers)
    except (ValueError, IndexError, binascii.Error):
        raise BadKey("the key cannot be read") from None
    if n.bit_length() < _LEAST_BITS:
        raise BadKey("the key is too short")
    return RsaKey(n, e, d)


def _content(der: bytes, kind: int) -> bytes:
    ((found, content),) = _items(der)
    if found != kind:
        raise ValueError
    return content


def _items(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields (kind, content) of each value in sequence."""
    at = 0
    while at < len(der):
        kind, length, at = der[at], der[at + 1], at + 2
        if length >= 0x80:
            size = length - 0x80
            length, at = int.from_bytes(der[at : at + size], "big"), at + size
        content = der[at : at + length]
        if len(content) != length:
            raise ValueError
        yield kind, content
        at += length


def _number(item: tuple[int, bytes]) -> int:
    kind, content = item
    if kind != _INTEGER:
        raise ValueError
    return int.from_bytes(content, "big")
