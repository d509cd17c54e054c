"""Which facts of the booking desk become which messages."""

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Via
from frontdesk.core.sms import fits_one
from frontdesk.core.wording import as_sms, check, fill
from frontdesk.desks.booking.facts import (
    BookingConfirmed,
    BookingMade,
    BookingMoved,
    CalendarTroubled,
    ReminderDue,
)
from frontdesk.desks.booking.messages import KINDS, customers
from frontdesk.desks.booking.model import Booking, BookingId, BookingStatus, Lane
from frontdesk.desks.booking.notes import NOTES
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.features.messages.kinds import wording_specs
from frontdesk.values import replace

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BOOKING = Booking(
    id=BookingId("0" * 32),
    person_id=PersonId("ann"),
    service="Haircut",
    party=1,
    starts_at=NOON,
    ends_at=NOON + timedelta(hours=1),
    resources=(ResourceId("mira"),),
    places=(1,),
    capacities=(1,),
    local_on=NOON.date(),
    lane=Lane.FORM,
    booked_at=NOON - timedelta(days=2),
)
IDS = (BOOKING.id, BOOKING.person_id)


def told(fact: object) -> list[tuple[str, str, Quiet]]:
    made = NOTES[type(fact)](fact) or ()  # type: ignore[index]
    notes = (made,) if isinstance(made, Note) else made
    return [(note.kind, note.to, note.quiet) for note in notes]


@pytest.mark.spec("BK-33")
def test_a_pending_booking_is_announced_to_the_customer_and_to_staff() -> None:
    pending = replace(BOOKING, status=BookingStatus.PENDING, decide_by=NOON - timedelta(days=1))

    assert told(BookingMade(*IDS, version=1, booking=pending)) == [
        ("requested", "ann", Quiet.IGNORE),
        ("approval_wanted", To.HOSTS, Quiet.IGNORE),
    ]
    assert told(BookingMade(*IDS, version=1, booking=BOOKING)) == []


def test_staff_hear_of_bookings_that_they_did_not_make() -> None:
    def confirmed(lane: Lane) -> list[tuple[str, str, Quiet]]:
        return told(BookingConfirmed(*IDS, version=1, lane=lane, starts_at=NOON))

    assert confirmed(Lane.FORM) == [
        ("confirmed", "ann", Quiet.IGNORE),
        ("new_booking", To.HOSTS, Quiet.IGNORE),
    ]
    assert confirmed(Lane.READING)[0] == ("confirmed", "ann", Quiet.IGNORE)
    assert confirmed(Lane.STAFF) == [("confirmed", "ann", Quiet.HOLD)]


def test_each_move_is_told_by_a_message_of_its_own() -> None:
    def keys(version: int, *, by_staff: bool) -> list[str]:
        fact = BookingMoved(
            *IDS,
            version=version,
            booking=replace(BOOKING, version=version, sequence=version - 1),
            starts_at_before=NOON,
            resources_before=BOOKING.resources,
            by_staff=by_staff,
        )
        return [note.key for note in NOTES[BookingMoved](fact)]  # type: ignore[union-attr]

    assert len({*keys(2, by_staff=False), *keys(3, by_staff=False)}) == 4
    assert len(keys(4, by_staff=True)) == 1


@pytest.mark.spec("BK-14")
def test_a_reminder_is_keyed_by_the_start_so_that_a_moved_visit_is_reminded_again() -> None:
    def key(starts_at: datetime) -> str:
        fact = ReminderDue(*IDS, version=1, starts_at=starts_at, seconds_before=3600)
        note = NOTES[ReminderDue](fact)
        assert isinstance(note, Note)
        return note.key

    assert key(NOON) == key(NOON)
    assert key(NOON) != key(NOON + timedelta(hours=1))


def test_staff_are_told_once_that_a_calendar_cannot_be_written() -> None:
    def trouble(again: int) -> CalendarTroubled:
        return CalendarTroubled(*IDS, version=1, calendar="Mia", why="Down.", again=again)

    assert [kind for kind, _, _ in told(trouble(0))] == ["calendar_troubled"]
    assert told(trouble(1)) == []


@pytest.mark.parametrize(("via", "kind"), wording_specs(KINDS))
def test_every_default_wording_can_be_used(via: Via, kind: str) -> None:
    spec = wording_specs(KINDS)[via, kind]
    problems = [
        each for each in check(spec, spec.default) if via is Via.MAIL or each.part == "body"
    ]

    assert problems == []
    assert fill(spec.default, spec.placeholders).blocks


@pytest.mark.parametrize("kind", [name for name, kind in customers.KINDS.items() if kind.sms])
def test_a_usual_text_fits_one_segment(kind: str) -> None:
    spec = customers.KINDS[kind].sms
    assert spec is not None

    assert fits_one(as_sms(fill(spec.default, spec.placeholders)))
