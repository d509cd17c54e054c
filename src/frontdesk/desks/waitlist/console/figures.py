"""The page with a month's figures: freed, filled, time to fill, and recovered revenue."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import ENGLISH, FIRST_YEAR, parse_day, same_wall_time, to_wall, zone
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.console.page import WAITLIST, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.model import Figures, Slot, SlotStatus, figures
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

PATH: Final = f"{WAITLIST}/figures"
MOST_SERVICES: Final = 12
_MONTH: Final = re.compile(r"[12]\d{3}-\d\d", re.ASCII)
_MINUTE: Final = timedelta(minutes=1)


def routes() -> list[BaseRoute]:
    return [Route(PATH, staff(figures_page), methods=["GET"])]


async def figures_page(request: Request) -> Response:
    wl, tz = wl_of(request), zone_of(request)
    this_month = to_wall(site_of(request).clock.now(), tz).date().replace(day=1)
    month = asked_for(request.query_params.get("month", ""), this_month)
    since, until = (same_wall_time(day, time(), tz) for day in (month, month_after(month)))
    slots = await run_in_threadpool(wl.freed_between, since, until)
    them, catalogue, services = figures(slots), wl.catalogue(), _by_service(slots)
    return waitlist_page(
        request,
        "figures.html",
        tab="Figures",
        page_title="Figures",
        month=words.month_name(month),
        says=words.summary(month, them),
        stats=_stats(them, catalogue),
        services=[_service_row(name, each, catalogue) for name, each in services],
        service_bars=[_service_bar(name, each) for name, each in services],
        weekdays=_by_weekday(slots),
        hours=_by_hour(slots),
        earlier=_link(month_before(month)) if month > date(FIRST_YEAR, 1, 1) else None,
        later=_link(month_after(month)) if month < this_month else None,
    )


def asked_for(text: str, this_month: date) -> date:
    """Parses a month to its first day. For an invalid or future month, returns this month."""
    try:
        found = parse_day(f"{text}-01") if _MONTH.fullmatch(text) else this_month
    except ValueError:
        return this_month
    return min(found, this_month)


def month_before(month: date) -> date:
    return (month - timedelta(days=1)).replace(day=1)


def month_after(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


def _link(month: date) -> tuple[str, str]:
    return f"{PATH}?month={month:%Y-%m}", words.month_name(month)


# --- numbers --------------------------------------------------------------------------------


def _stats(them: Figures, catalogue: Catalogue) -> list[dict[str, str]]:
    took = them.average_to_fill
    share = f"{round(100 * them.filled / them.freed)} % of them" if them.freed else ""
    offers = f"{them.offers / them.freed:.1f}" if them.freed else "–"
    return [
        {"label": "Came free", "value": f"{them.freed:,}", "note": ""},
        {"label": "Filled", "value": f"{them.filled:,}", "note": share},
        {
            "label": "Time to fill",
            "value": _short_duration(took) if took is not None else "–",
            "note": "on average" if took is not None else "",
        },
        {"label": "Recovered", "value": catalogue.price(them.recovered_cents), "note": ""},
        {"label": "Offers for each", "value": offers, "note": f"{them.offers:,} in all"},
    ]


def _short_duration(length: timedelta) -> str:
    """'7 min', '1 h 20 min'; at least one minute."""
    hours, minutes = divmod(max(length, _MINUTE) // _MINUTE, 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min"


def _by_service(slots: Sequence[Slot]) -> list[tuple[str, Figures]]:
    """Figures by service, the most often freed first. 'All others' has the rest."""
    found: dict[str, list[Slot]] = {}
    for slot in slots:
        found.setdefault(slot.opening.service, []).append(slot)
    ranked = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    rest = [slot for _, of_it in ranked[MOST_SERVICES:] for slot in of_it]
    rows = [*ranked[:MOST_SERVICES], *([("All others", rest)] if rest else [])]
    return [(name, figures(of_it)) for name, of_it in rows]


def _service_row(name: str, them: Figures, catalogue: Catalogue) -> dict[str, Any]:
    took, cents = them.average_to_fill, them.recovered_cents
    return {
        "cells": {
            "name": name,
            "freed": f"{them.freed:,}",
            "filled": f"{them.filled:,}",
            "took": _short_duration(took) if took is not None else "–",
            "recovered": catalogue.price(cents) if cents else "–",
        }
    }


def _service_bar(name: str, them: Figures) -> dict[str, Any]:
    text = f"{them.filled:,} of {them.freed:,}"
    return {"label": name, "value": them.filled, "of": them.freed, "text": text}


def _by_weekday(slots: Sequence[Slot]) -> list[dict[str, Any]]:
    freed = Counter(starts.weekday() for starts in map(_starts, slots))
    filled = Counter(_starts(slot).weekday() for slot in slots if _is_filled(slot))
    return [
        {"label": name, "freed": freed[n], "filled": filled[n]}
        for n, name in enumerate(ENGLISH.weekdays)
    ]


def _by_hour(slots: Sequence[Slot]) -> list[dict[str, Any]]:
    """Counts from the first hour with a slot to the last."""
    freed = Counter(starts.hour for starts in map(_starts, slots))
    filled = Counter(_starts(slot).hour for slot in slots if _is_filled(slot))
    if not freed:
        return []
    return [
        {"label": f"{hour:02}:00", "freed": freed[hour], "filled": filled[hour]}
        for hour in range(min(freed), max(freed) + 1)
    ]


def _starts(slot: Slot) -> datetime:
    return to_wall(slot.opening.starts_at, zone(slot.rules.zone))


def _is_filled(slot: Slot) -> bool:
    return slot.status is SlotStatus.BOOKED
