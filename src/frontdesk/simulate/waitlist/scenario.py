"""Defines a scenario of the waitlist: a shop, its list, and timed actions."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from frontdesk.features.catalogue.model import Catalogue
from frontdesk.simulate.scenario import PersonAction, Scenario, ScenarioAction, TimelineScenario
from frontdesk.values import Frozen


class Shop(Frozen):
    """The shop and its rules."""

    name: str
    zone: str
    catalogue: Catalogue
    rules: str = ""
    """The text of the rules document; empty for the default rules."""


class Customer(Frozen):
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


class FreedBy(StrEnum):
    """The reason why a slot comes free; its origin begins with it."""

    CANCELLED = "webhook"
    MISSED = "no-show"
    NEW = "opening"


class ComesFree(ScenarioAction):
    service: str
    starts_at: datetime
    staff: str = ""
    places: int = 1
    cause: FreedBy = FreedBy.CANCELLED


class TakesBack(ScenarioAction):
    """Staff take a slot back; `at` is its start as wall time, '14:00'."""

    at: str


class Joins(ScenarioAction):
    guest: Customer

    @property
    def who(self) -> str:
        return self.guest.name


class Leaves(PersonAction):
    pass


class Texts(PersonAction):
    words: str


class ChangesDates(PersonAction):
    earliest_on: date
    latest_on: date


class OfferAnswer(PersonAction):
    """Answers their last offer, or the last one for a slot with this start as wall time."""

    at: str = ""


class Claims(OfferAnswer):
    pass


class Declines(OfferAnswer):
    leave: bool = False


class TextsFail(ScenarioAction):
    """The phone network fails or recovers."""

    down: bool


class TextsRefused(PersonAction):
    """From now on texts to this person are rejected."""


class TextsLost(PersonAction):
    """From now on the outcome of texts to this person is unknown."""


class CrashesTexting(PersonAction):
    """The process crashes during the next text to this person."""


#: After these, a text may fail.
TEXT_FAULTS = (TextsFail, TextsRefused, TextsLost, CrashesTexting)


# --- scenarios --------------------------------------------------------------------------------


class Day(TimelineScenario):
    place: Shop
    guests: tuple[Customer, ...]


class Month(Scenario):
    """A random month with these numbers. Shares are percentages."""

    place: Shop
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
