"""What a scenario is: an event, and what people, the host and bad luck do, each at its time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from frontdesk.desks.rsvp.model import Details, Settings
from frontdesk.values import Frozen, field


class Deed(Frozen):
    """Something that happens at an instant."""


class SignsUp(Deed):
    who: str
    party: int = 1


class CrowdSignsUp(Deed):
    """Strangers, at moments left to chance within `over`."""

    people: int
    over: timedelta = timedelta()


class SomeCancel(Deed):
    """Of those who are confirmed, chosen by chance."""

    guests: int


class Cancels(Deed):
    who: str


class Claims(Deed):
    who: str


class EverybodyClaims(Deed):
    """All who hold a live offer."""


class Declines(Deed):
    who: str


class StaysSilent(Deed):
    """Nothing at all: for who reads along."""

    who: str


class ComesWithFewer(Deed):
    who: str
    party: int


class SaysYes(Deed):
    """To an invitation."""

    who: str


class HostInvites(Deed):
    who: str


class HostSetsSeats(Deed):
    seats: int


class HostMoves(Deed):
    """To another start; the length stays."""

    starts_at: datetime


class HostCallsOff(Deed):
    words: str = ""


class MailServerFails(Deed):
    """Or works again."""

    down: bool


class MailBounces(Deed):
    """From now on the mail server refuses this address for good."""

    who: str


class Crashes(Deed):
    """The process ends and starts again."""


class EverythingAgain(Deed):
    """All facts are delivered to all followers once more."""


class Step(Frozen):
    line: int
    at: datetime
    deed: Deed
    text: str
    then_crashes: bool = False
    """The process ends after the commit and before anything that follows from it."""


class Scenario(Frozen):
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
