"""Actions of staff on a slot: take it back, cancel, note a no-show, offer it again, answer an
offer.

A time is freed again under an origin that names the slot, so a second tap changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final, assert_never

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command, Refused
from frontdesk.desks.waitlist.commands import ClaimOffer, DeclineOffer, TakeBackSlot, TakeOfferBack
from frontdesk.desks.waitlist.console.formatting import service_and_staff, when
from frontdesk.desks.waitlist.console.page import (
    WAITLIST,
    me,
    slot_intake_of,
    slot_of,
    slot_url,
    waitlist_page,
    wl_of,
)
from frontdesk.desks.waitlist.decide.moves import rest_of
from frontdesk.desks.waitlist.facts import ClaimLost
from frontdesk.desks.waitlist.model import Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slot_chain import followed_by
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.engine.ports import Committed
from frontdesk.values import Frozen
from frontdesk.web.console.forms import FormField, FormSpec, confirm_page, is_confirmed
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.site import site_of


class SlotAction(Frozen):
    """A button that posts, or a link. A question is asked first if there is one."""

    url: str
    label: str
    question: str = ""
    means: str = ""
    sure: str = ""
    is_link: bool = False


def slot_actions(wl: WaitlistReads, slot: Slot, now: datetime) -> tuple[SlotAction, ...]:
    match slot.status:
        case SlotStatus.OPEN:
            return (_take_back(slot),)
        case SlotStatus.BOOKED if followed_by(wl, slot):
            return ()
        case SlotStatus.BOOKED:
            return (_missed(slot),) if now >= slot.opening.starts_at else (_cancel(slot),)
        case SlotStatus.HANDED_BACK:
            is_over = now >= slot.opening.starts_at and not rest_of(slot.opening, slot.rules, now)
            return () if is_over or followed_by(wl, slot) else (_again(slot, now),)
        case SlotStatus.CANCELLED | SlotStatus.NO_SHOW:
            return ()
        case _:
            assert_never(slot.status)


def offer_actions(slot: Slot, who: str) -> tuple[SlotAction, ...]:
    """Actions that answer an offer on behalf of its person."""
    if slot.status is not SlotStatus.OPEN or not slot.offer_seq:
        return ()
    told = f" {who} is told that it is gone." if slot.live else ""
    url = f"{slot_url(slot.id)}/offers/{slot.offer_seq}"
    return (
        SlotAction(
            f"{url}/accept",
            "Accept for them",
            question=f"Accept this slot for {who}?",
            means="It is booked for them, and they get the confirmation.",
            sure="Book it for them",
        ),
        SlotAction(
            f"{url}/decline",
            "Decline for them",
            question=f"Decline this slot for {who}?",
            means="They stay on the list, and the next in line is asked at once.",
            sure="Decline it for them",
        ),
        SlotAction(
            f"{url}/withdraw",
            "Withdraw the offer",
            question=f"Withdraw the offer to {who}?",
            means=f"The next in line is asked at once.{told}",
            sure="Withdraw it",
        ),
    )


def _take_back(slot: Slot) -> SlotAction:
    told = "Whoever has the offer is told that it is gone." if slot.live else ""
    return SlotAction(
        f"{slot_url(slot.id)}/take-back",
        "Stop offering",
        question="Stop offering this slot?",
        means=f"It is offered to nobody any more. {told}".strip(),
        sure="Stop offering",
    )


def _cancel(slot: Slot) -> SlotAction:
    return SlotAction(f"{slot_url(slot.id)}/cancel", "Cancel for them", is_link=True)


def _missed(slot: Slot) -> SlotAction:
    return SlotAction(
        f"{slot_url(slot.id)}/no-show",
        "Did not come",
        question="Mark this as a no-show?",
        means="They are told that they were missed. The rest of the time is offered to the next "
        "on the list, if enough is left.",
        sure="They did not come",
    )


def _again(slot: Slot, now: datetime) -> SlotAction:
    begun = now >= slot.opening.starts_at
    return SlotAction(
        f"{slot_url(slot.id)}/again", "Offer the rest" if begun else "Offer it once more"
    )


# --- handlers -------------------------------------------------------------------------------


def routes() -> list[BaseRoute]:
    path = f"{WAITLIST}/slots/{{slot}}"
    return [
        Route(f"{path}/take-back", staff(take_back), methods=["POST"]),
        Route(f"{path}/cancel", staff(cancel_page), methods=["GET"]),
        Route(f"{path}/cancel", staff(cancel), methods=["POST"]),
        Route(f"{path}/no-show", staff(no_show), methods=["POST"]),
        Route(f"{path}/again", staff(again), methods=["POST"]),
        Route(f"{path}/offers/{{seq:int}}/{{answer}}", staff(answer_offer), methods=["POST"]),
    ]


async def take_back(request: Request) -> Response:
    slot = slot_of(request)
    if not is_confirmed(request):
        return _ask(request, slot, _take_back(slot))
    outcome = await run(request, TakeBackSlot(slot.id))
    if isinstance(outcome, Refused):
        return done(request, slot_url(slot.id), "It is not on offer any more.", kind="problem")
    return done(request, slot_url(slot.id), "The slot is offered to nobody any more.")


async def cancel_page(request: Request) -> Response:
    """Shows the form that cancels a booking. Opening the form cancels nothing."""
    slot, site = slot_of(request), site_of(request)
    if slot.status is not SlotStatus.BOOKED:
        return _answer_repeated(request, slot)
    who, url = EntryNames(site.reads()).of_entry(slot.booked_by), slot_url(slot.id)
    return waitlist_page(
        request,
        "console/form.html",
        tab="Board",
        page_title=f"Cancel for {who}?",
        lead=f"{service_and_staff(slot)}, {when(slot, site.clock.now())}",
        form=CANCEL.view(
            f"{url}/cancel",
            url,
            {"offer": "yes"},
            text=f"{who} gets a message at once that the booking is cancelled.",
        ),
    )


CANCEL: Final = FormSpec(
    fields=(
        FormField("offer", "Offer the time to the next on the list", "check"),
        FormField("stay", "Keep them on the list for another time, in their place", "check"),
    ),
    button="Cancel the booking",
    back="Leave it",
)


async def cancel(request: Request) -> Response:
    slot, form = slot_of(request), form_of(request)
    if slot.status is not SlotStatus.BOOKED:
        return _answer_repeated(request, slot)
    outcome = await run_in_threadpool(
        slot_intake_of(request).cancel,
        slot,
        by=me(request).by,
        by_staff=True,
        stay=form.ticked("stay"),
        offer=form.ticked("offer"),
    )
    if isinstance(outcome, Refused):
        if outcome.reason is not Reason.BEGUN:
            return _answer_repeated(request, slot)
        says = "It has begun. Say that they did not come instead."
        return done(request, slot_url(slot.id), says, kind="problem")
    return _after_ending(request, slot, "Cancelled, and they are told.")


async def no_show(request: Request) -> Response:
    slot, now = slot_of(request), site_of(request).clock.now()
    if slot.status is not SlotStatus.BOOKED:
        return _answer_repeated(request, slot)
    if now < slot.opening.starts_at:
        says = "It has not begun yet. Cancel the booking if they cannot come."
        return done(request, slot_url(slot.id), says, kind="problem")
    if not is_confirmed(request):
        return _ask(request, slot, _missed(slot))
    outcome = await run_in_threadpool(slot_intake_of(request).missed, slot, by=me(request).by)
    if isinstance(outcome, Refused):
        return _answer_repeated(request, slot)
    return _after_ending(request, slot, "Noted: they did not come.")


def _answer_repeated(request: Request, slot: Slot) -> Response:
    """Answers a second press: the booking has ended already, or there was none."""
    ended = _ENDED.get(slot.status)
    if freed := followed_by(wl_of(request), slot):
        then = "Staff gave it to somebody else." if freed.is_given else "Its time is free again."
        says = f"{ended or 'It ended already.'} {then}"
        return done(request, slot_url(freed.id), says)
    if ended:
        return done(request, slot_url(slot.id), f"{ended} Nothing was changed.")
    return done(request, slot_url(slot.id), "Nobody has booked this slot.", kind="problem")


_ENDED: Final[Mapping[SlotStatus, str]] = {
    SlotStatus.CANCELLED: "This booking was cancelled already.",
    SlotStatus.NO_SHOW: "It was noted already that they did not come.",
}


def _after_ending(request: Request, slot: Slot, says: str) -> Response:
    """Redirects to the slot that got the time, if there is one, with a message."""
    wl = wl_of(request)
    ended = wl.slot(slot.id)
    freed = followed_by(wl, ended) if ended else None
    if freed is None:
        return done(request, slot_url(slot.id), f"{says} The time is not offered again.")
    return done(request, slot_url(freed.id), f"{says} The time is free for the next.")


async def again(request: Request) -> Response:
    slot = slot_of(request)
    if slot.status is not SlotStatus.HANDED_BACK:
        return done(request, slot_url(slot.id), "This slot was not handed back.", kind="problem")
    outcome = await run_in_threadpool(slot_intake_of(request).free_again, slot, by=me(request).by)
    if isinstance(outcome, Refused) and outcome.reason is not Reason.ALREADY_FREED:
        says = _NOT_AGAIN.get(
            outcome.reason, "Too little of the time is left to offer it to somebody."
        )
        return done(request, slot_url(slot.id), says, kind="problem")
    freed = followed_by(wl_of(request), slot)
    assert freed is not None, "it was freed now, or before"
    return done(request, slot_url(freed.id), "The time is free again. See here who is asked.")


_NOT_AGAIN: Final[Mapping[object, str]] = {
    Reason.OVERLAPS: "There is another slot at this time, with the same staff member or place.",
    Reason.TAKEN: "Somebody is booked at this time by now, or it is held for somebody.",
}


async def answer_offer(request: Request) -> Response:
    """Answers an offer for its person. The audit names the member who did it."""
    slot, seq = slot_of(request), int(request.path_params["seq"])
    offer = wl_of(request).offer(slot.id, seq) if slot.offer_seq == seq else None
    answer = _ANSWERS.get(request.path_params["answer"])
    if offer is None or answer is None:
        return done(request, slot_url(slot.id), _OFFER_GONE, kind="problem")
    if not is_confirmed(request):
        who = EntryNames(site_of(request).reads()).of_entry(offer.entry_id)
        acts = {act.url.rpartition("/")[2]: act for act in offer_actions(slot, who)}
        return _ask(request, slot, acts[request.path_params["answer"]])
    make, says = answer
    outcome = await run(request, make(slot, seq))
    lost = isinstance(outcome, Committed) and any(
        isinstance(each.fact, ClaimLost) for each in outcome.facts
    )
    if isinstance(outcome, Refused) or lost:
        return done(request, slot_url(slot.id), _OFFER_GONE, kind="problem")
    return done(request, slot_url(slot.id), says)


_OFFER_GONE: Final = "This offer is over, or they are not on the list any more."
_ANSWERS: Final[Mapping[str, tuple[Callable[[Slot, int], Command], str]]] = {
    "accept": (
        lambda slot, seq: ClaimOffer(slot.id, seq, by_staff=True),
        "Booked for them. They get the confirmation.",
    ),
    "decline": (
        lambda slot, seq: DeclineOffer(slot.id, seq, by_staff=True),
        "Declined for them. The slot is free for the next.",
    ),
    "withdraw": (
        lambda slot, seq: TakeOfferBack(slot.id, seq),
        "The offer is withdrawn. The slot is free for the next.",
    ),
}


def _ask(request: Request, slot: Slot, act: SlotAction) -> Response:
    """The confirm page for browsers without scripts."""
    return confirm_page(
        request,
        active=WAITLIST,
        question=act.question,
        means=f"{when(slot, site_of(request).clock.now())}: {service_and_staff(slot)}. {act.means}",
        label=act.sure,
        keep_url=slot_url(slot.id),
    )
