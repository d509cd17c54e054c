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
from frontdesk.store.dynamodb import facts, timers
from frontdesk.store.dynamodb.admin import audit, mailbox, members, old_rows, sessions
from frontdesk.store.dynamodb.mail import raw_of
from frontdesk.store.dynamodb.people import PERSON
from frontdesk.store.dynamodb.saved_settings import DynamoSettingReads
from frontdesk.store.dynamodb.schema import FD_MAIL, FD_PEOPLE
from frontdesk.store.dynamodb.sort_keys import is_in, nocase
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import delegate
from frontdesk.store.fact_json import FactJson
from frontdesk.store.rows import instant


class DynamoAdminReads(DynamoSettingReads, AdminSettings):
    def __init__(self, reader: TableReader, codec: FactJson) -> None:
        self._reader = reader
        self._codec = codec

    # To decide

    membership = delegate(members.membership)
    memberships_of = delegate(members.memberships_of)
    owners = delegate(members.owners)
    sign_in = delegate(sessions.sign_in)
    session = delegate(sessions.session)
    staff = delegate(members.staff)
    dead_letter = delegate(audit.dead_letter)
    letter_of_send = delegate(audit.letter_of_send)
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

    problems = delegate(audit.problems)
    problem_count = delegate(audit.problem_count)

    def facts(self, wanted: FactFilter, limit: int) -> Sequence[Recorded]:
        return facts.read(self._codec, audit.newest(self._reader, wanted, limit))

    def fact(self, seq: int) -> Recorded | None:
        return facts.recorded(self._reader, self._codec, seq)
