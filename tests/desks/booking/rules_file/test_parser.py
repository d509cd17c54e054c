"""`rules.yml` is parsed into rules, or into errors that say what to write instead."""

from datetime import date, time, timedelta
from pathlib import Path

import pytest

from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.booking.rules import (
    AllDay,
    Approval,
    Blackout,
    BookingRules,
    CalendarRef,
    Cap,
    CapOf,
    DatedHours,
    Need,
    PartOfDay,
    Period,
    Preference,
    Question,
    QuestionKind,
    Resource,
    ResourceId,
    ResourceKind,
    ServiceRules,
)
from frontdesk.desks.booking.rules_file.parser import parse_rules

SALON = (Path(__file__).parent / "salon.yml").read_text()
MINUTES = timedelta(minutes=1)
HOURS = timedelta(hours=1)
MIRA, ANA, ONE, TWO = map(ResourceId, ("mira", "ana", "chair-1", "chair-2"))

TEAM = "hours: {mon-fri: 9:00-17:00}\nstaff: {mira: {name: Mira}}\n"


def rules_of(text: str) -> BookingRules:
    parsed = parse_rules(text)
    assert parsed.problems == ()
    assert parsed.rules is not None
    return parsed.rules


def errors(text: str) -> list[str]:
    parsed = parse_rules(text)
    assert parsed.rules is None
    return [str(each) for each in parsed.problems]


@pytest.mark.spec("BK-08", "BK-27", "BK-28", "BK-37")
def test_a_whole_file_becomes_rules_with_the_line_of_each_value() -> None:
    weekday = (Period(540, 750, 2), Period(810, 1080, 2))
    working = (Period(600, 750, 9), Period(780, 1080, 9))
    anyone = Need((MIRA, ANA), 35)
    assert parse_rules(SALON, "Europe/Berlin").rules == BookingRules(
        zone="Europe/Berlin",
        hours=(*[weekday] * 5, (Period(540, 840, 2),), ()),
        closed=(
            DatedHours(date(2026, 12, 24), date(2026, 12, 26), note="Christmas", line=3),
            DatedHours(date(2027, 1, 1), date(2027, 1, 1), line=3),
        ),
        caps=(Cap(CapOf.DAY, bookings=20, line=4),),
        resources=(
            Resource(
                MIRA,
                "Mira",
                hours=((), *[working] * 5, ()),
                exceptions=(
                    DatedHours(date(2026, 12, 1), date(2026, 12, 5), note="holidays", line=12),
                    DatedHours(
                        date(2026, 12, 8),
                        date(2026, 12, 8),
                        (Period(720, 750, 9), Period(780, 1080, 9)),
                        line=14,
                    ),
                ),
                caps=(Cap(CapOf.DAY, 8, line=16), Cap(CapOf.WEEK, minutes=32 * 60, line=16)),
                calendars=(CalendarRef("mira-google", write=True, line=15),),
                line=7,
            ),
            Resource(ANA, "Ana", line=17),
            Resource(ONE, "chair-1", ResourceKind.ROOM, line=19),
            Resource(TWO, "Second chair", ResourceKind.ROOM, line=20),
        ),
        services=(
            ServiceRules(
                name="Haircut",
                duration=45 * MINUTES,
                needs=(Need((MIRA, ANA), 28), Need((ONE, TWO), 29)),
                price_cents=5500,
                aliases=("cut", "trim"),
                buffer_before=5 * MINUTES,
                buffer_after=10 * MINUTES,
                step=30 * MINUTES,
                notice=4 * HOURS,
                questions=(
                    Question("allergies", "Allergies?", line=33),
                    Question(
                        "length", "Length", QuestionKind.CHOICE, ("short", "long"), True, line=34
                    ),
                ),
                line=25,
            ),
            ServiceRules(
                name="Wash, blow",
                duration=30 * MINUTES,
                needs=(anyone,),
                price_cents=2550,
                step=30 * MINUTES,
                notice=4 * HOURS,
                approval=Approval.FIRST_VISIT,
                unlisted=True,
                line=35,
            ),
        ),
        parts_of_day=(PartOfDay("morning", Period(480, 720, 36)),),
        ranking=(Preference.WISHED, Preference.EARLIEST),
        reminders=(timedelta(days=1), 2 * HOURS),
        quiet=QuietHours(time(21), time(8)),
        event_title="{service}, {name}",
        tone="Warm and short.\nWe say du.",
    )


@pytest.mark.spec("BK-08")
def test_an_empty_file_is_good_and_nothing_can_be_booked() -> None:
    assert rules_of("") == BookingRules()
    assert rules_of("# only a remark\n") == BookingRules()


@pytest.mark.spec("BK-28")
def test_breaks_are_taken_out_of_the_business_hours_of_a_resource_without_hours() -> None:
    rules = rules_of(
        "hours: {mon: 9:00-17:00}\nstaff: {mira: {breaks: {daily: 12:00-12:30 15:00-15:15}}}\n"
    )
    hours = rules.resources[0].hours
    assert hours == (
        (Period(540, 720, 1), Period(750, 900, 1), Period(915, 1020, 1)),
        *[()] * 6,
    )


@pytest.mark.spec("BK-09", "BK-28")
def test_hours_over_midnight_end_on_the_next_day_and_a_break_after_midnight_is_inside() -> None:
    rules = rules_of("staff: {dj: {hours: {fri: 20:00-4:00}, breaks: {fri: 0:30-1:00}}}\n")
    hours = rules.resources[0].hours
    assert hours is not None
    assert hours[4] == (Period(1200, 1470, 1), Period(1500, 1680, 1))


@pytest.mark.spec("BK-28")
def test_special_and_extra_hours_and_time_off_for_some_hours() -> None:
    rules = rules_of(
        "hours: {daily: 9:00-17:00}\n"
        "special hours: [{on: 2026-12-31, hours: 9:00-12:00}]\n"
        "extra hours: [{on: 2026-12-20, hours: 18:00-20:00, note: late}]\n"
        "staff:\n"
        "  mira: {special hours: [{on: 2026-12-30, hours: 9:00-13:00}],"
        " away: [{on: 2026-12-29..2026-12-30, hours: 10:00-11:00}]}\n"
    )
    new_year, late = date(2026, 12, 31), date(2026, 12, 20)
    assert rules.closed == (
        DatedHours(new_year, new_year, (Period(540, 720, 2),), line=2),
        DatedHours(late, late, (Period(1080, 1200, 3),), extra=True, note="late", line=3),
    )
    one, two = date(2026, 12, 29), date(2026, 12, 30)
    assert rules.resources[0].exceptions == (
        DatedHours(two, two, (Period(540, 780, 5),), line=5),
        DatedHours(one, one, (Period(540, 600, 1), Period(660, 1020, 1)), line=5),
        DatedHours(two, two, (Period(540, 600, 5), Period(660, 780, 5)), line=5),
    )


@pytest.mark.spec("BK-28")
def test_hours_off_add_up_and_never_open_a_day_off() -> None:
    rules = rules_of(
        "hours: {daily: 9:00-17:00}\nstaff:\n  mira:\n    away:\n"
        "      - {on: 2026-12-01, hours: 9:00-10:00}\n"
        "      - {on: 2026-12-01, hours: 16:00-17:00}\n"
        "      - 2026-12-02..2026-12-03\n"
        "      - {on: 2026-12-03, hours: 9:00-10:00}\n"
    )
    first, last = date(2026, 12, 1), date(2026, 12, 3)
    assert rules.resources[0].exceptions == (
        DatedHours(date(2026, 12, 2), last, line=7),
        DatedHours(first, first, (Period(600, 1020, 1),), line=5),
        DatedHours(first, first, (Period(600, 960, 1),), line=6),
    )


@pytest.mark.spec("BK-08")
def test_blackouts_name_services_by_alias_and_calendars_can_be_read_only() -> None:
    rules = rules_of(
        TEAM + "rooms: {hall: {capacity: 4, calendar: [{name: hall, write: no, all day: block}]}}\n"
        "services: {Talk: {minutes: 60, staff: [], needs: [hall], party: 4, aliases: [chat]}}\n"
        "blackouts: [{on: 2026-11-27, hours: 14:00-16:00, services: [Chat], note: Training}]\n"
    )
    friday = date(2026, 11, 27)
    assert rules.blackouts == (
        Blackout(friday, friday, Period(840, 960, 5), ("Talk",), "Training", 5),
    )
    assert rules.resources[1].calendars == (CalendarRef("hall", False, AllDay.BLOCK, 3),)
    assert rules.services[0].needs == (Need((ResourceId("hall"),), 4),)


def one_error(text: str) -> str:
    found = errors(text)
    assert len(found) == 1, found
    return found[0]


#: Each case of `errors.txt` is a file, with its first error after =>. '@team' stands for a short
#: team.
CASES = [
    tuple(case.replace("@team\n", TEAM).rsplit("\n=> ", 1))
    for case in (Path(__file__).parent / "errors.txt").read_text().strip().split("\n\n")
]
UNSEEN = [
    ("tone: a\x07b", "line 1: there is an invisible character; delete it"),
    ("hours:\n\tmon: 9", "line 2: this line is indented with a tab; write spaces instead"),
    ("[" * 50, "line 1: this is nested too deeply"),
    ("[" * 90_000, "line 1: there are too many brackets in this line"),
    ("x" * 100_001, "line 1: the file is too long; it has at most 100,000 bytes"),
    ("a" * 60_000 + "ü" * 30_000, "line 1: the file is too long; it has at most 100,000 bytes"),
]


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize(("text", "says"), [*CASES, *UNSEEN])
def test_an_error_names_the_line_and_says_what_to_write(text: str, says: str) -> None:
    assert errors(text)[0] == says


@pytest.mark.spec("BK-08")
def test_an_error_is_at_the_value_that_is_wrong_and_not_at_its_service() -> None:
    text = """\
staff: {mira: {}}
pools: {all: [mira,
  zoe]}
services:
  Cut:
    minutes: 30
    staff: [mira, mirra]
    aliases:
      - trim
      - cut
    needs: [laser]
    notice: 60 days
    start offset: 30 min
    colour: red
  Long cut: {minutes: 30, aliases: [long, trim]}
blackouts: [{on: 2026-01-01, services: [Cut, Nails]}]
event title: Visit of {mother}
ranking: [earliest, earliest]
"""
    found = [
        (one.line, one.column, one.why.partition(";")[0]) for one in parse_rules(text).problems
    ]

    assert found == [
        (3, 3, '"zoe" is not known'),
        (7, 19, '"mirra" is not known'),
        (10, 9, '"cut" names this service already'),
        (11, 13, '"laser" is not known'),
        (12, 13, "the notice is longer than one can book ahead"),
        (13, 19, "the start offset must be shorter than the grid of starts"),
        (14, 13, '"red" is not a colour'),
        (15, 43, '"trim" names "Cut" already'),
        (16, 46, '"Nails" is no service'),
        (17, 14, "the title may use {service}, {first_name}, {name}, {party}, {price}"),
        (18, 10, "a preference is there twice"),
    ]


@pytest.mark.spec("BK-08")
def test_all_errors_are_listed_at_once_in_the_order_of_lines_and_at_most_20() -> None:
    text = (
        "hours: {mon: 9.30-17}\n"
        "closd: []\n"
        "staff:\n"
        "  mira: {capacity: 0}\n"
        "services:\n"
        "  Cut: {minutes: 30, staff: [mira], notice: soon}\n"
    )
    assert errors(text) == [
        'line 1: "9.30-17" is not a time range; write "9:30-17:00"',
        'line 2: "closd" is not known here; did you mean "closed"?',
        'line 4: "0" is not a whole number from 1 to 200',
        'line 6: "soon" is not a length of time; write one like 2 hours',
    ]
    many = "".join(f"x{n}: 1\n" for n in range(50))
    assert len(errors(many)) == 20


@pytest.mark.spec("BK-08")
def test_an_error_has_the_column_of_the_value() -> None:
    found = parse_rules("hours:\n  mon: 9.30-17\n").problems[0]
    assert (found.line, found.column) == (2, 8)


@pytest.mark.spec("BK-08", "BK-29")
def test_a_service_that_a_move_could_not_write_in_one_transaction_is_refused() -> None:
    rooms = "rooms: {a: {}, b: {}}\n"
    good = TEAM + rooms + "services: {Day: {minutes: 12 hours, needs: [a, b]}}\n"
    assert len(rules_of(good).services) == 1
    assert one_error(good.replace("12 hours", "12 h 5 min")) == (
        'line 4: "Day" with its buffers takes more than 12 hours;'
        " with 3 needs it may not, so write fewer minutes"
    )
    more = good.replace("b: {}}", "b: {}, c: {}}").replace("[a, b]", "[a, b, c]")
    assert one_error(more) == (
        "line 4: a service has at most 3 needs, staff included; name fewer, or make a pool of them"
    )


@pytest.mark.spec("BK-08")
def test_rules_that_no_row_could_hold_are_refused() -> None:
    staff = "".join(f"  s{n}: {{}}\n" for n in range(200))
    services = "".join(f"  Service {n}: {{minutes: 30}}\n" for n in range(200))
    assert one_error(f"staff:\n{staff}services:\n{services}").startswith(
        "line 1: these rules are too large"
    )


@pytest.mark.spec("BK-08")
def test_a_file_with_windows_line_ends_is_read_like_any_other() -> None:
    assert rules_of("\ufeff" + SALON.replace("\n", "\r\n")) == rules_of(SALON)
