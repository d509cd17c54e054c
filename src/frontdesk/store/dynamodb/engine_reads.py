"""Reads the rows that belong to no desk."""

from __future__ import annotations

from frontdesk.store.dynamodb import jobs, letters, mail, people, sends
from frontdesk.store.dynamodb.saved_settings import DynamoSettingReads
from frontdesk.store.dynamodb.stopped_numbers import StoppedNumbers
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import delegate


class DynamoEngineReads(DynamoSettingReads):
    def __init__(self, reader: TableReader, stopped: StoppedNumbers) -> None:
        self._reader = reader
        self._stopped = stopped

    person = delegate(people.person)
    person_by_email = delegate(people.person_by_email)
    people_by_mobile = delegate(people.people_by_mobile)

    def number_stopped(self, mobile: str) -> bool:
        return mobile in self._stopped

    texts_on = delegate(sends.texts_on)
    send = delegate(sends.send)
    kept = delegate(sends.kept)
    job = delegate(jobs.job)
    raw_mail = delegate(mail.raw_mail)
    knows_mail = delegate(mail.knows_mail)
    new_mail_to = delegate(mail.new_mail_to)
    dead_letters = delegate(letters.letters)
