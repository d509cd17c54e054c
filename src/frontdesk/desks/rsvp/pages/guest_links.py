"""Pages behind a guest's links. Opening one changes nothing; pressing its button does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, assert_never

from starlette.responses import Response

from frontdesk.core.occasions import Deadline
from frontdesk.desks.rsvp import commands, words
from frontdesk.desks.rsvp.decide.seats import seat_is_free, whole_event
from frontdesk.desks.rsvp.links import Purpose
from frontdesk.desks.rsvp.model import Offer, OfferState, State
from frontdesk.desks.rsvp.pages import manage, status_texts, texts
from frontdesk.desks.rsvp.pages.status_texts import GuestStatusText
from frontdesk.desks.rsvp.pages.visit import Visit, at_guest
from frontdesk.values import Frozen, replace
from frontdesk.web.forms import Form
from frontdesk.web.links import LinkHandler, handler


class Button(Frozen):
    """A button. The first one on a page is the large one."""

    do: str
    label: str


# --- an invitation ----------------------------------------------------------------------------


def show_invitation(visit: Visit) -> Response:
    guest = visit.guest
    if guest.state is not State.PENDING or not visit.is_open:
        return _status_page(visit, status_texts.current_status(visit))
    if guest.party > (most := whole_event(visit.event)):
        return _invited_too_many(visit, most)
    free = seat_is_free(visit.event.seats, guest.party)
    yes = "Confirm my seat" if guest.party == 1 else f"Confirm my {guest.party} seats"
    return visit.page(
        "rsvp/link.html",
        "One press, and you're done." if guest.signed_up_themselves else "Will you come?",
        lead=_what_yes_means(visit, free=free),
        deadline=None,
        buttons=(Button("yes", yes if free else "Join the line"), Button("no", "I can't come")),
        note="If you can't come, that's all: you won't hear from us about this event again.",
        instead=None,
    )


def _invited_too_many(visit: Visit, most: int) -> Response:
    """Offers a smaller party, because the host has cut the seats below the invitation."""
    seats = "Come alone" if most == 1 else f"Come with {most} in all"
    return visit.page(
        "rsvp/link.html",
        "There are fewer seats now.",
        lead=f"There {words.are_only(most)}, and your invitation is for {visit.guest.party}.",
        deadline=None,
        buttons=(Button("fewer", seats), Button("no", "I can't come")),
        note="If you can't come, that's all: you won't hear from us about this event again.",
        instead=None,
    )


def _what_yes_means(visit: Visit, *, free: bool) -> str:
    event = visit.event
    if seat_is_free(event.seats, 1) and not free:
        return (
            f"There are not enough seats for all of you just now. {texts.what_joining_means(event)}"
        )
    if not free:
        return f"{texts.seats_left(event).says} {texts.what_joining_means(event)}"
    if visit.guest.signed_up_themselves:
        return "You signed up with this address. No seat is held until you confirm."
    return "You're invited. No seat is held until you say yes."


async def answer_invitation(visit: Visit, form: Form) -> None:
    """Answers a pending invitation. Confirmed guests give up their seats by another link."""
    guest = visit.guest
    if guest.state is State.PENDING:
        if form["do"] == "fewer" and guest.party > (most := whole_event(visit.event)):
            await visit.run(commands.ReduceParty(guest.id, most))
            await visit.run(commands.ConfirmInvitation(guest.id))
            return
        presses = {"yes": commands.ConfirmInvitation(guest.id), "no": commands.Cancel(guest.id)}
        await visit.run(presses.get(form["do"]))


# --- an offer ---------------------------------------------------------------------------------


def show_offer(visit: Visit) -> Response:
    return _offer_page(
        visit,
        "A seat has come free." if visit.guest.party == 1 else "Seats have come free.",
        lead="You're next in line. Would you like to come?",
        buttons=(Button("take", words.take_label(visit.guest.party)), Button("pass", "Pass it on")),
        note=f"If you pass it on, {_who_has_it_then(visit)} and you keep your place.",
    )


def show_decline(visit: Visit) -> Response:
    return _offer_page(
        visit,
        "Pass it on?",
        lead=f"If you do, {_who_has_it_then(visit)} and you keep your place.",
        buttons=(Button("pass", "Pass it on"),),
        note="",
        instead=(visit.links.offer(visit.link.seq), "I'd rather come"),
    )


def _who_has_it_then(visit: Visit) -> str:
    if visit.event.seats.owed:
        return "the next in line is asked at once"
    return "it is open to everybody" if visit.guest.party == 1 else "they are open to everybody"


def _offer_page(
    visit: Visit,
    title: str,
    *,
    lead: str,
    buttons: tuple[Button, ...],
    note: str,
    instead: tuple[str, str] | None = None,
) -> Response:
    """Shows the offer while it can be claimed. `instead` links to the page with the other
    answer."""
    offer = visit.ev.offer(visit.guest.id, visit.link.seq)
    if offer is None or offer.state is not OfferState.LIVE or not visit.is_open:
        return _status_page(visit, _offer_status(visit, offer))
    assert offer.claim_by is not None
    claim_by = min(offer.claim_by, visit.event.details.starts_at)
    if visit.now >= claim_by:
        return _status_page(visit, status_texts.expired_offer(visit))
    return visit.page(
        "rsvp/link.html",
        title,
        lead=lead,
        deadline=_deadline(visit, claim_by),
        buttons=buttons,
        note=note,
        instead=instead,
    )


def _deadline(visit: Visit, claim_by: datetime) -> Deadline:
    party = visit.guest.party
    intro = "This seat is yours" if party == 1 else f"These {party} seats are yours"
    return Deadline(intro, claim_by, words.until(visit.event, claim_by, visit.now))


def _offer_status(visit: Visit, offer: Offer | None) -> GuestStatusText:
    now = status_texts.current_status(visit)
    if offer is None or not visit.is_open:
        return now
    if visit.guest.state is State.OFFERED and offer.seq < visit.guest.seq:
        return status_texts.replaced_offer()
    if visit.guest.state is not State.WAITING:
        return now
    match offer.state:
        case OfferState.EXPIRED:
            return status_texts.expired_offer(visit)
        case OfferState.DECLINED:
            return replace(now, title="You passed it on.", lead=f"{now.title} {now.lead}")
        case OfferState.WITHDRAWN:
            if now.take:
                return now
            return status_texts.taken_back(now)
        case OfferState.PENDING | OfferState.LIVE | OfferState.CLAIMED:
            return now
        case never:
            assert_never(never)


async def answer_offer(visit: Visit, form: Form) -> Response | None:
    which = (visit.guest.id, visit.link.seq)
    if form["do"] == "take_free":
        return await visit.take_free_seat()
    presses = {"take": commands.ClaimOffer(*which), "pass": commands.DeclineOffer(*which)}
    await visit.run(presses.get(form["do"]))
    return None


async def decline_offer(visit: Visit, form: Form) -> None:
    if form["do"] == "pass":
        await visit.run(commands.DeclineOffer(visit.guest.id, visit.link.seq))


def _status_page(visit: Visit, now: GuestStatusText) -> Response:
    """Shows the guest's current state and what they can still do."""
    again = visit.is_open and visit.guest.state is State.CANCELLED
    coming = visit.guest.state is State.CONFIRMED and not visit.is_off
    manage_link = visit.links.manage()
    return visit.page(
        "rsvp/told.html",
        now.title,
        now.status,
        lead=now.lead,
        tone=now.tone.value,
        take=now.take if visit.link.purpose is Purpose.OFFER else "",
        calendar=f"{manage_link}/calendar.ics" if coming else "",
        ticket=visit.links.ticket() if coming else "",
        manage=manage_link if visit.is_open and not again else "",
        manage_label="Cancel or change" if coming else "See where I stand",
        way_out=(visit.event_url, "Sign up again" if again else "To the event"),
    )


#: Handlers by purpose, for the route that all desks share.
LINKS: Final[Mapping[int, LinkHandler]] = {
    Purpose.CONFIRM: handler(at_guest, show_invitation, answer_invitation),
    Purpose.OFFER: handler(at_guest, show_offer, answer_offer),
    Purpose.DECLINE: handler(at_guest, show_decline, decline_offer),
    Purpose.MANAGE: handler(at_guest, manage.show, manage.act, calendar_ics=manage.calendar),
    Purpose.TICKET: handler(at_guest, manage.show_ticket, manage.act_on_ticket),
    Purpose.UNSUBSCRIBE: handler(at_guest, manage.show_unsubscribe, manage.unsubscribe),
}
