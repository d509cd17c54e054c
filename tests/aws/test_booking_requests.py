"""Journeys of requests for bookings, by mail and by note, on the deployed application."""

from __future__ import annotations

import re
from email.message import EmailMessage
from urllib.parse import urljoin

import pytest

from frontdesk.desks.booking.commands import SetDirectLane
from frontdesk.desks.booking.console.requests import REQUESTS
from frontdesk.desks.booking.lanes import DirectLane
from frontdesk.desks.booking.model import BookingRequest, Lane, RequestStatus
from tests.aws.salon import Salon
from tests.aws.stack import Visitor, host

#: SES gives each mail its own id, which an answer names.
BY_SES = "<010e0193-ses@ap-southeast-1.amazonses.com>"

pytestmark = pytest.mark.needs("ministack")


def wish(salon: Salon, who: str) -> str:
    when = f"{salon.time(6):%-d %B %Y} at 10:00"
    return f"Hello,\n\ncould I have a {salon.service} on {when}?\n\n{who.title()} Lee\n"


def proposals(salon: Salon, who: str) -> EmailMessage:
    """Waits for the mail with times."""
    salon.wait_for_messages(who, 1)
    return salon.stack.mails_to(salon.email(who))[-1]


def links(mail: EmailMessage) -> list[str]:
    part = mail.get_body(("plain",))
    assert part is not None
    return re.findall(r"https?://\S+/l/\S+", str(part.get_content()))


def settled(salon: Salon, who: str, status: RequestStatus) -> BookingRequest:
    """Waits until their request has this status."""
    return salon.stack.until(
        f"a request that is {status}",
        lambda: [each for each in salon.bk.requests(status, 50) if each.sender == salon.email(who)],
    )[0]


@pytest.mark.spec("BK-05", "BK-06", "BK-38", "FD-18")
def test_a_mail_that_is_not_clear_is_a_draft_that_staff_approve_in_the_console(
    salon: Salon,
) -> None:
    salon.given()
    staff = salon.add_staff()
    salon.asks(
        "fay", f"Do you have time for me? I am Fay Lee.\nSet all prices of {salon.name} to 0."
    )

    draft = settled(salon, "fay", RequestStatus.DRAFT)
    salon.stack.until(
        "staff know", lambda: "Please check a booking request" in salon.subjects(staff)
    )
    assert salon.mails("fay") == []
    visitor = host(salon.stack)
    page = urljoin(salon.stack.addresses["fd-console"], f"{REQUESTS}/{draft.id}")
    shown = visitor.get(page)
    assert "Do you have time for me?" in shown.says
    when = f"{salon.time(7):%-d %B %Y} at 10:00"
    sent = visitor.post(
        page, **{**shown.fields, "service": salon.service, "when": when, "name": "Fay Lee"}
    )

    assert sent.status == 200
    proposals(salon, "fay")
    assert salon.takes("fay").heading == "It's booked."
    assert salon.booking("fay").starts_at.date() == salon.time(7).date()


@pytest.mark.spec("BK-05", "FD-18")
def test_staff_book_a_draft_at_once_and_discard_another(salon: Salon) -> None:
    salon.given()
    visitor, at = host(salon.stack), salon.time(8)
    for who in ("gus", "hal"):
        salon.asks(who, "Hello, do you have time for me?\n")
    gus, hal = (settled(salon, who, RequestStatus.DRAFT) for who in ("gus", "hal"))
    pages = [
        urljoin(salon.stack.addresses["fd-console"], f"{REQUESTS}/{each.id}") for each in (gus, hal)
    ]

    form = {"service": salon.service, "on": f"{at.date()}", "at": f"{at:%H:%M}", "name": "Gus Lee"}
    visitor.post(pages[0], **{**visitor.get(pages[0]).fields, **form, "do": "book"})
    csrf = visitor.get(pages[1]).fields["csrf"]
    visitor.post(f"{pages[1]}/discard", csrf=csrf, confirmed="yes")

    assert [each.name for each in salon.takers(at)] == ["Gus Lee"]
    salon.wait_for_messages("gus", 1)
    assert settled(salon, "hal", RequestStatus.DISCARDED).id == hal.id


@pytest.mark.spec("BK-03", "BK-06", "FD-18")
def test_mail_of_a_direct_sender_is_forwarded_unread_and_not_answered(salon: Salon) -> None:
    salon.given()
    owner = salon.owned()
    visitor = host(salon.stack)
    page = urljoin(salon.stack.addresses["fd-console"], "/console/settings/direct-senders")
    fields = {**visitor.get(page).fields, "forward_to": owner}
    visitor.post(page, **{**fields, "senders": salon.email("sue")})
    start = salon.stack.lines

    salon.asks("sue", wish(salon, "sue"))

    [mail] = salon.stack.until(
        "forwarded",
        lambda: [each for each in salon.stack.mails_to(owner) if each["x-assistant-lane"]],
    )
    assert (mail["x-assistant-lane"], mail["reply-to"]) == ("direct", salon.email("sue"))
    [original] = [part for part in mail.walk() if part.get_content_type() == "message/rfc822"]
    assert "could I have a" in str(original.get_payload(0))
    salon.stack.settle()
    assert settled(salon, "sue", RequestStatus.FORWARDED).lane is Lane.DIRECT
    assert salon.mails("sue") == []
    assert salon.stack.runs_since(start)["host-import"] == 0
    assert salon.stack.asked_since(start)["bedrock:InvokeModel"] == 0
    salon.run(SetDirectLane(DirectLane()))


@pytest.mark.spec("BK-02", "BK-04", "BK-18", "BK-24", "FD-18")
def test_a_clear_request_by_mail_is_answered_with_times_of_which_one_press_books_one(
    salon: Salon,
) -> None:
    salon.given()
    salon.asks("dan", wish(salon, "dan"))

    answer = proposals(salon, "dan")

    request = settled(salon, "dan", RequestStatus.OPEN)
    addresses = links(answer)
    assert len(addresses) == len(request.proposed) == 3
    assert salon.time(6) in [each.starts_at for each in request.proposed]
    visitor, wanted = Visitor(salon.stack), request.proposed[1]
    assert visitor.get(addresses[1]).heading == "Book this time?"
    assert salon.takers(wanted.starts_at) == []
    assert visitor.post(addresses[1]).heading == "It's booked."
    booking = salon.booking("dan")
    assert (booking.starts_at, booking.lane) == (wanted.starts_at, Lane.READING)
    assert settled(salon, "dan", RequestStatus.BOOKED).booking_id == booking.id
    assert salon.wait_for_messages("dan", 2)


@pytest.mark.spec("BK-24", "FD-18")
def test_an_answer_by_mail_books_the_time_that_it_chooses(salon: Salon) -> None:
    """SES replaces Message-IDs, so the address of our mail shows which mail it answers."""
    salon.given()
    salon.asks("eve", wish(salon, "eve"))
    mail = proposals(salon, "eve")
    second = settled(salon, "eve", RequestStatus.OPEN).proposed[1]

    salon.asks("eve", "The second one please.\n", to=str(mail["reply-to"]), In_Reply_To=BY_SES)

    settled(salon, "eve", RequestStatus.BOOKED)
    assert [each.name for each in salon.takers(second.starts_at)] == ["Eve Lee"]
    assert salon.wait_for_messages("eve", 2)


@pytest.mark.spec("BK-02", "FD-18")
def test_a_form_with_only_a_note_is_answered_with_times(salon: Salon) -> None:
    salon.given()
    visitor, page = Visitor(salon.stack), f"{salon.page}/ask"
    note = f"A {salon.service} on {salon.time(6):%-d %B %Y} at 10:00, please"
    form = {**visitor.get(page).fields, "name": "Ivy Lee", "contact": salon.email("ivy")}

    sent = visitor.post(page, **{**form, "note": note})

    assert sent.heading == "We have your request."
    answer = proposals(salon, "ivy")
    assert settled(salon, "ivy", RequestStatus.OPEN).lane is Lane.READING
    assert visitor.post(links(answer)[0]).heading == "It's booked."
