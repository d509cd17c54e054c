"""Each function may do what it does and nothing else, as the journeys show."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.aws.grants import Grant, covers, used
from tests.aws.played import JOURNEYS, Played

pytestmark = pytest.mark.needs("ministack")

#: The path of a file for the grants of this run: compare several runs before editing the list.
WRITE_DOWN = os.environ.get("FRONTDESK_GRANTS", "")
#: Grants that no journey uses, with the reason for each.
NOT_PLAYED = Path(__file__).parent / "not_played.toml"


class Listed(NamedTuple):
    """An entry of NOT_PLAYED."""

    why: str
    sometimes: bool
    """Depends on timing: not every run uses it."""
    grants: frozenset[Grant]


@pytest.mark.timeout(1800)  # waits for journeys of other processes
@pytest.mark.spec("FD-18")
def test_every_granted_permission_is_used(request: pytest.FixtureRequest, played: Played) -> None:
    """If a journey failed, it may not have used all its grants, so unused grants are not
    reported."""
    journeys = {item.nodeid for item in request.session.items if item.path in JOURNEYS}
    all_passed = all(played.all_of(journeys).values())
    listed, granted, uses = _listed(), played.granted(), set(used(played.recorded()))
    known = {grant for each in listed for grant in each.grants}
    of_chance = {grant for each in listed if each.sometimes for grant in each.grants}
    unused = {grant for grant in granted if not any(covers(grant, use) for use in uses)}

    if WRITE_DOWN:
        found = {"unused": sorted(unused), "used": sorted(uses)}
        Path(WRITE_DOWN).write_text(json.dumps(found))
    assert {
        "nobody says why": sorted(unused - known) if all_passed else [],
        "is used after all": sorted((known & granted) - unused - of_chance),
        "is not granted": sorted(known - granted),
    } == {"nobody says why": [], "is used after all": [], "is not granted": []}


def test_each_unused_grant_has_one_reason() -> None:
    listed = _listed()
    assert [each.grants for each in listed if not (each.why and each.grants)] == []
    assert [
        (one.why, other.why, sorted(twice))
        for one, other in combinations(listed, 2)
        if (twice := one.grants & other.grants)
    ] == []


def _listed() -> list[Listed]:
    found = tomllib.loads(NOT_PLAYED.read_text("utf-8"))
    return [
        Listed(entry.pop("why", ""), entry.pop("sometimes", False), _grants(function, entry))
        for function, entries in found.items()
        for entry in entries
    ]


def _grants(function: str, entry: Mapping[str, list[str]]) -> frozenset[Grant]:
    return frozenset(
        Grant(function, action, resource)
        for action, resources in entry.items()
        for resource in resources
    )
