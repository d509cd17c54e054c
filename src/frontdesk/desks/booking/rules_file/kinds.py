"""Kinds of values in `rules.yml`: each reads a node, or says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, Final

from frontdesk.core.contacts import is_unseen
from frontdesk.core.yaml_tree import YamlList, YamlNode, YamlText
from frontdesk.desks.booking.rules import DAY_MINUTES
from frontdesk.desks.booking.rules_file.problems import Problems, nearest, quoted
from frontdesk.features.catalogue.form import read_price
from frontdesk.values import Frozen, field

Read = Callable[[YamlNode, Problems], Any]
"""Returns the value, or None after it has added a problem."""

MINUTE: Final = timedelta(minutes=1)
MOST_TEXT: Final = 80
MOST_LONG_TEXT: Final = 1_000
MOST_ITEMS: Final = 200


class Kind(Frozen):
    """A kind of value: its reader, and its JSON Schema."""

    called: str
    """The name on the reference page and in errors: 'a whole number from 1 to 200'."""
    read: Read
    json: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})


def scalar_text(node: YamlNode, problems: Problems, what: str, example: str) -> str | None:
    """The text of a scalar; adds a problem for a list, a group or nothing."""
    if isinstance(node, YamlText) and not node.is_empty:
        return " ".join(node.text.split())
    said = (
        "nothing"
        if isinstance(node, YamlText)
        else "a list"
        if isinstance(node, YamlList)
        else "a group"
    )
    problems.add(node, f"there is {said} where {what} should be; write {example}")
    return None


# --- numbers and texts -----------------------------------------------------------------------


def whole(least: int, most: int) -> Kind:
    called = f"a whole number from {least} to {most}"

    def read(node: YamlNode, problems: Problems) -> int | None:
        text = scalar_text(node, problems, called, str(least))
        if text is None:
            return None
        is_number = text.isascii() and text.isdigit() and len(text) <= 6
        if not is_number or not least <= int(text) <= most:
            problems.add(node, f"{quoted(text)} is not {called}")
            return None
        return int(text)

    return Kind(called, read, {"type": "integer", "minimum": least, "maximum": most})


def text_of(most: int = MOST_TEXT, *, may_be_blank: bool = True) -> Kind:
    called = f"a text of at most {most} characters"

    def read(node: YamlNode, problems: Problems) -> str | None:
        if isinstance(node, YamlText) and most > MOST_TEXT:
            text: str | None = node.text.strip()
        else:
            text = scalar_text(node, problems, "a text", "a text")
        if text is None:
            return None
        if not text and not may_be_blank:
            problems.add(node, "there is nothing where a text should be; write a text")
            return None
        if len(text) > most:
            problems.add(node, f"{quoted(text)} is too long; write at most {most} characters")
            return None
        if any(is_unseen(each) for each in text if each != "\n"):
            problems.add(node, "there is an invisible character in this text; write it again")
            return None
        return text

    return Kind(called, read, {"type": "string", "maxLength": most})


NAME: Final = text_of(may_be_blank=False)


def choice(options: Iterable[str]) -> Kind:
    known = tuple(options)
    called = " or ".join(known) if len(known) < 4 else f"one of {', '.join(known)}"

    def read(node: YamlNode, problems: Problems) -> str | None:
        text = scalar_text(node, problems, called, known[0])
        if text is None or text.casefold() in known:
            return text and text.casefold()
        close = nearest(text, known)
        problems.add(node, f"{quoted(text)} is not known here; write {close or called}")
        return None

    return Kind(called, read, {"enum": list(known)})


def _yes_no(node: YamlNode, problems: Problems) -> bool | None:
    text = scalar_text(node, problems, "yes or no", "yes")
    if text is None:
        return None
    if text.casefold() in ("yes", "true"):
        return True
    if text.casefold() in ("no", "false"):
        return False
    problems.add(node, f"{quoted(text)} is not an answer; write yes or no")
    return None


YES_NO: Final = Kind("yes or no", _yes_no, {"enum": ["yes", "no", True, False]})


def _price(node: YamlNode, problems: Problems) -> int | None:
    text = scalar_text(node, problems, "a price", "45.00")
    cents = None if text is None else read_price(text)
    if text is not None and cents is None:
        problems.add(node, f"{quoted(text)} is not a price; write a number like 45 or 45.50")
    return cents


PRICE: Final = Kind("a price like 45 or 45.50", _price, {"type": ["number", "string"]})


def _percent(node: YamlNode, problems: Problems) -> float | None:
    text = scalar_text(node, problems, "a percentage", "80%")
    if text is None:
        return None
    if (found := re.fullmatch(r"(\d{1,3}) ?%", text, re.ASCII)) and int(found[1]) <= 100:
        return int(found[1]) / 100
    problems.add(node, f"{quoted(text)} is not a percentage; write one like 80%")
    return None


PERCENT: Final = Kind("a percentage like 80%", _percent)


def list_of(kind: Kind, most: int = MOST_ITEMS) -> Kind:
    """A list. A single value counts as a list of one."""

    def read(node: YamlNode, problems: Problems) -> tuple[Any, ...] | None:
        if isinstance(node, YamlText) and node.is_empty:
            problems.add(node, "there is nothing here; write a list like [first, second], or []")
            return None
        items = node.items if isinstance(node, YamlList) else (node,)
        if len(items) > most:
            problems.add(items[most], f"the list is too long; write at most {most}")
            return None
        read_items = [kind.read(each, problems) for each in items]
        return None if any(each is None for each in read_items) else tuple(read_items)

    return Kind(
        f"a list; {kind.called if kind.called.startswith('see') else f'each is {kind.called}'}",
        read,
        {"type": ["array", "string", "object"]},
    )


# --- lengths of time --------------------------------------------------------------------------

_UNITS: Final = {
    "m": 1, "min": 1, "mins": 1, "minute": 1, "minutes": 1,
    "h": 60, "hour": 60, "hours": 60,
    "d": DAY_MINUTES, "day": DAY_MINUTES, "days": DAY_MINUTES,
    "week": 7 * DAY_MINUTES, "weeks": 7 * DAY_MINUTES,
}  # fmt: skip
_LENGTH: Final = re.compile(r"(\d{1,5}) ?([a-z]+)", re.ASCII)


def length(least: timedelta, most: timedelta, *, unit: str = "", example: str = "2 hours") -> Kind:
    """A length of time in multiples of 5 minutes. With `unit`, a number alone is in this unit."""
    called = f"a time from {length_text(least)} to {length_text(most)}"

    def read(node: YamlNode, problems: Problems) -> timedelta | None:
        text = scalar_text(node, problems, called, example)
        if text is None:
            return None
        minutes = read_minutes(text, unit)
        if minutes is None:
            lacks_unit = not unit and text.isascii() and text.isdigit()
            better = f"{int(text[:5])} {example.split()[-1]}" if lacks_unit else example
            problems.add(node, f"{quoted(text)} is not a length of time; write one like {better}")
        elif not least <= minutes * MINUTE <= most:
            problems.add(node, f"{quoted(text)} is out of range; write {called}")
        elif minutes % 5:
            near = max(least // MINUTE, minutes - minutes % 5)
            problems.add(
                node,
                f"{quoted(text)} is not a multiple of 5 minutes; write {near} or {near + 5} min",
            )
        else:
            return minutes * MINUTE
        return None

    return Kind(called, read, {"type": ["string", "integer"]})


def read_minutes(text: str, unit: str = "") -> int | None:
    """Reads '1 h 30 min' as 90."""
    words = text.casefold().replace(",", " ").replace(" and ", " ")
    if unit and words.isascii() and words.isdigit() and len(words) <= 5:
        return int(words) * _UNITS[unit]
    parts = _LENGTH.findall(words)
    is_all = " ".join(_LENGTH.sub("", words).split()) == ""
    if not parts or len(parts) > 3 or not is_all or any(each not in _UNITS for _, each in parts):
        return None
    return sum(int(number) * _UNITS[each] for number, each in parts)


def length_text(span: timedelta) -> str:
    """'2 hours', as the file writes a length of time."""
    minutes = span // MINUTE
    for size, one, many in ((DAY_MINUTES, "day", "days"), (60, "hour", "hours")):
        if minutes and minutes % size == 0:
            return f"{minutes // size} {one if minutes == size else many}"
    return f"{minutes} min"
