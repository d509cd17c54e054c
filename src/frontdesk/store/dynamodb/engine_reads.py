"""Reads the rows that belong to no desk, and the numbers that get no texts after a STOP."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

from frontdesk.core.contacts import keyed, number_digest
from frontdesk.core.people import ResumeNumber, StopNumber
from frontdesk.store.dynamodb import consents, dead_letters, jobs, mail, people, sends
from frontdesk.store.dynamodb.items import TransactItem, delete, put, put_new
from frontdesk.store.dynamodb.saved_settings import DynamoSettingReads
from frontdesk.store.dynamodb.schema import FD_PEOPLE, FD_SETTINGS
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, delegate


class DynamoEngineReads(DynamoSettingReads):
    def __init__(self, reader: TableReader, stopped: StoppedNumbers) -> None:
        self._reader = reader
        self._stopped = stopped

    person = delegate(people.person)
    people_with = delegate(people.people)
    person_by_email = delegate(people.person_by_email)
    people_by_mobile = delegate(people.people_by_mobile)

    def number_stopped(self, mobile: str) -> bool:
        return mobile in self._stopped

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
    dead_letters = delegate(dead_letters.letters)


KEY: Final = "number-key"
KEY_BYTES: Final = 32


class StoppedNumbers:
    """The numbers that sent STOP, stored as keyed digests. The first STOP creates the key, which
    never changes, so it is read once."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self._key: bytes | None = None

    def __contains__(self, mobile: str) -> bool:
        key = self._known_key()
        return key is not None and self._reader.get(FD_PEOPLE, _row(mobile, key)) is not None

    def writes(self) -> Writes:
        return {StopNumber: Write(self._stop), ResumeNumber: Write(self._resume)}

    def _stop(self, _reader: TableReader, change: StopNumber) -> tuple[TransactItem, ...]:
        row = {"person_id": _row(change.mobile, self._known_key() or self._new_key())}
        return (put(FD_PEOPLE.name, FD_PEOPLE.key.names, row),)

    def _resume(self, _reader: TableReader, change: ResumeNumber) -> tuple[TransactItem, ...]:
        key = self._known_key()
        if key is None:
            return ()
        return (delete(FD_PEOPLE.name, {"person_id": _row(change.mobile, key)}),)

    def _known_key(self) -> bytes | None:
        if self._key is None and (row := self._reader.get(FD_SETTINGS, KEY)):
            self._key = bytes.fromhex(row["value"])
        return self._key

    def _new_key(self) -> bytes:
        """Creates the key, unless another process has just created it, and returns it."""
        row = {"key": KEY, "value": os.urandom(KEY_BYTES).hex()}
        with suppress(self._reader.client.exceptions.ConditionalCheckFailedException):
            self._reader.write(put_new(FD_SETTINGS.name, FD_SETTINGS.key.names, row))
        key = self._known_key()
        assert key is not None, "this process or another one has created the key"
        return key


def _row(mobile: str, key: bytes) -> str:
    """Returns the key of the row that exists while this number gets no texts."""
    return f"stopped#{keyed(number_digest(mobile), key)}"
