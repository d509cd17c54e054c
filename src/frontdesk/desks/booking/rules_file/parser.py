"""Parses `rules.yml` into rules, or into a list of precise errors."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from frontdesk.core.yaml_tree import YamlMap, YamlNode, YamlProblem, YamlText, parse_yaml
from frontdesk.desks.booking.rules import (
    Blackout,
    BookingRules,
    PartOfDay,
    Preference,
    Resource,
    ResourceId,
    ResourceKind,
    slug_of,
)
from frontdesk.desks.booking.rules_file.groups import Group, folded, item_with, read_group
from frontdesk.desks.booking.rules_file.problems import Problems, nearest, quoted
from frontdesk.desks.booking.rules_file.resources import business_dates, caps_of, resource_of
from frontdesk.desks.booking.rules_file.schema import FILE, MOST_RESOURCES
from frontdesk.desks.booking.rules_file.services import KnownResources, service_of
from frontdesk.features.catalogue.model import MOST_CALLED
from frontdesk.values import Frozen

#: The rules are saved as one row, and DynamoDB has rows of at most 400 KB.
MOST_SAVED_BYTES: Final = 300_000
#: The parts of the file with resources, and the kind of each.
RESOURCES: Final = {
    "staff": ResourceKind.STAFF,
    "rooms": ResourceKind.ROOM,
    "devices": ResourceKind.DEVICE,
}
#: Fields of the rules that have the value of their key.
_PLAIN: Final = (
    "proposals",
    "hold_for",
    "hold_proposals",
    "quiet",
    "event_title",
    "certain_from",
    "tone",
    "calendar_max_age",
)
_PLACEHOLDERS: Final = ("service", "first_name", "name", "party", "price")
_PLACEHOLDER: Final = re.compile("|".join(rf"\{{{each}\}}" for each in _PLACEHOLDERS))


class ParsedRules(Frozen):
    """The rules; None if there are problems."""

    rules: BookingRules | None
    problems: tuple[YamlProblem, ...] = ()


def parse_rules(text: str, zone: str = "UTC") -> ParsedRules:
    """Never raises. `zone` is the time zone of the business."""
    tree = parse_yaml(text.removeprefix("\ufeff"))
    problems = Problems(tree.problems)
    if tree.root is None and tree.problems:
        return ParsedRules(None, problems.sorted())
    root = tree.root or YamlMap((), 1, 1, 0, 0, False)
    if isinstance(root, YamlText) and root.is_empty:
        root = YamlMap((), 1, 1, 0, 0, False)
    group = read_group(FILE, root, problems)
    rules = _rules(group, root, zone, problems) if group else None
    if rules is not None and len(msgspec.json.encode(rules)) > MOST_SAVED_BYTES:
        why = "these rules are too large; delete past dates, or name fewer staff for each service"
        problems.add(root, why)
    if found := problems.sorted():
        return ParsedRules(None, found)
    return ParsedRules(rules)


def _rules(group: Group, root: YamlNode, zone: str, problems: Problems) -> BookingRules:
    hours = group.get("hours", ((),) * 7)
    resources = _resources(group, hours, problems)
    known = KnownResources(resources, _ids_in(root), _pools(group, root, problems))
    services = tuple(
        made
        for name, one in group.get("services", ())
        if (made := service_of(name, one, group.get("all_services"), known, problems))
    )
    _check_names(group, problems)
    _check_addresses(group, problems)
    plain = {name: group.values[name] for name in _PLAIN if name in group.values}
    _check_title(group, problems)
    return BookingRules(
        zone=zone,
        hours=hours,
        closed=business_dates(group),
        blackouts=_blackouts(group, problems),
        caps=caps_of(group),
        services=services,
        resources=resources,
        parts_of_day=_parts(group, problems),
        ranking=_ranking(group, problems),
        reminders=tuple(sorted(set(group.get("reminders", _DEFAULT.reminders)), reverse=True)),
        **plain,
    )


_DEFAULT: Final = BookingRules()


def _resources(group: Group, hours: Any, problems: Problems) -> tuple[Resource, ...]:
    found: dict[str, Resource] = {}
    names: dict[str, str] = {}
    for part, kind in RESOURCES.items():
        for resource_id, one in group.get(part, ()):
            made = resource_of(ResourceId(resource_id), one, kind, hours, problems)
            if resource_id in found:
                problems.add(one.node, f"{quoted(resource_id)} is there twice; choose another id")
            elif (other := names.get(made.name.casefold())) and kind is ResourceKind.STAFF:
                said = f"{quoted(made.name)} is the name of {quoted(other)} already"
                problems.add(one.node, f"{said}; write another name")
            if kind is ResourceKind.STAFF:
                names[made.name.casefold()] = resource_id
            found[resource_id] = made
    if len(found) > MOST_RESOURCES:
        problems.add(group.node, f"there are too many; write at most {MOST_RESOURCES} in all")
    return tuple(found.values())


def _ids_in(root: YamlNode) -> frozenset[str]:
    """All ids in the file, including those of resources with wrong values."""
    parts = root.pairs if isinstance(root, YamlMap) else ()
    return frozenset(
        pair.key.text
        for part in parts
        if folded(part.key.text) in RESOURCES and isinstance(part.value, YamlMap)
        for pair in part.value.pairs
    )


def _pools(group: Group, root: YamlNode, problems: Problems) -> dict[str, tuple[ResourceId, ...]]:
    ids, pools = _ids_in(root), {}
    written = group.place_of("pools")
    for key, members in group.get("pools", ()):
        if key.text in ids:
            said = f"{quoted(key.text)} is the id of a resource already"
            problems.add(key, f"{said}; choose another name for the pool")
        for member in members:
            if member not in ids:
                pool = written.get(key.text) if isinstance(written, YamlMap) else None
                place = item_with(pool, member) if pool else None
                problems.add(place or key, unknown_id(member, ids))
        if not members:
            problems.add(key, "the pool is empty; write at least one id")
        unique = tuple(dict.fromkeys(ResourceId(each) for each in members))
        pools[key.text] = unique
    return pools


def unknown_id(text: str, known: frozenset[str]) -> str:
    close = nearest(text, known)
    write = f'did you mean "{close}"?' if close else "add it to staff, rooms, devices or pools"
    return f"{quoted(text)} is not known; {write}"


def _check_names(group: Group, problems: Problems) -> None:
    """Adds a problem for each name or alias that is not unique: people type them."""
    owner: dict[str, str] = {}
    for name, one in group.get("services", ()):
        for each in (name, *one.get("aliases", ())):
            other = owner.setdefault(each.casefold(), name)
            if other is not name or (each is not name and each.casefold() == name.casefold()):
                what = "this service" if other is name else quoted(other)
                place = one.node if each is name else one.place_of("aliases", each)
                problems.add(place, f"{quoted(each)} names {what} already; write another")
        if len(owner) > MOST_CALLED:
            problems.add(
                one.node, f"there are too many names and aliases; write at most {MOST_CALLED}"
            )
        if len(set(map(str.casefold, one.get("aliases", ())))) < len(one.get("aliases", ())):
            problems.add(one.place_of("aliases"), "an alias is there twice; write each once")


def _check_addresses(group: Group, problems: Problems) -> None:
    """Adds a problem for services whose names differ in punctuation alone: they share a URL."""
    owner: dict[str, str] = {}
    for name, one in group.get("services", ()):
        other = owner.setdefault(slug_of(name), name)
        if other.casefold() != name.casefold():
            said = f"{quoted(name)} would have the address of {quoted(other)}"
            problems.add(one.node, f"{said}; write a name with another word")


def _check_title(group: Group, problems: Problems) -> None:
    """Allows only plain placeholders: one such as '{service:>9999999}' would use all memory."""
    left = _PLACEHOLDER.sub("", group.get("event_title", ""))
    if "{" in left or "}" in left:
        known = ", ".join(f"{{{each}}}" for each in _PLACEHOLDERS)
        place = group.place_of("event_title")
        problems.add(place, f"the title may use {known}; write no other braces")


def _blackouts(group: Group, problems: Problems) -> tuple[Blackout, ...]:
    names = {
        each.casefold(): name
        for name, one in group.get("services", ())
        for each in (name, *one.get("aliases", ()))
    }
    found = []
    for one in group.get("blackouts", ()):
        dates = one.get("on")
        for each in one.get("services", ()):
            if each.casefold() not in names:
                close = nearest(each, names.values())
                write = f'did you mean "{close}"?' if close else "write the name of a service"
                place = one.place_of("services", each)
                problems.add(place, f"{quoted(each)} is no service; {write}")
        if dates is not None:
            services = tuple(names.get(each.casefold(), each) for each in one.get("services", ()))
            period, note = one.get("hours"), one.get("note", "")
            blackout = Blackout(dates.first_on, dates.last_on, period, services, note, one.line)
            found.append(blackout)
    return tuple(found)


def _parts(group: Group, problems: Problems) -> tuple[PartOfDay, ...]:
    parts = group.get("parts_of_day")
    if parts is None:
        return ()
    found = []
    for target, period in parts.values.items():
        name = target.replace("_", " ")
        if period.end > 24 * 60:
            place = parts.place_of(target)
            problems.add(place, f"{quoted(name)} ends after midnight; end it at 24:00")
        found.append(PartOfDay(name, period))
    return tuple(found)


def _ranking(group: Group, problems: Problems) -> tuple[Preference, ...]:
    ranking = group.get("ranking")
    if ranking is None:
        return _DEFAULT.ranking
    if len(set(ranking)) < len(ranking):
        problems.add(group.place_of("ranking"), "a preference is there twice; write each once")
    return tuple(Preference(each) for each in ranking)
