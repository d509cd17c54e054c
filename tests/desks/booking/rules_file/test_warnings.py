"""Warnings about services that can never be booked."""

from __future__ import annotations

import pytest

from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.desks.booking.rules_file.reference import EXAMPLE
from frontdesk.desks.booking.rules_file.warnings import warnings_of

HOURS = "hours: {mon-fri: 9:00-17:00}\n"
MIRA = "staff: {mira: {name: Mira}}\n"
DAY = "services: {Day: {minutes: 10 hours}}\n"


def warnings(text: str) -> list[str]:
    rules = parse_rules(text).rules
    assert rules is not None
    return [str(each) for each in warnings_of(rules)]


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HOURS + MIRA + DAY, "it takes 10 hours, and Mira has at most 8 hours without a break"),
        (
            HOURS + "staff: {mira: {name: Mira, breaks: {daily: 12:00-13:00}}, jo: {name: Jo}}\n"
            "services: {Day: {minutes: 5 hours, staff: [mira], buffer: {after: 4 hours}}}\n",
            "it takes 5 hours, and Mira has at most 4 hours without a break",
        ),
        (
            HOURS + "staff: {mira: {name: Mira}, jo: {name: Jo, hours: {sat: 8:00-12:00}}}\n" + DAY,
            "it takes 10 hours, and Mira or Jo has at most 8 hours without a break",
        ),
        (
            "hours: {daily: 0:00-24:00}\n"
            + MIRA
            + "rooms: {spa: {name: Spa, hours: {mon: 9:00-11:00}}}\n"
            "services: {Day: {minutes: 3 hours, needs: [spa]}}\n",
            "it takes 3 hours, and Spa has at most 2 hours without a break",
        ),
    ],
)
def test_a_service_that_fits_into_no_working_period_is_named_with_its_line(
    text: str, says: str
) -> None:
    line = text.count("\n")
    assert warnings(text) == [
        f'line {line}: "Day" can never be booked: {says}; write fewer minutes, or longer hours'
    ]


def test_a_service_of_somebody_without_hours_is_named() -> None:
    assert warnings(MIRA + DAY) == [
        'line 2: "Day" can never be booked: Mira has no hours; write some'
    ]


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        HOURS + MIRA + "services: {Day: {minutes: 8 hours, buffer: {after: 2 hours}}}\n",
        HOURS + "staff: {mira: {name: Mira}, jo: {hours: {sat: 8:00-18:00}}}\n" + DAY,
        "hours: {fri: 20:00-24:00, sat: 0:00-6:00}\n" + MIRA + DAY,
        "hours: {sun: 20:00-24:00, mon: 0:00-6:00}\n" + MIRA + DAY,
        HOURS + "extra hours: [{on: 2026-12-18, hours: 17:00-19:00}]\n" + MIRA + DAY,
        HOURS + "special hours: [{on: 2026-12-18, hours: 8:00-18:00}]\n" + MIRA + DAY,
        HOURS
        + "closed: [{on: 2026-01-01..2026-01-20}]\n"
        + "staff: {mira: {special hours: [{on: 2026-01-01..2026-03-31, hours: 8:00-18:00}]}}\n"
        + DAY,
    ],
)
def test_a_service_that_fits_on_some_day_is_not_named(text: str) -> None:
    assert warnings(text) == []
