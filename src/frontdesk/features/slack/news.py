"""What is worth saying in Slack: what was committed asks for a job, and the job says it.

Whoever commits anything loads this; how it is said is loaded with the first job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Final

from frontdesk.core.decision import Accepted, Command, Decision, Fact, Refused
from frontdesk.core.jobs import AddJob, AdvanceJob, Job, JobId
from frontdesk.desks.waitlist.facts import (
    OfferUnreachable,
    ProposalApproved,
    ProposalDiscarded,
    ProposalMade,
    SlotHandedBack,
)
from frontdesk.desks.waitlist.reasons import HandBack, Reason
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Rule
from frontdesk.engine.follow import Reaction
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.slack.jobs import (
    HANDED_BACK,
    REQUEST,
    SETTLED,
    UNREACHABLE,
    job_id,
    saying,
)
from frontdesk.frozen import frozen

#: In place of a message's name: there was nothing to say any more.
NOTHING: Final = "-"
#: What happened longer ago is no news: Slack may just have been set up.
NEWS: Final = timedelta(days=1)


@frozen
class SayInSlack(Command):
    """`subject` is what it is about, and with `kind` says it once."""

    kind: str
    subject: str

    @property
    def job_id(self) -> JobId:
        return job_id(self.kind, self.subject)


@frozen
class SaidInSlack(Command):
    """`ts` is Slack's name of the message."""

    job_id: JobId
    ts: str = NOTHING


def job_of(reads: Reads, command: SayInSlack | SaidInSlack) -> Job | None:
    return reads.engine.job(command.job_id)


def ask(view: Job | None, command: SayInSlack, _now: object) -> Decision:
    if view is not None:
        return Refused(Reason.UNCHANGED)
    return Accepted((AddJob(saying(command.kind, command.subject)),))


def finish(view: Job | None, command: SaidInSlack, _now: object) -> Decision:
    if view is None or view.finished:
        return Refused(Reason.UNCHANGED)
    return Accepted((AdvanceJob(view.id, view.cursor, command.ts, 1, finished=True),))


RULES: Final[Mapping[type[Command], Rule]] = {
    SayInSlack: Rule(job_of, ask),
    SaidInSlack: Rule(job_of, finish),
}


def reactions(clock: Clock) -> Mapping[type[Fact], Reaction]:
    """What is said when."""

    def about(kind: str, subject_of: Callable[[Fact], str]) -> Reaction:
        def say(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
            subject = subject_of(recorded.fact)
            if subject and recorded.at >= clock.now() - NEWS:
                yield SayInSlack(kind, subject)

        return say

    return {
        ProposalMade: about(REQUEST, lambda fact: fact.subject),
        ProposalApproved: about(SETTLED, lambda fact: fact.subject),
        ProposalDiscarded: about(SETTLED, lambda fact: fact.subject),
        SlotHandedBack: about(HANDED_BACK, _unless_taken_back),
        OfferUnreachable: about(UNREACHABLE, lambda fact: f"{fact.subject}/{fact.about}"),
    }


def _unless_taken_back(fact: Fact) -> str:
    """Who took it back knows."""
    assert isinstance(fact, SlotHandedBack)
    return "" if fact.why is HandBack.STAFF else fact.subject
