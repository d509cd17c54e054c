"""What a scenario is: an event, and what people, the host and bad luck do, each at its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta

from frontdesk.desks.rsvp.model import Details, Settings
from frontdesk.frozen import frozen


@frozen
class Deed:
    """Something that happens at an instant."""


@frozen
class SignsUp(Deed):
    who: str
    party: int = 1


@frozen
class CrowdSignsUp(Deed):
    """Strangers, at moments left to chance within `over`."""

    people: int
    over: timedelta = timedelta()


@frozen
class SomeCancel(Deed):
    """Of those who are confirmed, chosen by chance."""

    guests: int


@frozen
class Cancels(Deed):
    who: str


@frozen
class Claims(Deed):
    who: str


@frozen
class EverybodyClaims(Deed):
    """All who hold a live offer."""


@frozen
class Declines(Deed):
    who: str


@frozen
class StaysSilent(Deed):
    """Nothing at all: for who reads along."""

    who: str


@frozen
class ComesWithFewer(Deed):
    who: str
    party: int


@frozen
class SaysYes(Deed):
    """To an invitation."""

    who: str


@frozen
class HostInvites(Deed):
    who: str


@frozen
class HostSetsSeats(Deed):
    seats: int


@frozen
class HostMoves(Deed):
    """To another start; the length stays."""

    starts_at: datetime


@frozen
class HostCallsOff(Deed):
    words: str = ""


@frozen
class MailServerFails(Deed):
    """Or works again."""

    down: bool


@frozen
class MailBounces(Deed):
    """From now on the mail server refuses this address for good."""

    who: str


@frozen
class Crashes(Deed):
    """The process ends and starts again."""


@frozen
class EverythingAgain(Deed):
    """All facts are delivered to all followers once more."""


@frozen
class Step:
    line: int
    at: datetime
    deed: Deed
    text: str
    then_crashes: bool = False
    """The process ends after the commit and before anything that follows from it."""


@frozen
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
