"""The input and output of a reader: the context, and proposed values with their confidence."""

from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import Final, Generic, Protocol, TypeVar
from zoneinfo import ZoneInfo

from frontdesk.values import Frozen

#: Text after this limit is not read.
MOST_CHARACTERS: Final = 16_384

Value = TypeVar("Value", str, int, date)


class BadDocument(ValueError):
    """A document cannot be read; the text explains it to staff."""


class Confidence(StrEnum):
    """The certainty of a value: `CONFIDENT` ones need no check; a person checks the others."""

    CONFIDENT = "confident"
    LIKELY = "likely"
    UNSURE = "unsure"


def least(*confidences: Confidence) -> Confidence:
    return max(confidences, key=list(Confidence).index)


class Words(Frozen):
    """A piece of the text, and its position."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Field(Frozen, Generic[Value]):
    """A proposed value, and the words that it comes from."""

    value: Value
    confidence: Confidence
    words: Words


class ServiceNames(Frozen):
    """A service with the other names that people use for it."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


class Context(Frozen):
    """The context of a request. `today` is the date of the business, in its time zone."""

    today: date
    zone: ZoneInfo
    country: str
    """Two letters: the country for phone numbers without a prefix, and for dates like 03/04."""
    services: tuple[ServiceNames, ...] = ()
    staff: tuple[str, ...] = ()
    own_addresses: frozenset[str] = frozenset()
    """Mail from these addresses is ours, and never a request."""


class ReadFields(Frozen):
    """The fields that were found; a field that the text does not mention is None."""

    name: Field[str] | None = None
    phone: Field[str] | None = None
    email: Field[str] | None = None
    service: Field[str] | None = None
    party: Field[int] | None = None
    earliest_on: Field[date] | None = None
    latest_on: Field[date] | None = None
    staff: Field[str] | None = None
    asides: tuple[Words, ...] = ()
    """Words for staff that fit no field: 'afternoon', 'except Wednesday', 'Tuesdays'."""


class PictureReader(Protocol):
    """Recognises text in pictures."""

    def text_of(self, picture: bytes) -> str:
        """Returns the text line by line; raises `BadDocument`."""
        ...


class Reader(Protocol):
    """Reads a request: by rules, or with a model whose answer is checked."""

    def read(self, text: str, context: Context) -> ReadFields: ...


def in_order(words: Iterable[Words]) -> tuple[Words, ...]:
    return tuple(sorted(set(words), key=lambda each: (each.start, each.text)))
