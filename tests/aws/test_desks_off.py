"""A desk that is off has no pages and accepts nothing new on AWS; its links still work."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from frontdesk.aws.booking.pages import bk_pages
from frontdesk.aws.container import container, deployment
from frontdesk.aws.reminders.pages import reply_handler
from frontdesk.aws.rsvp.pages import link_handler, register
from frontdesk.aws.sweep import fd_sweep
from frontdesk.aws.waitlist.pages import claim_handler, web_form
from frontdesk.aws.waitlist.slot_webhook import slot_webhook
from frontdesk.core.links import Link, sign
from frontdesk.desks.booking.links import Purpose as BookingPurpose
from frontdesk.desks.reminders.links import Purpose as VisitPurpose
from frontdesk.desks.rsvp.links import Purpose as EventPurpose
from frontdesk.desks.waitlist.links import Purpose
from frontdesk.store.dynamodb.schema import FD_SETTINGS
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, request
from tests.support.dynamodb import needs_dynamodb

pytestmark = needs_dynamodb

#: A page of each desk, the function that serves it, a method, and the status while the desk is on.
PAGES: list[tuple[str, Callable[[Any, Any], Any], str, str, int]] = [
    ("rsvp", register, "OPTIONS", "/e/supper", 204),
    ("rsvp", register, "OPTIONS", "/api/events/supper", 204),
    ("waitlist", web_form, "GET", "/waitlist", 200),
    ("waitlist", web_form, "OPTIONS", "/api/waitlist", 204),
    ("waitlist", slot_webhook, "POST", "/hooks/waitlist/frontdesk", 401),
    ("booking", bk_pages, "GET", "/book", 200),
    ("booking", bk_pages, "OPTIONS", "/api/booking", 204),
]


def switch_off(cloud: Cloud, *desks: str) -> None:
    """Also connects a booking tool: without one, the address for tools does not exist."""
    for name, value in (("desks-off", ",".join(["", *desks])), ("webhook-secret", "s" * 40)):
        cloud.clients["ssm"].put_parameter(
            Name=f"/{cloud.tables.prefix}config/{name}", Value=value, Type="String", Overwrite=True
        )
    container._deployment = None


def status(serves: Callable[[Any, Any], Any], method: str, path: str) -> int:
    return int(serves(request(method, path), Context())["statusCode"])


@pytest.mark.spec("FD-18", "FD-19")
def test_a_desk_that_is_off_has_no_pages_and_the_others_have_theirs(cloud: Cloud) -> None:
    for off in ("none", "rsvp", "waitlist", "booking"):
        switch_off(cloud, *([] if off == "none" else [off]))

        found = [(desk, path, status(serves, how, path)) for desk, serves, how, path, _ in PAGES]

        assert found == [
            (desk, path, 404 if desk == off else usual) for desk, _, _, path, usual in PAGES
        ]


@pytest.mark.spec("FD-08", "FD-18")
@pytest.mark.parametrize(
    ("desk", "serves", "purpose"),
    [
        ("rsvp", link_handler, EventPurpose.MANAGE),
        ("waitlist", claim_handler, Purpose.PLACE),
        ("booking", bk_pages, BookingPurpose.MANAGE),
        ("reminders", reply_handler, VisitPurpose.ANSWER),
    ],
)
def test_the_links_of_a_desk_that_is_off_are_still_opened(
    cloud: Cloud, desk: str, serves: Callable[[Any, Any], Any], purpose: int
) -> None:
    """A link with an unknown id opens a page that says so, with and without the desk."""
    expires_at = cloud.clock.now() + timedelta(days=2)
    answers = []
    for off in ([], [desk]):
        switch_off(cloud, *off)
        keys = deployment().claim_keys() if desk == "waitlist" else deployment().keys()
        token = sign(Link(purpose, b"x" * 16, 1, expires_at), keys)
        answers.append(status(serves, "GET", f"/l/{token}"))

    assert answers[0] == answers[1] != 404


@pytest.mark.spec("FD-18")
def test_the_sweep_opens_nothing_for_a_desk_that_is_off(cloud: Cloud) -> None:
    switch_off(cloud, "rsvp", "waitlist", "booking", "reminders")
    fd_sweep({}, Context())
    without = cloud.rows(FD_SETTINGS)

    switch_off(cloud)
    fd_sweep({}, Context())

    assert (without, cloud.rows(FD_SETTINGS) == []) == ([], False)
