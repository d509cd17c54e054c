"""Explains why a day has no times, or so few: each filter of the search, with the rules' lines."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import parse_day, to_wall, zone
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.console.page import BOOKINGS, bk_of, booking_page, first_step
from frontdesk.desks.booking.pages.free_times import loader_of
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.search.explain import DayExplanation
from frontdesk.desks.booking.search.explanation_words import (
    headline,
    ranking_sentences,
    resource_sentences,
    sentence,
    stage_in_words,
)
from frontdesk.desks.booking.search.query import Query
from frontdesk.web.console.lists import number
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

PATH: Final = f"{BOOKINGS}/why"
MOST_PARTY: Final = 1_000


def routes() -> list[BaseRoute]:
    return [Route(PATH, staff(why_page), methods=["GET"])]


async def why_page(request: Request) -> Response:
    """Shows the answer. The URL contains the question, so that staff can send it to somebody."""
    rules, asked = bk_of(request).rules(), request.query_params
    values = {
        "service": asked.get("service", "") or (rules.services[0].name if rules.services else ""),
        "staff": asked.get("staff", ""),
        "on": _day(request, rules).isoformat(),
        "party": str(min(number(asked.get("party", "")) or 1, MOST_PARTY)),
    }
    answer = await run_in_threadpool(_answer, request, rules, values)
    return booking_page(
        request,
        "why.html",
        tab="Day",
        page_title="Why are there no times?",
        first_step=first_step(request),
        values=values,
        services=[(one.name, one.name) for one in rules.services],
        people=[("", "Anyone"), *((one.id, one.name) for one in rules.resources)],
        takes_parties=any(one.most > 1 for one in rules.services),
        answer=answer,
    )


def _day(request: Request, rules: BookingRules) -> date:
    try:
        return parse_day(request.query_params.get("on", ""))
    except ValueError:
        return to_wall(site_of(request).clock.now(), zone(rules.zone)).date()


def _answer(request: Request, rules: BookingRules, values: dict[str, str]) -> dict[str, Any] | None:
    """The answer for the template; None if there is no such service."""
    site, on = site_of(request), date.fromisoformat(values["on"])
    resource = ResourceId(values["staff"])
    query = Query(values["service"], on, on, int(values["party"]), resource)
    finder = Availability(loader_of(site).busy)
    day = finder.explain(site.reads(), rules, query, site.clock.now())
    if not isinstance(day, DayExplanation):
        return None
    return {
        "headline": headline(day),
        "refused": sentence(rules, day.refused, day.service) if day.refused else "",
        "resources": [
            {
                "name": one.name,
                "sentences": list(resource_sentences(rules, day, one)),
                "stages": [stage_in_words(stage) for stage in one.stages],
            }
            for one in day.resources
        ],
        "ranking": list(ranking_sentences(rules, day)),
    }
