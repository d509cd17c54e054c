"""The page of a customer's place on the list, and the page that stops all offers."""

from __future__ import annotations

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from frontdesk.core.decision import Refused
from frontdesk.core.text_rules import text_rules
from frontdesk.desks.waitlist import commands
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Slot, SlotId, SlotStatus, Wish
from frontdesk.desks.waitlist.pages import texts
from frontdesk.desks.waitlist.pages.join import wish_fields
from frontdesk.desks.waitlist.pages.join_form import Errors, FormChoices, Typed, read_wish, terms_of
from frontdesk.desks.waitlist.pages.visit import JOIN, Visit, slot_values
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slot_intake import SLOT_INTAKE
from frontdesk.features.catalogue.model import Service
from frontdesk.features.messages.kinds import takes_sms
from frontdesk.values import replace
from frontdesk.web.forms import Form
from frontdesk.web.links import LinkForm, SendLinks, people_with
from frontdesk.web.site import Site


def can_cancel(visit: Visit, slot: Slot) -> bool:
    """Whether they have booked the slot and it has not begun."""
    is_theirs = slot.status is SlotStatus.BOOKED and slot.booked_by == visit.entry.id
    return is_theirs and visit.now < slot.opening.starts_at


async def cancel(visit: Visit, slot: Slot, form: Form) -> None:
    """Cancels the booking by the latest rules of staff. On AWS the rules are in the store already,
    because the function that serves this page reads no documents."""
    intake = visit.site.shared.get(SLOT_INTAKE)
    if intake is not None:
        await run_in_threadpool(intake.documents.take_edits)
    new_id = SlotId(visit.site.new_id())
    await visit.run(
        commands.CancelBooking(slot.id, visit.entry.id, new_id, stay=form.ticked("stay"))
    )


def show(visit: Visit) -> Response:
    """Shows the place, or the question of `?do=leave` or `?do=cancel`."""
    if visit.request.query_params.get("do") == "leave" and visit.is_waiting:
        return visit.page("waitlist/leave.html", "Leave the list?", service=visit.entry.service)
    if visit.request.query_params.get("do") == "cancel" and (slot := _to_cancel(visit)):
        title = "Cancel this appointment?"
        values = slot_values(slot) | {"slot_id": slot.id}
        return visit.page("waitlist/cancel.html", title, **values)
    return _page(visit, _current_values(visit), {})


def _to_cancel(visit: Visit) -> Slot | None:
    slot = texts.next_booking(visit)
    return slot if slot is not None and can_cancel(visit, slot) else None


def _page(visit: Visit, typed: Typed, errors: Errors) -> Response:
    now = texts.entry_status(visit)
    done = visit.request.query_params.get("done") == "changed"
    return visit.page(
        "waitlist/place.html",
        now.title,
        422 if errors else now.status,
        lead=now.lead,
        tone=now.tone.value,
        who=visit.person.name,
        facts=texts.wish_facts(visit.entry.wish) if visit.is_waiting else (),
        is_waiting=visit.is_waiting,
        number=texts.masked("", visit.person.mobile) if _can_choose_channel(visit) else "",
        is_confirmed=not visit.entry.mail_only,
        can_cancel=_to_cancel(visit) is not None,
        can_join=_can_join(visit),
        join_label=_join_label(visit),
        changed=done and visit.is_waiting and not errors,
        typed=typed,
        errors=errors,
        **wish_fields(_terms(visit), _service(visit).most),
    )


def _terms(visit: Visit) -> FormChoices:
    """The choices of the form, including the staff member in the wish, even after that
    member left."""
    now = terms_of(visit.site)
    if not visit.entry.staff or now.catalogue.member(visit.entry.staff):
        return now
    return replace(
        now, catalogue=replace(now.catalogue, staff=(*now.catalogue.staff, visit.entry.staff))
    )


def _service(visit: Visit) -> Service:
    """The service from the catalogue; the entry's own service if the catalogue no longer has it."""
    entry = visit.entry
    known = visit.wl.catalogue().service(entry.service)
    return known or Service(entry.service, most=entry.party)


def _current_values(visit: Visit) -> Typed:
    """The present wish as form values. Today replaces past days."""
    entry, today = visit.entry, visit.today
    return {
        "earliest": max(entry.earliest_on, today).isoformat(),
        "latest": max(entry.latest_on, today).isoformat(),
        "party": str(entry.party),
        "staff": entry.staff,
    }


async def act(visit: Visit, form: Form) -> Response | None:
    match form["do"]:
        case "leave":
            await visit.run(commands.LeaveList(visit.entry.id))
            return None
        case "cancel" if (slot := _to_cancel(visit)) and slot.id == form["slot"]:
            await cancel(visit, slot, form)
            return None
        case "confirm-number" if _can_choose_channel(visit):
            await visit.run(commands.ConfirmNumber(visit.entry.id))
            return None
        case "remove-number" if _can_choose_channel(visit):
            return await _remove_number(visit)
        case "change" if visit.is_waiting:
            return await _change(visit, form)
        case _:
            return None


async def _change(visit: Visit, form: Form) -> Response | None:
    wish = read_wish(_terms(visit), _service(visit), form.fields)
    if not isinstance(wish, Wish):
        return _page(visit, form.fields, wish)
    outcome = await visit.run(commands.ChangeWish(visit.entry.id, wish))
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        return None
    return RedirectResponse(f"{visit.path}?done=changed", 303)


def _can_choose_channel(visit: Visit) -> bool:
    """Whether they can choose between texts and mail, because both reach them."""
    person = visit.person
    return (
        visit.is_waiting
        and bool(person.email)
        and terms_of(visit.site).texts
        and takes_sms(visit.site.reads(), text_rules(visit.site.settings), person)
    )


async def _remove_number(visit: Visit) -> Response | None:
    """Removes a number that somebody else gave with this address. Links that were sent to it become
    invalid, including this one. The next link goes to the address only."""
    if isinstance(await visit.run(commands.RemoveNumber(visit.entry.id)), Refused):
        return None
    await visit.run(commands.SendPlaceLink(visit.entry.id, at_once=True))
    return visit.page(
        "waitlist/place.html",
        "This number is removed.",
        lead="No more texts go to it, and links in earlier messages no longer work."
        f" Your new link is on its way to {texts.masked(visit.person.email, '')}.",
        tone="good",
        is_waiting=False,
        can_cancel=False,
        can_join=False,
        changed=False,
    )


def _can_join(visit: Visit) -> bool:
    is_off_list = not visit.is_waiting and not visit.entry.wants_no_offers
    return is_off_list and bool(visit.site.open_url(JOIN[0]))


def _join_label(visit: Visit) -> str:
    """The label of the join button. While they have a slot, they can only join for
    another service."""
    return "Join for something else" if texts.has_a_slot(visit) else "Join again"


def show_stop(visit: Visit) -> Response:
    if visit.entry.wants_no_offers:
        now = texts.stopped_status(visit)
        return visit.page("waitlist/stop.html", now.title, lead=now.lead, stopped=True)
    business = visit.site.renderer.branding.business_name
    return visit.page(
        "waitlist/stop.html",
        "Stop all offers?",
        lead=f"You come off every waitlist of {business}. What you have booked stays yours.",
        stopped=False,
    )


async def stop_offers(visit: Visit, form: Form) -> Response | None:
    """Stops offers. A mail program posts without a browser, so it must not be redirected."""
    by_program = form["List-Unsubscribe"] == "One-Click"
    if by_program or form["do"] == "stop":
        await visit.run(commands.StopOffers(visit.person.id))
    return PlainTextResponse("You won't get offers any more.") if by_program else None


# --- a lost link ------------------------------------------------------------------------------

_LINK_FORM: Final = LinkForm(
    action="/waitlist/link",
    lead="With it you see your place, change your dates or leave the list. Give the e-mail address"
    " or the mobile number with which you joined.",
    by_number=True,
    back=("/waitlist", "Back to the waitlist"),
)
#: The most links per request; a family may share a number.
_MOST_LINKS: Final = 5


def lost_link(_request: Request) -> tuple[LinkForm, SendLinks]:
    return _LINK_FORM, _send_links


async def _send_links(site: Site, contact: str) -> None:
    wl = waitlist(site.reads())
    entries = [one for person in people_with(site, contact) for one in wl.entries_of(person.id)]
    for entry in entries[:_MOST_LINKS]:
        await site.run(commands.SendPlaceLink(entry.id), by=f"guest:{entry.id}")
