"""Delivery rules of the reminders desk: recipients, quiet hours and holidays, and arming."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from frontdesk.core.decision import Command
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send, Via
from frontdesk.desks.reminders import commands
from frontdesk.desks.reminders.decide.arming import takes_mail
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.load import Loader, reminder_reads
from frontdesk.desks.reminders.model import AppointmentId
from frontdesk.desks.reminders.notes import BY_MAIL, KINDS
from frontdesk.engine.desk import DeliveryRules, Drop, HoldUntil, Render
from frontdesk.engine.ports import Reads
from frontdesk.values import replace

_WINDOWS: Final = {kind: window for window, kind in KINDS.items()}
#: How long a message waits during a pause before it is checked again.
PAUSE_CHECK: Final = timedelta(minutes=15)
C = TypeVar("C", bound=commands.ReminderCommand)


def delivery_rules(render: Render, loader: Loader) -> DeliveryRules:
    return DeliveryRules(
        recipients=recipients,
        when=lambda reads, send, now: when(loader.planner(reads), send, now),
        render=render,
        arm=arm,
        disarm=lambda send: _reminder_command(commands.DisarmReminder, send),
        undeliverable=undeliverable,
        has_other_route=lambda reads, send, now: goes_by_mail(loader, reads, send, now),
        asked_for=frozenset(("cancelled", "moved", "which_visit", "choose_time", "too_late")),
    )


def recipients(reads: Reads, note: Note) -> Iterable[PersonId]:
    return reminder_reads(reads).staff() if note.to == To.HOSTS else (PersonId(note.to),)


def when(planner: Planner, send: Send, now: datetime) -> HoldUntil | Drop | None:
    """Holds reminders in quiet hours, on holidays and during a pause, even if they were queued
    before."""
    if send.quiet is Quiet.IGNORE:
        return None
    if planner.is_paused:
        return HoldUntil(now + PAUSE_CHECK)
    until = planner.allowed.next_allowed(now)
    return HoldUntil(until) if until > now else None


def arm(send: Send) -> Command | None:
    command = _reminder_command(commands.ArmReminder, send)
    return command and replace(command, by_mail=send.params.get("by") == BY_MAIL)


def goes_by_mail(loader: Loader, reads: Reads, send: Send, now: datetime) -> bool:
    """Whether a mail replaces a refused text. Staff are told of it."""
    command = _reminder_command(commands.ReportUndelivered, send)
    if command is None or send.via is not Via.TEXT:
        return False
    return takes_mail(loader.message(reads, command), now)


def undeliverable(send: Send) -> Command | None:
    command = _reminder_command(commands.ReportUndelivered, send)
    if command is None:
        return None
    return replace(command, why=send.why, by_text=send.via is Via.TEXT)


def _reminder_command(kind: type[C], send: Send) -> C | None:
    """A command about the reminder of this send; None for other messages."""
    window = _WINDOWS.get(send.kind)
    if window is None:
        return None
    together = tuple(map(AppointmentId, str(send.params["together"]).split()))
    return kind(AppointmentId(send.subject), int(send.params["chain"]), window, together)
