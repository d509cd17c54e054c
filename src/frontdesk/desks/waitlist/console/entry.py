"""The page of one entry: person, wish, offers, and reasons why there were no others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.phones import shown as shown_number
from frontdesk.desks.waitlist.commands import ResumeOffers
from frontdesk.desks.waitlist.console import rows
from frontdesk.desks.waitlist.console.edit_rows import listed_row_of
from frontdesk.desks.waitlist.console.formatting import OFFER_CHIPS, service_and_staff, when
from frontdesk.desks.waitlist.console.page import (
    person_url,
    slot_url,
    waitlist_page,
    wl_of,
    zone_of,
)
from frontdesk.desks.waitlist.console.slot_actions import SlotAction, offer_actions
from frontdesk.desks.waitlist.facts import OfferMade, OfferRolledOn, SlotGiven
from frontdesk.desks.waitlist.load import booked_slot
from frontdesk.desks.waitlist.model import Entry, EntryStatus, Lane, Slot, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story import MOST_FACTS, EntryNames, line
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.desks.waitlist.why import explain
from frontdesk.engine.ports import Recorded
from frontdesk.web.console.formatting import exact_time
from frontdesk.web.console.shell import done, run, staff
from frontdesk.web.console.timeline import steps
from frontdesk.web.site import site_of

#: How many of the latest slots are read, and how many are explained.
LOOKED_AT: Final = 50
EXPLAINED: Final = 5
LANES: Final = {
    Lane.SHEET: "From the sheet",
    Lane.INBOX: "By mail",
    Lane.FORM: "By the form",
    Lane.STAFF: "Written down by the team",
}


def routes() -> list[BaseRoute]:
    return [
        Route(f"{rows.ENTRIES}/{{entry}}", staff(entry_page), methods=["GET"]),
        Route(f"{rows.ENTRIES}/{{entry}}/resume", staff(resume), methods=["POST"]),
    ]


async def entry_page(request: Request) -> Response:
    ours, wl, tz = listed_row_of(request), wl_of(request), zone_of(request)
    entry, reads = ours.entry, site_of(request).reads()
    facts, names = wl.facts_about(entry.id, limit=MOST_FACTS), EntryNames(reads)
    offered, held = _offered(facts), _held(wl, entry)
    has_one = bool(held)
    return waitlist_page(
        request,
        "entry.html",
        tab="List",
        page_title=rows.full_name(ours),
        url=f"{rows.ENTRIES}/{entry.id}",
        chip=rows.entry_chip(entry, offered=has_one),
        stands=_HELD if has_one else _status_sentence(entry),
        held=[
            {
                "title": f"{service_and_staff(slot)}, {when(slot, site_of(request).clock.now())}",
                "acts": acts,
            }
            for slot, acts in held
        ],
        wish=_wish(request, ours),
        contacts=_contact(ours),
        stops=_why_unreached(request, ours),
        offers=[_explained(request, wl, entry, slot) for slot in _slots(wl, offered)],
        not_offered=[
            _explained(request, wl, entry, slot)
            for slot in _recent_slots(wl, entry, frozenset(offered))[:EXPLAINED]
        ],
        story=steps(
            (line(one, names, tz) for one in facts),
            lambda at: exact_time(at, tz),
            with_people=False,
        ),
        person_url="" if ours.is_erased else person_url(entry.person_id),
        can_edit=not ours.is_erased and rows.SHEET.source(request) is None,
        can_leave=entry.status is EntryStatus.WAITING,
        can_return=_can_return(wl, entry, site_of(request).clock.now()) and not ours.is_erased,
        can_resume=entry.wants_no_offers and not ours.is_erased,
    )


async def resume(request: Request) -> Response:
    """Allows offers again. Puts them on no list."""
    entry = listed_row_of(request).entry
    outcome = await run(request, ResumeOffers(entry.person_id))
    says = "They may get offers again. Put them back on the list if they want to wait."
    if isinstance(outcome, Refused):
        says = "They had not asked for no offers. Nothing was changed."
    return done(request, f"{rows.ENTRIES}/{entry.id}", says)


_HELD: Final = "A slot is held for them just now."
_NO_MORE: Final = "They have claimed a slot, and have asked for no offers after that."
_STANDS: Final = {
    EntryStatus.WAITING: "They wait for the next slot that suits them.",
    EntryStatus.BOOKED: "They have claimed a slot, and wait no longer.",
    EntryStatus.LEFT: "They are off the list.",
    EntryStatus.STOPPED: "They have asked for no offers any more. That sticks until they ask.",
    EntryStatus.EXPIRED: "The last day that suited them is over.",
}


def _status_sentence(entry: Entry) -> str:
    return _NO_MORE if entry.no_more else _STANDS[entry.status]


def _can_return(wl: WaitlistReads, entry: Entry, now: datetime) -> bool:
    """Whether they can return to the list. A person with a slot can return only when it is over."""
    if entry.wants_no_offers:
        return False
    if entry.status is EntryStatus.BOOKED:
        slot = booked_slot(wl, entry.id)
        return slot is None or now >= slot.ends_at
    return entry.status is EntryStatus.LEFT


def _wish(request: Request, ours: ListRow) -> list[tuple[str, str]]:
    values = rows.values_of(ours, rows.schema_of(request))
    said = [
        (rows.COLUMNS[field][1], rows.cell_text(field, values[field]) or "anybody")
        for field in ("service", "party", "earliest", "latest", "staff")
    ]
    first = [("Priority", "yes: before the others")] if ours.entry.priority else []
    since = [("On the list since", rows.cell_text("joined", values["joined"]))]
    return [*said, *first, *since, ("Way in", LANES[ours.entry.lane])]


def _contact(ours: ListRow) -> list[tuple[str, str]]:
    mobile = shown_number(ours.mobile) if ours.mobile else "none"
    return [("Mobile", mobile), ("E-mail", ours.email or "none")]


def _why_unreached(request: Request, ours: ListRow) -> list[str]:
    """Lists the reasons why messages do not reach them."""
    reads = site_of(request).reads()
    person = reads.engine.person(ours.entry.person_id)
    assert person is not None, "an entry belongs to a person"
    found = []
    if ours.mobile and reads.engine.number_stopped(ours.mobile):
        found.append(
            "This number has asked for no texts (STOP). They can lift it by texting START."
        )
    if person.bounced:
        found.append(f"Mail to this address comes back: {person.bounced}")
    if why := rows.no_texts_because(request, ours):
        found.append(why)
    if rows.only_by_text(ours) and not rows.sends_texts(request):
        found.append("No texts go out from here, and they have given no e-mail address.")
    return found


def _held(wl: WaitlistReads, entry: Entry) -> list[tuple[Slot, tuple[SlotAction, ...]]]:
    """Slots that they have an offer for, with the actions that answer on their behalf."""
    slots = [wl.slot(offer.slot_id) for offer in wl.open_offers(entry.id)]
    return [(slot, offer_actions(slot, "them")) for slot in slots if slot is not None]


# --- offers and explanations ----------------------------------------------------------------


def _offered(facts: Sequence[Recorded]) -> list[SlotId]:
    made = (
        one.fact for one in facts if isinstance(one.fact, OfferMade | OfferRolledOn | SlotGiven)
    )
    return [fact.slot_id for fact in made]


def _slots(wl: WaitlistReads, slot_ids: Sequence[SlotId]) -> list[Slot]:
    """The slots with these ids, the latest first."""
    found = (wl.slot(slot_id) for slot_id in reversed(slot_ids))
    return [slot for slot in found if slot is not None]


def _recent_slots(wl: WaitlistReads, entry: Entry, offered: frozenset[SlotId]) -> list[Slot]:
    return [
        slot
        for slot in wl.slots(LOOKED_AT)
        if slot.opening.service == entry.service and slot.id not in offered
    ]


def _explained(request: Request, wl: WaitlistReads, entry: Entry, slot: Slot) -> dict[str, Any]:
    found = explain(wl, slot.id, entry.id)
    assert found is not None, "both are there"
    return {
        "title": f"{service_and_staff(slot)}, {when(slot, site_of(request).clock.now())}",
        "url": slot_url(slot.id),
        "chip": OFFER_CHIPS[found.offer.state] if found.offer else None,
        "why": found.sentence,
    }
