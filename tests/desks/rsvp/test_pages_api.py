"""Signing up with JSON from any site, and the form that a host embeds in another page."""

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.commands import CallOff, Cancel
from frontdesk.desks.rsvp.model import Lane, State
from frontdesk.desks.rsvp.pages import snippets
from frontdesk.web.limits import Limits
from tests.support.rsvp import STARTS
from tests.support.server import FORM, Served

JSON = "application/json"
GUESTS = "/api/events/pottery/guests"


def post(
    served: Served, body: Mapping[str, Any], path: str = GUESTS, **headers: str
) -> tuple[int, dict[str, Any]]:
    page = served.visitor.send(
        "POST", path, json.dumps(body).encode(), {"content-type": JSON, **headers}
    )
    assert page.headers["access-control-allow-origin"] == "*"
    assert "set-cookie" not in page.headers
    return page.status, json.loads(page.body)


@pytest.mark.spec("EV-05")
@pytest.mark.parametrize("path", [GUESTS, "/e/pottery"])
def test_json_signs_up_by_the_same_rules(served: Served, path: str) -> None:
    served.desk.given(cap=1)

    ann = post(served, {"name": "Ann", "email": "ann@example.org"}, path)
    bob = post(served, {"name": "Bob", "email": "bob@example.org"}, path)
    again = post(served, {"name": "Bob", "email": "BOB@example.org"}, path)

    window = "If a seat frees up, we offer it to you by mail and hold it for 6 hours."
    keeps = "You're already on the list. Asking again keeps your place as it is."
    assert ann == (
        200,
        {
            "state": "confirmed",
            "position": None,
            "message": "You're in. Your seat is confirmed.",
        },
    )
    assert bob == (
        200,
        {"state": "waitlisted", "position": 1, "message": f"You're first in line. {window}"},
    )
    assert again == (
        200,
        {"state": "waitlisted", "position": 1, "message": f"You're first in line. {keeps}"},
    )


@pytest.mark.spec("EV-05")
def test_a_page_on_another_site_may_ask_and_no_cookie_is_involved(served: Served) -> None:
    served.desk.given(cap=1)

    for path in (GUESTS, "/e/pottery", "/api/events/pottery"):
        page = served.visitor.send(
            "OPTIONS",
            path,
            headers={
                "origin": "https://blog.example",
                "access-control-request-method": "POST",
                "access-control-request-headers": "content-type, idempotency-key",
            },
        )
        allowed = page.headers["access-control-allow-headers"].split(", ")
        assert page.status == 204
        assert page.headers["access-control-allow-origin"] == "*"
        assert {"content-type", "idempotency-key"} <= set(allowed)
        assert "access-control-allow-credentials" not in page.headers


def test_the_event_in_json_tells_what_anybody_may_know(served: Served) -> None:
    served.desk.given(cap=2, confirmed=["ann"])

    page = served.visitor.get("/api/events/pottery")

    assert page.headers["access-control-allow-origin"] == "*"
    assert json.loads(page.body) == {
        "name": "Pottery workshop",
        "starts_at": "2026-11-27T11:00:00+00:00",
        "ends_at": "2026-11-27T13:00:00+00:00",
        "zone": "Asia/Singapore",
        "when": "Friday 27 November 2026, 19:00 to 21:00 (SGT)",
        "venue": "12 Kiln Lane",
        "description": "",
        "state": "open",
        "seats": 2,
        "seats_free": 1,
        "waiting": 0,
        "message": "1 of 2 seats is left.",
        "party_limit": 1,
        "url": f"{served.base_url}/e/pottery",
    }


@pytest.mark.spec("FD-03")
def test_the_same_request_with_the_same_key_has_its_effect_once(served: Served) -> None:
    desk = served.desk.given(cap=1)
    body = {"name": "Ann", "email": "ann@example.org"}

    first = post(served, body, **{"idempotency-key": "k-1"})
    before = served.dump()
    again = post(served, body, **{"idempotency-key": "k-1"})

    assert (first[0], first[1]["state"]) == (again[0], again[1]["state"]) == (200, "confirmed")
    assert served.dump() == before
    assert len(desk.facts("ev.confirmed")) == 1


@pytest.mark.spec("FD-03")
def test_a_repeated_key_is_answered_with_the_present_state(served: Served) -> None:
    desk = served.desk.given(cap=1, confirmed=["zoe"])
    body = {"name": "Ann", "email": "ann@example.org"}
    post(served, body, **{"idempotency-key": "k-1"})
    desk.settle().do(Cancel(desk.id("zoe")))

    offered = post(served, body, **{"idempotency-key": "k-1"})
    [ann] = desk.reads.guest_rows(desk.event_id, search="ann")
    desk.do(Cancel(ann.guest.id))
    cancelled = post(served, body, **{"idempotency-key": "k-1"})

    assert (offered[0], offered[1]["state"]) == (200, "offered")
    assert cancelled == (
        200,
        {
            "state": "cancelled",
            "position": None,
            "message": "You're not on the list. You have cancelled, and nothing is held for you."
            " You can sign up again.",
        },
    )
    assert desk.seats.taken == 0


@pytest.mark.spec("FD-03")
@pytest.mark.parametrize("other", [{"party": 2}, {"name": "Anna"}])
def test_a_key_that_comes_with_another_request_is_refused_in_words(
    served: Served, other: dict[str, Any]
) -> None:
    desk = served.desk.given(cap=5, party_limit=3)
    body = {"name": "Ann", "email": "ann@example.org", "party": 1}
    post(served, body, **{"idempotency-key": "k-1"})

    changed = post(served, body | other, **{"idempotency-key": "k-1"})
    bob = post(served, {"name": "Bob", "email": "bob@example.org"}, **{"idempotency-key": "k-1"})

    assert changed == (
        422,
        {
            "problem": "This Idempotency-Key was used for another request.",
            "means": "Nothing was changed. Please send a new key with a new request.",
        },
    )
    assert bob[1]["state"] == "confirmed", "one sender's key is nothing to another's"
    assert desk.seats.taken == 2


@pytest.mark.spec("EV-13", "FD-28")
def test_an_invited_address_typed_by_anybody_gets_its_link_again_and_no_seat(
    served: Served,
) -> None:
    desk = served.desk.given(cap=5)
    desk.sign_up("ann", lane=Lane.IMPORT, invite=True)
    desk.settle()

    answer = post(served, {"name": "Mallory", "email": "ann@example.org"})
    desk.settle()

    assert (answer[0], answer[1]["state"]) == (200, "pending")
    assert (desk.state("ann"), desk.seats.taken) == (State.PENDING, 0)
    subjects = [mail.subject for mail in desk.mail_to("ann")]
    assert subjects == ["You're invited: Pottery workshop"] * 2


@pytest.mark.spec("FD-28")
def test_links_are_not_sent_again_without_end(served: Served) -> None:
    desk = served.desk.given(cap=5)
    desk.product.site.limits = Limits(lambda: 0.0)
    desk.sign_up("ann", lane=Lane.IMPORT, invite=True)

    answers = {post(served, {"name": "Ann", "email": "ann@example.org"})[0] for _ in range(9)}
    desk.settle()

    assert answers == {200}
    assert len(desk.facts("ev.link_resent")) == 3


@pytest.mark.spec("EV-06", "FD-11")
def test_the_same_answer_for_everybody_tells_a_stranger_nothing(served: Served) -> None:
    desk = served.desk.given(cap=1, private_answers=True, confirmed=["ann"], line=["bob"])
    desk.sign_up("cat", lane=Lane.IMPORT, invite=True)
    desk.settle()
    before = desk.states()
    sent = {who: len(desk.mail_to(who)) for who in before}

    answers = {
        who: post(served, {"name": "X", "email": f"{who}@example.org"})
        for who in ("ann", "bob", "cat", "dan")
    }
    robot = post(served, {"name": "X", "email": "eve@example.org", "website": "x"})
    framed = served.visitor.post("/e/pottery/embed", name="X", email="ann@example.org")
    desk.settle()

    says = (
        "Thank you. We're sending a mail to {}…\u2060@example.org"
        " that says whether you have a seat."
    )
    for who, answer in {**answers, "eve": robot}.items():
        assert answer == (
            200,
            {"state": "received", "position": None, "message": says.format(who[0])},
        )
    assert framed.heading == "Thank you."
    assert desk.states() == before
    sent["ann"] += 1  # twice: with JSON, and in the frame
    assert {who: len(desk.mail_to(who)) - n for who, n in sent.items()} == dict.fromkeys(sent, 1)
    assert desk.mail_to("dan")[-1].subject == "You're second in line: Pottery workshop"


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("key", ["", "x" * 201, "a\tb", "é"])
def test_a_key_that_cannot_be_used_is_refused(served: Served, key: str) -> None:
    desk = served.desk.given(cap=1)

    status, body = post(
        served, {"name": "Ann", "email": "ann@example.org"}, **{"idempotency-key": key}
    )

    assert (status, body["problem"]) == (422, "This Idempotency-Key cannot be used.")
    assert desk.seats.taken == 0


@pytest.mark.spec("FD-27")
def test_errors_are_named_by_field(served: Served) -> None:
    served.desk.given(cap=1)

    status, body = post(served, {"name": 7, "email": None, "party": "two"})

    assert status == 422
    assert body["fields"] == {
        "name": "Please send this as text.",
        "email": "Please send this as text.",
        "party": "Please send this as a whole number.",
    }


def test_one_seat_each_is_said_in_words(served: Served) -> None:
    served.desk.given(cap=5)

    status, body = post(served, {"name": "Ann", "email": "ann@example.org", "party": 2})

    says = "Seats at this event are given one by one. Please sign up each of you."
    assert (status, body["fields"]) == (422, {"party": says})


def test_unknown_begun_and_called_off_events_get_different_answers(served: Served) -> None:
    desk = served.desk.given(cap=1)
    person = {"name": "Ann", "email": "ann@example.org"}

    unknown = post(served, person, "/api/events/nothing/guests")
    desk.wait_until(STARTS)
    begun = post(served, person)
    desk.run(CallOff(desk.event_id, JobId("0" * 26)))

    assert (unknown[0], unknown[1]["problem"]) == (404, "There is no event here.")
    assert (begun[0], begun[1]["problem"]) == (409, "This event has begun.")
    assert served.visitor.get("/api/events/nothing").status == 404


def test_a_robot_gets_the_same_answer_as_a_person(served: Served) -> None:
    desk = served.desk.given(cap=1)
    person = {"name": "Ann", "email": "ann@example.org"}

    robot = post(served, person | {"website": "https://spam.example"})

    assert desk.seats.taken == 0
    assert robot == post(served, person)


@pytest.mark.spec("FD-28")
def test_too_much_at_once_is_answered_in_json_as_well(served: Served) -> None:
    served.desk.given(cap=1).product.site.limits = Limits(lambda: 0.0)

    answers = [post(served, {})[0] for _ in range(31)]

    assert answers == [422] * 30 + [429]


@pytest.mark.spec("EV-05")
def test_the_form_to_copy_signs_up_from_any_page(served: Served) -> None:
    desk = served.desk.given(cap=3, party_limit=2)
    code = snippets(served.base_url, desk.event)

    [action] = re.findall(r'action="([^"]+)"', code.form)
    names = re.findall(r'name="([^"]+)"', code.form)
    page = served.visitor.post(action, name="Ann", email="ann@example.org", party=2, website="")
    [frame] = re.findall(r'src="([^"]+)"', code.frame)

    assert names == ["name", "email", "party", "website"]
    assert page.heading == "You're in."
    assert desk.seats.taken == 2
    assert served.visitor.get(frame).heading == "Pottery workshop"


def test_a_form_whose_sender_asks_for_json_is_answered_in_json(served: Served) -> None:
    served.desk.given(cap=1)

    page = served.visitor.send(
        "POST",
        "/e/pottery",
        b"name=Ann&email=ann%40example.org",
        {"content-type": FORM, "accept": JSON},
    )

    assert json.loads(page.body)["state"] == "confirmed"


@pytest.mark.spec("EV-05")
@pytest.mark.parametrize(
    ("hours", "called_off", "says"),
    [
        (0, False, "This event has begun."),
        (2, False, "This event is over."),
        (-2, True, "This event has been called off."),
    ],
)
def test_counts_of_an_event_that_takes_nobody_any_more_promise_no_offer(
    served: Served, hours: int, called_off: bool, says: str
) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    if called_off:
        desk.do(CallOff(desk.event_id, JobId("0" * 26), ""))
    desk.wait_until(STARTS + timedelta(hours=hours))

    counts = json.loads(served.visitor.get("/api/events/pottery").body)

    assert counts["message"] == says
