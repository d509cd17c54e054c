"""Reads a request in free text into fields, and finds times to propose for them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import msgspec

from frontdesk.core.contacts import email_key
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import Person
from frontdesk.desks.booking.availability import NOTHING, Availability, OwnTime, wish_of
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.lanes import WISH, needs_checking, party_of, value_of, wish_in
from frontdesk.desks.booking.load import booking_reads, proposal_holds
from frontdesk.desks.booking.model import (
    BookingRequest,
    Lane,
    ProposedTime,
    RequestField,
    RequestStatus,
    booking_id,
)
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.search.query import Query, Removed, TimeWish
from frontdesk.desks.booking.wish_wording import choosable, parts_of_day, wish_text
from frontdesk.engine.ports import Reads
from frontdesk.reading.model import Confidence, Context, Field, Reader, ServiceNames
from frontdesk.reading.when_model import When
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.reading.booking_request import BookingReading
    from frontdesk.reading.requests import Request

#: The most text of a request that is kept; the mail itself is kept as well.
MOST_TEXT: Final = 8_000
#: Times are proposed to one address at most so often in a day: more may be a loop or abuse.
MOST_A_DAY: Final = 3
#: The number of latest requests among which those of one sender are counted.
_LATEST: Final = 200
_DAY: Final = timedelta(days=1)
#: Fields that staff do not see, such as the id of the staff member for the search.
RESOURCE: Final = "resource"
CHECK: Final = "check"
UNREAD: Final = "unread"


class RequestText(Frozen):
    """The text of a request with its sender, from a mail or the booking page."""

    text: Request
    sender: str
    """The address that is answered; empty if there is none."""
    own_addresses: frozenset[str] = frozenset()


def read_fields(
    request: RequestText,
    rules: BookingRules,
    now: datetime,
    country: str,
    reader: Reader | None = None,
) -> tuple[RequestField, ...]:
    """Reads the service, the wished time and the people. Asks `reader` where rules are not certain.
    The text is data: nothing in it can act."""
    from frontdesk.reading.booking_request import read_booking_passages  # it takes long to load

    wall = to_wall(now, zone(rules.zone))
    listed = [one for one in rules.services if not one.unlisted]
    context = Context(
        today=wall.date(),
        zone=zone(rules.zone),
        country=country,
        services=tuple(ServiceNames(one.name, one.aliases) for one in listed),
        staff=tuple({each.name: "" for one in listed for each in choosable(rules, one)}),
        own_addresses=request.own_addresses,
    )
    found = read_booking_passages(request.text, context, wall, parts_of_day(rules), reader)
    return fields_of(found, rules, wall.date())


def service_names(rules: BookingRules) -> dict[str, tuple[str, ...]]:
    """The listed services, each with all of its names."""
    return {one.name: (one.name, *one.aliases) for one in rules.services if not one.unlisted}


def fields_of(found: BookingReading, rules: BookingRules, today: date) -> tuple[RequestField, ...]:
    names = ("service", "staff", "party", "name", "phone", "email")
    plain = [_field(name, one) for name in names if (one := getattr(found, name)) is not None]
    when = [] if found.when is None else _when_fields(found.when, rules, today)
    staff = found.staff.value if found.staff else ""
    resource = next((one.id for one in rules.resources if staff and one.name == staff), "")
    chosen = [RequestField(RESOURCE, resource, "")] if resource else []
    return (*plain, *when, *chosen)


def _field(name: str, one: Field[Any]) -> RequestField:
    return RequestField(name, str(one.value), one.confidence.value, one.words.text)


def _when_fields(when: When, rules: BookingRules, today: date) -> list[RequestField]:
    """The wish as text and for the search, with each piece of the text that it was read from."""
    sure = when.confidence.value
    first, *more = [each.text for each in when.words] or [""]
    return [
        RequestField("when", wish_text(when, today), sure, first),
        *(RequestField("when_more", "", sure, each) for each in more),
        wish_field(wish_of(when, rules)),
    ]


def wish_field(wish: TimeWish) -> RequestField:
    return RequestField(WISH, msgspec.json.encode(wish).decode(), "")


def query_of(fields: tuple[RequestField, ...], rules: BookingRules, now: datetime) -> Query | None:
    """The query for the times of a request; None if its service is unknown."""
    service = rules.service(value_of(fields, "service"))
    if service is None:
        return None
    tz = zone(rules.zone)
    return Query(
        service.name,
        to_wall(now, tz).date(),
        to_wall(now + service.horizon, tz).date(),
        party_of(fields),
        ResourceId(value_of(fields, RESOURCE)),
        wish_in(fields),
    )


def find_proposals(
    availability: Availability,
    reads: Reads,
    rules: BookingRules,
    fields: tuple[RequestField, ...],
    now: datetime,
    *,
    without: frozenset[datetime] = frozenset(),
    mine: OwnTime = NOTHING,
) -> tuple[ProposedTime, ...]:
    """The best times, the earliest first. `without` are times that did not suit, `mine` those that
    are held for the customer."""
    query = query_of(fields, rules, now)
    if query is None:
        return ()
    most = rules.proposals + len(without)
    found = availability.find(reads, rules, query, now, most=most, mine=mine)
    if isinstance(found, Removed):
        return ()
    best = [one.starts_at for one in found.best if one.starts_at not in without]
    times = sorted(best[: rules.proposals])
    return tuple(ProposedTime(query.service, at, query.resource) for at in times)


def held_for(reads: Reads, request: BookingRequest) -> OwnTime:
    """The times that are held for the customer of this request."""
    holds = proposal_holds(booking_reads(reads), request)
    return OwnTime(frozenset(one.holder for one in holds))


def why_checked(reads: Reads, request: BookingRequest, rules: BookingRules, now: datetime) -> str:
    """The reason why staff check a request before it is answered; empty if there is none."""
    bk, sender = booking_reads(reads), request.sender
    if why := needs_checking(request.fields, sender, rules):
        return why
    if value_of(request.fields, UNREAD):
        return "unread attachments"
    person = bk.person_by_email(email_key(sender))
    if person is not None and person.id in bk.staff():
        return "from the team"
    service = rules.service(value_of(request.fields, "service"))
    coming = bk.bookings_of(person.id) if person is not None else ()
    if any(
        one.takes_time and one.ends_at > now and service and one.service == service.name
        for one in coming
    ):
        return "they have a booking"
    return "many requests" if _asks_often(reads, sender, now) else ""


def _asks_often(reads: Reads, sender: str, now: datetime) -> bool:
    bk, since = booking_reads(reads), now - _DAY
    latest = [
        one
        for status in (RequestStatus.OPEN, RequestStatus.BOOKED)
        for one in bk.requests(status, _LATEST, lane=Lane.READING, since=since)
    ]
    own = [one for one in latest if email_key(one.sender) == email_key(sender)]
    return len(own) >= MOST_A_DAY


def certain_value(fields: tuple[RequestField, ...], name: str) -> str:
    """The value of a field that was read for certain; else empty."""
    sure = [one for one in fields if one.confidence == Confidence.CONFIDENT]
    return value_of(tuple(sure), name)


def book_proposal(
    request: BookingRequest, chosen: ProposedTime, person: Person, party: int, new_id: str
) -> Book:
    """The command that books a time for the person who asked."""
    return Book(
        booking_id(new_id),
        person.id,
        chosen.service,
        chosen.starts_at,
        person.name,
        person.email,
        _number(request, person),
        party,
        chosen.resource,
        lane=Lane.READING,
        request_id=request.id,
    )


def _number(request: BookingRequest, person: Person) -> str:
    """The number for the booking. A stranger may have typed the number that is known beside an
    address, so then only the one in the request counts."""
    return certain_value(request.fields, "phone") if person.email else person.mobile
