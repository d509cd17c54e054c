"""Orders about slots: free one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import parse_wall, spoken_time, to_instant, zone
from frontdesk.desks.waitlist.decide.moves import HandItBack, MakeOffer, next_move
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Opening, Slot
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.words import handed_back, slot_when, with_staff
from frontdesk.embedded.orders import BY, NotDone, Order, not_done
from frontdesk.engine.ports import Reads
from frontdesk.wiring.one_machine import Frontdesk


def free_slot(product: Frontdesk, said: Mapping[str, Any]) -> Mapping[str, Any]:
    if not said["service"].strip():
        raise NotDone("Which service? Say its name.")
    wl = waitlist(product.engine.reads())
    known = wl.catalogue().service(said["service"])
    if known is None and said["minutes"] is None:
        raise NotDone(f"How long does {said['service']} take? Say --minutes.")
    minutes = timedelta(minutes=said["minutes"] or 0) or (known.duration if known else timedelta())
    opening = Opening(
        said["service"],
        _instant(said["at"], zone(wl.rules().zone)),
        minutes,
        said["places"],
        said["staff"],
        known.price_cents if known else 0,
    )
    origin = f"cli:{said['service']}/{said['at']}/{said['staff']}"
    taken = slot_intake_in(product.site).in_the_way(opening)
    beside = [each.id for each in taken] if said.get("anyway") else []
    outcome = slot_intake_in(product.site).free(origin, opening, by=BY, beside=beside)
    if isinstance(outcome, Refused) and outcome.reason is Reason.OVERLAPS:
        raise NotDone(_overlap(taken))
    if isinstance(outcome, Refused):
        raise not_done(outcome)
    reads = product.engine.reads()
    slot = waitlist(reads).slot_by_origin(origin)
    assert slot is not None
    what = " ".join(filter(None, (slot.opening.service, with_staff(slot.opening))))
    return {
        "slot": slot.id,
        "what": what,
        "when": slot_when(slot),
        **_asked(reads, slot, product.clock.now()),
    }


def _overlap(taken: Sequence[Slot]) -> str:
    found = "; ".join(
        f"{each.opening.service} {with_staff(each.opening)}".strip() + f", {slot_when(each)}"
        for each in taken
    )
    return (
        "That cannot be done: the same staff member, or the only place, has another slot at this "
        f"time ({found}). If both can take place, say --anyway."
    )


def _asked(reads: Reads, slot: Slot, now: datetime) -> dict[str, str]:
    """Returns who has the offer or gets it next, by the rule that decides it."""
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
