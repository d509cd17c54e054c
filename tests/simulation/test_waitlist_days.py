"""The scenarios of the waitlist end as expected, to the second, also after crashes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from frontdesk.desks.waitlist.facts import OfferArmed, OfferLapsed, SlotFreed
from frontdesk.desks.waitlist.model import EntryId, Opening, Rules, SlotId
from frontdesk.desks.waitlist.react import REACTIONS
from frontdesk.engine.ports import Recorded
from frontdesk.simulate.runtime import MESSAGE
from frontdesk.simulate.scenario_file import find_scenario, read, shipped
from frontdesk.simulate.waitlist.player import PlayedDay, play_day
from frontdesk.simulate.waitlist.report import as_words
from frontdesk.simulate.waitlist.scenario import Day
from frontdesk.simulate.waitlist.watch import FactWatch
from frontdesk.values import replace
from tests.simulation.conftest import skip_the_first

Get = Callable[[str], PlayedDay]
LEFT_OUT = (MESSAGE, "wl.house_kept")
NAMES = [scenario.name for scenario in shipped() if isinstance(scenario, Day)]


def day(name: str) -> Day:
    scenario = find_scenario(name)
    assert isinstance(scenario, Day)
    return scenario


def written(text: str) -> Day:
    scenario = read(text, "mine")
    assert isinstance(scenario, Day)
    return scenario


def moments(played: PlayedDay, *kinds: str) -> list[str]:
    """Returns lines like '13:35:00 …' in local time, of these kinds, or all except messages."""
    tz = ZoneInfo(played.scenario.place.zone)
    return [
        f"{moment.at.astimezone(tz):%H:%M:%S} {moment.text}"
        for moment in played.moments
        if (moment.kind in kinds if kinds else moment.kind not in LEFT_OUT)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_day_ends_as_it_expects_and_nothing_ever_breaks(
    name: str, played_day: Get
) -> None:
    assert played_day(name).problems == []


@pytest.mark.spec("FD-26")
@pytest.mark.spec("WL-22")
def test_on_a_saturday_the_chair_is_filled_twelve_minutes_after_it_came_free(
    played_day: Get,
) -> None:
    assert moments(played_day("saturday"))[-10:] == [
        (
            "13:35:00 Came free: Colour with Jess, Saturday 21 November, 14:00 (SGT)."
            " The booking tool says that it was cancelled."
        ),
        "13:35:00 It is held for Ann, who is first.",
        "13:35:00 The offer to Ann goes out, open until 13:45:00.",
        "13:35:05 It is told a second time, and stays one slot.",
        "13:40:05 Ann stays silent.",
        "13:45:00 Ann did not answer in time.",
        "13:45:00 It rolls on to Bea, who is next.",
        "13:45:00 The offer to Bea goes out, open until 13:55:00.",
        "13:47:00 Bea claimed it: booked.",
        "14:05:00 Ann wanted to claim it, but it was filled.",
    ]
    told = moments(played_day("saturday"), MESSAGE)
    assert [text.partition(": ")[0] for text in told] == [
        "13:35:00 Text to Ann",
        "13:45:00 Text to Bea",
        "13:47:00 Text to Bea",
    ]
    assert list(as_words(played_day("saturday")))[-4:] == [
        "freed 1, filled 1, handed back 0, open 0, offers 2, still waiting 2",
        "12 minutes to fill one on average, S$120.00 recovered",
        "Messages: 1 booked, 2 offer.",
        "Everything held, after every step and at the end.",
    ]


@pytest.mark.spec("WL-15")
def test_a_slot_freed_at_night_waits_for_the_morning_or_goes_back_to_staff(
    played_day: Get,
) -> None:
    assert moments(played_day("quiet-hours"), "wl.roll_on", "wl.make_offer", "wl.offer_armed") == [
        "20:55:00 It is held for Ann, who is first.",
        "20:55:00 The offer to Ann goes out, open until 21:05:00.",
        "21:05:00 It rolls on to Ben, who is next.",
        "22:00:00 It is held for Cleo, who is first.",
        "08:00:00 The offer to Ben goes out, open until 08:10:00.",
        "08:00:00 The offer to Cleo goes out, open until 08:10:00.",
    ]
    [handed_back] = moments(played_day("quiet-hours"), "wl.hand_back")
    assert handed_back.startswith("22:00:00 ")
    assert "quiet hours" in handed_back


@pytest.mark.spec("WL-13")
def test_claiming_one_of_two_slots_passes_the_other_to_the_next_at_once(
    played_day: Get,
) -> None:
    assert moments(played_day("twins"))[-6:] == [
        "10:04:00 Ann claimed it: booked.",
        "10:04:00 Ann has claimed another slot; this offer was taken back.",
        "10:04:00 It rolls on to Ben, who is next.",
        "10:04:00 The offer to Ben goes out, open until 10:14:00.",
        "10:05:00 Ann wanted to claim it, but the offer had passed on.",
        "10:07:00 Ben claimed it: booked.",
    ]


@pytest.mark.spec("FD-04", "WL-16")
def test_no_text_is_sent_twice_and_no_window_runs_while_nobody_was_told(played_day: Get) -> None:
    bad_day = played_day("texts-fail")

    assert bad_day.messages == {"booked": 1, "offer": 1, "unreachable": 1}
    assert bad_day.not_sent == {"offer": 3}
    assert moments(bad_day, "wl.offer_unreachable", "wl.offer_lapsed") == [
        "09:30:00 Ann could not be reached: there is no such number.",
        "10:30:00 Ben did not answer in time.",
        "11:30:00 Cleo did not answer in time.",
    ]
    put_off = moments(bad_day, "wl.offer_disarmed")
    assert len(put_off) > 3
    assert {text[9:] for text in put_off} == {
        "The message to Dan could not go out yet; no window runs."
    }


@pytest.mark.spec("FD-02")
@pytest.mark.parametrize("name", NAMES)
def test_a_crash_after_every_step_does_not_change_the_result(name: str, played_day: Get) -> None:
    whole = day(name)
    crashing = replace(whole, steps=tuple(replace(step, then_crashes=True) for step in whole.steps))

    played = play_day(crashing)

    assert played.problems == []
    assert played.people == played_day(name).people
    assert played.figures == played_day(name).figures
    assert played.messages == played_day(name).messages


DAY = """\
shop:
  staff: [Jess]
  services:
    Cut: {length: 45m, price: 45}
    Table: {length: 2h, most: 6}
on: 2026-11-20
"""


def test_a_scenario_can_tell_every_other_action_of_people_and_staff() -> None:
    played = play_day(
        written(
            DAY
            + """\
list:
  Ann: {for: Cut}
  Bob: {for: Cut, by: mail}
  Cleo: {for: Cut}
timeline:
  - 0d 09:30 Ann can come from 2d to 4d
  - 0d 10:00 Cut at 15:00 with Jess opens up
  - after 1m Bob declines and leaves the list
  - after 1m Cleo texts STOP and the process crashes
  - 0d 11:00 Dan joins for Cut with Jess by mail
  - after 1m Dan declines the 15:00
  - 0d 12:00 Cut at 16:00 with Jess is missed
  - at once staff take back the 16:00
  - 0d 13:00 Table for 4 at 19:00 is cancelled
  - after 1m Eve joins for Table as a party of 4
  - at once the mail server goes down
  - at once the mail server comes back
  - after 1m everything is delivered again
  - after 1m Eve claims the 19:00
  - after 1m Dan leaves the list
expect:
  freed: 3
  filled: 1
  people: {Ann: waiting, Bob: left, Cleo: stopped, Dan: left, Eve: booked}
"""
        )
    )

    assert played.problems == []
    ends = ("wl.stopped", "wl.offer_declined", "wl.hand_back", "wl.nobody_fits", "wl.claimed")
    assert [
        (moment.kind, f"{moment.at:%H:%M}") for moment in played.moments if moment.kind in ends
    ] == [
        ("wl.offer_declined", "10:01"),
        ("wl.stopped", "10:02"),
        ("wl.hand_back", "10:02"),
        ("wl.hand_back", "12:00"),
        ("wl.nobody_fits", "13:00"),
        ("wl.claimed", "13:03"),
    ]
    assert moments(played, "")[-4:] == [
        "11:01:00 Dan could not: no such offer.",
        "13:01:00 The mail server goes down.",
        "13:01:00 The mail server comes back.",
        "13:02:00 Everything that happened is delivered again.",
    ]


def test_an_unmet_expectation_is_a_problem() -> None:
    played = play_day(
        written(
            DAY
            + "list: {Ann: {for: Cut}}\ntimeline: [0d 10:00 Ann claims]\n"
            + "expect: {filled: 1, people: {Ann: booked}}\n"
        )
    )

    assert played.problems == [
        "at the end: filled is 0, and should be 1",
        "at the end: Ann is waiting, and should be booked",
    ]
    assert moments(played, "") == ["10:00:00 Ann could not: no such offer."]


@pytest.mark.spec("WL-09", "WL-12")
def test_a_broken_rule_is_seen_after_the_step_that_broke_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    skip_the_first(monkeypatch)
    played = play_day(day("saturday"))

    assert "suits it and was skipped" in played.problems[0]
    assert played.problems[0].startswith("after line 22:")


@pytest.mark.spec("WL-21")
def test_an_idle_slot_that_somebody_suits_is_detected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(cast(Any, REACTIONS), OfferLapsed, lambda _reads, _recorded: ())
    played = play_day(day("saturday"))

    assert any("is offered to nobody, and entry" in problem for problem in played.problems)


@pytest.mark.spec("FD-12")
def test_an_offer_in_the_middle_of_the_night_is_seen() -> None:
    at_night = datetime(2026, 11, 20, 23, tzinfo=UTC)
    opening = Opening("Cut", at_night + timedelta(days=1), timedelta(hours=1), 1)
    slot_id = SlotId("slot")
    watch = FactWatch()
    facts = (
        SlotFreed(slot_id, origin="test", opening=opening, rules=Rules()),
        OfferArmed(slot_id, EntryId("ann"), 1, claim_by=opening.starts_at),
    )

    seen = [
        list(watch.take(Recorded(seq, at_night, "test", fact))) for seq, fact in enumerate(facts, 1)
    ]

    assert seen == [[], ["slot slot: offer 1 goes out in quiet hours"]]
