"""Counts rows for staff and metrics. No decision uses it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.sends import SendState, Via
from frontdesk.engine.health import StoreStats
from frontdesk.engine.ports import DeadLetter, Recorded
from frontdesk.store.dynamodb import dead_letters, facts, jobs, sends, timers
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.fact_json import FactJson
from frontdesk.values import Frozen

_DAY: Final = timedelta(hours=24)


class DynamoDiagnostics(Frozen):
    """Implements `Diagnostics`. It calls `settled` for each dead letter that was replayed."""

    reader: TableReader
    codec: FactJson
    settled: Callable[[int, datetime], None]

    def numbers(self, now: datetime) -> StoreStats:
        """Counts rows. This store has no places of followers and no queue of a writer."""
        texts = sends.queued_since(self.reader, now - _DAY, via=Via.TEXT)
        failed_texts = texts.get(SendState.FAILED, 0)
        return StoreStats(
            facts=facts.last_seq(self.reader),
            places={},
            sends=sends.counts(self.reader),
            ended_last_day=sends.queued_since(self.reader, now - _DAY),
            oldest_timer_at=_if_due(timers.next_at(self.reader), now),
            oldest_send_at=_if_due(sends.next_at(self.reader), now),
            dead_letters=dead_letters.open_count(self.reader),
            open_jobs=jobs.open_count(self.reader),
            waiting_writes=0,
            texts_last_day=texts.get(SendState.SENT, 0) + failed_texts,
            failed_texts_last_day=failed_texts,
        )

    def recorded(self, seq: int) -> Recorded | None:
        return facts.recorded(self.reader, self.codec, seq)

    def dead_letter(self, letter_id: int) -> DeadLetter | None:
        return dead_letters.letter(self.reader, letter_id)

    def mark_replayed(self, letter_id: int, *, at: datetime) -> None:
        self.settled(letter_id, at)


def _if_due(at: datetime | None, now: datetime) -> datetime | None:
    return at if at is not None and at <= now else None
