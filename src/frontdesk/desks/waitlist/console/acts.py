"""What staff can do about a slot with one tap: take it back, say that nobody came, offer it again.

A time is freed once more under an origin that names the slot: a second tap finds it freed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, assert_never

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import TakeBackSlot
from frontdesk.desks.waitlist.console.frame import (
    WAITLIST,
    counter_of,
    me,
    slot_of,
    slot_url,
    wl_of,
)
from frontdesk.desks.waitlist.console.looks import what, when
from frontdesk.desks.waitlist.model import Opening, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.frozen import frozen
from frontdesk.web.console_shell import console_page, done, form_of, staff
from frontdesk.web.site import site_of

#: A freed rest begins on such a minute.
STEP: Final = timedelta(minutes=5)
#: Less than this of a time is of no use to anybody.
SHORTEST_REST: Final = timedelta(minutes=10)

MISSED: Final = "no-show"
AGAIN: Final = "again"


@frozen
class Act:
    """A button that posts. With a question it is asked first."""

    url: str
    label: str
    question: str = ""
    means: str = ""
    sure: str = ""


def acts_on(wl: WaitlistReads, slot: Slot, now: datetime) -> tuple[Act, ...]:
    match slot.status:
        case SlotStatus.OPEN:
            return (_take_back(slot),)
        case SlotStatus.BOOKED:
            freed = rest_of(slot, now) is None or followed_by(wl, slot)
            return () if freed else (_missed(slot, now),)
        case SlotStatus.HANDED_BACK:
            over = now >= slot.opening.starts_at or followed_by(wl, slot)
            return () if over else (_again(slot),)
        case _:
            assert_never(slot.status)


def _take_back(slot: Slot) -> Act:
    told = "Whoever has the offer is told that it is gone." if slot.live else ""
    return Act(
        f"{slot_url(slot.id)}/take-back",
        "Take it back",
        question="Take this slot back?",
        means=f"It is offered to nobody any more. {told}".strip(),
        sure="Take it back",
    )


def _missed(slot: Slot, now: datetime) -> Act:
    begun = now >= slot.opening.starts_at
    return Act(
        f"{slot_url(slot.id)}/no-show",
        "Did not come" if begun else "Cannot come",
        question="Did they not come?" if begun else "Can they not come?",
        means="What is left of the time is offered to the next on the list.",
        sure="Free the time",
    )


def _again(slot: Slot) -> Act:
    return Act(f"{slot_url(slot.id)}/again", "Offer it once more")


def followed_by(wl: WaitlistReads, slot: Slot) -> Slot | None:
    """The slot that its time was freed as once more, if it was."""
    kind = MISSED if slot.status is SlotStatus.BOOKED else AGAIN
    return wl.slot_by_origin(f"{kind}:{slot.id}")


def rest_of(slot: Slot, now: datetime) -> Opening | None:
    """What is left of its time, from when somebody else could be here; nothing if too little."""
    opening = slot.opening
    soonest = _round_up(now + slot.rules.cut_off + slot.rules.claim_window)
    starts_at = max(opening.starts_at, soonest)
    left = opening.starts_at + opening.duration - starts_at
    enough = left >= min(SHORTEST_REST, opening.duration)
    return replace(opening, starts_at=starts_at, duration=left) if enough else None


def _round_up(at: datetime) -> datetime:
    since = at - datetime.fromtimestamp(0, UTC)
    return at + -since % STEP


# --- doing it -------------------------------------------------------------------------------


def routes() -> list[BaseRoute]:
    path = f"{WAITLIST}/slots/{{slot}}"
    return [
        Route(f"{path}/take-back", staff(take_back), methods=["POST"]),
        Route(f"{path}/no-show", staff(no_show), methods=["POST"]),
        Route(f"{path}/again", staff(again), methods=["POST"]),
    ]


async def take_back(request: Request) -> Response:
    slot = slot_of(request)
    if not form_of(request).ticked("confirmed"):
        return _ask(request, slot, _take_back(slot))
    outcome = await site_of(request).run(TakeBackSlot(slot.id), by=me(request).by)
    if isinstance(outcome, Refused):
        return done(request, slot_url(slot.id), "It is not on offer any more.", kind="problem")
    return done(request, slot_url(slot.id), "The slot is yours again. Nobody is offered it.")


async def no_show(request: Request) -> Response:
    slot, now = slot_of(request), site_of(request).clock.now()
    if slot.status is not SlotStatus.BOOKED:
        return done(request, slot_url(slot.id), "Nobody has booked this slot.", kind="problem")
    if not form_of(request).ticked("confirmed"):
        return _ask(request, slot, _missed(slot, now))
    return await _free_again(request, slot, MISSED, rest_of(slot, now))


async def again(request: Request) -> Response:
    slot = slot_of(request)
    if slot.status is not SlotStatus.HANDED_BACK:
        return done(request, slot_url(slot.id), "This slot was not handed back.", kind="problem")
    return await _free_again(request, slot, AGAIN, slot.opening)


async def _free_again(request: Request, slot: Slot, kind: str, rest: Opening | None) -> Response:
    freed = followed_by(wl_of(request), slot)
    if freed is None and rest is None:
        says = "Too little of the time is left to offer it to somebody."
        return done(request, slot_url(slot.id), says, kind="problem")
    if rest is not None:
        free = counter_of(request).free
        outcome = await run_in_threadpool(free, f"{kind}:{slot.id}", rest, by=me(request).by)
        if isinstance(outcome, Refused) and outcome.reason is not Reason.ALREADY_FREED:
            says = "The time has begun, and cannot be offered any more."
            return done(request, slot_url(slot.id), says, kind="problem")
        freed = followed_by(wl_of(request), slot)
    assert freed is not None
    return done(request, slot_url(freed.id), "The time is free, and is offered to the next.")


def _ask(request: Request, slot: Slot, act: Act) -> Response:
    """For browsers that could not ask by themselves."""
    form = form_of(request)
    return console_page(
        request,
        "confirm.html",
        page_title=act.question,
        active=WAITLIST,
        question=act.question,
        means=f"{when(slot, site_of(request).clock.now())}: {what(slot)}. {act.means}",
        action=act.url,
        label=act.sure,
        keep_label="Leave it",
        keep_url=slot_url(slot.id),
        fields={"csrf": form["csrf"]},
    )
