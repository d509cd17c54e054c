"""Defines a year of a clinic: its rules, and the shares of what its patients do."""

from __future__ import annotations

from datetime import date

from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.simulate.scenario import Scenario
from frontdesk.values import Frozen


class Clinic(Frozen):
    """The clinic and its rules."""

    name: str
    zone: str
    rules_text: str
    """The text of `rules.yml`."""
    rules: BookingRules
    reminders_text: str
    """The text of `reminders.yml`."""
    reminders: ReminderRules


class ClinicYear(Scenario):
    """A random year with these numbers. Shares are percentages."""

    place: Clinic
    begins_on: date
    days: int = 364
    appointments: int = 12_000
    patients: int = 3_000
    waiting: int = 2_000
    """The number of patients who join the waitlist."""
    cancels: int = 15
    """Of all visits, by a reminder, on the page of the booking, or by staff on the phone."""
    moves: int = 4
    no_shows: int = 3
    confirms: int = 70
    """Of the patients who get a reminder and come."""
    claims: int = 45
    """Of the patients who get an offer. The rest after `claims` and `declines` does not answer."""
    declines: int = 20
    texts: int = 50
    """Of all patients: those with a mobile number."""
    faults: int = 40
    """Periods in which mail or texts fail."""
    crashes: int = 12
    texts_usd: int = 1_000
    """The monthly limit on what texts may cost."""
