"""Each function may do what it does, and nothing else: the journeys show what it does."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.aws.outside import Outside
from tests.aws.stack import Stack

pytestmark = [pytest.mark.needs("ministack"), pytest.mark.xdist_group("aws")]


class Grant(NamedTuple):
    function: str
    action: str
    resource: str
    """Without what all of them begin with: 'table/ev-event', 'mail/*'."""


#: Permissions that AWS itself uses, not our code; the emulator does not check them. Lambda puts
#: failed calls into the queue.
BY_AWS = (
    "logs:*",
    "dynamodb:DescribeStream",
    "dynamodb:GetRecords",
    "dynamodb:GetShardIterator",
    "dynamodb:ListStreams",
    "iam:PassRole",
    "sqs:SendMessage",
)

#: The path of a file for the grants of this run: compare several runs before editing the list.
WRITE_DOWN = os.environ.get("FRONTDESK_GRANTS", "")
#: Grants that no journey uses, with the reason for each.
NOT_PLAYED = Path(__file__).parent / "not_played.toml"


class Listed(NamedTuple):
    """An entry of that list."""

    why: str
    sometimes: bool
    """Depends on timing: only some runs need it."""
    grants: frozenset[Grant]


@pytest.mark.spec("FD-18")
def test_nothing_is_granted_that_nobody_needs(
    stack: Stack, outside: Outside, reminding: Stack
) -> None:
    listed, granted = _listed(), set(_granted(stack))
    used = {*_used(stack), *_used(outside.stack), *_used(reminding)}
    known = {grant for each in listed for grant in each.grants}
    of_chance = {grant for each in listed if each.sometimes for grant in each.grants}
    unused = {grant for grant in granted if not any(_covers(grant, use) for use in used)}

    if WRITE_DOWN:
        found = {"unused": sorted(unused), "used": sorted(used)}
        Path(WRITE_DOWN).write_text(json.dumps(found))
    assert {
        "nobody says why": sorted(unused - known),
        "is used after all": sorted((known & granted) - unused - of_chance),
        "is not granted": sorted(known - granted),
    } == {"nobody says why": [], "is used after all": [], "is not granted": []}


def test_each_grant_that_is_not_played_has_one_reason() -> None:
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


def _covers(grant: Grant, use: Grant) -> bool:
    same = (grant.function, grant.action) == (use.function, use.action)
    return same and fnmatchcase(use.resource, grant.resource)


def _used(stack: Stack) -> Iterator[Grant]:
    for row in stack.recorded():
        if row.get("allowed"):
            yield Grant(row["by"].rpartition("/")[2], _one(row["asked"]), _short(row["of"]))


def _granted(stack: Stack) -> Iterator[Grant]:
    """Reads the deployed policies."""
    iam = stack.client("iam")
    for each in stack.functions.list_functions()["Functions"]:
        role, name = each["Role"].rpartition("/")[2], each["FunctionName"]
        for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]:
            document = iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
            for statement in document["Statement"]:
                for action in _as_list(statement["Action"]):
                    if not any(fnmatchcase(action, one) for one in BY_AWS):
                        for resource in _as_list(statement.get("Resource", "*")):
                            yield Grant(name, _one(action), _short(resource))


def _one(action: str) -> str:
    """GetItem and BatchGetItem need the same permission."""
    return action.replace(":BatchGetItem", ":GetItem")


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _short(arn: str) -> str:
    """Each deployment ends the names of its secrets in other letters."""
    name = arn.split(":", 5)[-1] if arn.startswith("arn:") else arn
    return re.sub(r"^(secret:.+)-[0-9a-f]{6}$", r"\1-*", name)
