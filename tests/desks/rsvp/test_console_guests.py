"""A host manages the guests: finds, adds, moves, seats, removes and exports them."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest

from frontdesk.connect.tables import read_people
from frontdesk.core.decision import Command
from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.commands import Cancel, CreateEvent, SetCap, SignUp
from frontdesk.desks.rsvp.model import EventId, EventSettings, GuestId, Lane, State
from frontdesk.engine.ports import Outcome
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import EVENTS, ConsoleDesk, Host, error_at
from tests.support.rsvp import DETAILS, STARTS


def press(con: ConsoleDesk, host: Host, who: str, action: str, **fields: str) -> str:
    """Presses a button on the guest's page; returns the message of the console."""
    page = con.guest_url(who)
    answer = host.act(page, f"{page}/{action}", **fields)
    assert answer.status == 200, answer.says
    con.desk.settle()
    return answer.flash


def table_of(says: str, *names: str) -> list[str]:
    """Returns the names that are on the page, in the order of the page."""
    places = {name: says.find(name) for name in names}
    return sorted((name for name in names if places[name] >= 0), key=places.__getitem__)


def test_the_list_is_searched_filtered_and_sorted_by_its_address(con: ConsoleDesk) -> None:
    con.desk.given(cap=2, confirmed=["zoe", "ann"], line=["bob"])
    host = con.owner()
    everyone = ("ann@", "bob@", "zoe@")

    assert table_of(host.get(f"{con.url}/guests").says, *everyone) == ["ann@", "bob@", "zoe@"]
    for query, found in {
        "state=waiting": ["bob@"],
        "q=ZO": ["zoe@"],
        "sort=-name": ["zoe@", "bob@", "ann@"],
        "state=confirmed&sort=-name": ["zoe@", "ann@"],
        "state=nonsense&sort=nonsense&page=x": ["ann@", "bob@", "zoe@"],
        "q=%25": [],
        "page=99999999999": ["ann@", "bob@", "zoe@"],
    }.items():
        says = host.get(f"{con.url}/guests?{query}").says
        assert table_of(says, *everyone) == found, query


def test_a_long_list_comes_in_pages(con: ConsoleDesk) -> None:
    con.desk.given(cap=60, confirmed=[f"g{n:02}" for n in range(55)])
    host = con.owner()
    first, second = host.get(f"{con.url}/guests"), host.get(f"{con.url}/guests?page=2")

    assert "1 to 50 of 55" in first.says
    assert "51 to 55 of 55" in second.says
    assert ("g49@" in first.says, "g50@" in first.says) == (True, False)
    assert ("g49@" in second.says, "g50@" in second.says) == (False, True)


def test_a_guest_whom_the_host_adds_gets_a_seat_or_a_place_in_line_or_an_invitation(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=1)
    host, add = con.owner(), f"{con.url}/guests/add"

    assert host.send(add, name="Ann", email="ANN@Example.org").flash == (
        "On the list, with a seat. The confirmation is on its way."
    )
    assert host.send(add, name="Bob", email="bob@example.org").flash == (
        "No seat is free for them, so they are in line. They are told their place."
    )
    assert host.send(add, name="Cat", email="cat@example.org", how="invite").flash == (
        "Invited. They hold no seat until they say yes."
    )
    again = host.send(add, name="Ann", email="ann@example.org")
    assert (again.status, error_at(again, "email")) == (
        422,
        "This person is on the list already. Nothing was changed.",
    )
    rows = con.desk.reads.guest_rows(con.desk.event_id)
    assert [(row.person.email, row.guest.state, row.guest.lane) for row in rows] == [
        ("ann@example.org", State.CONFIRMED, Lane.HOST),
        ("bob@example.org", State.WAITING, Lane.HOST),
        ("cat@example.org", State.PENDING, Lane.HOST),
    ]


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "", "Please give a name."),
        (
            "name",
            "Win at www.example.com",
            "Please give a name without a link or an address in it.",
        ),
        ("email", "nobody", "Please give one e-mail address, like ann@example.org."),
        ("email", "a@b.org, c@d.org", "An e-mail address has no spaces in it."),
        ("party", "0", "The event has 9 seats. Please write a whole number from 1 to 9."),
        ("party", "many", "The event has 9 seats. Please write a whole number from 1 to 9."),
        ("party", "10", "The event has 9 seats. Please write a whole number from 1 to 9."),
    ],
)
def test_an_invalid_guest_is_not_added(con: ConsoleDesk, field: str, value: str, says: str) -> None:
    con.desk.given(cap=9)
    host, before = con.owner(), con.dump()
    good = {"name": "Ann", "email": "ann@example.org", "party": "2"}

    answer = host.send(f"{con.url}/guests/add", **{**good, field: value})

    assert (answer.status, error_at(answer, field)) == (422, says)
    assert con.dump() == before


@pytest.mark.spec("EV-31")
def test_a_guest_is_taken_off_after_a_question_and_the_seat_goes_to_the_next(
    con: ConsoleDesk,
) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    host = con.owner()

    asked = host.act(con.guest_url("ann"), f"{con.guest_url('ann')}/remove")
    assert asked.heading == "Take Ann off the list?"
    assert desk.state("ann") is State.CONFIRMED

    assert press(con, host, "ann", "remove", confirmed="yes") == (
        "They are off the list and will be told. What they held is free for others."
    )
    assert desk.states() == {"ann": State.CANCELLED, "bob": State.OFFERED}
    assert "The host has taken you off the guest list." in desk.mail_to("ann")[-1].text
    assert press(con, host, "ann", "remove", confirmed="yes") == (
        "This guest had cancelled before. Nothing was changed."
    )


@pytest.mark.spec("EV-31")
def test_a_fresh_link_is_sent_with_a_token_of_its_own(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"])
    first = desk.mail_to("ann")[-1].text

    assert press(con, con.owner(), "ann", "resend") == "A fresh link is on its way."

    links = [
        [w for w in text.split() if "/l/" in w] for text in (first, desk.mail_to("ann")[-1].text)
    ]
    assert links[0]
    assert links[1]
    assert not set(links[0]) & set(links[1])


@pytest.mark.spec("EV-31")
def test_the_host_gives_a_free_seat_past_the_line_but_never_past_the_cap(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=2, confirmed=["ann", "bob"], party_limit=2, strict_order=True)
    desk.sign_up("cat", party=2)
    desk.sign_up("dan")
    desk.do(Cancel(desk.id("ann")))
    host = con.owner()

    assert press(con, host, "cat", "seat") == (
        "There are not enough free seats for this party. Nothing was changed."
    )
    assert press(con, host, "dan", "seat") == (
        "They have a seat now. The confirmation is on its way."
    )
    assert (desk.state("cat"), desk.state("dan"), desk.seats.free) == (
        State.WAITING,
        State.CONFIRMED,
        0,
    )


@pytest.mark.spec("EV-31")
def test_a_guest_in_line_goes_to_the_front_or_to_the_end(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob", "cat", "dan"])
    host = con.owner()

    def places() -> dict[str, int]:
        return {who: desk.reads.position(desk.guest(who)) for who in ("bob", "cat", "dan")}

    assert press(con, host, "dan", "front") == "They are first in line now."
    assert places() == {"dan": 1, "bob": 2, "cat": 3}
    assert press(con, host, "bob", "end") == "They are at the end of the line now."
    assert places() == {"dan": 1, "cat": 2, "bob": 3}
    assert press(con, host, "ann", "front") == (
        "This guest is not in line any more. Nothing was changed."
    )


def test_a_party_becomes_smaller_and_never_larger(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=3, party_limit=3)
    desk.sign_up("ann", party=3)
    host = con.owner()

    assert press(con, host, "ann", "party", party="2") == (
        "The party is smaller now, and they are told."
    )
    for party in ("2", "3", "0", "x", ""):
        assert press(con, host, "ann", "party", party=party) == (
            "A party can only become smaller, and at least one comes."
        )
    assert (desk.guest("ann").party, desk.seats.free) == (2, 1)


def other_event(con: ConsoleDesk, cap: int) -> EventId:
    event_id = EventId(con.desk.product.engine.new_id())
    con.desk.do(CreateEvent(event_id, "second", DETAILS, EventSettings(), cap))
    return event_id


@pytest.mark.spec("EV-31")
def test_moving_a_guest_takes_the_seat_there_before_the_one_here_is_given_up(
    con: ConsoleDesk,
) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    there = other_event(con, cap=1)
    host = con.owner()

    page = host.send(f"{con.guest_url('ann')}/move", to=there)
    desk.settle()

    assert page.flash == "Moved: they have a seat here."
    assert desk.states() == {"ann": State.CANCELLED, "bob": State.OFFERED}
    moved = desk.reads.guest_of(there, desk.guest("ann").person_id)
    assert moved is not None
    assert moved.state is State.CONFIRMED


@pytest.mark.spec("EV-31")
def test_where_only_the_line_is_open_moving_asks_first(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"])
    there = other_event(con, cap=0)
    host, move = con.owner(), f"{con.guest_url('ann')}/move"

    asked = host.send(move, to=there)
    assert "Only the line is open there" in asked.says
    assert desk.state("ann") is State.CONFIRMED

    page = host.act(move, move, to=there, line_is_fine="yes")
    assert page.flash == "Moved: they are in line here."
    assert desk.state("ann") is State.CANCELLED
    nowhere = host.act(con.url, move, to="no-such-event")
    assert (nowhere.status, error_at(nowhere, "to")) == (422, "Please choose an event.")


@pytest.mark.spec("EV-11", "EV-31")
def test_a_party_is_not_moved_to_an_event_that_is_smaller_than_it(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=3, party_limit=3)
    desk.sign_up("ann", party=3)
    there = other_event(con, cap=2)
    host, move = con.owner(), f"{con.guest_url('ann')}/move"
    assert "Their party is larger than this event." in host.get(move).says

    for answer in (host.send(move, to=there), host.act(move, move, to=there, line_is_fine="yes")):
        assert (answer.status, error_at(answer, "to")) == (
            422,
            "That is more people than one sign-up or the event can take.",
        )
    assert desk.state("ann") is State.CONFIRMED


@pytest.mark.spec("EV-31")
def test_when_the_last_seat_there_goes_to_somebody_else_the_one_here_is_kept(
    con: ConsoleDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"])
    there, engine = other_event(con, cap=1), desk.product.engine
    host, run_async = con.owner(), desk.product.engine.run_async

    async def somebody_was_faster(command: Command, **how: Any) -> Outcome:
        if isinstance(command, SignUp):
            eve = replace(
                command,
                guest_id=GuestId(engine.new_id()),
                person_id=PersonId(engine.new_id()),
                email="eve@example.org",
            )
            await run_async(eve, by="cli", now=how["now"])
        return await run_async(command, **how)

    monkeypatch.setattr(engine, "run_async", somebody_was_faster)
    page = host.send(f"{con.guest_url('ann')}/move", to=there)

    assert page.flash == (
        "The last seat there was just taken: they are in line there and keep their place here."
    )
    assert desk.state("ann") is State.CONFIRMED


@pytest.mark.spec("FD-29")
def test_a_guest_is_only_found_under_their_own_event(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"])
    there = other_event(con, cap=1)
    host = con.host("hugo", event_id=there)
    elsewhere = f"{EVENTS}/{there}/guests/{desk.id('ann')}"
    before = con.dump()

    assert host.get(elsewhere).status == 404
    for action in ("remove", "check-in", "resend", "party", "move"):
        fields = {"confirmed": "yes", "arrived": "1", "party": "1"}
        answer = host.act(f"{EVENTS}/{there}", f"{elsewhere}/{action}", **fields)
        assert answer.status == 404, action
    assert con.dump() == before


@pytest.mark.spec("EV-31")
@pytest.mark.spec("FD-29")
def test_an_export_has_the_filtered_list_opens_as_a_table_and_runs_nothing(
    con: ConsoleDesk,
) -> None:
    desk = con.desk.given(cap=2, confirmed=["zoe", "ann"], line=["bob"])
    host = con.owner()
    host.send(f"{con.url}/guests/add", name="=cmd|'/c calc'!A1", email="eve@example.org")

    answer = host.get(f"{con.url}/guests.csv?sort=-name")
    rows = list(csv.reader(io.StringIO(answer.body.decode("utf-8-sig"))))
    assert answer.headers["content-disposition"] == 'attachment; filename="pottery-guests.csv"'
    assert rows[0] == ["Name", "E-mail", "State", "Party", "Arrived", "Joined", "Way in"]
    assert [row[:4] for row in rows[1:]] == [
        ["Zoe", "zoe@example.org", "confirmed", "1"],
        ["Bob", "bob@example.org", "waiting", "1"],
        ["Ann", "ann@example.org", "confirmed", "1"],
        ["'=cmd|'/c calc'!A1", "eve@example.org", "waiting", "1"],
    ]
    for ending in ("csv", "xlsx"):
        body = host.get(f"{con.url}/guests.{ending}?state=confirmed").body
        assert [row.email for row in read_people(body).rows] == [
            "ann@example.org",
            "zoe@example.org",
        ]
    assert desk.seats.taken == 2


@pytest.mark.spec("EV-30")
def test_a_guests_page_tells_their_story_and_who_did_what(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    host = con.host("hedy")
    press(con, host, "ann", "remove", confirmed="yes")

    says = host.get(con.guest_url("ann")).says
    assert table_of(
        says,
        "Ann freed 1 seat",
        "The host took Ann off the list. By Hedy.",
        "Ann signed up and got a seat.",
    ) == [
        "Ann freed 1 seat",
        "The host took Ann off the list. By Hedy.",
        "Ann signed up and got a seat.",
    ]
    assert "The host took Ann off the list. By Hedy." in host.get(con.url).says
    seat = host.get(f"{con.url}/seat/1").says
    assert table_of(seat, "Ann freed 1 seat", "A seat is held for Bob.") == [
        "Ann freed 1 seat",
        "A seat is held for Bob.",
    ]
    assert host.get(f"{con.url}/seat/99").status == 404
    audit = host.get(f"{con.url}/audit").says
    assert "ev.cancelled" in audit
    assert "Ann" not in audit
    assert desk.state("bob") is State.OFFERED


@pytest.mark.spec("EV-30")
def test_a_long_story_is_read_from_its_end_page_by_page(con: ConsoleDesk) -> None:
    con.desk.given(cap=200, confirmed=[f"g{n:03}" for n in range(130)])
    host = con.owner()
    page, seen = host.get(f"{con.url}/story"), []
    for _ in range(5):
        seen += [n for n in range(130) if f"G{n:03} signed up" in page.says]
        older = re.search(r'href="([^"]+)">Further back', page.text)
        if older is None:
            break
        page = host.get(older[1])

    assert sorted(seen) == list(range(130))
    assert "The event was set up with 200 seats." in page.says


def test_the_line_shows_places_offers_and_who_was_passed_over(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=2, confirmed=["ann", "bob"], party_limit=2)
    desk.sign_up("cat", party=2)
    desk.sign_up("dan")
    desk.do(Cancel(desk.id("ann")))

    says = con.owner().get(f"{con.url}/line").says
    assert "Dan Waiting for an answer 1 seat until 15:00 today (SGT)" in says
    assert "1 Cat Party of 2" in says
    assert "Passed over: 2 needed, 1 free" in says


def test_the_line_shows_more_offers_than_the_overview(con: ConsoleDesk) -> None:
    names = [f"guest{letter}" for letter in "abcdefgh"]
    desk = con.desk.given(cap=1, confirmed=["ann"], line=names)
    desk.do(SetCap(desk.event_id, 1 + len(names)))
    owner = con.owner()

    shown = {page: owner.get(page).says for page in (con.url, f"{con.url}/line")}
    assert [text.count("Waiting for an answer") for text in shown.values()] == [6, 8]


@pytest.mark.spec("FD-21")
def test_a_host_sees_their_event_and_nothing_of_any_other(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"])
    there = other_event(con, cap=1)
    host = con.host("hedy")

    assert host.get(con.url).status == 200
    assert "Pottery workshop" in host.get(EVENTS).says
    assert there not in host.get(EVENTS).text
    before = con.dump()
    for path in (
        "",
        "/edit",
        "/guests",
        "/guests.csv",
        "/line",
        "/door",
        "/story",
        "/audit",
        "/live?poll=1",
    ):
        assert host.get(f"{EVENTS}/{there}{path}").status == 403, path
    for path in ("/cap", "/call-off", "/edit", "/guests/add", "/import", "/thanks"):
        answer = host.act(con.url, f"{EVENTS}/{there}{path}", cap="9", confirmed="yes")
        assert answer.status == 403, path
    for path in ("/new", "/defaults"):
        assert host.get(f"{EVENTS}{path}").status == 403, path
    mixed = f"{EVENTS}/{con.desk.event_id}/guests/{con.desk.id('ann')}"
    assert host.get(mixed.replace(con.desk.event_id, there)).status == 403
    moved = host.act(con.url, f"{mixed}/move", to=there)
    assert moved.status == 422
    polled = host.get("/console/live?poll=1").text
    assert (con.desk.event_id in polled, there in polled) == (True, False)
    assert con.dump() == before


@pytest.mark.spec("FD-29")
def test_a_form_without_the_token_of_the_session_changes_nothing(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    host, stranger = con.owner(), Host(con.app, "http://desk.example")
    before = con.dump()
    ann = con.guest_url("ann")
    posts = [
        f"{EVENTS}/new", f"{EVENTS}/defaults", f"{con.url}/edit", f"{con.url}/cap",
        f"{con.url}/call-off", f"{con.url}/thanks", f"{con.url}/guests/add", f"{con.url}/import",
        f"{con.url}/import/begin", f"{ann}/remove", f"{ann}/party", f"{ann}/check-in",
        f"{ann}/resend", f"{ann}/move",
    ]  # fmt: skip
    for path in posts:
        for token in ({}, {"csrf": "forged"}):
            answer = host.post(path, confirmed="yes", cap="5", arrived="1", **token)
            assert answer.status == 403, path
        assert stranger.post(path, confirmed="yes").status in (303, 401), path
    assert con.dump() == before


@pytest.mark.spec("FD-09")
def test_opening_any_page_changes_nothing_and_needs_a_member(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    host, stranger = con.host("sam", Role.STAFF), Host(con.app, "http://desk.example")
    before = con.dump()
    ann = con.guest_url("ann")
    for path in (
        EVENTS, f"{EVENTS}/new", f"{EVENTS}/defaults", con.url, f"{con.url}/edit",
        f"{con.url}/guests", f"{con.url}/guests.csv", f"{con.url}/guests.xlsx",
        f"{con.url}/guests/add", ann, f"{ann}/move", f"{con.url}/line", f"{con.url}/import",
        f"{con.url}/door", f"{con.url}/door/list", f"{con.url}/story", f"{con.url}/audit",
        f"{con.url}/call-off", f"{con.url}/thanks", f"{con.url}/live?poll=1",
        "/console/live?poll=1",
    ):  # fmt: skip
        assert host.get(path).status == 200, path
        assert host.ask("HEAD", path).status == 200, path
        assert stranger.get(path).status in (303, 401), path
    for path in (f"{EVENTS}/none", f"{ann}x", f"{con.url}/import/none", "/console/door/none"):
        assert host.get(path).status == 404, path
    assert con.dump() == before


@pytest.mark.spec("EV-31")
@pytest.mark.parametrize(
    ("action", "states", "subject"),
    [
        ("accept", (State.CONFIRMED, State.WAITING), "You're in: Pottery workshop"),
        ("decline", (State.WAITING, State.OFFERED), "You've passed it on: Pottery workshop"),
        ("stop-offer", (State.WAITING, State.OFFERED), "The offer has ended: Pottery workshop"),
    ],
)
def test_a_host_answers_an_offer_for_somebody_or_takes_it_back(
    con: ConsoleDesk, action: str, states: tuple[State, State], subject: str
) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"]).do(Cancel(con.desk.id("ann")))

    press(con, con.host("zoe"), "bob", action)

    assert (con.desk.state("bob"), con.desk.state("cat")) == states
    assert con.desk.mail_to("bob")[-1].subject == subject
    [by] = {each.by for each in con.desk.facts() if each.by.startswith("member:")}
    assert by, "the audit says who did it"
    assert "The host" in con.owner().get(con.guest_url("bob")).says


@pytest.mark.spec("EV-24")
def test_an_offer_that_the_host_takes_back_from_the_last_in_line_is_open_to_everybody(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob"]).do(Cancel(con.desk.id("ann")))

    flash = press(con, con.owner(), "bob", "stop-offer")

    assert flash == "The offer is taken back. They keep their place in line."
    text = " ".join(con.desk.mail_to("bob")[-1].text.split())
    assert "Nobody else is waiting for it, so it is open to everybody." in text
    assert "somebody else" not in text


@pytest.mark.spec("EV-31")
def test_removing_a_guest_from_a_begun_event_says_that_they_get_no_mail(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=1, confirmed=["ann"]).wait_until(STARTS)
    host, remove = con.owner(), f"{con.guest_url('ann')}/remove"

    assert (
        "They get no mail, as the event has begun." in host.act(con.guest_url("ann"), remove).says
    )
    assert press(con, host, "ann", "remove", confirmed="yes") == (
        "They are off the list. They get no mail, as the event has begun."
    )


def test_a_host_accepts_for_somebody_before_the_mail_has_gone_out(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob"]).wait(hours=13)
    con.desk.do(Cancel(con.desk.id("ann")))
    assert not con.desk.guest("bob").live

    press(con, con.owner(), "bob", "accept")

    assert con.desk.state("bob") is State.CONFIRMED
    assert con.desk.seats.taken == 1


@pytest.mark.spec("EV-31")
def test_a_host_gives_a_seat_to_somebody_else(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"])
    host = con.host("zoe")
    url = f"{con.guest_url('ann')}/pass-on"

    wrong = host.act(url, url, name="", email="cat")
    same = host.act(url, url, name="Tom", email="ANN@example.org")
    answer = host.act(url, url, name="Cat", email="cat@example.org")
    con.desk.settle()

    assert (wrong.status, error_at(wrong, "name")) == (422, "Please give a name.")
    assert error_at(same, "email") == (
        "This is their own address. Give another one, or correct only the name under People."
    )
    assert answer.flash == "Cat comes instead. Both are told by mail."
    assert con.desk.state("ann") is State.CANCELLED
    assert con.desk.mail_to("cat")[-1].subject == "You're in: Pottery workshop"
    assert con.desk.mail_to("ann")[-1].subject == "You're no longer on the list: Pottery workshop"
    listed = [row.person.name for row in con.desk.reads.guest_rows(con.desk.event_id)]
    assert listed == ["Ann", "Cat"]


@pytest.mark.spec("EV-31")
def test_a_seat_is_given_away_once(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"])
    owner, guest = con.owner(), con.guest_url("ann")
    csrf = owner.get(f"{guest}/pass-on").csrf
    owner.act(f"{guest}/pass-on", f"{guest}/pass-on", name="Cat", email="cat@example.org")

    again = owner.post(f"{guest}/pass-on", csrf=csrf, name="Dan", email="dan@example.org")
    form = owner.get(f"{guest}/pass-on")

    assert (again.status, again.location) == (303, guest)
    assert owner.get(guest).flash == "This guest has no seat. Nothing was changed."
    assert (form.status, form.location) == (303, guest)


@pytest.mark.spec("FD-10")
def test_a_new_name_with_a_new_address_asks_whether_it_is_the_same_person(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=1, confirmed=["ann"])
    owner, person_id = con.owner(), con.desk.guest("ann").person_id
    page = f"/console/people/{person_id}"
    typed = {"name": "Cat", "email": "cat@example.org", "mobile": ""}

    asked = owner.act(page, f"{page}/correct", **typed)
    unchanged = con.desk.reads.person(person_id)
    owner.act(page, f"{page}/correct", **typed, same_person="yes")

    assert asked.status == 422
    assert "Is this still the same person?" in asked.says
    assert con.guest_url("ann").encode() in asked.body
    assert unchanged is not None
    assert unchanged.name == "Ann"
    corrected = con.desk.reads.person(person_id)
    assert corrected is not None
    assert corrected.email == "cat@example.org"


@pytest.mark.spec("FD-10")
def test_a_guest_without_a_seat_cannot_give_one_away(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    page = f"/console/people/{con.desk.guest('bob').person_id}"
    typed = {"name": "Cat", "email": "cat@example.org", "mobile": ""}

    asked = con.owner().act(page, f"{page}/correct", **typed)

    assert asked.heading == "Is this still the same person?"
    assert "Somebody else comes instead?" not in asked.says
