"""A booked week ends as expected after any crash, and a broken rule is detected at once."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from frontdesk.core.decision import Fact
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.facts import BookingCancelled, BookingMade, BookingMoved, ReminderDue
from frontdesk.desks.booking.model import Booking, BookingId, Lane
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.engine.ports import Recorded
from frontdesk.simulate.booking.player import PlayedWeek, as_words, play_week
from frontdesk.simulate.booking.scenario import Week
from frontdesk.simulate.booking.watch import BookingWatch
from frontdesk.simulate.runtime import MESSAGE, Simulation
from frontdesk.simulate.scenario_file import BadScenario, find_scenario, read, shipped
from frontdesk.values import replace

NAMES = [scenario.name for scenario in shipped() if isinstance(scenario, Week)]
_played: dict[str, PlayedWeek] = {}


@pytest.fixture
def played_week() -> Callable[[str], PlayedWeek]:
    """Returns a function that plays a shipped week once for all tests."""

    def get(name: str) -> PlayedWeek:
        if name not in _played:
            _played[name] = play_week(week(name))
        return _played[name]

    return get


Get = Callable[[str], PlayedWeek]


def week(name: str) -> Week:
    scenario = find_scenario(name)
    assert isinstance(scenario, Week)
    return scenario


def written(text: str) -> Week:
    scenario = read(text, "mine")
    assert isinstance(scenario, Week)
    return scenario


def moments(played: PlayedWeek, *kinds: str, about: str = "") -> list[str]:
    tz = ZoneInfo(played.scenario.place.zone)
    return [
        f"{moment.at.astimezone(tz):%a %H:%M:%S} {moment.text}"
        for moment in played.moments
        if moment.kind in kinds and about in moment.text
    ]


@pytest.mark.spec("FD-26")
@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_week_ends_as_it_expects_and_nothing_ever_breaks(
    name: str, played_week: Get
) -> None:
    assert played_week(name).problems == []


@pytest.mark.spec("BK-16")
def test_a_cancelled_time_is_booked_by_the_next_on_the_waitlist(played_week: Get) -> None:
    kinds = ("bk.cancelled", "bk.time_freed", "wl.offer_armed", "wl.claimed", "bk.handover_booked")
    told = moments(played_week("booked-week"), *kinds)
    assert [text for text in told if text.startswith("Mon 09:3")] == [
        "Mon 09:30:00 Dan: The customer cancelled.",
        "Mon 09:30:00 The time is free, and goes to the waitlist.",
        "Mon 09:30:00 The offer to Wim goes out, open until 09:40:00.",
        "Mon 09:34:00 Wim claimed it: booked.",
        "Mon 09:34:00 The time that was held for the waitlist is booked.",
    ]


def test_mail_that_the_outage_held_up_goes_out_once(played_week: Get) -> None:
    played = played_week("booked-week")

    assert len(moments(played, MESSAGE, about="Mail to Hal: Confirmed")) == 1
    assert len(moments(played, MESSAGE, about="Mail to Ann: Moved")) == 1
    assert played.not_sent == {"nobody_fits": 3}


def test_everybody_who_comes_is_reminded_once_a_day_and_once_an_hour_before(
    played_week: Get,
) -> None:
    played = played_week("booked-week")

    assert moments(played, MESSAGE, about="Mail to Ann: Colour t") == [
        "Mon 15:00:00 Mail to Ann: Colour tomorrow at 15:00",
        "Tue 14:00:00 Mail to Ann: Colour today at 15:00",
    ]
    assert moments(played, MESSAGE, about="Mail to Dan: Cut t") == []


@pytest.mark.spec("FD-02")
@pytest.mark.parametrize("name", NAMES)
def test_a_crash_after_every_step_does_not_change_the_result(name: str, played_week: Get) -> None:
    whole = week(name)
    crashing = replace(whole, steps=tuple(replace(step, then_crashes=True) for step in whole.steps))

    played, calm = play_week(crashing), played_week(name)

    assert played.problems == []
    assert (played.people, played.figures) == (calm.people, calm.figures)
    assert played.messages == calm.messages


WEEK = """\
business: {name: Nails, zone: Asia/Singapore}
rules: |
  hours: {daily: 9:00-18:00}
  staff: {ana: {name: Ana}}
  rooms: {hall: {name: Hall, capacity: 4}}
  all services: {notice: 0 min, cancel until: 0 min}
  services:
    Nails: {minutes: 60}
    Class: {minutes: 60, party: 4, staff: [], needs: [hall]}
on: 2026-11-20
"""


def test_a_scenario_can_tell_every_other_action_of_people_and_staff() -> None:
    played = play_week(
        written(
            WEEK
            + """\
timeline:
  - 0d 09:00 Ann books Nails at 10:00 with Ana
  - at once Bob books Nails at 10:30
  - at once Bob moves to 11:00
  - after 1m Cleo books Class for 3 at 1d 10:00
  - after 1m Dan books Class for 2 at 1d 10:00
  - after 1m mail to Cleo bounces
  - at once staff cancel Cleo
  - after 1m Dan claims
  - after 1m Dan books Class for 2 at 1d 10:00 and the process crashes
  - 0d 10:10 staff cancel Ann
expect:
  bookings: 3
  people: {Ann: cancelled, Cleo: cancelled, Dan: confirmed}
"""
        )
    )

    assert played.problems == []
    assert moments(played, "") == [
        "Fri 09:00:00 Bob could not: taken.",
        "Fri 09:00:00 Bob could not: no booking.",
        "Fri 09:02:00 Dan could not: taken.",
        "Fri 09:03:00 From now on no mail is taken for Cleo.",
        "Fri 09:04:00 Dan could not: no offer.",
        "Fri 09:05:00 The process crashes, and starts again.",
    ]
    assert list(as_words(played))[-1] == "Everything held, after every step and at the end."


@pytest.mark.parametrize(
    ("timeline", "why"),
    [
        ("[0d 09:00 Ann books Beard at 10:00]", "line 11: there is no service Beard"),
        ("[0d 09:00 Ann books Nails at 10:00 with Zoe]", "line 11: nobody called Zoe works here"),
        ("[0d 09:00 Ann cancels]", "line 11: Ann has no booking by then"),
        ("[0d 09:00 Ann sings]", "line 11: 'Ann sings' is not a sentence of a timeline"),
        ("[0d 09:00 Ann books Nails at 25:00]", "line 11: there is no time 25:00"),
    ],
)
def test_a_sentence_that_cannot_be_played_is_named_with_its_line(timeline: str, why: str) -> None:
    with pytest.raises(BadScenario, match=why):
        written(f"{WEEK}timeline: {timeline}\n")


def test_a_mistake_in_the_rules_is_named_with_its_line() -> None:
    with pytest.raises(BadScenario, match="line 8: rules: "):
        written(WEEK.replace("minutes: 60}", "minuets: 60}", 1) + "timeline: [0d 9:00 Ann cancels]")


# --- the checks during a play -----------------------------------------------------------------

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


def booking(name: str, starts_at: datetime, **more: Any) -> Booking:
    plain: dict[str, Any] = {
        "id": BookingId(name),
        "person_id": PersonId(name),
        "service": "Nails",
        "party": 1,
        "starts_at": starts_at,
        "ends_at": starts_at + HOUR,
        "resources": (ResourceId("ana"),),
        "places": (1,),
        "capacities": (1,),
        "lane": Lane.FORM,
        "booked_at": AT,
        "local_on": starts_at.date(),
    }
    return Booking(**{**plain, **more})


def seen(*commits: Fact) -> list[str]:
    watch = BookingWatch({"ana": 1})
    facts = [Recorded(seq, AT, "test", fact) for seq, fact in enumerate(commits, 1)]
    return [problem for each in facts for problem in watch.take([each])]


def made(one: Booking) -> BookingMade:
    return BookingMade(one.id, one.person_id, 1, booking=one)


@pytest.mark.spec("BK-11")
def test_the_watch_detects_an_overlap() -> None:
    """The check compares intervals and knows no cells."""
    ann, bob = booking("ann", AT), booking("bob", AT + HOUR)
    buffer = timedelta(minutes=10)

    assert seen(made(ann), made(bob)) == []
    assert seen(made(replace(ann, buffer_after=buffer)), made(bob)) == [
        "ana has 2 of 1 places taken: booking:ann, booking:bob"
    ]
    moved = BookingMoved(
        bob.id,
        bob.person_id,
        2,
        booking=replace(bob, starts_at=AT + HOUR / 2, ends_at=AT + 2 * HOUR),
        starts_at_before=bob.starts_at,
        resources_before=bob.resources,
        by_staff=False,
    )
    assert seen(made(ann), made(bob), moved) == [
        "ana has 2 of 1 places taken: booking:ann, booking:bob"
    ]


def test_the_watch_sees_a_reminder_twice_and_one_of_an_ended_booking() -> None:
    ann = booking("ann", AT)
    due = ReminderDue(ann.id, ann.person_id, 1, starts_at=AT, seconds_before=3600)
    ended = BookingCancelled(ann.id, ann.person_id, 2, starts_at=AT, sequence=1)

    assert seen(made(ann), due, due) == ["booking ann has the same reminder twice"]
    assert seen(made(ann), ended, due) == ["booking ann has ended, and a reminder is due"]


@pytest.mark.spec("FD-26")
def test_a_row_that_breaks_a_rule_is_named_with_the_step_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = Simulation.settle

    def settle(self: Simulation) -> None:
        plain(self)
        with self.data() as db, db:
            db.execute("UPDATE bk_tally SET bookings = bookings + 1")

    monkeypatch.setattr(Simulation, "settle", settle)
    played = play_week(written(f"{WEEK}timeline: [0d 09:00 Ann books Nails at 10:00]\n"))

    assert played.problems[0].startswith("after line 11: tally ")
