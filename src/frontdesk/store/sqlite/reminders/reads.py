"""The reminders desk's reads, for decisions and for display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from frontdesk.core.people import Person, PersonId
from frontdesk.desks.reminders.model import Appointment, Reminder, Reply
from frontdesk.desks.reminders.reads import ReminderSettings
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import seconds
from frontdesk.store.sqlite.desk_reads import SqliteDeskReads
from frontdesk.store.sqlite.people import PERSON, PERSON_COLUMNS
from frontdesk.store.sqlite.reminders.proposals import PROPOSALS
from frontdesk.store.sqlite.reminders.rows import APPOINTMENT, REMINDER, REPLY
from frontdesk.store.sqlite.sheet_versions import SqliteSheetReads
from frontdesk.store.sqlite.tables import Db, delegate

_FAR = 2**62
_LIVE = "state IN ('expected', 'confirmed')"
_UNANSWERED = " AND state = 'expected' AND answered_at IS NULL"


class SqliteReminderReads(SqliteDeskReads, ReminderSettings):
    code = "ar"

    def __init__(self, db: Db, codec: FactJson) -> None:
        super().__init__(db, codec)
        self.sheet = SqliteSheetReads(db, self.code)

    # To decide

    def appointment(self, appointment_id: str) -> Appointment | None:
        found = self._appointments("WHERE appointment_id = ?", appointment_id)
        return found[0] if found else None

    def live_of(self, person_id: str, since: datetime, limit: int) -> Sequence[Appointment]:
        return self._appointments(
            f"WHERE person_id = ? AND starts_at > ? AND {_LIVE}"
            " ORDER BY starts_at, appointment_id LIMIT ?",
            person_id,
            seconds(since),
            limit,
        )

    def live_after(
        self,
        since: datetime,
        cursor: str,
        limit: int,
        until: datetime | None = None,
        *,
        unanswered: bool = False,
    ) -> Sequence[Appointment]:
        start, _, appointment_id = cursor.partition("/")
        rows = self._db().execute(
            f"SELECT {APPOINTMENT.columns} FROM ar_appointment"
            f" WHERE (starts_at, appointment_id) > (?, ?) AND starts_at <= ? AND {_LIVE}"
            f"{_UNANSWERED if unanswered else ''}"
            " ORDER BY starts_at, appointment_id LIMIT ?",
            (
                int(start) if start else seconds(since),
                appointment_id,
                seconds(until) if until else _FAR,
                limit,
            ),
        )
        return list(map(APPOINTMENT.read, rows))

    def no_shows(self) -> Mapping[PersonId, int]:
        rows = self._db().execute(
            "SELECT person_id, count(*) FROM ar_appointment"
            " WHERE state = 'no_show' GROUP BY person_id"
        )
        return {PersonId(person_id): number for person_id, number in rows}

    def no_shows_of(self, person_id: str) -> int:
        sql = "SELECT count(*) FROM ar_appointment WHERE state = 'no_show' AND person_id = ?"
        number: int = self._db().execute(sql, (person_id,)).fetchone()[0]
        return number

    def reminders_of(self, appointment_id: str) -> Sequence[Reminder]:
        return self._reminders("ar_send", appointment_id)

    def replies_of(self, appointment_id: str) -> Sequence[Reply]:
        rows = self._db().execute(
            f"SELECT {REPLY.columns} FROM ar_reply WHERE appointment_id = ?"
            " ORDER BY at, nonce, action",
            (appointment_id,),
        )
        return [REPLY.read(row) for row in rows]

    proposal = delegate(PROPOSALS.proposal)

    def sheet_rows(self, since: datetime) -> Sequence[tuple[Appointment, Person]]:
        rows = self._db().execute(
            f"SELECT {APPOINTMENT.of('a')}, {PERSON_COLUMNS}"
            " FROM ar_appointment a JOIN fd_person p USING (person_id)"
            " WHERE a.source IN ('sheet', 'mail') AND a.starts_at >= ?"
            " ORDER BY a.starts_at, a.appointment_id",
            (seconds(since),),
        )
        width = len(APPOINTMENT)
        return [(APPOINTMENT.read(row[:width]), PERSON.read(row[width:])) for row in rows]

    # To show

    proposals = delegate(PROPOSALS.proposals)

    def appointments_of(self, person_id: str) -> Sequence[Appointment]:
        return self._appointments(
            "WHERE person_id = ? ORDER BY starts_at, appointment_id", person_id
        )

    def appointments_between(self, since: datetime, until: datetime) -> Sequence[Appointment]:
        return self._appointments(
            "WHERE starts_at >= ? AND starts_at < ? ORDER BY starts_at, appointment_id",
            seconds(since),
            seconds(until),
        )

    def archived_reminders(self, appointment_id: str) -> Sequence[Reminder]:
        return self._reminders("ar_send_archive", appointment_id)

    # For the doctor

    def appointments(self, *, limit: int = 100, after: str = "") -> Sequence[Appointment]:
        return self._appointments(
            "WHERE appointment_id > ? ORDER BY appointment_id LIMIT ?", after, limit
        )

    def _appointments(self, rest: str, *values: str | int) -> list[Appointment]:
        sql = f"SELECT {APPOINTMENT.columns} FROM ar_appointment {rest}"
        return [APPOINTMENT.read(row) for row in self._db().execute(sql, values)]

    def _reminders(self, table: str, appointment_id: str) -> list[Reminder]:
        rows = self._db().execute(
            f"SELECT {REMINDER.columns} FROM {table} WHERE appointment_id = ?"
            " ORDER BY chain, at, window",
            (appointment_id,),
        )
        return [REMINDER.read(row) for row in rows]
