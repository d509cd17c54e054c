"""Defines a scenario of the waitlist: a shop, its list, and timed actions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen, field


class Place(Frozen):
    """The shop and its rules."""

    name: str
    zone: str
    catalogue: Catalogue
    rules: str = ""
    """The text of the rules document; empty for the default rules."""


class Guest(Frozen):
    """Somebody on the list. People without a number get mail."""

    name: str
    service: str
    earliest_on: date
    latest_on: date
    staff: str = ""
    party: int = 1
    priority: bool = False
    by_text: bool = True
    joined_at: datetime | None = None


# --- actions ----------------------------------------------------------------------------------


class Deed(Frozen):
    """An action or fault at an instant."""


class Cause(StrEnum):
    """The reason why a slot comes free; its origin begins with it."""

    CANCELLED = "webhook"
    MISSED = "no-show"
    NEW = "opening"


class ComesFree(Deed):
    service: str
    starts_at: datetime
    staff: str = ""
    places: int = 1
    cause: Cause = Cause.CANCELLED


class TakesBack(Deed):
    """Staff take a slot back; `at` is its start as wall time, '14:00'."""

    at: str


class Joins(Deed):
    guest: Guest

    @property
    def who(self) -> str:
        return self.guest.name


class PersonDeed(Deed):
    who: str


class Leaves(PersonDeed):
    pass


class Texts(PersonDeed):
    words: str


class ChangesDates(PersonDeed):
    earliest_on: date
    latest_on: date


class Answer(PersonDeed):
    """Answers their last offer, or the last one for a slot with this start as wall time."""

    at: str = ""


class Claims(Answer):
    pass


class Declines(Answer):
    leave: bool = False


class StaysSilent(PersonDeed):
    """Does nothing; for the reader of the scenario."""


class Fails(Deed):
    """The mail server or the phone network fails or recovers."""

    texts: bool
    down: bool


class Refuses(PersonDeed):
    """From now on mail or texts to this person are rejected."""

    texts: bool


class Loses(PersonDeed):
    """From now on the outcome of texts to this person is unknown."""


class Crashes(Deed):
    """The process ends and restarts."""


class CrashesTexting(PersonDeed):
    """The process crashes during the next text to this person."""


class EverythingAgain(Deed):
    """All facts are delivered to all followers again."""


#: After these, a message may fail.
BAD_LUCK = (Fails, Refuses, Loses, CrashesTexting)


# --- scenarios --------------------------------------------------------------------------------


class Step(Frozen):
    line: int
    at: datetime
    deed: Deed
    text: str
    then_crashes: bool = False
    """The process crashes right after the commit, before its followers run."""


class Day(Frozen):
    name: str
    about: str
    place: Place
    guests: tuple[Guest, ...]
    begins_at: datetime
    ends_at: datetime
    steps: tuple[Step, ...]
    expects: Mapping[str, int] = field(default_factory=dict)
    """Expected totals at the end, by name."""
    expects_of: Mapping[str, str] = field(default_factory=dict)
    """Expected states of people at the end, by name."""

    @property
    def may_fail(self) -> bool:
        return any(isinstance(step.deed, BAD_LUCK) for step in self.steps)


class Month(Frozen):
    """A random month with these numbers. Shares are percentages."""

    name: str
    about: str
    place: Place
    begins_on: date
    days: int = 30
    people: int = 2_000
    slots: int = 600
    claims: int = 45
    """Of those who get an offer. The rest after `claims` and `declines` does not answer."""
    declines: int = 20
    changes: int = 10
    """Of all people: those who change their dates."""
    leaves: int = 4
    stops: int = 2
    faults: int = 10
    """Periods in which mail or texts fail."""
    crashes: int = 10
