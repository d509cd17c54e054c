"""The public pages behind the Function URLs work as on one machine."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

from frontdesk.aws.console import fd_console
from frontdesk.aws.container import deployment
from frontdesk.aws.rsvp.pages import link_handler, register
from frontdesk.aws.sweep import fd_sweep
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.model import State
from frontdesk.store.dynamodb.schema import FD_RATELIMIT, TABLES, WL_RATELIMIT
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, request
from tests.aws.test_functions import sign_up
from tests.desks.booking.pages.shop import RULES
from tests.support.dynamodb import needs_dynamodb

pytestmark = needs_dynamodb
FORM = {"content-type": "application/x-www-form-urlencoded"}


def get(path: str, method: str = "GET") -> dict[str, Any]:
    return link_handler(request(method, path), Context())


def press(path: str, do: str) -> dict[str, Any]:
    return link_handler(request("POST", path, headers=FORM, body=f"do={do}"), Context())


def words(page: dict[str, Any]) -> str:
    body: str = page["body"]
    if page["isBase64Encoded"]:
        body = base64.b64decode(body).decode()
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def everything(cloud: Cloud) -> dict[str, list[dict[str, Any]]]:
    """Returns all rows except the counts of visits."""
    kept = (table for table in TABLES if table not in (FD_RATELIMIT, WL_RATELIMIT))
    return {table.name: sorted(cloud.rows(table), key=str) for table in kept}


def offered(cloud: Cloud) -> str:
    """Lets Ann give her seat up; returns the path of the link in Bob's offer."""
    cloud.desk.given(cap=1)
    for who in ("ann", "bob"):
        sign_up(who)
    cloud.settle()
    cloud.desk.run(Cancel(cloud.guest("ann")))
    cloud.settle()
    to, subject = cloud.mails()[-1]
    assert (to, subject) == ("bob@example.org", "A seat for you: Pottery workshop")
    return cloud.link()


@pytest.mark.spec("FD-09")
def test_opening_a_link_again_and_again_changes_nothing_and_spends_nothing(cloud: Cloud) -> None:
    path = offered(cloud)
    before = everything(cloud)

    answers = [get(path, method)["statusCode"] for method in ("GET", "HEAD", "GET", "HEAD")]

    assert answers == [200, 200, 200, 200]
    assert everything(cloud) == before
    assert press(path, "take")["statusCode"] == 303
    guest = cloud.desk.reads.guest(cloud.guest("bob"))
    assert guest is not None
    assert guest.state is State.CONFIRMED


@pytest.mark.spec("EV-26", "FD-05")
def test_an_offer_past_its_deadline_is_dead_and_says_so_although_no_timer_has_rung(
    cloud: Cloud,
) -> None:
    path = offered(cloud)
    guest = cloud.desk.reads.guest(cloud.guest("bob"))
    assert guest is not None
    assert guest.claim_by is not None
    cloud.clock.move_to(guest.claim_by)

    page = get(path)
    press(path, "take")

    assert page["statusCode"] == 410
    assert "This offer has expired." in words(page)
    assert "in line" in words(page)
    still = cloud.desk.reads.guest(cloud.guest("bob"))
    assert still is not None
    assert still.state is not State.CONFIRMED
    assert cloud.desk.seats.taken == 0


@pytest.mark.spec("EV-24")
def test_with_nobody_in_line_a_freed_seat_goes_to_the_next_who_signs_up(cloud: Cloud) -> None:
    cloud.desk.given(cap=1)
    sign_up("ann")
    cloud.settle()
    assert press(cloud.link(), "cancel")["statusCode"] == 303
    cloud.settle()
    assert cloud.desk.seats.free == 1

    answer = json.loads(sign_up("bob")["body"])

    assert answer["state"] == "confirmed"
    assert cloud.desk.seats.taken == 1


@pytest.mark.spec("FD-11")
def test_a_guests_page_and_calendar_file_name_nobody_else_and_hold_no_link(cloud: Cloud) -> None:
    cloud.desk.given(cap=2)
    for who in ("ann", "bob"):
        sign_up(who)
    cloud.settle()
    [(at, _)] = [(nth, to) for nth, (to, _) in enumerate(cloud.mails()) if to.startswith("ann@")]
    path = cloud.link(at)

    page, calendar = get(path), get(f"{path}/calendar.ics")

    assert "bob" not in words(page).lower()
    assert calendar["statusCode"] == 200
    assert "BEGIN:VEVENT" in words(calendar)
    assert path not in words(calendar)
    assert "/l/" not in words(calendar)


@pytest.mark.spec("FD-22")
def test_the_event_page_works_without_javascript_and_asks_nothing_of_others(cloud: Cloud) -> None:
    cloud.desk.given(cap=2)

    page = register(request("GET", "/e/pottery"), Context())

    html: str = page["body"]
    assert page["statusCode"] == 200
    assert re.search(r'<html[^>]* lang="en"', html)
    assert re.search(r"<form[^>]* method=\"post\"", html)
    asked = re.findall(r'<(?:link|script|img|iframe)[^>]*(?:href|src)="([^"]+)"', html)
    assert [address for address in asked if address.startswith(("http", "//"))] == []
    policy = page["headers"]["content-security-policy"]
    assert "default-src 'none'" in policy
    fields = "name=Ann&email=ann%40example.org&party=1"
    pressed = register(request("POST", "/e/pottery", headers=FORM, body=fields), Context())
    assert pressed["statusCode"] in (200, 303), pressed
    assert cloud.desk.seats.taken == 1


def test_the_home_page_leads_to_what_customers_can_do(cloud: Cloud) -> None:
    bare = register(request("GET", "/"), Context())
    cloud.desk.run(SetRules(RULES))

    page = register(request("GET", "/"), Context())

    assert 'class="home-link"' not in bare["body"]
    assert re.findall(r'class="home-link" href="([^"]+)"', page["body"]) == [
        f"{deployment().settings.booking_at}/book"
    ]


@pytest.mark.spec("FD-30")
def test_log_lines_are_json_without_addresses_and_the_console_shows_what_is_wrong(
    cloud: Cloud, capfd: pytest.CaptureFixture[str]
) -> None:
    cloud.desk.given(cap=1)
    sign_up("ann")
    cloud.settle()
    get("/l/" + "A" * 40)

    printed = capfd.readouterr()
    lines = [line for line in (printed.out + printed.err).splitlines() if line.strip()]
    assert {json.loads(line)["event"] for line in lines} >= {"send.sent", "link.bad_signature"}
    assert not any("ann@" in line or "/l/A" in line for line in lines)

    back = deployment().back
    back.store.add_dead_letter("fact", "ev.tell/1", "it broke", at=cloud.clock.now(), cause=None)
    link = fd_sweep({"ask": "first-link"}, Context())["url"]
    entered = fd_console(request("POST", link.removeprefix("https://desk.example")), Context())
    cookies = [each.partition(";")[0] for each in entered["cookies"]]
    health = fd_console(request("GET", "/console/health", cookies=cookies), Context())
    assert "One thing could not be processed" in words(health)
