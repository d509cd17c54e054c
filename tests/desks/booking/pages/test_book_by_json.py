"""The JSON API: free times, and bookings with the same rules as the form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from frontdesk.desks.booking.rules import Approval, Question, QuestionKind
from frontdesk.values import replace
from frontdesk.web.limits import Limits
from tests.desks.booking.pages.shop import CUT, SPA, Shop, at, place, shop_at, text, times_in
from tests.support.server import Page

TYPE = {"content-type": "application/json"}
ANN = {"name": "Ann Lee", "email": "ann@example.org"}


@pytest.fixture(scope="module")
def unchanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with shop_at(tmp_path_factory.mktemp("data")) as shop:
        shop.given().served.desk.product.site.limits = Limits(enabled=False)
        yield shop


def send(shop: Shop, body: Any, **headers: str) -> Page:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    page = shop.visitor.send("POST", "/api/booking", content, {**TYPE, **headers})
    shop.settle()
    return page


def book(shop: Shop, starts_at: datetime | None = None, **fields: Any) -> Page:
    return send(shop, {"service": "Haircut", "at": text(starts_at or at(10)), **ANN, **fields})


def answer(page: Page) -> Any:
    return json.loads(page.body)


@pytest.mark.parametrize("party", ["8", "0", "two", "-1"])
def test_times_for_a_party_that_does_not_fit_are_refused(shop: Shop, party: str) -> None:
    page = shop.given(services=(replace(CUT, most=4),)).get(f"/api/booking/times?party={party}")

    assert (page.status, "Please send a number from 1 to 4." in page.body) == (422, True)
    assert shop.get("/api/booking/times?party=4").status == 200


@pytest.mark.spec("BK-19")
def test_times_are_those_of_the_page(shop: Shop) -> None:
    found = answer(shop.given().get("/api/booking/times?service=haircut&from=2026-11-17"))

    assert (found["service"], found["minutes"], found["zone"]) == ("Haircut", 45, "Asia/Singapore")
    assert found["staff"] == [{"id": "mira", "name": "Mira"}, {"id": "jo", "name": "Jo"}]
    assert (found["from"], found["to"]) == ("2026-11-17", "2026-12-18")
    tuesday = [one["at"] for one in found["times"] if one["local"].startswith("2026-11-17")]
    shown = shop.get("/book/haircut?day=2026-11-17").body.partition('id="times"')[2]
    assert tuesday == times_in(Page(200, {}, shown, ""))


@pytest.mark.spec("BK-01", "BK-18")
def test_a_booking_is_made_and_its_link_comes_back(shop: Shop) -> None:
    page = book(shop.given(), staff="jo")

    assert page.status == 201
    found = answer(page)
    assert (found["state"], found["at"]) == ("confirmed", text(at(10)))
    assert shop.get(found["url"]).heading == "It's booked."
    assert shop.booking.resources == ("jo",)
    assert page.headers["access-control-allow-origin"] == "*"
    record = shop.reads.request(shop.booking.request_id)
    assert record is not None
    assert (record.lane, record.reader, record.booking_id) == ("form", "json", shop.booking.id)


def test_a_key_makes_one_booking_however_often_it_is_sent(shop: Shop) -> None:
    shop.given()
    body = {"service": "Haircut", "at": text(at(10)), **ANN}

    pages = [send(shop, body, **{"idempotency-key": "k1"}) for _ in range(3)]
    other = send(shop, {**body, "at": text(at(14))}, **{"idempotency-key": "k1"})

    assert [page.status for page in pages] == [201, 201, 201]
    assert len({page.body for page in pages}) == 1
    assert other.status == 422
    assert len(shop.bookings()) == 1


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"at": ""}, ["at"]),
        ({"at": "tomorrow"}, ["at"]),
        ({"at": 5}, ["at"]),
        ({"name": ""}, ["name"]),
        ({"email": ""}, ["email"]),
        ({"email": "ann@"}, ["email"]),
        ({"staff": "nobody"}, ["staff"]),
        ({"party": 9}, ["party"]),
        ({"party": "2"}, ["party"]),
        ({"party": True}, ["party"]),
        ({"party": -1, "name": ""}, ["name", "party"]),
        ({"name": ["Ann"]}, ["name"]),
        ({"answers": {"a": 1}}, ["answers"]),
        ({"answers": ["yes"]}, ["answers"]),
    ],
)
def test_wrong_fields_are_named(unchanging: Shop, fields: dict[str, Any], wrong: list[str]) -> None:
    page = book(unchanging, **fields)

    assert (page.status, sorted(answer(page)["fields"])) == (422, wrong)
    assert unchanging.bookings() == []


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"\xff", b'{"name": NaN}', b"[" * 50_000, b'{"a": "' + b"x" * 99_999]
)
def test_broken_bodies_are_refused(unchanging: Shop, body: bytes) -> None:
    assert send(unchanging, body).status == 400


@pytest.mark.parametrize("service", ["", "Perm", "x" * 9_999])
def test_an_unknown_service_is_refused(unchanging: Shop, service: str) -> None:
    assert book(unchanging, service=service).status == 404


def test_a_time_that_is_taken_is_refused(shop: Shop) -> None:
    shop.given(services=(SPA,))
    book(shop, service="Head spa")

    page = book(shop, service="Head spa", email="bob@example.org")

    assert (page.status, answer(page)["problem"]) == (409, "This time is not free.")


def test_questions_are_listed_and_required(shop: Shop) -> None:
    asking = replace(
        CUT, questions=(Question("ok", "I agree", QuestionKind.CONSENT, required=True),)
    )
    shop.given(services=(asking,))

    listed = answer(shop.get("/api/booking/times"))["questions"]
    refused, made = book(shop), book(shop, answers={"ok": "yes"})

    assert [one["id"] for one in listed] == ["ok"]
    assert answer(refused)["fields"] == {"answer-ok": "Please tick this to book."}
    assert made.status == 201


@pytest.mark.spec("BK-33")
def test_a_first_visit_gets_the_same_answer_as_a_known_customer(shop: Shop) -> None:
    shop.given(services=(replace(CUT, approval=Approval.FIRST_VISIT),))

    page = book(shop)

    assert (page.status, answer(page)["state"]) == (202, "received")
    assert "url" not in answer(page)


def test_other_sites_may_ask(unchanging: Shop) -> None:
    for path in ("/api/booking", "/api/booking/times"):
        page = unchanging.visitor.send("OPTIONS", path)
        assert page.status == 204
        assert "idempotency-key" in page.headers["access-control-allow-headers"]


def test_a_robot_books_nothing(shop: Shop) -> None:
    page = book(shop.given(), website="spam")

    assert answer(page)["state"] == "received"
    assert shop.bookings() == []
    assert place(page) == "/api/booking"


@pytest.mark.spec("BK-32")
def test_a_second_booking_of_the_same_time_needs_a_second_yes(shop: Shop) -> None:
    first, again = book(shop.given()), book(shop)
    wrong, second = book(shop, another=True), book(shop, another="yes")

    assert (first.status, again.status) == (201, 409)
    assert answer(again)["problem"] == "This may be booked already."
    assert "10:00" not in again.body
    assert (wrong.status, list(answer(wrong)["fields"])) == (422, ["another"])
    assert second.status == 201
    assert len(shop.bookings()) == 2
