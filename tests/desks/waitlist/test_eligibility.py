"""The entries that suit a slot, and the reasons why others do not."""

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.desks.waitlist.eligibility import Failure, failure
from frontdesk.desks.waitlist.model import Check, Entry, Rules, Slot
from frontdesk.values import replace
from tests.support.waitlist import RULES, TODAY, entry, slot

DAY = timedelta(days=1)
DOWN = replace(RULES, down_fitting=None)
ONE_LESS = replace(RULES, down_fitting=1)
CASES = [
    (entry("ann"), slot(), None),
    (
        entry("ann", service="colour"),
        slot(),
        Failure(Check.SERVICE, "They are waiting for colour; this is cut."),
    ),
    (
        entry("ann", party=3),
        slot(capacity=2),
        Failure(Check.PARTY, "Their party of 3 is too large: there is room for 2."),
    ),
    (
        entry("ann", party=2),
        slot(capacity=4),
        Failure(Check.PARTY, "Their party of 2 would leave too much of 4 places empty."),
    ),
    (entry("ann", party=2), slot(capacity=4, rules=DOWN), None),
    (entry("ann", party=3), slot(capacity=4, rules=ONE_LESS), None),
    (
        entry("ann", party=2),
        slot(capacity=4, rules=ONE_LESS),
        Failure(Check.PARTY, "Their party of 2 would leave too much of 4 places empty."),
    ),
    (
        entry("ann", party=5),
        slot(capacity=4, rules=DOWN),
        Failure(Check.PARTY, "Their party of 5 is too large: there is room for 4."),
    ),
    (
        entry("ann", earliest_on=TODAY + DAY),
        slot(),
        Failure(Check.DATE, "It is on 2026-11-16; they can come from 2026-11-17 on."),
    ),
    (
        entry("ann", earliest_on=TODAY - 2 * DAY, latest_on=TODAY - DAY),
        slot(),
        Failure(Check.DATE, "It is on 2026-11-16; they can come until 2026-11-15."),
    ),
    (entry("ann", staff="mia"), slot(), None),
    (
        entry("ann", staff="leo"),
        slot(),
        Failure(Check.STAFF, "They asked for leo; this is with mia."),
    ),
    (
        entry("ann", staff="leo"),
        slot(staff=""),
        Failure(Check.STAFF, "They asked for leo; this is with anyone."),
    ),
]


@pytest.mark.spec("WL-08")
@pytest.mark.parametrize(("who", "what", "expected"), CASES)
def test_each_check_says_why_an_entry_does_not_suit(
    who: Entry, what: Slot, expected: Failure | None
) -> None:
    assert failure(who, what) == expected


@pytest.mark.spec("WL-08")
def test_the_checks_come_in_their_order() -> None:
    wrong = entry("ann", service="x", party=9, earliest_on=TODAY + DAY, staff="leo")
    fixes: list[dict[str, object]] = [
        {},
        {"service": "cut"},
        {"party": 1},
        {"earliest_on": TODAY},
    ]
    failed = []
    for fix in fixes:
        wrong = replace(wrong, **fix)  # type: ignore[arg-type]
        found = failure(wrong, slot())
        assert found is not None
        failed.append(found.check)

    assert failed == [Check.SERVICE, Check.PARTY, Check.DATE, Check.STAFF]


@pytest.mark.spec("WL-08", "WL-23")
def test_a_check_that_the_rules_leave_out_does_not_count_but_the_service_always_does() -> None:
    lax = slot(rules=replace(RULES, checks=()))

    assert failure(entry("ann", party=9, earliest_on=TODAY + DAY, staff="leo"), lax) is None
    assert failure(entry("ann", service="colour"), lax) is not None


@pytest.mark.spec("WL-08")
def test_the_day_of_a_slot_is_the_one_on_the_wall_of_the_business() -> None:
    half_past_midnight = datetime(2026, 11, 16, 16, 30, tzinfo=UTC)
    tomorrow = entry("ann", earliest_on=TODAY + DAY, latest_on=TODAY + DAY)

    assert failure(tomorrow, slot(starts_at=half_past_midnight)) is None
    assert failure(tomorrow, slot(starts_at=half_past_midnight, rules=Rules("UTC"))) is not None
