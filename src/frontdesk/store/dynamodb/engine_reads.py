"""Reads of the rows that belong to no desk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from frontdesk.core.jobs import Job
from frontdesk.core.mail import RawMail
from frontdesk.core.people import Person
from frontdesk.core.sends import Kept, Send
from frontdesk.engine.ports import DeadLetter
from frontdesk.store.dynamodb import jobs, letters, mail, people, sends
from frontdesk.store.dynamodb.saved_settings import DynamoSettingReads
from frontdesk.store.dynamodb.stopped_numbers import StoppedNumbers
from frontdesk.store.dynamodb.table_reader import TableReader


class DynamoEngineReads(DynamoSettingReads):
    def __init__(self, reader: TableReader, stopped: StoppedNumbers) -> None:
        self._reader = reader
        self._stopped = stopped

    def person(self, person_id: str) -> Person | None:
        return people.person(self._reader, person_id)

    def person_by_email(self, email_key: str) -> Person | None:
        return people.person_by_email(self._reader, email_key)

    def people_by_mobile(self, mobile: str) -> Sequence[Person]:
        return people.people_by_mobile(self._reader, mobile)

    def number_stopped(self, mobile: str) -> bool:
        return mobile in self._stopped

    def texts_on(self, on: date) -> int:
        return sends.texts_on(self._reader, on)

    def send(self, send_id: str) -> Send | None:
        return sends.send(self._reader, send_id)

    def kept(self, send_id: str) -> Kept | None:
        return sends.kept(self._reader, send_id)

    def job(self, job_id: str) -> Job | None:
        return jobs.job(self._reader, job_id)

    def raw_mail(self, mail_id: str) -> RawMail | None:
        return mail.raw_mail(self._reader, mail_id)

    def knows_mail(self, mail_id: str) -> bool:
        return mail.knows_mail(self._reader, mail_id)

    def new_mail_to(self, mail_id: str) -> str:
        return mail.new_mail_to(self._reader, mail_id)

    def dead_letters(self, limit: int) -> Sequence[DeadLetter]:
        return letters.letters(self._reader, limit)
