"""Builds services from the groups of `rules.yml`, and checks their needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from frontdesk.desks.booking.rules import (
    Approval,
    Need,
    Question,
    QuestionKind,
    Resource,
    ResourceId,
    ResourceKind,
    ServiceRules,
)
from frontdesk.desks.booking.rules_file.groups import Group, slug
from frontdesk.desks.booking.rules_file.problems import Problems, nearest, quoted
from frontdesk.desks.booking.rules_file.resources import caps_of
from frontdesk.desks.booking.rules_file.service_schema import MOST_NEEDS
from frontdesk.values import Frozen

#: A move writes (hours of the span + 1) × needs × 2 rows in one transaction.
MOST_ROWS: Final = 80
_HOUR: Final = timedelta(hours=1)
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
_PLAIN: Final = (
    "step",
    "offset",
    "notice",
    "horizon",
    "change_notice",
    "most_moves",
    "most_upcoming",
    "approve_within",
)


class KnownResources(Frozen):
    """The resources and pools that a service may need."""

    resources: tuple[Resource, ...]
    ids: frozenset[str]
    """All ids in the file, including those of resources with wrong values."""
    pools: Mapping[str, tuple[ResourceId, ...]]

    def staff(self) -> tuple[ResourceId, ...]:
        return tuple(one.id for one in self.resources if one.kind is ResourceKind.STAFF)


def service_of(
    name: str, group: Group, usual: Group | None, known: KnownResources, problems: Problems
) -> ServiceRules | None:
    """Builds a service. `usual` has the defaults of all services. Returns None if a problem makes
    the rest unreadable."""
    both = {**(usual.values if usual else {}), **group.values}
    buffer = both.get("buffer")
    needs = tuple(_needs(group, known, problems))
    if "duration" not in both:
        return None
    caps = group if "caps" in group.values else usual
    made = ServiceRules(
        name=name,
        duration=both["duration"],
        needs=needs,
        price_cents=both.get("price_cents", 0),
        most=both.get("most", 1),
        aliases=both.get("aliases", ()),
        buffer_before=buffer.get("before", timedelta()) if buffer else timedelta(),
        buffer_after=buffer.get("after", timedelta()) if buffer else timedelta(),
        caps=caps_of(caps) if caps else (),
        approval=Approval(both.get("approval", Approval.NEVER)),
        questions=tuple(_questions(both.get("questions", ()), problems)),
        unlisted=both.get("unlisted", False),
        colour=both.get("colour", ""),
        line=group.line,
        **{key: both[key] for key in _PLAIN if key in both},
    )
    _check(made, group, known, problems)
    return made


def _needs(group: Group, known: KnownResources, problems: Problems) -> Iterator[Need]:
    staff = group.get("staff")
    ids = known.staff() if staff is None else _listed(staff, group, known, problems)
    if ids:
        yield Need(ids, group.line_of("staff"))
    for each in group.get("needs", ()):
        if each in known.pools:
            yield Need(known.pools[each], group.line_of("needs"))
        elif each in known.ids:
            yield Need((ResourceId(each),), group.line_of("needs"))
        else:
            _add_unknown(each, {*known.ids, *known.pools}, group, "needs", problems)


def _listed(
    staff: tuple[str, ...], group: Group, known: KnownResources, problems: Problems
) -> tuple[ResourceId, ...]:
    """Finds the listed staff by id, or by name."""
    by_name = {one.name.casefold(): one.id for one in known.resources}
    found: dict[ResourceId, None] = {}
    for each in staff:
        if each in known.ids:
            found[ResourceId(each)] = None
        elif each.casefold() in by_name:
            found[by_name[each.casefold()]] = None
        else:
            _add_unknown(each, known.ids, group, "staff", problems)
    return tuple(found)


def _add_unknown(text: str, ids: Any, group: Group, target: str, problems: Problems) -> None:
    close = nearest(text, ids)
    write = f'did you mean "{close}"?' if close else "add it to staff, rooms, devices or pools"
    problems.add(group.place_of(target, text), f"{quoted(text)} is not known; {write}")


def _check(service: ServiceRules, group: Group, known: KnownResources, problems: Problems) -> None:
    count = len(service.needs)
    if not count and not problems.count:
        write = "staff: [id], or needs: [id]"
        if not known.ids:
            write = "your team first, like staff: {mira: {name: Mira}}"
        problems.add(group.node, f"{quoted(service.name)} needs somebody; write {write}")
    if count > MOST_NEEDS:
        said = f"a service has at most {MOST_NEEDS} needs, staff included"
        problems.add(group.place_of("needs"), f"{said}; name fewer, or make a pool of them")
    elif overlapping := _overlap(service):
        said = f"{quoted(overlapping)} is in two needs of {quoted(service.name)}"
        problems.add(group.place_of("needs", overlapping), f"{said}; name it once")
    span = service.duration + service.buffer_before + service.buffer_after
    hours = -(-span // _HOUR)
    if count <= MOST_NEEDS and count and (hours + 1) * count * 2 > MOST_ROWS:
        most = MOST_ROWS // (2 * count) - 1
        said = f"{quoted(service.name)} with its buffers takes more than {most} hours"
        problems.add(group.node, f"{said}; with {count} needs it may not, so write fewer minutes")
    if service.horizon <= service.notice:
        place = group.place_of("notice" if "notice" in group.values else "horizon")
        problems.add(place, "the notice is longer than one can book ahead; write a shorter notice")
    if service.colour and not _COLOUR.fullmatch(service.colour):
        said = f"{quoted(service.colour)} is not a colour"
        problems.add(group.place_of("colour"), f"{said}; write one like '#3366cc'")
    if service.offset >= service.step:
        place = group.place_of("offset" if "offset" in group.values else "step")
        problems.add(place, "the start offset must be shorter than the grid of starts")
    _check_party(service, group, known, problems)


def _overlap(service: ServiceRules) -> str:
    """A resource that two needs name, so that a claim might take it twice; '' if there is none."""
    seen: set[ResourceId] = set()
    for need in service.needs:
        if both := seen.intersection(need.anyone_of):
            return min(both)
        seen.update(need.anyone_of)
    return ""


def _check_party(
    service: ServiceRules, group: Group, known: KnownResources, problems: Problems
) -> None:
    """Adds a problem if no resource has enough places for the largest party. Resources with one
    place serve any party."""
    capacities = {one.id: one.capacity for one in known.resources}
    for need in service.needs:
        places = [capacities.get(each, service.most) for each in need.anyone_of]
        most = max(places, default=1)
        if 1 < most < service.most and min(places) > 1:
            said = f"a party of {service.most} does not fit: the capacity is {most}"
            problems.add(
                group.place_of("most"), f"{said}; write party: {most}, or a larger capacity"
            )


def _questions(groups: tuple[Group, ...], problems: Problems) -> Iterator[Question]:
    seen: set[str] = set()
    for one in groups:
        label, choices = one.get("label"), one.get("choices", ())
        if label is None:
            continue
        kind = QuestionKind(one.get("kind", QuestionKind.CHOICE if choices else QuestionKind.TEXT))
        if kind is QuestionKind.CHOICE and len(choices) < 2:
            problems.add(one.node, "a choice needs answers; write choices: [first, second]")
        if kind is not QuestionKind.CHOICE and choices:
            problems.add(one.node, "only a choice has choices; write kind: choice")
        question_id = one.get("id") or slug(label) or f"question-{len(seen) + 1}"
        if question_id in seen:
            problems.add(one.node, "this question is there twice; reword it, or give it an id")
        seen.add(question_id)
        yield Question(question_id, label, kind, choices, one.get("required", False), one.line)
