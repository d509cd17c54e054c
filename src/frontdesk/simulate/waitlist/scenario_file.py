"""Reads a day or a month of a waitlist from YAML; errors name the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from re import Match
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.desks.waitlist.decide.documents import set_catalogue
from frontdesk.desks.waitlist.model import EntryStatus
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.simulate import sentences
from frontdesk.simulate.scenario import ScenarioAction
from frontdesk.simulate.scenario_file import BadScenario, ScenarioPart
from frontdesk.simulate.waitlist import scenario as s
from frontdesk.simulate.waitlist.scenario import Customer, Day, Month, Shop
from frontdesk.values import Frozen

FIGURES: Final = ("freed", "filled", "handed_back", "open", "offers", "waiting")
MOST_PLACES: Final = 100
LAST_DAY: Final = timedelta(days=30)
_MOST: Final = {"days": 366, "people": 20_000, "slots": 10_000, "faults": 1_000, "crashes": 1_000}
_SHARES: Final = ("claims", "declines", "changes", "leaves", "stops")
_DAY: Final = timedelta(days=1)
_EPOCH: Final = datetime.fromtimestamp(0, UTC)


def waitlist_scenario(part: ScenarioPart) -> Day | Month:
    return _month(part) if "month" in part else _day(part)


def _day(part: ScenarioPart) -> Day:
    part.allow_keys("about", "shop", "rules", "on", "begins", "ends", "list", "timeline", "expect")
    place = _place(part)
    on, tz = part.value("on", sentences.read_date), zone(place.zone)
    noon = same_wall_time(on, time(12), tz)

    def action(text: str, at: datetime) -> ScenarioAction:
        return read_action(text, SentenceContext(on, at, tz, place.catalogue))

    steps = tuple(part.steps(noon, tz, action))
    moment = partial(sentences.read_moment, near=noon, tz=tz)
    expected = part.expected(FIGURES, "people", tuple(EntryStatus))
    day = Day(
        place=place,
        guests=tuple(_guests(part, place.catalogue, on, tz)),
        **part.timeline(steps, moment, steps[-1].at + _DAY, expected),
    )
    part.check_order(day)
    part.check_people(
        day,
        (guest.name for guest in day.guests),
        s.Joins,
        too_early="is not on the list by then",
        never="is never on the list",
    )
    return day


def _month(part: ScenarioPart) -> Month:
    part.allow_keys("about", "shop", "rules", "month")
    month = part.part("month")
    month.allow_keys("begins", *_MOST, *_SHARES)
    numbers = {
        key: month.value(key, partial(sentences.read_number, least=0, most=most))
        for key, most in {**_MOST, **dict.fromkeys(_SHARES, 100)}.items()
        if key in month
    }
    if numbers.get("claims", 0) + numbers.get("declines", 0) > 100:
        raise month.bad("declines", "claims and declines are more than all")
    return Month(
        name=part.file,
        about=part.value("about", str, ""),
        place=_place(part),
        begins_on=month.value("begins", sentences.read_date),
        **numbers,
    )


# --- the shop and its list --------------------------------------------------------------------


def _place(part: ScenarioPart) -> Shop:
    shop = part.part("shop")
    shop.allow_keys("name", "zone", "currency", "staff", "services")
    services = shop.part("services")
    catalogue = Catalogue(
        tuple(_service(services, name) for name in services),
        tuple(shop.names("staff")),
        shop.value("currency", str, ""),
    )
    if isinstance(set_catalogue(Catalogue(), SetCatalogue(catalogue), _EPOCH), Refused):
        raise part.bad("shop", "no business has services and staff like these")
    tz: ZoneInfo = shop.value("zone", zone, ZoneInfo("UTC"))
    return Shop(shop.value("name", str, "A shop"), tz.key, catalogue, _rules(part))


def _service(services: ScenarioPart, name: str) -> Service:
    service = services.part(name)
    service.allow_keys("length", "price", "most", "also")
    return Service(
        name,
        service.value("length", sentences.read_span, timedelta(hours=1)),
        service.value("price", _cents, 0),
        service.value("most", partial(sentences.read_number, least=1, most=100), 1),
        tuple(service.names("also")),
    )


def _rules(part: ScenarioPart) -> str:
    rules: str = part.value("rules", str, "")
    if rules and (problems := rules_doc.parse(rules).problems):
        line = part.line_in("rules", problems[0].line)
        raise BadScenario(part.file, line, f"rules: {problems[0].why}")
    return rules


def _guests(part: ScenarioPart, catalogue: Catalogue, on: date, tz: ZoneInfo) -> Iterator[Customer]:
    if "list" not in part:
        return
    everybody = part.part("list")
    moment = partial(sentences.read_moment, near=same_wall_time(on, time(12), tz), tz=tz)
    for name in everybody:
        guest = everybody.part(name)
        guest.allow_keys("for", "dates", "with", "party", "priority", "by", "joined")
        any_day = on, on + LAST_DAY
        earliest_on, latest_on = guest.value("dates", partial(sentences.read_days, on=on), any_day)
        yield Customer(
            name,
            guest.value("for", partial(read_service, catalogue=catalogue)),
            earliest_on,
            latest_on,
            guest.value("with", partial(read_staff, catalogue=catalogue), ""),
            guest.value("party", partial(sentences.read_number, least=1, most=100), 1),
            guest.value("priority", sentences.read_yes, False),
            guest.value("by", _by_text, True),
            guest.value("joined", moment) if "joined" in guest else None,
        )


def _cents(text: str) -> int:
    found = re.fullmatch(r"(\d{1,6})(?:\.(\d\d?))?", text)
    if found is None:
        raise ValueError(f"{text!r} is not a price; write 120 or 45.50")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def _by_text(text: str) -> bool:
    if text not in ("text", "mail"):
        raise ValueError(f"people are told by text or by mail, not by {text}")
    return text == "text"


# --- sentences --------------------------------------------------------------------------------


class SentenceContext(Frozen):
    """The context for parsing a sentence."""

    on: date
    """The day from which `1d` counts."""
    at: datetime
    """The time of the step."""
    tz: ZoneInfo
    catalogue: Catalogue

    @property
    def today(self) -> date:
        return to_wall(self.at, self.tz).date()


def read_action(text: str, context: SentenceContext) -> ScenarioAction:
    return _SENTENCES.read(text, context)


def read_service(text: str, catalogue: Catalogue) -> str:
    found = catalogue.service(text)
    if found is None:
        known = ", ".join(one.name for one in catalogue.services)
        raise sentences.BadSentence(f"there is no service {text}; there are {known}")
    return found.name


def read_staff(text: str | None, catalogue: Catalogue) -> str:
    """Returns the member of staff; empty if none is named."""
    found = catalogue.member(text) if text else ""
    if found is None:
        raise sentences.BadSentence(
            f"nobody called {text} works here; there are {', '.join(catalogue.staff)}"
        )
    return found


_CAUSES: Final = {
    "is cancelled": s.FreedBy.CANCELLED,
    "is missed": s.FreedBy.MISSED,
    "opens up": s.FreedBy.NEW,
}


def _comes_free(found: Match[str], around: SentenceContext) -> ScenarioAction:
    service, places, day, clock, staff, how = found.groups()
    on = sentences.read_day(day, around.on) if day else around.today
    if not 1 <= int(places or 1) <= MOST_PLACES:
        raise sentences.BadSentence(f"a slot has 1 to {MOST_PLACES} places, not {places}")
    return s.ComesFree(
        read_service(service, around.catalogue),
        same_wall_time(on, sentences.read_clock(clock), around.tz),
        read_staff(staff, around.catalogue),
        int(places or 1),
        _CAUSES[how],
    )


def _start(text: str | None) -> str:
    """Returns the wall time as HH:MM."""
    return f"{sentences.read_clock(text):%H:%M}" if text else ""


def _joins(found: Match[str], around: SentenceContext) -> ScenarioAction:
    who, service, party, staff, mail = found.groups()
    guest = s.Customer(
        who,
        read_service(service, around.catalogue),
        around.today,
        around.today + LAST_DAY,
        read_staff(staff, around.catalogue),
        int(party or 1),
        by_text=not mail,
    )
    return s.Joins(guest)


def _dates(found: Match[str], around: SentenceContext) -> ScenarioAction:
    return s.ChangesDates(found[1], *sentences.read_days(found[2], around.on))


def _declines(found: Match[str], _: SentenceContext) -> ScenarioAction:
    return s.Declines(found[1], _start(found[2]), leave=bool(found[3]))


_SENTENCES: Final = sentences.Sentences[SentenceContext](
    (
        (
            r"(\S.*?)(?: for (\d{1,4}))? at (?:([+-]?\d{1,3}d) )?TIME(?: with WHO)?"
            r" (is cancelled|is missed|opens up)"
        ),
        _comes_free,
    ),
    (r"staff take back the TIME", lambda m, _: s.TakesBack(_start(m[1]))),
    (r"the phone network goes down", lambda _m, _: s.TextsFail(down=True)),
    (r"the phone network comes back", lambda _m, _: s.TextsFail(down=False)),
    (r"texts to WHO are refused", lambda m, _: s.TextsRefused(m[1])),
    (r"texts to WHO get lost", lambda m, _: s.TextsLost(m[1])),
    (r"the process crashes while texting WHO", lambda m, _: s.CrashesTexting(m[1])),
    (r"WHO joins for (.+?)(?: as a party of (\d{1,3}))?(?: with WHO)?( by mail)?", _joins),
    (r"WHO can come from (.+)", _dates),
    (r"WHO declines(?: the TIME)?( and leaves the list)?", _declines),
    (r"WHO leaves the list", lambda m, _: s.Leaves(m[1])),
    (r"WHO texts (.+)", lambda m, _: s.Texts(m[1], m[2])),
    (r"WHO claims(?: the TIME)?", lambda m, _: s.Claims(m[1], _start(m[2]))),
)
