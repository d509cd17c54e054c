"""The reasons why a day has no times, as values and in words."""

from datetime import timedelta

import pytest

from frontdesk.desks.booking.model import Tally
from frontdesk.desks.booking.rules import (
    Blackout,
    BookingRules,
    Cap,
    CapOf,
    DatedHours,
    Need,
)
from frontdesk.desks.booking.search.explain import DayExplanation, explain_day
from frontdesk.desks.booking.search.explanation_words import explain_in_words, sentence
from frontdesk.desks.booking.search.query import Cause, Filter, Occupancy, Query, Removed
from frontdesk.desks.booking.search.times import check_all, check_time
from frontdesk.values import replace
from tests.desks.booking.search.salon import (
    CUT,
    MIRA,
    MONDAY,
    ROOM,
    TUESDAY,
    at,
    booked,
    period,
    salon,
    staff,
    week,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOW = at(MONDAY, "09:00")
NOBODY = Occupancy()


def explained(rules: BookingRules, occupancy: Occupancy = NOBODY, **query: object) -> list[str]:
    question = Query(rules.services[0].name, TUESDAY, TUESDAY, **query)  # type: ignore[arg-type]
    found = explain_day(rules, question, occupancy, NOW)
    assert isinstance(found, DayExplanation)
    return explain_in_words(rules, found)


@pytest.mark.spec("BK-07")
def test_a_busy_calendar_is_named_with_hours_and_the_length_of_the_service() -> None:
    busy = Occupancy({MIRA: [(at(TUESDAY, "10:00"), at(TUESDAY, "17:30"))]})

    assert explained(salon(), busy) == [
        "Tuesday 17 November has no times for Haircut.",
        "Mira works 10:00–18:00 (line 14).",
        "Mira's calendar is busy 10:00–17:30.",
        "Haircut needs 45 + 10 minutes, and the longest free time is 30 minutes (line 20).",
    ]


@pytest.mark.spec("BK-07")
def test_the_times_left_after_each_filter_are_counted() -> None:
    taken = Occupancy(taken={MIRA: booked((at(TUESDAY, "10:00"), at(TUESDAY, "17:00")))})

    found = explain_day(salon(), Query("haircut", TUESDAY, TUESDAY), taken, NOW)

    assert isinstance(found, DayExplanation)
    (mira,) = found.resources
    assert [(one.filter, one.minutes, one.starts) for one in mira.stages] == [
        (Filter.CALENDAR, 17 * 60, 0),
        (Filter.HOURS, 60, 0),
        (Filter.DURATION, 0, 2),
        (Filter.LIMITS, 0, 2),
    ]
    assert mira.times == (at(TUESDAY, "17:00"), at(TUESDAY, "17:15"))
    assert explain_in_words(salon(), found) == [
        "Tuesday 17 November has times for Haircut.",
        "Mira works 10:00–18:00 (line 14).",
        "Mira's time is taken 10:00–17:00.",
        "Mira can be booked at 17:00, 17:15.",
        "Proposed first: 17:00 with Mira (next to another booking, the earliest).",
        "Proposed second: 17:15 with Mira (the earliest).",
    ]


AWAY = DatedHours(TUESDAY, TUESDAY, note="Dentist", line=30)
DAY_TALLY = ("business", "2026-11-17")


@pytest.mark.spec("BK-07", "BK-28")
@pytest.mark.parametrize(
    ("rules", "occupancy", "reasons"),
    [
        (
            salon(resources=(replace(staff(MIRA, "10:00-18:00"), exceptions=(AWAY,)),)),
            NOBODY,
            ["Mira is away all day: Dentist (line 30)."],
        ),
        (
            salon(closed=(replace(AWAY, note="Holiday"),)),
            NOBODY,
            ["The business is closed all day: Holiday (line 30)."],
        ),
        (
            salon(hours=((),) * 7, resources=(staff(MIRA, line=12),)),
            NOBODY,
            ["Mira does not work on this day (line 12)."],
        ),
        (
            salon(),
            Occupancy(unreadable={MIRA: "no answer"}),
            [
                "Mira works 10:00–18:00 (line 14).",
                "Mira offers no times, because a calendar could not be read: no answer (line 12).",
            ],
        ),
        (
            salon(blackouts=(Blackout(TUESDAY, TUESDAY, note="Stocktaking", line=40),)),
            NOBODY,
            [
                "Mira works 10:00–18:00 (line 14).",
                "No bookings are taken all day: Stocktaking (line 40).",
            ],
        ),
        (
            salon(caps=(Cap(CapOf.DAY, bookings=4, line=44),)),
            Occupancy(tallies={DAY_TALLY: Tally(*DAY_TALLY, bookings=4)}),
            [
                "Mira works 10:00–18:00 (line 14).",
                "The business takes at most 4 bookings a day, and has 4 (line 44).",
            ],
        ),
        (
            salon(replace(CUT, notice=2 * DAY)),
            NOBODY,
            [
                "Mira works 10:00–18:00 (line 14).",
                "Haircut is booked 2 days ahead or earlier (line 20).",
            ],
        ),
        (
            salon(replace(CUT, offset=8 * HOUR)),
            NOBODY,
            [
                "Mira works 10:00–18:00 (line 14).",
                "Haircut starts every 15 minutes from the start of a working period (line 20).",
            ],
        ),
        (
            salon(
                replace(CUT, needs=(*CUT.needs, Need((ROOM,), line=22))),
                resources=(salon().resources[0], staff(ROOM, "20:00-21:00")),
            ),
            NOBODY,
            [
                "Mira works 10:00–18:00 (line 14).",
                "Haircut also needs one of these, and none is free then: Room (line 22).",
            ],
        ),
    ],
    ids=["away", "closed", "free day", "calendar", "blackout", "cap", "notice", "grid", "room"],
)
def test_each_filter_names_its_line(
    rules: BookingRules, occupancy: Occupancy, reasons: list[str]
) -> None:
    assert explained(rules, occupancy) == [
        "Tuesday 17 November has no times for Haircut.",
        *reasons,
    ]


@pytest.mark.spec("BK-07")
def test_a_missing_room_is_named_although_the_room_was_free_in_the_morning() -> None:
    """Mira has time in the afternoon. The room was free only in the morning, which is over."""
    service = replace(CUT, needs=(Need((MIRA,), line=21), Need((ROOM,), line=22)))
    rules = salon(service, resources=(staff(MIRA, "10:00-18:00"), staff(ROOM, "10:00-18:00")))
    taken = Occupancy(taken={ROOM: booked((at(TUESDAY, "12:00"), at(TUESDAY, "18:00")))})
    question = Query(service.name, TUESDAY, TUESDAY)

    found = explain_day(rules, question, taken, at(TUESDAY, "12:00"))

    assert isinstance(found, DayExplanation)
    (mira,) = found.resources
    assert [(one.cause, one.line) for one in mira.removed] == [
        (Cause.NEED, 22),
        (Cause.NOTICE, 20),
    ]
    assert explain_in_words(rules, found)[2:3] == [
        "Haircut also needs one of these, and none is free then: Room (line 22)."
    ]


def test_periods_of_one_line_are_one_sentence() -> None:
    rules = salon(resources=(replace(staff(MIRA), hours=week("9:00-9:30", "13:00-13:30", line=7)),))

    assert explained(rules)[1] == "Mira works 09:00–09:30 and 13:00–13:30 (line 7)."


def test_a_question_that_no_day_can_answer_is_explained_as_well() -> None:
    rules = salon(replace(CUT, horizon=timedelta()))

    assert explained(rules) == [
        "Tuesday 17 November has no times for Haircut.",
        "Haircut is booked at most 0 days ahead (line 20).",
    ]
    unknown = explain_day(rules, Query("Massage", TUESDAY, TUESDAY), NOBODY, NOW)
    assert isinstance(unknown, Removed)
    assert sentence(rules, unknown) == "There is no service 'Massage'."


@pytest.mark.spec("BK-07")
def test_a_day_that_is_over_has_no_times_whatever_the_notice() -> None:
    last_week = TUESDAY - timedelta(days=7)
    rules = salon(replace(CUT, notice=timedelta(hours=2)))
    found = explain_day(rules, Query("Haircut", last_week, last_week), NOBODY, NOW)

    assert isinstance(found, DayExplanation)
    assert explain_in_words(rules, found) == [
        "Tuesday 10 November has no times for Haircut.",
        "This time is over.",
    ]


# --- one time ---------------------------------------------------------------------------------


def test_a_time_is_refused_by_the_first_filter_that_removes_it_and_all_can_be_listed() -> None:
    early = at(TUESDAY, "08:05")
    occupancy = Occupancy(
        {MIRA: [(at(TUESDAY, "08:00"), at(TUESDAY, "08:10"))]},
        tallies={DAY_TALLY: Tally(*DAY_TALLY, bookings=4)},
    )
    rules = salon(caps=(Cap(CapOf.DAY, bookings=4, line=44),))
    query = Query("Haircut", TUESDAY, TUESDAY)

    found = check_all(rules, query, early, occupancy, NOW)

    assert [(one.filter, one.cause, one.line) for one in found] == [
        (Filter.CALENDAR, Cause.BUSY, 0),
        (Filter.HOURS, Cause.NOT_WORKING, 14),
        (Filter.LIMITS, Cause.CAP, 44),
    ]
    assert check_time(rules, query, early, occupancy, NOW) == found[0]
    assert check_time(salon(), query, at(TUESDAY, "10:15"), NOBODY, NOW) is None


@pytest.mark.parametrize(
    ("clock", "cause"),
    [("10:05", Cause.OFF_GRID), ("17:30", Cause.NOT_WORKING), ("09:45", Cause.NOT_WORKING)],
)
def test_a_time_that_is_not_shown_cannot_be_booked(clock: str, cause: Cause) -> None:
    query = Query("Haircut", TUESDAY, TUESDAY)

    removed = check_time(salon(), query, at(TUESDAY, clock), NOBODY, NOW)

    assert removed is not None
    assert removed.cause is cause
    between_ticks = at(TUESDAY, "10:15") + timedelta(seconds=30)
    off_grid = check_time(salon(), query, between_ticks, NOBODY, NOW)
    assert off_grid == Removed(Filter.DURATION, Cause.OFF_GRID, 20)


def test_a_break_is_named_by_the_line_of_the_hours() -> None:
    rules = salon(resources=(staff(MIRA, "10:00-12:00", "13:00-18:00"),))
    removed = check_time(
        rules, Query("Haircut", TUESDAY, TUESDAY), at(TUESDAY, "11:30"), NOBODY, NOW
    )

    assert removed is not None
    assert removed.spans == ((at(TUESDAY, "12:00"), at(TUESDAY, "12:15")),)
    assert sentence(rules, removed) == "Mira does not work 12:00–12:15."
    assert period("10:00-12:00") in (rules.resources[0].hours or ())[0]
