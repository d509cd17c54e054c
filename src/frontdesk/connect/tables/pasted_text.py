"""Finds people in pasted text: names, addresses and numbers, in any usual order."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_BULLET = re.compile(r"\s*(?:[-*•·▪–—]|\d{1,4}[.)])\s+")
_NUMBER = re.compile(r"\+?\s?\d{1,4}")
_BRACKETED = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>(?P<rest>[^<>]*)")
_QUOTES = "\"'“”„‘’«» \u00a0"


@dataclass(slots=True)
class PastedPerson:
    """A person as written in the text, not validated."""

    name: str = ""
    address: str = ""
    party: str = ""
    extra: str = ""
    answer: str = ""
    note: str = ""


def cells_of(line: str) -> list[str]:
    """Splits a pasted line at its tabs, or else its semicolons, or else its commas."""
    if not line:
        return []
    line = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    separator = next((sign for sign in "\t;" if sign in line), ",")
    return _split(line, separator)


def _split(line: str, separator: str) -> list[str]:
    """Splits outside of quotation marks."""
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:  # a cell is too long for the parser
        return line.split(separator)


def people_in(cells: Sequence[str]) -> Iterator[PastedPerson]:
    """Yields everyone in a row; at least one person, even without an address.

    A name is before its address; one that is left after the last address belongs to it.
    """
    reader = _PersonRows()
    for cell in cells:
        for item in _items(cell):
            yield from reader.read(item)
    yield reader.last()


def _items(cell: str) -> Iterator[str]:
    """Splits a cell that has several addresses."""
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


class _PersonRows:
    """Reads a row; a person is complete when the next one starts."""

    def __init__(self) -> None:
        self._person: PastedPerson | None = None
        self._texts: list[str] = []
        self._party = ""

    def read(self, item: str) -> Iterator[PastedPerson]:
        item = item.strip()
        if "@" in item:
            if self._person is not None:
                yield self._person
            self._person = self._addressed(item)
        elif _NUMBER.fullmatch(item):
            self._number(item)
        elif item:
            self._texts.append(item)

    def _addressed(self, item: str) -> PastedPerson:
        name, address, rest = split_person(item)
        names = ", ".join([*self._texts, name]) if name else " ".join(self._texts)
        fields = (
            {"party": rest} if _NUMBER.fullmatch(rest) else {"party": self._party, "note": rest}
        )
        self._texts, self._party = [], ""
        return PastedPerson(names, address, **fields)

    def _number(self, item: str) -> None:
        """Takes a party size. A number at the very start is a line number."""
        if self._texts:
            self._party = item
        elif self._person is not None and not self._person.party:
            self._person.party = item

    def last(self) -> PastedPerson:
        """Returns the last person with the remaining texts, or these as the name."""
        person = self._person
        if person is None:
            return PastedPerson(name=" ".join(self._texts))
        person.party = person.party or self._party
        if self._texts and not person.name:
            person.name = self._texts.pop(0)
        person.note = ", ".join(filter(None, [person.note, *self._texts]))
        return person


def split_person(item: str) -> tuple[str, str, str]:
    """Returns name, address and rest of `Ann Lee <ann@example.org>` and similar texts."""
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
