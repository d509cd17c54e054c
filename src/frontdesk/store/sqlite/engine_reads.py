"""Reads the rows that belong to no desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from frontdesk.engine.ports import DeadLetter
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite import consents, jobs, mail, people, sends
from frontdesk.store.sqlite.saved_settings import SqliteSettingReads
from frontdesk.store.sqlite.tables import Db, delegate

LETTER: Final = SqliteRows(DeadLetter)


class SqliteEngineReads(SqliteSettingReads):
    def __init__(self, db: Db) -> None:
        self._db = db

    person = delegate(people.person)
    people_with = delegate(people.people)
    person_by_email = delegate(people.person_by_email)
    people_by_mobile = delegate(people.people_by_mobile)
    number_stopped = delegate(people.number_stopped)
    consent = delegate(consents.record)
    texts_on = delegate(sends.texts_on)
    text_spend = delegate(sends.text_spend)
    send = delegate(sends.send)
    sent_message = delegate(sends.sent_message)
    newest_sends_to = delegate(sends.newest_to)
    job = delegate(jobs.job)
    raw_mail = delegate(mail.raw_mail)
    knows_mail = delegate(mail.knows_mail)
    new_mail_to = delegate(mail.new_mail_to)

    def dead_letters(self, limit: int) -> Sequence[DeadLetter]:
        rows = self._db().execute(
            f"SELECT {LETTER.columns} FROM fd_dead_letter ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return [LETTER.read(row) for row in rows]
