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
from frontdesk.store.dynamodb import facts, timers
from frontdesk.store.dynamodb.admin import (
    audit,
    dead_letters,
    mail_in,
    mailbox,
    members,
    sessions,
    tidying,
)
from frontdesk.store.dynamodb.mail import raw_of
from frontdesk.store.dynamodb.nocase import is_in, nocase
from frontdesk.store.dynamodb.people import PERSON
from frontdesk.store.dynamodb.saved_settings import DynamoSettingReads
from frontdesk.store.dynamodb.schema import FD_MAIL, FD_PEOPLE
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import instant


class DynamoAdminReads(DynamoSettingReads, HouseSettings):
    def __init__(self, reader: TableReader, codec: FactJson) -> None:
        self._reader = reader
        self._codec = codec

    # To decide

    def membership(self, member_id: str) -> Membership | None:
        return members.membership(self._reader, member_id)

    def memberships_of(self, person_id: str) -> tuple[Membership, ...]:
        return members.memberships_of(self._reader, person_id)

    def owners(self) -> tuple[Membership, ...]:
        return members.owners(self._reader)

    def sign_in(self, member_id: str, nonce: int) -> SignInLink | None:
        return sessions.sign_in(self._reader, member_id, nonce)

    def session(self, token_hash: str, now: datetime) -> Session | None:
        return sessions.session(self._reader, token_hash, now)

    def staff(self) -> Sequence[PersonId]:
        return members.staff(self._reader)

    def dead_letter(self, letter_id: int) -> DeadLetter | None:
        return dead_letters.dead_letter(self._reader, letter_id)

    def letter_of_send(self, send_id: str) -> int | None:
        return dead_letters.letter_of_send(self._reader, send_id)

    def timer_at(self, name: TimerName) -> datetime | None:
        return timers.due_at(self._reader, name)

    def old_count(self, what: Rows, before: datetime, at_most: int) -> int:
        return tidying.old_count(self._reader, what, before, at_most)

    # To show

    def member(self, member_id: str) -> Member | None:
        return members.member(self._reader, member_id)

    def team(self, now: datetime) -> Sequence[TeamRow]:
        return members.team(self._reader, now)

    def sessions_of(self, member_id: str, now: datetime) -> Sequence[Session]:
        return sessions.sessions_of(self._reader, member_id, now)

    def messages(
        self, wanted: MessageFilter, *, limit: int, offset: int = 0
    ) -> Sequence[MessageRow]:
        return mailbox.messages(self._reader, wanted, limit=limit, offset=offset)

    def message_counts(self, wanted: MessageFilter) -> dict[SendState, int]:
        return mailbox.counts(self._reader, wanted)

    def message_kinds(self, but_desk: str = "") -> Sequence[str]:
        return mailbox.kinds(self._reader, but_desk)

    def mails(self, wanted: MailFilter, *, limit: int, offset: int = 0) -> Sequence[MailRow]:
        return mail_in.mails(self._reader, wanted, limit=limit, offset=offset)

    def mail_count(self, wanted: MailFilter) -> int:
        return mail_in.count(self._reader, wanted)

    def people(self, search: str, *, limit: int, offset: int = 0) -> Sequence[Person]:
        found = sorted(self._people(search), key=lambda each: (nocase(each.name), each.id))
        return found[offset : offset + limit]

    def people_count(self, search: str) -> int:
        return len(self._people(search))

    def _people(self, search: str) -> list[Person]:
        rows = self._reader.scan(FD_PEOPLE, only="erased = :no", no=False)
        found = [PERSON.read(row) for row in rows]
        number = search.replace(" ", "")
        return [
            each
            for each in found
            if is_in(search, each.name, each.email) or (number and number in each.mobile)
        ]

    def raw_mails(self, person_id: str, limit: int) -> Sequence[tuple[str, datetime, bytes]]:
        rows = self._reader.query(
            FD_MAIL, "person_id = :person", index="by-person", limit=limit, person=person_id
        )
        found = [(row, raw_of(self._reader, row)) for row in rows]
        return [(row["mail_id"], instant(row["received_at"]), raw) for row, raw in found if raw]

    def problems(self, limit: int) -> Sequence[DeadLetter]:
        return dead_letters.problems(self._reader, limit)

    def problem_count(self) -> int:
        return dead_letters.problem_count(self._reader)

    def facts(self, wanted: FactFilter, limit: int) -> Sequence[Recorded]:
        return facts.read(self._codec, audit.newest(self._reader, wanted, limit))

    def fact(self, seq: int) -> Recorded | None:
        return facts.recorded(self._reader, self._codec, seq)
