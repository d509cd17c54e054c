"""Converts the values of a request: from the reader to the form, and back into a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.localtime import is_month_first, to_wall, zone
from frontdesk.core.people import PersonId
from frontdesk.core.phones import clean_phone
from frontdesk.core.phones import shown as shown_number
from frontdesk.core.words import count
from frontdesk.desks.booking.availability import Availability, wish_of
from frontdesk.desks.booking.commands import ChangeRequest, Requester
from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import (
    BookingRequest,
    ProposedTime,
    RequestField,
    RequestStatus,
)
from frontdesk.desks.booking.pages.free_times import loader_of
from frontdesk.desks.booking.request_reader import (
    RESOURCE,
    UNREAD,
    find_proposals,
    held_for,
    query_of,
    wish_field,
)
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.search.query import TimeWish
from frontdesk.desks.booking.wish_wording import parts_of_day
from frontdesk.features.proposals.console import GIVEN, SURE, confidence_chip
from frontdesk.reading.model import Confidence
from frontdesk.values import replace
from frontdesk.web.console.lists import number
from frontdesk.web.site import Site

Values = Mapping[str, str]

MOST_WISH: Final = 200
#: Maps the reader's field names to the form's.
FIELDS: Final = {
    "service": "service",
    "staff": "staff",
    "when": "when",
    "when_more": "when",
    "party": "party",
    "name": "name",
    "phone": "mobile",
    "email": "email",
}
LABELS: Final = {
    "service": "Service",
    "staff": "With",
    "when": "When",
    "party": "People",
    "name": "Name",
    "mobile": "Mobile",
    "email": "E-mail",
}


def read_values(asked: BookingRequest, rules: BookingRules, now: datetime) -> dict[str, str]:
    """Fills the form with values that were read. A time is only filled in if the wish is exact."""
    values = dict.fromkeys((*LABELS, "on", "at"), "")
    values |= {
        FIELDS[one.name]: one.value
        for one in asked.fields
        if one.name in FIELDS and one.name != "when_more"
    }
    values["staff"] = value_of(asked.fields, RESOURCE)
    values["party"] = values["party"] or "1"
    values["email"] = values["email"] or asked.sender
    values["mobile"] = values["mobile"] and shown_number(values["mobile"])
    query = query_of(asked.fields, rules, now)
    options = query.wish.options if query else ()
    if len(options) == 1 and options[0].first_on and options[0].first_on == options[0].last_on:
        values["on"] = options[0].first_on.isoformat()
        clocks = options[0].clocks
        if len(clocks) == 1 and clocks[0][0] == clocks[0][1]:
            values["at"] = f"{clocks[0][0] // 60:02}:{clocks[0][0] % 60:02}"
    return values


def proposal_of(site: Site, asked: BookingRequest, typed: Values) -> ChangeRequest | Values:
    """The command that sends times, or the errors of the form."""
    reads, now = site.reads(), site.clock.now()
    rules = booking_reads(reads).rules()
    contact, errors = _contact(typed, site.settings.country)
    service = rules.service(typed.get("service", ""))
    if service is None:
        errors["service"] = "Choose a service."
    elif number(typed.get("party", ""), digits=4) > service.most:
        most = count(service.most, "person", "people")
        errors["party"] = f"{service.name} is for {most} at most."
    wish = _wish(asked, typed, rules, now, site.settings.country)
    if wish is None:
        errors["when"] = "Write a day or a time, like 'Thursday after 5'."
    if errors or wish is None:
        return errors
    fields = _checked(asked, {**typed, **contact}, rules, wish)
    availability = Availability(loader_of(site).busy)
    mine = held_for(reads, asked)
    proposed = find_proposals(availability, reads, rules, fields, now, mine=mine)
    if not proposed:
        return {"when": "No time is free for this."}
    after = replace(
        asked,
        status=RequestStatus.OPEN,
        fields=fields,
        proposed=proposed,
        version=asked.version + 1,
    )
    new_person = PersonId(site.new_id())
    requester = Requester(new_person, contact["name"], contact["email"], contact["mobile"])
    return ChangeRequest(after, requester)


def _contact(typed: Values, country: str) -> tuple[dict[str, str], dict[str, str]]:
    """The clean contact, and the errors. Times are sent by mail, so an address is needed."""
    clean: Mapping[str, Callable[[str], str]] = {
        "name": clean_name,
        "email": clean_email,
        "mobile": lambda text: clean_phone(text, country) if text else "",
    }
    values, errors = {}, {}
    for name, by in clean.items():
        try:
            values[name] = by(typed.get(name, "").strip())
        except BadContact as bad:
            errors[name] = str(bad)
    return values, errors


def _wish(
    asked: BookingRequest, typed: Values, rules: BookingRules, now: datetime, country: str
) -> TimeWish | None:
    """The wish as it was read, or the one that staff wrote; None if that cannot be read."""
    text = typed.get("when", "").strip()[:MOST_WISH]
    query = query_of(asked.fields, rules, now)
    if query is None or text != value_of(asked.fields, "when"):
        if not text:
            return TimeWish()
        return _read_wish(text, rules, now, country)
    return query.wish


def _read_wish(text: str, rules: BookingRules, now: datetime, country: str) -> TimeWish | None:
    """Imports lazily: the reader takes long to load."""
    from frontdesk.reading.when import read_when

    wall = to_wall(now, zone(rules.zone))
    month_first = is_month_first(country)
    found = read_when(text, wall, parts_of_day(rules), month_first=month_first)
    return wish_of(found, rules) if found else None


def _checked(
    asked: BookingRequest, typed: Values, rules: BookingRules, wish: TimeWish
) -> tuple[RequestField, ...]:
    """The fields as staff corrected them, with the words that they were read from."""
    words = {FIELDS[one.name]: one.words for one in reversed(asked.fields) if one.name in FIELDS}
    sure = Confidence.CONFIDENT.value
    resource = rules.resource(typed.get("staff", ""))
    values = {
        **{name: typed.get(FIELDS[name], "").strip() for name in FIELDS if name != "when_more"},
        "staff": resource.name if resource else "",
    }
    plain = [
        RequestField(name, value, sure, words.get(FIELDS[name], ""))
        for name, value in values.items()
        if value
    ]
    more = [one for one in asked.fields if one.name in ("when_more", UNREAD)]
    chosen = [RequestField(RESOURCE, resource.id, "")] if resource else []
    return (*plain, *more, *chosen, wish_field(wish))


def record_lines(asked: BookingRequest, tz: ZoneInfo, rules: BookingRules) -> list[tuple[str, str]]:
    """The fields with their certainty, then the proposed times and the chosen one."""
    fields = [
        (LABELS[FIELDS[one.name]], _with_certainty(one))
        for one in asked.fields
        if one.name in FIELDS and one.value and one.confidence in SURE
    ]
    times = "; ".join(time_text(one, tz, rules) for one in asked.proposed)
    chosen = time_text(asked.chosen, tz, rules) if asked.chosen else ""
    lines = (("Proposed", times if asked.proposed != (asked.chosen,) else ""), ("Chosen", chosen))
    return [*fields, *(each for each in lines if each[1])]


def _with_certainty(field: RequestField) -> str:
    chip = confidence_chip(field)
    return field.value if chip is GIVEN else f"{field.value} ({chip.word.lower()})"


def time_text(one: ProposedTime, tz: ZoneInfo, rules: BookingRules) -> str:
    staff_member = rules.resource(one.resource)
    name = f", {staff_member.name}" if staff_member else ""
    return f"{to_wall(one.starts_at, tz):%a %d %b, %H:%M}{name}"
