"""Orders about slots: free one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import parse_wall, spoken_time, to_instant, zone
from frontdesk.desks.waitlist.decide.moves import (
    HandItBack,
    MakeOffer,
    next_move,
    with_catalogue_names,
)
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import FARTHEST_SLOT, Opening, Slot, SlotStatus
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slot_chain import last_of
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.words import handed_back, slot_when, with_staff
from frontdesk.embedded.orders import BY, NotDone, Order, not_done
from frontdesk.engine.ports import Reads
from frontdesk.wiring.one_machine import Frontdesk


def free_slot(product: Frontdesk, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    wl, intake = waitlist(product.engine.reads()), slot_intake_in(product.site)
    opening = _opening(wl, arguments, product.clock.now())
    origin = _origin(wl, f"cli:{opening.service}/{arguments['at']}/{opening.staff}")
    taken = intake.in_the_way(opening)
    beside = [each.id for each in taken] if arguments.get("anyway") else []
    outcome = intake.free(origin, opening, by=BY, beside=beside)
    if isinstance(outcome, Refused):
        raise _refused(outcome, taken)
    reads = product.engine.reads()
    slot = waitlist(reads).slot_by_origin(origin)
    assert slot is not None
    return {
        "slot": slot.id,
        "what": _what(slot),
        "when": slot_when(slot),
        **_asked(reads, slot, product.clock.now()),
    }


def _opening(wl: WaitlistReads, arguments: Mapping[str, Any], now: datetime) -> Opening:
    """The opening, with the names of the catalogue."""
    service = arguments["service"].strip()
    if not service:
        raise NotDone("Give the name of the service.")
    catalogue = wl.catalogue()
    known = catalogue.service(service)
    if known is None and catalogue.services:
        names = ", ".join(catalogue.names)
        raise NotDone(f"There is no service {service}. There are: {names}.")
    if known is None and arguments["minutes"] is None:
        raise NotDone(f"Give the length of {service} with --minutes.")
    if arguments["staff"] and catalogue.staff and catalogue.member(arguments["staff"]) is None:
        names = ", ".join(catalogue.staff)
        raise NotDone(f"Nobody in the team is called {arguments['staff']}. There are: {names}.")
    starts_at = _instant(arguments["at"], zone(wl.rules().zone))
    if starts_at - now > FARTHEST_SLOT:
        raise NotDone("This is more than a year away. Check the date.")
    length = timedelta(minutes=arguments["minutes"] or 0) or (
        known.duration if known else timedelta()
    )
    price_cents = known.price_cents if known else 0
    opening = Opening(
        service, starts_at, length, arguments["places"], arguments["staff"], price_cents
    )
    return with_catalogue_names(opening, catalogue)


def _origin(wl: WaitlistReads, first: str) -> str:
    """Returns a new origin for this time. Refuses if a slot takes the time or was handed back."""
    origin, number = first, 1
    while (slot := wl.slot_by_origin(origin)) is not None:
        last = last_of(wl, slot)
        if last.status is SlotStatus.HANDED_BACK:
            raise NotDone(
                f"{_what(last)}, {slot_when(last)}, was handed back (slot {last.id}). Offer it once"
                " more on its page in the console."
            )
        if last.takes_time:
            how = "is booked" if last.booked_by else "is free already"
            raise NotDone(
                f"That cannot be done: {_what(last)}, {slot_when(last)}, {how} (slot {last.id})."
            )
        number += 1
        origin = f"{first}/{number}"
    return origin


def _refused(refused: Refused, taken: Sequence[Slot]) -> NotDone:
    found = "; ".join(f"{_what(each)}, {slot_when(each)}" for each in taken)
    match refused.reason:
        case Reason.OVERLAPS:
            return NotDone(
                "That cannot be done: the same staff member, or the only place, has another slot at"
                f" this time ({found}). If both can take place, add --anyway."
            )
        case Reason.TAKEN:
            return NotDone(
                "That cannot be done: somebody is booked at this time with the same staff member,"
                " or it is held for somebody. Cancel or move that first, or give another time."
            )
        case _:
            return not_done(refused)


def _what(slot: Slot) -> str:
    return " ".join(filter(None, (slot.opening.service, with_staff(slot.opening))))


def _asked(reads: Reads, slot: Slot, now: datetime) -> dict[str, str]:
    """Returns the person who has the offer or gets it next, by the rule that decides it."""
    wl = waitlist(reads)
    made = wl.offers(slot.id)
    move = next_move(slot, wl.candidates(slot, 1), (), now)
    entry_id = made[0].entry_id if made else None
    if isinstance(move, MakeOffer):
        entry_id = entry_id or move.entry.id
    if entry_id is not None:
        name = EntryNames(reads).of_entry(entry_id)
        later = slot.rules.quiet.next_allowed(now, zone(slot.rules.zone))
        when = f" at {spoken_time(later, zone(slot.rules.zone))}" if later > now else " first"
        return {"asked": name, "means": f"{name} is asked{when}."}
    if isinstance(move, HandItBack):
        return {"asked": "", "means": f"It is handed back. {handed_back(move.why, 0)}"}
    return {"asked": "", "means": "Nobody on the list suits it. It stays open for people who join."}


def _instant(text: str, tz: ZoneInfo) -> datetime:
    try:
        return to_instant(parse_wall(text), tz)
    except ValueError:
        raise NotDone("Please give a time like 2026-11-20T15:00.") from None


ORDERS: Final[Mapping[str, Order]] = {"free": free_slot}
