"""Finds incoming mail for staff."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, islice
from typing import Any, Final

from frontdesk.core.mail import FOR_A_PERSON
from frontdesk.desks.admin.reads import MailFilter, MailRow
from frontdesk.store.dynamodb.mail import BOX, beginning_of
from frontdesk.store.dynamodb.nocase import is_in
from frontdesk.store.dynamodb.people import people
from frontdesk.store.dynamodb.schema import FD_MAIL
from frontdesk.store.dynamodb.table_reader import AT_ONCE, Row, TableReader
from frontdesk.store.rows import instant

#: Enough for the headers of nearly every mail.
HEAD_BYTES: Final = 16_000
#: Each head is a separate request to S3.
HEADS_AT_ONCE: Final = 10


def mails(reader: TableReader, wanted: MailFilter, *, limit: int, offset: int = 0) -> list[MailRow]:
    rows = list(islice(_found(reader, wanted), offset, offset + limit))
    with ThreadPoolExecutor(HEADS_AT_ONCE) as pool:
        heads = pool.map(lambda row: beginning_of(reader, row, HEAD_BYTES), rows)
    return [
        MailRow(
            row["mail_id"],
            instant(row["received_at"]),
            row["sender"],
            row["recipient"],
            row["outcome"],
            head,
        )
        for row, head in zip(rows, heads, strict=True)
    ]


def count(reader: TableReader, wanted: MailFilter) -> int:
    if wanted.search:
        return sum(1 for _ in _found(reader, wanted))
    only, values = _only(wanted)
    return reader.count(FD_MAIL, _IN_THE_BOX, index="by-time", only=only, box=BOX, **values)


_IN_THE_BOX: Final = "box = :box"


def _only(wanted: MailFilter) -> tuple[str, dict[str, Any]]:
    if wanted.for_a_person:
        return "outcome = :outcome", {"outcome": FOR_A_PERSON}
    return "", {}


def _found(reader: TableReader, wanted: MailFilter) -> Iterator[Row]:
    """Yields the newest first. Reads people only for a search."""
    rows = _newest(reader, wanted)
    if not wanted.search:
        yield from rows
        return
    while together := list(islice(rows, AT_ONCE)):
        persons = people(reader, [row["person_id"] for row in together if "person_id" in row])
        for row in together:
            person = persons.get(row.get("person_id", ""))
            known = (person.name, person.email) if person else ()
            if is_in(wanted.search, row["sender"], row["recipient"], row["outcome"], *known):
                yield row


def _newest(reader: TableReader, wanted: MailFilter) -> Iterator[Row]:
    only, values = _only(wanted)
    rows = reader.query(
        FD_MAIL, _IN_THE_BOX, index="by-time", only=only, backwards=True, box=BOX, **values
    )
    for _second, together in groupby(rows, key=lambda row: row["received_at"]):
        yield from sorted(together, key=lambda row: row["mail_id"], reverse=True)
