"""Decides when staff hear of a failing outside system, and when the trouble is over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.decision import Accepted, Decision, Fact, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin.commands import EndTrouble, ReportTrouble
from frontdesk.desks.admin.facts import TroubleBegan, TroubleEnded
from frontdesk.desks.admin.model import SAVED_TROUBLES, Part, Trouble
from frontdesk.desks.admin.reasons import Reason
from frontdesk.values import replace

Troubles = tuple[Trouble, ...]

#: Staff hear of a trouble that may pass by itself only after it has lasted this long.
LASTS: Final = timedelta(minutes=15)
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
    is_to_be_told = command.at_once or now - going_on.since >= LASTS
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
