"""Reads of the rows that belong to no desk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from frontdesk.core.jobs import Job
from frontdesk.core.mail import RawMail
from frontdesk.core.people import Person
from frontdesk.core.sends import Kept, Send
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite import jobs, mail, people, sends
from frontdesk.store.sqlite.saved_settings import SqliteSettingReads
from frontdesk.store.sqlite.tables import Db

LETTER: Final = SqliteRows(DeadLetter)


class SqliteEngineReads(SqliteSettingReads):
    def __init__(self, db: Db) -> None:
        self._db = db

    def person(self, person_id: str) -> Person | None:
        return people.person(self._db(), person_id)

    def person_by_email(self, email_key: str) -> Person | None:
        return people.person_by_email(self._db(), email_key)

    def people_by_mobile(self, mobile: str) -> Sequence[Person]:
        return people.people_by_mobile(self._db(), mobile)

    def number_stopped(self, mobile: str) -> bool:
        return people.number_stopped(self._db(), mobile)

    def texts_on(self, on: date) -> int:
        return sends.texts_on(self._db(), on)

    def send(self, send_id: str) -> Send | None:
        return sends.send(self._db(), send_id)

    def kept(self, send_id: str) -> Kept | None:
        return sends.kept(self._db(), send_id)

    def job(self, job_id: str) -> Job | None:
        return jobs.job(self._db(), job_id)

    def raw_mail(self, mail_id: str) -> RawMail | None:
        return mail.raw_mail(self._db(), mail_id)

    def knows_mail(self, mail_id: str) -> bool:
        return mail.knows_mail(self._db(), mail_id)

    def new_mail_to(self, mail_id: str) -> str:
        return mail.new_mail_to(self._db(), mail_id)

    def dead_letters(self, limit: int) -> Sequence[DeadLetter]:
        rows = self._db().execute(
            f"SELECT {LETTER.columns} FROM fd_dead_letter ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return [LETTER.read(row) for row in rows]
