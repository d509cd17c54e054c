"""Compares two wordings of a reminder: attendance after each, and how certain the difference is."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Fact
from frontdesk.core.sends import Via
from frontdesk.core.wording import saved_name, wording_setting
from frontdesk.core.words import count
from frontdesk.desks.reminders.console.page import REMINDERS, ar_of, reminder_page, zone_of
from frontdesk.desks.reminders.console.rules_page import VOICE_PATH
from frontdesk.desks.reminders.document_facts import WordingChanged, WordingsChanged
from frontdesk.desks.reminders.model import CODE, Window
from frontdesk.desks.reminders.notes import KINDS
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.wording_trial import FEWEST, Attendance, Comparison, compare
from frontdesk.features.wordings.document import second_of
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.shell import staff
from frontdesk.web.site import site_of

PATH: Final = f"{REMINDERS}/wordings"
LONGEST: Final = timedelta(days=366)
#: The reminders that can have a second wording.
_REMINDERS: Final = tuple(KINDS[each] for each in (Window.FIRST, Window.SECOND))
_SECOND: Final = frozenset(saved_name(via, second_of(kind)) for kind in _REMINDERS for via in Via)
#: A change of either wording restarts the comparison.
_COMPARED: Final = _SECOND | {saved_name(via, kind) for kind in _REMINDERS for via in Via}
_MOST_FACTS: Final = 5_000


def routes() -> list[BaseRoute]:
    return [Route(PATH, staff(show), methods=["GET"])]


async def show(request: Request) -> Response:
    trial = await run_in_threadpool(trial_of, request)
    return reminder_page(
        request,
        "wordings.html",
        tab="Wordings",
        page_title="Wordings",
        templates_url=VOICE_PATH,
        trial=trial,
    )


def trial_of(request: Request) -> dict[str, Any] | None:
    """The comparison for the page; None if there is only one wording."""
    ar, now = ar_of(request), site_of(request).clock.now()
    began_at = in_use_since(ar)
    if began_at is None:
        return None
    since = max(began_at, now - LONGEST)
    found = compare(ar.appointments_between(since, now), since, now)
    return {
        "since": exact_time(began_at, zone_of(request)),
        "rows": [_row("First wording", found.first), _row("Second wording", found.second)],
        "says": result_sentence(found),
    }


def in_use_since(ar: ReminderReads) -> datetime | None:
    """When the current two wordings came into use; None if there is only one."""
    if not any(ar.setting(wording_setting(CODE, each)) for each in _SECOND):
        return None
    at = None
    for recorded in ar.facts("reminders", limit=_MOST_FACTS):
        if _changed(recorded.fact) & _COMPARED:
            at = recorded.at
    return at


def _changed(fact: Fact) -> set[str]:
    match fact:
        case WordingChanged(mail_kind):
            return {mail_kind}
        case WordingsChanged(mail_kinds):
            return set(mail_kinds)
        case _:
            return set()


def _row(name: str, found: Attendance) -> dict[str, str]:
    low, high = found.interval
    return {
        "name": name,
        "visits": f"{found.visits:,}",
        "came": f"{found.came:,}",
        "share": f"{found.share:.0%}" if found.visits else "",
        "range": f"{low:.0%} to {high:.0%}" if found.visits else "",
    }


def result_sentence(found: Comparison) -> str:
    """The result in one sentence, with its uncertainty."""
    low, high = found.interval
    points = f"{found.difference * 100:+.0f} points ({low * 100:+.0f} to {high * 100:+.0f})"
    if found.is_clear:
        better = "second" if found.difference > 0 else "first"
        return f"More people come after the {better} wording: {points} for the second one."
    if min(found.first.visits, found.second.visits) < FEWEST:
        return f"Too early to tell: each wording needs at least {count(FEWEST, 'visit')}."
    return f"No clear difference yet: {points} for the second wording."
