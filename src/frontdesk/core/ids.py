"""Ids as people meet them: 16 bytes in 26 characters, easy to read aloud, sorted like the bytes."""

from typing import Final

ID_BYTES: Final = 16
ID_CHARACTERS: Final = 26

#: Crockford's base 32, lower case: no i, l, o or u.
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_VALUES: Final = {character: value for value, character in enumerate(_ALPHABET)}


class BadId(ValueError):
    """This text is not an id."""


def new_id(random: bytes) -> str:
    """Sixteen random bytes, which the caller brings along, as an id."""
    if len(random) != ID_BYTES:
        raise ValueError(f"an id is made of {ID_BYTES} bytes, not {len(random)}")
    number = int.from_bytes(random, "big")
    places = range(5 * (ID_CHARACTERS - 1), -1, -5)
    return "".join(_ALPHABET[(number >> place) & 31] for place in places)


def id_bytes(text: str) -> bytes:
    """The bytes of an id. Each id has one spelling only; any other is refused."""
    if not is_id(text):
        raise BadId("this is not an id")
    number = 0
    for character in text:
        number = number << 5 | _VALUES[character]
    return number.to_bytes(ID_BYTES, "big")


def is_id(text: str) -> bool:
    """26 characters hold two bits more than 16 bytes: the first is at most 7."""
    return (
        len(text) == ID_CHARACTERS
        and text[0] in _ALPHABET[:8]
        and all(character in _VALUES for character in text)
    )
