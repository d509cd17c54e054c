"""Reads a day or a month of a waitlist from YAML; errors name the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.scalarstring import LiteralScalarString

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import same_wall_time, zone
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.desks.waitlist.decide.documents import set_catalogue
from frontdesk.desks.waitlist.model import EntryStatus
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.simulate.sentences import BadSentence, read_moment, read_span, read_when
from frontdesk.simulate.waitlist import scenario as s
from frontdesk.simulate.waitlist.scenario import Day, Guest, Month, Place, Step
from frontdesk.simulate.waitlist.sentences import (
    LAST_DAY,
    Around,
    read_days,
    read_deed,
    read_service,
    read_staff,
)
from frontdesk.simulate.yaml_file import BadScenario, Reader

FIGURES: Final = ("freed", "filled", "handed_back", "open", "offers", "waiting")
_MOST: Final = {"days": 366, "people": 20_000, "slots": 10_000, "faults": 1_000, "crashes": 1_000}
_SHARES: Final = ("claims", "declines", "changes", "leaves", "stops")
_CRASH: Final = " and the process crashes"
_DAY: Final = timedelta(days=1)
_EPOCH: Final = datetime.fromtimestamp(0, UTC)


def waitlist_scenario(tree: CommentedMap, name: str) -> Day | Month:
    reader = _Reader(name)
    return reader.month(tree) if "month" in tree else reader.day(tree)


class _Reader(Reader):
    def day(self, tree: CommentedMap) -> Day:
        self._known(
            tree,
            ("about", "shop", "rules", "on", "begins", "ends", "list", "timeline", "expect"),
        )
        place = self._place(tree)
        on, tz = self._value(tree, "on", _day), zone(place.zone)
        noon = same_wall_time(on, time(12), tz)
        steps = tuple(self._steps(tree, place, on, tz))

        def moment(text: str) -> datetime:
            return read_moment(text, noon, tz)

        figures, people = self._expects(tree)
        day = Day(
            self._name,
            self._value(tree, "about", str, ""),
            place,
            tuple(self._guests(tree, place.catalogue, on, tz)),
            self._value(tree, "begins", moment, steps[0].at - timedelta(hours=1)),
            self._value(tree, "ends", moment, steps[-1].at + _DAY),
            steps,
            figures,
            people,
        )
        self._check_order(tree, day)
        self._check_people(tree, day)
        return day

    def month(self, tree: CommentedMap) -> Month:
        self._known(tree, ("about", "shop", "rules", "month"))
        month = self._map(tree, "month")
        self._known(month, ("begins", *_MOST, *_SHARES))
        numbers = {
            key: self._value(month, key, partial(_number, least=0, most=most))
            for key, most in {**_MOST, **dict.fromkeys(_SHARES, 100)}.items()
            if key in month
        }
        if numbers.get("claims", 0) + numbers.get("declines", 0) > 100:
            raise self._bad(month, "declines", "claims and declines are more than all")
        return Month(
            self._name,
            self._value(tree, "about", str, ""),
            self._place(tree),
            self._value(month, "begins", _day),
            **numbers,
        )

    # --- the place ----------------------------------------------------------------------------

    def _place(self, tree: CommentedMap) -> Place:
        part = self._map(tree, "shop")
        self._known(part, ("name", "zone", "currency", "staff", "services"))
        services = self._map(part, "services")
        catalogue = Catalogue(
            tuple(self._service(services, name) for name in services),
            tuple(self._names(part, "staff")),
            self._value(part, "currency", str, ""),
        )
        if isinstance(set_catalogue(Catalogue(), SetCatalogue(catalogue), _EPOCH), Refused):
            raise self._bad(tree, "shop", "no business has services and staff like these")
        tz: ZoneInfo = self._value(part, "zone", zone, ZoneInfo("UTC"))
        name = self._value(part, "name", str, "A shop")
        return Place(name, tz.key, catalogue, self._rules(tree))

    def _service(self, services: CommentedMap, name: str) -> Service:
        part = self._map(services, name)
        self._known(part, ("length", "price", "most", "also"))
        return Service(
            str(name),
            self._value(part, "length", read_span, timedelta(hours=1)),
            self._value(part, "price", _cents, 0),
            self._value(part, "most", partial(_number, least=1, most=100), 1),
            tuple(self._names(part, "also")),
        )

    def _rules(self, tree: CommentedMap) -> str:
        rules: str = self._value(tree, "rules", str, "")
        if rules and (problems := rules_doc.parse(rules).problems):
            line = self._line(tree, "rules")
            if isinstance(tree["rules"], LiteralScalarString):
                line += problems[0].line
            raise BadScenario(self._name, line, f"rules: {problems[0].why}")
        return rules

    # --- the list -----------------------------------------------------------------------------

    def _guests(
        self, tree: CommentedMap, catalogue: Catalogue, on: date, tz: ZoneInfo
    ) -> Iterator[Guest]:
        if "list" not in tree:
            return
        listed = self._map(tree, "list")

        def moment(text: str) -> datetime:
            return read_moment(text, same_wall_time(on, time(12), tz), tz)

        for name in listed:
            part = self._map(listed, name)
            self._known(part, ("for", "dates", "with", "party", "priority", "by", "joined"))
            any_day = on, on + LAST_DAY
            earliest_on, latest_on = self._value(part, "dates", partial(read_days, on=on), any_day)
            yield Guest(
                str(name),
                self._value(part, "for", partial(read_service, catalogue=catalogue)),
                earliest_on,
                latest_on,
                self._value(part, "with", partial(read_staff, catalogue=catalogue), ""),
                self._value(part, "party", partial(_number, least=1, most=100), 1),
                self._value(part, "priority", _yes, False),
                self._value(part, "by", _by_text, True),
                self._value(part, "joined", moment) if "joined" in part else None,
            )

    # --- steps --------------------------------------------------------------------------------

    def _steps(self, tree: CommentedMap, place: Place, on: date, tz: ZoneInfo) -> Iterator[Step]:
        noon = same_wall_time(on, time(12), tz)
        before = noon - timedelta(days=1000)
        for line, text in self._sentences(tree, "timeline"):
            try:
                at, rest = read_when(text, before, noon, tz)
                deed = read_deed(rest.removesuffix(_CRASH), Around(on, at, tz, place.catalogue))
            except BadSentence as error:
                raise BadScenario(self._name, line, str(error)) from None
            if at < before:
                raise BadScenario(self._name, line, "this is earlier than the step before it")
            yield Step(line, at, deed, rest, rest.endswith(_CRASH))
            before = at

    def _expects(self, tree: CommentedMap) -> tuple[dict[str, int], dict[str, str]]:
        if "expect" not in tree:
            return {}, {}
        expect = self._map(tree, "expect")
        self._known(expect, (*FIGURES, "people"))
        figures = {
            key: self._value(expect, key, partial(_number, least=0, most=100_000))
            for key in expect
            if key in FIGURES
        }
        people = self._map(expect, "people") if "people" in expect else CommentedMap()
        return figures, {str(who): self._value(people, who, _status) for who in people}

    def _check_order(self, tree: CommentedMap, day: Day) -> None:
        if day.steps[0].at < day.begins_at:
            raise self._bad(tree, "begins", "the first step is before that")
        if day.ends_at < day.steps[-1].at:
            raise self._bad(tree, "ends", "the last step is after that")

    def _check_people(self, tree: CommentedMap, day: Day) -> None:
        """Rejects people who act before they are on the list: that is a typing error."""
        here = {guest.name for guest in day.guests}
        for step in day.steps:
            who = getattr(step.deed, "who", None)
            if isinstance(step.deed, s.Joins):
                here.add(step.deed.who)
            elif who is not None and who not in here:
                raise BadScenario(self._name, step.line, f"{who} is not on the list by then")
        for who in day.expects_of:
            if who not in here:
                raise self._bad(tree, "expect", f"{who} is never on the list")


def _number(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"\d{1,6}", text) or not least <= int(text) <= most:
        raise ValueError(f"{text!r} is no number from {least} to {most:,}")
    return int(text)


def _cents(text: str) -> int:
    found = re.fullmatch(r"(\d{1,6})(?:\.(\d\d?))?", text)
    if found is None:
        raise ValueError(f"{text!r} is no price; write 120 or 45.50")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"write yes or no, not {text!r}")
    return text == "yes"


def _by_text(text: str) -> bool:
    if text not in ("text", "mail"):
        raise ValueError(f"people are told by text or by mail, not by {text}")
    return text == "text"


def _status(text: str) -> str:
    if text not in frozenset(EntryStatus):
        raise ValueError(f"somebody is {', '.join(EntryStatus)}, not {text}")
    return text


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no day; write 2026-11-28") from None
