"""Reads a booked week from YAML; errors name the line."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import partial
from re import Match
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.desks.booking.model import BookingStatus
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.simulate.booking import scenario as s
from frontdesk.simulate.booking.scenario import SimulatedBusiness, Week
from frontdesk.simulate.scenario import ScenarioAction
from frontdesk.simulate.scenario_file import ScenarioPart
from frontdesk.simulate.sentences import (
    BadSentence,
    Sentences,
    read_clock,
    read_date,
    read_day,
    read_days,
    read_moment,
)
from frontdesk.values import Frozen

FIGURES: Final = ("bookings", *BookingStatus, "moved", "refilled")
_ON_THE_WAITLIST: Final = "waiting"
_DAY: Final = timedelta(days=1)
_MOST_WAIT: Final = timedelta(days=30)


def booking_scenario(part: ScenarioPart) -> Week:
    part.allow_keys("about", "business", "rules", "on", "begins", "ends", "timeline", "expect")
    place = _place(part)
    on, tz = part.value("on", read_date), zone(place.zone)
    noon = same_wall_time(on, time(12), tz)

    def action(text: str, at: datetime) -> ScenarioAction:
        return read_action(text, SentenceContext(on, at, tz, place.rules))

    steps = tuple(part.steps(noon, tz, action))
    moment = partial(read_moment, near=noon, tz=tz)
    expected = part.expected(FIGURES, "people", (*BookingStatus, _ON_THE_WAITLIST))
    week = Week(place=place, **part.timeline(steps, moment, steps[-1].at + _DAY, expected))
    part.check_order(week)
    part.check_people(
        week,
        (),
        s.Books | s.JoinsWaitlist,
        too_early="has no booking by then",
        never="never books",
    )
    return week


def _place(part: ScenarioPart) -> SimulatedBusiness:
    business = part.part("business")
    business.allow_keys("name", "zone")
    tz: ZoneInfo = business.value("zone", zone, ZoneInfo("UTC"))
    name = business.value("name", str, "A business")
    return SimulatedBusiness(name, tz.key, *part.rules("rules", parse_rules, tz.key))


# --- sentences --------------------------------------------------------------------------------


class SentenceContext(Frozen):
    """The context for parsing a sentence."""

    on: date
    """The day from which `1d` counts."""
    at: datetime
    """The time of the step."""
    tz: ZoneInfo
    rules: BookingRules

    def start(self, day: str | None, clock: str) -> datetime:
        on = read_day(day, self.on) if day else to_wall(self.at, self.tz).date()
        return same_wall_time(on, read_clock(clock), self.tz)

    def service(self, text: str) -> str:
        found = self.rules.service(text)
        if found is None:
            known = ", ".join(one.name for one in self.rules.services)
            raise BadSentence(f"there is no service {text}; there are {known}")
        return found.name

    def resource(self, text: str | None) -> ResourceId:
        """Returns a resource by its name; empty if none is named."""
        if not text:
            return ResourceId("")
        named = {one.name.casefold(): one.id for one in self.rules.resources}
        if text.casefold() not in named:
            known = ", ".join(one.name for one in self.rules.resources)
            raise BadSentence(f"nobody called {text} works here; there are {known}")
        return named[text.casefold()]


def read_action(text: str, context: SentenceContext) -> ScenarioAction:
    return _SENTENCES.read(text, context)


def _books(found: Match[str], around: SentenceContext) -> ScenarioAction:
    who, service, party, day, clock, staff = found.groups()
    return s.Books(
        who,
        around.service(service),
        around.start(day, clock),
        around.resource(staff),
        int(party or 1),
    )


def _books_by_phone(found: Match[str], around: SentenceContext) -> ScenarioAction:
    service, who, day, clock, staff = found.groups()
    starts_at = around.start(day, clock)
    return s.Books(who, around.service(service), starts_at, around.resource(staff), by_staff=True)


def _joins(found: Match[str], around: SentenceContext) -> ScenarioAction:
    who, service, days = found.groups()
    today = to_wall(around.at, around.tz).date()
    wanted = read_days(days, around.on) if days else (today, today + _MOST_WAIT)
    return s.JoinsWaitlist(who, around.service(service), *wanted)


_START: Final = r"(?:([+-]?\d{1,3}d) )?TIME"
_SENTENCES: Final = Sentences[SentenceContext](
    (rf"staff book (\S.*?) for WHO at {_START}(?: with WHO)?", _books_by_phone),
    (
        f"staff move WHO to {_START}",
        lambda m, at: s.Moves(m[1], at.start(m[2], m[3]), by_staff=True),
    ),
    ("staff cancel WHO", lambda m, _: s.Cancels(m[1], by_staff=True)),
    ("staff approve WHO", lambda m, _: s.Decides(m[1], approve=True)),
    ("staff decline WHO", lambda m, _: s.Decides(m[1], approve=False)),
    (rf"WHO books (\S.*?)(?: for (\d{{1,3}}))? at {_START}(?: with WHO)?", _books),
    (f"WHO moves to {_START}", lambda m, at: s.Moves(m[1], at.start(m[2], m[3]))),
    ("WHO cancels", lambda m, _: s.Cancels(m[1])),
    ("WHO does not come", lambda m, _: s.Misses(m[1])),
    (r"WHO joins the waitlist for (\S.*?)(?: from (.+))?", _joins),
    ("WHO claims", lambda m, _: s.Claims(m[1])),
)
