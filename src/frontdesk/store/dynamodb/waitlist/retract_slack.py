"""Retracts Slack messages about somebody who is erased, by a job."""

from __future__ import annotations

from frontdesk.core.jobs import JobId
from frontdesk.desks.waitlist.slack.news import UNREACHABLE
from frontdesk.features.slack.jobs import job_id, retract_job
from frontdesk.store.dynamodb import jobs
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.waitlist import entries, offers


def retract(look: Look, posted: JobId) -> tuple[TransactItem, ...]:
    """The job that removes the message, if there is one."""
    return () if jobs.job(look, posted) is None else (jobs.put_open(retract_job("wl", posted)),)


def forget_person(look: Look, person_id: str) -> None:
    """Retracts the news that they could not be reached."""
    for entry in entries.entries_of(look, person_id):
        for slot_id in offers.slots_of_entry(look, entry.id):
            for item in retract(look, job_id(UNREACHABLE, f"{slot_id}/{entry.id}")):
                look.write(item)
