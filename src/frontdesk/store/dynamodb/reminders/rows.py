"""Reads and writes appointments, which are in one partition, reminders and replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from frontdesk.core.people import Person, PersonId
from frontdesk.desks.reminders import changes as c
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    Reminder,
    Reply,
)
from frontdesk.desks.reminders.slack.news import gap_posts
from frontdesk.features.slack.news import retract_job
from frontdesk.store.dynamodb import jobs, people
from frontdesk.store.dynamodb.items import TransactItem, delete, put, put_new, update
from frontdesk.store.dynamodb.partitions import Partition, person_shelf
from frontdesk.store.dynamodb.schema import (
    AR_APPOINTMENTS,
    AR_REPLIES,
    AR_SENDS,
    AR_SENDS_ARCHIVE,
)
from frontdesk.store.dynamodb.sort_keys import moment
from frontdesk.store.dynamodb.table_reader import TableReader
from frontdesk.store.dynamodb.tables import Write, Writes, one
from frontdesk.store.dynamodb.values import Value
from frontdesk.store.rows import DynamoRows, instant

APPOINTMENTS: Final = Partition(AR_APPOINTMENTS, "appointments", DynamoRows(Appointment))
REMINDER: Final = DynamoRows(Reminder)
REPLY: Final = DynamoRows(Reply)
_LIVE: Final = "#state = :expected OR #state = :confirmed"


# --- appointments ---------------------------------------------------------------------------


def appointments_of(reader: TableReader, person_id: str) -> list[Appointment]:
    """Leaves out appointments that have another customer now: the former one still has a row."""
    filed = APPOINTMENTS.of_person(reader, person_id)
    found = [each for each in filed if each.person_id == person_id]
    return sorted(found, key=lambda each: (each.starts_at, each.id))


def live_of(reader: TableReader, person_id: str, since: datetime, limit: int) -> list[Appointment]:
    found = appointments_of(reader, person_id)
    return [each for each in found if each.is_live and each.starts_at > since][:limit]


def live_after(
    reader: TableReader,
    since: datetime,
    cursor: str,
    limit: int,
    until: datetime | None = None,
    *,
    unanswered: bool = False,
) -> list[Appointment]:
    """A key is the moment and an id, so keys of `since` itself sort after its moment."""
    start, _, appointment_id = cursor.partition("/")
    after = moment(instant(int(start))) + appointment_id if start else moment(since)
    coming = APPOINTMENTS.query(
        reader,
        "#start > :after",
        index="by-start",
        only=_LIVE,
        after=after,
        expected=AppointmentState.EXPECTED.value,
        confirmed=AppointmentState.CONFIRMED.value,
    )
    found: list[Appointment] = []
    for each in coming:
        if until is not None and each.starts_at > until:
            break
        if unanswered and not each.is_unanswered:
            continue
        found.append(each)
        if len(found) == limit:
            break
    return found


def no_shows(reader: TableReader) -> Mapping[PersonId, int]:
    missed = APPOINTMENTS.filed(reader, AppointmentState.NO_SHOW.value, index="by-state")
    return Counter(each.person_id for each in missed)


def no_shows_of(reader: TableReader, person_id: str) -> int:
    found = appointments_of(reader, person_id)
    return sum(each.state is AppointmentState.NO_SHOW for each in found)


def sheet_rows(reader: TableReader, since: datetime) -> list[tuple[Appointment, Person]]:
    """Reads the table instead of an index, so that it finds a row that was just added."""
    rows = APPOINTMENTS.query(
        reader,
        only="#source IN (:sheet, :mail) AND #start >= :since",
        sheet=AppointmentSource.SHEET.value,
        mail=AppointmentSource.MAIL.value,
        since=moment(since),
    )
    found = sorted(rows, key=lambda each: (each.starts_at, each.id))
    everybody = people.people(reader, list({each.person_id for each in found}))
    return [(each, everybody[each.person_id]) for each in found if each.person_id in everybody]


def add(_reader: TableReader, change: c.AddAppointment) -> tuple[TransactItem, ...]:
    one = change.appointment
    return APPOINTMENTS.add(one, _places(one)), _of_person(one)


def write(_reader: TableReader, change: c.WriteAppointment) -> tuple[TransactItem, ...]:
    """Also adds the row of a new customer, which finds the appointment."""
    one = change.appointment
    row = APPOINTMENTS.replace(one, _places(one))
    return (row, _of_person(one)) if change.new_person else (row,)


def as_read(change: c.AppointmentAsRead) -> TransactItem:
    return APPOINTMENTS.as_read(change.appointment_id, change.version)


def _places(one: Appointment) -> dict[str, Any]:
    start = moment(one.starts_at) + one.id
    return {"start": start, "filed": f"{one.state.value}#{start}"}


def _of_person(one: Appointment) -> TransactItem:
    row = {"shelf": person_shelf(one.person_id), "id": one.id}
    return put(AR_APPOINTMENTS.name, AR_APPOINTMENTS.key.names, row)


_FORGET: Final = "SET phone = :empty, #name = :empty, consent = :empty"


def forget_person(reader: TableReader, person_id: str) -> None:
    """Erases names, numbers and wishes, and retracts posts in Slack. Rows stay, for counts."""
    for each in appointments_of(reader, person_id):
        for posted in gap_posts(each.id, each.chain):
            if jobs.job(reader, posted) is not None:
                reader.write(jobs.put_open(retract_job("ar", posted)))
        key = APPOINTMENTS.key(each.id)
        reader.write(update(AR_APPOINTMENTS.name, key, _FORGET, empty=""))
        for reply in replies_of(reader, each.id):
            at: dict[str, Value] = {"appointment_id": each.id, "reply": _reply_key(reply)}
            reader.write(update(AR_REPLIES.name, at, "SET wishes = :empty", empty=""))


# --- reminders ------------------------------------------------------------------------------


def reminders_of(reader: TableReader, appointment_id: str) -> list[Reminder]:
    rows = reader.query(AR_SENDS, "appointment_id = :one", one=appointment_id)
    return _in_order(rows)


def archived_reminders(reader: TableReader, appointment_id: str) -> list[Reminder]:
    rows = reader.query(AR_SENDS_ARCHIVE, "appointment_id = :one", one=appointment_id)
    return _in_order(rows)


def _in_order(rows: Any) -> list[Reminder]:
    found = (REMINDER.read(row) for row in rows)
    return sorted(found, key=lambda each: (each.chain, each.at, each.window))


def add_reminder(change: c.AddReminder) -> TransactItem:
    return put_new(AR_SENDS.name, AR_SENDS.key.names, REMINDER.row(change.reminder))


def write_reminder(change: c.WriteReminder) -> TransactItem:
    reminder = change.reminder
    return put(
        AR_SENDS.name,
        AR_SENDS.key.names,
        REMINDER.row(reminder),
        when="chain = :chain AND #state = :before",
        chain=reminder.chain,
        before=change.before.value,
    )


def archive_reminder(_reader: TableReader, change: c.ArchiveReminder) -> tuple[TransactItem, ...]:
    """Archives the row as it was read; a change at the same moment is ignored."""
    reminder = change.reminder
    key: dict[str, Value] = {
        "appointment_id": reminder.appointment_id,
        "window": reminder.window.value,
    }
    row = {**REMINDER.row(reminder), "sent": f"{reminder.chain:06}#{reminder.window.value}"}
    gone = delete(AR_SENDS.name, key, when="chain = :chain", chain=reminder.chain)
    return gone, put_new(AR_SENDS_ARCHIVE.name, AR_SENDS_ARCHIVE.key.names, row)


# --- replies --------------------------------------------------------------------------------


def replies_of(reader: TableReader, appointment_id: str) -> list[Reply]:
    rows = reader.query(AR_REPLIES, "appointment_id = :one", one=appointment_id)
    found = (REPLY.read(row) for row in rows)
    return sorted(found, key=lambda each: (each.at, each.nonce, each.action))


def add_reply(change: c.AddReply) -> TransactItem:
    """The key identifies the message and its answer, so a repeated answer is stored once."""
    reply = change.reply
    row = {**REPLY.row(reply), "reply": _reply_key(reply)}
    return put_new(AR_REPLIES.name, AR_REPLIES.key.names, row)


def _reply_key(reply: Reply) -> str:
    return f"{reply.nonce}#{reply.action.value}"


WRITES: Writes = {
    c.AddAppointment: Write(add),
    c.WriteAppointment: Write(write),
    c.AppointmentAsRead: one(as_read),
    c.AddReminder: one(add_reminder),
    c.WriteReminder: one(write_reminder),
    c.ArchiveReminder: Write(archive_reminder),
    c.AddReply: one(add_reply),
}
