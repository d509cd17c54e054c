"""The page of an offer: claim, decline or cancel. Opening it changes nothing."""

from __future__ import annotations

from starlette.responses import Response

from frontdesk.core.ics import Invitation, Method
from frontdesk.core.occasions import Deadline
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.commands import ClaimOffer, DeclineOffer
from frontdesk.desks.waitlist.pages import texts
from frontdesk.desks.waitlist.pages.place import can_cancel, cancel
from frontdesk.desks.waitlist.pages.visit import JOIN, LOST_LINK, OfferVisit, slot_values
from frontdesk.web.app import problem
from frontdesk.web.forms import Form
from frontdesk.web.links import calendar_file


def show(visit: OfferVisit) -> Response:
    return _page(visit, declines=False)


def show_decline(visit: OfferVisit) -> Response:
    """Shows the same page with decline as the main button."""
    return _page(visit, declines=True)


def _page(visit: OfferVisit, *, declines: bool) -> Response:
    slot, offer = visit.slot, visit.offer
    if visit.request.query_params.get("do") == "cancel" and can_cancel(visit, slot):
        return visit.page("waitlist/cancel.html", "Cancel this appointment?", **slot_values(slot))
    if not texts.is_claimable(slot, offer, visit.entry, visit.now):
        return _status_page(visit)
    assert offer.claim_by is not None
    until = texts.until(slot, offer.claim_by, visit.now)
    return visit.page(
        "waitlist/offer.html",
        "Can't make it?" if declines else "A time has come free.",
        declines=declines,
        deadline=Deadline("This time is yours", offer.claim_by, until),
        **slot_values(slot),
        more=visit.wl.catalogue().length_and_price(slot.opening.duration, slot.opening.price_cents),
    )


def _status_page(visit: OfferVisit) -> Response:
    """Shows the current state of the offer and the actions that are left."""
    now = texts.offer_status(visit)
    return visit.page(
        "waitlist/told.html",
        now.title,
        now.status,
        lead=now.lead,
        tone=now.tone.value,
        **slot_values(visit.slot),
        calendar=_has_file(visit),
        can_cancel=can_cancel(visit, visit.slot),
        way_out=_next_link(visit),
    )


def _next_link(visit: OfferVisit) -> tuple[str, str] | None:
    """The link at the end of the page. An offer's link must not open the place in line, so it leads
    to the form that sends people their own link."""
    if _has_file(visit) or not visit.site.open_url(JOIN[0]):
        return None
    return LOST_LINK if visit.is_waiting else JOIN


def _has_file(visit: OfferVisit) -> bool:
    """Whether there is a calendar file: only for a booked slot that has not begun."""
    return can_cancel(visit, visit.slot)


async def answer(visit: OfferVisit, form: Form) -> None:
    slot, seq = visit.slot, visit.offer.seq
    match form["do"]:
        case "take":
            await visit.run(ClaimOffer(slot.id, seq))
        case "pass":
            await visit.run(DeclineOffer(slot.id, seq, form.ticked("leave")))
        case "cancel" if can_cancel(visit, slot):
            await cancel(visit, slot, form)
        case _:
            pass


def calendar(visit: OfferVisit) -> Response:
    if not _has_file(visit):
        return problem(
            visit.request,
            404,
            "There is no calendar file.",
            "Only a time that you have taken has one.",
            (visit.path, "See where you stand"),
            calm=True,
        )
    return calendar_file(_invitation(visit), "appointment")


def _invitation(visit: OfferVisit) -> Invitation:
    """A calendar entry with the UID of the mail's invitation. It has no attendee, because the
    customer saves it in their own calendar."""
    opening, business = visit.slot.opening, visit.site.renderer.branding.business_name
    return Invitation(
        uid=f"{visit.slot.id}@frontdesk",
        sequence=0,
        method=Method.PUBLISH,
        summary=" ".join(filter(None, (opening.service, words.with_staff(opening)))),
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
