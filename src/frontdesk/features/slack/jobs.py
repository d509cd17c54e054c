"""Jobs that post in Slack. A job's id contains its kind and subject, so each exists once."""

from __future__ import annotations

from typing import Final

from frontdesk.core.jobs import Job, JobId

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
