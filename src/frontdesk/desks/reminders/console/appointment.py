"""The page of one appointment: state, customer, story, and actions of staff."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.localtime import spoken_start
from frontdesk.core.people import Person
from frontdesk.core.phones import can_text, shown
from frontdesk.core.words import how_long, join_names
from frontdesk.desks.reminders import commands
from frontdesk.desks.reminders.console.event_cards import event_question
from frontdesk.desks.reminders.console.page import (
    LOADER,
    REMINDERS,
    SOURCE_PAGES,
    SourcePages,
    appointment_of,
    appointment_url,
    ar_of,
    chip_of,
    customer,
    name_on,
    record_lines,
    reminder_page,
    zone_of,
)
from frontdesk.desks.reminders.console.rows import SHEET, can_edit
from frontdesk.desks.reminders.decide.appointments import is_overdue
from frontdesk.desks.reminders.decide.forecast import planned_messages
from frontdesk.desks.reminders.load import MOST_OF_CUSTOMER, RECENTLY
from frontdesk.desks.reminders.model import (
    IN_SHEET,
    Appointment,
    AppointmentSource,
    AppointmentState,
    EventTrouble,
    Means,
    Window,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.rules import Schedule
from frontdesk.desks.reminders.story import WINDOWS, appointment_story, origin
from frontdesk.features.sheet_sync.console import EditingPlace
from frontdesk.values import replace
from frontdesk.web.console.actions import RowAction
from frontdesk.web.console.formatting import exact_time, short_time
from frontdesk.web.console.shell import staff
from frontdesk.web.console.timeline import steps
from frontdesk.web.site import site_of


def _is_coming(one: Appointment, now: datetime) -> bool:
    return one.is_live and now < one.starts_at


def _is_unconfirmed(one: Appointment, now: datetime) -> bool:
    return _is_coming(one, now) and one.state is not AppointmentState.CONFIRMED


def _may_remind(one: Appointment, now: datetime) -> bool:
    return _is_coming(one, now) and one.is_unanswered and not one.tags.skip


def _has_begun(one: Appointment, now: datetime) -> bool:
    return one.is_live and one.starts_at <= now


def _staff_nonce(one: Appointment) -> str:
    """The nonce of an answer that staff noted. A correction after it is another answer."""
    return f"{one.chain}.staff.{one.version}"


ACTIONS: Final = (
    RowAction[Appointment](
        "confirm",
        "They are coming",
        lambda one, _now: commands.Confirm(one.id, one.chain, _staff_nonce(one), Means.STAFF),
        "Noted: the customer is coming.",
        _is_unconfirmed,
    ),
    RowAction[Appointment](
        "remind",
        "Remind now",
        lambda one, now: commands.RemindNow(one.id, now),
        "The reminder goes out, after quiet hours at the latest.",
        _may_remind,
    ),
    RowAction[Appointment](
        "came",
        "They came",
        lambda one, _now: commands.MarkCame(one.id),
        "Noted: the customer came.",
        _has_begun,
    ),
    RowAction[Appointment](
        "no-show",
        "Did not come",
        lambda one, _now: commands.MarkNoShow(one.id),
        "Noted as a no-show.",
        lambda one, now: _has_begun(one, now) or one.state is AppointmentState.CAME,
        "Mark this as a no-show?",
        "The rest of the time is free for somebody else.",
        is_danger=True,
    ),
    RowAction[Appointment](
        "cancel",
        "They cannot come",
        lambda one, _now: commands.Cancel(one.id, one.chain, _staff_nonce(one), Means.STAFF),
        "Cancelled. The time is free for somebody else.",
        _is_coming,
        "Cancel this appointment for the customer?",
        "The customer is told that it is cancelled. The time is free for somebody else.",
        is_danger=True,
    ),
)
#: Actions for a calendar event that does not follow its appointment.
EVENT_ACTIONS: Final = (
    RowAction[Appointment](
        "event-keep",
        "Keep it as it is here",
        lambda one, _now: commands.AnswerEvent(one.id, keep=True),
        "Kept. The event in the calendar follows.",
        lambda one, _now: _asks(one),
    ),
    RowAction[Appointment](
        "event-take",
        "Take it as it is in the calendar",
        lambda one, _now: commands.AnswerEvent(one.id, keep=False),
        "Taken over from the calendar.",
        lambda one, _now: _asks(one),
    ),
    RowAction[Appointment](
        "event-again",
        "Try the calendar again",
        lambda one, _now: commands.AnswerEvent(one.id, keep=True),
        "We are trying.",
        lambda one, _now: one.event is not None and one.event.trouble is EventTrouble.FAILED,
    ),
)
_QUESTIONS: Final = (EventTrouble.CHANGED, EventTrouble.GONE)


def _asks(one: Appointment) -> bool:
    return one.event is not None and one.event.trouble in _QUESTIONS


#: For an appointment that nobody confirmed by the time in the rules.
RELEASE: Final = RowAction[Appointment](
    "release",
    "Give the time away",
    lambda one, _now: commands.ReleaseAppointment(one.id),
    "Given away. The time is free for somebody else, and the customer is told.",
    _is_coming,
    is_danger=True,
)
_BY_NAME: Final = {action.name: action for action in (*ACTIONS, *EVENT_ACTIONS, RELEASE)}

_REFUSALS: Final[Mapping[StrEnum, str]] = {
    Reason.ENDED: "This appointment has ended already.",
    Reason.NOT_BEGUN: "It has not begun yet.",
    Reason.NOT_OVERDUE: "There is still time to confirm: see “confirm by” in the rules.",
    Reason.ALREADY_CONFIRMED: "It is confirmed already.",
    Reason.ANSWERED: "The customer has answered, so no reminder goes out.",
    Reason.NOTHING_DUE: "There is no reminder left to send.",
    Reason.TOO_LATE: "It is too late for that.",
    Reason.PAUSED: "Reminders are paused. Resume them first, under “Going out next”.",
    Reason.SPENT: "Somebody has noted this already.",
}


def refusal(reason: StrEnum) -> str:
    return _REFUSALS.get(reason, "That is not possible any more. Please look at it again.")


def routes() -> list[BaseRoute]:
    path = f"{REMINDERS}/one/{{appointment}}"
    return [
        Route(path, staff(show), methods=["GET"]),
        Route(f"{path}/{{action}}", staff(run_action), methods=["POST"]),
    ]


async def show(request: Request) -> Response:
    one, site, ar = appointment_of(request), site_of(request), ar_of(request)
    tz, now = zone_of(request), site.clock.now()
    person = ar.person(one.person_id)
    return reminder_page(
        request,
        "appointment.html",
        tab="Appointments",
        page_title=f"{customer(person)}: {one.service}",
        url=appointment_url(one.id),
        chip=chip_of(one),
        when=spoken_start(one.starts_at, tz),
        facts=_facts(ar, one),
        edit_url=f"{appointment_url(one.id)}/edit" if can_edit(request, one) else "",
        source=_source_pages(request, one),
        kept_in=_editing_place(request, one),
        can_move=_is_coming(one, now),
        wishes=_wishes(ar, one),
        mobile=person.mobile if person else "",
        mobile_shown=shown(person.mobile) if person else "",
        email=person.email if person else "",
        person_url=f"/console/people/{one.person_id}",
        record=record_lines(ar.appointments_of(one.person_id), tz, now),
        reminders=_still_due(request, one, now),
        event_question=event_question(one, name_on(one, person), tz),
        actions=[action for action in (*EVENT_ACTIONS, *ACTIONS) if action.fits(one, now)]
        + ([RELEASE] if _is_overdue(request, one, now) else []),
        story=steps(appointment_story(site.reads(), one.id, tz), lambda at: exact_time(at, tz)),
    )


def _wishes(ar: ReminderReads, one: Appointment) -> list[str]:
    """The customer's wishes about the current time of the appointment."""
    return [
        each.wishes for each in ar.replies_of(one.id) if each.wishes and each.chain == one.chain
    ]


def _editing_place(request: Request, one: Appointment) -> EditingPlace | None:
    """Where staff must change the appointment, if they cannot change it here."""
    if not _is_coming(one, site_of(request).clock.now()):
        return None
    if one.source is AppointmentSource.CALENDAR and one.calendar:
        return EditingPlace(f"the calendar {one.calendar}")
    return SHEET.source(request) if one.source in IN_SHEET else None


def _source_pages(request: Request, one: Appointment) -> SourcePages | None:
    find = site_of(request).shared.get(SOURCE_PAGES)
    return find(one) if find else None


def _still_due(request: Request, one: Appointment, now: datetime) -> list[dict[str, str]]:
    """The reminders that will go out if nobody answers."""
    site, tz = site_of(request), zone_of(request)
    if not _may_remind(one, now):
        return []
    planner = replace(site.shared[LOADER].planner(site.reads()), is_paused=False)
    ar = ar_of(request)
    mine = ar.live_of(one.person_id, now - RECENTLY, MOST_OF_CUSTOMER)
    planned = planned_messages(planner, mine, ar.no_shows_of(one.person_id), now)
    return [
        {
            "title": f"{WINDOWS[window].capitalize()}, {short_time(each.at, tz)}",
            "skip_url": f"{appointment_url(one.id)}/skip/{window.value}",
        }
        for each in planned
        if each.window is not Window.GAP and (window := each.window_of(one.id))
    ]


def _is_overdue(request: Request, one: Appointment, now: datetime) -> bool:
    return _is_coming(one, now) and is_overdue(ar_of(request).rules(), one, now)


def _facts(ar: ReminderReads, one: Appointment) -> list[tuple[str, str]]:
    """The labelled lines beside the appointment; empty ones are left out."""
    schedule = ar.rules().schedule(one.service)
    lines = (
        ("For", one.name),
        ("With", one.staff),
        ("Duration", how_long(one.duration)),
        ("From", origin(ar, one)),
        ("Reminders", _reminders(one, schedule)),
        ("Tags", str(one.tags)),
        ("Number as written", f"{one.phone} (takes no texts)" if one.phone else ""),
        ("Texts", _why_no_texts(one, ar.person(one.person_id))),
    )
    return [(label, value) for label, value in lines if value]


def _why_no_texts(one: Appointment, person: Person | None) -> str:
    """Why the customer's number gets no texts; empty if it gets them."""
    if person is None or not person.mobile:
        return ""
    if one.tags.mail_only:
        return "not to this number: it was not given for this appointment"
    if person.mobile_fails:
        return "fail, so mail is used" if person.email else "fail, and there is no e-mail address"
    return "" if can_text(person.mobile) else "not to this number: it is no mobile"


def _reminders(one: Appointment, schedule: Schedule) -> str:
    """'3 days and 1 day before': from its tags, or else from the rules."""
    if one.tags.skip:
        return "none"
    leads = one.tags.remind or schedule.reminders
    return f"{join_names([how_long(each.length) for each in leads])} before"


async def run_action(request: Request) -> Response:
    one = appointment_of(request)
    action, url = _BY_NAME.get(request.path_params["action"]), appointment_url(one.id)
    if action is None:
        return await show(request)
    return await action.run(request, one, url, active=REMINDERS, refusal=refusal)
