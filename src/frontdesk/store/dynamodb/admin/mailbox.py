"""Finds messages and incoming mail for staff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from heapq import merge
from itertools import groupby, islice
from typing import Any, Final

from frontdesk.core.mail import FOR_A_PERSON
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.reads import MailFilter, MailRow, MessageFilter, MessageRow
from frontdesk.store.dynamodb.mail import BOX, beginning_of
from frontdesk.store.dynamodb.people import people
from frontdesk.store.dynamodb.schema import AUDITS, FD_MAIL, FD_MESSAGES, FD_SENDS
from frontdesk.store.dynamodb.sends import SEND, whole
from frontdesk.store.dynamodb.sort_keys import is_in
from frontdesk.store.dynamodb.table_reader import AT_ONCE, Row, TableReader
from frontdesk.store.rows import instant

_RECENT_SENDS: Final = 2_000


def messages(
    reader: TableReader, wanted: MessageFilter, *, limit: int, offset: int = 0
) -> list[MessageRow]:
    return list(islice(_found(reader, wanted, _whole_rows(reader, wanted)), offset, offset + limit))


def counts(reader: TableReader, wanted: MessageFilter) -> dict[SendState, int]:
    """Counts messages by state. Reads names and subjects only for a search."""
    if wanted.search:
        found = _found(reader, wanted, _whole_rows(reader, wanted))
        return dict(Counter(row.send.state for row in found))
    if wanted.person_id:
        return dict(Counter(SendState(row["state"]) for row in _whole_rows(reader, wanted)))
    by_state = {state: _count(reader, state, wanted) for state in wanted.states or SendState}
    return {state: count for state, count in by_state.items() if count}


def _count(reader: TableReader, state: SendState, wanted: MessageFilter) -> int:
    only, values = _only(wanted)
    return reader.count(
        FD_SENDS, "#state = :state", index="by-state", only=only, state=state.value, **values
    )


def _only(wanted: MessageFilter) -> tuple[str, dict[str, Any]]:
    """Returns a filter with the conditions that are set, and its values."""
    conditions: list[str] = []
    values: dict[str, Any] = {}
    if wanted.kind:
        conditions.append("kind = :kind")
        values["kind"] = wanted.kind
    if wanted.but_desk:
        conditions.append("desk <> :but")
        values["but"] = wanted.but_desk
    return " AND ".join(conditions), values


def _whole_rows(reader: TableReader, wanted: MessageFilter) -> Iterator[Row]:
    """Yields the rows in the wanted states, newest first."""
    for row in whole(reader, _sends(reader, wanted)):
        if not wanted.states or SendState(row["state"]) in wanted.states:
            yield row


def _sends(reader: TableReader, wanted: MessageFilter) -> Iterator[Row]:
    """Yields index entries of all states, newest first. They have only keys, desk and kind."""
    if wanted.person_id:
        only, values = _only(wanted)
        theirs = reader.query(
            FD_SENDS,
            "person_id = :person",
            index="by-person",
            only=only,
            backwards=True,
            person=wanted.person_id,
            **values,
        )
        return _in_order(theirs)
    desks = [desk for desk in AUDITS if desk != wanted.but_desk]
    rows = _newest(reader, desks)
    return (row for row in rows if not wanted.kind or row["kind"] == wanted.kind)


def _newest(reader: TableReader, desks: Iterable[str]) -> Iterator[Row]:
    runs = [
        reader.query(FD_SENDS, "desk = :desk", index="by-desk", backwards=True, desk=desk)
        for desk in desks
    ]
    return _in_order(merge(*runs, key=_queued_at, reverse=True))


def _in_order(rows: Iterable[Row]) -> Iterator[Row]:
    """Sorts the rows of one second by id: the index has no order among them."""
    for _second, together in groupby(rows, key=_queued_at):
        yield from sorted(together, key=lambda row: row["send_id"], reverse=True)


def _queued_at(row: Row) -> int:
    queued_at: int = row["queued_at"]
    return queued_at


def _found(reader: TableReader, wanted: MessageFilter, rows: Iterator[Row]) -> Iterator[MessageRow]:
    """Adds persons and subjects, in batches of one request each, and applies the search."""
    while together := list(islice(rows, AT_ONCE)):
        persons = people(reader, [row["person_id"] for row in together])
        kept = reader.get_many(FD_MESSAGES, [(row["send_id"],) for row in together])
        for row in together:
            person = persons.get(row["person_id"])
            subject = kept.get((row["send_id"],), _NOT_KEPT)["subject"]
            if person is None:
                continue
            if not wanted.search or is_in(wanted.search, person.name, person.email, subject):
                yield MessageRow(SEND.read(row), person, subject)


_NOT_KEPT: Final[dict[str, Any]] = {"subject": ""}


def kinds(reader: TableReader, but_desk: str = "") -> list[str]:
    """Returns the kinds of recent messages, for the filter on the page."""
    recent = islice(_newest(reader, AUDITS), _RECENT_SENDS)
    return sorted({row["kind"] for row in recent if row["desk"] != but_desk})


#: Enough for the headers of nearly every mail.
HEAD_BYTES: Final = 16_000
#: Each head is a separate request to S3.
HEADS_AT_ONCE: Final = 10


def mails(reader: TableReader, wanted: MailFilter, *, limit: int, offset: int = 0) -> list[MailRow]:
    rows = list(islice(_found_mail(reader, wanted), offset, offset + limit))
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
        return sum(1 for _ in _found_mail(reader, wanted))
    only, values = _only_mail(wanted)
    return reader.count(FD_MAIL, _IN_THE_BOX, index="by-time", only=only, box=BOX, **values)


_IN_THE_BOX: Final = "box = :box"


def _only_mail(wanted: MailFilter) -> tuple[str, dict[str, Any]]:
    if wanted.for_a_person:
        return "outcome = :outcome", {"outcome": FOR_A_PERSON}
    return "", {}


def _found_mail(reader: TableReader, wanted: MailFilter) -> Iterator[Row]:
    """Yields the newest first. Reads people only for a search."""
    rows = _newest_mail(reader, wanted)
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


def _newest_mail(reader: TableReader, wanted: MailFilter) -> Iterator[Row]:
    only, values = _only_mail(wanted)
    rows = reader.query(
        FD_MAIL, _IN_THE_BOX, index="by-time", only=only, backwards=True, box=BOX, **values
    )
    for _second, together in groupby(rows, key=lambda row: row["received_at"]):
        yield from sorted(together, key=lambda row: row["mail_id"], reverse=True)
