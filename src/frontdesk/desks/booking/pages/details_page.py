"""The form for a chosen time: name, contact, and the questions of the service."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import spoken_deadline, to_wall, zone
from frontdesk.core.occasions import Deadline, occasion
from frontdesk.desks.booking.calendar_file import with_staff
from frontdesk.desks.booking.links import read_hold
from frontdesk.desks.booking.pages import texts
from frontdesk.desks.booking.pages.addresses import PATH
from frontdesk.desks.booking.pages.details_form import (
    Errors,
    Typed,
    field_of,
    question_fields,
    terms_of,
)
from frontdesk.desks.booking.pages.free_times import saved_catalogue
from frontdesk.desks.booking.pages.picker import instant_text, time_text
from frontdesk.desks.booking.pages.state import PageState
from frontdesk.desks.booking.rules import Approval, BookingRules, ServiceRules
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import replace
from frontdesk.web.consent import consent_notice
from frontdesk.web.site import site_of


def details_page(
    request: Request,
    rules: BookingRules,
    state: PageState,
    typed: Typed,
    errors: Errors | None = None,
) -> Response:
    """Shows the form for the chosen time; with errors, it keeps the typed values."""
    assert state.at is not None
    site, now, service = site_of(request), site_of(request).clock.now(), state.service
    catalogue, errors, notice = saved_catalogue(site), errors or {}, consent_notice(site)
    return site.renderer.page(
        "booking/details.html",
        now,
        status=422 if errors else 200,
        embeddable=state.embedded,
        page_title=f"Book {service.name}",
        embedded=state.embedded,
        title="Your details",
        what=occasion(
            service.name,
            state.at,
            state.at + service.duration,
            rules.zone,
            with_staff((state.resource,), rules),
        ),
        iso_date=_on(rules, state.at),
        more=_more(rules, state, catalogue, now),
        deadline=_deadline(request, rules, state, now),
        action=PATH,
        hidden={
            **form_fields(replace(state, name="", contact="")),
            "at": instant_text(state.at),
            "once": typed.get("once") or site.new_id(),
            "consent": notice.version,
        },
        texts=terms_of(site.settings).texts,
        consent=notice,
        typed=typed,
        errors=errors,
        first_wrong=next(iter(errors), ""),
        questions=question_fields(service),
        approval=texts.approval_text(service),
        change_terms=texts.change_terms(service, state.at, now, zone(rules.zone)),
        button="Book this time" if service.approval is Approval.NEVER else "Request this time",
        back_url=state.address.url(part="times", day=_on(rules, state.at)),
    )


def _on(rules: BookingRules, at: datetime) -> str:
    return to_wall(at, zone(rules.zone)).date().isoformat()


def _more(rules: BookingRules, state: PageState, catalogue: Catalogue, now: datetime) -> str:
    """Length, price, party, and the time in the visitor's own zone."""
    assert state.at is not None
    zones = state.zones(rules)
    party = texts.party_text(state.party) if state.party > 1 else ""
    own = f"For you: {time_text(state.at, zones, now)}" if zones.differ else ""
    service = state.service
    length = catalogue.length_and_price(service.duration, service.price_cents)
    parts = (length, party, own)
    return " · ".join(filter(None, parts))


def _deadline(
    request: Request, rules: BookingRules, state: PageState, now: datetime
) -> Deadline | None:
    held = read_hold(state.hold, site_of(request).keys, now)
    if held is None or held.starts_at != state.at:
        return None
    says = spoken_deadline(held.until, now, zone(rules.zone))
    return Deadline("We hold this time for you", held.until, says)


def kept_fields(service: ServiceRules, typed: Typed) -> dict[str, str]:
    """The fields to show again in the form: typed before another choice, or preset by a link."""
    names = ("name", "contact", "once", *map(field_of, service.questions))
    given = {"contact": typed.get("email", ""), **typed}
    return {name: given[name] for name in names if given.get(name)}


def form_fields(state: PageState) -> Mapping[str, str]:
    """The state as fields of a form."""
    params = state.address.without("q", "day", "from", "view").params
    return {**params, "service": state.service.name, **({"hold": state.hold} if state.hold else {})}
