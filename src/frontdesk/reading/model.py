"""What a reader is told, and what it proposes: a value, how sure it is, and the words for it."""

from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import Final, Generic, Protocol, TypeVar
from zoneinfo import ZoneInfo

from frontdesk.values import Frozen

#: What stands behind it is not read.
MOST_CHARACTERS: Final = 16_384

Value = TypeVar("Value", str, int, date)


class BadDocument(ValueError):
    """A document cannot be read; the text says why, to staff."""


class Confidence(StrEnum):
    """`CONFIDENT` may be taken as it is; the others are for a person to look at."""

    CONFIDENT = "confident"
    LIKELY = "likely"
    UNSURE = "unsure"


def least(*confidences: Confidence) -> Confidence:
    return max(confidences, key=list(Confidence).index)


class Words(Frozen):
    """A piece of the text that was read, and where it begins there."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Field(Frozen, Generic[Value]):
    """A proposed value, and the words that say so."""

    value: Value
    confidence: Confidence
    words: Words


class Service(Frozen):
    """Something that can be asked for, and what else people call it."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


class Context(Frozen):
    """What must be known to understand a request. `today` is that of the business, in its zone."""

    today: date
    zone: ZoneInfo
    country: str
    """Two letters: how phone numbers without a country, and dates like 03/04, are read."""
    services: tuple[Service, ...] = ()
    staff: tuple[str, ...] = ()
    own_addresses: frozenset[str] = frozenset()
    """Mail from these is ours: what it says is nobody's request."""


class Proposal(Frozen):
    """What was found; a field that the text does not speak of is None."""

    name: Field[str] | None = None
    phone: Field[str] | None = None
    email: Field[str] | None = None
    service: Field[str] | None = None
    party: Field[int] | None = None
    earliest_on: Field[date] | None = None
    latest_on: Field[date] | None = None
    staff: Field[str] | None = None
    asides: tuple[Words, ...] = ()
    """What has no field and staff should see: 'afternoon', 'except Wednesday', 'Tuesdays'."""


class PictureReader(Protocol):
    """Whatever can see the words in a picture."""

    def text_of(self, picture: bytes) -> str:
        """Line by line; raises `BadDocument`."""
        ...


class Reader(Protocol):
    """Whatever can read a request: our rules, or a model whose answer was checked."""

    def read(self, text: str, context: Context) -> Proposal: ...


def in_order(words: Iterable[Words]) -> tuple[Words, ...]:
    return tuple(sorted(set(words), key=lambda each: (each.start, each.text)))
