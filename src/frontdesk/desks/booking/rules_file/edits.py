"""Edits `rules.yml` as the console does: hours, time off, services and staff.

All functions return the new text; comments, order and layout of the rest stay. They raise
`CannotEdit` if the text cannot be edited in place.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from datetime import date
from typing import Final

from frontdesk.core.yaml_edit import (
    CannotEdit,
    Path,
    append,
    edit_items,
    find,
    plain,
    put,
    remove,
    rename,
)
from frontdesk.core.yaml_tree import YamlList, YamlMap, YamlText
from frontdesk.desks.booking.rules import Period, WeekHours
from frontdesk.desks.booking.rules_file.groups import slug
from frontdesk.desks.booking.rules_file.kinds import MINUTE
from frontdesk.desks.booking.rules_file.parser import RESOURCES
from frontdesk.desks.booking.rules_file.problems import Problems
from frontdesk.desks.booking.rules_file.resource_schema import MOST_CAPACITY
from frontdesk.desks.booking.rules_file.time_kinds import DAYS, range_text, read_days, read_ranges
from frontdesk.features.catalogue.model import Service

CLOSED: Final = "closed"


# --- hours ------------------------------------------------------------------------------------


def set_hours(text: str, resource_id: str, week: WeekHours) -> str:
    """Sets the week's hours of a resource, or of the business if the id is empty."""
    path = (*resource_path(text, resource_id), "hours") if resource_id else ("hours",)
    node = find(text, path)
    if not isinstance(node, YamlMap) or not node.pairs:
        return put(text, path, week_text(week))
    written = [(pair.key.text, read_days(pair.key.text)) for pair in node.pairs]
    if any(days is None for _, days in written):
        return put(text, path, week_text(week))
    left = set(range(7))
    for key, days in written:
        left.difference_update(days or ())
        text = _set_days(text, path, key, days or (), week)
    for group in grouped(week, sorted(left)):
        if week[group[0]]:
            text = put(text, (*path, days_text(group)), ranges_text(week[group[0]]))
    return text


def use_business_hours(text: str, resource_id: str) -> str:
    """Removes the hours of a resource, so that those of the business apply."""
    return remove(text, (*resource_path(text, resource_id), "hours"))


def _set_days(text: str, path: Path, key: str, days: Sequence[int], week: WeekHours) -> str:
    """Sets the hours of days that share one line. Splits the line if they are different."""
    first, *others = grouped(week, days)
    if others:
        text = rename(text, (*path, key), days_text(first))
        key = days_text(first)
    node = find(text, (*path, key))
    wanted = ranges_text(week[first[0]])
    if not isinstance(node, YamlText) or _ranges_in(node.text) != wanted:
        text = put(text, (*path, key), wanted)
    for group in others:
        text = put(text, (*path, days_text(group)), ranges_text(week[group[0]]))
    return text


def _ranges_in(text: str) -> str:
    """The hours of a text in the usual form, so that equal hours compare equal."""
    periods = read_ranges(YamlText(text, 0, 0, 0, 0), Problems())
    return "" if periods is None else ranges_text(periods)


def grouped(week: WeekHours, days: Sequence[int]) -> list[list[int]]:
    """Groups consecutive days with the same hours."""
    groups: list[list[int]] = []
    for day in days:
        is_same = groups and groups[-1][-1] == day - 1
        if is_same and _times(week[day]) == _times(week[groups[-1][0]]):
            groups[-1].append(day)
        else:
            groups.append([day])
    return groups


def _times(periods: Sequence[Period]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in periods]


def week_text(week: WeekHours) -> str:
    """'{mon-fri: 9:00-17:00, sat: 9:00-14:00}'."""
    groups = (days for days in grouped(week, range(7)) if week[days[0]])
    return f"{{{', '.join(f'{days_text(days)}: {ranges_text(week[days[0]])}' for days in groups)}}}"


def days_text(days: Sequence[int]) -> str:
    return DAYS[days[0]] if len(days) == 1 else f"{DAYS[days[0]]}-{DAYS[days[-1]]}"


def ranges_text(periods: Sequence[Period]) -> str:
    return " ".join(range_text(one) for one in periods) or "closed"


def add_time_off(
    text: str,
    resource_id: str,
    *,
    first_on: date,
    last_on: date,
    hours: Sequence[Period] = (),
    note: str = "",
) -> str:
    """Adds time off of a resource, or closed days of the business if the id is empty."""
    on = f"{first_on}" if first_on == last_on else f"{first_on}..{last_on}"
    parts = [f"on: {on}"]
    if hours:
        parts.append(f"hours: {ranges_text(hours)}")
    if note:
        parts.append(f"note: {plain(note)}")
    path = (*resource_path(text, resource_id), "away") if resource_id else (CLOSED,)
    return append(text, path, f"{{{', '.join(parts)}}}")


# --- staff ------------------------------------------------------------------------------------


def resource_path(text: str, resource_id: str) -> Path:
    for part in RESOURCES:
        if find(text, (part, resource_id)) is not None:
            return (part, resource_id)
    raise CannotEdit(f"there is no {resource_id}")


def add_staff(text: str, name: str) -> str:
    """Adds a staff member with a new id that is made from the name."""
    taken = {key for part in (*RESOURCES, "pools") for key in keys_of(text, part)}
    return put(text, ("staff", new_id(name, taken)), staff_text(name))


def new_id(name: str, taken: Container[str]) -> str:
    stem = slug(name)[:36].strip("-") or "staff"
    numbered = (stem if n == 1 else f"{stem}-{n}" for n in range(1, 1_000))
    return next(each for each in numbered if each not in taken)


def staff_text(name: str) -> str:
    return f"{{name: {plain(name)}}}"


def rename_staff(text: str, resource_id: str, name: str) -> str:
    """Changes the name; the id stays, because bookings keep it."""
    old = _name_of(text, resource_id)
    text = put(text, (*resource_path(text, resource_id), "name"), plain(name))
    return edit_items(
        text,
        [("services", service, "staff") for service in keys_of(text, "services")],
        lambda each: resource_id if each.casefold() == old.casefold() else each,
    )


def remove_staff(text: str, resource_id: str) -> str:
    """Removes a staff member from the team, the pools and the services.

    Raises `CannotEdit` if a service or pool would have nobody left: the owner has to decide.
    """
    name = _name_of(text, resource_id).casefold()

    def left(each: str) -> str | None:
        return None if each == resource_id or each.casefold() == name else each

    lists: list[Path] = [("pools", each) for each in keys_of(text, "pools")]
    for part in ("staff", "needs"):
        lists += [("services", each, part) for each in keys_of(text, "services")]
    had = [path for path in lists if not _is_empty(text, path)]
    text = edit_items(text, lists, left)
    for path in had:
        if _is_empty(text, path):
            raise CannotEdit(f"{path[1]} needs {resource_id}; name somebody else there first")
    return remove(text, resource_path(text, resource_id))


def _name_of(text: str, resource_id: str) -> str:
    node = find(text, (*resource_path(text, resource_id), "name"))
    return node.text if isinstance(node, YamlText) and node.text else resource_id


def _is_empty(text: str, path: Path) -> bool:
    """Whether there is no such list, or nothing in it."""
    node = find(text, path)
    return node is None or (isinstance(node, YamlList) and not node.items)


def keys_of(text: str, part: str) -> list[str]:
    node = find(text, (part,))
    return [pair.key.text for pair in node.pairs] if isinstance(node, YamlMap) else []


# --- services ---------------------------------------------------------------------------------


def add_service(text: str, service: Service, needs: str = "") -> str:
    """Adds a service. `needs` is the id of a room or device, for a business without staff."""
    return put(text, ("services", service.name), service_text(service, needs))


def service_text(service: Service, needs: str = "") -> str:
    """'{minutes: 45, price: 55}'."""
    parts = [f"{key}: {value}" for key, value in _parts(service).items() if value]
    parts += [f"needs: [{needs}]"] if needs else []
    return f"{{{', '.join(parts)}}}"


def change_service(text: str, before: Service, after: Service) -> str:
    """Writes the keys that differ, and renames the service if its name differs."""
    if before.name != after.name:
        text = rename_service(text, before.name, after.name)
    old, new = _parts(before), _parts(after)
    for key, value in new.items():
        if value != old[key]:
            path = ("services", after.name, key)
            text = put(text, path, value) if value else remove(text, path)
    return text


def rename_service(text: str, before: str, after: str) -> str:
    text = rename(text, ("services", before), after)
    node = find(text, ("blackouts",))
    for index, item in enumerate(getattr(node, "items", ())):
        if isinstance(item, YamlMap) and item.get("services") is not None:
            text = _rename_in_blackout(text, index, before, after)
    return text


def _rename_in_blackout(text: str, index: int, before: str, after: str) -> str:
    items = getattr(find(text, ("blackouts",)), "items", ())
    services = items[index].get("services")
    for each in getattr(services, "items", (services,)):
        if isinstance(each, YamlText) and each.text.casefold() == before.casefold():
            return text[: each.start] + plain(after) + text[each.end :]
    return text


def remove_service(text: str, name: str) -> str:
    return remove(text, ("services", name))


def _parts(service: Service) -> Mapping[str, str]:
    """The keys of a service that the catalogue knows, within the limits of the rules. Empty values
    mean missing keys."""
    minutes = -(-(service.duration // MINUTE) // 5) * 5
    most = min(service.most, MOST_CAPACITY)
    units, cents = divmod(service.price_cents, 100)
    price = "" if not service.price_cents else f"{units}.{cents:02d}" if cents else str(units)
    return {
        "minutes": str(minutes),
        "price": price,
        "party": str(most) if most != 1 else "",
        "aliases": f"[{', '.join(map(plain, service.aliases))}]" if service.aliases else "",
        "unlisted": "yes" if service.unlisted else "",
    }
