"""Reads groups of keys in `rules.yml` by tables of keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, Final

from frontdesk.core.yaml_tree import YamlList, YamlMap, YamlNode, YamlPair, YamlText
from frontdesk.desks.booking.rules_file.kinds import NAME, Kind
from frontdesk.desks.booking.rules_file.problems import Problems, nearest, quoted
from frontdesk.values import Frozen


class Key(Frozen):
    """One key of a group."""

    name: str
    kind: Kind
    about: str
    """One sentence for the reference page."""
    example: str
    default: str = ""
    """The value that applies if the key is missing, in words."""
    required: bool = False
    field: str = ""
    """The field of the value that it sets, if its name is another."""

    @property
    def target(self) -> str:
        return self.field or self.name.replace(" ", "_")


class Section(Frozen):
    """A group of keys. `short` is the key that a plain value stands for."""

    title: str
    about: str
    keys: tuple[Key, ...]
    short: str = ""

    def key(self, name: str) -> Key | None:
        return next((one for one in self.keys if one.name == name), None)


class Group(Frozen):
    """The values of one group by their targets, and their places in the file."""

    node: YamlNode
    values: dict[str, Any]
    places: dict[str, YamlPair]

    def get(self, target: str, default: Any = None) -> Any:
        return self.values.get(target, default)

    def line_of(self, target: str) -> int:
        """The line of a key; the line of the group if the key is missing."""
        return self.places[target].key.line if target in self.places else self.line

    def place_of(self, target: str, text: str = "") -> YamlNode:
        """The place of a value, or of one text in its list; the group if the key is missing."""
        if target not in self.places:
            return self.node
        value = self.places[target].value
        return (item_with(value, text) if text else None) or value

    @property
    def line(self) -> int:
        return self.node.line


def read_group(section: Section, node: YamlNode, problems: Problems) -> Group | None:
    """Reads a group, and leaves out wrong values. Adds a problem for each unknown, missing or wrong
    key. None if the node is not a group."""
    if not isinstance(node, YamlMap):
        short = section.key(section.short)
        if short is None or (isinstance(node, YamlText) and node.is_empty):
            first = section.keys[0]
            example = f"{{{first.name}: {first.example}}}"
            problems.add(node, f"this needs keys of its own; write them like {example}")
            return None
        value = short.kind.read(node, problems)
        return None if value is None else Group(node, {short.target: value}, {})
    values: dict[str, Any] = {}
    places: dict[str, YamlPair] = {}
    known = {one.name: one for one in section.keys}
    for pair in node.pairs:
        key = known.get(folded(pair.key.text))
        if key is None:
            problems.add(pair.key, _unknown(pair.key.text, known))
            continue
        value = key.kind.read(pair.value, problems)
        if value is not None:
            values[key.target], places[key.target] = value, pair
    given = {folded(pair.key.text) for pair in node.pairs}
    for key in section.keys:
        if key.required and key.name not in given:
            problems.add(node, f"{quoted(key.name)} is missing; write {key.name}: {key.example}")
    return Group(node, values, places)


def item_with(node: YamlNode, text: str) -> YamlText | None:
    """The item of a list with this text."""
    items = node.items if isinstance(node, YamlList) else ()
    found = (one for one in items if isinstance(one, YamlText) and one.text.strip() == text)
    return next(found, None)


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _unknown(text: str, known: Iterable[str]) -> str:
    close = nearest(text, known)
    write = f'did you mean "{close}"?' if close else f"there are {', '.join(known)}"
    return f"{quoted(text)} is not known here; {write}"


def _linked(section: Section) -> str:
    """A link to the section of the reference page."""
    return f"[{section.title}](#{section.title.replace(' ', '-')})"


def group_of(section: Section) -> Kind:
    return Kind(
        f"see {_linked(section)}",
        lambda node, problems: read_group(section, node, problems),
        {"$ref": f"#/$defs/{section.title}"},
    )


def named(
    section: Section, read_key: Callable[[YamlText, Problems], str | None], most: int
) -> Kind:
    """A group of groups, each under its own name."""

    def read(node: YamlNode, problems: Problems) -> tuple[tuple[str, Group], ...] | None:
        if isinstance(node, YamlText) and node.is_empty:
            return ()
        if not isinstance(node, YamlMap):
            problems.add(node, f"write each {section.title} under its own name")
            return None
        if len(node.pairs) > most:
            problems.add(node.pairs[most].key, f"there are too many; write at most {most}")
            return None
        found = []
        for pair in node.pairs:
            name = read_key(pair.key, problems)
            group = read_group(section, pair.value, problems)
            if name is not None and group is not None:
                found.append((name, Group(pair.key, group.values, group.places)))
        return tuple(found)

    json = {"type": "object", "additionalProperties": {"$ref": f"#/$defs/{section.title}"}}
    return Kind(f"names, each with its keys: see {_linked(section)}", read, json)


# --- names ------------------------------------------------------------------------------------

_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", re.ASCII)


def read_id(node: YamlText, problems: Problems) -> str | None:
    if _ID.fullmatch(node.text):
        return node.text
    better = slug(node.text)
    write = f'write "{better}", and the full name as name' if better else "write one like room-2"
    problems.add(node, f"{quoted(node.text)} is not an id of small letters, digits and -; {write}")
    return None


def slug(text: str) -> str:
    """'Čeněk Weiß' becomes 'cenek-weiss'."""
    letters = unicodedata.normalize("NFKD", text[:40].casefold())
    ascii_only = letters.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only)[:40].strip("-")


def read_name(node: YamlText, problems: Problems) -> str | None:
    name: str | None = NAME.read(node, problems)
    return name
