"""The reminders desk in SQLite: appointments, reminders, replies, proposals and sheet versions."""

from __future__ import annotations

from sqlite3 import Connection

from frontdesk.desks.reminders import document_facts, facts
from frontdesk.desks.reminders.slack.news import gap_posts
from frontdesk.features.slack.news import retract_job
from frontdesk.store.fact_json import facts_in
from frontdesk.store.sqlite import jobs, sheet_versions
from frontdesk.store.sqlite.reminders.proposals import PROPOSALS
from frontdesk.store.sqlite.reminders.reads import SqliteReminderReads
from frontdesk.store.sqlite.reminders.rows import WRITES
from frontdesk.store.sqlite.sheet_versions import VERSION_WRITES
from frontdesk.store.sqlite.tables import DeskTables


def forget(db: Connection, contact_key: str) -> None:
    """Erases proposals and sheet rows with this address or number."""
    from frontdesk.desks.reminders.sheet import COLUMNS  # only erasing needs it

    PROPOSALS.forget(db, contact_key)
    sheet_versions.forget(db, "ar", contact_key, COLUMNS)


def forget_person(db: Connection, person_id: str) -> None:
    """Erases names, numbers and wishes, and retracts posts in Slack. Rows stay, for counts."""
    _retract_posts(db, person_id)
    theirs = db.execute(
        "SELECT appointment_id FROM ar_appointment WHERE person_id = ?", (person_id,)
    )
    PROPOSALS.forget_entries(db, [appointment_id for (appointment_id,) in theirs.fetchall()])
    db.execute(
        "UPDATE ar_appointment SET phone = '', name = '', consent = '' WHERE person_id = ?",
        (person_id,),
    )
    db.execute(
        "UPDATE ar_reply SET wishes = '' WHERE appointment_id IN"
        " (SELECT appointment_id FROM ar_appointment WHERE person_id = ?)",
        (person_id,),
    )


def _retract_posts(db: Connection, person_id: str) -> None:
    found = db.execute(
        "SELECT appointment_id, chain FROM ar_appointment WHERE person_id = ?", (person_id,)
    )
    for appointment_id, last in found.fetchall():
        for posted in gap_posts(appointment_id, last):
            if jobs.job(db, posted) is not None:
                jobs.add(db, retract_job("ar", posted))


REMINDERS = DeskTables(
    code="ar",
    writes={**WRITES, **PROPOSALS.writes, **VERSION_WRITES},
    reads=SqliteReminderReads,
    facts=facts_in(facts, document_facts),
    forget=forget,
    forget_person=forget_person,
)
