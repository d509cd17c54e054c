"""Two wordings of a reminder: a hash assigns them, and the comparison includes its uncertainty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.core.wording import Wording
from frontdesk.desks.reminders.commands import MarkNoShow, RecordAppointment, SetWording
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
    AppointmentState,
)
from frontdesk.desks.reminders.wording_trial import (
    Attendance,
    Comparison,
    compare,
    has_second_wording,
)
from frontdesk.values import replace
from tests.desks.reminders.test_connections import Shop, owner
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, an_id, id_of

PAGE = "/console/reminders/wordings"
SECOND = Wording(
    "We miss you already", "# Come!\n\n{{ service }}, {{ when }}\n\nYes:\n{{ confirm_link }}"
)
VISIT = Appointment(
    AppointmentId("a"),
    AppointmentSource.SHEET,
    "a",
    PersonId("p"),
    "cut",
    FRIDAY,
    HOUR,
    MONDAY,
    told_at=FRIDAY - DAY,
)
#: References of appointments, by the wording that they get.
WITH_FIRST, WITH_SECOND = (
    [ref for ref in map(str, range(40)) if has_second_wording(id_of(ref)) is second][:2]
    for second in (False, True)
)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with closing(Shop(tmp_path)) as one:
        yield one


def visit(shop: Shop, ref: str) -> None:
    person = PersonId(an_id(f"p{ref}"))
    sheet, mail = AppointmentSource.SHEET, f"p{ref}@example.org"
    shop.do(RecordAppointment(sheet, ref, person, "Ann", mail, "", "cut", FRIDAY, HOUR))


@pytest.mark.spec("AR-25")
def test_a_hash_assigns_about_half_of_the_appointments() -> None:
    assigned = [has_second_wording(AppointmentId(an_id(str(n)))) for n in range(1_000)]

    assert 450 < sum(assigned) < 550
    assert assigned == [has_second_wording(AppointmentId(an_id(str(n)))) for n in range(1_000)]


@pytest.mark.spec("AR-25")
def test_a_second_wording_goes_to_the_appointments_of_the_hash(shop: Shop) -> None:
    shop.do(SetWording("first_reminder_b", SECOND))
    for ref in (*WITH_FIRST, *WITH_SECOND):
        visit(shop, ref)
    shop.wait_until(FRIDAY - 3 * DAY)

    usual = "Your appointment in 3 days: cut"
    assert {ref: shop.subjects(f"p{ref}@")[0] for ref in (*WITH_FIRST, *WITH_SECOND)} == {
        **dict.fromkeys(WITH_FIRST, usual),
        **dict.fromkeys(WITH_SECOND, "We miss you already"),
    }


@pytest.mark.spec("AR-25")
def test_with_one_wording_everybody_gets_it(shop: Shop) -> None:
    visit(shop, WITH_SECOND[0])
    shop.wait_until(FRIDAY - 3 * DAY)

    assert shop.subjects(f"p{WITH_SECOND[0]}@") == ["Your appointment in 3 days: cut"]
    assert "There is one wording" in owner(shop).get(PAGE).says


@pytest.mark.spec("AR-25")
def test_the_page_compares_attendance_and_claims_no_more_than_it_knows(shop: Shop) -> None:
    shop.do(SetWording("first_reminder_b", SECOND))
    for ref in (*WITH_FIRST, *WITH_SECOND):
        visit(shop, ref)
    shop.wait_until(FRIDAY + 2 * HOUR)
    shop.do(MarkNoShow(id_of(WITH_FIRST[0])))

    page = owner(shop).get(PAGE).says

    assert "Too early to tell" in page
    assert "First wording Visits 2 Came 1 Share 50% Likely between 9% to 91%" in page
    assert "Second wording Visits 2 Came 2 Share 100%" in page

    shop.do(SetWording("first_reminder_b", None))
    assert "There is one wording" in owner(shop).get(PAGE).says


def test_only_told_visits_that_are_over_and_not_cancelled_count() -> None:
    now = FRIDAY + DAY
    cancelled = replace(VISIT, state=AppointmentState.CANCELLED)
    earlier = replace(VISIT, told_at=MONDAY)
    untold = replace(VISIT, told_at=None)
    later = replace(VISIT, starts_at=FRIDAY + 2 * DAY)
    began_at = FRIDAY - 2 * DAY

    assert compare([cancelled, earlier, untold, later], began_at, now) == Comparison()
    found = compare([VISIT, replace(VISIT, state=AppointmentState.NO_SHOW)], began_at, now)
    assert Attendance(came=1, missed=1) in (found.first, found.second)


@pytest.mark.spec("AR-25")
def test_the_intervals_are_those_of_wilson_and_newcombe() -> None:
    """Newcombe 1998, table II, line a: 56/70 - 48/80."""
    found = Comparison(Attendance(48, 32), Attendance(56, 14))

    assert [round(each, 3) for each in found.second.interval] == [0.692, 0.877]
    assert [round(each, 4) for each in found.interval] == [0.0524, 0.3339]
    assert found.is_clear
    assert not Comparison(Attendance(9, 1), Attendance(1, 9)).is_clear
    assert not Comparison(Attendance(50, 50), Attendance(52, 48)).is_clear
    assert Attendance().interval == (0.0, 1.0)
