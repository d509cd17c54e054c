"""Joining the list with JSON, from any site."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from frontdesk.core.consents import TextConsent, words_version
from frontdesk.desks.waitlist.commands import LeaveList, StopOffers
from frontdesk.desks.waitlist.model import Lane, Wish
from frontdesk.web.limits import Limits
from tests.desks.waitlist.pages.salon import COLOUR, TODAY, WISH, Salon, salon_at
from tests.support.server import Page

FIRST, LAST = date(2026, 11, 18), date(2026, 12, 2)
WANTED = Wish(COLOUR.name, 1, FIRST, LAST)
ASKED: dict[str, Any] = {
    "name": "Ann Lee",
    "mobile": "+6591234567",
    "service": "colour",
    "earliest": FIRST.isoformat(),
    "latest": LAST.isoformat(),
}


@pytest.fixture(scope="module")
def unchanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Salon]:
    """Provides a server for all tests that change nothing."""
    with salon_at(tmp_path_factory.mktemp("data")) as salon:
        salon.given("bob")
        salon.served.desk.product.site.limits = Limits(enabled=False)
        yield salon


def call(salon: Salon, body: object, path: str = "/api/waitlist", **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    page = salon.visitor.send(
        "POST", path, json.dumps(body).encode(), {"content-type": "application/json", **named}
    )
    salon.settle()
    return page


def json_of(page: Page) -> Any:
    return json.loads(page.body)


def test_a_script_gets_the_services_of_the_waitlist(salon: Salon) -> None:
    sentence = TextConsent().shown("Frontdesk")
    closed = json_of(salon.visitor.get("/api/waitlist"))
    page = salon.given().visitor.get("/api/waitlist")

    assert closed["open"] is False
    assert page.headers["access-control-allow-origin"] == "*"
    assert json_of(page) == {
        "open": True,
        "services": [
            {"name": "Cut and colour", "minutes": 120, "price_cents": 12000, "largest_party": 1},
            {"name": "Head spa", "minutes": 45, "price_cents": 0, "largest_party": 3},
        ],
        "staff": ["Mia", "Jo"],
        "currency": "S$",
        "first_day": "2026-11-16",
        "last_day": (TODAY + timedelta(days=365)).isoformat(),
        "consent": {"words": sentence, "version": words_version(sentence)},
    }


@pytest.mark.spec("WL-04", "FD-24")
@pytest.mark.parametrize("path", ["/api/waitlist", "/waitlist"])
def test_a_script_on_any_site_can_put_somebody_on_the_list(salon: Salon, path: str) -> None:
    salon.given()

    asked = salon.visitor.send("OPTIONS", path)
    page = call(salon, ASKED, path)

    assert asked.status == 204
    assert "idempotency-key" in asked.headers["access-control-allow-headers"]
    assert page.headers["access-control-allow-origin"] == "*"
    assert (page.status, json_of(page)["state"]) == (200, "on_the_list")
    assert salon.listed() == [("Ann Lee", WANTED)]
    (entry,) = salon.reads.entries()
    assert entry.lane is Lane.FORM


@pytest.mark.spec("FD-27")
def test_a_script_is_told_what_is_wrong_by_field(unchanging: Salon) -> None:
    before = unchanging.served.dump()

    page = call(unchanging, {**ASKED, "name": 1, "party": "two"})
    other = call(unchanging, {**ASKED, "mobile": None, "latest": "soon"})
    unlisted = call(unchanging, {**ASKED, "service": "Massage"})

    assert (page.status, json_of(page)["fields"]) == (
        422,
        {"name": "Please send this as text.", "party": "Please send this as a whole number."},
    )
    assert (other.status, json_of(other)["fields"]) == (
        422,
        {
            "latest": "Please give a day, like 2026-11-20.",
            "mobile": "Please give an e-mail address or a mobile number.",
        },
    )
    assert json_of(unlisted)["fields"] == {
        "service": "Please choose one that GET /api/waitlist lists."
    }
    assert unchanging.served.dump() == before


def test_a_problem_of_two_fields_is_said_once(unchanging: Salon) -> None:
    page = call(unchanging, {**ASKED, "earliest": "soon", "latest": "later"})

    assert json_of(page)["problem"] == "Please give a day, like 2026-11-20."
    assert list(json_of(page)["fields"]) == ["earliest", "latest"]


@pytest.mark.spec("FD-24", "FD-03")
def test_a_script_that_repeats_its_key_has_asked_once(salon: Salon) -> None:
    salon.given()

    first, again = (call(salon, ASKED, idempotency_key="k1") for _ in range(2))
    other = call(salon, {**ASKED, "latest": FIRST.isoformat()}, idempotency_key="k1")
    renamed = call(salon, {**ASKED, "name": "Anna Lee"}, idempotency_key="k1")
    bad = call(salon, ASKED, idempotency_key="k" * 201)

    answers = [each.status for each in (first, again, other, renamed, bad)]
    assert answers == [200, 200, 422, 422, 422]
    assert json_of(other)["problem"] == "This Idempotency-Key was used for another request."
    assert first.body == again.body
    assert salon.listed() == [("Ann Lee", WANTED)]
    assert len(salon.told("+6591234567")) == 1


@pytest.mark.spec("WL-05", "FD-24")
def test_by_json_a_known_contact_cannot_be_told_from_an_unknown_one(salon: Salon) -> None:
    salon.given("bob", "cat", "dan").do(StopOffers(salon.person("dan").id))
    salon.do(LeaveList(salon.entries["cat"]))

    answers = []
    for who in ("bob", "cat", "dan", "eve"):
        asked = {**ASKED, "mobile": "", "email": f"{who}@example.org"}
        other = {**asked, "latest": FIRST.isoformat()}
        pages = [call(salon, each, idempotency_key="k1") for each in (asked, asked, other)]
        answers.append([(page.status, page.body) for page in pages])

    assert answers == [answers[0]] * 4
    assert [status for status, _ in answers[0]] == [200, 200, 422]
    assert salon.entry("bob").wish == WISH


def test_a_script_is_told_of_the_limit_and_of_a_list_that_is_not_open(salon: Salon) -> None:
    closed = call(salon, ASKED)
    salon.given()
    answers = [call(salon, {**ASKED, "website": "x"}).status for _ in range(20)]

    assert (closed.status, json_of(closed)["problem"]) == (409, "The waitlist is not open yet.")
    assert answers == [200] * 19 + [429]
    assert salon.listed() == []


@pytest.mark.spec("FD-24")
def test_one_senders_key_is_nothing_to_anothers(salon: Salon) -> None:
    salon.given()

    call(salon, ASKED, idempotency_key="k1")
    call(salon, {**ASKED, "name": "Bob", "mobile": "+6581234567"}, idempotency_key="k1")

    assert [name for name, _ in salon.listed()] == ["Ann Lee", "Bob"]
