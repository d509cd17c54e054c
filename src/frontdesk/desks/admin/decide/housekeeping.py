"""Deletes old rows at night, one step at a time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Refused, SetTimer, TimerName
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.desks.admin.changes import Forget
from frontdesk.desks.admin.commands import PlanTidying, Tidy
from frontdesk.desks.admin.facts import Tidied
from frontdesk.desks.admin.model import Rows
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.admin.views import TidyView

TIMER: Final = TimerName("fd/tidy")
AT: Final = time(3)
#: How long expired sessions, links and keys are kept, so that pages can say why they ended.
SPARE: Final = timedelta(days=7)
#: How many rows one commit deletes; fewer where rows are large.
AT_ONCE: Final[Mapping[Rows, int]] = {
    Rows.SESSIONS: 500,
    Rows.SIGN_INS: 500,
    Rows.KEYS: 5_000,
    Rows.MAILS: 20,
    Rows.MESSAGES: 100,
}
#: The pause between two steps, so that other writes get their turn.
PAUSE: Final = timedelta(seconds=1)


def old_before(command: Tidy) -> dict[Rows, datetime]:
    """Return the instant before which each kind of row is old; kinds kept for ever are left out."""
    over, keep = command.due_at - SPARE, command.keep
    found = {Rows.SESSIONS: over, Rows.SIGN_INS: over, Rows.KEYS: over}
    if keep.mail_days:
        found[Rows.MAILS] = command.due_at - timedelta(days=keep.mail_days)
    if keep.messages_days:
        found[Rows.MESSAGES] = command.due_at - timedelta(days=keep.messages_days)
    return found


def plan(view: TidyView, _command: PlanTidying, now: datetime) -> Decision:
    if view.planned_at is not None:
        return Refused(Reason.ALREADY_THERE)
    return Accepted(timers=(SetTimer(TIMER, _next_night(view, now)),))


def tidy(view: TidyView, command: Tidy, now: datetime) -> Decision:
    """Delete one batch of old rows, then set the timer: soon if there are more, else the next
    night."""
    changes = tuple(
        Forget(what, before, AT_ONCE[what])
        for what, before in old_before(command).items()
        if view.old.get(what)
    )
    counts = {what.value: view.old.get(what, 0) for what in Rows}
    is_more = any(view.old.get(what) == most for what, most in AT_ONCE.items())
    next_at = now + PAUSE if is_more else _next_night(view, now)
    return Accepted(
        changes=changes,
        facts=(Tidied(**counts),) if changes else (),
        timers=(SetTimer(TIMER, next_at),),
    )


def _next_night(view: TidyView, now: datetime) -> datetime:
    tz = zone(view.zone)
    today = to_wall(now, tz).date()
    tonight = same_wall_time(today, AT, tz)
    return tonight if tonight > now else same_wall_time(today + timedelta(days=1), AT, tz)
