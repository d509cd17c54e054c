"""The reminders desk's cards on Today, and a person's appointments on their page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import Person
from frontdesk.core.phones import shown
from frontdesk.core.words import count
from frontdesk.desks.reminders.console.event_cards import event_cards
from frontdesk.desks.reminders.console.page import (
    PROPOSED,
    REMINDERS,
    appointment_url,
    chip_of,
    customer,
    day_and_time,
    open_proposals,
    record_lines,
    wants_to_move,
)
from frontdesk.desks.reminders.decide.appointments import is_overdue
from frontdesk.desks.reminders.decide.documents import SAVED_DOCUMENT
from frontdesk.desks.reminders.figures import is_refilled
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    PAUSE_STATE,
    Appointment,
    AppointmentSource,
    AppointmentState,
    Window,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.engine.ports import Reads
from frontdesk.features.documents.console import mistakes_card
from frontdesk.web.console.formatting import short_date
from frontdesk.web.console.lists import with_query
from frontdesk.web.console.sections import PersonPlace, TodayCard

_AHEAD: Final = timedelta(days=60)
_DAY: Final = timedelta(days=1)


def cards(reads: Reads, now: datetime) -> Sequence[TodayCard]:
    ar = reminder_reads(reads)
    tz = zone(ar.rules().zone)
    rules = ar.rules()
    ahead = ar.appointments_between(now, now + _AHEAD)
    coming = [one for one in ahead if one.is_live]
    return [
        *mistakes_card(reads.engine.setting(SAVED_DOCUMENT), "reminders", f"{REMINDERS}/rules"),
        *_proposed(ar),
        *_paused(reads, tz),
        *_to_move(ar, coming, tz),
        *event_cards(ar, ahead, tz),
        *_overdue(ar, [one for one in coming if is_overdue(rules, one, now)], tz),
        *_gaps(ar, [one for one in coming if not is_overdue(rules, one, now)], tz),
        *_cancelled(ar, ahead, tz, now),
        *_tomorrow(coming, now),
    ]


def _proposed(ar: ReminderReads) -> Iterator[TodayCard]:
    if n := open_proposals(ar):
        yield TodayCard(
            title="1 appointment to approve" if n == "1" else f"{n} appointments to approve",
            text="Read from mails or calendars. Nobody is reminded before you approve.",
            url=PROPOSED,
            button="Review the appointment" if n == "1" else "Review the appointments",
            sign="messages",
            state="ending",
        )


def _paused(reads: Reads, tz: ZoneInfo) -> Iterator[TodayCard]:
    since = reads.engine.setting(PAUSE_STATE).since
    if since is not None:
        wall = to_wall(since, tz)
        yield TodayCard(
            title="Reminders are paused",
            text=f"Nobody has been reminded since {short_date(wall.date())}, {wall:%H:%M}.",
            url=f"{REMINDERS}/next",
            button="See what is paused",
            sign="alert",
            chip="Paused",
            state="ending",
        )


def _to_move(ar: ReminderReads, coming: Sequence[Appointment], tz: ZoneInfo) -> Iterator[TodayCard]:
    for one in filter(wants_to_move, coming):
        yield TodayCard(
            title=f"{name_on(ar, one)} wants another time",
            text=f"{one.service}, {day_and_time(one, tz)}.",
            url=appointment_url(one.id),
            button="See the appointment",
            sign="bookings",
            chip="Move",
            state="waiting",
            at=one.starts_at,
        )


def _overdue(
    ar: ReminderReads, overdue: Sequence[Appointment], tz: ZoneInfo
) -> Iterator[TodayCard]:
    """Appointments that nobody confirmed by the time in the rules."""
    for one in overdue:
        call = f"Call {_reach(ar, one)}, or give the time away."
        yield TodayCard(
            title=f"{name_on(ar, one)} did not confirm in time",
            text=f"{one.service}, {day_and_time(one, tz)}. {call}",
            url=appointment_url(one.id),
            button="See the appointment",
            action="Give the time away",
            action_url=f"{appointment_url(one.id)}/release",
            sign="alert",
            chip="Not confirmed",
            state="ending",
            at=one.starts_at,
        )


def name_on(ar: ReminderReads, one: Appointment) -> str:
    return one.name or customer(ar.person(one.person_id))


def _gaps(ar: ReminderReads, coming: Sequence[Appointment], tz: ZoneInfo) -> Iterator[TodayCard]:
    """Appointments without an answer about which staff were told."""
    for one in coming:
        if one.is_unanswered and Window.GAP in one.settled:
            yield TodayCard(
                title=f"No answer from {name_on(ar, one)}",
                text=f"{one.service}, {day_and_time(one, tz)}. Call {_reach(ar, one)}.",
                url=appointment_url(one.id),
                button="See the appointment",
                sign="alert",
                chip="No answer",
                state="ending",
                at=one.starts_at,
            )


def _reach(ar: ReminderReads, one: Appointment) -> str:
    """The number to call, if we know one."""
    person = ar.person(one.person_id)
    return shown(person.mobile) if person and person.mobile else one.phone or "them"


def _cancelled(
    ar: ReminderReads, ahead: Sequence[Appointment], tz: ZoneInfo, now: datetime
) -> Iterator[TodayCard]:
    """Times that came free lately and that nobody has taken yet."""
    for one in ahead:
        is_new = one.closed_at is not None and one.closed_at > now - _DAY
        if one.state is AppointmentState.CANCELLED and is_new and not is_refilled(one, ahead):
            by_answer = one.answered_at == one.closed_at
            about = " cannot come" if by_answer else f": {one.service}"
            yield TodayCard(
                title=f"{name_on(ar, one)}{about}",
                text=f"{one.service}, {day_and_time(one, tz)}. Nobody has taken the time yet.",
                url=appointment_url(one.id),
                button="See the appointment",
                sign="bookings",
                chip="Cancelled",
                state="gone",
                needs_you=False,
                at=one.starts_at,
            )


def _tomorrow(coming: Sequence[Appointment], now: datetime) -> Iterator[TodayCard]:
    soon = [one for one in coming if one.starts_at <= now + _DAY]
    open_ = [one for one in soon if one.is_unanswered]
    confirmed = [one for one in soon if one.state is AppointmentState.CONFIRMED]
    to_move = len(soon) - len(open_) - len(confirmed)
    if soon:
        move = f", {to_move} to move" if to_move else ""
        yield TodayCard(
            title=f"{count(len(soon), 'appointment')} in the next 24 hours",
            text=f"{len(confirmed)} confirmed, {len(open_)} without an answer{move}.",
            url=with_query(REMINDERS, {"state": "unanswered"} if open_ else {}),
            button="See the appointments",
            sign="bookings",
            needs_you=False,
        )


def record(reads: Reads, person: Person, now: datetime) -> Sequence[tuple[str, str]]:
    """The person's visits so far; nothing about somebody who never had an appointment."""
    ar = reminder_reads(reads)
    visits = ar.appointments_of(person.id)
    return record_lines(visits, zone(ar.rules().zone), now) if visits else ()


def places(reads: Reads, person: Person) -> Sequence[PersonPlace]:
    ar = reminder_reads(reads)
    tz = zone(ar.rules().zone)
    return [
        PersonPlace(
            desk="Reminders",
            title=f"{one.service}, {day_and_time(one, tz)}",
            url=appointment_url(one.id),
            word=chip_of(one).word,
            state=chip_of(one).state,
            about=one.id,
            repeats=one.ref if one.source is AppointmentSource.BOOKING else "",
            data={"service": one.service, "starts_at": one.starts_at.isoformat()},
        )
        for one in ar.appointments_of(person.id)
    ]
