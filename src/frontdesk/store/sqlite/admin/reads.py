"""The admin desk's reads, for decisions and for display."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from frontdesk.core.people import Person
from frontdesk.desks.admin.reads import (
    AdminSettings,
    FactFilter,
)
from frontdesk.engine.ports import Recorded
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import instant
from frontdesk.store.sqlite import facts, timers
from frontdesk.store.sqlite.admin import dead_letters, mailbox, members, old_rows, sessions
from frontdesk.store.sqlite.people import PERSON, PERSON_COLUMNS
from frontdesk.store.sqlite.saved_settings import SqliteSettingReads
from frontdesk.store.sqlite.tables import Db, delegate

_FACT = "SELECT seq, at, by, kind, body FROM fd_fact"
_FOUND = (
    " FROM fd_person p WHERE NOT p.erased"
    " AND (:like = '%%' OR p.name LIKE :like ESCAPE '\\' OR p.email LIKE :like ESCAPE '\\'"
    " OR p.mobile LIKE :number ESCAPE '\\')"
)


class SqliteAdminReads(SqliteSettingReads, AdminSettings):
    def __init__(self, db: Db, codec: FactJson) -> None:
        self._db = db
        self._codec = codec

    # To decide

    membership = delegate(members.membership)
    memberships_of = delegate(members.memberships_of)
    owners = delegate(members.owners)
    sign_in = delegate(sessions.sign_in)
    session = delegate(sessions.session)
    staff = delegate(members.staff)
    dead_letter = delegate(dead_letters.dead_letter)
    letter_of_send = delegate(dead_letters.letter_of_send)
    timer_at = delegate(timers.due_at)
    old_count = delegate(old_rows.old_count)

    # To show

    member = delegate(members.member)
    team = delegate(members.team)
    sessions_of = delegate(sessions.sessions_of)
    messages = delegate(mailbox.messages)
    message_counts = delegate(mailbox.counts)
    message_kinds = delegate(mailbox.kinds)
    mails = delegate(mailbox.mails)
    mail_count = delegate(mailbox.count)

    def people(self, search: str, *, limit: int, offset: int = 0) -> Sequence[Person]:
        rows = self._db().execute(
            f"SELECT {PERSON_COLUMNS}{_FOUND}"
            " ORDER BY p.name COLLATE NOCASE, p.person_id LIMIT :limit OFFSET :offset",
            {**_values(search), "limit": limit, "offset": offset},
        )
        return [PERSON.read(row) for row in rows]

    def people_count(self, search: str) -> int:
        row = self._db().execute(f"SELECT count(*){_FOUND}", _values(search))
        count: int = row.fetchone()[0]
        return count

    def raw_mails(self, person_id: str, limit: int) -> Sequence[tuple[str, datetime, bytes]]:
        rows = self._db().execute(
            "SELECT mail_id, received_at, raw FROM fd_mail WHERE person_id = ?"
            " ORDER BY received_at LIMIT ?",
            (person_id, limit),
        )
        return [(mail_id, instant(at), raw) for mail_id, at, raw in rows]

    problems = delegate(dead_letters.problems)
    problem_count = delegate(dead_letters.problem_count)

    def facts(self, wanted: FactFilter, limit: int) -> Sequence[Recorded]:
        about = "about = :about AND about <> ''" if wanted.about else ":about = ''"
        rows = self._db().execute(
            f"{_FACT} WHERE {about} AND (:before = 0 OR seq < :before)"
            " AND (:desk = '' OR desk = :desk) AND (:kind = '' OR kind = :kind)"
            " ORDER BY seq DESC LIMIT :limit",
            {
                "about": wanted.about,
                "before": wanted.before,
                "desk": wanted.desk,
                "kind": wanted.kind,
                "limit": limit,
            },
        )
        return facts.read(self._codec, rows)

    def fact(self, seq: int) -> Recorded | None:
        found = facts.read(self._codec, self._db().execute(f"{_FACT} WHERE seq = ?", (seq,)))
        return found[0] if found else None


def _values(search: str) -> dict[str, str]:
    """Removes spaces for the search by number."""
    return {"like": mailbox.like(search), "number": mailbox.like(search.replace(" ", ""))}
