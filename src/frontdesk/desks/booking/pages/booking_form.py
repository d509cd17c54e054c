"""Holds a chosen time for the visitor, and books it with the form."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.core.decision import Refused
from frontdesk.core.ids import id_bytes
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book, HoldTime
from frontdesk.desks.booking.facts import BookingMade, TimeHeld
from frontdesk.desks.booking.links import (
    HeldTime,
    hold_token,
    is_version,
    read_hold,
    read_proposal,
)
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import (
    NO_REQUEST,
    UNSETTLED,
    Booking,
    BookingId,
    GivenBy,
    HoldId,
    RequestId,
)
from frontdesk.desks.booking.pages import texts
from frontdesk.desks.booking.pages.after_booking import (
    RECEIVED,
    after_booking,
    lead_to_booking,
    remembered_booking,
)
from frontdesk.desks.booking.pages.book_page import (
    no_service,
    service_in,
    times_page,
)
from frontdesk.desks.booking.pages.details_form import (
    CustomerDetails,
    Errors,
    read_details,
    terms_of,
    with_consent,
)
from frontdesk.desks.booking.pages.details_page import details_page, kept_fields
from frontdesk.desks.booking.pages.link_again import send_links
from frontdesk.desks.booking.pages.same_visit import ANOTHER, own_visit, same_visit_page
from frontdesk.desks.booking.pages.shared_answers import rules_in_force
from frontdesk.desks.booking.pages.state import PageState, read_state
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules, ResourceId, ServiceRules
from frontdesk.engine.ports import Committed
from frontdesk.values import Frozen, replace
from frontdesk.web.forms import TRAP, Form, read_form
from frontdesk.web.limits import Rate
from frontdesk.web.links import may_send
from frontdesk.web.sessions import drop_cookie, put_cookie, read_cookie
from frontdesk.web.site import Site, limit_visitor, site_of, visitor_of

HOLD_COOKIE: Final = "fd_hold"
CHOOSE_RATE: Final = Rate(burst=40, per_minute=30)
#: At most six times are held for one visitor within five minutes. The page works without a hold.
HOLD_RATE: Final = Rate(burst=3, per_minute=0.6)
#: Allows an office behind one IP address to book one after the other. More than 30 an hour would
#: fill the calendar of a salon overnight.
BOOK_RATE: Final = Rate(burst=30, per_minute=0.5)
#: The limit for one contact, from any visitor: anybody can type somebody else's.
CONTACT_RATE: Final = Rate(burst=10, per_minute=0.2)
#: With these reasons the time itself cannot be booked, or not any more.
TIME_GONE: Final = frozenset(
    (
        *(Reason.TAKEN, Reason.BUSY, Reason.CLOSED, Reason.BLACKOUT, Reason.CAP, Reason.TOO_SOON),
        *(Reason.TOO_FAR, Reason.OFF_GRID, Reason.NO_SUCH_RESOURCE, Reason.BAD_PARTY),
        Reason.TOO_LONG,
    )
)


# --- choose a time ----------------------------------------------------------------------------


async def choose(request: Request) -> Response:
    return await _choose(request, embedded=False)


async def choose_embedded(request: Request) -> Response:
    return await _choose(request, embedded=True)


async def _choose(request: Request, *, embedded: bool) -> Response:
    """Holds the time and leads to the form. Shows earlier input without a redirect, so that
    no address contains it."""
    site = site_of(request)
    limit_visitor(request, "choose a time", CHOOSE_RATE)
    rules, form = rules_in_force(site), await read_form(request)
    service = service_in(site, rules, "", form.fields)
    if service is None:
        return no_service(request, rules, embedded=embedded)
    state = _state(site, rules, service, form, embedded=embedded)
    if state.at is None:
        return RedirectResponse(state.address.url(), 303)
    typed = kept_fields(service, form.fields)
    if state.misread or state.is_too_large:
        return await times_page(site, rules, state, typed=typed, status=422)
    held = await _hold(request, rules, state)
    if isinstance(held, Reason):
        return await times_page(site, rules, state, taken_at=state.at, typed=typed)
    token = hold_token(held, site.keys) if held else ""
    state = replace(state, hold=token)
    response: Response
    if typed:
        response = details_page(request, rules, state, typed)
    else:
        response = RedirectResponse(state.chosen_url, 303)
    if held:
        put_cookie(response, site, HOLD_COOKIE, token, rules.hold_for)
    return response


def _state(
    site: Site, rules: BookingRules, service: ServiceRules, form: Form, *, embedded: bool
) -> PageState:
    """Reads the state from the form, without name and contact, which must be in no address."""
    state = read_state(rules, service, form.fields, site.clock.now(), embedded=embedded)
    return replace(state, name="", contact="", misread=_misread(state, form))


def _misread(state: PageState, form: Form) -> str:
    """Says which choice cannot be read or does not exist any more, so that the form does not book
    something else."""
    party = form["party"].strip()
    if party and not (party.isascii() and party.isdigit() and int(party[:9])):
        return texts.UNREAD_PARTY
    return texts.no_such_staff(state.service) if form["staff"].strip() and not state.staff else ""


async def _hold(
    request: Request, rules: BookingRules, state: PageState
) -> HeldTime | Reason | None:
    """Holds the time. Returns the reason if it is not free, and None if the rules or the rate limit
    allow no hold."""
    assert state.at is not None
    site = site_of(request)
    if not rules.hold_for or not site.limits.take("hold a time", visitor_of(request), HOLD_RATE):
        return None
    known = _hold_id(request, state)
    command = HoldTime(
        known or HoldId(site.new_id()),
        state.service.name,
        state.at,
        state.party,
        state.resource,
        is_first=not known,
    )
    match await site.run(command, by=f"guest:{command.hold_id}"):
        case Committed(facts=facts):
            until = next(one.fact.until for one in facts if isinstance(one.fact, TimeHeld))
            return HeldTime(command.hold_id, state.at, until)
        case Refused(Reason() as reason) if reason in TIME_GONE:
            return reason
        case _:
            return None


def _hold_id(request: Request, state: PageState) -> HoldId:
    """The visitor's hold, from the form or the cookie: frames on other sites may have no cookie."""
    site = site_of(request)
    tokens = (state.hold, read_cookie(request, HOLD_COOKIE)[:100])
    held = (read_hold(token, site.keys, site.clock.now()) for token in tokens if token)
    return next((one.hold_id for one in held if one), HoldId(""))


# --- book it ----------------------------------------------------------------------------------


async def book(request: Request) -> Response:
    """Books the time and leads to the booking's own page."""
    site = site_of(request)
    limit_visitor(request, "book", BOOK_RATE)
    rules, form = rules_in_force(site), await read_form(request)
    service = service_in(site, rules, "", form.fields)
    if service is None:
        return no_service(request, rules, embedded=False)
    state = _state(site, rules, service, form, embedded=False)
    if state.at is None:
        return RedirectResponse(state.address.url(), 303)
    if state.misread or state.is_too_large:
        typed = kept_fields(service, form.fields)
        return await times_page(site, rules, state, typed=typed, status=422)
    read = read_details(terms_of(site.settings), service, form.fields)
    details = with_consent(site, read, form.fields)
    if not isinstance(details, CustomerDetails):
        return details_page(request, rules, state, form.fields, details)
    if form[TRAP]:
        return RedirectResponse(RECEIVED, 303)
    return await _booked(request, rules, state, details, form)


async def _booked(
    request: Request, rules: BookingRules, state: PageState, details: CustomerDetails, form: Form
) -> Response:
    assert state.at is not None
    site = site_of(request)
    made = await make_booking(
        site,
        WantedTime(state.service.name, state.at, state.party, state.resource),
        details,
        hold_id=_hold_id(request, state),
        request_id=_request_id(site, state),
        key=form_key(state, details, state.hold or form["once"]),
        unless_same=not form[ANOTHER],
    )
    if isinstance(made, Booking):
        response = lead_to_booking(site, rules, made)
        if read_cookie(request, HOLD_COOKIE):
            drop_cookie(response, site, HOLD_COOKIE)
        return response
    if made in TIME_GONE:
        typed = kept_fields(state.service, {**form.fields, "once": ""})
        state = replace(state, hold="")
        return await times_page(site, rules, state, taken_at=state.at, typed=typed)
    errors = _errors(made)
    if errors:
        return details_page(request, rules, state, form.fields, errors)
    if made is Reason.SAME_VISIT:
        return await _ask_again(request, rules, state, details, form)
    await site.unseen_work.run(partial(send_links_to, site, details.contact))
    return book_by_message_page(site, _own_booking(request, rules, state), by_form=True)


def _own_booking(request: Request, rules: BookingRules, state: PageState) -> str:
    """The page of the booking that this browser made, where it can be moved; empty if none."""
    own = remembered_booking(request, state.service.name)
    url = after_booking(site_of(request), rules, own) if own else RECEIVED
    return "" if url == RECEIVED else url


async def _ask_again(
    request: Request, rules: BookingRules, state: PageState, details: CustomerDetails, form: Form
) -> Response:
    """Shows the existing booking only to the browser that made it; others get it by message."""
    site, own = site_of(request), own_visit(request, state)
    if own is None:
        await site.unseen_work.run(partial(send_links_to, site, details.contact))
    return same_visit_page(site, rules, own, form.fields)


def _request_id(site: Site, state: PageState) -> RequestId:
    """The open request whose proposed time led to this form."""
    link = read_proposal(state.hold, site.keys, site.clock.now()) if state.hold else None
    if link is None:
        return NO_REQUEST
    bk = booking_reads(site.reads())
    asked = bk.request(link.request_id)
    person = bk.person(asked.person_id) if asked and asked.person_id else None
    if asked is None or person is None or not is_version(link, person.contact_version):
        return NO_REQUEST
    return asked.id if asked.status in UNSETTLED else NO_REQUEST


class WantedTime(Frozen):
    service: str
    starts_at: datetime
    party: int
    resource: ResourceId


async def make_booking(
    site: Site,
    wanted: WantedTime,
    details: CustomerDetails,
    *,
    hold_id: HoldId,
    key: str | None,
    request_id: RequestId = NO_REQUEST,
    given_by: GivenBy = GivenBy.FORM,
    unless_same: bool = False,
) -> Booking | Reason:
    """Books a time for the form and the JSON API. A repeated request gets the booking that it made
    before, in its current state, so the outcome may differ from what the customer typed."""
    if not site.limits.take("book for", details.contact, CONTACT_RATE):
        return Reason.TOO_MANY
    booking_id = BookingId(id_bytes(site.new_id()).hex())
    command = Book(
        booking_id,
        PersonId(site.new_id()),
        wanted.service,
        wanted.starts_at,
        details.name,
        details.email,
        details.mobile,
        wanted.party,
        wanted.resource,
        details.answers,
        hold_id=hold_id,
        request_id=request_id,
        given_by=given_by,
        consent=details.consent,
        unless_same=unless_same and not request_id,
    )
    match await site.run(command, by=f"guest:{booking_id}", key=key):
        case Committed(facts=facts, repeated=repeated):
            made = next(one.fact for one in facts if isinstance(one.fact, BookingMade))
            if not repeated:
                return made.booking
            booking = booking_reads(site.reads()).booking(made.booking_id)
            assert booking is not None
            return booking
        case Refused(reason):
            assert isinstance(reason, Reason)
            return reason


def form_key(state: PageState, details: CustomerDetails, once: str) -> str | None:
    """The idempotency key, a hash that reveals no address: a form that is sent twice books once.

    `once` is the visitor's hold, so that a visitor who goes back to the form still books once;
    without a hold it is a number of the form.
    """
    if not once:
        return None
    wanted = (state.service.name, state.at, state.party, state.resource, details, once[:100])
    return f"bk/book/{hashlib.sha256(repr(wanted).encode()).hexdigest()}"


def _errors(reason: Reason) -> Errors:
    match reason:
        case Reason.NO_CONTACT:
            return {"contact": "Please give an e-mail address."}
        case Reason.BAD_ANSWERS:
            return {"name": "The questions have changed. Please look at your answers again."}
        case _:
            return {}


async def send_links_to(site: Site, contact: str) -> None:
    """Sends a contact the links of its bookings. The page itself must not reveal them."""
    if may_send(site, contact):
        await send_links(site, contact)


def book_by_message_page(site: Site, own: str = "", *, by_form: bool = False) -> Response:
    """The answer to a contact that has too many bookings or requests. It does not show them, since
    anybody can type somebody else's contact. `own` leads to the booking that this browser made.
    `by_form`: the owner of the contact can book by message, whatever others typed."""
    return site.renderer.page(
        "booking/received.html",
        site.clock.now(),
        status=409,
        page_title="Please get in touch with us",
        title="This could not be booked online.",
        lead="Nothing was booked. If you have other appointments with us, we have sent you the "
        "links to move or cancel them.",
        tone="gone",
        reach=True,
        own=own,
        by_form=by_form,
    )


async def received(request: Request) -> Response:
    """The page after a booking or a note. It is the same for known and new customers."""
    site = site_of(request)
    is_note = bool(request.query_params.get("note"))
    return site.renderer.page(
        "booking/received.html",
        site.clock.now(),
        page_title="We have your request",
        title="We have your request.",
        lead="We answer in a message, with times to choose from. Nothing is booked yet."
        if is_note
        else "Look at your messages: we confirm the time there, with your own link to move or "
        "cancel it.",
        tone="good",
        reach=False,
    )
