"""Runs the jobs that post in Slack; a job ends when Slack has accepted its message.

A job survives a crash and is retried; a message that Slack rejects becomes a dead letter, which
staff see and can replay. A finished job keeps the timestamp of its message. Each message carries
the id of its job, so that a message whose answer was lost is found and not posted again. If Slack
does not let us search, a message may appear twice; its buttons still act once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.channels.slack.client import Block, Post, Slack, SlackUnavailable
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job, JobId
from frontdesk.engine.clock import Clock
from frontdesk.engine.ports import Reads
from frontdesk.features.slack.news import NOTHING, RETRACT, FinishSlackPost, job_id
from frontdesk.values import Frozen, field

#: The most characters that we put in a field.
MAX_CHARACTERS: Final = 300


def news(sentence: str, label: str, url: str) -> Post:
    """A sentence in Slack's markup, with a link."""
    linked = f"{sentence}\n<{url}|{label}>"
    return Post(sentence, [{"type": "section", "text": {"type": "mrkdwn", "text": linked}}])


def retraction() -> Post:
    """The text that replaces a message about an erased person."""
    text = "This was about somebody who has asked to be forgotten."
    return Post(text, [small(text)])


def button(label: str, action: str, **more: Any) -> Block:
    return {"type": "button", "text": plain(label), "action_id": action, **more}


def small(text: str) -> Block:
    return {"type": "context", "elements": [plain(text)]}


def plain(text: str) -> Mapping[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def short(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"


#: The pause after Slack was not available. It is shorter than the first retry delay of a job.
PAUSE: Final = timedelta(seconds=3)


class SlackMessage(Frozen):
    """One kind of message. Both functions get the subject of the job."""

    post: Callable[[Reads, str, datetime], Post | None]
    """Returns None if there is nothing to post any more."""
    settled: Callable[[Reads, str], Post | None] | None = None
    """Returns the message after its subject is settled; None before."""


class SlackPoster(Frozen):
    """Posts, updates and retracts a desk's messages in the channel."""

    slack: Slack
    clock: Clock
    reads: Callable[[], Reads]
    messages: Mapping[str, SlackMessage]
    updates: Mapping[str, str]
    _unavailable_at: list[datetime] = field(default_factory=list)
    """The last time when Slack was not available, or no item."""

    def work(self, job: Job) -> Command:
        """Runs a job. After Slack was not available, all jobs pause, because each attempt delays
        other jobs."""
        if self._unavailable_at and self.clock.now() < self._unavailable_at[-1] + PAUSE:
            raise SlackUnavailable("Slack was not available a moment ago")
        try:
            return self._work(job)
        except SlackUnavailable:
            self._unavailable_at[:] = [self.clock.now()]
            raise

    def _work(self, job: Job) -> Command:
        if job.kind == RETRACT:
            if ts := self._ts(JobId(job.subject)):
                self.slack.update(ts, retraction())
        elif updated := self.updates.get(job.kind):
            # A message that is not posted yet will show the state of its subject at that time.
            if ts := self._ts(job_id(updated, job.subject)):
                self._settle(self.messages[updated], job.subject, ts)
        else:
            return self._post(job)
        return FinishSlackPost(job.id)

    def _ts(self, posted: JobId) -> str:
        job = self.reads().engine.job(posted)
        return job.cursor if job and job.finished and job.cursor != NOTHING else ""

    def _post(self, job: Job) -> Command:
        """Posts a message. A settled subject is not posted, but its message may exist from
        before a crash."""
        message, ts = self.messages[job.kind], ""
        if post := message.post(self.reads(), job.subject, self.clock.now()):
            ts = self.slack.post(post, job.id)
        elif message.settled:
            ts = self.slack.find(job.id)
        if not ts:
            return FinishSlackPost(job.id)
        self._settle(message, job.subject, ts)
        return FinishSlackPost(job.id, ts)

    def _settle(self, message: SlackMessage, subject: str, ts: str) -> None:
        if message.settled and (post := message.settled(self.reads(), subject)):
            self.slack.update(ts, post)
