"""Signed links: a short token that names one person, one thing and one action, until it expires.

BadLink          forged, garbled, cut short, or signed with a key that we no longer have
└── ExpiredLink  ours, but too late; carries the link, so that the page can say what was meant
"""

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import field
from datetime import UTC, datetime
from struct import Struct
from typing import Final

from frontdesk.frozen import frozen

TOKEN_CHARACTERS: Final = 56

#: Key id, purpose, subject, thing, expiry. With the MAC 42 bytes: base64 without a bit to spare,
#: so that no two texts stand for the same token.
_PAYLOAD: Final = Struct(">BB16sII")
_MAC_BYTES: Final = 16
#: Keeps a signature made for a link from meaning anything elsewhere.
_DOMAIN: Final = b"frontdesk/link/1\x00"


@frozen
class Key:
    id: int
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.id <= 255:
            raise ValueError(f"a key id is a number from 0 to 255, not {self.id}")
        if len(self.secret) < 32:
            raise ValueError("a link key has at least 32 bytes")


@frozen
class Keys:
    """The key that signs, and older ones whose links still work."""

    current: Key
    old: tuple[Key, ...] = ()

    def __post_init__(self) -> None:
        ids = [key.id for key in (self.current, *self.old)]
        if len(ids) != len(set(ids)):
            raise ValueError(f"each link key has an id of its own: {ids}")

    def find(self, key_id: int) -> Key | None:
        return next((key for key in (self.current, *self.old) if key.id == key_id), None)


@frozen
class Link:
    """What a token says: this subject may do this to that thing, before it expires."""

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
    """Forged, garbled, cut short, or signed with a key that we no longer have."""


class ExpiredLink(BadLink):
    """Ours, but too late."""

    def __init__(self, link: Link) -> None:
        super().__init__(f"this link expired at {link.expires_at.isoformat()}")
        self.link: Final = link


def sign(link: Link, keys: Keys) -> str:
    """The token of a link: always 56 characters that any address can hold."""
    payload = _PAYLOAD.pack(
        keys.current.id,
        link.purpose,
        link.subject,
        link.thing,
        int(link.expires_at.timestamp()),
    )
    return urlsafe_b64encode(payload + _mac(keys.current, payload)).decode("ascii")


def read(token: str, keys: Keys, now: datetime) -> Link:
    """The link in a token that we signed; dead from its expiry on."""
    signed = _bytes_of(token)
    payload, mac = signed[: _PAYLOAD.size], signed[_PAYLOAD.size :]
    key_id, purpose, subject, thing, expires = _PAYLOAD.unpack(payload)
    key = keys.find(key_id)
    if key is None or not hmac.compare_digest(mac, _mac(key, payload)):
        raise BadLink("this link is not one of ours")
    link = Link(purpose, subject, thing, datetime.fromtimestamp(expires, UTC))
    if now >= link.expires_at:
        raise ExpiredLink(link)
    return link


def purpose_in(token: str) -> int | None:
    """What a token says that it is for, whoever wrote it; nothing if it is none.

    Good for knowing where it can be read, and for nothing else.
    """
    try:
        _key_id, purpose, *_rest = _PAYLOAD.unpack_from(_bytes_of(token))
    except BadLink:
        return None
    return int(purpose)


def _bytes_of(token: str) -> bytes:
    """The bytes behind a token, if it is spelled in the one way that we spell it."""
    try:
        signed = urlsafe_b64decode(token)
    except (ValueError, binascii.Error):
        signed = b""
    if urlsafe_b64encode(signed).decode("ascii") != token or len(token) != TOKEN_CHARACTERS:
        raise BadLink("this link is incomplete or has been changed")
    return signed


def _mac(key: Key, payload: bytes) -> bytes:
    return hmac.digest(key.secret, _DOMAIN + payload, "sha256")[:_MAC_BYTES]
