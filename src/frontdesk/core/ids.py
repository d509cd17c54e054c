"""Writes 16 bytes as an id of 26 characters that is easy to read aloud and sorts like the bytes."""

from base64 import b32encode
from typing import Final

ID_BYTES: Final = 16
ID_CHARACTERS: Final = 26

#: Crockford's base 32, lower case: no i, l, o or u.
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
#: `b32encode` encodes groups of five bytes. The characters of the padding are cut off.
_PADDED_BYTES: Final = 20
_PADDING_BITS: Final = 8 * _PADDED_BYTES - 5 * ID_CHARACTERS
_TO_OURS: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET.encode())
_VALUES: Final = {character: value for value, character in enumerate(_ALPHABET)}


class BadId(ValueError):
    """This text is not an id."""


def new_id(random: bytes) -> str:
    """Returns the id of sixteen random bytes, which the caller provides."""
    if len(random) != ID_BYTES:
        raise ValueError(f"an id is made of {ID_BYTES} bytes, not {len(random)}")
    padded = (int.from_bytes(random, "big") << _PADDING_BITS).to_bytes(_PADDED_BYTES, "big")
    return b32encode(padded)[:ID_CHARACTERS].translate(_TO_OURS).decode()


def id_bytes(text: str) -> bytes:
    """Returns the bytes of an id. Each id has one spelling only; any other is refused."""
    if not is_id(text):
        raise BadId("this is not an id")
    number = 0
    for character in text:
        number = number << 5 | _VALUES[character]
    return number.to_bytes(ID_BYTES, "big")


def is_id(text: str) -> bool:
    """Whether this is an id. 26 characters hold two bits more than 16 bytes: the first is <= 7."""
    return (
        len(text) == ID_CHARACTERS
        and text[0] in _ALPHABET[:8]
        and all(character in _VALUES for character in text)
    )
