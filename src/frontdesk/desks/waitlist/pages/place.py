"""The page of a customer's place on the list: status, other dates, leaving."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import ChangeWish, LeaveList
from frontdesk.desks.waitlist.model import Slot, Wish
from frontdesk.desks.waitlist.pages import status_texts, texts
from frontdesk.desks.waitlist.pages.cancelling import can_cancel, cancel
from frontdesk.desks.waitlist.pages.form import wish_fields
from frontdesk.desks.waitlist.pages.join_form import Errors, Terms, Typed, read_wish, terms_of
from frontdesk.desks.waitlist.pages.visit import Visit, slot_values
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.features.catalogue.model import Service
from frontdesk.values import replace
from frontdesk.web.forms import Form


def show(visit: Visit) -> Response:
    """Shows the place; `?do=leave` and `?do=cancel` show a question instead."""
    if visit.request.query_params.get("do") == "leave" and visit.is_waiting:
        return visit.page("waitlist/leave.html", "Leave the list?", service=visit.entry.service)
    if visit.request.query_params.get("do") == "cancel" and (slot := _to_cancel(visit)):
        title = "Cancel this appointment?"
        values = slot_values(slot) | {"slot_id": slot.id}
        return visit.page("waitlist/cancel.html", title, **values)
    return _page(visit, _as_it_is(visit), {})


def _to_cancel(visit: Visit) -> Slot | None:
    slot = status_texts.booking(visit)
    return slot if slot is not None and can_cancel(visit, slot) else None


def _page(visit: Visit, typed: Typed, errors: Errors) -> Response:
    now = status_texts.on_the_list(visit)
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
        can_cancel=_to_cancel(visit) is not None,
        can_join=not visit.is_waiting and not visit.entry.wants_no_offers,
        changed=done and visit.is_waiting and not errors,
        typed=typed,
        errors=errors,
        **wish_fields(_terms(visit), _service(visit).most),
    )


def _terms(visit: Visit) -> Terms:
    """The terms, including the staff member whom they asked for, even after that member left."""
    now = terms_of(visit.site)
    if not visit.entry.staff or now.catalogue.member(visit.entry.staff):
        return now
    return replace(
        now, catalogue=replace(now.catalogue, staff=(*now.catalogue.staff, visit.entry.staff))
    )


def _service(visit: Visit) -> Service:
    """The service from the catalogue, or the entry's own if the catalogue no longer has it."""
    entry = visit.entry
    known = visit.wl.catalogue().service(entry.service)
    return known or Service(entry.service, most=entry.party)


def _as_it_is(visit: Visit) -> Typed:
    """Form values of the present wish. Past days are replaced by today."""
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
            await visit.run(LeaveList(visit.entry.id))
            return None
        case "cancel" if (slot := _to_cancel(visit)) and slot.id == form["slot"]:
            await cancel(visit, slot, form)
            return None
        case "change" if visit.is_waiting:
            return await _change(visit, form)
        case _:
            return None


async def _change(visit: Visit, form: Form) -> Response | None:
    wish = read_wish(_terms(visit), _service(visit), form.fields)
    if not isinstance(wish, Wish):
        return _page(visit, form.fields, wish)
    outcome = await visit.run(ChangeWish(visit.entry.id, wish))
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        return None
    return RedirectResponse(f"{visit.path}?done=changed", 303)
