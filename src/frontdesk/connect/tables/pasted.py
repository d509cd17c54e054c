"""Finds people in text that somebody pasted: names, addresses and numbers, in any usual order."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_BULLET = re.compile(r"\s*(?:[-*•·▪–—]|\d{1,4}[.)])\s+")
_NUMBER = re.compile(r"\+?\s?\d{1,4}")
_BRACKETED = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>(?P<rest>[^<>]*)")
_QUOTES = "\"'“”„‘’«» \u00a0"


@dataclass(slots=True)
class Found:
    """A person as the text has them; nothing is checked yet."""

    name: str = ""
    address: str = ""
    party: str = ""
    extra: str = ""
    note: str = ""


def cells_of(line: str) -> list[str]:
    """A pasted line at its tabs, or else its semicolons, or else its commas."""
    line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    separator = next((sign for sign in "\t;" if sign in line), ",")
    return _split(line, separator)


def _split(line: str, separator: str) -> list[str]:
    """Not within quotation marks."""
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:  # a cell beyond all measure
        return line.split(separator)


def people_in(cells: Sequence[str]) -> list[Found]:
    """Everyone in a row, at least one. A name stands before its address; alone after one, it belongs to it."""
    reader = _Reader()
    for cell in cells:
        for item in _items(cell):
            reader.read(item)
    return reader.finish()


def _items(cell: str) -> Iterator[str]:
    """A cell with several addresses in it is a list of its own."""
    if "@" not in cell:
        yield cell
        return
    for item in re.split(r"[;,]", cell):
        if item.count("@") > 1 and "<" not in item:
            yield from item.split()
        elif item.count("<") > 1:
            yield from re.findall(r"[^<>]*<[^<>]*>", item)
        else:
            yield item


class _Reader:
    def __init__(self) -> None:
        self._found: list[Found] = []
        self._texts: list[str] = []
        self._party = ""

    def read(self, item: str) -> None:
        item = item.strip()
        if "@" in item:
            self._address(item)
        elif _NUMBER.fullmatch(item):
            self._number(item)
        elif item:
            self._texts.append(item)

    def _address(self, item: str) -> None:
        name, address, rest = parted(item)
        between = ", " if name else " "
        names = [*self._texts, name] if name else self._texts
        found = Found(between.join(names), address, self._party)
        self._found.append(found)
        self._texts, self._party = [], ""
        if _NUMBER.fullmatch(rest):
            found.party = rest
        else:
            found.note = rest

    def _number(self, item: str) -> None:
        """A number at the very start counts the lines, not people."""
        if self._texts:
            self._party = item
        elif self._found and not self._found[-1].party:
            self._found[-1].party = item

    def finish(self) -> list[Found]:
        if not self._found:
            return [Found(name=" ".join(self._texts))]
        last = self._found[-1]
        last.party = last.party or self._party
        if self._texts and not last.name:
            last.name = self._texts.pop(0)
        last.note = ", ".join(filter(None, [last.note, *self._texts]))
        return self._found


def parted(item: str) -> tuple[str, str, str]:
    """Name, address and what follows, of `Ann Lee <ann@example.org>` and its like."""
    if bracketed := _BRACKETED.fullmatch(item):
        name, address, rest = bracketed["name"], bracketed["address"], bracketed["rest"]
    else:
        words = item.split()
        at = next((place for place, word in enumerate(words) if "@" in word), 0)
        name, rest = " ".join(words[:at]), " ".join(words[at + 1 :])
        address = words[at] if words else ""
    name = name.strip(_QUOTES)
    address = address.strip(_QUOTES + "()[]<>").removeprefix("mailto:")
    return ("" if "@" in name else name), address, rest.strip()
