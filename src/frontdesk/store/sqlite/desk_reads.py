"""The reads that every desk has: settings, people, staff, and the desk's own audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from frontdesk.engine.ports import Recorded
from frontdesk.store.fact_json import FactJson
from frontdesk.store.sqlite import facts, people
from frontdesk.store.sqlite.admin import members
from frontdesk.store.sqlite.saved_settings import SqliteSettingReads
from frontdesk.store.sqlite.tables import Db, SqlValue, delegate

#: Larger than the seq of any fact.
AFTER_ALL = 2**63 - 1


class SqliteDeskReads(SqliteSettingReads):
    code: ClassVar[str]
    """The code of the desk, which begins the kinds of its facts."""

    def __init__(self, db: Db, codec: FactJson) -> None:
        self._db = db
        self._codec = codec

    person = delegate(people.person)
    person_by_email = delegate(people.person_by_email)
    staff = delegate(members.staff)
    signs_in = delegate(members.signs_in)

    def facts(
        self, subject: str, *, about: str = "", after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        if about:
            where = "WHERE about = ? AND about <> '' AND subject = ? AND seq > ?"
            return self._facts(f"{where} ORDER BY seq LIMIT ?", about, subject, after, limit)
        where = "WHERE subject = ? AND seq > ?"
        return self._facts(f"{where} ORDER BY seq LIMIT ?", subject, after, limit)

    def facts_about(self, about: str, *, limit: int = 500) -> Sequence[Recorded]:
        where = "WHERE about = ? AND about <> '' AND desk = ?"
        return self._facts(f"{where} ORDER BY seq LIMIT ?", about, self.code, limit)

    def newest_facts(
        self, subject: str, kind: str = "", *, before: int = 0, limit: int = 100
    ) -> Sequence[Recorded]:
        return self._facts(
            "WHERE subject = ? AND (? = '' OR kind = ?) AND seq < ? ORDER BY seq DESC LIMIT ?",
            subject,
            kind,
            kind,
            before or AFTER_ALL,
            limit,
        )

    def _facts(self, rest: str, *values: SqlValue) -> list[Recorded]:
        rows = self._db().execute(f"SELECT seq, at, by, kind, body FROM fd_fact {rest}", values)
        return facts.read(self._codec, rows)
