"""The accounts of a house, read and written on its file with plain SQL."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from frontdesk.core.sends import SendState
from frontdesk.engine.accounts import Numbers
from frontdesk.engine.ports import DeadLetter, Recorded
from tests.engine.bell import BELL
from tests.engine.house import House

ALL_KINDS = frozenset(fact.kind for fact in BELL.facts)


class HouseAccounts:
    def __init__(self, house: House, path: Path) -> None:
        self._house = house
        self._path = path

    def numbers(self, now: datetime) -> Numbers:
        day_ago = int((now - timedelta(hours=24)).timestamp())
        due = int(now.timestamp())
        return Numbers(
            facts=self._number("SELECT coalesce(max(seq), 0) FROM fd_fact") or 0,
            places=dict(self._rows("SELECT name, seq FROM fd_follower")),
            sends=self._sends(0),
            ended_last_day=self._sends(day_ago),
            oldest_timer_at=_instant(
                self._number("SELECT min(due_at) FROM fd_timer WHERE due_at <= ?", due)
            ),
            oldest_send_at=_instant(
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
            waiting_writes=0,
        )

    def recorded(self, seq: int) -> Recorded | None:
        facts = self._house.store.unfollowed("a test", ALL_KINDS, 1000)
        return next((each for each in facts if each.seq == seq), None)

    def dead_letter(self, letter_id: int) -> DeadLetter | None:
        return next((each for each in self._house.letters() if each.id == letter_id), None)

    def mark_replayed(self, letter_id: int, *, at: datetime) -> None:
        """The house is at rest: nobody else writes."""
        sql = "UPDATE fd_dead_letter SET replayed_at = ? WHERE id = ?"
        self._rows(sql, int(at.timestamp()), letter_id)

    def _sends(self, since: int) -> dict[SendState, int]:
        sql = "SELECT state, count(*) FROM fd_send WHERE queued_at >= ? GROUP BY state"
        return {SendState(state): count for state, count in self._rows(sql, since)}

    def _number(self, sql: str, *values: int) -> int | None:
        found: int | None = self._rows(sql, *values)[0][0]
        return found

    def _rows(self, sql: str, *values: int) -> list[Any]:
        db = sqlite3.connect(self._path)
        with db:
            rows = db.execute(sql, values).fetchall()
        db.close()
        return rows


def _instant(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
