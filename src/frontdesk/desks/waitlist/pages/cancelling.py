"""A customer cancels their own booking, from the page of the offer or of their place in line."""

from __future__ import annotations

from typing import cast

from starlette.concurrency import run_in_threadpool

from frontdesk.desks.waitlist.counter import NAME as COUNTER
from frontdesk.desks.waitlist.counter import Counter
from frontdesk.desks.waitlist.model import Slot, SlotStatus
from frontdesk.desks.waitlist.pages.visit import Visit
from frontdesk.web.forms import Form


def can_cancel(visit: Visit, slot: Slot) -> bool:
    """It is theirs, and still to come."""
    is_theirs = slot.status is SlotStatus.BOOKED and slot.booked_by == visit.entry.id
    return is_theirs and visit.now < slot.opening.starts_at


async def cancel(visit: Visit, slot: Slot, form: Form) -> None:
    """Frees the slot for the next. Whatever comes of it, the page tells the present state."""
    counter = cast("Counter", visit.site.memory[COUNTER])
    await run_in_threadpool(
        counter.cancel,
        slot,
        by=f"guest:{visit.entry.id}",
        by_staff=False,
        stay=form.ticked("stay"),
    )
