"""A slot on offer: take it, or pass it on. Opening the page changes nothing; its buttons do."""

from __future__ import annotations

from datetime import datetime

from starlette.responses import Response

from frontdesk.core.ics import Invitation, Method, mime_type, write
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.commands import ClaimOffer, DeclineOffer
from frontdesk.desks.waitlist.model import OfferState
from frontdesk.desks.waitlist.pages import says, standing
from frontdesk.desks.waitlist.pages.visit import JOIN, OfferVisit, slot_values
from frontdesk.frozen import frozen
from frontdesk.web.app import problem
from frontdesk.web.forms import Form


@frozen
class Deadline:
    """'This slot is yours', until when."""

    intro: str
    at: datetime
    says: str


def show(visit: OfferVisit) -> Response:
    return _page(visit, can_take=True)


def show_decline(visit: OfferVisit) -> Response:
    return _page(visit, can_take=False)


def _page(visit: OfferVisit, *, can_take: bool) -> Response:
    slot, offer = visit.slot, visit.offer
    if not standing.is_claimable(slot, offer, visit.entry, visit.now):
        return _told(visit, can_take=can_take)
    assert offer.claim_by is not None
    until = standing.until(slot, offer.claim_by, visit.now)
    return visit.page(
        "waitlist/offer.html",
        "A slot has come free." if can_take else "Can't make it?",
        can_take=can_take,
        deadline=Deadline("This slot is yours", offer.claim_by, until),
        **slot_values(slot),
        more=says.length_and_price(slot.opening, visit.wl.shop()),
    )


def _told(visit: OfferVisit, *, can_take: bool) -> Response:
    """What is true now, and what one can still do."""
    now = standing.of_offer(visit)
    return visit.page(
        "waitlist/told.html",
        now.title,
        now.status,
        lead=now.lead,
        tone=now.tone.value,
        **slot_values(visit.slot),
        calendar=can_take and _has_file(visit),
        way_out=None if visit.is_waiting or _has_file(visit) else JOIN,
    )


def _has_file(visit: OfferVisit) -> bool:
    """Only what is booked, and still to come, gets a calendar file."""
    is_theirs = visit.offer.state is OfferState.CLAIMED
    return is_theirs and visit.now < visit.slot.opening.starts_at


async def answer(visit: OfferVisit, form: Form) -> None:
    if form["do"] == "take":
        await visit.run(ClaimOffer(visit.slot.id, visit.offer.seq))
    else:
        await decline(visit, form)


async def decline(visit: OfferVisit, form: Form) -> None:
    if form["do"] == "pass":
        leave = form.ticked("leave")
        await visit.run(DeclineOffer(visit.slot.id, visit.offer.seq, leave))


def calendar(visit: OfferVisit) -> Response:
    if not _has_file(visit):
        return problem(
            visit.request,
            404,
            "There is no calendar file.",
            "Only a slot that you have taken has one.",
            (visit.path, "See where you stand"),
            calm=True,
        )
    file = write(_invitation(visit))
    headers = {
        "content-disposition": 'attachment; filename="appointment.ics"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(file, media_type=mime_type(Method.PUBLISH), headers=headers)


def _invitation(visit: OfferVisit) -> Invitation:
    """The same date as in the mail, by its UID; for one's own calendar, so nobody is invited."""
    opening, business = visit.slot.opening, visit.site.screen.look.business_name
    return Invitation(
        uid=f"{visit.slot.id}@frontdesk",
        sequence=0,
        method=Method.PUBLISH,
        summary=" ".join(filter(None, (opening.service, words.with_staff(opening.staff)))),
        starts_at=opening.starts_at,
        ends_at=opening.starts_at + opening.duration,
        tz_name=visit.slot.rules.zone,
        location=business,
        description="",
        organizer_name=business,
        organizer_email=visit.site.settings.from_email,
        attendee_name="",
        attendee_email="",
        stamped_at=visit.now,
    )
