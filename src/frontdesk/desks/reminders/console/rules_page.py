"""The console pages of the documents: rules and words, mistakes by line, previews, versions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from starlette.requests import Request
from starlette.routing import BaseRoute

from frontdesk.core.localtime import ENGLISH
from frontdesk.core.words import how_long, join_names
from frontdesk.desks.reminders.console.page import REMINDERS, ar_of, reminder_page, zone_of
from frontdesk.desks.reminders.decide.documents import RULES_NAME
from frontdesk.desks.reminders.document_facts import DocumentTaken
from frontdesk.desks.reminders.documents import VOICE_NAME
from frontdesk.desks.reminders.messages import DOCUMENT
from frontdesk.desks.reminders.rules import ReminderRules, Schedule
from frontdesk.desks.reminders.rules_file import parse_rules
from frontdesk.engine.stories import newest_first
from frontdesk.features.documents.console import DocumentConsole, DocumentPage, wrong_lines
from frontdesk.features.documents.sync import Documents
from frontdesk.features.wordings.shown_document import shown_wordings
from frontdesk.web.console.formatting import short_date
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import site_of

PATH: Final = f"{REMINDERS}/rules"
VOICE_PATH: Final = f"{REMINDERS}/voice"
#: The key in `Site.shared` of the document with its files.
EDITED_RULES: Final = SharedKey[Documents]("ar.rules")


def routes() -> list[BaseRoute]:
    return _DOCUMENT.routes()


def shown(text: str, request: Request) -> dict[str, Any]:
    """Explains a text: its problems by line, or its meaning."""
    parsed = parse_rules(text, ar_of(request).rules().zone)
    return {
        "problems": len(parsed.problems),
        "found": wrong_lines(text, parsed.problems),
        "understood": list(summary(parsed.rules)) if parsed.rules else [],
    }


def shown_voice(text: str, request: Request) -> dict[str, Any]:
    """Builds previews with the name of this business, so that text lengths are about right."""
    site = site_of(request)
    real = {
        "business": site.renderer.branding.business_name,
        "console_link": f"{site.settings.console_at}{REMINDERS}",
    }
    return shown_wordings(DOCUMENT, text, real, example="first_reminder")


def summary(rules: ReminderRules) -> Iterator[tuple[str, str]]:
    """The rules in sentences."""
    yield from _schedule("Reminders", rules.usual)
    for each in rules.services:
        yield from _schedule(each.service, each.schedule)
    quiet = rules.quiet
    if quiet.start != quiet.end:
        yield "Quiet hours", f"No messages from {quiet.start:%H:%M} to {quiet.end:%H:%M}."
    hours = rules.staff_hours
    yield "Staff hours", f"{_days(hours.days)}, {hours.start:%H:%M} to {hours.end:%H:%M}."
    if rules.country:
        where = f"{rules.country}, {rules.region}" if rules.region else rules.country
        yield "Holidays", f"No messages on the public holidays of {where}."
    if rules.own_days:
        yield "Closed", ", ".join(f"{short_date(day)} {day.year}" for day in rules.own_days) + "."
    if rules.least_gap or rules.after_booking:
        yield "Gaps", _gaps(rules)


def _gaps(rules: ReminderRules) -> str:
    between, after = how_long(rules.least_gap), how_long(rules.after_booking)
    if not rules.after_booking:
        return f"At least {between} between two reminders."
    if not rules.least_gap:
        return f"At least {after} after a booking."
    return f"At least {between} between two reminders, and {after} after a booking."


def _days(days: Collection[int]) -> str:
    """'Monday to Saturday', or 'Monday, Wednesday and Friday'."""
    found = sorted(days)
    names = [ENGLISH.weekdays[day] for day in found]
    is_row = len(found) > 2 and found[-1] - found[0] == len(found) - 1
    return f"{names[0]} to {names[-1]}" if is_row else join_names(names)


def _schedule(name: str, schedule: Schedule) -> Iterator[tuple[str, str]]:
    times = join_names([f"{how_long(each.length)}" for each in schedule.reminders])
    text = f"{times} before." if times else "None."
    if schedule.after_no_show:
        more = how_long(schedule.after_no_show.length)
        text += f" People who missed a visit get one more, {more} before."
    text += f" Staff hear of a missing answer {how_long(schedule.alert.length)} before."
    if schedule.confirm_by:
        text += f" Customers confirm at least {how_long(schedule.confirm_by.length)} before."
    yield name, text


_DOCUMENT: Final = DocumentConsole(
    pages=(
        DocumentPage(
            name=RULES_NAME,
            tab="Rules",
            path=PATH,
            template="rules.html",
            noun="rules",
            use="",
            shown=shown,
        ),
        DocumentPage(
            name=VOICE_NAME,
            tab="Messages",
            path=VOICE_PATH,
            template="voice.html",
            noun="words",
            use="",
            shown=shown_voice,
        ),
    ),
    documents=lambda request: site_of(request).shared[EDITED_RULES],
    page=reminder_page,
    facts=lambda request: newest_first(ar_of(request), "reminders", DocumentTaken.kind),
    zone=zone_of,
)
