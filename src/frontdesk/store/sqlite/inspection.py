"""The reads of `doctor` besides the desks' rows, from a data file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from sqlite3 import Connection

from frontdesk.core.sends import Send
from frontdesk.core.words import count
from frontdesk.engine.inspection import Lag, WaitingWork
from frontdesk.engine.keys import NUMBER_FILE
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.rows import instant, seconds
from frontdesk.store.sqlite.engine_reads import LETTER
from frontdesk.store.sqlite.people import numbers_lost
from frontdesk.store.sqlite.sends import SEND
from frontdesk.values import Frozen


class SqliteInspection(Frozen):
    db: Connection

    def damage(self) -> Iterator[str]:
        for (complaint,) in self.db.execute("PRAGMA integrity_check(5)"):
            if complaint != "ok":
                yield f"The data file is damaged: {complaint}."
        for table, *_ in self.db.execute("PRAGMA foreign_key_check"):
            yield f"A row in {table} points at a row that is gone."
        if lost := numbers_lost(self.db):
            yield (
                f"{count(lost, 'number')} said STOP and would get texts again: the file"
                f" {NUMBER_FILE} is not the one that was beside the data then. Put it back."
            )

    def ledger_problems(self) -> Iterator[str]:
        """Checks that each kept message is marked as sent, and that each sent message is kept."""
        for (send_id,) in self.db.execute(
            "SELECT send_id FROM fd_message JOIN fd_send USING (send_id) WHERE state <> 'sent'"
        ):
            yield f"The message {send_id} went out, and the ledger does not say so."
        for (send_id,) in self.db.execute(
            "SELECT s.send_id FROM fd_send s LEFT JOIN fd_message m USING (send_id)"
            " WHERE s.state = 'sent' AND m.send_id IS NULL"
        ):
            yield f"The ledger says that {send_id} was sent, and no message is kept."
        for key, person_id in self.db.execute(
            "SELECT key, person_id FROM fd_send GROUP BY key, person_id HAVING count(*) > 1"
        ):
            yield f"The ledger has {key} for person {person_id} more than once."

    def timers(self) -> Mapping[str, datetime]:
        rows = self.db.execute("SELECT name, due_at FROM fd_timer")
        return {name: instant(due_at) for name, due_at in rows}

    def sent(self, desk: str) -> Iterator[Send]:
        rows = self.db.execute(
            f"SELECT {SEND.columns} FROM fd_send"
            " WHERE desk = ? AND state = 'sent' ORDER BY subject, sent_at, send_id",
            (desk,),
        )
        return map(SEND.read, rows)

    def behind(self, followed: Mapping[str, Iterable[str]]) -> list[Lag]:
        lags = []
        for follower, kinds in followed.items():
            facts_left, since = self.db.execute(
                "SELECT count(*), min(at) FROM fd_fact"
                " WHERE seq > coalesce((SELECT seq FROM fd_follower WHERE name = ?), 0)"
                " AND kind IN (SELECT value FROM json_each(?))",
                (follower, json.dumps(list(kinds))),
            ).fetchone()
            if facts_left:
                lags.append(Lag(follower, facts_left, instant(since)))
        return lags

    def waiting(self, late_since: datetime) -> WaitingWork:
        row = self.db.execute(
            "SELECT (SELECT count(*) FROM fd_timer WHERE due_at <= :late),"
            " (SELECT count(*) FROM fd_send WHERE state IN ('queued', 'held') AND due_at <= :late),"
            " (SELECT count(*) FROM fd_send WHERE state = 'sending'),"
            " (SELECT count(*) FROM fd_job WHERE NOT finished)",
            {"late": seconds(late_since)},
        ).fetchone()
        return WaitingWork(*row)

    def open_dead_letters(self, limit: int) -> list[DeadLetter]:
        rows = self.db.execute(
            f"SELECT {LETTER.columns} FROM fd_dead_letter WHERE replayed_at IS NULL"
            " ORDER BY id LIMIT ?",
            (limit,),
        )
        return [LETTER.read(row) for row in rows]

    def fact_count(self) -> int:
        number: int = self.db.execute("SELECT count(*) FROM fd_fact").fetchone()[0]
        return number
