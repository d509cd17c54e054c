"""A read that DynamoDB throttles is busy: people are asked to try again, and nothing breaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from frontdesk.aws.clients import client
from frontdesk.aws.container import deployment
from frontdesk.aws.pages import Pages
from frontdesk.aws.routing import Endpoint
from frontdesk.core.people import PersonId
from frontdesk.engine.ports import Committed
from frontdesk.errors import Busy
from frontdesk.store.dynamodb.items import put
from frontdesk.store.dynamodb.rsvp import RSVP
from frontdesk.store.dynamodb.schema import FD_PEOPLE, FD_SETTINGS
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import TableReader
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, Recorder, request
from tests.store.dynamodb.faults import Throttled, error
from tests.store.samples import FOLLOWERS, decide, given, sign_up
from tests.support.dynamodb import Tables, needs_dynamodb

pytestmark = needs_dynamodb

ASKED: dict[str, Callable[[TableReader], object]] = {
    "get": lambda reader: reader.get(FD_PEOPLE, "ann"),
    "get many": lambda reader: reader.get_many(FD_PEOPLE, [("ann",)]),
    "query": lambda reader: list(reader.query(FD_SETTINGS, "name = :name", name="x")),
    "scan": lambda reader: list(reader.scan(FD_SETTINGS)),
    "count": lambda reader: reader.count(FD_SETTINGS, "name = :name", name="x"),
    "write": lambda reader: reader.write(put(FD_SETTINGS.name, ("name",), {"name": "x"})),
}


@pytest.mark.spec("FD-02")
@pytest.mark.parametrize("what", ASKED)
def test_a_request_that_is_throttled_is_busy(dynamodb: Tables, what: str) -> None:
    reader = TableReader(Throttled(dynamodb.client), dynamodb.bucket, dynamodb.prefix)

    with pytest.raises(Busy):
        ASKED[what](reader)


@pytest.mark.spec("EV-04")
def test_a_decision_whose_reads_are_throttled_is_tried_again_after_a_pause(
    dynamodb: Tables,
) -> None:
    throttled = Throttled(dynamodb.client)
    throttled.is_full = False
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        throttled.is_full = False

    store = DynamoStore(
        throttled, dynamodb.bucket, [RSVP], prefix=dynamodb.prefix, chance=lambda: 1.0, pause=pause
    )
    store.register_followers(FOLLOWERS)
    given(store)
    throttled.is_full = True

    assert isinstance(decide(store, sign_up("ann")), Committed)

    assert len(pauses) == 1


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("is_warm", [True, False])
def test_a_visitor_is_asked_to_try_again_and_no_page_is_called_broken(
    cloud: Cloud,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    is_warm: bool,
) -> None:
    """A function that has just started cannot even read the name of the business."""
    throttled = Throttled(cloud.tables.client)
    monkeypatch.setitem(client._made, "dynamodb", throttled)
    serves = Pages(Endpoint.BOOKING, lambda _deployment: [Route("/book", asks)])
    throttled.is_full = not is_warm
    if is_warm:
        assert serves(request("GET", "/book"), Context())["statusCode"] == 200
        throttled.is_full = True

    answer = serves(request("GET", "/book"), Context())

    assert answer["statusCode"] == 503
    assert "try again" in answer["body"]
    assert capsys.readouterr().err == ""


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("service", ["ssm", "secretsmanager"])
def test_many_functions_that_start_at_once_ask_visitors_to_try_again(
    cloud: Cloud,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    service: str,
) -> None:
    """Parameter Store answers 40 requests a second, and each start makes some."""
    throttled = Recorder(service, [error("ThrottlingException")])
    monkeypatch.setitem(client._made, service, Paged(throttled))
    serves = Pages(Endpoint.BOOKING, lambda _deployment: [Route("/book", signs)])

    answer = serves(request("GET", "/book"), Context())

    assert answer["statusCode"] == 503
    assert capsys.readouterr().err == ""


@dataclass
class Paged:
    """Gives pages of one answer each, since the recorder has no paginators."""

    client: Recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def get_paginator(self, operation: str) -> Any:
        return SimpleNamespace(paginate=lambda **asked: [getattr(self.client, operation)(**asked)])


def signs(_request: Request) -> Response:
    deployment().keys()
    return Response("here")


def asks(_request: Request) -> Response:
    deployment().back.engine.reads().engine.person(PersonId("ann"))
    return Response("here")
