"""Adds jobs that retract Slack messages about an erased person."""

from __future__ import annotations

from sqlite3 import Connection

from frontdesk.core.jobs import AddJob, JobId
from frontdesk.desks.waitlist.slack.news import UNREACHABLE
from frontdesk.features.slack.jobs import job_id, retract_job
from frontdesk.store.sqlite import jobs


def retract(db: Connection, posted: JobId) -> None:
    if jobs.job(db, posted) is not None:
        jobs.add(db, AddJob(retract_job("wl", posted)))


def forget_person(db: Connection, person_id: str) -> None:
    """Retracts the messages that the person could not be reached."""
    offers = db.execute(
        "SELECT slot_id, entry_id FROM wl_offer JOIN wl_entry USING (entry_id) WHERE person_id = ?",
        (person_id,),
    )
    for slot_id, entry_id in offers.fetchall():
        retract(db, job_id(UNREACHABLE, f"{slot_id}/{entry_id}"))
