"""Checks expressions for errors that DynamoDB refuses and an emulator may accept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from frontdesk.store.dynamodb.schema import TABLES

_WORD = re.compile(r"[:#]?\w+")
_EXPRESSIONS = (
    "KeyConditionExpression",
    "FilterExpression",
    "ConditionExpression",
    "UpdateExpression",
)
#: Keywords of expressions.
_GRAMMAR = frozenset(
    {
        *("SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"),
        *("attribute_exists", "attribute_not_exists", "begins_with", "contains", "size"),
        *("if_not_exists", "list_append"),
    }
)
#: An example from the developer guide of DynamoDB.
_RESERVED = frozenset(Path(__file__).with_name("reserved_words.txt").read_text().split())


def check(params: dict[str, Any], **_more: Any) -> None:
    """A hook for `provide-client-params`: refuses requests that AWS would refuse."""
    for request in _requests(params):
        texts = {name: request[name] for name in _EXPRESSIONS if name in request}
        words = {word for text in texts.values() for word in _WORD.findall(text)}
        _check_reserved(words, texts)
        _check_used(request, words)
        _check_keys(request)
    if "KeyConditionExpression" in params and "FilterExpression" in params:
        _check_filter(params)


def _requests(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield params
    for item in params.get("TransactItems", ()):
        yield from item.values()


def _check_reserved(words: set[str], texts: dict[str, str]) -> None:
    bare = {word for word in words if word[0] not in ":#"} - _GRAMMAR
    reserved = {word for word in bare if word.upper() in _RESERVED}
    assert not reserved, f"{sorted(reserved)} must be written with # in {texts}"


def _check_used(request: dict[str, Any], words: set[str]) -> None:
    for which in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
        given = set(request.get(which, ()))
        asked = {word for word in words if word[0] == ("#" if which.endswith("Names") else ":")}
        assert given == asked, f"{which} has {sorted(given)} for {sorted(asked)}"
        assert which not in request or given, f"{which} is empty"


def _check_keys(request: dict[str, Any]) -> None:
    """Refuses empty values of keys, which DynamoDB neither stores nor finds."""
    many = request.get("RequestItems", {}).values()
    asked = [key for each in many if isinstance(each, dict) for key in each["Keys"]]
    for key in (request.get("Key", {}), *asked):
        assert {"S": ""} not in key.values(), f"{key} is empty"
    condition = request.get("KeyConditionExpression", "")
    values = request.get("ExpressionAttributeValues", {})
    empty = [word for word in _WORD.findall(condition) if values.get(word) == {"S": ""}]
    assert not empty, f"{empty} is empty in {condition}"


def _check_filter(params: dict[str, Any]) -> None:
    """Refuses attributes of the queried key in a filter."""
    [table] = [each for each in TABLES if params["TableName"].endswith(each.name)]
    keys = {"": table.key, **dict(table.local), **dict(table.global_)}
    of_key = set(keys[params.get("IndexName", "")].names)
    filtered = {word.lstrip("#") for word in _WORD.findall(params["FilterExpression"])}
    assert not of_key & filtered, f"{params['FilterExpression']} is about the key {of_key}"
