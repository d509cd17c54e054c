"""The week grid: opening hours of the business, and hours of each staff member, room and device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.yaml_edit import CannotEdit, find
from frontdesk.core.yaml_tree import YamlText
from frontdesk.desks.booking.console.broken_list import broken_since
from frontdesk.desks.booking.console.form_edits import (
    BROKEN,
    LINKS,
    RULES,
    Editable,
    editable,
    write_edit,
)
from frontdesk.desks.booking.console.page import BUSINESS, HOURS, booking_page
from frontdesk.desks.booking.rules import DAY_MINUTES, BookingRules, Period, Resource, WeekHours
from frontdesk.desks.booking.rules_file import edits
from frontdesk.desks.booking.rules_file.problems import Problems
from frontdesk.desks.booking.rules_file.summary import WEEKDAYS, week_words
from frontdesk.desks.booking.rules_file.time_kinds import DAYS, read_ranges, read_week
from frontdesk.web.console.shell import form_of, staff, tabs
from frontdesk.web.site import or_404


def routes() -> list[BaseRoute]:
    return [
        Route(HOURS, staff(overview), methods=["GET"]),
        Route(f"{HOURS}/{{who}}", staff(show), methods=["GET"]),
        Route(f"{HOURS}/{{who}}", staff(save), methods=["POST"]),
    ]


async def overview(request: Request) -> Response:
    """Lists the week of the business and of each resource."""
    rules = (await run_in_threadpool(editable, request)).rules
    rows = [{"id": BUSINESS, "name": "The business", "own": True, **_bars(rules.hours)}]
    rows += [
        {
            "id": one.id,
            "name": one.name,
            "own": one.hours is not None,
            **_bars(rules.hours if one.hours is None else one.hours),
        }
        for one in rules.resources
    ]
    return booking_page(
        request,
        "hours.html",
        tab="Rules",
        page_title="Hours",
        links=tabs(LINKS, "Hours"),
        rows=rows,
        days=WEEKDAYS,
        broken=await run_in_threadpool(broken_since, request),
    )


def _bars(week: WeekHours) -> dict[str, Any]:
    """Bars in percent of a day, for the picture. The text beside it says the same."""
    return {
        "words": week_words(week),
        "bars": [
            [(one.start / 14.4, (min(one.end, DAY_MINUTES) - one.start) / 14.4) for one in day]
            for day in week
        ],
    }


async def show(request: Request) -> Response:
    now = await run_in_threadpool(editable, request)
    who = _who(request, now.rules)
    written = None if now.problem == BROKEN else _written(now.text, who)
    week = written if written is not None else now.rules.hours
    values = {day: _typed(week[number]) for number, day in enumerate(DAYS)}
    is_same = who is not None and written is None
    return _form(request, now, who, values, {}, is_same=is_same)


def _who(request: Request, rules: BookingRules) -> Resource | None:
    """The resource that the URL names; None for the business."""
    who = request.path_params["who"]
    if who == BUSINESS:
        return None
    return or_404(rules.resource(who))


def _written(text: str, who: Resource | None) -> WeekHours | None:
    """The hours as the file has them: with the breaks, which the rules take out."""
    try:
        path = (*edits.resource_path(text, who.id), "hours") if who else ("hours",)
        node = find(text, path)
    except CannotEdit:
        return None
    return None if node is None else read_week(node, Problems())


def _typed(periods: tuple[Period, ...]) -> str:
    return edits.ranges_text(periods) if periods else ""


def _form(
    request: Request,
    now: Editable,
    who: Resource | None,
    values: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    is_same: bool,
    status: int = 200,
) -> Response:
    name = who.name if who else "The business"
    return booking_page(
        request,
        "week_hours.html",
        tab="Rules",
        page_title=name,
        links=tabs(LINKS, "Hours"),
        status=status,
        action=f"{HOURS}/{who.id if who else BUSINESS}",
        back=HOURS,
        rules_url=RULES,
        who=who,
        days=list(zip(DAYS, WEEKDAYS, strict=True)),
        v=values,
        errors=errors,
        is_same=is_same,
        stamp=now.stamp,
        problem=now.problem,
        is_first=now.is_first,
    )


async def save(request: Request) -> Response:
    now = await run_in_threadpool(editable, request)
    form, who = form_of(request), _who(request, now.rules)
    resource_id = who.id if who else ""
    if who is not None and form.ticked("same"):
        return await write_edit(
            request,
            HOURS,
            lambda text: edits.use_business_hours(text, resource_id),
            "Saved. The hours of the business apply.",
            tells_broken=True,
        )
    typed = {day: form[day] for day in DAYS}
    week, errors = read_form(typed)
    if errors:
        return _form(request, now, who, typed, errors, is_same=False, status=422)
    return await write_edit(
        request,
        HOURS,
        lambda text: edits.set_hours(text, resource_id, week),
        "Saved.",
        tells_broken=True,
    )


def read_form(typed: Mapping[str, str]) -> tuple[WeekHours, dict[str, str]]:
    """Reads the ranges of each weekday; returns errors by day if some are wrong."""
    week: list[tuple[Period, ...]] = []
    errors: dict[str, str] = {}
    for day in DAYS:
        periods, error = read_typed_ranges(typed[day])
        week.append(periods)
        if error:
            errors[day] = error
    for number, day in enumerate(DAYS):
        following = week[(number + 1) % 7]
        if week[number] and following and week[number][-1].end - DAY_MINUTES > following[0].start:
            errors.setdefault(day, "These hours end after those of the next day begin.")
    return tuple(week), errors


def read_typed_ranges(text: str) -> tuple[tuple[Period, ...], str]:
    """Reads '9:00-12:30 13:30-18:00' from a form; an empty field means no hours."""
    if not text.strip():
        return (), ""
    problems = Problems()
    periods = read_ranges(YamlText(text[:300], 1, 1, 0, 0), problems)
    if periods is None:
        why = problems.sorted()[0].why
        return (), f"{why[0].upper()}{why[1:]}."
    return periods, ""
