"""A stranger can type any contact into the form. Only a person who answers our mail owns the
address."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.desks.booking.commands import MoveBooking
from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.model import Booking, BookingRequest, Lane, RequestStatus, booking_id
from frontdesk.desks.booking.request_reader import book_proposal
from tests.support.booking import DAY, TEN, rules, service
from tests.support.booking_mail import MailDesk
from tests.support.dynamodb import needs_dynamodb

ASKS = "Hello,\n\ncould I have a cut tomorrow at 10:00?\n\nAnn Lee\n"
STRANGE = "+6591234567"


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MailDesk]:
    """Allows one upcoming booking for each contact."""
    tables = request.getfixturevalue("dynamodb") if request.param == "dynamodb" else None
    desk = MailDesk(tmp_path, tables)
    desk.given(rules([service("cut", most_upcoming=1), service("trim", most_upcoming=1)]))
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    desk.close()


def a_stranger_books(desk: MailDesk) -> Booking:
    made = booking_id(desk.new_id())
    desk.do(desk.command("ann", TEN + 2 * DAY, service="trim", mobile=STRANGE, booking_id=made))
    return desk.booking(made)


def asks(desk: MailDesk, text: str = ASKS, **headers: str) -> BookingRequest:
    """Asks for a time as Ann, by mail; returns the request with the proposed times."""
    known = {one.id for one in desk.reads.requests(RequestStatus.OPEN, 9)}
    desk.writes(text, Message_ID=f"<{desk.new_id()}@example.org>", **headers)
    [request] = [one for one in desk.reads.requests(RequestStatus.OPEN, 9) if one.id not in known]
    return request


def answers(desk: MailDesk, request: BookingRequest) -> list[Booking]:
    said = {"In_Reply_To": desk.answer(request).message_id}
    desk.writes("The first one please", Message_ID=f"<{desk.new_id()}@example.org>", **said)
    return [one for one in desk.reads.bookings() if one.lane is Lane.READING]


@pytest.mark.spec("BK-13", "BK-24")
@pytest.mark.parametrize(
    ("says", "number"), [("", ""), (" My number is +65 9876 5432.", "+6598765432")]
)
def test_a_booking_by_mail_has_no_number_but_the_one_in_the_mail(
    desk: MailDesk, says: str, number: str
) -> None:
    a_stranger_books(desk)

    [booking] = answers(desk, asks(desk, ASKS + says))

    assert (booking.email, booking.mobile) == ("ann@example.org", number)
    assert not booking.is_told_by_text(STRANGE)


@pytest.mark.spec("BK-24", "BK-32")
def test_bookings_of_a_stranger_do_not_count_against_the_owner_of_the_address(
    desk: MailDesk,
) -> None:
    a_stranger_books(desk)
    by_form = desk.command("ann", TEN + DAY, booking_id=booking_id(desk.new_id()))

    assert desk.refused(by_form) == "too_many"
    request = asks(desk)
    [booking] = answers(desk, request)

    assert (booking.starts_at, booking.request_id) == (request.proposed[0].starts_at, request.id)


@pytest.mark.spec("BK-24", "BK-32")
def test_the_owner_of_an_address_has_the_limit_of_everybody(desk: MailDesk) -> None:
    first, second = asks(desk), asks(desk)
    assert len(answers(desk, first)) == 1
    person = desk.reads.person(second.person_id)
    assert person is not None

    press = book_proposal(second, second.proposed[1], person, 1, desk.new_id())
    assert desk.refused(press) == "too_many"
    assert len(answers(desk, second)) == 1
    assert value_of(desk.request(RequestStatus.DRAFT).fields, "check") == "not bookable by mail"


@pytest.mark.spec("BK-32")
def test_a_booking_that_its_customer_moved_counts_as_theirs(desk: MailDesk) -> None:
    booking = a_stranger_books(desk)
    desk.do(MoveBooking(booking.id, TEN + 3 * DAY))

    assert answers(desk, asks(desk)) == []


@pytest.mark.spec("BK-24", "BK-32")
def test_the_request_of_somebody_else_lifts_no_limit(desk: MailDesk) -> None:
    a_stranger_books(desk)
    request = asks(desk, From="Bob <bob@example.org>")

    typed = desk.command("ann", TEN, request_id=request.id, booking_id=booking_id(desk.new_id()))

    assert desk.refused(typed) == "too_many"
