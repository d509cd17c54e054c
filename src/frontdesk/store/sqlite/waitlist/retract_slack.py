"""What was said elsewhere about somebody who is erased is taken back, by a job."""

from __future__ import annotations

from sqlite3 import Connection

from frontdesk.core.jobs import AddJob, JobId
from frontdesk.features.slack.jobs import UNREACHABLE, job_id, taking_back
from frontdesk.store.sqlite import jobs


def take_back(db: Connection, said: JobId) -> None:
    if jobs.job(db, said) is not None:
        jobs.add(db, AddJob(taking_back(said)))


def forget_person(db: Connection, person_id: str) -> None:
    """That they could not be reached."""
    offers = db.execute(
        "SELECT slot_id, entry_id FROM wl_offer JOIN wl_entry USING (entry_id) WHERE person_id = ?",
        (person_id,),
    )
    for slot_id, entry_id in offers.fetchall():
        take_back(db, job_id(UNREACHABLE, f"{slot_id}/{entry_id}"))
