"""Defines a scenario of bookings: a business with its rules, and timed actions."""

from __future__ import annotations

from datetime import date, datetime

from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.simulate.scenario import PersonAction, TimelineScenario
from frontdesk.values import Frozen


class SimulatedBusiness(Frozen):
    """The business and its rules."""

    name: str
    zone: str
    text: str
    """The text of `rules.yml`."""
    rules: BookingRules


# --- actions ----------------------------------------------------------------------------------


class Books(PersonAction):
    """Somebody books on the page, or staff book for them on the phone."""

    service: str
    starts_at: datetime
    resource: ResourceId = ResourceId("")
    """Empty: anyone."""
    party: int = 1
    by_staff: bool = False


class Moves(PersonAction):
    starts_at: datetime
    by_staff: bool = False


class Cancels(PersonAction):
    by_staff: bool = False


class Misses(PersonAction):
    """The customer does not come, and staff note it."""


class Decides(PersonAction):
    """Staff approve or decline a pending booking."""

    approve: bool


class JoinsWaitlist(PersonAction):
    service: str
    earliest_on: date
    latest_on: date


class Claims(PersonAction):
    """Claims the last offer of the waitlist."""


# --- scenarios --------------------------------------------------------------------------------


class Week(TimelineScenario):
    place: SimulatedBusiness
