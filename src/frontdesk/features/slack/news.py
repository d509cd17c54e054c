"""Turns facts that are news into jobs that post in Slack.

Every function that commits loads this module; the first job loads the code that builds messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from frontdesk.core.decision import Accepted, Command, Decision, Fact, Refused
from frontdesk.core.jobs import AddJob, AdvanceJob, Job, JobId
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Rule
from frontdesk.engine.follow import Reaction
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.values import Frozen, field

PREFIX: Final = "slack-"
RETRACT: Final = "slack-forgotten"


def is_slack_job(kind: str) -> bool:
    return kind.startswith(PREFIX)


def job_id(kind: str, subject: str) -> JobId:
    return JobId(f"{kind}-{subject.replace('/', '-')}")


def post_job(desk: str, kind: str, subject: str) -> Job:
    return Job(job_id(kind, subject), desk, kind, subject, total=1)


def retract_job(desk: str, posted: JobId) -> Job:
    """A job that retracts the message of another job, because its person was erased."""
    return post_job(desk, RETRACT, posted)


#: Takes the place of a message's timestamp if there was nothing to post.
NOTHING: Final = "-"
#: Older facts are not posted: Slack may just have been set up.
MAX_AGE: Final = timedelta(days=1)


class Reason(StrEnum):
    UNCHANGED = "unchanged"


class News(Frozen):
    """A desk's news. `facts` maps a fact to the kind of its message and a function that returns its
    subject; an empty subject means no news."""

    desk: str
    facts: Mapping[type[Fact], tuple[str, Callable[[Any], str]]]
    updates: Mapping[str, str] = field(default_factory=dict)
    """Kinds that post no message but update that of another kind."""

    @property
    def kinds(self) -> tuple[str, ...]:
        return (*dict.fromkeys(kind for kind, _ in self.facts.values()), RETRACT)


class PostToSlack(Command):
    """Adds the job for a message; each kind and subject is posted once."""

    desk: str
    kind: str
    subject: str

    @property
    def job_id(self) -> JobId:
        return job_id(self.kind, self.subject)


class FinishSlackPost(Command):
    """Finishes a job. `ts` is Slack's id of the message."""

    job_id: JobId
    ts: str = NOTHING


def job_of(reads: Reads, command: PostToSlack | FinishSlackPost) -> Job | None:
    return reads.engine.job(command.job_id)


def add_post_job(view: Job | None, command: PostToSlack, _now: object) -> Decision:
    if view is not None:
        return Refused(Reason.UNCHANGED)
    return Accepted((AddJob(post_job(command.desk, command.kind, command.subject)),))


def finish_post_job(view: Job | None, command: FinishSlackPost, _now: object) -> Decision:
    if view is None or view.finished:
        return Refused(Reason.UNCHANGED)
    return Accepted((AdvanceJob(view.id, view.cursor, command.ts, 1, finished=True),))


RULES: Final[Mapping[type[Command], Rule]] = {
    PostToSlack: Rule(job_of, add_post_job),
    FinishSlackPost: Rule(job_of, finish_post_job),
}


def reactions(news: News, clock: Clock) -> Mapping[type[Fact], Reaction]:
    def about(kind: str, subject_of: Callable[[Any], str]) -> Reaction:
        def post(_reads: Reads, recorded: Recorded) -> Iterable[Command]:
            subject = subject_of(recorded.fact)
            if subject and recorded.at >= clock.now() - MAX_AGE:
                yield PostToSlack(news.desk, kind, subject)

        return post

    return {fact: about(*found) for fact, found in news.facts.items()}
