"""Selects the facts that become posts in Slack. Imports little, because every function that commits
loads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from frontdesk.core.jobs import JobId
from frontdesk.desks.reminders.facts import GapFound, GapReason, WeekSummedUp
from frontdesk.desks.reminders.model import CODE, AppointmentId
from frontdesk.features.slack.news import News, job_id

GAP: Final = "slack-gap"
WEEK: Final = "slack-week"
#: Marks our messages in the channel.
EVENT_TYPE: Final = "frontdesk_reminders"
#: The newest chains whose posts can be found in the channel; older posts are too far back.
MOST_CHAINS: Final = 20


def gap_subject(appointment_id: AppointmentId, chain: int, why: GapReason) -> str:
    return f"{appointment_id}/{chain}/{why.value}"


def gap_posts(appointment_id: AppointmentId, last_chain: int) -> Iterator[JobId]:
    """The jobs that may have posted about one of the newest chains of an appointment."""
    for chain in range(max(1, last_chain - MOST_CHAINS), last_chain + 1):
        for why in GapReason:
            yield job_id(GAP, gap_subject(appointment_id, chain, why))


NEWS: Final = News(
    CODE,
    {
        GapFound: (GAP, lambda fact: gap_subject(fact.appointment_id, fact.chain, fact.why)),
        WeekSummedUp: (WEEK, lambda fact: fact.week.isoformat()),
    },
)
