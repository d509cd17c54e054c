"""The reference page and the JSON Schema of `rules.yml`, made from its schema."""

from __future__ import annotations

from typing import Any, Final

from frontdesk.desks.booking.rules_file.groups import Key, Section
from frontdesk.desks.booking.rules_file.schema import FILE, SECTIONS

EXAMPLE: Final = """\
hours: {mon-fri: 9:00-12:30 13:30-18:00, sat: 9:00-14:00}
closed: [{on: 2026-12-24..2026-12-26, note: Christmas}]

staff:
  mira:
    name: Mira
    hours: {tue-sat: 10:00-18:00}
    breaks: {daily: 12:30-13:00}
    away: [2026-12-01..2026-12-05]
  ana: {name: Ana}
rooms:
  chair-1: {name: Chair 1}
  chair-2: {name: Chair 2}
pools: {chairs: [chair-1, chair-2]}

all services: {notice: 4 hours, cancel until: 24 hours}
services:
  Haircut: {minutes: 45, price: 55, needs: [chairs], aliases: [cut, trim]}
  Colour:
    minutes: 120
    price: 120
    staff: [mira]
    needs: [chairs]
    buffer: {after: 15}
    approval: first visit
    questions: [{ask: Do you have allergies?, required: yes}]
"""
_INTRODUCTION: Final = """\
# The rules of bookings: `rules.yml`

Everything that decides about bookings is in one file: services, team, hours, limits and
preferences. Edit it in the console under Bookings, Rules, which checks it as you type, or as a
file; `frontdesk rules check FILE` checks it on the command line. An edit is in force at once. A
file with a mistake changes nothing: the last good rules stay in force, and each mistake is shown
with its line and with what to write instead.

This page is printed by `frontdesk rules reference`; `frontdesk rules schema` prints a JSON Schema
for editors.

```yaml
{example}```

All times are local, and on 5 minutes. A range such as `22:00-2:00` ends on the next day. Weekdays
are `mon` to `sun`, `mon-fri`, `mon, wed`, `weekdays`, `weekend` or `daily`. Text needs quotes only
if YAML does: if it contains `: ` or ` #`, or begins with a sign.
"""


def reference_page() -> str:
    """The page `docs/rules.md`."""
    parts = [_INTRODUCTION.replace("{example}", EXAMPLE), *map(_section, SECTIONS)]
    return "\n".join(parts).rstrip("\n") + "\n"


def _section(section: Section) -> str:
    head = f"## {section.title[0].upper()}{section.title[1:]}" if section is not FILE else "## Keys"
    lines = [head, "", section.about, "", "| key | value | default | example |"]
    lines += ["| --- | --- | --- | --- |", *map(_row, section.keys), ""]
    return "\n".join(lines)


def _row(key: Key) -> str:
    default = "**required**" if key.required else key.default or "none"
    value = f"{key.about} {key.kind.called[0].upper()}{key.kind.called[1:]}."
    return f"| `{key.name}` | {value} | {default} | `{key.example}` |".replace("\n", " ")


def json_schema() -> dict[str, Any]:
    """A schema for editors that complete and check YAML. The parser checks more."""
    others = {one.title: _object(one) for one in SECTIONS if one is not FILE}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The rules of bookings",
        **_object(FILE),
        "$defs": others,
    }


def _object(section: Section) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "type": "object",
        "description": section.about,
        "additionalProperties": False,
        "properties": {
            key.name: {**key.kind.json, "description": key.about, "examples": [key.example]}
            for key in section.keys
        },
        "required": [key.name for key in section.keys if key.required],
    }
    if not section.short:
        return whole
    return {"anyOf": [{"type": "string"}, whole], "description": section.about}
