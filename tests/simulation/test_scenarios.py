"""The shipped scenarios end as expected, to the minute."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from frontdesk.simulate.rsvp.player import PlayedEvent, as_words, play
from frontdesk.simulate.rsvp.scenario import EventScenario
from frontdesk.simulate.scenario_file import find_scenario, read, shipped

Get = Callable[[str], PlayedEvent]
NAMES = [scenario.name for scenario in shipped() if isinstance(scenario, EventScenario)]


def moments(played: PlayedEvent, *kinds: str) -> list[str]:
    """Returns lines like 'Thu 19:30 …' in local time, in order, without headcounts."""
    tz = ZoneInfo(played.scenario.details.zone)
    return [
        f"{moment.at.astimezone(tz):%a %H:%M} {moment.text}"
        for moment in played.moments
        if moment.kind in kinds
    ]


def the_workshop() -> EventScenario:
    scenario = find_scenario("workshop")
    assert isinstance(scenario, EventScenario)
    return scenario


OFFERS = (
    "ev.cancelled",
    "ev.offer_made",
    "ev.offer_armed",
    "ev.offer_lapsed",
    "ev.offer_undelivered",
    "ev.confirmed",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_scenario_ends_as_it_expects_and_nothing_ever_breaks(
    name: str, played: Get
) -> None:
    assert played(name).problems == []


@pytest.mark.spec("FD-26")
@pytest.mark.spec("EV-23")
def test_the_night_before_two_cancel_and_forty_are_confirmed_on_the_day(played: Get) -> None:
    story = moments(played("workshop"), *OFFERS)

    assert story[38:40] == [
        "Tue 09:30 Ann signed up and got a seat.",
        "Tue 09:40 Bob signed up and got a seat.",
    ]
    assert story[40:] == [
        "Thu 19:30 Ann cancelled.",
        "Thu 19:30 A seat is held for Chen.",
        "Thu 19:30 The offer to Chen goes out, open until Friday 27 November 2026 at 01:30 (SGT).",
        "Thu 19:30 Bob cancelled.",
        "Thu 19:30 A seat is held for Dana.",
        "Thu 19:30 The offer to Dana goes out, open until Friday 27 November 2026 at 01:30 (SGT).",
        "Thu 19:50 Chen took the offered seat.",
        "Fri 01:30 Dana let the offer lapse.",
        "Fri 01:30 A seat is held for Eli.",
        "Fri 08:00 The offer to Eli goes out, open until Friday 27 November 2026 at 14:00 (SGT).",
        "Fri 08:40 Eli took the offered seat.",
    ]
    assert played("workshop").figures == {
        "seats": 40,
        "taken": 40,
        "held": 0,
        "free": 0,
        "waiting": 1,
        "pending": 0,
        "cancelled": 2,
    }


@pytest.mark.spec("FD-26")
def test_two_days_out_everybody_confirmed_is_reminded_at_nine_once(played: Get) -> None:
    reminded = moments(played("workshop"), "ev.reminder_due")

    assert len(reminded) == 40
    assert {text[:9] for text in reminded} == {"Wed 09:00"}
    assert played("workshop").messages == {
        "cancelled": 2,
        "confirmed": 42,
        "offer": 3,
        "offer_lapsed": 1,
        "reminder": 40,
        "waitlisted": 3,
    }


@pytest.mark.spec("EV-25")
def test_a_time_critical_offer_goes_out_in_the_middle_of_the_night(played: Get) -> None:
    assert moments(played("workshop-late"), *OFFERS)[40:] == [
        "Thu 22:15 Ann cancelled.",
        "Thu 22:15 A seat is held for Chen.",
        "Thu 22:15 The offer to Chen goes out, open until Friday 27 November 2026 at 04:15 (SGT).",
        "Thu 22:15 Bob cancelled.",
        "Thu 22:15 A seat is held for Dana.",
        "Thu 22:15 The offer to Dana goes out, open until Friday 27 November 2026 at 04:15 (SGT).",
        "Thu 22:35 Chen took the offered seat.",
        "Fri 04:15 Dana let the offer lapse.",
        "Fri 04:15 A seat is held for Eli.",
        "Fri 04:15 The offer to Eli goes out, open until Friday 27 November 2026 at 10:00 (SGT).",
        "Fri 07:40 Eli took the offered seat.",
    ]


def test_of_three_hundred_in_a_rush_eighty_get_a_seat_and_the_rest_a_place(played: Get) -> None:
    rush = played("rush")

    first_day = [moment.kind for moment in rush.moments if moment.kind.startswith("ev.")][:301]
    assert first_day == ["ev.created"] + ["ev.confirmed"] * 80 + ["ev.waitlisted"] * 220
    assert rush.messages["confirmed"] == 85
    assert rush.messages["waitlisted"] == 220


@pytest.mark.spec("FD-03")
def test_delivering_all_facts_again_sends_no_message_twice(played: Get) -> None:
    rush = played("rush")

    assert rush.messages == {
        "cancelled": 5,
        "confirmed": 85,
        "offer": 5,
        "reminder": 160,
        "waitlisted": 220,
    }
    assert rush.not_sent == {}


def test_an_event_that_is_called_off_is_told_once_to_everybody_on_the_list(played: Get) -> None:
    called_off = played("called-off")

    told = moments(called_off, "ev.told_of_call_off")
    assert len(told) == 25
    assert called_off.messages["called_off"] == 25
    assert called_off.messages["moved"] == 26


def test_raised_seats_go_to_the_first_who_fits_and_then_to_the_party_that_waited(
    played: Get,
) -> None:
    assert moments(played("cap-changes"), "ev.cap_changed", "ev.passed_over", "ev.offer_made") == [
        "Mon 10:00 The host cut the seats from 10 to 8.",
        "Mon 12:00 The host raised the seats from 8 to 9.",
        "Mon 12:00 Dana, a party of 3, was passed over with only 1 seat free.",
        "Mon 12:00 A seat is held for Eli.",
        "Tue 10:00 The host raised the seats from 9 to 12.",
        "Tue 10:00 3 seats are held for Dana.",
        "Wed 10:00 A seat is held for Fay.",
    ]


def test_while_the_mail_server_is_down_no_window_runs_and_then_the_seat_finds_somebody(
    played: Get,
) -> None:
    bad_day = played("bad-mail-day")

    story = moments(bad_day, "ev.offer_undelivered", "ev.offer_lapsed", "ev.confirmed")
    assert [line[10:] for line in story] == [
        "Ann signed up and got a seat.",
        "Bob signed up and got a seat.",
        "Chen could not be reached; the offer passed on.",
        "Dana took the offered seat.",
    ]
    undelivered, taken = story[2:]
    assert "Wed 12:30" < undelivered[:9] < taken[:9] == "Wed 15:30"
    assert bad_day.messages["offer"] == 1


def test_the_same_seed_plays_the_same_day_and_another_one_another() -> None:
    scenario = read(
        "event: {seats: 3, starts: 2026-11-27 15:00}\n"
        "timeline: [-3d 09:00 6 people sign up over 2h, -2d 09:00 2 guests cancel]\n",
        "small",
    )

    assert isinstance(scenario, EventScenario)

    first, again, other = (play(scenario, seed=seed).moments for seed in (1, 1, 2))

    assert first == again
    assert first != other


def test_many_similar_moments_share_one_line(played: Get) -> None:
    words = list(as_words(played("rush")))

    assert words[3:6] == [
        "Tue 24 Nov 11:55  The event was set up with 80 seats.",
        "Tue 24 Nov 12:00  80 people got a seat.",
        "Tue 24 Nov 12:00  220 people joined the line. (until Tue 24 Nov 12:02)",
    ]
    assert words[-1] == "Everything held, after every step and at the end."


def test_an_unmet_expectation_is_a_problem() -> None:
    scenario = read(
        "event: {seats: 1, starts: 2026-11-27 15:00}\n"
        "timeline: [-3d 09:00 Ann signs up, -3d 10:00 Bob signs up, -3d 11:00 Bob claims]\n"
        "expect: {taken: 2, guests: {Bob: confirmed}}\n",
        "wrong",
    )
    assert isinstance(scenario, EventScenario)

    played = play(scenario)

    assert played.problems == [
        "at the end: taken is 1, and should be 2",
        "at the end: Bob is waiting, and should be confirmed",
    ]
    assert "Bob could not: offer gone." in [moment.text for moment in played.moments]


def test_a_broken_rule_is_seen_after_the_step_that_broke_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("frontdesk.desks.rsvp.react.look_who_is_next", lambda _reads, _recorded: ())
    played = play(the_workshop())

    assert any("is owed and fits" in problem for problem in played.problems)
    assert played.problems[0].startswith("after line 24:")


@pytest.mark.spec("FD-12")
def test_a_message_in_the_middle_of_the_night_is_a_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("frontdesk.desks.rsvp.delivery.when", lambda _reads, _send, _now: None)
    played = play(the_workshop())

    assert any(
        "offer" in problem
        and problem.endswith("went out in quiet hours, at 2026-11-26T17:30:00+00:00")
        for problem in played.problems
    )
