"""The booking page: an answer at once, other services, staff and days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.booking.availability import wish_of
from frontdesk.desks.booking.links import opens_service
from frontdesk.desks.booking.pages import texts
from frontdesk.desks.booking.pages.addresses import EMBED_PATH, PATH, find_service
from frontdesk.desks.booking.pages.after_booking import own_booking_url
from frontdesk.desks.booking.pages.board import (
    PageAnswer,
    ShownDays,
    sentence_answer,
    taken_answer,
    usual_answer,
)
from frontdesk.desks.booking.pages.details_form import Typed
from frontdesk.desks.booking.pages.details_page import details_page, form_fields
from frontdesk.desks.booking.pages.free_times import (
    FoundTimes,
    can_be_booked,
    find,
    saved_catalogue,
)
from frontdesk.desks.booking.pages.picks import picks
from frontdesk.desks.booking.pages.sentence import Sentence, read_sentence
from frontdesk.desks.booking.pages.shared_answers import PAGES, rules_in_force, shared_answer
from frontdesk.desks.booking.pages.state import (
    WEEK,
    PageState,
    read_state,
    staff_in,
    waitlist_fields,
)
from frontdesk.desks.booking.pages.times_page import (
    SentenceField,
    TimesForm,
    best_choices,
    last_day,
    times_values,
)
from frontdesk.desks.booking.rules import BookingRules, ServiceRules
from frontdesk.desks.booking.search.query import Query, TimeWish, WishedTime
from frontdesk.desks.booking.wish_wording import suits, wish_text
from frontdesk.values import Frozen, replace
from frontdesk.web.app import problem
from frontdesk.web.limits import Rate
from frontdesk.web.page_cache import CachedPage
from frontdesk.web.site import Site, limit_visitor, site_of

#: Generous: visitors turn pages quickly, and an office shares one IP address.
PAGE_RATE: Final = Rate(burst=120, per_minute=120)


async def show(request: Request) -> Response:
    return await _show(request, embedded=False)


async def show_embedded(request: Request) -> Response:
    """The page for a frame on another site."""
    return await _show(request, embedded=True)


async def _show(request: Request, *, embedded: bool) -> Response:
    limit_visitor(request, "booking page", PAGE_RATE)
    cached = await shared_answer(request, PAGES, partial(_page_for_all, request, embedded=embedded))
    if cached is None:
        return await _show_to_one(request, embedded=embedded)
    return cached.page(site_of(request).clock.now(), embeddable=embedded)


async def _page_for_all(request: Request, *, embedded: bool) -> CachedPage | None:
    """The page that all visitors of this URL share; None if there is no such service."""
    site, typed = site_of(request), request.query_params
    rules = rules_in_force(site)
    service = service_in(site, rules, request.path_params.get("service", ""), typed)
    if service is None:
        return None
    state = read_state(rules, service, typed, site.clock.now(), embedded=embedded)
    return await _times_page(site, rules, state)


async def _show_to_one(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    rules = rules_in_force(site)
    typed = request.query_params
    service = service_in(site, rules, request.path_params.get("service", ""), typed)
    if service is None:
        return no_service(request, rules, embedded=embedded)
    state = read_state(rules, service, typed, site.clock.now(), embedded=embedded)
    if state.at is None:
        return await times_page(site, rules, state)
    if not await run_in_threadpool(is_free, site, rules, state):
        own = own_booking_url(request, rules, state)
        if own:
            return RedirectResponse(own, 303)
        return await times_page(site, rules, state, taken_at=state.at)
    return details_page(request, rules, state, {"name": state.name, "contact": state.contact})


def is_free(site: Site, rules: BookingRules, state: PageState) -> bool:
    """Whether the chosen time can be booked. The form is only shown for a free time."""
    assert state.at is not None
    on = state.zones(rules).on(state.at)
    query = Query(state.service.name, on, on, state.party, state.resource)
    return can_be_booked(site, rules, query, state.at, site.clock.now(), hold=state.hold)


def service_in(site: Site, rules: BookingRules, slug: str, typed: Typed) -> ServiceRules | None:
    """The named service, or the first one. An unlisted one needs the key of its private link."""
    named = slug or typed.get("service", "")
    if not named:
        return next((one for one in rules.services if not one.unlisted), None)
    found = find_service(rules, named)
    if found is None or not found.unlisted:
        return found
    key = typed.get("key", "")[:100]
    return found if opens_service(key, found.name, site.keys, site.clock.now()) else None


def no_service(request: Request, rules: BookingRules, *, embedded: bool) -> Response:
    site = site_of(request)
    if any(not one.unlisted for one in rules.services):
        return problem(
            request,
            404,
            "There is no such service.",
            "It may have another name now, or its link is not complete.",
            (EMBED_PATH if embedded else PATH, "To the booking page"),
            calm=True,
        )
    return site.renderer.page(
        "booking/not_open.html",
        site.clock.now(),
        embeddable=embedded,
        page_title="Online booking is not open yet",
        embedded=embedded,
    )


# --- times ------------------------------------------------------------------------------------


async def times_page(
    site: Site,
    rules: BookingRules,
    state: PageState,
    *,
    taken_at: datetime | None = None,
    typed: Typed | None = None,
    status: int = 200,
) -> Response:
    """Shows the times. `taken_at` is the chosen time that is not free any more; `typed` is kept for
    the next choice."""
    cached = await _times_page(site, rules, state, taken_at=taken_at, typed=typed)
    status = 409 if taken_at else status
    return cached.page(site.clock.now(), status=status, embeddable=state.embedded)


async def _times_page(
    site: Site,
    rules: BookingRules,
    state: PageState,
    *,
    taken_at: datetime | None = None,
    typed: Typed | None = None,
) -> CachedPage:
    sentence = Sentence()
    if state.sentence:
        state, sentence = _understood(site, rules, state)
    now, zones = site.clock.now(), state.zones(rules)
    last_on = last_day(state.service, zones, now)
    lost_on = zones.on(taken_at) if taken_at else None
    shown = ShownDays(day=lost_on or state.day, first_on=state.first_on, by_week=state.view == WEEK)
    query = Query(
        state.service.name,
        zones.on(now),
        shown.searched_until(zones.on(now), last_on),
        state.party,
        state.resource,
        _wish(sentence, taken_at, rules),
    )
    found = await run_in_threadpool(find, site, rules, query, now, last_on=last_on, hold=state.hold)
    answer = _answer(rules, state, found, sentence, query.wish, now)
    if taken_at is not None:
        answer = taken_answer(answer.best, typed=bool(typed), is_past=taken_at <= now)
    if state.day is None and state.first_on is None and sentence.when and found.times:
        shown = replace(shown, day=_day_of(answer, found, rules))
    waitlist = _waitlist(site, rules, _with_typed(state, typed or {}), sentence)
    values = {
        **_frame_values(site, rules, state),
        "waitlist": waitlist,
        **times_values(
            shown,
            found.times,
            answer,
            TimesForm(f"{_base(state)}/choose", {**form_fields(state), **(typed or {})}),
            state.address,
            zones,
            rules,
            now,
            last_on=last_on,
        ),
    }
    posts_to = waitlist.url if waitlist and waitlist.fields else ""
    return CachedPage(site.renderer, "booking/book.html", now, values, posts_to=posts_to)


def _frame_values(site: Site, rules: BookingRules, state: PageState) -> dict[str, Any]:
    """The values of the page around the times."""
    too_large = texts.too_large(state.service, state.asked_party)
    return {
        "page_title": f"Book {state.service.name}",
        "embedded": state.embedded,
        "notice": state.misread or (too_large if state.is_too_large else ""),
        "reach": state.is_too_large and not state.misread,
        "picks": picks(rules, state, saved_catalogue(site)),
        "sentence": _sentence_field(state),
        "ask_url": "" if state.embedded else f"{PATH}/ask",
    }


def _base(state: PageState) -> str:
    return EMBED_PATH if state.embedded else PATH


def _understood(site: Site, rules: BookingRules, state: PageState) -> tuple[PageState, Sentence]:
    """Applies the sentence to the state: the service, the staff member and the party."""
    now, country = site.clock.now(), site.settings.country
    sentence = read_sentence(state.sentence, state.service, rules, now, country)
    service = rules.service(sentence.service) or state.service
    staff = state.staff or staff_in(rules, service, sentence.staff)
    party = sentence.party or state.asked_party
    return (
        replace(
            state,
            service=service,
            staff=staff_in(rules, service, staff) if staff else "",
            party=min(party, service.most),
            asked_party=party,
            says_party=bool(sentence.party),
            misread=state.misread
            or (texts.no_such_service(service, state.sentence) if sentence.names_other else ""),
            key=state.key if service == state.service else "",
        ),
        sentence,
    )


def _wish(sentence: Sentence, taken_at: datetime | None, rules: BookingRules) -> TimeWish:
    if taken_at is not None:
        wall = to_wall(taken_at, zone(rules.zone))
        minute = wall.hour * 60 + wall.minute
        return TimeWish((WishedTime(wall.date(), wall.date(), ((minute, minute),)),))
    return wish_of(sentence.when, rules)


def _answer(
    rules: BookingRules,
    state: PageState,
    found: FoundTimes,
    sentence: Sentence,
    wish: TimeWish,
    now: datetime,
) -> PageAnswer:
    zones = state.zones(rules)
    best = best_choices(found.best, zones, now)
    if not state.sentence or (sentence.when is None and sentence.service):
        is_calm = state.day is not None or state.first_on is not None
        return usual_answer(found.next_free, best, zones, now, is_calm=is_calm)
    said = wish_text(sentence.when, zones.on(now)) if sentence.when else ""
    suited = tuple(one for one in found.best if suits(wish, one.starts_at, rules))
    if suited:
        best = best_choices(suited, zones, now)
    return sentence_answer(said, best, suits=bool(suited), sentence=state.sentence)


def _day_of(answer: PageAnswer, found: FoundTimes, rules: BookingRules) -> date | None:
    """The day on which the calendar opens: for a sentence, that of the best time."""
    return to_wall(found.best[0].starts_at, zone(rules.zone)).date() if answer.best else None


def _sentence_field(state: PageState) -> SentenceField:
    address = state.address.without("q", "day", "from")
    return SentenceField(
        address.path,
        address.params,
        state.sentence,
        address.url() if state.sentence else "",
    )


def _with_typed(state: PageState, typed: Typed) -> PageState:
    return replace(
        state,
        name=typed.get("name", state.name),
        contact=typed.get("contact", state.contact),
    )


class WaitlistForm(Frozen):
    """The form that joins the waitlist with the same wishes: in one press if the contact is
    known."""

    url: str
    fields: Mapping[str, str]
    """The fields to post; empty if the visitor has to fill in the form of the waitlist."""


def _waitlist(
    site: Site, rules: BookingRules, state: PageState, sentence: Sentence
) -> WaitlistForm | None:
    """None if the waitlist is switched off or does not have the service."""
    if (
        not site.settings.has_desk("waitlist")
        or saved_catalogue(site).service(state.service.name) is None
    ):
        return None
    option = sentence.when.options[0] if sentence.when and sentence.when.options else None
    days = (option.first_on, option.last_on) if option else (state.day, None)
    fields = waitlist_fields(rules, state, site.clock.now(), *days)
    page = f"{site.settings.waitlist_at}/waitlist"
    is_here = site.settings.waitlist_at == site.settings.booking_at
    if state.name and state.contact and not state.embedded:
        return WaitlistForm("/waitlist" if is_here else page, fields)
    return WaitlistForm(f"{page}?{urlencode(fields)}", {})
