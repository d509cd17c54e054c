"""The reads of `doctor` besides the desks' rows, from the tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from frontdesk.core.sends import Send, SendState
from frontdesk.engine.inspection import Lag, WaitingWork
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.dynamodb import dead_letters, jobs, sends
from frontdesk.store.dynamodb.schema import (
    AUDITS,
    FD_DEADLETTERS,
    FD_MESSAGES,
    FD_OUTBOX,
    FD_SENDS,
    FD_TIMERS,
)
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.rows import instant, seconds
from frontdesk.values import Frozen


class DynamoInspection(Frozen):
    """Reads whole tables one after the other, while other processes write. So a problem counts
    only if it lasts: see `lasting`."""

    reader: TableReader

    def damage(self) -> Iterator[str]:
        """Finds none: AWS maintains the tables."""
        return iter(())

    def ledger_problems(self) -> Iterator[str]:
        """Checks that each sent message is kept. A message is kept first, so not the reverse."""
        kept = {row["send_id"] for row in self.reader.scan(FD_MESSAGES)}
        seen: set[tuple[str, str]] = set()
        for send in self._sends():
            if send.state is SendState.SENT and send.id not in kept:
                yield f"The ledger says that {send.id} was sent, and no message is kept."
            if (send.key, send.person_id) in seen:
                yield f"The ledger has {send.key} for person {send.person_id} more than once."
            seen.add((send.key, send.person_id))

    def timers(self) -> Mapping[str, datetime]:
        return {row["name"]: instant(row["due_at"]) for row in self.reader.scan(FD_TIMERS)}

    def sent(self, desk: str) -> Iterator[Send]:
        found = [s for s in self._sends() if s.desk == desk and s.state is SendState.SENT]
        return iter(sorted(found, key=lambda each: (each.subject, str(each.sent_at), each.id)))

    def behind(self, followed: Mapping[str, Iterable[str]]) -> list[Lag]:
        """Counts the followers in the outbox that have not acted. Ignores followers that are not
        in `followed`."""
        waiting: dict[str, list[int]] = {}
        for row in self.reader.scan(FD_OUTBOX):
            for follower in row["followers"]:
                waiting.setdefault(follower, []).append(row["at"])
        return [
            Lag(follower, len(since), instant(min(since)))
            for follower, since in sorted(waiting.items())
            if follower in followed
        ]

    def waiting(self, late_since: datetime) -> WaitingWork:
        late = seconds(late_since)
        by_state = "#state = :state AND due_at <= :late"
        return WaitingWork(
            overdue_timers=sum(at <= late_since for at in self.timers().values()),
            overdue_sends=sum(
                self.reader.count(FD_SENDS, by_state, index="by-state", state=state, late=late)
                for state in (SendState.QUEUED.value, SendState.HELD.value)
            ),
            sending=len(sends.sends_in(self.reader, SendState.SENDING, _MANY)),
            open_jobs=jobs.open_count(self.reader),
        )

    def open_dead_letters(self, limit: int) -> list[DeadLetter]:
        found = map(dead_letters.LETTER.read, self.reader.scan(FD_DEADLETTERS))
        still_open = sorted(
            (each for each in found if each.replayed_at is None), key=lambda each: each.id
        )
        return still_open[:limit]

    def fact_count(self) -> int:
        return sum(
            self.reader.count(audit, "#desk = :desk", index="by-desk", desk=desk)
            for desk, audit in AUDITS.items()
        )

    def _sends(self) -> Iterator[Send]:
        return map(sends.SEND.read, self.reader.scan(FD_SENDS))


_MANY = 1_000_000
