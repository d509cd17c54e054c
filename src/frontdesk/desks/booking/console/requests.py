"""The pages of requests: staff check what was read, then send times, book, or discard them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.desks.booking.commands import ChangeRequest
from frontdesk.desks.booking.console.formatting import CHIPS
from frontdesk.desks.booking.console.new_booking import (
    ERRORS,
    book_command,
    clean_booking,
    warning_of,
)
from frontdesk.desks.booking.console.page import (
    BOOKINGS,
    bk_of,
    booking_page,
    booking_url,
    zone_of,
)
from frontdesk.desks.booking.console.request_form import (
    FIELDS,
    LABELS,
    Values,
    proposal_of,
    read_values,
    record_lines,
    time_text,
)
from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.model import (
    UNSETTLED,
    Booking,
    BookingRequest,
    BookingStatus,
    GivenBy,
    Lane,
    RequestId,
    RequestStatus,
)
from frontdesk.desks.booking.request_reader import (
    CHECK,
    UNREAD,
)
from frontdesk.desks.booking.rules import BookingRules, ResourceKind
from frontdesk.features.proposals.console import (
    MAIL,
    MOST_SHOWN,
    ProposalTexts,
    how_sure,
    marked,
)
from frontdesk.values import replace
from frontdesk.web.console.formatting import Chip, date_and_time
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.lists import (
    Column,
    EmptyState,
    ListQuery,
    ListSpec,
    Menu,
    PageLink,
    Pager,
)
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import or_404, site_of

REQUESTS: Final = f"{BOOKINGS}/requests"
TEXTS: Final = ProposalTexts(
    lead="Every request, however it came in. Mails and notes that were clear are answered already,"
    " with times; the others wait here for you.",
    empty="Customers who write to your booking address are answered with times. What is not clear"
    " waits here for your look.",
    became="Booked",
    approved="This is booked.",
    see="See the booking",
    not_yet="Not sent yet: a few things need a look.",
    would_be="What they would like",
    approve="Send them times",
    done="Times are on their way to the customer.",
    discarding="They are not answered, and nothing is booked.",
)
_CHECKS: Final = {
    "no service": "Service missing",
    "no time": "Time missing",
    "no sender": "No address",
    "another address": "Gives another address",
    "unread attachments": "Attachment not read",
    "from the team": "Sent by the team",
    "they have a booking": "Has a booking already",
    "many requests": "Many requests today",
    "a cancellation": "Perhaps a cancellation",
    "about an earlier request": "About an earlier request",
    "an unclear answer": "Unclear answer",
    "not bookable by mail": "Needs your help",
    "no time suits": "No time suits",
    "no free times": "Nothing is free",
}
_SHOWN: Final = {
    "open": RequestStatus.OPEN,
    "booked": RequestStatus.BOOKED,
    "forwarded": RequestStatus.FORWARDED,
    "discarded": RequestStatus.DISCARDED,
}
_STATES: Final = {
    RequestStatus.OPEN: Chip("Times sent", "good"),
    RequestStatus.BOOKED: Chip("Booked", "good"),
    RequestStatus.FORWARDED: Chip("Forwarded unread", "good"),
    RequestStatus.WAITLISTED: Chip("On the waitlist", "good"),
    RequestStatus.DISCARDED: Chip("Discarded", "gone"),
}
_LANES: Final = {
    Lane.FORM: "Booking page",
    Lane.READING: "Mail or note",
    Lane.DIRECT: "Direct sender",
    Lane.STAFF: "Staff",
    Lane.WAITLIST: "Waitlist",
}
#: The lanes of mail.
_READ: Final = (Lane.READING, Lane.DIRECT)
_LANES_BY_NAME: Final = {lane.value: lane for lane in Lane}
#: The ways in that are more exact than the lane.
_WAYS_IN: Final[Mapping[str, str]] = {
    GivenBy.JSON: "Another program",
    GivenBy.CONSOLE: "Staff, in the console",
    GivenBy.COMMAND_LINE: "Staff, on the command line",
}


def routes() -> list[BaseRoute]:
    one = f"{REQUESTS}/{{request}}"
    return [
        Route(REQUESTS, staff(list_page), methods=["GET"]),
        Route(one, staff(show), methods=["GET"]),
        Route(one, staff(approve), methods=["POST"]),
        Route(f"{one}/discard", staff(discard), methods=["POST"]),
    ]


def request_url(request: BookingRequest) -> str:
    return f"{REQUESTS}/{request.id}"


# --- the list -----------------------------------------------------------------------------------


async def list_page(request: Request) -> Response:
    tz = zone_of(request)
    spec = ListSpec[BookingRequest](
        id="requests",
        path=REQUESTS,
        caption="Requests",
        columns=(
            Column("name", "Who", lambda one: value_of(one.fields, "name") or one.sender or "?"),
            Column("state", "State", state_chip),
            Column("lane", "Way in", lambda one: _LANES[one.lane]),
            Column("service", "Service", lambda one: value_of(one.fields, "service")),
            Column("when", "When", lambda one: value_of(one.fields, "when"), long=True),
            Column("came", "Came in", lambda one: date_and_time(one.received_at, tz)),
        ),
        row_url=request_url,
        filters=(
            ("", "To check"),
            ("open", "Times sent"),
            ("booked", "Booked"),
            ("forwarded", "Forwarded"),
            ("discarded", "Discarded"),
        ),
        filter_by="show",
        keep=("lane",),
        nothing_found="None so far.",
    )
    query = spec.query(request)
    status = _SHOWN.get(query.filter, RequestStatus.DRAFT)
    lane = _LANES_BY_NAME.get(query.kept["lane"])
    found = bk_of(request).requests(status, MOST_SHOWN, lane=lane)
    says = f"These are the latest {MOST_SHOWN}." if len(found) == MOST_SHOWN else ""
    is_draft = status is RequestStatus.DRAFT
    return booking_page(
        request,
        "proposals/list.html",
        tab="Requests",
        page_title="Requests",
        lead=TEXTS.lead,
        list=spec.view(query, found, pages=Pager(says), menus=(_lane_menu(query, lane),)),
        empty=EmptyState("Nothing to check", TEXTS.empty, "messages")
        if is_draft and lane is None
        else None,
    )


def _lane_menu(query: ListQuery, lane: Lane | None) -> Menu:
    every = PageLink("All ways in", query.url(lane=""))
    links = [PageLink(label, query.url(lane=each.value)) for each, label in _LANES.items()]
    return Menu(_LANES[lane] if lane else every.label, [every, *links])


def way_in(request: BookingRequest) -> str:
    return _WAYS_IN.get(request.reader, _LANES[request.lane])


def state_chip(request: BookingRequest) -> Chip:
    if request.status is RequestStatus.DRAFT:
        why = value_of(request.fields, CHECK)
        return Chip(_CHECKS.get(why, "Please check"), "waiting")
    return _STATES[request.status]


# --- one request --------------------------------------------------------------------------------


def _named(request: Request) -> BookingRequest:
    return or_404(bk_of(request).request(RequestId(request.path_params["request"])))


async def show(request: Request) -> Response:
    asked = _named(request)
    rules, now = bk_of(request).rules(), site_of(request).clock.now()
    return _page(request, asked, read_values(asked, rules, now), {})


def _page(
    request: Request,
    asked: BookingRequest,
    values: Values,
    errors: Values,
    *,
    warning: str = "",
    status: int = 200,
) -> Response:
    rules, tz = bk_of(request).rules(), zone_of(request)
    booked = bk_of(request).booking(asked.booking_id) if asked.booking_id else None
    return booking_page(
        request,
        "request.html",
        tab="Requests",
        page_title=value_of(asked.fields, "name") or "Request",
        status=status,
        frame="console/page.html",
        url=request_url(asked),
        texts=replace(TEXTS, approved=_became(booked)),
        proposal=_shown(asked),
        state=CHIPS[booked.status] if booked else state_chip(asked),
        came=date_and_time(asked.received_at, tz),
        settled=date_and_time(asked.settled_at, tz) if asked.settled_at else "",
        decided="Approve or decline it on its own page." if _is_pending(booked) else "",
        became_url=booking_url(asked.booking_id) if asked.booking_id else "",
        mail_url=f"{MAIL}/{asked.mail_id}" if asked.mail_id else "",
        pieces=marked(asked, FIELDS, LABELS),
        how_sure=how_sure(asked, FIELDS),
        v=values,
        errors=errors,
        warning=warning,
        proposed=[time_text(one, tz, rules) for one in asked.proposed],
        way_in=way_in(asked),
        no_text="" if asked.lane in _READ else "Nothing had to be read: all values were given.",
        is_read=asked.lane in _READ,
        record=record_lines(asked, tz, rules),
        once=site_of(request).new_id(),
        **_choices(rules),
    )


def _shown(asked: BookingRequest) -> dict[str, Any]:
    settled = {RequestStatus.BOOKED: "approved", RequestStatus.DISCARDED: "discarded"}
    return {
        "status": "open" if asked.status in UNSETTLED else settled.get(asked.status, "settled"),
        "sender": asked.sender,
        "text": asked.text,
        "unread": value_of(asked.fields, UNREAD),
        "asides": (),
    }


def _choices(rules: BookingRules) -> dict[str, Any]:
    people = [(one.id, one.name) for one in rules.resources if one.kind is ResourceKind.STAFF]
    return {
        "services": [("", "Choose a service"), *((one.name, one.name) for one in rules.services)],
        "people": [("", "Anyone"), *people],
        "takes_parties": any(one.most > 1 for one in rules.services),
    }


def _became(booking: Booking | None) -> str:
    if booking is None or booking.takes_time:
        return "This waits for your approval." if _is_pending(booking) else TEXTS.approved
    return "This was booked, and has ended."


def _is_pending(booking: Booking | None) -> bool:
    return booking is not None and booking.status is BookingStatus.PENDING


# --- deciding -----------------------------------------------------------------------------------


async def approve(request: Request) -> Response:
    """Sends times, or books the chosen one, with the values of the form."""
    asked, form = _named(request), form_of(request)
    if asked.status not in UNSETTLED:
        return _settled_already(request, asked)
    if form["do"] == "book":
        return await _book(request, asked)
    return await _propose(request, asked)


def _settled_already(request: Request, asked: BookingRequest) -> Response:
    says = "Somebody has decided about it already. Nothing was changed."
    return done(request, request_url(asked), says, kind="problem")


async def _propose(request: Request, asked: BookingRequest) -> Response:
    typed = form_of(request).fields
    command = await run_in_threadpool(proposal_of, site_of(request), asked, typed)
    if not isinstance(command, ChangeRequest):
        return _page(request, asked, typed, command, status=422)
    if isinstance(await run(request, command), Refused):
        return _settled_already(request, asked)
    return done(request, REQUESTS, TEXTS.done)


async def _book(request: Request, asked: BookingRequest) -> Response:
    """Books as staff. If a rule forbids it, shows a warning with a second button."""
    form = form_of(request)
    rules, country = bk_of(request).rules(), site_of(request).settings.country
    typed, errors = clean_booking(form.fields, rules, country)
    if typed is None:
        return _page(request, asked, form.fields, errors, status=422)
    command = replace(
        book_command(request, typed, anyway=form.ticked("anyway")),
        lane=Lane.STAFF,
        request_id=asked.id,
        mail_id=asked.mail_id,
    )
    outcome = await run(request, command, once=form["once"])
    if not isinstance(outcome, Refused):
        return done(request, booking_url(command.booking_id), "Booked. The customer is told.")
    if warning := await warning_of(request, command, outcome.reason):
        return _page(request, asked, form.fields, {}, warning=warning, status=409)
    name, text = ERRORS.get(outcome.reason, ("at", "That is not possible any more."))
    return _page(request, asked, form.fields, {name: text}, status=422)


async def discard(request: Request) -> Response:
    asked = _named(request)
    if asked.status not in UNSETTLED:
        return _settled_already(request, asked)
    if not is_confirmed(request):
        return confirm_page(
            request,
            question="Discard this request?",
            means=f"{TEXTS.discarding} The mail itself is kept.",
            label="Discard it",
            keep_url=request_url(asked),
            keep_label="Keep it",
            page_title="Discard this request",
            active=BOOKINGS,
            crumbs=(("Bookings", BOOKINGS), ("Requests", REQUESTS), ("Discard", "")),
        )
    after = replace(
        asked,
        status=RequestStatus.DISCARDED,
        settled_at=site_of(request).clock.now().replace(microsecond=0),
        version=asked.version + 1,
    )
    if isinstance(await run(request, ChangeRequest(after)), Refused):
        return _settled_already(request, asked)
    return done(request, REQUESTS, "Discarded. The mail itself is kept, and nobody is told.")
