"""The page of a proposed time: one press books it, and a taken time leads to the next best ones."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import occasion
from frontdesk.core.people import Person
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.links import ProposalLink, is_version, understood_proposal
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import UNSETTLED, BookingRequest, ProposedTime
from frontdesk.desks.booking.pages.addresses import service_path
from frontdesk.desks.booking.pages.after_booking import manage_url
from frontdesk.desks.booking.pages.booking_form import TIME_GONE, book_by_message_page
from frontdesk.desks.booking.pages.free_times import loader_of, saved_catalogue
from frontdesk.desks.booking.pages.manage import BOOK
from frontdesk.desks.booking.pages.picker import Zones, instant_text, read_instant, time_choice
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.request_reader import (
    RESOURCE,
    book_proposal,
    find_proposals,
    held_for,
    query_of,
)
from frontdesk.desks.booking.rules import BookingRules, ServiceRules
from frontdesk.desks.booking.search.query import Query
from frontdesk.values import replace
from frontdesk.web.app import problem
from frontdesk.web.forms import Form
from frontdesk.web.links import LinkVisit, OpenedLink, link_outdated
from frontdesk.web.site import site_of


class ProposalVisit(LinkVisit, kw_only=True):
    """The current rows for one opened link."""

    link: ProposalLink
    asked: BookingRequest
    person: Person
    rules: BookingRules
    service: ServiceRules
    query: Query

    @property
    def availability(self) -> Availability:
        return Availability(loader_of(self.site).busy)

    def is_free(self) -> bool:
        reads, at = self.site.reads(), self.link.starts_at
        mine = held_for(reads, self.asked)
        check = self.availability.check
        return check(reads, self.rules, self.query, at, self.now, mine=mine) is None

    def others(self) -> tuple[ProposedTime, ...]:
        """The next best times."""
        reads = self.site.reads()
        return find_proposals(
            self.availability,
            reads,
            self.rules,
            self.asked.fields,
            self.now,
            without=frozenset((self.link.starts_at,)),
            mine=held_for(reads, self.asked),
        )


def at_proposal(request: Request, opened: OpenedLink) -> ProposalVisit | Response:
    link, site = understood_proposal(opened.link), site_of(request)
    bk, now = booking_reads(site.reads()), site.clock.now()
    asked = bk.request(link.request_id)
    person = bk.person(asked.person_id) if asked and asked.person_id else None
    if asked is None or person is None or person.erased:
        return link_outdated(request, BOOK)
    if not is_version(link, person.contact_version):
        return link_outdated(request, BOOK)
    booking = bk.booking(asked.booking_id) if asked.booking_id else None
    if booking is not None:
        is_chosen = booking.starts_at == link.starts_at or not booking.takes_time
        other = "" if is_chosen else "?done=other"
        return RedirectResponse(f"{manage_url(site, booking)}{other}", 303)
    rules = bk.rules()
    query = query_of(asked.fields, rules, now)
    service = rules.service(query.service) if query else None
    if opened.expired or asked.status not in UNSETTLED or query is None or service is None:
        means = "Nothing was booked. The booking page shows the times that are free now."
        return problem(request, 410, "This time is not on offer any more.", means, BOOK, calm=True)
    return ProposalVisit(
        request=request,
        site=site,
        path=opened.path,
        link=link,
        asked=asked,
        person=person,
        rules=rules,
        service=service,
        query=query,
        now=now,
    )


async def show(visit: ProposalVisit) -> Response:
    """Shows the proposed time. Changes nothing, because mail scanners open every link."""
    if await run_in_threadpool(visit.is_free):
        return _page(visit, "Book this time?", **_what(visit), button=_button(visit))
    tz = zone(visit.rules.zone)
    found = await run_in_threadpool(visit.others)
    others = [time_choice(one.starts_at, Zones(tz, tz), visit.now) for one in found]
    return _page(visit, "This time was just taken.", status=409, others=others)


def _page(visit: ProposalVisit, title: str, status: int = 200, **values: Any) -> Response:
    usual = {"button": "", "details_url": "", "others": (), "what": None}
    return visit.page(
        "booking/proposal.html",
        title,
        status,
        service=visit.service.name,
        book_url=visit.site.open_url(service_path(visit.service.name)),
        **{**usual, "details_url": _details_url(visit), **values},
    )


def _button(visit: ProposalVisit) -> str:
    return "" if _has_questions(visit.service) else "Book it"


def _has_questions(service: ServiceRules) -> bool:
    return any(each.required for each in service.questions)


def _details_url(visit: ProposalVisit) -> str:
    """The form with the questions of the service, for the proposed time."""
    if not _has_questions(visit.service):
        return ""
    return visit.site.open_url(_form_url(visit, visit.link.starts_at))


def _form_url(visit: ProposalVisit, at: datetime) -> str:
    token = visit.path.rpartition("/")[2]
    params = {
        "at": instant_text(at),
        "name": visit.person.name,
        "email": visit.person.email,
        "hold": token,
    }
    return f"{service_path(visit.service.name)}?{urlencode(params)}"


def _what(visit: ProposalVisit) -> dict[str, Any]:
    starts_at, service, rules = visit.link.starts_at, visit.service, visit.rules
    staff = rules.resource(value_of(visit.asked.fields, RESOURCE))
    price = saved_catalogue(visit.site).price(service.price_cents) if service.price_cents else ""
    ends_at, with_staff = starts_at + service.duration, f"With {staff.name}" if staff else ""
    return {
        "what": occasion(service.name, starts_at, ends_at, rules.zone, with_staff),
        "iso_date": to_wall(starts_at, zone(rules.zone)).date().isoformat(),
        "more": price,
    }


async def act(visit: ProposalVisit, form: Form) -> Response | None:
    """Books the proposed time, or another one from the page. The claim decides if it is free."""
    at = read_instant(form["at"]) or visit.link.starts_at
    if _has_questions(visit.service):
        return RedirectResponse(_form_url(visit, at), 303)
    chosen = ProposedTime(visit.service.name, at, visit.query.resource)
    command = book_proposal(
        visit.asked, chosen, visit.person, visit.query.party, visit.site.new_id()
    )
    match await visit.site.run(command, by=f"guest:{visit.person.id}"):
        case Refused(Reason() as reason) if reason in TIME_GONE:
            return await show(replace(visit, link=replace(visit.link, starts_at=at)))
        case Refused(Reason.REQUEST_SETTLED):
            return None
        case Refused():
            return book_by_message_page(visit.site)
        case _:
            booking = booking_reads(visit.site.reads()).booking(command.booking_id)
            assert booking is not None
            return RedirectResponse(manage_url(visit.site, booking), 303)
