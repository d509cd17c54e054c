"""Counts rows for staff and metrics. No decision uses it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.sends import SendState
from frontdesk.engine.health import StoreStats
from frontdesk.engine.ports import DeadLetter, Recorded
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import instant_or_none, seconds
from frontdesk.store.sqlite import facts
from frontdesk.store.sqlite.engine_reads import LETTER
from frontdesk.store.sqlite.tables import Db
from frontdesk.values import Frozen

_DAY: Final = timedelta(hours=24)
#: The index of states and times finds each of them.
_EVERY_STATE: Final = ", ".join(f"'{state.value}'" for state in SendState)


class SqliteDiagnostics(Frozen):
    """Implements `Diagnostics`. It calls `settled` for each dead letter that was replayed."""

    db: Db
    codec: FactJson
    waiting_writes: Callable[[], int]
    settled: Callable[[int, datetime], None]

    def numbers(self, now: datetime) -> StoreStats:
        due = seconds(now)
        return StoreStats(
            facts=self._number("SELECT coalesce(max(seq), 0) FROM fd_fact") or 0,
            places=dict(self.db().execute("SELECT name, seq FROM fd_follower").fetchall()),
            sends=self._sends(0),
            ended_last_day=self._sends(seconds(now - _DAY)),
            oldest_timer_at=instant_or_none(
                self._number("SELECT min(due_at) FROM fd_timer WHERE due_at <= ?", due)
            ),
            oldest_send_at=instant_or_none(
                self._number(
                    "SELECT min(due_at) FROM fd_send"
                    " WHERE state IN ('queued', 'held') AND due_at <= ?",
                    due,
                )
            ),
            dead_letters=self._number(
                "SELECT count(*) FROM fd_dead_letter WHERE replayed_at IS NULL"
            )
            or 0,
            open_jobs=self._number("SELECT count(*) FROM fd_job WHERE NOT finished") or 0,
            waiting_writes=self.waiting_writes(),
            texts_last_day=self._texts(now, "'sent', 'failed'"),
            failed_texts_last_day=self._texts(now, "'failed'"),
        )

    def recorded(self, seq: int) -> Recorded | None:
        rows = self.db().execute(
            "SELECT seq, at, by, kind, body FROM fd_fact WHERE seq = ?", (seq,)
        )
        return next(iter(facts.read(self.codec, rows)), None)

    def dead_letter(self, letter_id: int) -> DeadLetter | None:
        row = (
            self.db()
            .execute(
                f"SELECT {LETTER.columns} FROM fd_dead_letter WHERE id = ?",
                (letter_id,),
            )
            .fetchone()
        )
        return LETTER.read_or_none(row)

    def mark_replayed(self, letter_id: int, *, at: datetime) -> None:
        self.settled(letter_id, at)

    def _sends(self, since: int) -> dict[SendState, int]:
        rows = self.db().execute(
            "SELECT state, count(*) FROM fd_send"
            f" WHERE state IN ({_EVERY_STATE}) AND queued_at >= ? GROUP BY state",
            (since,),
        )
        return {SendState(state): count for state, count in rows}

    def _texts(self, now: datetime, states: str) -> int:
        sql = f"SELECT count(*) FROM fd_send WHERE via = 'text' AND state IN ({states})"
        return self._number(f"{sql} AND queued_at >= ?", seconds(now - _DAY)) or 0

    def _number(self, sql: str, *values: int) -> int | None:
        found: int | None = self.db().execute(sql, values).fetchone()[0]
        return found
