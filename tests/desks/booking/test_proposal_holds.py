"""Proposed times are held if the rules say so, on both stores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from frontdesk.core.mail import NO_MAIL
from frontdesk.desks.booking.commands import ChangeRequest, RecordRequest
from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.load import MOST_HELD, proposal_holds
from frontdesk.desks.booking.model import BookingRequest, ProposedTime, RequestId, RequestStatus
from frontdesk.desks.booking.request_reader import book_proposal
from frontdesk.desks.booking.ticks import HolderKind, parse_holder
from frontdesk.values import replace
from tests.desks.booking.test_mail_lanes import Opened
from tests.desks.booking.test_mail_lanes import open_mail as open_mail
from tests.support.booking import ANA, DAY, HOUR, MIRA, TEN, resource, rules, service
from tests.support.booking_mail import MailDesk

#: An hour, every two hours: no proposed times overlap.
APART = rules([service(step=timedelta(hours=2))], hold_proposals=True)
#: An hour, every 15 minutes: the proposed times overlap.
CLOSE = rules([service(step=timedelta(minutes=15))], hold_proposals=True)
ASKS = "Hello,\n\ncould I have a cut tomorrow at 10:00?\n\nAnn Lee\n"


@pytest.fixture
def desk(open_mail: Opened) -> MailDesk:
    desk = open_mail()
    desk.given(APART)
    return desk


def asked(desk: MailDesk) -> BookingRequest:
    desk.writes(ASKS)
    return desk.request(RequestStatus.OPEN)


def answers(desk: MailDesk, request: BookingRequest, text: str) -> None:
    told = desk.answer(request).message_id
    desk.writes(text, In_Reply_To=told, Message_ID="<two@example.org>")


def starts(request: BookingRequest) -> list[datetime]:
    return [one.starts_at for one in request.proposed]


def held(desk: MailDesk) -> int:
    """Returns the number of ticks that are held now."""
    holders = [parse_holder(cell.holder) for cell in desk.reads.every_cell()]
    now = desk.clock.now()
    return sum(one.kind is HolderKind.HOLD and one.holds_at(now) for one in holders)


def proposes(desk: MailDesk, request: BookingRequest, times: Sequence[datetime]) -> BookingRequest:
    """Records another request with these times, as if they had been free a moment ago."""
    proposed = tuple(ProposedTime("cut", at) for at in times)
    new = replace(request, id=RequestId(desk.new_id()), mail_id=NO_MAIL, proposed=proposed)
    desk.do(RecordRequest(new))
    found = desk.reads.request(new.id)
    assert found is not None
    return found


@pytest.mark.spec("BK-24")
def test_proposed_times_are_held_and_the_mail_says_until_when(desk: MailDesk) -> None:
    request = asked(desk)

    assert starts(request) == [TEN - 2 * HOUR, TEN, TEN + 2 * HOUR]
    for at in starts(request):
        assert desk.refused(desk.command("bob", at)) == "taken"
    assert "We hold them for you until 07:00 tomorrow (UTC)." in desk.answer(request).text


@pytest.mark.spec("BK-24")
def test_a_proposal_is_no_hold_unless_the_rules_say_so(desk: MailDesk) -> None:
    desk.given(replace(APART, hold_proposals=False))
    request = asked(desk)

    assert held(desk) == 0
    assert "They are not held for you, so choose soon." in desk.answer(request).text
    desk.book("bob", TEN)


@pytest.mark.spec("BK-24")
def test_proposed_times_are_held_for_a_day_and_then_read_as_free(desk: MailDesk) -> None:
    request = asked(desk)
    person = desk.reads.person(request.person_id)
    assert person is not None

    desk.wait(hours=24)
    assert desk.book("bob", TEN).starts_at == TEN

    too_late = book_proposal(request, request.proposed[1], person, 1, desk.new_id())
    assert desk.refused(too_late) == "taken"
    desk.do(book_proposal(request, request.proposed[2], person, 1, desk.new_id()))
    assert held(desk) == 0


@pytest.mark.spec("BK-24")
def test_the_customer_gets_a_held_time_and_the_others_are_free(desk: MailDesk) -> None:
    request = asked(desk)

    answers(desk, request, "The second one please")

    [booking] = desk.reads.bookings()
    assert booking.starts_at == TEN
    assert {cell.holder for cell in desk.reads.every_cell()} == {booking.holder}
    assert proposal_holds(desk.reads, request) == []


@pytest.mark.spec("BK-24")
@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_times_that_overlap_are_held_together_and_each_can_be_had(
    desk: MailDesk, chosen: int
) -> None:
    """Mira has one chair, and only one of the times will be booked."""
    desk.given(CLOSE)
    request = asked(desk)
    span = starts(request)[-1] - starts(request)[0] + HOUR
    assert HOUR < span < 2 * HOUR
    assert held(desk) == span.total_seconds() / 300
    person = desk.reads.person(request.person_id)
    assert person is not None

    desk.do(book_proposal(request, request.proposed[chosen], person, 1, desk.new_id()))

    [booking] = desk.reads.bookings()
    assert booking.starts_at == starts(request)[chosen]
    assert {cell.holder for cell in desk.reads.every_cell()} == {booking.holder}


@pytest.mark.spec("BK-24")
def test_another_round_of_times_gives_up_the_first(desk: MailDesk) -> None:
    request = asked(desk)

    answers(desk, request, "None of these suits me")

    again = desk.request(RequestStatus.OPEN)
    assert (again.version, set(starts(again)) & set(starts(request))) == (2, set())
    holds = proposal_holds(desk.reads, again)
    assert [one.starts_at for one in holds] == starts(again)
    assert held(desk) == 3 * 12
    desk.book("bob", TEN)


@pytest.mark.spec("BK-24")
@pytest.mark.parametrize("status", [RequestStatus.DRAFT, RequestStatus.DISCARDED])
def test_a_request_that_staff_take_over_or_discard_holds_nothing(
    desk: MailDesk, status: RequestStatus
) -> None:
    request = asked(desk)
    assert held(desk) == 3 * 12

    desk.do(ChangeRequest(replace(request, status=status, version=2)))

    assert desk.reads.every_cell() == []
    assert proposal_holds(desk.reads, request) == []


@pytest.mark.spec("BK-24")
def test_a_time_that_was_taken_before_it_could_be_held_is_not_proposed(desk: MailDesk) -> None:
    request = asked(desk)
    desk.book("bob", TEN + DAY)

    other = proposes(desk, request, [TEN + DAY, TEN + DAY + 2 * HOUR])

    assert starts(other) == [TEN + DAY + 2 * HOUR]
    assert [one.starts_at for one in proposal_holds(desk.reads, other)] == starts(other)


@pytest.mark.spec("BK-24")
def test_a_request_whose_times_are_all_taken_becomes_a_draft(desk: MailDesk) -> None:
    other = proposes(desk, asked(desk), [TEN])

    assert (other.status, other.proposed) == (RequestStatus.DRAFT, ())
    assert value_of(other.fields, "check") == "no free times"


@pytest.mark.spec("BK-24")
def test_anyone_is_held_with_somebody_who_is_free(desk: MailDesk) -> None:
    either = service("cut", [MIRA, ANA], step=timedelta(hours=2))
    desk.given(rules([either], [resource(MIRA), resource(ANA)], hold_proposals=True))
    desk.book("bob", TEN, resource=MIRA)

    request = asked(desk)

    assert desk.refused(desk.command("cat", TEN)) == "taken"
    answers(desk, request, "The second one please")
    [booking] = desk.reads.bookings_of(request.person_id)
    assert (booking.starts_at, booking.resources) == (TEN, (ANA,))


@pytest.mark.spec("BK-24")
def test_strangers_cannot_hold_a_whole_week(desk: MailDesk) -> None:
    request = asked(desk)
    for n in range(MOST_HELD):
        proposes(desk, request, [TEN + DAY + n * 2 * HOUR])

    holding = [one for one in desk.reads.all_requests() if proposal_holds(desk.reads, one)]
    assert len(holding) == MOST_HELD
