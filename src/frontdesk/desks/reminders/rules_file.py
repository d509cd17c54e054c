"""Parses and writes `reminders.yml`: the rules of reminders, or precise problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time, timedelta
from difflib import get_close_matches
from typing import Any, Final

from frontdesk.core.localtime import parse_day
from frontdesk.core.public_holidays import is_known
from frontdesk.core.quiet_hours import NO_QUIET_HOURS, QuietHours
from frontdesk.core.yaml_tree import (
    YamlList,
    YamlMap,
    YamlNode,
    YamlProblem,
    YamlText,
    parse_yaml,
    short,
)
from frontdesk.desks.reminders.rules import (
    MOST_REMINDERS,
    BadSpan,
    LeadTime,
    ReminderRules,
    Schedule,
    ServiceSchedule,
    StaffHours,
    parse_before,
)
from frontdesk.values import Frozen, replace

MOST_SERVICES: Final = 200
MOST_DAYS: Final = 400
MOST_NAME: Final = 80
_RANGE: Final = re.compile(r"(\d{1,2}):(\d{2}) ?(?:-|–|to) ?(\d{1,2}):(\d{2})")
_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LENGTH: Final = re.compile(r"([0-9]{1,3}) ?(h|hours?|m|min|minutes?)")
_NONE: Final = frozenset(("none", "no", "never"))


class ParsedRules(Frozen):
    """The rules, or the problems that prevent them."""

    rules: ReminderRules | None
    problems: tuple[YamlProblem, ...] = ()


def parse_rules(text: str, zone: str = "UTC") -> ParsedRules:
    """Never raises. `zone` is the time zone of the business."""
    tree = parse_yaml(text.removeprefix("\ufeff"))
    if tree.problems:
        return ParsedRules(None, tree.problems)
    root = tree.root
    if root is None or (isinstance(root, YamlText) and root.is_empty):
        return ParsedRules(ReminderRules(zone=zone))
    reading = _GroupReader()
    found = reading.group(root, {**_RULE_KEYS, **_SCHEDULE_KEYS, "services": _services(reading)})
    if not reading.problems and not is_known(found.get("country", ""), found.get("region", "")):
        reading.add(root, "this country or region is not known; write it like DE and BY")
    if reading.problems:
        return ParsedRules(None, tuple(reading.problems))
    return ParsedRules(_rules(found, zone))


def _rules(found: Mapping[str, Any], zone: str) -> ReminderRules:
    schedule = {key: each for key, each in found.items() if key in Schedule.__struct_fields__}
    more = {key: each for key, each in found.items() if key not in schedule}
    usual = Schedule(**schedule)
    services = tuple(
        ServiceSchedule(name, replace(usual, **own)) for name, own in more.pop("services", ())
    )
    return ReminderRules(zone=zone, usual=usual, services=services, **more)


class _GroupReader:
    """Reads groups of keys, and collects problems."""

    def __init__(self) -> None:
        self.problems: list[YamlProblem] = []

    def add(self, at: YamlNode, why: str) -> None:
        if len(self.problems) < 20:
            self.problems.append(YamlProblem(at.line, at.column, why))

    def group(self, node: YamlNode, keys: Mapping[str, _Key]) -> dict[str, Any]:
        if not isinstance(node, YamlMap):
            self.add(node, "here is a group of keys, each with a colon")
            return {}
        found: dict[str, Any] = {}
        for pair in node.pairs:
            name = " ".join(pair.key.text.lower().replace("-", " ").split())
            key = keys.get(name)
            if key is None:
                self.add(pair.key, _unknown(pair.key.text, keys))
            elif (target := key.target or name) in found:
                self.add(pair.key, f'"{short(pair.key.text)}" is there twice')
            else:
                self._take(found, target, key, pair.value)
        return found

    def _take(self, found: dict[str, Any], target: str, key: _Key, node: YamlNode) -> None:
        try:
            found[target] = key.read(node)
        except BadSpan as bad:
            self.add(node, str(bad))


class _Key(Frozen):
    target: str
    read: Callable[[YamlNode], Any]


def _unknown(text: str, keys: Iterable[str]) -> str:
    close = get_close_matches(short(text, 80).lower(), list(keys), n=1, cutoff=0.6)
    hint = f'; did you mean "{close[0]}"?' if close else ""
    return f'there is no key "{short(text)}"{hint}'


# --- kinds of values ------------------------------------------------------------------------


def _text(node: YamlNode) -> str:
    if not isinstance(node, YamlText) or node.is_empty:
        raise BadSpan("write one value here")
    return " ".join(node.text.split())


def _texts(node: YamlNode, most: int) -> list[str]:
    """A list, or one value with commas."""
    if isinstance(node, YamlList):
        texts = [_text(each) for each in node.items]
    else:
        texts = [part for each in _text(node).split(",") if (part := each.strip())]
    if len(texts) > most:
        raise BadSpan(f"there are more than {most}")
    return texts


def _befores(node: YamlNode) -> tuple[LeadTime, ...]:
    found = {parse_before(each) for each in _texts(node, MOST_REMINDERS)}
    if not found:
        raise BadSpan("write at least one time, like 1d")
    return tuple(sorted(found, key=lambda each: each.length, reverse=True))


def _before(node: YamlNode) -> LeadTime:
    return parse_before(_text(node))


def _before_or_none(node: YamlNode) -> LeadTime | None:
    return None if _text(node).lower() in _NONE else _before(node)


def _length(node: YamlNode) -> timedelta:
    text = _text(node).lower()
    if text in _NONE or text == "0":
        return timedelta()
    found = _LENGTH.fullmatch(text)
    if found is None:
        raise BadSpan(f'"{short(text)}" is not a length; write it like 4h or 30m')
    unit = timedelta(hours=1) if found[2][0] == "h" else timedelta(minutes=1)
    return int(found[1]) * unit


def _range(text: str) -> tuple[time, time]:
    found = _RANGE.fullmatch(text)
    if found is None:
        raise BadSpan(f'"{short(text)}" is not a range of times; write it like 21:00-08:00')
    hours = [int(each) for each in found.groups()]
    try:
        return time(hours[0], hours[1]), time(hours[2] % 24, hours[3])
    except ValueError:
        raise BadSpan(f'"{short(text)}" has a time that does not exist') from None


def _quiet(node: YamlNode) -> QuietHours:
    text = _text(node)
    return NO_QUIET_HOURS if text.lower() in _NONE else QuietHours(*_range(text))


def _staff_hours(node: YamlNode) -> StaffHours:
    """'mon-sat 09:00-18:00', or only the times."""
    days, _, hours = _text(node).lower().rpartition(" ")
    start, end = _range(hours)
    if start >= end:
        raise BadSpan("staff hours end later than they begin")
    return StaffHours(start, end, _weekdays(days) if days else StaffHours().days)


def _weekdays(text: str) -> tuple[int, ...]:
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        if first[:3] not in _DAYS or (last and last[:3] not in _DAYS):
            raise BadSpan(f'"{short(part)}" is not a weekday; write it like mon-sat')
        start, end = _DAYS.index(first[:3]), _DAYS.index((last or first)[:3])
        span = end - start if end >= start else end - start + 7
        found.update((start + step) % 7 for step in range(span + 1))
    return tuple(sorted(found))


def _dates(node: YamlNode) -> tuple[date, ...]:
    try:
        return tuple(sorted({parse_day(each) for each in _texts(node, MOST_DAYS)}))
    except BadSpan:
        raise
    except ValueError:
        raise BadSpan("write days like 2026-12-24") from None


def _code(node: YamlNode) -> str:
    text = _text(node).upper()
    if not re.fullmatch(r"[A-Z0-9]{1,6}", text):
        raise BadSpan("write the letters of a code, like DE or BY")
    return text


def _services(reading: _GroupReader) -> _Key:
    def read(node: YamlNode) -> tuple[tuple[str, dict[str, Any]], ...]:
        if not isinstance(node, YamlMap) or len(node.pairs) > MOST_SERVICES:
            raise BadSpan("list services by name, each with its own keys")
        names = [" ".join(pair.key.text.split())[:MOST_NAME] for pair in node.pairs]
        if len({each.casefold() for each in names}) < len(names):
            raise BadSpan("a service is listed twice")
        groups = (reading.group(pair.value, _SCHEDULE_KEYS) for pair in node.pairs)
        return tuple(zip(names, groups, strict=True))

    return _Key("services", read)


_SCHEDULE_KEYS: Final[Mapping[str, _Key]] = {
    "reminders": _Key("reminders", _befores),
    "after a no show": _Key("after_no_show", _before_or_none),
    "alert staff": _Key("alert", _before),
    "confirm by": _Key("confirm_by", _before_or_none),
    "cut off": _Key("cut_off", _length),
}
_RULE_KEYS: Final[Mapping[str, _Key]] = {
    "quiet hours": _Key("quiet", _quiet),
    "country": _Key("country", _code),
    "region": _Key("region", _code),
    "closed": _Key("own_days", _dates),
    "staff hours": _Key("staff_hours", _staff_hours),
    "least gap": _Key("least_gap", _length),
    "after booking": _Key("after_booking", _length),
}

#: The text that the editor shows until somebody saves one. It states the defaults.
EXAMPLE: Final = """\
# When customers are reminded. Times are before the appointment: 3d, 1d, 3h.

reminders: [3d, 1d]
after a no-show: 3h        # one more for people who missed a visit; none for no one
alert staff: 4h            # about an appointment without an answer
confirm by: none           # an appointment without an answer then can be given away
cut-off: none              # customers can cancel and move until this time before

quiet hours: 21:00-08:00
staff hours: mon-sat 09:00-18:00
least gap: 4h              # between two reminders to one person
after booking: 12h         # from the booking to its first reminder

# Public holidays without messages, and days of your own:
# country: DE
# region: BY
# closed: [2026-12-24, 2026-12-31]

# A service with times of its own:
# services:
#   Colour:
#     reminders: [7d, 1d]
"""
