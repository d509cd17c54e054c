"""What a day at the waitlist is: a shop, its list, and what happens, each at its time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen, field


class Place(Frozen):
    """Where it happens, and by which rules."""

    name: str
    zone: str
    catalogue: Catalogue
    rules: str = ""
    """As staff would write them; as usual if empty."""


class Guest(Frozen):
    """Somebody on the list. Who has no number is told by mail."""

    name: str
    service: str
    earliest_on: date
    latest_on: date
    staff: str = ""
    party: int = 1
    priority: bool = False
    by_text: bool = True
    joined_at: datetime | None = None


# --- deeds ------------------------------------------------------------------------------------


class Deed(Frozen):
    """Something that happens at an instant."""


class Cause(StrEnum):
    """Why a slot comes free; origins begin with it."""

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
    """Staff want a slot themselves; `at` is its start on the wall clock, '14:00'."""

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
    """To their last offer, or the last one that starts at this time on the wall clock."""

    at: str = ""


class Claims(Answer):
    pass


class Declines(Answer):
    leave: bool = False


class StaysSilent(PersonDeed):
    """Nothing at all: for who reads along."""


class Fails(Deed):
    """The mail server, or the phone network, goes down or comes back."""

    texts: bool
    down: bool


class Refuses(PersonDeed):
    """From now on no mail, or no text, is taken for them."""

    texts: bool


class Loses(PersonDeed):
    """From now on nobody can tell whether texts reach them."""


class Crashes(Deed):
    """The process ends and starts again."""


class CrashesTexting(PersonDeed):
    """While the next text to them is handed over."""


class EverythingAgain(Deed):
    """All facts are delivered to all followers once more."""


#: After these, a message may not go out.
BAD_LUCK = (Fails, Refuses, Loses, CrashesTexting)


# --- the whole --------------------------------------------------------------------------------


class Step(Frozen):
    line: int
    at: datetime
    deed: Deed
    text: str
    then_crashes: bool = False
    """The process ends after the commit and before anything that follows from it."""


class Day(Frozen):
    name: str
    about: str
    place: Place
    guests: tuple[Guest, ...]
    begins_at: datetime
    ends_at: datetime
    steps: tuple[Step, ...]
    expects: Mapping[str, int] = field(default_factory=dict)
    """Figures at the end, by name."""
    expects_of: Mapping[str, str] = field(default_factory=dict)
    """Where people stand at the end, by name."""

    @property
    def may_fail(self) -> bool:
        return any(isinstance(step.deed, BAD_LUCK) for step in self.steps)


class Month(Frozen):
    """Left to chance, with these numbers. Shares are per cent."""

    name: str
    about: str
    place: Place
    begins_on: date
    days: int = 30
    people: int = 2_000
    slots: int = 600
    claims: int = 45
    """Of those who get an offer; the rest does not answer."""
    declines: int = 20
    changes: int = 10
    """Of all people: other dates."""
    leaves: int = 4
    stops: int = 2
    faults: int = 10
    """Stretches in which mail or texts do not work."""
    crashes: int = 10
