"""Signing up with the form, over real HTTP and without JavaScript."""

import json
from typing import Any

import pytest

from frontdesk.core.decision import Command
from frontdesk.desks.rsvp.commands import Cancel, SetCap, SignUp
from frontdesk.desks.rsvp.model import Lane, State
from frontdesk.desks.rsvp.pages import snippets
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Outcome
from frontdesk.errors import Busy
from frontdesk.web.limits import Limits
from tests.support.server import FORM, Served, sign_up


@pytest.mark.spec("EV-05")
def test_the_form_answers_with_the_resulting_state_and_what_comes_next(served: Served) -> None:
    served.desk.given(cap=1)

    first, second = sign_up(served, "ann"), sign_up(served, "bob")

    assert (first.status, first.heading) == (200, "You're in.")
    assert (
        "A mail with the details and your link to cancel is on its way to a…\u2060@example.org."
        in first.says
    )
    assert (second.status, second.heading) == (200, "You're first in line.")
    assert served.desk.seats.taken == 1


@pytest.mark.spec("EV-06")
def test_signing_up_again_returns_the_existing_status(served: Served) -> None:
    served.desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])
    before = served.dump()

    seated = sign_up(served, "ann", email="  ANN@Example.org ")
    waiting = sign_up(served, "cat", name="Somebody Else")

    assert seated.heading == "You're in."
    assert "You're already on the list, and your seat is confirmed." in seated.says
    assert waiting.heading == "You're second in line."
    assert "Asking again keeps your place as it is." in waiting.says
    assert served.dump() == before


@pytest.mark.spec("EV-06")
def test_somebody_with_an_offer_is_told_that_it_is_in_their_mail(served: Served) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.do(Cancel(desk.id("ann")))

    again = sign_up(served, "bob")

    assert again.heading == "This seat is yours until 15:00 today (SGT)."
    assert "Our mail to you has the link to take it." in again.says


@pytest.mark.spec("EV-13")
def test_with_double_opt_in_the_form_asks_to_confirm_by_mail(served: Served) -> None:
    desk = served.desk.given(cap=1, double_opt_in=True)

    first, again = sign_up(served, "ann"), sign_up(served, "ann")

    assert (first.heading, again.heading) == ("Please confirm.", "Please confirm.")
    assert "We sent a mail to a…\u2060@example.org." in first.says
    assert desk.seats.taken == 0


@pytest.mark.spec("EV-05", "EV-11")
def test_a_party_larger_than_the_event_is_neither_offered_nor_taken(served: Served) -> None:
    desk = served.desk.given(cap=3, party_limit=8)
    assert '<option value="3"' in served.visitor.get("/e/pottery").body
    desk.do(SetCap(desk.event_id, 2))
    page = served.visitor.get("/e/pottery")

    answer = sign_up(served, "ann", party=3)

    assert '<option value="2"' in page.body
    assert '<option value="3"' not in page.body
    only = "There are only 2 seats. Please sign up for 1 to 2."
    assert (answer.status, answer.error_at("party")) == (422, only)
    body = json.dumps({"name": "Ann", "email": "ann@example.org", "party": 3}).encode()
    by_json = served.visitor.send(
        "POST", "/api/events/pottery/guests", body, {"content-type": "application/json"}
    )
    assert (by_json.status, only in by_json.body) == (422, True)
    assert json.loads(served.visitor.get("/api/events/pottery").body)["party_limit"] == 2
    to_copy = snippets(served.base_url, desk.event).form
    assert ('value="2"' in to_copy, 'value="3"' in to_copy) == (True, False)
    assert desk.seats.waiting == 0


def test_a_party_is_asked_for_only_where_one_may_bring_others(served: Served) -> None:
    served.desk.given(cap=3, party_limit=2)

    page = served.visitor.get("/e/pottery")
    answer = sign_up(served, "ann", party=2)

    assert "party" in page.fields
    assert "Your 2 seats are confirmed: you and 1 guest." in answer.says
    assert served.desk.seats.taken == 2


@pytest.mark.spec("FD-08", "FD-11")
def test_typing_an_address_gives_no_link_that_acts_for_it(served: Served) -> None:
    served.desk.given(cap=1, confirmed=["ann"], line=["bob"])

    pages = [sign_up(served, who) for who in ("ann", "bob", "cat")]

    for page in pages:
        assert "/l/" not in page.body
        assert "@example.org" not in page.body.replace("…\u2060@example.org", "")


BAD_FORMS = [
    ({"name": "", "email": "ann@example.org"}, {"name": "Please give a name."}),
    (
        {"name": "Ann", "email": "ann"},
        {"email": "Please give one e-mail address, like ann@example.org."},
    ),
    (
        {"name": "Ann", "email": "a b@example.org"},
        {"email": "An e-mail address has no spaces in it."},
    ),
    (
        {"name": "see http://spam.example", "email": "ann@example.org"},
        {"name": "Please give a name without a link or an address in it."},
    ),
    (
        {"name": "\x07", "email": "a@b\r\nBcc: c@d.example"},
        {
            "name": "The name has characters in it that cannot be shown.",
            "email": "An e-mail address has no spaces in it.",
        },
    ),
    (
        {"name": "x" * 2000, "email": "x" * 2000},
        {
            "name": "Please give a name of at most 120 characters.",
            "email": "That e-mail address is too long.",
        },
    ),
    (
        {"name": "Ann", "email": "ann@example.org", "party": "4"},
        {"party": "Please choose a number from 1 to 3."},
    ),
    (
        {"name": "Ann", "email": "ann@example.org", "party": "-1"},
        {"party": "Please choose a number from 1 to 3."},
    ),
    (
        {"name": "Ann", "email": "ann@example.org", "party": "two"},
        {"party": "Please choose a number from 1 to 3."},
    ),
    ({}, {"name": "Please give a name.", "email": "Please give an e-mail address."}),
]


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(("typed", "errors"), BAD_FORMS)
def test_an_error_is_shown_at_its_field_and_the_input_is_kept(
    unchanging: Served, typed: dict[str, str], errors: dict[str, str]
) -> None:
    before = unchanging.dump()

    page = unchanging.visitor.post("/e/pottery", **typed)

    assert page.status == 422
    assert {field: page.error_at(field) for field in errors} == errors
    assert {name: page.fields[name] for name in ("name", "email")} == {
        name: typed.get(name, "") for name in ("name", "email")
    }
    assert unchanging.dump() == before


BAD_BODIES = [
    (b"\xff\xfe\x00", FORM, 400),
    (b"a=1&" * 500, FORM, 400),
    (b"name=" + b"x" * 70_000, FORM, 400),
    (b"name=Ann&email=ann%40example.org%00", FORM, 422),
    (b"%%%%", FORM, 422),
    (b"", "text/plain", 422),
    (b"no parts at all", "multipart/form-data; boundary=x", 400),
    (b"no boundary", "multipart/form-data", 400),
    (b"{", "application/json", 400),
    (b"[]", "application/json", 400),
    (b"null", "application/json", 400),
    (b"[" * 50_000, "application/json", 400),
    (b'{"name": 1, "email": [], "party": "x"}', "application/json", 422),
    (b'{"name": "Ann", "email": "ann@example.org", "party": 1e9}', "application/json", 422),
    (b'{"name": "Ann", "email": "ann@example.org", "party": true}', "application/json", 422),
    (b'{"name": "\\ud800", "email": "ann@example.org"}', "application/json", 400),
]


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(("body", "kind", "status"), BAD_BODIES)
def test_a_body_that_makes_no_sense_gets_a_clear_answer_and_changes_nothing(
    unchanging: Served, body: bytes, kind: str, status: int
) -> None:
    before = unchanging.dump()

    page = unchanging.visitor.send("POST", "/e/pottery", body, {"content-type": kind})

    assert page.status == status
    assert page.body
    assert unchanging.dump() == before


@pytest.mark.spec("FD-28")
@pytest.mark.parametrize("double_opt_in", [True, False])
@pytest.mark.parametrize("cap", [1, 2])
def test_a_robot_that_fills_the_hidden_field_sees_success_and_changes_nothing(
    served: Served, cap: int, double_opt_in: bool
) -> None:
    desk = served.desk.given(cap=cap, double_opt_in=double_opt_in)
    desk.sign_up("ann", lane=Lane.HOST)
    before = served.dump()

    robot = sign_up(served, "bob", website="https://spam.example")
    unchanged = served.dump() == before
    person = sign_up(served, "bob")

    assert unchanged
    assert (robot.status, robot.heading, robot.says) == (200, person.heading, person.says)


@pytest.mark.spec("FD-28")
def test_one_address_can_sign_up_an_office_but_not_a_city(served: Served) -> None:
    seconds = [0.0]
    served.desk.product.site.limits = Limits(lambda: seconds[0])
    desk = served.desk.given(cap=500)

    answers = [sign_up(served, f"guest{n}").status for n in range(40)]
    seconds[0] = 60.0
    later = [sign_up(served, f"later{n}").status for n in range(25)]

    assert answers == [200] * 30 + [429] * 10
    assert later == [200] * 20 + [429] * 5
    assert desk.seats.taken == 50


def test_a_form_sent_in_parts_by_a_script_is_read_as_well(served: Served) -> None:
    desk = served.desk.given(cap=1)
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in {"name": "Ann", "email": "ann@example.org"}.items()
    )

    page = served.visitor.send(
        "POST",
        "/e/pottery",
        f"{parts}--x--\r\n".encode(),
        {"content-type": "multipart/form-data; boundary=x", "accept": "application/json"},
    )

    assert page.status == 200
    assert desk.seats.taken == 1


def test_a_cancelled_guest_who_signs_up_again_asks_anew(served: Served) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"])
    desk.do(Cancel(desk.id("ann")))

    assert sign_up(served, "ann").heading == "You're in."
    assert desk.state("ann") is State.CONFIRMED


@pytest.mark.spec("EV-04", "FD-03")
def test_in_a_rush_a_sign_up_is_queued_and_answered_in_order(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"])
    site = desk.product.site
    decide = Engine.run_async

    async def busy(engine: Engine, command: Command, **how: Any) -> Outcome:
        if isinstance(command, SignUp):
            raise Busy("Too many at once.")
        return await decide(engine, command, **how)

    with monkeypatch.context() as patched:
        patched.setattr(type(site.engine), "run_async", busy)
        first, again = sign_up(served, "bob"), sign_up(served, "bob")
    desk.settle()

    assert [(each.status, each.heading) for each in (first, again)] == [(200, "We have it.")] * 2
    assert "A mail to b…\u2060@example.org tells you what became of it" in first.says
    (row,) = desk.reads.guest_rows(desk.event.id, search="bob@")
    assert (row.guest.state, desk.seats.waiting) == (State.WAITING, 1)
    assert len(desk.mail_to("bob")) == 1
