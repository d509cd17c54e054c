"""Mail to a desk that is off: a new request waits for a person, and answers about promised things
are still understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.mail import FOR_A_PERSON
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reads import MailFilter
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import BookingRequest, RequestStatus
from frontdesk.desks.rsvp.commands import SignUp
from frontdesk.desks.rsvp.model import GuestId, Lane
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.follow import send_id
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.intake.mail import MailIn
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.four_desks import EVENT, FourDesks
from tests.support.mail import a_mail
from tests.support.reminders import MONDAY, an_id
from tests.support.rsvp_dynamodb import ALL

PARTY = "pottery@frontdesk.example"
BOOK = "book@frontdesk.example"
LIST = "waitlist@frontdesk.example"
REMIND = "remind@frontdesk.example"
ASKS = "Hello, is there a cut tomorrow at 10:00?\n\nAnn\n"
Opens = Callable[[str], FourDesks]


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opens]:
    """Opens the four desks on the same data, with some of them off."""
    tables: Tables | None = None
    if request.param == "dynamodb":
        tables = request.getfixturevalue("dynamodb")
    clock, numbers = VirtualClock(MONDAY), count(1)
    opened: list[FourDesks] = []

    def opens(off: str) -> FourDesks:
        for before in opened:
            before.close()
        opened[:] = [FourDesks(tmp_path, tables, off, clock=clock, numbers=numbers)]
        return opened[0]

    yield opens
    for last in opened:
        assert last.problems() == []
        last.close()


def writes(desks: FourDesks, to: str, body: str = ASKS, **headers: str) -> str:
    """Takes in a mail; returns its outcome."""
    raw = a_mail(body, to=to, **headers)
    MailIn(desks.back).take(Envelope("ann@example.org", (to,), raw, "192.0.2.1"))
    desks.settle()
    newest, *_ = admin(desks.back.engine.reads()).mails(MailFilter(), limit=9)
    return newest.outcome


def requests(desks: FourDesks, status: RequestStatus) -> list[BookingRequest]:
    return list(booking_reads(desks.back.engine.reads()).requests(status, ALL))


@pytest.mark.spec("FD-19")
@pytest.mark.parametrize(
    ("desk", "to"),
    [("rsvp", PARTY), ("waitlist", LIST), ("booking", BOOK), ("reminders", REMIND)],
)
def test_a_new_request_waits_for_a_person(opens: Opens, desk: str, to: str) -> None:
    opens("").opens()
    desks = opens(desk)

    assert MailIn(desks.back).accepts(to)
    assert writes(desks, to) == FOR_A_PERSON

    assert admin(desks.back.engine.reads()).mail_count(MailFilter(for_a_person=True)) == 1
    assert list(desks.ev.guests_after(EVENT, "", ALL)) == []
    assert list(desks.wl.proposals(ProposalStatus.OPEN, ALL)) == []
    assert [one for status in RequestStatus for one in requests(desks, status)] == []


def test_a_guest_still_cancels_by_mail(opens: Opens) -> None:
    ann = GuestId(an_id("ann"))
    person = PersonId(an_id("ann's person"))
    opens("").opens().do(SignUp(EVENT, ann, person, "Ann", "ann@example.org", 1, Lane.FORM))

    assert writes(opens("rsvp"), PARTY, "I can't come any more, sorry.\n") == "answered"


@pytest.mark.spec("BK-24")
def test_an_answer_to_proposed_times_still_books(opens: Opens) -> None:
    desks = opens("").opens()
    writes(desks, BOOK)
    [request] = requests(desks, RequestStatus.OPEN)
    proposals = send_id(f"bk/{request.id}/proposals/1", request.person_id)
    sent = desks.back.engine.reads().engine.sent_message(proposals)
    assert sent is not None
    answers = {"in_reply_to": sent.message_id, "message_id": "<two@example.org>"}

    desks = opens("booking")
    writes(desks, BOOK, "The first one please\n", **answers)

    [booking] = desks.bookings()
    assert booking.starts_at == min(each.starts_at for each in request.proposed)
