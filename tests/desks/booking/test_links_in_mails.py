"""Links in mails about bookings lead to the promised pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.booking.commands import Book, SetRules
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import BookingId, RequestStatus
from frontdesk.desks.booking.rules import Approval
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CUT, RULES, at, text
from tests.desks.waitlist.console.counter import owner
from tests.support.salon import Salon
from tests.support.salon import salon as open_salon

ANN, STAFF = "ann@example.org", "sam@example.org"


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        yield opened.with_staff(STAFF)


def book(salon: Salon, approval: Approval) -> None:
    salon.run(SetRules(replace(RULES, services=(replace(CUT, approval=approval),))))
    person = PersonId(salon.product.engine.new_id())
    salon.run(Book(BookingId("ab" * 16), person, "Haircut", at(10), "Ann", ANN))
    salon.settle()


def links(salon: Salon, to: str) -> list[str]:
    return re.findall(r"https?://\S+", salon.messages(to)[-1]["text"])


@pytest.mark.spec("BK-33")
def test_staff_open_the_booking_that_waits_for_them(salon: Salon) -> None:
    book(salon, Approval.ALWAYS)

    page = owner(salon).get(links(salon, STAFF)[0])

    assert page.status == 200
    assert "Ann" in page.says


@pytest.mark.spec("BK-13")
def test_the_customer_sees_moves_and_cancels_by_the_links_of_the_confirmation(
    salon: Salon,
) -> None:
    book(salon, Approval.NEVER)

    headings = [salon.visitor.get(each).heading for each in links(salon, ANN)]

    assert headings == ["It's booked.", "Move your appointment", "Cancel this appointment?"]


@pytest.mark.spec("BK-18")
def test_the_link_to_another_proposed_time_says_that_one_is_booked_already(salon: Salon) -> None:
    salon.run(SetRules(RULES))
    note = {"note": "Haircut on Thursday", "name": "Ann", "contact": ANN}
    salon.visitor.post("/book/ask", **note)
    salon.settle()
    chosen, other, *_ = links(salon, ANN)
    salon.visitor.post(chosen)

    opened = (salon.visitor.get(each).headers["location"] for each in (chosen, other))
    before, after = map(salon.visitor.get, opened)

    assert before.heading == after.heading == "It's booked."
    assert "You chose another time before" not in before.says
    assert "You chose another time before. This is your appointment." in after.says


@pytest.mark.spec("FD-10")
def test_a_proposed_time_that_went_to_an_earlier_address_settles_no_request(
    salon: Salon,
) -> None:
    """The link to the earlier address is dead, also as the hold of a form."""
    salon.run(SetRules(RULES))
    note = {"note": "Haircut on Thursday", "name": "Ann", "contact": ANN}
    salon.visitor.post("/book/ask", **note)
    salon.settle()
    token = links(salon, ANN)[0].rpartition("/")[2]
    bk = booking_reads(salon.product.engine.reads())
    [asked] = bk.requests(RequestStatus.OPEN, 2)
    salon.run(CorrectContact(asked.person_id, "Ann", "right@example.org", Role.OWNER))
    salon.settle()

    chosen = {"service": "Haircut", "at": text(asked.proposed[0].starts_at), "hold": token}
    salon.visitor.post("/book", **chosen, name="Eve", contact="eve@example.org")
    salon.settle()

    [still] = booking_reads(salon.product.engine.reads()).requests(RequestStatus.OPEN, 2)
    assert still.id == asked.id
