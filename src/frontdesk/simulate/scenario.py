"""What a scenario is: an event, and what people, the host and bad luck do, each at its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from frontdesk.desks.rsvp.model import Details, Settings


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that happens at an instant."""


@dataclass(frozen=True, slots=True)
class SignsUp(Deed):
    who: str
    party: int = 1


@dataclass(frozen=True, slots=True)
class CrowdSignsUp(Deed):
    """Strangers, at moments left to chance within `over`."""

    people: int
    over: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class SomeCancel(Deed):
    """Of those who are confirmed, chosen by chance."""

    guests: int


@dataclass(frozen=True, slots=True)
class Cancels(Deed):
    who: str


@dataclass(frozen=True, slots=True)
class Claims(Deed):
    who: str


@dataclass(frozen=True, slots=True)
class EverybodyClaims(Deed):
    """All who hold a live offer."""


@dataclass(frozen=True, slots=True)
class Declines(Deed):
    who: str


@dataclass(frozen=True, slots=True)
class StaysSilent(Deed):
    """Nothing at all: for who reads along."""

    who: str


@dataclass(frozen=True, slots=True)
class ComesWithFewer(Deed):
    who: str
    party: int


@dataclass(frozen=True, slots=True)
class SaysYes(Deed):
    """To an invitation."""

    who: str


@dataclass(frozen=True, slots=True)
class HostInvites(Deed):
    who: str


@dataclass(frozen=True, slots=True)
class HostSetsSeats(Deed):
    seats: int


@dataclass(frozen=True, slots=True)
class HostMoves(Deed):
    """To another start; the length stays."""

    starts_at: datetime


@dataclass(frozen=True, slots=True)
class HostCallsOff(Deed):
    words: str = ""


@dataclass(frozen=True, slots=True)
class MailServerFails(Deed):
    """Or works again."""

    down: bool


@dataclass(frozen=True, slots=True)
class MailBounces(Deed):
    """From now on the mail server refuses this address for good."""

    who: str


@dataclass(frozen=True, slots=True)
class Crashes(Deed):
    """The process ends and starts again."""


@dataclass(frozen=True, slots=True)
class EverythingAgain(Deed):
    """All facts are delivered to all followers once more."""


@dataclass(frozen=True, slots=True)
class Step:
    line: int
    at: datetime
    deed: Deed
    text: str
    then_crashes: bool = False
    """The process ends after the commit and before anything that follows from it."""


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    about: str
    details: Details
    seats: int
    settings: Settings
    begins_at: datetime
    ends_at: datetime
    steps: tuple[Step, ...]
    expects: Mapping[str, int] = field(default_factory=dict)
    """Figures at the end, by name."""
    expects_of: Mapping[str, str] = field(default_factory=dict)
    """Where people stand at the end, by name."""

    @property
    def mail_may_fail(self) -> bool:
        return any(isinstance(step.deed, MailServerFails | MailBounces) for step in self.steps)
