"""Deletes old rows at night, and decides when staff hear of a failing part."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Fact, Refused, SetTimer, TimerName
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin.changes import DeleteOldRows
from frontdesk.desks.admin.commands import EndTrouble, PlanTidying, ReportTrouble, Tidy
from frontdesk.desks.admin.facts import Tidied, TroubleBegan, TroubleEnded
from frontdesk.desks.admin.model import SAVED_TROUBLES, OldRows, Part, Trouble
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.admin.views import TidyView
from frontdesk.values import replace

TIMER: Final = TimerName("fd/tidy")
TIDY_AT: Final = time(3)
#: How long expired sessions, links and keys are kept, so that pages can say why they ended.
GRACE: Final = timedelta(days=7)
#: How many rows one commit deletes; fewer where rows are large.
AT_ONCE: Final[Mapping[OldRows, int]] = {
    OldRows.SESSIONS: 500,
    OldRows.SIGN_INS: 500,
    OldRows.KEYS: 5_000,
    OldRows.MAILS: 20,
    OldRows.MESSAGES: 100,
}
#: The pause between two steps, so that other writes get their turn.
PAUSE: Final = timedelta(seconds=1)


def old_before(command: Tidy) -> dict[OldRows, datetime]:
    """Returns the instant before which rows of each kind are old, without kinds kept for ever."""
    over, retention = command.due_at - GRACE, command.retention
    found = {OldRows.SESSIONS: over, OldRows.SIGN_INS: over, OldRows.KEYS: over}
    if retention.mail_days:
        found[OldRows.MAILS] = command.due_at - timedelta(days=retention.mail_days)
    if retention.messages_days:
        found[OldRows.MESSAGES] = command.due_at - timedelta(days=retention.messages_days)
    return found


def plan(view: TidyView, _command: PlanTidying, now: datetime) -> Decision:
    if view.planned_at is not None:
        return Refused(Reason.ALREADY_THERE)
    return Accepted(timers=(SetTimer(TIMER, _next_night(view, now)),))


def tidy(view: TidyView, command: Tidy, now: datetime) -> Decision:
    """Deletes one batch of old rows, then sets the timer: soon if there are more, else the next
    night."""
    changes = tuple(
        DeleteOldRows(what, before, AT_ONCE[what])
        for what, before in old_before(command).items()
        if view.old.get(what)
    )
    counts = {what.value: view.old.get(what, 0) for what in OldRows}
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
    tonight = same_wall_time(today, TIDY_AT, tz)
    return tonight if tonight > now else same_wall_time(today + timedelta(days=1), TIDY_AT, tz)


Troubles = tuple[Trouble, ...]

#: Staff hear of a trouble only after it has lasted this long, unless somebody has to act.
TOLD_AFTER: Final = timedelta(minutes=15)
#: Staff get at most one mail about a part within this time.
AGAIN_AFTER: Final = timedelta(days=1)
MOST_WHY: Final = 300


def report(view: Troubles, command: ReportTrouble, now: datetime) -> Decision:
    now = now.replace(microsecond=0)
    before = _of(view, command.part)
    if before is not None and before.ended_at is None:
        going_on = before
    else:
        told_at = before.told_at if before else None
        going_on = Trouble(command.part, now, command.why[:MOST_WHY], told_at=told_at)
    is_to_be_told = command.at_once or now - going_on.since >= TOLD_AFTER
    if is_to_be_told and not going_on.staff_know:
        return _tell(view, replace(going_on, why=command.why[:MOST_WHY]), now)
    if going_on is before:
        return Refused(Reason.UNCHANGED)
    return _written(view, going_on)


def _tell(view: Troubles, trouble: Trouble, now: datetime) -> Accepted:
    by_mail = trouble.told_at is None or now - trouble.told_at >= AGAIN_AFTER
    told = replace(trouble, staff_know=True, told_at=now if by_mail else trouble.told_at)
    fact = TroubleBegan(trouble.part, trouble.since, trouble.why, by_mail)
    return _written(view, told, fact)


def end(view: Troubles, command: EndTrouble, now: datetime) -> Decision:
    trouble = _of(view, command.part)
    if trouble is None or trouble.ended_at is not None:
        return Refused(Reason.UNCHANGED)
    ended = replace(trouble, ended_at=now.replace(microsecond=0))
    facts = (TroubleEnded(trouble.part, trouble.since),) if trouble.staff_know else ()
    return _written(view, ended, *facts)


def _of(view: Troubles, part: Part) -> Trouble | None:
    return next((each for each in view if each.part is part), None)


def _written(view: Troubles, trouble: Trouble, *facts: Fact) -> Accepted:
    others = tuple(each for each in view if each.part is not trouble.part)
    after = tuple(sorted((*others, trouble), key=lambda each: each.part))
    return Accepted((WriteSetting(SAVED_TROUBLES, view, after),), facts)
