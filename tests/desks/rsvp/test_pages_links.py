"""The pages behind the links in a guest's mails."""

import json
import re
from datetime import timedelta

import icalendar
import pytest

from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, Cancel, SetCap, StopOffer
from frontdesk.desks.rsvp.model import Lane, State
from tests.support.guest_links import (
    CANCEL,
    LEAVE,
    PASS,
    TAKE,
    TICKET,
    links_of,
    offered,
    sign_up,
)
from tests.support.server import FORM, Served


@pytest.mark.spec("EV-18", "EV-20", "EV-22", "EV-24")
def test_from_a_full_event_to_a_cancelled_seat_to_a_claimed_offer_to_an_open_seat(
    served: Served,
) -> None:
    desk, visitor = served.desk.given(cap=1), served.visitor
    headings = [sign_up(served, who) for who in ("ann", "bob", "cat")]

    leave = served.link("ann", CANCEL)
    asked = visitor.get(leave)
    gone = visitor.post(leave, do="cancel")
    desk.settle()
    offer = visitor.get(served.link("bob", TAKE))
    taken = visitor.post(offer.url, do="take")
    desk.settle()

    assert headings == ["You're in.", "You're first in line.", "You're second in line."]
    assert (asked.heading, asked.buttons) == ("Give your seat back?", ["Give my seat back"])
    assert gone.heading == "You're not on the list any more."
    assert "This seat is yours until 15:00 today (SGT)" in offer.says
    assert offer.buttons == ["Take the seat", "Pass it on"]
    assert (taken.status, taken.heading) == (200, "You're in.")
    assert desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.CONFIRMED,
        "cat": State.WAITING,
    }
    assert desk.mail_to("bob")[-1].subject == "You're in: Pottery workshop"

    visitor.post(served.link("cat", LEAVE).partition("#")[0], do="cancel")
    visitor.post(served.link("bob", CANCEL).partition("#")[0], do="cancel")
    desk.settle()
    assert sign_up(served, "dan") == "You're in."


@pytest.mark.spec("EV-23", "EV-26")
def test_an_offer_that_lapsed_says_so_and_where_the_guest_stands_now(served: Served) -> None:
    offered(served)
    link = served.link("bob", TAKE)

    served.desk.wait(hours=6)
    page = served.visitor.get(link)
    pressed = served.visitor.post(link, do="take")

    for told in (page, pressed):
        assert (told.status, told.heading) == (410, "This offer has expired.")
        assert "You're now first in line." in told.says
        assert told.buttons == []
    assert served.desk.states()["cat"] is State.OFFERED


@pytest.mark.spec("EV-23", "EV-24", "EV-26")
def test_pages_and_counts_agree_that_a_seat_which_was_let_pass_is_open_to_all(
    served: Served,
) -> None:
    desk, visitor = served.desk.given(cap=1, confirmed=["ann"], line=["bob"]), served.visitor
    desk.do(Cancel(desk.id("ann")))
    link, own = served.link("bob", TAKE), links_of(desk, "bob").manage()
    assert "it is open to everybody and you keep your place" in visitor.get(link).says
    desk.wait(hours=6)

    offer, manage = visitor.get(link), visitor.get(own)
    public, counts = visitor.get("/e/pottery"), json.loads(visitor.get("/api/events/pottery").body)

    assert (offer.status, offer.heading) == (410, "This offer has expired.")
    assert "Nobody else was waiting. A seat is free. It isn't held for you" in offer.says
    assert (manage.heading, offer.buttons[0], manage.buttons[0]) == (
        "A seat is free.",
        "Take the seat",
        "Take the seat",
    )
    both = "1 person in line may take what is free as well. Whoever is first has it."
    assert f"The only seat is free. {both}" in public.says
    assert (counts["seats_free"], counts["waiting"]) == (1, 1)
    assert counts["message"] == f"The only seat is free. {both}"

    taken = visitor.post(own, do="take_free")

    assert taken.heading == "You're in."
    assert visitor.post(own, do="take_free").heading == "You're in."
    desk.settle()
    assert desk.mail_to("bob")[-1].subject == "You're in: Pottery workshop"


@pytest.mark.spec("EV-24")
def test_the_second_guest_for_an_open_seat_stays_in_line(served: Served) -> None:
    desk, visitor = served.desk.given(cap=1, confirmed=["ann"], line=["bob"]), served.visitor
    desk.do(Cancel(desk.id("ann"))).wait(hours=6)
    link, declines = served.link("bob", TAKE), served.link("bob", PASS)
    assert visitor.get(declines).buttons == []
    sign_up(served, "dan")

    late = visitor.post(link, do="take_free")

    assert (late.status, late.heading) == (410, "This seat was just taken.")
    assert late.buttons == []
    assert desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.WAITING,
        "dan": State.CONFIRMED,
    }


@pytest.mark.spec("EV-26")
def test_the_link_of_an_old_offer_points_to_the_newer_one(served: Served) -> None:
    offered(served, line=("bob",))
    old = served.link("bob", TAKE)
    desk = served.desk.wait(hours=6)
    desk.do(SetCap(desk.event_id, 2))

    page = served.visitor.get(old)
    pressed = served.visitor.post(old, do="take")
    newer = served.visitor.post(served.link("bob", TAKE), do="take")

    for told in (page, pressed):
        assert (told.status, told.heading) == (410, "This offer has expired.")
        assert "You have a newer one" in told.says
    assert newer.heading == "You're in."


@pytest.mark.spec("FD-05", "EV-25", "EV-26")
def test_an_offer_is_dead_at_its_deadline_although_no_timer_has_rung(served: Served) -> None:
    offered(served, line=("bob", "cat", "dan"))
    link, clock = served.link("bob", TAKE), served.desk.clock
    deadline = served.desk.guest("bob").claim_by
    assert deadline is not None

    clock.move_to(deadline - timedelta(seconds=1))
    before = served.visitor.get(link)
    clock.move_to(deadline)
    at = served.visitor.get(link)
    pressed = served.visitor.post(link, do="take")
    passed = served.visitor.post(served.link("bob", PASS), do="pass")

    assert before.buttons == ["Take the seat", "Pass it on"]
    for told in (at, pressed, passed):
        assert (told.status, told.heading) == (410, "This offer has expired.")
        assert "You're now third in line." in told.says
    assert served.desk.state("bob") is State.OFFERED
    served.desk.settle()
    assert "You're now second in line." in served.visitor.get(link).says
    assert served.desk.seats.taken == 0


@pytest.mark.spec("EV-23")
@pytest.mark.parametrize("label", [TAKE, PASS])
def test_passing_an_offer_on_keeps_the_place_and_asks_the_next(served: Served, label: str) -> None:
    offered(served)
    link = served.link("bob", label)

    told = served.visitor.post(link, do="pass")
    served.desk.settle()
    again = served.visitor.post(link, do="pass")

    assert (told.status, told.heading) == (200, "You passed it on.")
    assert (again.status, again.heading) == (200, "You passed it on.")
    assert "You're first in line." in again.says
    assert served.desk.states()["cat"] is State.OFFERED


@pytest.mark.spec("FD-08")
def test_the_link_to_pass_an_offer_on_cannot_take_it(served: Served) -> None:
    offered(served)
    link = served.link("bob", PASS)

    page = served.visitor.get(link)
    served.visitor.post(link, do="take")

    assert page.buttons == ["Pass it on"]
    assert served.desk.state("bob") is State.OFFERED


def test_an_offer_whose_seat_is_gone_by_a_smaller_cap_says_so(served: Served) -> None:
    offered(served)
    served.desk.run(SetCap(served.desk.event_id, 0))

    told = served.visitor.post(served.link("bob", TAKE), do="take")

    assert told.heading == "We had to take this offer back."
    assert "We're sorry. You're still on the list. You're first in line." in told.says


def test_an_offer_that_the_host_took_back_does_not_say_that_the_seat_was_filled(
    served: Served,
) -> None:
    offered(served)
    desk = served.desk
    desk.do(StopOffer(desk.guest("bob").id, desk.guest("bob").seq))
    assert desk.states()["cat"] is State.OFFERED, "the seat is on offer, and nobody has taken it"

    told = served.visitor.get(served.link("bob", TAKE))

    assert told.heading == "We had to take this offer back."
    assert "We're sorry. You're still on the list. You're first in line." in told.says


@pytest.mark.spec("EV-13")
def test_an_invited_guest_confirms_by_the_button_and_again_sees_where_they_stand(
    served: Served,
) -> None:
    desk = served.desk.given(cap=1)
    rows = (ImportRow(1, "Ann", "ann@example.org", 1), ImportRow(2, "Bob", "bob@example.org", 1))
    desk.do(BeginImport(desk.event_id, JobId(desk.product.engine.new_id()), rows, invite=True))
    ann, bob = (served.link(who, "Answer the invitation") for who in ("ann", "bob"))

    asked = served.visitor.get(ann)
    first = served.visitor.post(ann, do="yes")
    again = served.visitor.post(ann, do="yes")
    full = served.visitor.get(bob)
    second = served.visitor.post(bob, do="yes")

    assert (asked.heading, asked.buttons) == ("Will you come?", ["Confirm my seat", "I can't come"])
    assert (first.heading, again.heading) == ("You're in.", "You're in.")
    assert full.buttons == ["Join the line", "I can't come"]
    assert second.heading == "You're first in line."
    assert desk.seats.taken == 1


def test_the_link_of_an_invitation_cannot_give_a_seat_back(served: Served) -> None:
    desk = served.desk.given(cap=1, double_opt_in=True)
    sign_up(served, "ann")
    link = served.link("ann", "Confirm")
    served.visitor.post(link, do="yes")

    after = served.visitor.post(link, do="no")

    assert after.heading == "You're in."
    assert desk.state("ann") is State.CONFIRMED


def test_a_guest_who_cannot_come_cancels_with_the_quiet_button(served: Served) -> None:
    desk = served.desk.given(cap=1, double_opt_in=True)
    sign_up(served, "ann")

    told = served.visitor.post(served.link("ann", "Confirm"), do="no")

    assert told.heading == "You're not on the list any more."
    assert desk.state("ann") is State.CANCELLED


@pytest.mark.spec("EV-11")
def test_an_invitation_for_more_than_there_are_seats_is_accepted_with_fewer(
    served: Served,
) -> None:
    desk, visitor = served.desk.given(cap=4), served.visitor
    desk.sign_up("ann", party=4, lane=Lane.IMPORT, invite=True)
    desk.settle()
    desk.do(SetCap(desk.event_id, 3))
    link = links_of(desk, "ann").confirm()

    page = visitor.get(link)
    assert (page.heading, page.buttons) == (
        "There are fewer seats now.",
        ["Come with 3 in all", "I can't come"],
    )
    assert "There are only 3 seats, and your invitation is for 4." in page.says
    assert visitor.post(link, do="yes").heading == "There are fewer seats now."
    assert visitor.post(link, do="fewer").heading == "You're in."
    assert (desk.guest("ann").party, desk.seats.free) == (3, 0)


@pytest.mark.spec("FD-11", "FD-14")
def test_the_own_page_has_a_calendar_file_and_no_personal_link_in_it(served: Served) -> None:
    served.desk.given(cap=2)
    sign_up(served, "ann")
    page = served.visitor.get(served.link("ann", TICKET))

    [address] = re.findall(r'href="([^"]+calendar\.ics)"', page.body)
    file = served.visitor.get(address)
    [event] = icalendar.Calendar.from_ical(file.body).walk("VEVENT")

    assert page.heading == "You're in."
    assert file.headers["content-type"] == "text/calendar; charset=utf-8; method=PUBLISH"
    assert event["SUMMARY"] == "Pottery workshop"
    assert event["URL"] == f"{served.base_url}/e/pottery"
    assert "/l/" not in file.body


@pytest.mark.spec("FD-14")
def test_only_a_confirmed_guest_gets_a_calendar_file(served: Served) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    waiting = links_of(desk, "bob").manage()

    page, file = served.visitor.get(waiting), served.visitor.get(f"{waiting}/calendar.ics")

    assert page.heading == "You're first in line."
    assert "calendar" not in page.body
    assert (file.status, file.heading) == (404, "There is no calendar file.")
    assert served.visitor.get(f"{waiting}/anything").status == 404


@pytest.mark.spec("EV-18")
def test_a_second_press_of_cancel_changes_nothing_and_makes_no_second_offer(
    served: Served,
) -> None:
    desk = served.desk.given(cap=1)
    for who in ("ann", "bob", "cat"):
        sign_up(served, who)
    link = served.link("ann", CANCEL).partition("#")[0]

    first = served.visitor.post(link, do="cancel")
    desk.settle()
    before = served.dump()
    second = served.visitor.post(link, do="cancel")
    asked_again = served.visitor.get(f"{link}?do=cancel")

    assert first.heading == second.heading == "You're not on the list any more."
    assert asked_again.heading == "You're not on the list any more."
    assert served.dump() == before
    assert desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.OFFERED,
        "cat": State.WAITING,
    }


def test_a_party_can_become_smaller_and_never_larger(served: Served) -> None:
    desk = served.desk.given(cap=3, party_limit=3)
    sign_up(served, "ann", party=3)
    link = served.link("ann", TICKET)

    for party in ("3", "4", "0", "-1", "x", ""):
        served.visitor.post(link, do="party", party=party)
    unchanged = desk.guest("ann").party
    page = served.visitor.post(link, do="party", party="1")

    assert unchanged == 3
    assert "Your seat is confirmed." in page.says
    assert (desk.guest("ann").party, desk.seats.free) == (1, 2)


@pytest.mark.spec("EV-31")
def test_the_ticket_shows_a_code_with_its_own_address(served: Served) -> None:
    desk = served.desk.given(cap=1)
    sign_up(served, "ann")
    ticket = links_of(desk, "ann").ticket()

    page = served.visitor.get(ticket)
    before = served.dump()
    served.visitor.post(ticket, do="cancel")

    assert page.heading == "Your code for the door"
    assert "data:image/svg+xml" in page.body
    assert f"/console/door/{ticket.rpartition('/')[2]}" in page.body
    assert served.dump() == before


@pytest.mark.spec("FD-15")
def test_one_click_in_the_mail_program_stops_the_mails_without_a_redirect(served: Served) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"])
    link = links_of(desk, "ann").unsubscribe()

    asks = served.visitor.get(link)
    one_click = served.visitor.send(
        "POST", link, b"List-Unsubscribe=One-Click", {"content-type": FORM}
    )
    stopped = served.visitor.get(link)
    undone = served.visitor.post(link, do="again")

    assert (asks.heading, asks.buttons) == ("Stop these mails?", ["Stop these mails"])
    assert one_click.status == 200
    assert stopped.heading == "You won't get these mails any more."
    assert undone.heading == "Stop these mails?"


@pytest.mark.spec("EV-22")
def test_after_claiming_there_are_the_code_the_calendar_file_and_a_way_to_cancel(
    served: Served,
) -> None:
    offered(served, line=("bob",))
    desk = served.desk
    page = served.visitor.post(served.link("bob", TAKE), do="take")
    links = re.findall(r'href="([^"]+)"', page.body)
    [calendar] = [link for link in links if link.endswith("/calendar.ics")]

    assert desk.settle().state("bob") is State.CONFIRMED
    assert page.heading == "You're in."
    assert "Your code for the door" in page.says
    assert "Cancel or change" in page.says
    assert served.visitor.get(calendar).body.startswith("BEGIN:VCALENDAR")
    served.visitor.post(calendar.removesuffix("/calendar.ics"), do="cancel")
    assert desk.settle().state("bob") is State.CANCELLED


def test_the_page_to_pass_an_offer_on_leads_to_the_one_that_takes_it(served: Served) -> None:
    offered(served, line=("bob",))
    desk = served.desk
    page = served.visitor.get(served.link("bob", PASS))
    [instead] = re.findall(r'href="([^"]+)">I&#39;d rather come', page.body)

    assert served.visitor.get(instead).buttons[0] == "Take the seat"
    served.visitor.post(instead, do="take")

    assert desk.settle().state("bob") is State.CONFIRMED


@pytest.mark.spec("EV-24")
def test_a_press_for_a_free_seat_that_comes_too_late_says_so(served: Served) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.do(Cancel(desk.id("ann"))).wait(hours=6)
    link = served.link("bob", "See where I stand")
    assert served.visitor.get(link).buttons == ["Take the seat"]
    sign_up(served, "dan")

    told = served.visitor.post(link, do="take_free")

    assert told.heading == "This seat was just taken."
    assert "You're still on the list: first in line." in told.says
    assert served.desk.settle().state("bob") is State.WAITING


@pytest.mark.spec("EV-03", "EV-11")
def test_a_waiting_party_larger_than_the_event_reads_so_and_may_come_with_as_many_as_fit(
    served: Served,
) -> None:
    desk = served.desk.given(cap=4, party_limit=4, confirmed=["ann"])
    desk.sign_up("duo", party=4)
    desk.settle().do(SetCap(desk.event_id, 2))

    page = served.visitor.get(served.link("duo", "Come with fewer"))

    assert "There are only 2 seats now, and you're waiting for 4." in page.says
    assert "offer them to you together" not in page.says
    assert re.findall(r'<option value="(\d)"', page.body) == ["1", "2"]


@pytest.mark.spec("EV-18")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["bob"], "The next in line is asked at once."),
        ([], "It is free for others then. You can't undo this."),
    ],
)
def test_the_question_before_cancelling_names_the_next_in_line_only_if_there_is_one(
    served: Served, line: list[str], says: str
) -> None:
    served.desk.given(cap=1, confirmed=["ann"], line=line)

    assert says in served.visitor.get(served.link("ann", CANCEL)).says
