"""Reading a request is a job: asked for with the mail, done once it has been read."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.jobs import AddJob, AdvanceJob, Job
from frontdesk.core.mail import SettleMail
from frontdesk.desks.waitlist.commands import IgnoreRequest, Propose, ReadRequest
from frontdesk.desks.waitlist.decide import proposals
from frontdesk.desks.waitlist.facts import RequestIgnored
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import ReadingView
from frontdesk.values import replace

KIND: Final = "read"


def ask(view: Job | None, command: ReadRequest, _now: datetime) -> Decision:
    if view is not None:
        return Refused(Reason.UNCHANGED)
    return Accepted((AddJob(Job(command.job_id, "wl", KIND, command.mail_id, total=1)),))


def propose(view: ReadingView, command: Propose, now: datetime) -> Decision:
    """A mail that is read twice makes one proposal."""
    made = proposals.propose(view.proposal, command, now)
    if not (done := _done(view.job)):
        return made
    if isinstance(made, Refused):
        return Accepted(done)
    return replace(made, changes=(*made.changes, *done))


def ignore(view: ReadingView, command: IgnoreRequest, _now: datetime) -> Decision:
    """Nobody asked for anything: a machine wrote it, or it cannot be read."""
    done = _done(view.job)
    if not done:
        return Refused(Reason.UNCHANGED)
    if not view.mail_is_kept:
        return Accepted(done)
    settled = SettleMail(command.mail_id, "", command.why)
    return Accepted((*done, settled), (RequestIgnored(command.mail_id, command.why),))


def _done(job: Job | None) -> tuple[Change, ...]:
    if job is None or job.finished:
        return ()
    return (AdvanceJob(job.id, job.cursor, "read", 1, finished=True),)
