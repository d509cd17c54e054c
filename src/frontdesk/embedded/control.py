"""What the command line can have done: by the server that runs, or by itself with the same code."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import BadContact, email_key
from frontdesk.core.decision import Command, Refused
from frontdesk.core.jobs import JobId
from frontdesk.core.localtime import parse_wall, spoken_time, to_instant, zone
from frontdesk.desks.admin.commands import Erase
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport
from frontdesk.desks.waitlist.decide.moves import HandItBack, MakeOffer, next_move
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Opening, Slot
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.words import handed_back, slot_when, with_staff
from frontdesk.engine.keys import rotate
from frontdesk.engine.ports import Committed, Reads
from frontdesk.errors import Busy, FrontdeskError
from frontdesk.logs import failure, log, where
from frontdesk.web.forms import BadForm, json_object
from frontdesk.wiring.one_machine import Frontdesk

BY: Final = "cli"
MOST_BYTES: Final = 32_000_000
MOST_LETTERS: Final = 10_000

Order = Callable[[Frontdesk, Mapping[str, Any]], Mapping[str, Any]]


class NotDone(FrontdeskError):
    """It was refused, and nothing was changed; the text says why."""


def begin_import(product: Frontdesk, said: Mapping[str, Any]) -> Mapping[str, Any]:
    """Each row runs the same seat request as any guest's; `job` tells how far it is."""
    event = product.engine.reads().desk("ev").event_by_slug(said["event"])
    if event is None:
        raise NotDone(f"There is no event {said['event']}.")
    job_id = JobId(product.engine.new_id())
    rows = tuple(ImportRow(*row) for row in said["rows"])
    _run(product, BeginImport(event.id, job_id, rows, invite=bool(said["invite"])))
    return {"job": job_id}


def erase(product: Frontdesk, said: Mapping[str, Any]) -> Mapping[str, Any]:
    """Name, address, kept mail and kept messages go; the audit keeps the facts."""
    person = product.engine.reads().engine.person_by_email(_key(said["email"]))
    if person is None:
        raise NotDone("Nobody here has this address.")
    _run(product, Erase(person.id))
    return {"person": person.id}


def replay(product: Frontdesk, said: Mapping[str, Any]) -> Mapping[str, Any]:
    """Dead letters, by number or all of them; what became of each."""
    wanted: Sequence[int] = said.get("letters") or [
        letter.id
        for letter in product.engine.reads().engine.dead_letters(MOST_LETTERS)
        if letter.replayed_at is None
    ]
    return {str(each): product.replay(each, BY).value for each in wanted}


def rotate_keys(product: Frontdesk, _said: Mapping[str, Any]) -> Mapping[str, Any]:
    """A new key signs from now on; links that are out there work until they expire."""
    keys = rotate(product.settings.data_dir, product.clock.now())
    product.site.read_keys = lambda: keys
    return {"key": product.keys.current.id, "older": [key.id for key in product.keys.old]}


def free_slot(product: Frontdesk, said: Mapping[str, Any]) -> Mapping[str, Any]:
    """A slot that somebody at the keyboard says is free."""
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
    taken = product.counter.in_the_way(opening)
    beside = [each.id for each in taken] if said.get("anyway") else []
    outcome = product.counter.free(origin, opening, by=BY, beside=beside)
    if isinstance(outcome, Refused) and outcome.reason is Reason.OVERLAPS:
        raise NotDone(_overlap(taken))
    if isinstance(outcome, Refused):
        raise NotDone(f"That cannot be done: {_WORDS.get(outcome.reason, outcome.reason)}.")
    reads = product.engine.reads()
    slot = waitlist(reads).slot_by_origin(origin)
    assert slot is not None
    what = " ".join(filter(None, (slot.opening.service, with_staff(slot.opening.staff))))
    return {
        "slot": slot.id,
        "what": what,
        "when": slot_when(slot),
        **_asked(reads, slot, product.clock.now()),
    }


def _overlap(taken: Sequence[Slot]) -> str:
    found = "; ".join(
        f"{each.opening.service} {with_staff(each.opening.staff)}".strip() + f", {slot_when(each)}"
        for each in taken
    )
    return (
        "That cannot be done: the same staff member, or the only place, has another slot at this "
        f"time ({found}). If both can take place, say --anyway."
    )


def _asked(reads: Reads, slot: Slot, now: datetime) -> dict[str, str]:
    """Who has the offer, or gets it in a moment, by the rule that decides it."""
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
    return {"asked": "", "means": "Nobody on the list suits it. It stays open for who joins."}


def _instant(text: str, tz: ZoneInfo) -> datetime:
    try:
        return to_instant(parse_wall(text), tz)
    except ValueError:
        raise NotDone("Please give a time like 2026-11-20T15:00.") from None


ORDERS: Final[Mapping[str, Order]] = {
    "free": free_slot,
    "import": begin_import,
    "erase": erase,
    "replay": replay,
    "rotate-keys": rotate_keys,
}


def _run(product: Frontdesk, command: Command) -> Committed:
    outcome = product.engine.run(command, by=BY, now=product.clock.now())
    if isinstance(outcome, Refused):
        raise NotDone(f"That cannot be done: {_WORDS.get(outcome.reason, outcome.reason)}.")
    return outcome


_WORDS: Final = {
    "called_off": "the event is called off",
    "begun": "it has begun",
    "nothing_to_do": "there is nobody in the list",
    "already_freed": "this slot is free already",
    "bad_slot": "a slot lasts from a minute to a day and has room for somebody",
    "of_the_team": "this person is in the team, and has to leave it first",
}


def _key(email: str) -> str:
    try:
        return email_key(email)
    except BadContact as error:
        raise NotDone(str(error)) from error


# --- by HTTP --------------------------------------------------------------------------------


def routes(product: Frontdesk, token: str) -> list[BaseRoute]:
    """For this machine and who can read the lock file; for everybody else there is nothing."""

    async def control(request: Request) -> Response:
        order = ORDERS.get(request.path_params["order"])
        if order is None or not _may(request, token):
            raise HTTPException(404)
        said = await _body(request)
        try:
            return JSONResponse(await run_in_threadpool(order, product, said))
        except (NotDone, Busy) as error:
            return JSONResponse({"problem": str(error)}, 409)
        except (LookupError, TypeError, ValueError) as error:
            log("order.not_understood", why=failure(error), where=where(error))
            return JSONResponse({"problem": "This order was not understood."}, 400)

    return [Route("/control/{order}", control, methods=["POST"])]


def _may(request: Request, token: str) -> bool:
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    was_passed_on = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    return (
        not was_passed_on
        and _is_local(request)
        and hmac.compare_digest(given.encode(), token.encode())
    )


def _is_local(request: Request) -> bool:
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


async def _body(request: Request) -> Mapping[str, Any]:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413, "This is too much at once.")
    try:
        return json_object(bytes(body))
    except BadForm as bad:
        raise HTTPException(400, str(bad)) from None
