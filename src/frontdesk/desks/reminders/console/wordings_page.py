"""Two wordings of a reminder side by side: how many came after each, and how sure that is."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.wording import wording_setting
from frontdesk.core.words import count
from frontdesk.desks.reminders.console.page import REMINDERS, ar_of, reminder_page, zone_of
from frontdesk.desks.reminders.facts import WordingChanged
from frontdesk.desks.reminders.messages.customers import second_of
from frontdesk.desks.reminders.model import CODE, Window
from frontdesk.desks.reminders.notes import KINDS
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.wording_trial import FEWEST, Attendance, Comparison, compare
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

PATH: Final = f"{REMINDERS}/wordings"
TEMPLATES: Final = "/console/settings/reminder-mails"
LONGEST: Final = timedelta(days=366)
_SECOND: Final = frozenset(second_of(KINDS[each]) for each in (Window.FIRST, Window.SECOND))
_MOST_FACTS: Final = 5_000


def routes() -> list[BaseRoute]:
    return [Route(PATH, staff(show), methods=["GET"])]


async def show(request: Request) -> Response:
    now = site_of(request).clock.now()
    ar = ar_of(request)
    began_at = await run_in_threadpool(began, ar)
    found = await run_in_threadpool(_compared, ar, began_at, now)
    return reminder_page(
        request,
        "wordings.html",
        tab="Wordings",
        page_title="Two wordings",
        templates_url=TEMPLATES,
        since=exact_time(began_at, zone_of(request)) if began_at else "",
        rows=[_row("First wording", found.first), _row("Second wording", found.second)],
        says=_says(found),
    )


def began(ar: ReminderReads) -> datetime | None:
    """The instant since which there are two wordings; None if there is one."""
    if not any(ar.setting(wording_setting(CODE, each)) for each in _SECOND):
        return None
    at = None
    for recorded in ar.facts("reminders", limit=_MOST_FACTS):
        fact = recorded.fact
        if isinstance(fact, WordingChanged) and fact.mail_kind in _SECOND:
            at = recorded.at
    return at


def _compared(ar: ReminderReads, began_at: datetime | None, now: datetime) -> Comparison:
    if began_at is None:
        return Comparison()
    since = max(began_at, now - LONGEST)
    return compare(ar.appointments_between(since, now), since, now)


def _row(name: str, found: Attendance) -> dict[str, str]:
    low, high = found.interval
    return {
        "name": name,
        "visits": f"{found.visits:,}",
        "came": f"{found.came:,}",
        "share": f"{found.share:.0%}" if found.visits else "",
        "range": f"{low:.0%} to {high:.0%}" if found.visits else "",
    }


def _says(found: Comparison) -> str:
    """The result in a sentence, without more certainty than there is."""
    low, high = found.interval
    points = f"{found.difference * 100:+.0f} points ({low * 100:+.0f} to {high * 100:+.0f})"
    if found.is_clear:
        better = "second" if found.difference > 0 else "first"
        return f"More people come after the {better} wording: {points} for the second one."
    if min(found.first.visits, found.second.visits) < FEWEST:
        return f"Too early to tell: each wording needs at least {count(FEWEST, 'visit')}."
    return f"No clear difference yet: {points} for the second wording."
