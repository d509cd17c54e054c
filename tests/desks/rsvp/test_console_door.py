"""Check-in: each guest is checked in once, by their name or by the code on their phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.desks.rsvp.commands import Cancel, CreateEvent
from frontdesk.desks.rsvp.links import GuestLinks
from frontdesk.desks.rsvp.model import EventId, EventSettings
from tests.desks.rsvp.console_desk import ConsoleDesk, console_desk
from tests.support.browser import Browser
from tests.support.rsvp import DETAILS, HOUR, STARTS


@pytest.fixture
def con(tmp_path: Path) -> Iterator[ConsoleDesk]:
    with console_desk(tmp_path) as opened:
        opened.desk.given(cap=4, confirmed=["ann", "bob"], party_limit=3)
        opened.desk.sign_up("cat", party=2)
        opened.desk.wait_until(STARTS - HOUR)
        yield opened
        assert opened.desk.settle().problems() == []
        assert opened.desk.dead_letters() == []


def code_of(con: ConsoleDesk, who: str) -> str:
    """Returns the address in the code that a guest shows."""
    product, guest = con.desk.product, con.desk.guest(who)
    links = GuestLinks(product.settings.base_url, product.keys, guest.id, 0, con.desk.event.details)
    return f"/console/door/{links.ticket().rpartition('/')[2]}"


@pytest.mark.spec("EV-31")
def test_a_guest_is_checked_in_from_the_list_and_the_second_time_says_when(
    con: ConsoleDesk,
) -> None:
    host, door = con.host("hedy"), f"{con.url}/door"
    check_in = f"{con.guest_url('ann')}/check-in"

    first = host.act(door, check_in, arrived="1", back="door")
    assert (first.flash, con.desk.guest("ann").arrived) == ("Checked in.", 1)
    assert re.search(r">1</strong> of", first.text)
    con.desk.wait(minutes=5)

    second = host.act(door, check_in, arrived="1", back="door")
    assert second.flash == "They were checked in already, at 18:00 (SGT)."
    assert len(con.desk.facts("ev.arrived")) == 1


def test_a_check_in_can_be_taken_back_with_one_press(con: ConsoleDesk) -> None:
    host, door = con.owner(), f"{con.url}/door"
    page = host.act(door, f"{con.guest_url('cat')}/check-in", arrived="2", back="door")
    assert page.flash == "Checked in: 2 of 2 are here."
    undo = re.search(r'action="([^"]*check-in\?[^"]*)"', page.text)
    assert undo is not None

    back = host.act(door, undo[1].replace("&amp;", "&"))

    assert back.flash == "The check-in was taken back."
    assert con.desk.guest("cat").arrived == 0


@pytest.mark.spec("EV-31")
def test_opening_a_code_shows_who_it_is_and_only_the_button_checks_in(con: ConsoleDesk) -> None:
    host, code = con.host("hedy"), code_of(con, "cat")
    before = con.dump()
    page = host.get(code)
    assert "Cat Confirmed Party of 2" in page.says
    assert "Check in all 2" in page.says
    assert con.dump() == before

    host.send(code, f"{con.guest_url('cat')}/check-in")
    assert con.desk.guest("cat").arrived == 2
    assert "Checked in already, at 18:00 (SGT)." in host.get(code).says


@pytest.mark.spec("EV-31")
def test_a_code_of_somebody_without_a_seat_or_of_another_kind_lets_nobody_in(
    con: ConsoleDesk,
) -> None:
    host, code = con.owner(), code_of(con, "bob")
    con.desk.do(Cancel(con.desk.id("bob")))

    assert "They have no seat at this event." in host.get(code).says
    refused = host.act(con.url, f"{con.guest_url('bob')}/check-in", arrived="1")
    assert refused.flash == "This guest has no seat. Nothing was changed."
    product, guest = con.desk.product, con.desk.guest("ann")
    links = GuestLinks(product.settings.base_url, product.keys, guest.id, 0, DETAILS)
    for other in (links.manage(), links.confirm()):
        token = other.rpartition("/")[2].partition("#")[0]
        assert host.get(f"/console/door/{token}").status == 404


@pytest.mark.spec("FD-21")
def test_a_code_for_another_door_is_not_opened_by_this_host(con: ConsoleDesk) -> None:
    there = EventId(con.desk.product.engine.new_id())
    con.desk.do(CreateEvent(there, "second", DETAILS, EventSettings(), 5))
    stranger = con.host("hugo", event_id=there)

    answer = stranger.get(code_of(con, "ann"))

    assert (answer.status, answer.heading) == (403, "This code is not for your door.")
    assert "Ann" not in answer.says


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("arrived", ["", "x", "-1", "1.5", "99999"])
def test_an_invalid_number_checks_nobody_in(con: ConsoleDesk, arrived: str) -> None:
    host = con.owner()
    page = host.act(con.url, f"{con.guest_url('ann')}/check-in", arrived=arrived)

    assert page.flash == "Please say how many have arrived."
    assert con.desk.guest("ann").arrived == 0


def test_more_people_than_signed_up_are_not_checked_in(con: ConsoleDesk) -> None:
    page = con.owner().act(con.url, f"{con.guest_url('ann')}/check-in", arrived="4")

    assert page.flash == "They signed up for 1 person, so choose no more."
    assert con.desk.guest("ann").arrived == 0


def test_check_in_finds_people_by_name_and_the_printed_list_has_everybody_with_a_seat(
    con: ConsoleDesk,
) -> None:
    con.desk.do(Cancel(con.desk.id("bob")))
    host = con.owner()

    assert "Cat Party of 2" in host.get(f"{con.url}/door?q=ca").says
    assert "Nobody with a seat has “bob” in the name." in host.get(f"{con.url}/door?q=bob").says
    paper = host.get(f"{con.url}/door/list").says
    assert ("Ann" in paper, "Cat" in paper, "Bob" in paper) == (True, True, False)


@pytest.mark.spec("EV-31", "FD-09")
def test_staff_who_scan_a_code_with_any_camera_are_led_to_the_check_in(con: ConsoleDesk) -> None:
    door = code_of(con, "ann")
    code = f"/l/{door.rpartition('/')[2]}"
    guest = Browser(con.app, con.desk.product.settings.base_url)

    shown = con.host("hedy").get(code)
    own = guest.get(code)

    assert (shown.status, shown.location) == (303, door)
    assert "Your code for the door" in con.owner().get(f"{code}?code=show").says
    assert "Your code for the door" in own.says
    assert con.desk.guest("ann").arrived == 0
