"""Time off over existing bookings is accepted, and the bookings that conflict with it are
listed."""

from datetime import timedelta

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.model import Booking, BookingId, BookingStatus, Lane
from frontdesk.desks.booking.rules import Blackout, BookingRules, DatedHours
from frontdesk.desks.booking.search.broken_bookings import broken_bookings
from frontdesk.desks.booking.search.explanation_words import sentence
from frontdesk.values import replace
from tests.desks.booking.search.salon import MIRA, TUESDAY, at, period, salon, staff, week

DAY = timedelta(days=1)


def booking(name: str, clock: str, status: BookingStatus = BookingStatus.CONFIRMED) -> Booking:
    starts_at = at(TUESDAY, clock)
    return Booking(
        id=BookingId(name),
        person_id=PersonId("ann"),
        service="Haircut",
        party=1,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=45),
        resources=(MIRA,),
        places=(1,),
        capacities=(1,),
        lane=Lane.FORM,
        booked_at=at(TUESDAY - DAY, "09:00"),
        status=status,
        local_on=TUESDAY,
    )


BOOKINGS = (
    booking("before hours", "09:00"),
    booking("morning", "10:00"),
    booking("gone", "11:00", BookingStatus.CANCELLED),
    booking("afternoon", "15:00"),
)


def with_mira(exception: DatedHours) -> BookingRules:
    hours = week("10:00-18:00", line=14)
    return salon(resources=(replace(staff(MIRA), hours=hours, exceptions=(exception,)),))


@pytest.mark.spec("BK-28")
@pytest.mark.parametrize(
    ("after", "broken"),
    [
        (salon(), {}),
        (
            with_mira(DatedHours(TUESDAY, TUESDAY, note="Dentist", line=30)),
            {
                "morning": "Mira is away 10:00–10:45: Dentist (line 30).",
                "afternoon": "Mira is away 15:00–15:45: Dentist (line 30).",
            },
        ),
        (
            with_mira(DatedHours(TUESDAY, TUESDAY, (period("10:30-16:00"),), line=30)),
            {"morning": "Mira is away 10:00–10:30 (line 30)."},
        ),
        (
            salon(blackouts=(Blackout(TUESDAY, TUESDAY, period("15:30-17:00"), line=40),)),
            {"afternoon": "No bookings are taken 15:30–15:45 (line 40)."},
        ),
        (
            salon(resources=()),
            dict.fromkeys(("morning", "afternoon"), "Nobody offers this service (line 20)."),
        ),
    ],
    ids=["nothing", "day off", "hours off", "blackout", "gone"],
)
def test_new_rules_list_the_bookings_that_they_break(
    after: BookingRules, broken: dict[str, str]
) -> None:
    found = broken_bookings(BOOKINGS, salon(), after)

    assert {one.booking.id: sentence(after, one.reason) for one in found} == broken
