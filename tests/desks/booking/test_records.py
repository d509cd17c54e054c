"""Every request of any lane has a record on both stores, and the audit can rebuild it."""

from __future__ import annotations

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.people import ErasePerson, PersonId
from frontdesk.desks.booking.changes import WriteRequest
from frontdesk.desks.booking.commands import CancelBooking
from frontdesk.desks.booking.facts import BookingMade
from frontdesk.desks.booking.model import (
    BookingRequest,
    GivenBy,
    Lane,
    ProposedTime,
    RequestField,
    RequestId,
    RequestStatus,
)
from frontdesk.desks.booking.replay import request_from
from frontdesk.values import replace
from tests.support.booking import HOUR, MIRA, SEVEN, TEN, BookingDesk, hex_id

ANN, BOB, CAT = map(hex_id, ("ann", "bob", "cat"))


def record(desk: BookingDesk, who: str = "ann") -> BookingRequest:
    found = desk.reads.request(RequestId(hex_id(who)))
    assert found is not None
    return found


@pytest.mark.spec("BK-18", "BK-01")
def test_a_complete_form_has_a_record_in_the_commit_of_its_booking(desk: BookingDesk) -> None:
    desk.given().book("ann", resource=MIRA, party=2, mobile="+6591234567")

    chosen = ProposedTime("cut", TEN, MIRA)
    assert record(desk) == BookingRequest(
        RequestId(ANN),
        Lane.FORM,
        SEVEN,
        RequestStatus.BOOKED,
        PersonId("p-ann"),
        fields=(
            RequestField("service", "cut", "confident"),
            RequestField("when", "Tuesday 17 November, 10:00 (UTC)", "confident"),
            RequestField("staff", "Mira", "confident"),
            RequestField("resource", "mira", "confident"),
            RequestField("party", "2", "confident"),
            RequestField("name", "Ann", "confident"),
            RequestField("phone", "+6591234567", "confident"),
            RequestField("email", "ann@example.org", "confident"),
        ),
        reader="form",
        proposed=(chosen,),
        chosen=chosen,
        booking_id=ANN,
        settled_at=SEVEN,
    )
    assert str(desk.of("ann").request_id) == ANN
    assert desk.kinds(ANN)[0] == "bk.booked"


@pytest.mark.spec("BK-18")
def test_a_refused_booking_leaves_no_record(desk: BookingDesk) -> None:
    desk.given().book("ann")

    assert desk.refused(desk.command("bob")) == "taken"
    assert [str(one.id) for one in desk.reads.all_requests()] == [ANN]


@pytest.mark.spec("BK-18")
def test_the_audit_gives_the_record_again_and_names_nobody(desk: BookingDesk) -> None:
    desk.given().book("ann", mobile="+6591234567", note="likes tea")

    facts = desk.facts(ANN)
    [made] = [each.fact for each in facts if isinstance(each.fact, BookingMade)]
    assert request_from(facts) == record(desk).without_person
    assert not any(word in str(made) for word in ("Ann", "example.org", "9123", "tea"))


@pytest.mark.spec("BK-18")
def test_records_are_listed_by_state_and_lane(desk: BookingDesk) -> None:
    desk.given().book("ann")
    desk.book("bob", TEN + HOUR, lane=Lane.STAFF, given_by=GivenBy.CONSOLE)
    desk.wait(hours=1).book("cat", TEN + 2 * HOUR)

    def names(lane: Lane | None = None, **more: object) -> list[str]:
        found = desk.reads.requests(RequestStatus.BOOKED, 5, lane=lane, **more)  # type: ignore[arg-type]
        return [bytes.fromhex(one.booking_id).rstrip(b"\0").decode() for one in found]

    assert names() == ["cat", "bob", "ann"] or names() == ["cat", "ann", "bob"]
    assert names(Lane.FORM) == ["cat", "ann"]
    assert names(Lane.STAFF) == ["bob"]
    assert names(since=SEVEN + HOUR / 2) == ["cat"]
    assert desk.reads.requests(RequestStatus.DRAFT, 5, lane=Lane.FORM) == []
    pages = [*desk.reads.all_requests(limit=2), *desk.reads.all_requests(after=BOB)]
    assert [str(one.id) for one in pages] == [ANN, BOB, CAT]


@pytest.mark.spec("BK-18")
def test_a_cancelled_booking_keeps_its_record(desk: BookingDesk) -> None:
    desk.given().book("ann")
    before = record(desk)

    desk.do(CancelBooking(ANN))

    assert record(desk) == before


@pytest.mark.spec("BK-18", "FD-06")
def test_a_record_that_differs_from_the_audit_is_named(desk: BookingDesk) -> None:
    desk.given().book("ann")
    before = record(desk)
    wrong = replace(before, booking_id=BOB, version=2)

    desk.store.commit(Accepted((WriteRequest(wrong),)), by="test", at=SEVEN)

    says = f"the audit says {before.without_person}, the row says {wrong.without_person}"
    assert desk.problems() == [
        f"booking {ANN} has no record of its request {ANN}",
        f"request {ANN}: {says}",
    ]
    mended = replace(before, version=3)
    desk.store.commit(Accepted((WriteRequest(mended),)), by="test", at=SEVEN)
    assert len(desk.problems()) == 1, "its version is not that of the audit"
    desk.problems = list  # type: ignore[method-assign]


@pytest.mark.spec("FD-20", "BK-18")
def test_erasing_a_person_empties_their_records(desk: BookingDesk) -> None:
    desk.given().book("ann", mobile="+6591234567", answers={}, note="likes tea")
    desk.book("bob", TEN + HOUR)

    desk.store.commit(Accepted((ErasePerson(PersonId("p-ann")),)), by="test", at=SEVEN)

    booking, request = desk.of("ann"), record(desk)
    assert (booking.name, booking.email, booking.mobile, booking.note) == ("", "", "", "")
    assert (request.fields, request.sender, request.text) == ((), "", "")
    assert record(desk, "bob").fields != ()


@pytest.mark.spec("FD-20", "BK-18")
def test_erasing_a_person_empties_records_that_others_made_with_their_number(
    desk: BookingDesk,
) -> None:
    """Ann gave Bob's number beside her own address."""
    desk.given().book("bob", email="", mobile="+6591234567")
    desk.book("ann", TEN + HOUR, mobile="+6591234567")

    desk.store.commit(Accepted((ErasePerson(PersonId("p-bob")),)), by="test", at=SEVEN)

    assert desk.of("ann").mobile == ""
    assert record(desk).fields == ()
