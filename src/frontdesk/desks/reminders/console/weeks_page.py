"""The figures of a week: confirmed, freed and refilled, missed, and customers without an answer."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import dropwhile
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import ENGLISH, FIRST_YEAR, parse_day, to_wall
from frontdesk.desks.reminders import weeks
from frontdesk.desks.reminders.console.page import (
    LOADER,
    REMINDERS,
    ar_of,
    customer,
    reminder_page,
    zone_of,
)
from frontdesk.desks.reminders.console.wordings_page import trial_of
from frontdesk.desks.reminders.figures import WeekFigures, quiet_customers, week_figures
from frontdesk.desks.reminders.model import Appointment
from frontdesk.values import Frozen
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

PATH: Final = f"{REMINDERS}/weeks"
WEEKS_SHOWN: Final = 12
MOST_NAMES: Final = 50
_WEEK: Final = timedelta(days=7)


class ShownWeek(Frozen):
    week: date
    rows: tuple[Appointment, ...]
    figures: WeekFigures


def routes() -> list[BaseRoute]:
    return [Route(PATH, staff(show), methods=["GET"])]


async def show(request: Request) -> Response:
    """Shows the figures of a week. Those of the current week count what is known so far."""
    tz = zone_of(request)
    this_week = weeks.monday_of(to_wall(site_of(request).clock.now(), tz).date())
    week = asked_for(request.query_params.get("week", ""), this_week)
    every = await run_in_threadpool(_weeks, request, week, tz)
    shown, before = every[-1], every[-2]
    found = list(dropwhile(lambda each: not each.rows, every))
    return reminder_page(
        request,
        "weeks.html",
        tab="Weeks",
        page_title="Weeks",
        heading="Weekly summary",
        week=weeks.week_name(week),
        is_over=week < this_week,
        says=weeks.summary(week, shown.figures) if shown.rows else "",
        stats=_stats(shown.figures, before.figures),
        confirmed=[_bar(each) for each in found],
        missed=[{"label": _label(each.week), "value": each.figures.no_shows} for each in found],
        missed_says=_missed_says(every),
        quiet=_quiet(request, shown),
        trial=await run_in_threadpool(trial_of, request),
        earlier=_link(week - _WEEK) if week.year > FIRST_YEAR + 1 else None,
        later=_link(week + _WEEK) if week < this_week else None,
    )


def asked_for(text: str, this_week: date) -> date:
    """Parses a day to the Monday of its week. An invalid day, or one far away, gives the current
    week."""
    try:
        found = weeks.monday_of(parse_day(text[:10]))
    except (ValueError, OverflowError):
        return this_week
    return min(found, this_week) if found.year > FIRST_YEAR else this_week


def _weeks(request: Request, last: date, tz: ZoneInfo) -> list[ShownWeek]:
    """Counts the weeks up to this one, from one read."""
    ar, site = ar_of(request), site_of(request)
    mondays = [last - n * _WEEK for n in reversed(range(WEEKS_SHOWN))]
    since, until = weeks.week_span(mondays[0], tz)[0], weeks.week_span(last, tz)[1]
    by_week: dict[date, list[Appointment]] = {each: [] for each in mondays}
    for one in ar.appointments_between(since, until):
        by_week[weeks.monday_of(to_wall(one.starts_at, tz).date())].append(one)
    refilled, reads = site.shared[LOADER].refilled, site.reads()
    return [
        ShownWeek(week, tuple(rows), week_figures(rows, refilled(reads, rows)))
        for week, rows in by_week.items()
    ]


def _link(week: date) -> tuple[str, str]:
    return f"{PATH}?week={week}", weeks.week_name(week)


def _stats(them: WeekFigures, before: WeekFigures) -> list[dict[str, str]]:
    earlier = dict(weeks.figure_lines(before))
    return [
        {"label": label, "value": f"{value:,}", "note": f"{earlier[label]:,} the week before"}
        for label, value in weeks.figure_lines(them)
    ]


def _bar(each: ShownWeek) -> dict[str, Any]:
    them = each.figures
    text = f"{them.confirmed:,} of {them.appointments:,}"
    return {
        "label": _label(each.week),
        "value": them.confirmed,
        "of": them.appointments,
        "text": text,
    }


def _label(week: date) -> str:
    return f"{week.day} {ENGLISH.months[week.month - 1][:3]}"


def _missed_says(found: list[ShownWeek]) -> str:
    worst = max(found, key=lambda each: each.figures.no_shows)
    if not worst.figures.no_shows:
        return "None in these weeks."
    return f"Most in the week of {weeks.week_name(worst.week)}: {worst.figures.no_shows}."


def _quiet(request: Request, shown: ShownWeek) -> list[tuple[str, str]]:
    """Names and pages of customers who were asked and did not answer."""
    ar = ar_of(request)
    return [
        (customer(ar.person(each)), f"/console/people/{each}")
        for each in quiet_customers(shown.rows)[:MOST_NAMES]
    ]
