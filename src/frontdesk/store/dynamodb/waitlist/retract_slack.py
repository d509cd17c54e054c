"""What was said elsewhere about somebody who is erased is taken back, by a job."""

from __future__ import annotations

from frontdesk.core.jobs import JobId
from frontdesk.features.slack.jobs import UNREACHABLE, job_id, taking_back
from frontdesk.store.dynamodb import jobs
from frontdesk.store.dynamodb.items import TransactItem
from frontdesk.store.dynamodb.look import Look
from frontdesk.store.dynamodb.waitlist import entries, offers


def taken_back(look: Look, said: JobId) -> tuple[TransactItem, ...]:
    """What is to be written, if anything was said."""
    return () if jobs.job(look, said) is None else (jobs.put_open(taking_back(said)),)


def forget_person(look: Look, person_id: str) -> None:
    """That they could not be reached."""
    for entry in entries.entries_of(look, person_id):
        for slot_id in offers.slots_of_entry(look, entry.id):
            for item in taken_back(look, job_id(UNREACHABLE, f"{slot_id}/{entry.id}")):
                look.write(item)
