"""Lets a customer cancel their booking, from the page of the offer or of their place."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool

from frontdesk.desks.waitlist.commands import CancelBooking
from frontdesk.desks.waitlist.model import Slot, SlotId, SlotStatus
from frontdesk.desks.waitlist.pages.visit import Visit
from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
from frontdesk.desks.waitlist.slot_intake import SlotIntake
from frontdesk.web.forms import Form


def can_cancel(visit: Visit, slot: Slot) -> bool:
    """Whether they have booked it and it has not begun."""
    is_theirs = slot.status is SlotStatus.BOOKED and slot.booked_by == visit.entry.id
    return is_theirs and visit.now < slot.opening.starts_at


async def cancel(visit: Visit, slot: Slot, form: Form) -> None:
    """Cancels the booking, by the latest rules of staff. On AWS these are in the store already,
    because the function that serves this page reads no documents."""
    intake = visit.site.memory.get(SLOT_INTAKE)
    if isinstance(intake, SlotIntake):
        await run_in_threadpool(intake.documents.take_edits)
    new_id = SlotId(visit.site.new_id())
    await visit.run(CancelBooking(slot.id, visit.entry.id, new_id, stay=form.ticked("stay")))
