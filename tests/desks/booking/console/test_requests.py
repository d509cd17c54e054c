"""Drafts: shown with the words that were read, and then answered with times, booked or
discarded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import cast

import pytest

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.members import Role
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.lanes import DIRECT_LANE, DirectLane, value_of
from frontdesk.desks.booking.model import BookingRequest, Lane, RequestStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.intake.mail import MailIn
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CUT, RULES, at
from tests.desks.rsvp.console_desk import Host, error_at
from tests.desks.waitlist.console.counter import member, owner
from tests.support.salon import Salon, salon

REQUESTS = "/console/bookings/requests"
SENDERS = "/console/settings/direct-senders"
UNDATED = "Hello,\n\ncould I have a haircut with Mira? My number is +65 9123 4567.\n\nAnn Lee\n"


class Desk:
    """A salon with one draft. It is Monday 16 November 2026, 09:00 in Singapore."""

    def __init__(self, salon: Salon) -> None:
        self.salon = salon
        salon.run(SetRules(RULES))
        self.host: Host = owner(salon)

    def writes(self, body: str = UNDATED) -> Desk:
        mail = EmailMessage()
        mail["From"], mail["To"] = "Ann Lee <ann@example.org>", "book@frontdesk.example"
        mail["Subject"], mail["Message-ID"] = "An appointment", "<one@example.org>"
        mail["Date"] = "Mon, 16 Nov 2026 09:00:00 +0800"
        mail.set_content(body)
        envelope = Envelope("ann@example.org", (mail["To"],), mail.as_bytes(), "127.0.0.1")
        MailIn(self.salon.product).take(envelope)
        self.salon.settle()
        return self

    @property
    def reads(self) -> BookingReads:
        return cast(BookingReads, self.salon.product.engine.reads().desk("bk"))

    def request(self, status: RequestStatus) -> BookingRequest:
        (found,) = self.reads.requests(status, 9)
        return found

    @property
    def url(self) -> str:
        return f"{REQUESTS}/{self.request(RequestStatus.DRAFT).id}"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with salon(tmp_path) as opened:
        yield Desk(opened)


@pytest.mark.spec("BK-05", "BK-38")
def test_a_draft_is_shown_with_the_words_that_were_read(desk: Desk) -> None:
    page = desk.writes().host.get(desk.url)

    marks = re.findall(r"<mark>(.*?)<small>(.*?)</small></mark>", page.text)
    assert ("haircut", "Service") in marks
    assert ("Mira", "With") in marks
    assert ("+65 9123 4567", "Mobile") in marks
    for hint in ("Time missing", "Service Certain “haircut”", "When optional Not in the text"):
        assert hint in page.says
    assert "Ann Lee" in desk.host.get(REQUESTS).says


@pytest.mark.spec("BK-05", "BK-24")
def test_a_corrected_draft_is_answered_with_times(desk: Desk) -> None:
    desk.writes()
    answer = desk.host.send(desk.url, when="Thursday after 5", do="propose")

    assert answer.flash == "Times are on their way to the customer."
    request = desk.request(RequestStatus.OPEN)
    assert [one.resource for one in request.proposed] == ["mira"] * 3
    assert value_of(request.fields, "when") == "Thursday after 5"
    [told] = desk.salon.settle().messages("ann@example.org")
    assert told["subject"] == "Times for your appointment: Haircut"
    assert "with Mira" in told["text"]


@pytest.mark.spec("BK-05")
def test_a_draft_that_cannot_be_answered_says_why(desk: Desk) -> None:
    desk.writes()
    page = desk.host.press(desk.url, when="blue", service="", email="ann", do="propose")

    assert page.status == 422
    assert error_at(page, "service") == "Choose a service."
    assert error_at(page, "when") == "Write a day or a time, like 'Thursday after 5'."
    assert error_at(page, "email")
    assert desk.request(RequestStatus.DRAFT).version == 1


def test_a_party_that_is_too_large_is_said_at_its_field(desk: Desk) -> None:
    desk.salon.run(SetRules(replace(RULES, services=(replace(CUT, most=4),))))
    desk.writes()
    page = desk.host.press(desk.url, when="Thursday", party="30", do="propose")

    assert page.status == 422
    assert error_at(page, "party") == "Haircut is for 4 people at most."
    assert desk.request(RequestStatus.DRAFT).version == 1


@pytest.mark.spec("BK-05", "BK-18")
def test_staff_book_a_draft_at_once(desk: Desk) -> None:
    desk.writes()
    answer = desk.host.send(desk.url, on="2026-11-19", at="15:00", do="book")

    [booking] = desk.reads.bookings()
    assert answer.flash == "Booked. The customer is told."
    assert (booking.starts_at, booking.lane) == (at(15, on=booking.local_on), Lane.STAFF)
    assert desk.request(RequestStatus.BOOKED).booking_id == booking.id
    assert len(desk.salon.settle().messages("+6591234567")) == 1


@pytest.mark.spec("BK-18")
def test_the_story_of_a_booking_begins_with_its_request(desk: Desk) -> None:
    desk.writes()
    desk.host.send(desk.url, when="Thursday after 5", do="propose")
    asked = desk.request(RequestStatus.OPEN)
    desk.host.send(f"{REQUESTS}/{asked.id}", on="2026-11-19", at="17:00", do="book")

    [booking] = desk.reads.bookings()
    page = desk.host.get(f"/console/bookings/one/{booking.id}")
    told = [
        "Staff were asked to check the request.",
        "The request was answered with times: Thursday 19 November, 16:30 (SGT);",
        "Booked by staff: Haircut, Thursday 19 November, 17:00 (SGT).",
        "The request is answered by this booking.",
    ]
    assert sorted(told, key=page.says.find) == told
    assert min(map(page.says.find, told)) > 0
    assert f'href="{REQUESTS}/{asked.id}"' in page.text


@pytest.mark.spec("BK-18")
def test_requests_of_every_lane_are_listed_and_shown_with_their_record(desk: Desk) -> None:
    desk.writes()
    typed = {"service": "Haircut", "staff": "jo", "on": "2026-11-17", "at": "10:00"}
    desk.host.send(
        "/console/bookings/new", **typed, name="Bo Berg", email="bo@example.org", party="1"
    )
    [booking] = desk.reads.bookings()
    url = f"{REQUESTS}/{booking.id}"

    listed = desk.host.get(f"{REQUESTS}?show=booked&lane=staff")
    assert "Bo Berg Booked Staff Haircut" in listed.says
    assert "Bo Berg" not in desk.host.get(f"{REQUESTS}?show=booked&lane=form").says
    assert "Ann Lee" in desk.host.get(f"{REQUESTS}?lane=reading").says
    assert "Ann Lee" not in desk.host.get(f"{REQUESTS}?lane=staff").says
    page = desk.host.get(url)
    assert "Staff, in the console." in page.says
    assert "Nothing had to be read: all values were given." in page.says
    for line in (
        "Service Haircut",
        "With Jo",
        "E-mail bo@example.org",
        "Chosen Tue 17 Nov, 10:00, Jo",
    ):
        assert line in page.says
    assert "certain" not in page.says, "nothing was read"
    assert "Certain" in desk.host.get(desk.url).says, "this one was read from a mail"


@pytest.mark.spec("BK-22")
def test_staff_are_warned_before_they_book_outside_hours(desk: Desk) -> None:
    desk.writes()
    page = desk.host.press(desk.url, on="2026-11-19", at="07:00", do="book")

    assert page.status == 409
    assert "This is outside working hours." in page.says
    assert desk.reads.bookings() == []


@pytest.mark.spec("BK-05")
def test_a_discarded_draft_is_answered_by_nobody(desk: Desk) -> None:
    url = desk.writes().url
    assert desk.host.act(url, f"{url}/discard").heading == "Discard this request?"
    desk.host.act(url, f"{url}/discard", confirmed="yes")

    assert desk.request(RequestStatus.DISCARDED).settled_at is not None
    assert desk.salon.settle().messages("ann@example.org") == []
    assert desk.request(RequestStatus.DISCARDED).version == 2


@pytest.mark.spec("BK-03")
def test_an_owner_lists_direct_senders(desk: Desk) -> None:
    desk.host.send(SENDERS, senders="Bob@Example.org\n@supplier.example", forward_to="")
    lane = desk.salon.product.engine.reads().engine.setting(DIRECT_LANE)
    assert lane == DirectLane(("bob@example.org", "@supplier.example"))

    page = desk.host.press(SENDERS, senders="everybody", forward_to="")
    assert (
        error_at(page, "senders") == "'everybody' is no address, and no domain like @example.org."
    )
    assert desk.salon.product.engine.reads().engine.setting(DIRECT_LANE) == lane


@pytest.mark.spec("BK-03")
def test_staff_cannot_change_direct_senders(desk: Desk) -> None:
    assert member(desk.salon, "Jo", Role.STAFF).get(SENDERS).status == 403
