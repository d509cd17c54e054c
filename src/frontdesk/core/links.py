"""Signed links: a short token that names one person, one thing and one action, until it expires.

BadLink          forged, damaged, incomplete, or signed with a key that we no longer have
└── ExpiredLink  signed by us, but expired; has the link, so that the page can say what it was for
"""

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from struct import Struct
from typing import Final

from frontdesk.values import Frozen

TOKEN_CHARACTERS: Final = 56

#: Key id, purpose, subject, thing, expiry. With the MAC it has 42 bytes: base64 has no unused bits
#: then, so each token has one spelling.
_PAYLOAD: Final = Struct(">BB16sII")
_MAC_BYTES: Final = 16
#: Separates signatures of links from other uses of the key.
_DOMAIN: Final = b"frontdesk/link/1\x00"

#: A shorter token for SMS: the thing is two small numbers, and the link expires at the end of a
#: day. Its MAC has 88 bits; decision 19 says why that is enough.
SHORT_CHARACTERS: Final = 44
_SHORT_PAYLOAD: Final = Struct(">BB16sBBH")
_SHORT_MAC_BYTES: Final = 11
_SHORT_DOMAIN: Final = b"frontdesk/link/2\x00"
_DAY: Final = 86_400


class LinkKey(Frozen):
    id: int
    secret: bytes

    def __post_init__(self) -> None:
        if not 0 <= self.id <= 255:
            raise ValueError(f"a key id is a number from 0 to 255, not {self.id}")
        if len(self.secret) < 32:
            raise ValueError("a link key has at least 32 bytes")

    def __repr__(self) -> str:
        return f"Key(id={self.id!r})"  # without the secret


class Keys(Frozen):
    """The key that signs, and older keys whose links are still valid."""

    current: LinkKey
    old: tuple[LinkKey, ...] = ()

    def __post_init__(self) -> None:
        ids = [key.id for key in (self.current, *self.old)]
        if len(ids) != len(set(ids)):
            raise ValueError(f"each link key has an id of its own: {ids}")

    def find(self, key_id: int) -> LinkKey | None:
        return next((key for key in (self.current, *self.old) if key.id == key_id), None)


class Link(Frozen):
    """The content of a token: this subject may do this to that thing until it expires."""

    purpose: int
    subject: bytes
    thing: int
    expires_at: datetime

    def __post_init__(self) -> None:
        if not 0 <= self.purpose <= 255:
            raise ValueError(f"a purpose is a number from 0 to 255, not {self.purpose}")
        if len(self.subject) != 16:
            raise ValueError(f"a subject has 16 bytes, not {len(self.subject)}")
        if not 0 <= self.thing < 2**32:
            raise ValueError(f"a thing is an unsigned 32 bit number, not {self.thing}")
        if self.expires_at.utcoffset() is None or self.expires_at.microsecond:
            raise ValueError("a link expires at an instant of whole seconds")
        if not 0 <= self.expires_at.timestamp() < 2**32:
            raise ValueError(f"a link expires between 1970 and 2106, not {self.expires_at}")


class BadLink(Exception):
    """Forged, damaged, incomplete, or signed with a key that we no longer have."""


class ExpiredLink(BadLink):
    """Signed by us, but expired."""

    def __init__(self, link: Link) -> None:
        super().__init__(f"this link expired at {link.expires_at.isoformat()}")
        self.link: Final = link


def sign(link: Link, keys: Keys) -> str:
    """Returns the token of a link: always 56 characters that are safe in a URL."""
    payload = _PAYLOAD.pack(
        keys.current.id,
        link.purpose,
        link.subject,
        link.thing,
        int(link.expires_at.timestamp()),
    )
    return urlsafe_b64encode(payload + _mac(keys.current, payload)).decode("ascii")


def sign_short(link: Link, keys: Keys) -> str:
    """Returns a token of 44 characters, valid until the end of the day on which the link expires.

    If the thing is not two small numbers (`high << 16 | low`), the token has the usual form.
    """
    high, low = divmod(link.thing, 2**16)
    days = -(-int(link.expires_at.timestamp()) // _DAY)
    if high > 255 or low > 255 or days >= 2**16:
        return sign(link, keys)
    payload = _SHORT_PAYLOAD.pack(keys.current.id, link.purpose, link.subject, high, low, days)
    return urlsafe_b64encode(payload + _short_mac(keys.current, payload)).decode("ascii")


def read(token: str, keys: Keys, now: datetime) -> Link:
    """Returns the link in a token that we signed. Raises `BadLink` or `ExpiredLink`."""
    signed = _bytes_of(token)
    key_id, link = _short(signed) if len(token) == SHORT_CHARACTERS else _usual(signed)
    key = keys.find(key_id)
    if key is None or not _is_signed(signed, key):
        raise BadLink("this link is not one of ours")
    if now >= link.expires_at:
        raise ExpiredLink(link)
    return link


def _usual(signed: bytes) -> tuple[int, Link]:
    key_id, purpose, subject, thing, expires = _PAYLOAD.unpack_from(signed)
    return key_id, Link(purpose, subject, thing, datetime.fromtimestamp(expires, UTC))


def _short(signed: bytes) -> tuple[int, Link]:
    key_id, purpose, subject, high, low, days = _SHORT_PAYLOAD.unpack_from(signed)
    expires_at = datetime.fromtimestamp(min(days * _DAY, 2**32 - 1), UTC)
    return key_id, Link(purpose, subject, high << 16 | low, expires_at)


def _is_signed(signed: bytes, key: LinkKey) -> bool:
    """Checks the MAC. The length tells the form; each form has its own domain."""
    if len(signed) == _SHORT_PAYLOAD.size + _SHORT_MAC_BYTES:
        payload, mac = signed[: _SHORT_PAYLOAD.size], signed[_SHORT_PAYLOAD.size :]
        return hmac.compare_digest(mac, _short_mac(key, payload))
    payload, mac = signed[: _PAYLOAD.size], signed[_PAYLOAD.size :]
    return hmac.compare_digest(mac, _mac(key, payload))


def purpose_in(token: str) -> int | None:
    """Returns the purpose in a token without a check of its signature; None if it is malformed.

    Use it only to find the page that reads the token.
    """
    try:
        return _bytes_of(token)[1]
    except BadLink:
        return None


def _bytes_of(token: str) -> bytes:
    """Decodes a token. Raises `BadLink` unless it has the one valid spelling."""
    try:
        signed = urlsafe_b64decode(token)
    except (ValueError, binascii.Error):
        signed = b""
    is_long_enough = len(token) in (TOKEN_CHARACTERS, SHORT_CHARACTERS)
    if not is_long_enough or urlsafe_b64encode(signed).decode("ascii") != token:
        raise BadLink("this link is incomplete or has been changed")
    return signed


def _short_mac(key: LinkKey, payload: bytes) -> bytes:
    return hmac.digest(key.secret, _SHORT_DOMAIN + payload, "sha256")[:_SHORT_MAC_BYTES]


def _mac(key: LinkKey, payload: bytes) -> bytes:
    return hmac.digest(key.secret, _DOMAIN + payload, "sha256")[:_MAC_BYTES]
