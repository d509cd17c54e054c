"""Posts a desk's news to Slack, if it is set up. Imports lazily: most functions never post."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from frontdesk.channels.slack import build
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings
from frontdesk.values import Frozen, replace

if TYPE_CHECKING:
    from frontdesk.features.slack.news import News
    from frontdesk.features.slack.posts import SlackMessage, SlackPoster


class SlackNews(Frozen):
    """A desk's news, the mark of its messages, and a function that imports what builds them."""

    news: News
    event_type: str
    messages: Callable[[], Callable[[str], Mapping[str, SlackMessage]]]

    def add_jobs(
        self, desk: Desk, settings: Settings, reads: Callable[[], Reads], clock: Clock
    ) -> Desk:
        """Returns the desk with the jobs that post in Slack."""
        from frontdesk.features.slack.news import RULES

        @cache
        def poster() -> SlackPoster:
            from frontdesk.features.slack.posts import SlackPoster

            shown = self.messages()(settings.console_at)
            client = build(settings, self.event_type)
            return SlackPoster(client, clock, reads, shown, self.news.updates)

        def work(job: Job) -> Command:
            return poster().work(job)

        jobs = {**desk.jobs, **dict.fromkeys(self.news.kinds, work)}
        return replace(desk, rules={**desk.rules, **RULES}, jobs=jobs)

    def follower(self, clock: Clock) -> Binding:
        from frontdesk.features.slack.news import reactions

        return Binding(f"{self.news.desk}.slack", reactions(self.news, clock))
