"""The reads that every desk has: settings, people, staff, and the desk's own audit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar

from frontdesk.engine.ports import Recorded
from frontdesk.store.dynamodb import facts, people
from frontdesk.store.dynamodb.admin import members
from frontdesk.store.dynamodb.saved_settings import DynamoSettingReads
from frontdesk.store.dynamodb.schema import Table
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import delegate
from frontdesk.store.fact_json import FactJson


class DynamoDeskReads(DynamoSettingReads):
    audit: ClassVar[Table]
    """The table of the desk's facts."""

    def __init__(self, reader: TableReader, codec: FactJson) -> None:
        self._reader = reader
        self._codec = codec

    person = delegate(people.person)
    person_by_email = delegate(people.person_by_email)
    staff = delegate(members.staff)
    signs_in = delegate(members.signs_in)

    def facts(
        self, subject: str, *, about: str = "", after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        if about:
            rows = self._reader.query(
                self.audit,
                "about = :about AND seq > :after",
                index="by-about",
                about=about,
                after=after,
            )
            here = (row for row in rows if row["subject"] == subject)
            return facts.read(self._codec, islice(here, limit))
        where = "subject = :subject AND seq > :after"
        rows = self._reader.query(self.audit, where, limit=limit, subject=subject, after=after)
        return facts.read(self._codec, rows)

    def facts_about(self, about: str, *, limit: int = 500) -> Sequence[Recorded]:
        rows = self._reader.query(
            self.audit, "about = :about", index="by-about", limit=limit, about=about
        )
        return facts.read(self._codec, rows)

    def newest_facts(
        self, subject: str, kind: str = "", *, before: int = 0, limit: int = 100
    ) -> Sequence[Recorded]:
        of_kind: dict[str, Any] = {"only": "kind = :kind", "kind": kind} if kind else {}
        rows = self._reader.query(
            self.audit,
            "subject = :subject AND seq < :before",
            backwards=True,
            limit=limit,
            subject=subject,
            before=before or facts.AFTER_ALL,
            **of_kind,
        )
        return facts.read(self._codec, rows)
