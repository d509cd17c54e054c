"""`reminders.yml`: the file sets the rules in force, and each error names its line."""

from __future__ import annotations

from datetime import date, time, timedelta

import pytest

from frontdesk.core.public_holidays import holidays_around, is_known, public_holidays
from frontdesk.core.quiet_hours import NO_QUIET_HOURS, QuietHours
from frontdesk.desks.reminders.commands import ConfirmRulesFile, TakeRules
from frontdesk.desks.reminders.decide.documents import SAVED_DOCUMENT
from frontdesk.desks.reminders.rules import (
    BadSpan,
    LeadTime,
    ReminderRules,
    Schedule,
    ServiceSchedule,
    StaffHours,
    parse_before,
)
from frontdesk.desks.reminders.rules_file import EXAMPLE, parse_rules
from frontdesk.desks.reminders.tags import NO_TAGS, Tags, parse_tags
from tests.support.reminders import RemindersDesk

WRITTEN = """
reminders: [1d, 7d, 3h]
after a no-show: none
alert staff: 2h
confirm by: 1d
cut-off: 90m
quiet hours: 20:00-09:30
staff hours: mon-fri 08:00-17:30
least gap: 6h
after booking: none
country: DE
region: BY
closed: [2026-12-31, 2026-12-24]
services:
  Colour:
    reminders: 2d
"""


@pytest.mark.spec("AR-04", "AR-06")
def test_every_key_is_understood() -> None:
    usual = Schedule(
        reminders=(LeadTime(days=7), LeadTime(days=1), LeadTime(minutes=180)),
        after_no_show=None,
        alert=LeadTime(minutes=120),
        confirm_by=LeadTime(days=1),
        cut_off=timedelta(minutes=90),
    )
    own = Schedule(
        (LeadTime(days=2),), None, LeadTime(minutes=120), LeadTime(days=1), usual.cut_off
    )

    parsed = parse_rules(WRITTEN, "Europe/Berlin")

    assert parsed.problems == ()
    assert parsed.rules == ReminderRules(
        zone="Europe/Berlin",
        quiet=QuietHours(time(20), time(9, 30)),
        country="DE",
        region="BY",
        own_days=(date(2026, 12, 24), date(2026, 12, 31)),
        staff_hours=StaffHours(time(8), time(17, 30), (0, 1, 2, 3, 4)),
        least_gap=timedelta(hours=6),
        after_booking=timedelta(),
        usual=usual,
        services=(ServiceSchedule("Colour", own),),
    )


def test_the_example_has_the_default_rules() -> None:
    assert parse_rules(EXAMPLE).rules == ReminderRules()
    assert parse_rules("").rules == ReminderRules()
    assert parse_rules("quiet hours: none").rules == ReminderRules(quiet=NO_QUIET_HOURS)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("reminder: 1d", 'line 1: there is no key "reminder"; did you mean "reminders"?'),
        ("reminders: soon", "line 1: 'soon' is not a time; write it like 3d, 3h or 90m"),
        ("reminders: [1d, 2d, 3d, 4d]", "line 1: there are more than 3"),
        ("reminders: []", "line 1: write at least one time, like 1d"),
        ("alert staff: 5m", "line 1: '5m' is not from 30 minutes to 60 days"),
        ("least gap: 1h\nleast-gap: 2h", 'line 2: "least-gap" is there twice'),
        ("quiet hours: night", 'line 1: "night" is not a range of times; write it like'),
        ("quiet hours: 25:00-08:00", 'line 1: "25:00-08:00" has a time that does not exist'),
        ("staff hours: 18:00-09:00", "line 1: staff hours end later than they begin"),
        ("staff hours: moon 09:00-18:00", 'line 1: "moon" is not a weekday'),
        ("closed: tomorrow", "line 1: write days like 2026-12-24"),
        ("country: XX", "line 1: this country or region is not known"),
        ("country: DE\nregion: ZZ", "line 1: this country or region is not known"),
        ("region: BY", "line 1: this country or region is not known"),
        ("country: ../../x", "line 1: write the letters of a code"),
        ("services: 5", "line 1: list services by name"),
        ("services:\n  Cut: 5", "line 2: here is a group of keys"),
        ("services:\n  Cut: {}\n  CUT: {}", "line 2: a service is listed twice"),
        ("- 1", "line 1: here is a group of keys"),
        ("least gap: [1h]", "line 1: write one value here"),
        ("{", "line 1:"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, problem: str) -> None:
    parsed = parse_rules(text)

    assert parsed.rules is None
    assert str(parsed.problems[0]).startswith(problem)


def test_a_broken_text_leaves_the_last_good_rules_in_force(desk: RemindersDesk) -> None:
    desk.do(TakeRules("least gap: 6h", "Europe/Berlin"))
    desk.do(TakeRules("least gap: soon", "Europe/Berlin"))

    assert desk.reads.rules().least_gap == timedelta(hours=6)
    document = desk.engine.reads().engine.setting(SAVED_DOCUMENT)
    assert (document.text, document.good) == ("least gap: soon", "least gap: 6h")
    assert desk.refused(TakeRules("least gap: 6h", "Mars/Base")) == "bad_rules"
    assert desk.refused(ConfirmRulesFile("other")) == "unchanged"


# --- tags and holidays ----------------------------------------------------------------------


@pytest.mark.spec("AR-16")
@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("", NO_TAGS),
        ("#skip", Tags(skip=True)),
        ("VIP! #NoSMS please, #noemail", Tags(no_sms=True, no_email=True)),
        ("#remind 3h #remind 2d", Tags(remind=(LeadTime(days=2), LeadTime(minutes=180)))),
        ("#skipping a#skip #remind soon #remind 5m", NO_TAGS),
        ("#" * 10_000, NO_TAGS),
    ],
)
def test_tags_are_found_in_notes(text: str, tags: Tags) -> None:
    assert parse_tags(text) == tags


@pytest.mark.parametrize("text", ["", "3", "d", "-1d", "99999d", "3 weeks", "1.5h", "٣d"])
def test_an_invalid_lead_time_is_refused(text: str) -> None:
    with pytest.raises(BadSpan):
        parse_before(text)


@pytest.mark.parametrize("text", ["3d", "1d", "3h", "90m"])
def test_a_lead_time_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_before(text)) == text


@pytest.mark.spec("AR-06")
def test_a_region_has_holidays_of_its_own() -> None:
    assert len(public_holidays("DE", "", 2026)) == 9
    assert len(public_holidays("DE", "BY", 2026)) == 12
    assert date(2026, 1, 6) in public_holidays("DE", "BY", 2026)
    assert public_holidays("", "", 2026) == frozenset()
    assert date(2027, 1, 1) in holidays_around("DE", "BY", 2026)
    assert (is_known("DE", "BY"), is_known("DE", "QQ"), is_known("", "")) == (True, False, True)
