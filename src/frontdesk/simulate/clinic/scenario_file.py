"""Reads a year of a clinic from YAML; errors name the line."""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import zone
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.desks.reminders.rules_file import parse_rules as parse_reminders
from frontdesk.simulate.clinic.scenario import Clinic, ClinicYear
from frontdesk.simulate.scenario_file import ScenarioPart
from frontdesk.simulate.sentences import read_date, read_number

_MOST: Final = {
    "days": 366,
    "appointments": 100_000,
    "patients": 100_000,
    "waiting": 100_000,
    "faults": 1_000,
    "crashes": 1_000,
    "texts_usd": 100_000,
}
_SHARES: Final = ("cancels", "moves", "no_shows", "confirms", "claims", "declines", "texts")


def clinic_scenario(part: ScenarioPart) -> ClinicYear:
    part.allow_keys("about", "clinic", "rules", "reminders", "year")
    year = part.part("year")
    year.allow_keys("begins", *_MOST, *_SHARES)
    numbers: dict[str, Any] = {
        key: year.value(key, partial(read_number, least=0, most=most))
        for key, most in {**_MOST, **dict.fromkeys(_SHARES, 100)}.items()
        if key in year
    }
    for shares in (("cancels", "moves", "no_shows"), ("claims", "declines")):
        if sum(numbers.get(each, 0) for each in shares) > 100:
            raise year.bad(shares[-1], f"{', '.join(shares)} are more than all")
    return ClinicYear(
        name=part.file,
        about=part.value("about", str, ""),
        place=_place(part),
        begins_on=year.value("begins", read_date),
        **numbers,
    )


def _place(part: ScenarioPart) -> Clinic:
    clinic = part.part("clinic")
    clinic.allow_keys("name", "zone")
    tz: ZoneInfo = clinic.value("zone", zone, ZoneInfo("UTC"))
    return Clinic(
        clinic.value("name", str, "A clinic"),
        tz.key,
        *part.rules("rules", parse_rules, tz.key),
        *part.rules("reminders", parse_reminders, tz.key),
    )
