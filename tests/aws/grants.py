"""Reads the grants of the deployed functions and the calls that they made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from frontdesk.store.dynamodb.schema import TABLES
from tests.aws.stack import Stack

#: Permissions that AWS itself uses, not our code: Lambda puts failed calls into the queue. The
#: emulator does not check them.
BY_AWS = (
    "logs:*",
    "dynamodb:DescribeStream",
    "dynamodb:GetRecords",
    "dynamodb:GetShardIterator",
    "dynamodb:ListStreams",
    "iam:PassRole",
    "sqs:SendMessage",
)


class Grant(NamedTuple):
    function: str
    action: str
    resource: str
    """Without the common beginning: 'table/ev-event', 'mail/*'."""


def covers(grant: Grant, use: Grant) -> bool:
    same = (grant.function, grant.action) == (use.function, use.action)
    return same and fnmatchcase(use.resource, grant.resource)


def used(rows: Iterable[dict[str, Any]]) -> Iterator[Grant]:
    """Reads the lines of the recorder."""
    for row in rows:
        if row.get("allowed"):
            yield Grant(row["by"].rpartition("/")[2], _one(row["asked"]), _short(row["of"]))


def write_granted(stack: Stack, path: Path) -> None:
    path.write_text(json.dumps(sorted(set(_granted(stack)))))


def read_granted(path: Path) -> set[Grant]:
    return {Grant(*each) for each in json.loads(path.read_text())}


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
                            for one in _each_index(_short(resource)):
                                yield Grant(name, _one(action), one)


def _each_index(resource: str) -> list[str]:
    """Lists the indexes of a table, which a role names as one."""
    table, _, index = resource.partition("/index/")
    if index != "*":
        return [resource]
    [found] = [each for each in TABLES if f"table/{each.name}" == table]
    return [f"{table}/index/{name}" for name, _ in (*found.local, *found.global_)]


def _one(action: str) -> str:
    """Returns one action for GetItem and BatchGetItem, which need the same permission."""
    return action.replace(":BatchGetItem", ":GetItem")


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _short(arn: str) -> str:
    """Removes the random end of the names of secrets, which differs between deployments."""
    name = arn.split(":", 5)[-1] if arn.startswith("arn:") else arn
    return re.sub(r"^(secret:.+)-[0-9a-f]{6}$", r"\1-*", name)
