"""Writes 16 bytes as an id of 26 characters that is easy to read aloud and sorts like the bytes."""

import re
from typing import Final

ID_BYTES: Final = 16
ID_CHARACTERS: Final = 26

#: Crockford's base 32, lower case: no i, l, o or u.
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
#: All pairs of characters; an id is thirteen of them, with ten bits each.
_PAIRS: Final = [first + second for first in _ALPHABET for second in _ALPHABET]
_SHIFTS: Final = range(5 * ID_CHARACTERS - 10, -1, -10)
#: The digits that `int` reads in base 32.
_TO_DIGITS: Final = bytes.maketrans(_ALPHABET.encode(), b"0123456789abcdefghijklmnopqrstuv")
#: 26 characters hold two bits more than 16 bytes: the first is <= 7.
_ID: Final = re.compile(f"[0-7][{_ALPHABET}]{{{ID_CHARACTERS - 1}}}")


class BadId(ValueError):
    """This text is not an id."""


def new_id(random: bytes) -> str:
    """Returns the id of sixteen random bytes, which the caller provides."""
    if len(random) != ID_BYTES:
        raise ValueError(f"an id is made of {ID_BYTES} bytes, not {len(random)}")
    number = int.from_bytes(random, "big")
    return "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


def id_bytes(text: str) -> bytes:
    """Returns the bytes of an id. Each id has one spelling only; any other is refused."""
    if not is_id(text):
        raise BadId("this is not an id")
    return int(text.encode().translate(_TO_DIGITS), 32).to_bytes(ID_BYTES, "big")


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None
