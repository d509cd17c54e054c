"""A customer cancels their own booking, from the page of the offer or of their place in line."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool

from frontdesk.desks.waitlist.commands import CancelBooking
from frontdesk.desks.waitlist.model import Slot, SlotId, SlotStatus
from frontdesk.desks.waitlist.pages.visit import Visit
from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
from frontdesk.desks.waitlist.slot_intake import SlotIntake
from frontdesk.web.forms import Form


def can_cancel(visit: Visit, slot: Slot) -> bool:
    """It is theirs, and still to come."""
    is_theirs = slot.status is SlotStatus.BOOKED and slot.booked_by == visit.entry.id
    return is_theirs and visit.now < slot.opening.starts_at


async def cancel(visit: Visit, slot: Slot, form: Form) -> None:
    """Frees the slot for the next, by the rules as staff wrote them last. On AWS they are in the
    store already: the function that serves this page reads no documents."""
    intake = visit.site.memory.get(SLOT_INTAKE)
    if isinstance(intake, SlotIntake):
        await run_in_threadpool(intake.documents.take_edits)
    new_id = SlotId(visit.site.new_id())
    await visit.run(CancelBooking(slot.id, visit.entry.id, new_id, stay=form.ticked("stay")))
