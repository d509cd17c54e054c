"""Refuses requests that AWS would refuse, even if the emulator accepts them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.expressions import check

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"FilterExpression": "state = :s", "ExpressionAttributeValues": {":s": {}}}, "with #"),
    ({"TransactItems": [{"Update": {"UpdateExpression": "REMOVE open"}}]}, "with #"),
    ({"FilterExpression": "#a = a", "ExpressionAttributeNames": {"#a": "a", "#b": "b"}}, "#b"),
    ({"ConditionExpression": "a = :a", "ExpressionAttributeValues": {}}, ":a"),
    ({"ConditionExpression": "a = b", "ExpressionAttributeValues": {}}, "empty"),
    (
        {
            "TableName": "x-ev-offers",
            "IndexName": "by-event",
            "KeyConditionExpression": "event_id = event_id",
            "FilterExpression": "attribute_exists(made_at)",
        },
        "about the key",
    ),
]


@pytest.mark.parametrize(("params", "why"), REFUSED)
def test_expressions_that_aws_refuses_are_refused(params: dict[str, Any], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        check(params)


@needs_dynamodb
def test_every_request_of_a_test_is_looked_at(dynamodb: Tables) -> None:
    table = f"{dynamodb.prefix}fd-settings"

    with pytest.raises(AssertionError, match="with #"):
        dynamodb.client.scan(TableName=table, FilterExpression="attribute_exists(value)")

    assert dynamodb.client.scan(TableName=table)["Items"] == []
