"""A booking's page describes its present state, and what its customer can still do."""

from datetime import datetime, timedelta

import pytest

from frontdesk.core.localtime import zone
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.model import Booking, BookingId, BookingStatus, Lane
from frontdesk.desks.booking.pages.texts import AllowedChanges, change_terms, changes, status_text
from frontdesk.desks.booking.rules import Approval
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CUT, MIRA, RULES, TUESDAY, at

BOOKING = Booking(
    id=BookingId("0" * 32),
    person_id=PersonId("p"),
    service="Haircut",
    party=1,
    starts_at=at(10),
    ends_at=at(10, 45),
    resources=(MIRA,),
    places=(1,),
    capacities=(1,),
    lane=Lane.FORM,
    booked_at=at(9) - timedelta(days=7),
    local_on=TUESDAY,
)
DAY = timedelta(days=1)


@pytest.mark.spec("BK-33")
@pytest.mark.parametrize("status", BookingStatus)
def test_every_state_has_its_own_words(status: BookingStatus) -> None:
    others = {
        status_text(replace(BOOKING, status=one), RULES, at(9)).title
        for one in BookingStatus
        if one is not status
    }

    assert status_text(replace(BOOKING, status=status), RULES, at(9)).title not in others


def test_a_request_says_until_when_the_time_is_held() -> None:
    pending = replace(BOOKING, status=BookingStatus.PENDING, decide_by=at(9, 30))

    assert status_text(pending, RULES, at(9)).lead == (
        "We hold the time for you until 09:30 today (SGT), "
        "and send you a message when we have decided."
    )


def test_an_appointment_that_is_over_says_so() -> None:
    assert status_text(BOOKING, RULES, at(10, 45)).title == "This appointment is over."


@pytest.mark.spec("BK-32")
def test_a_booking_can_be_moved_and_cancelled_until_its_notice() -> None:
    assert changes(BOOKING, RULES, at(10) - DAY) == AllowedChanges(
        move=True, cancel=True, until="You can move or cancel it until 10:00 today (SGT)."
    )


@pytest.mark.spec("BK-32", "BK-33")
def test_a_request_can_be_changed_past_the_notice_until_it_is_confirmed() -> None:
    late = at(10) - DAY + timedelta(seconds=1)
    pending = replace(BOOKING, status=BookingStatus.PENDING, decide_by=at(9, 30))
    by_request = replace(CUT, approval=Approval.ALWAYS)

    found = [changes(pending, RULES, now) for now in (at(10) - DAY, late)]

    assert [one.until for one in found if one] == [
        "You can move or cancel it until 10:00 today (SGT).",
        "You can move or cancel it until we confirm it.",
    ]
    assert change_terms(by_request, at(10), late, zone(RULES.zone)) == (
        "This time is so soon that you can't move or cancel it online once it is confirmed."
    )


@pytest.mark.spec("BK-32")
def test_past_the_notice_the_page_says_how_to_reach_the_business() -> None:
    late = at(10) - DAY + timedelta(seconds=1)

    assert changes(BOOKING, RULES, late) == AllowedChanges(
        move=False,
        cancel=False,
        reach="Changes online are possible until 1 day before the start.",
    )


@pytest.mark.spec("BK-32")
def test_after_the_most_moves_it_can_only_be_cancelled() -> None:
    found = changes(replace(BOOKING, moves=CUT.most_moves), RULES, at(10) - 3 * DAY)

    assert found is not None
    assert (found.move, found.cancel) == (False, True)
    assert found.reach == "You have moved it 3 times, so it can't be moved online again."


@pytest.mark.parametrize("now", [at(10), at(12)])
def test_a_booking_that_has_begun_cannot_be_changed(now: datetime) -> None:
    assert changes(BOOKING, RULES, now) is None


def test_a_request_that_waits_can_be_taken_back_at_short_notice() -> None:
    pending = replace(BOOKING, status=BookingStatus.PENDING)

    found = changes(pending, RULES, at(9, 30))

    assert found is not None
    assert (found.move, found.cancel) == (True, True)


def test_a_booking_of_a_service_that_is_gone_is_changed_by_phone() -> None:
    found = changes(replace(BOOKING, service="Perm"), RULES, at(9) - DAY)

    assert found == AllowedChanges(
        move=False, cancel=False, reach="This service is not booked online any more."
    )
