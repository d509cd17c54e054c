"""Keeps `rules.yml` and the catalogue equal: converts changes of one into changes of the other."""

from __future__ import annotations

from typing import Final

from frontdesk.core.yaml_edit import CannotEdit, find, plain, put
from frontdesk.core.yaml_tree import YamlMap
from frontdesk.desks.booking.rules import BookingRules, ResourceKind
from frontdesk.desks.booking.rules_file import edits
from frontdesk.desks.booking.rules_file.resource_schema import MOST_CAPACITY
from frontdesk.features.catalogue.model import Catalogue, Service

#: The resource of services in a business without staff.
_PLACE: Final = "place"
_DEFAULT: Final = """\
# The rules of your bookings. Everything is explained beside the editor.
# An edit is in force as soon as it is saved; a mistake changes nothing.

hours: {mon-fri: 9:00-18:00}

# Dates on which you are closed:
# closed: [{on: 2026-12-24..2026-12-26, note: Christmas}]

"""
#: Commented-out examples for a business without services.
_EXAMPLES: Final = {
    "staff": """\
# Your team. Take the # away, and write your own names:
# staff:
#   mira: {name: Mira}
#   ana: {name: Ana, hours: {tue-sat: 10:00-18:00}}

""",
    "services": """\
# Your services, with minutes and price:
# services:
#   Haircut: {minutes: 45, price: 55}
#   Colour: {minutes: 120, price: 120}
""",
}


def catalogue_of(rules: BookingRules, currency: str) -> Catalogue:
    """The services and staff of the rules. The rules do not contain the currency."""
    staff = (one.name for one in rules.resources if one.kind is ResourceKind.STAFF)
    services = (
        Service(
            name=one.name,
            duration=one.duration,
            price_cents=one.price_cents,
            most=one.most,
            aliases=one.aliases,
            unlisted=one.unlisted,
        )
        for one in rules.services
    )
    return Catalogue(tuple(services), tuple(staff), currency)


def default_rules(catalogue: Catalogue) -> str:
    """The first rules of a business: its services and staff, with usual hours."""
    text, ids = _DEFAULT, set[str]()
    if catalogue.staff:
        text += "staff:\n"
    elif not catalogue.services:
        text += _EXAMPLES["staff"]
    for name in catalogue.staff:
        ids.add(new := edits.new_id(name, ids))
        text += f"  {new}: {edits.staff_text(name)}\n"
    if not catalogue.services:
        return text + _EXAMPLES["services"]
    if not ids:
        most = min(max(one.most for one in catalogue.services), MOST_CAPACITY)
        capacity = f", capacity: {most}" if most > 1 else ""
        text += f"rooms:\n  {_PLACE}: {{name: Our place{capacity}}}\n"
    needs = "" if ids else _PLACE
    lines = (
        f"  {plain(one.name)}: {edits.service_text(one, needs)}\n" for one in catalogue.services
    )
    return f"{text}services:\n{''.join(lines)}"


def follow(text: str, before: Catalogue, after: Catalogue) -> str:
    """The text with the changes from one catalogue to another. Raises `CannotEdit`."""
    text = _follow_services(text, before.services, after.services)
    return _follow_staff(text, before.staff, after.staff)


def _follow_services(text: str, before: tuple[Service, ...], after: tuple[Service, ...]) -> str:
    renamed = _renamed([one.name for one in before], [one.name for one in after])
    wanted = {one.name: one for one in after}
    kept = set()
    for one in before:
        name = renamed.get(one.name, one.name)
        kept.add(name)
        if name in wanted:
            text = edits.change_service(text, one, wanted[name])
        else:
            text = edits.remove_service(text, one.name)
    for one in after:
        if one.name not in kept:
            text = _add(text, one)
    return text


def _follow_staff(text: str, before: tuple[str, ...], after: tuple[str, ...]) -> str:
    renamed = _renamed(list(before), list(after))
    for name in after:
        if name not in before and name not in renamed.values():
            text = edits.add_staff(text, name)
    for name in before:
        if name in renamed:
            text = edits.rename_staff(text, _staff_id(text, name), renamed[name])
        elif name not in after:
            text = edits.remove_staff(text, _staff_id(text, name))
    return text


def _renamed(before: list[str], after: list[str]) -> dict[str, str]:
    """Recognises a renaming: one name is removed, and another is in its place."""
    if len(before) != len(after):
        return {}
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    is_one = len(pairs) == 1 and pairs[0][0] not in after and pairs[0][1] not in before
    return dict(pairs) if is_one else {}


def _staff_id(text: str, name: str) -> str:
    node = find(text, ("staff",))
    for pair in node.pairs if isinstance(node, YamlMap) else ():
        shown = pair.value.get("name") if isinstance(pair.value, YamlMap) else None
        if getattr(shown, "text", "") == name or pair.key.text == name:
            return pair.key.text
    raise CannotEdit(f"there is nobody with the name {name}")


def _add(text: str, service: Service) -> str:
    """Adds a service. Without staff, it needs the first room or device."""
    if edits.keys_of(text, "staff"):
        return edits.add_service(text, service)
    rooms = [*edits.keys_of(text, "rooms"), *edits.keys_of(text, "devices")]
    if not rooms:
        text = put(text, ("rooms", _PLACE), "{name: Our place}")
    return edits.add_service(text, service, (rooms or [_PLACE])[0])
