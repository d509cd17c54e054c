"""The jobs by which something is said in Slack: each is there once for what it is about."""

from __future__ import annotations

from typing import Final

from frontdesk.core.jobs import Job, JobId

REQUEST: Final = "slack-request"
SETTLED: Final = "slack-settled"
FORGOTTEN: Final = "slack-forgotten"
HANDED_BACK: Final = "slack-handed-back"
UNREACHABLE: Final = "slack-unreachable"
KINDS: Final = (REQUEST, SETTLED, FORGOTTEN, HANDED_BACK, UNREACHABLE)


def job_id(kind: str, subject: str) -> JobId:
    return JobId(f"{kind}-{subject.replace('/', '-')}")


def saying(kind: str, subject: str) -> Job:
    return Job(job_id(kind, subject), "wl", kind, subject, total=1)


def taking_back(said: JobId) -> Job:
    """What this job said is to be there no more: whom it is about was erased."""
    return saying(FORGOTTEN, said)
