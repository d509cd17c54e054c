"""Each function may do what it does, and nothing else: the journeys show what it does."""

from __future__ import annotations

import os
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.aws.stack import Stack

pytestmark = [pytest.mark.needs("ministack"), pytest.mark.xdist_group("aws")]


class Grant(NamedTuple):
    function: str
    action: str
    resource: str
    """Without what all of them begin with: 'table/ev-event', 'mail/*'."""


#: Asked for by AWS itself and not by our code; the emulator does not ask.
BY_AWS = ("logs:*", "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
BY_AWS_TOO = ("dynamodb:ListStreams", "iam:PassRole")

#: What no journey comes by: by function, by action. Written by script/measure-requests.
NOT_PLAYED = Path(__file__).parent / "not_played.toml"
WRITE = os.environ.get("FRONTDESK_MEASURE") == "write"
HEAD = """\
# What the functions are granted and no journey comes by: by function and action, the resources.
# Failures and rare days: dead letters, sends that are lost, a rush, erasing, parties, a call-off,
# drafts without a model, what the console shows of old mail. Whoever adds a grant plays it in a
# journey, or adds it here and can say when it is needed.
"""


@pytest.mark.spec("FD-18")
def test_nothing_is_granted_that_nobody_needs(stack: Stack) -> None:
    used = set(_used(stack))
    unused: defaultdict[str, defaultdict[str, list[str]]]
    unused = defaultdict(lambda: defaultdict(list))
    for grant in sorted(set(_granted(stack))):
        if not any(_covers(grant, use) for use in used):
            unused[grant.function][grant.action].append(grant.resource)

    if WRITE:
        NOT_PLAYED.write_text(_as_toml(unused))
    assert unused == tomllib.loads(NOT_PLAYED.read_text())


def _as_toml(unused: Mapping[str, Mapping[str, list[str]]]) -> str:
    lines = [HEAD]
    for function, actions in unused.items():
        lines.append(f"[{function}]")
        for action, resources in actions.items():
            lines += [f'"{action}" = [', *(f'    "{each}",' for each in resources), "]"]
        lines.append("")
    return "\n".join(lines)


def _covers(grant: Grant, use: Grant) -> bool:
    same = (grant.function, grant.action) == (use.function, use.action)
    return same and fnmatchcase(use.resource, grant.resource)


def _used(stack: Stack) -> Iterator[Grant]:
    for row in stack.recorded():
        if row.get("allowed"):
            yield Grant(row["by"].rpartition("/")[2], _one(row["asked"]), _short(row["of"]))


def _granted(stack: Stack) -> Iterator[Grant]:
    """From the policies as they were deployed."""
    iam = stack.client("iam")
    for each in stack.functions.list_functions()["Functions"]:
        role, name = each["Role"].rpartition("/")[2], each["FunctionName"]
        for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]:
            document = iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
            for statement in document["Statement"]:
                for action in _listed(statement["Action"]):
                    if not any(fnmatchcase(action, one) for one in (*BY_AWS, *BY_AWS_TOO)):
                        for resource in _listed(statement["Resource"]):
                            yield Grant(name, _one(action), _short(resource))


def _one(action: str) -> str:
    """To get one row or several is the same right."""
    return action.replace(":BatchGetItem", ":GetItem")


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _short(arn: str) -> str:
    return arn.split(":", 5)[-1] if arn.startswith("arn:") else arn
