"""A form with only a note, which is handled like a request by mail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as WebRequest
from starlette.responses import RedirectResponse, Response

from frontdesk.core.people import PersonId
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.commands import RecordRequest, Requester
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import (
    BookingRequest,
    Lane,
    RequestField,
    RequestId,
    RequestStatus,
)
from frontdesk.desks.booking.pages.addresses import PATH
from frontdesk.desks.booking.pages.after_booking import NOTE_RECEIVED
from frontdesk.desks.booking.pages.booking_form import BOOK_RATE, CONTACT_RATE
from frontdesk.desks.booking.pages.details_form import (
    CustomerDetails,
    read_contact,
    terms_of,
    with_consent,
)
from frontdesk.desks.booking.pages.free_times import loader_of
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.wish_wording import choosable
from frontdesk.reading.model import Confidence
from frontdesk.values import replace
from frontdesk.web.consent import consent_notice
from frontdesk.web.forms import TRAP, read_form
from frontdesk.web.site import Site, limit_visitor, site_of

ASK: Final = f"{PATH}/ask"
MOST_NOTE: Final = 2_000


async def show(request: WebRequest) -> Response:
    return _page(site_of(request), {}, {})


def _page(
    site: Site, typed: Mapping[str, str], errors: Mapping[str, str], status: int = 200
) -> Response:
    return site.renderer.page(
        "booking/ask.html",
        site.clock.now(),
        status=status,
        page_title="Tell us what you need",
        action=ASK,
        example=_example(booking_reads(site.reads()).rules()),
        typed=typed,
        errors=errors,
        texts=terms_of(site.settings).texts,
        consent=consent_notice(site),
        most_note=MOST_NOTE,
    )


def _example(rules: BookingRules) -> str:
    """'Haircut with Mia', from the services of the business."""
    service = next((one for one in rules.services if not one.unlisted), None)
    if service is None:
        return "an appointment"
    staff = choosable(rules, service)
    return f"{service.name} with {staff[0].name}" if staff else service.name


async def ask(request: WebRequest) -> Response:
    """Records the note as a request. Answers everybody the same; times go to the contact only."""
    site = site_of(request)
    limit_visitor(request, "book", BOOK_RATE)
    form = await read_form(request)
    read = read_contact(terms_of(site.settings), form.fields)
    details = with_consent(site, read, form.fields)
    note = form["note"].strip()[:MOST_NOTE]
    errors = {} if isinstance(details, CustomerDetails) else dict(details)
    if not any(character.isalnum() for character in note):
        errors["note"] = "Please tell us what you need."
    if errors or not isinstance(details, CustomerDetails):
        return _page(site, form.fields, errors, status=422)
    if form[TRAP] or not site.limits.take("book for", details.contact, CONTACT_RATE):
        return RedirectResponse(NOTE_RECEIVED, 303)
    command = await run_in_threadpool(_request, site, note, details, site.clock.now())
    await site.run(command, by=f"guest:{command.request.id}")
    return RedirectResponse(NOTE_RECEIVED, 303)


def _request(site: Site, note: str, details: CustomerDetails, now: datetime) -> RecordRequest:
    """Reads the note into a request. Imports lazily: few visitors write one, and the reader takes
    long to load."""
    from frontdesk.desks.booking.request_reader import (
        CHECK,
        RequestText,
        find_proposals,
        read_fields,
        why_checked,
    )
    from frontdesk.reading.requests import Request

    reads = site.reads()
    rules = booking_reads(reads).rules()
    text = RequestText(Request((note,)), details.email)
    read = read_fields(text, rules, now, site.settings.country)
    fields = (*_given(details), *(one for one in read if one.name not in _CONTACT))
    request = BookingRequest(
        RequestId(site.new_id()),
        Lane.READING,
        now.replace(microsecond=0),
        RequestStatus.DRAFT,
        sender=details.email,
        text=note,
        fields=fields,
        reader="rules",
    )
    why = why_checked(reads, request, rules, now)
    availability = Availability(loader_of(site).busy)
    proposed = () if why else find_proposals(availability, reads, rules, fields, now)
    if not proposed:
        checked = RequestField(CHECK, why or "no free times", "")
        return RecordRequest(replace(request, fields=(*fields, checked)))
    new_id = PersonId(site.new_id())
    contact = (details.name, details.email, details.mobile)
    requester = Requester(new_id, *contact, consent=details.consent)
    return RecordRequest(replace(request, status=RequestStatus.OPEN, proposed=proposed), requester)


_CONTACT: Final = ("name", "email", "phone")


def _given(details: CustomerDetails) -> tuple[RequestField, ...]:
    """The contact as it was typed into its own fields."""
    sure = Confidence.CONFIDENT.value
    values = zip(_CONTACT, (details.name, details.email, details.mobile), strict=True)
    return tuple(RequestField(name, value, sure) for name, value in values if value)
