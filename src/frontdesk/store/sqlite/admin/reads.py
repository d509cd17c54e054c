"""What the admin desk reads, to decide and to show."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from frontdesk.core.decision import TimerName
from frontdesk.core.members import Member, Session
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.model import Membership, Rows, SignInLink
from frontdesk.desks.admin.reads import (
    FactFilter,
    HouseSettings,
    MailFilter,
    MailRow,
    MessageFilter,
    MessageRow,
    TeamRow,
)
from frontdesk.engine.ports import DeadLetter, Recorded
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import instant
from frontdesk.store.sqlite import facts, timers
from frontdesk.store.sqlite.admin import dead_letters, mail_in, mailbox, members, sessions, tidying
from frontdesk.store.sqlite.people import PERSON, PERSON_COLUMNS
from frontdesk.store.sqlite.saved_settings import SqliteSettingReads
from frontdesk.store.sqlite.tables import Db

_FACT = "SELECT seq, at, by, kind, body FROM fd_fact"
_FOUND = (
    " FROM fd_person p WHERE NOT p.erased"
    " AND (:like = '%%' OR p.name LIKE :like ESCAPE '\\' OR p.email LIKE :like ESCAPE '\\'"
    " OR p.mobile LIKE :number ESCAPE '\\')"
)


class SqliteAdminReads(SqliteSettingReads, HouseSettings):
    def __init__(self, db: Db, codec: FactJson) -> None:
        self._db = db
        self._codec = codec

    # To decide

    def membership(self, member_id: str) -> Membership | None:
        return members.membership(self._db(), member_id)

    def memberships_of(self, person_id: str) -> tuple[Membership, ...]:
        return members.memberships_of(self._db(), person_id)

    def owners(self) -> tuple[Membership, ...]:
        return members.owners(self._db())

    def sign_in(self, member_id: str, nonce: int) -> SignInLink | None:
        return sessions.sign_in(self._db(), member_id, nonce)

    def session(self, token_hash: str, now: datetime) -> Session | None:
        return sessions.session(self._db(), token_hash, now)

    def staff(self) -> Sequence[PersonId]:
        return members.staff(self._db())

    def dead_letter(self, letter_id: int) -> DeadLetter | None:
        return dead_letters.dead_letter(self._db(), letter_id)

    def letter_of_send(self, send_id: str) -> int | None:
        return dead_letters.letter_of_send(self._db(), send_id)

    def timer_at(self, name: TimerName) -> datetime | None:
        return timers.due_at(self._db(), name)

    def old_count(self, what: Rows, before: datetime, at_most: int) -> int:
        return tidying.old_count(self._db(), what, before, at_most)

    # To show

    def member(self, member_id: str) -> Member | None:
        return members.member(self._db(), member_id)

    def team(self, now: datetime) -> Sequence[TeamRow]:
        return members.team(self._db(), now)

    def sessions_of(self, member_id: str, now: datetime) -> Sequence[Session]:
        return sessions.sessions_of(self._db(), member_id, now)

    def messages(
        self, wanted: MessageFilter, *, limit: int, offset: int = 0
    ) -> Sequence[MessageRow]:
        return mailbox.messages(self._db(), wanted, limit=limit, offset=offset)

    def message_counts(self, wanted: MessageFilter) -> dict[SendState, int]:
        return mailbox.counts(self._db(), wanted)

    def message_kinds(self, but_desk: str = "") -> Sequence[str]:
        return mailbox.kinds(self._db(), but_desk)

    def mails(self, wanted: MailFilter, *, limit: int, offset: int = 0) -> Sequence[MailRow]:
        return mail_in.mails(self._db(), wanted, limit=limit, offset=offset)

    def mail_count(self, wanted: MailFilter) -> int:
        return mail_in.count(self._db(), wanted)

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

    def problems(self, limit: int) -> Sequence[DeadLetter]:
        return dead_letters.problems(self._db(), limit)

    def problem_count(self) -> int:
        return dead_letters.problem_count(self._db())

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
    """A number may be written with spaces."""
    return {"like": mailbox.like(search), "number": mailbox.like(search.replace(" ", ""))}
