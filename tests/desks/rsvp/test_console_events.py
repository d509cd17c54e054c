"""A host creates an event, edits it, changes its seats, calls it off and thanks the guests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time, timedelta
from pathlib import Path

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.rsvp.commands import Cancel, DeclineOffer, EditEvent, SetCap
from frontdesk.desks.rsvp.console.formatting import event_chip, fullness
from frontdesk.desks.rsvp.model import Details, EventSettings, EventState, Seats, State
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import (
    EVENTS,
    ConsoleDesk,
    Host,
    console_desk,
    error_at,
    form_fields,
)
from tests.support.rsvp import DETAILS, HOUR, STARTS


@pytest.fixture
def con(tmp_path: Path) -> Iterator[ConsoleDesk]:
    with console_desk(tmp_path) as opened:
        yield opened
        if opened.desk.reads.event(opened.desk.event_id):
            assert opened.desk.settle().problems() == []
        assert opened.desk.dead_letters() == []


NEW = {
    "name": "Supper under the lemon trees",
    "starts": "2026-12-04T19:00",
    "ends": "2026-12-04T22:30",
    "zone": "Asia/Singapore",
    "venue": "18 Tanglin Road",
    "description": "Five courses.\nOne table.",
    "cap": "24",
}


@pytest.mark.spec("EV-01")
def test_an_event_is_made_with_the_form_and_is_open_at_once(con: ConsoleDesk) -> None:
    page = con.owner().send(f"{EVENTS}/new", **NEW)

    (event,) = con.desk.reads.events()
    assert page.flash == "The event is open, with 24 seats. Share its page."
    assert page.heading == "Supper under the lemon trees"
    assert event.slug == "supper-under-the-lemon-trees"
    assert event.details == Details(
        "Supper under the lemon trees",
        STARTS + timedelta(days=7),
        STARTS + timedelta(days=7) + 3.5 * HOUR,
        "Asia/Singapore",
        "18 Tanglin Road",
        "Five courses.\nOne table.",
    )
    assert event.settings == EventSettings()
    assert event.seats.cap == 24


def test_pressing_the_button_twice_makes_one_event(con: ConsoleDesk) -> None:
    host = con.owner()
    once = con.desk.product.engine.new_id()

    first = host.press(f"{EVENTS}/new", once=once, **NEW)
    second = host.press(f"{EVENTS}/new", once=once, **NEW)

    assert first.location == second.location
    assert len(con.desk.reads.events()) == 1


def test_an_address_that_is_suggested_is_always_a_free_one(con: ConsoleDesk) -> None:
    host = con.owner()
    for _ in range(3):
        host.send(f"{EVENTS}/new", **NEW)

    stem = "supper-under-the-lemon-trees"
    assert {event.slug for event in con.desk.reads.events()} == {stem, f"{stem}-2", f"{stem}-3"}


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "", "Please give the event a name."),
        ("name", "x" * 121, "Please write at most 120 characters."),
        ("name", "a\x00b", "There are characters in it that cannot be shown."),
        ("starts", "", "Please choose a day and a time."),
        ("starts", "soon", "Please choose a day and a time."),
        ("starts", "9999-12-31T23:59", "Please choose a day and a time."),
        ("starts", "2020-12-04T19:00", "This time is over already."),
        ("ends", "2026-12-04T19:00", "The event has to end after it begins."),
        ("zone", "Mars/Olympus", "Please choose a time zone from the list, like Asia/Singapore."),
        (
            "zone",
            "../../etc/passwd",
            "Please choose a time zone from the list, like Asia/Singapore.",
        ),
        ("cap", "-1", "Please write a whole number from 0 to 1,000,000."),
        ("cap", "forty", "Please write a whole number from 0 to 1,000,000."),
        ("cap", "٤٠", "Please write a whole number from 0 to 1,000,000."),
        (
            "slug",
            "Näh/..",
            "A page address has small letters, digits and single hyphens, at most 60.",
        ),
        ("description", "x" * 5_001, "Please write at most 5,000 characters."),
        ("venue", "x" * 201, "Please write at most 200 characters."),
        ("quiet_start", "25:00", "Please give a time like 21:00."),
        ("window", "0", "Please write a whole number from 1 to 10,000."),
        ("window", "999", "Please choose between 5 minutes and 30 days."),
        ("window_unit", "years", ""),
        ("party_limit", "0", "Please write a whole number from 1 to 100."),
        (
            "own_reminders",
            "often",
            "'often' is not a reminder; write it like 7d, 2h or morning 09:00.",
        ),
    ],
)
def test_an_impossible_value_is_shown_at_its_field_and_no_event_is_created(
    con: ConsoleDesk, field: str, value: str, says: str
) -> None:
    host = con.owner()
    before = con.dump()
    typed = {**NEW, field: value}
    if (field, value) == ("starts", "2020-12-04T19:00"):
        typed["ends"] = "2020-12-04T20:00"

    answer = host.send(f"{EVENTS}/new", **typed)

    assert answer.status == 422
    assert error_at(answer, field) == says
    assert answer.text.count("Five courses.") == (0 if field == "description" else 1)
    assert con.dump() == before


@pytest.mark.spec("EV-01")
def test_a_wall_time_that_does_not_exist_is_refused_and_one_that_occurs_twice_is_explained(
    con: ConsoleDesk,
) -> None:
    host = con.owner()
    berlin = {**NEW, "zone": "berlin", "starts": "2027-03-28T02:30", "ends": "2027-03-28T09:00"}
    answer = host.send(f"{EVENTS}/new", **berlin)

    assert error_at(answer, "starts") == (
        "There is no such time on that day: the clock is put forward over it. It would be 03:30."
    )
    twice = {
        **NEW,
        "zone": "Europe/Berlin",
        "starts": "2027-10-31T02:30",
        "ends": "2027-10-31T09:00",
    }
    assert host.send(f"{EVENTS}/new", **twice).flash == (
        "The event is open, with 24 seats. Share its page. This time occurs twice on that day,"
        " as the clock is put back. The first one is meant."
    )


def test_the_first_event_begins_in_the_time_zone_of_the_business(con: ConsoleDesk) -> None:
    host = con.owner()
    zones = [zone_of_the_form(host)]
    con.desk.do(SetBusiness(Business(name="The Glasshouse", zone="Europe/Lisbon")))
    zones.append(zone_of_the_form(host))
    host.send(f"{EVENTS}/new", **NEW)
    zones.append(zone_of_the_form(host))

    assert zones == ["UTC", "Europe/Lisbon", "Asia/Singapore"]


def zone_of_the_form(host: Host) -> str | None:
    return form_fields(host.get(f"{EVENTS}/new").text, f"{EVENTS}/new")["zone"]


@pytest.mark.spec("EV-01")
def test_new_events_begin_with_the_defaults_which_are_changed_in_one_place(
    con: ConsoleDesk,
) -> None:
    host = con.owner()
    page = host.send(
        f"{EVENTS}/defaults",
        **{"remind:7d": None, "remind:2h": "yes"},
        own_reminders="morning 08:30, 3d",
        quiet_start="22:30",
        window="90",
        window_unit="minutes",
        party_limit="4",
        order="strict",
        time_critical="yes",
        double_opt_in="yes",
        daily_mail=None,
    )
    host.send(f"{EVENTS}/new", **NEW)

    (event,) = con.desk.reads.events()
    assert page.flash == "New events begin with these settings now."
    assert event.settings == EventSettings(
        reminders=("3d", "1d", "morning 08:30", "2h"),
        quiet=QuietHours(time(22, 30), time(8)),
        claim_window=timedelta(minutes=90),
        time_critical=True,
        party_limit=4,
        strict_order=True,
        double_opt_in=True,
        daily_mail=False,
    )


@pytest.mark.spec("EV-01")
def test_reminders_are_shown_with_their_times(con: ConsoleDesk) -> None:
    con.desk.given(cap=2, reminders=("7d", "1d", "morning 09:00", "5h"))
    says = con.owner().get(f"{con.url}/edit").says

    assert "7 days before Friday 20 November 2026 at 19:00 (SGT)" in says
    assert "On the day at 09:00 Friday 27 November 2026 at 09:00 (SGT)" in says
    assert "5 hours before: Friday 27 November 2026 at 14:00 (SGT)" in says


@pytest.mark.spec("EV-01", "EV-15")
def test_the_host_sets_how_soon_after_the_confirmation_nobody_is_reminded(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=1)
    host = con.owner()

    short = host.send(f"{con.url}/edit", gap="9", gap_unit="minutes")
    assert error_at(short, "gap") == "Please choose between 10 minutes and 7 days."
    host.send(f"{con.url}/edit", gap="90", gap_unit="minutes")

    assert con.desk.event.settings.reminder_gap == timedelta(minutes=90)


@pytest.mark.spec("EV-17")
def test_moving_an_event_says_first_how_many_are_told_and_then_tells_them(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    host, before = con.owner(), con.desk.event

    asked = host.send(f"{con.url}/edit", starts="2026-11-27T20:00", ends="2026-11-27T22:00")

    assert "2 guests will be told" in asked.says
    assert "It's now on Friday 27 November 2026, 20:00 to 22:00 (SGT)." in asked.says
    assert con.desk.event == before

    fields = form_fields(asked.text, f"{con.url}/edit")
    done = host.post(f"{con.url}/edit", **{k: v for k, v in fields.items() if v is not None})
    assert host.open(done.location).flash == "Saved. 2 guests will be told of the change."
    con.desk.settle()
    assert con.desk.event.details.starts_at == STARTS + HOUR
    assert [con.desk.mail_to(who)[-1].subject for who in ("ann", "bob")] == [
        "There's a change: Pottery workshop",
        "There's a change: Pottery workshop",
    ]


@pytest.mark.spec("EV-17")
def test_an_event_to_come_cannot_be_edited_to_a_time_that_is_over(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"])
    host, before = con.owner(), con.desk.event

    answer = host.send(f"{con.url}/edit", starts="2026-11-15T20:00", ends="2026-11-15T22:00")

    assert answer.status == 422
    assert error_at(answer, "starts") == (
        "This time is over already. Choose one that is still to come."
    )
    assert con.desk.event == before


@pytest.mark.spec("EV-25")
def test_nothing_is_shown_as_on_offer_once_the_event_has_begun(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"], line=["bob"], claim_window=timedelta(days=30))
    con.desk.do(Cancel(con.desk.id("ann")))
    host = con.owner()
    assert "Offer until Friday 27 November, 19:00 (SGT)" in host.open(f"{con.url}/guests").says

    con.desk.clock.move_to(STARTS)  # before any timer has fired

    assert "Offer ended" in host.open(f"{con.url}/guests").says
    for page in (con.url, f"{con.url}/line", "/console"):
        says = host.open(page).says
        assert "Waiting for an answer" not in says
        assert "Ends soon" not in says
        assert "1 seat on offer" not in says


@pytest.mark.spec("EV-03", "EV-11")
def test_the_host_sees_that_a_party_in_line_is_larger_than_the_event_now(
    con: ConsoleDesk,
) -> None:
    con.desk.given(cap=4, confirmed=["ann"], party_limit=4).sign_up("all", party=4)
    host = con.owner()
    assert "larger than the event" not in host.open(con.url).says

    done = host.send(con.url, f"{con.url}/cap", cap="3")

    says = "1 party in line is larger than the event, which has 3 seats."
    assert says in done.says
    assert says in host.open(f"{con.url}/line").says
    assert says in host.open("/console").says


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        (Seats(cap=0, free=0), "There are no seats."),
        (Seats(cap=1, free=1), "The only seat is free."),
        (Seats(cap=1, free=0, taken=1), "The only seat is taken."),
        (Seats(cap=1, free=0, offered=1), "The only seat is on offer."),
        (Seats(cap=1, free=-1, taken=2), "1 more seat is taken or on offer than there are."),
        (Seats(cap=2, free=2), "All 2 seats are free."),
        (Seats(cap=2, free=1, taken=1), "1 of 2 seats is free."),
        (Seats(cap=3, free=2, taken=1), "2 of 3 seats are free."),
        (Seats(cap=2, free=0, taken=1, offered=1), "All 2 seats are gone, 1 of them on offer."),
    ],
)
def test_the_fill_level_is_worded_correctly_for_one_seat_and_for_many(
    seats: Seats, says: str
) -> None:
    assert fullness(seats) == says


@pytest.mark.parametrize(("cap", "says"), [(1, "of 1 seat "), (2, "of 2 seats ")])
def test_the_overview_counts_a_single_seat_as_one(con: ConsoleDesk, cap: int, says: str) -> None:
    con.desk.given(cap=cap)

    assert f"Confirmed 0 {says}Held" in con.owner().get(con.url).says


def test_an_event_with_a_free_seat_for_the_line_is_not_called_full(con: ConsoleDesk) -> None:
    con.desk.given(cap=2, confirmed=["ann", "bob"], party_limit=2).sign_up("duo", party=2)
    now = con.desk.clock.now()
    assert event_chip(con.desk.event, now).word == "Full"

    con.desk.do(Cancel(con.desk.id("ann")))

    assert (con.desk.seats.free, con.desk.seats.owed) == (1, 1)
    assert event_chip(con.desk.event, now).word == "The line goes first"


def test_a_party_that_let_its_offer_pass_is_not_called_too_large(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=2, confirmed=["ann", "bob"], line=["cat"], party_limit=2)
    desk.sign_up("duo", party=2)
    desk.do(Cancel(desk.id("ann"))).do(DeclineOffer(desk.id("cat"), 1))

    says = con.owner().open(f"{con.url}/line").says

    assert (
        "1 seat free, and the parties in line that still wait for an offer need more."
        " They keep their places until enough seats are free."
    ) in says


def test_health_says_that_something_waits_for_a_person_when_today_does(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    host = con.owner()
    assert "nothing needs your attention" in host.open("/console/health").says

    desk.do(Cancel(desk.id("ann"))).do(DeclineOffer(desk.id("bob"), 1))

    assert "Everybody in line has had an offer" in host.open("/console").says
    says = host.open("/console/health").says
    assert "Everything that was due is done. 1 thing needs your attention." in says


def test_a_change_that_no_guest_has_to_know_is_saved_without_asking(con: ConsoleDesk) -> None:
    con.desk.given(cap=1, confirmed=["ann"])
    host = con.owner()

    assert host.send(f"{con.url}/edit", description="Bring an apron.").flash == "Saved."
    assert con.desk.event.details.description == "Bring an apron."
    assert host.send(f"{con.url}/edit", **{"remind:3d": "yes"}).flash == (
        "Saved, and the reminders move along."
    )
    assert host.send(f"{con.url}/edit").flash == (
        "That is how it was already. Nothing was changed."
    )


def test_after_a_conflicting_edit_the_form_keeps_the_input_and_shows_the_other_version(
    con: ConsoleDesk,
) -> None:
    desk = con.desk.given(cap=1)
    host = con.owner()
    old_version = str(desk.event.version)
    other = replace(DETAILS, venue="The new kiln")
    desk.do(EditEvent(desk.event_id, 0, "pottery", other, desk.event.settings, JobId("j")))

    answer = host.send(f"{con.url}/edit", version=old_version, description="Mine")

    assert answer.status == 409
    assert "Somebody else has changed this event meanwhile" in answer.says
    assert "Place The new kiln" not in answer.says  # after the form was opened
    assert ">\nMine</textarea>" in answer.text
    assert desk.event.details == other

    stale = host.send(
        f"{con.url}/edit", version=old_version, venue="12 Kiln Lane", description="Mine"
    )
    assert "Place The new kiln" in stale.says
    assert host.send(f"{con.url}/edit", description="Mine").flash == "Saved."


@pytest.mark.spec("EV-03")
def test_more_seats_go_to_the_line_and_fewer_than_are_taken_cost_nobody_a_seat(
    con: ConsoleDesk,
) -> None:
    desk = con.desk.given(cap=2, confirmed=["ann", "bob"], line=["cat"])
    host = con.owner()

    raised = host.send(con.url, f"{con.url}/cap", cap="3")
    assert raised.flash == "There are 3 seats now. The new ones go to the line first."
    assert desk.settle().state("cat") is State.OFFERED

    asked = host.send(con.url, f"{con.url}/cap", cap="1")
    assert asked.heading == "1 seat, though more are promised?"
    assert "Taken: 2. On offer: 1." in asked.says
    assert desk.seats.cap == 3

    cut = host.send(con.url, f"{con.url}/cap", cap="1", confirmed="yes")
    assert cut.flash == (
        "There is 1 seat now. Nobody loses a seat; none is given until there is room again."
    )
    assert (desk.settle().seats.cap, desk.state("ann"), desk.state("bob")) == (
        1,
        State.CONFIRMED,
        State.CONFIRMED,
    )


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("cap", ["", "x", "-1", "1000001", "9" * 40])
def test_an_invalid_number_of_seats_changes_nothing(con: ConsoleDesk, cap: str) -> None:
    con.desk.given(cap=2)
    answer = con.owner().send(con.url, f"{con.url}/cap", cap=cap)

    assert answer.flash == "Please write a whole number from 0 to 1,000,000."
    assert con.desk.seats.cap == 2


@pytest.mark.spec("EV-17")
def test_calling_off_asks_first_and_tells_everyone_with_the_hosts_words(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    host = con.owner()

    asked = host.get(f"{con.url}/call-off")
    assert "2 guests are told, at once or when quiet hours end" in asked.says
    assert desk.event.state is EventState.OPEN
    host.send(f"{con.url}/call-off", confirmed=None)
    assert desk.event.state is EventState.OPEN

    page = host.send(f"{con.url}/call-off", words="A burst pipe.")
    assert page.flash == "The event is called off. 2 guests will be told."
    assert desk.settle().event.state == EventState.CALLED_OFF
    assert "A burst pipe." in desk.mail_to("ann")[-1].text
    assert "A burst pipe." in desk.mail_to("bob")[-1].text
    assert "It was called off already" in host.get(f"{con.url}/call-off").says


@pytest.mark.spec("EV-28")
def test_the_thank_you_note_is_drafted_edited_and_sent_once(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=2, confirmed=["ann", "bob"])
    host = con.owner()
    early = host.act(f"{con.url}/thanks", f"{con.url}/thanks", words="Thanks.", do="send")
    assert early.flash == "Thanks can go out once the event is over."

    desk.wait_until(STARTS + 24 * HOUR)
    assert "Thank you for coming to Pottery workshop." in host.get(f"{con.url}/thanks").text
    saved = host.send(f"{con.url}/thanks", words="It was lovely.", do="save")
    assert saved.flash == "Saved. Nothing has been sent."
    assert "It was lovely." not in desk.mail_to("ann")[-1].text

    sent = host.send(f"{con.url}/thanks", words="It was lovely. Until next time.", do="send")
    assert sent.flash == "The thanks go out to 2 guests."
    desk.settle()
    assert "It was lovely. Until next time." in desk.mail_to("bob")[-1].text
    again = host.act(con.url, f"{con.url}/thanks", words="And again.", do="send")
    assert again.flash == "The thanks have gone out already. Nothing was sent again."


@pytest.mark.spec("EV-29")
def test_a_question_is_answered_from_the_list_and_changes_nothing(con: ConsoleDesk) -> None:
    con.desk.given(cap=3, confirmed=["ann"])
    host = con.owner()
    before = con.dump()

    assert "2 seats of 3 are free." in host.get(f"{con.url}?ask=how+many+seats+are+open").says
    assert "I don't know how to answer that." in host.get(f"{con.url}?ask=why").says
    assert con.dump() == before


def test_the_overview_says_why_nobody_is_offered_a_free_seat(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=2, confirmed=["ann", "bob"], party_limit=4)
    desk.sign_up("cat", party=2)
    desk.do(Cancel(desk.id("ann")))

    says = con.owner().get(con.url).says
    assert "Why is nobody being offered a seat?" in says
    assert "1 seat free, and the parties in line that still wait for an offer need more." in says
    desk.do(SetCap(desk.event_id, 0))
    assert (
        "1 more seat is taken or on offer than there are. Nobody loses a seat, and nothing new is"
        " offered until there is room again." in con.owner().get(con.url).says
    )


def test_the_list_shows_upcoming_events_first_and_can_be_searched(
    con: ConsoleDesk,
) -> None:
    host = con.owner()
    assert "Your first event" in host.get(EVENTS).says
    con.desk.given(cap=2, confirmed=["ann"])

    assert "Pottery workshop" in host.get(f"{EVENTS}?q=kiln+pottery").says
    assert "No event to come has “zebra”" in host.get(f"{EVENTS}?q=zebra").says
    con.desk.wait_until(STARTS + 3 * HOUR)
    assert "Nothing is planned." in host.get(EVENTS).says
    assert "Pottery workshop" in host.get(f"{EVENTS}?show=past").says


def test_while_nobody_is_on_the_list_sharing_it_comes_first(con: ConsoleDesk) -> None:
    con.desk.given(cap=5)
    host = con.owner()
    heads = [headings(host, con)]
    con.desk.sign_up("ann")
    con.desk.settle()
    heads.append(headings(host, con))

    assert heads == [
        ["Share it", "Seats", "Ask about the list", "What happened last"],
        ["Seats", "Ask about the list", "What happened last", "Share it"],
    ]


def headings(host: Host, con: ConsoleDesk) -> list[str]:
    return re.findall(r"<h2[^>]*>([^<]*)</h2>", host.get(con.url).text)
