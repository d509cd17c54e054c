"""Defines a scenario: an event, and timed actions of people, the host and the environment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from frontdesk.desks.rsvp.model import Details, Settings
from frontdesk.values import Frozen, field


class Deed(Frozen):
    """An action or fault at an instant."""


class SignsUp(Deed):
    who: str
    party: int = 1


class CrowdSignsUp(Deed):
    """Strangers sign up at random moments within `over`."""

    people: int
    over: timedelta = timedelta()


class SomeCancel(Deed):
    """Confirmed guests, chosen at random, cancel."""

    guests: int


class Cancels(Deed):
    who: str


class Claims(Deed):
    who: str


class EverybodyClaims(Deed):
    """Everybody with a live offer claims it."""


class Declines(Deed):
    who: str


class StaysSilent(Deed):
    """Does nothing; for the reader of the scenario."""

    who: str


class ComesWithFewer(Deed):
    who: str
    party: int


class SaysYes(Deed):
    """Somebody accepts an invitation."""

    who: str


class HostInvites(Deed):
    who: str


class HostSetsSeats(Deed):
    seats: int


class HostMoves(Deed):
    """The host moves the event to another start; its length stays."""

    starts_at: datetime


class HostCallsOff(Deed):
    words: str = ""


class MailServerFails(Deed):
    """The mail server fails or recovers."""

    down: bool


class MailBounces(Deed):
    """From now on the mail server rejects this address permanently."""

    who: str


class Crashes(Deed):
    """The process ends and restarts."""


class EverythingAgain(Deed):
    """All facts are delivered to all followers again."""


class Step(Frozen):
    line: int
    at: datetime
    deed: Deed
    text: str
    then_crashes: bool = False
    """The process crashes right after the commit, before its followers run."""


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
    """Expected totals at the end, by name."""
    expects_of: Mapping[str, str] = field(default_factory=dict)
    """Expected states of people at the end, by name."""

    @property
    def mail_may_fail(self) -> bool:
        return any(isinstance(step.deed, MailServerFails | MailBounces) for step in self.steps)
