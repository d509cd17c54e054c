"""Writes appointments, reminders and replies."""

from __future__ import annotations

from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk.desks.reminders import changes as c
from frontdesk.desks.reminders.model import Appointment, Reminder, Reply
from frontdesk.store.rows import SqliteRows
from frontdesk.store.sqlite.tables import (
    Write,
    Writes,
    adds,
    replaces,
    statement,
    writes_one,
)

#: Each tick reads nearly the same rows again.
APPOINTMENT: Final = SqliteRows(Appointment, {"id": "appointment_id"}, remembered=20_000)
REMINDER: Final = SqliteRows(Reminder, remembered=1_000)
REPLY: Final = SqliteRows(Reply)


def write_reminder(db: Connection, change: c.WriteReminder) -> bool:
    one = change.reminder
    return writes_one(
        db,
        f"UPDATE ar_send SET {REMINDER.sets(2)}"
        " WHERE appointment_id = ? AND window = ? AND chain = ? AND state = ?",
        (
            *REMINDER.values(one)[2:],
            one.appointment_id,
            one.window.value,
            one.chain,
            change.before.value,
        ),
    )


def archive_reminder(db: Connection, change: c.ArchiveReminder) -> bool:
    one = change.reminder
    key = (one.appointment_id, one.window.value, one.chain)
    where = "WHERE appointment_id = ? AND window = ? AND chain = ?"
    return writes_one(
        db,
        f"INSERT INTO ar_send_archive ({REMINDER.columns})"
        f" SELECT {REMINDER.columns} FROM ar_send {where}",
        key,
    ) and writes_one(db, f"DELETE FROM ar_send {where}", key)


_reminder = attrgetter("reminder.appointment_id", "reminder.window")
WRITES: Writes = {
    c.AddAppointment: adds("ar_appointment", APPOINTMENT, "appointment"),
    c.WriteAppointment: replaces("ar_appointment", APPOINTMENT, "appointment"),
    c.AppointmentAsRead: Write(
        "ar_appointment",
        attrgetter("appointment_id"),
        statement(
            "SELECT 1 FROM ar_appointment"
            " WHERE appointment_id = :appointment_id AND version = :version"
        ),
    ),
    c.AddReminder: adds("ar_send", REMINDER, "reminder", "appointment_id", "window"),
    c.WriteReminder: Write("ar_send", _reminder, write_reminder),
    c.ArchiveReminder: Write("ar_send", _reminder, archive_reminder),
    c.AddReply: adds("ar_reply", REPLY, "reply", "appointment_id", "nonce", "action"),
}
