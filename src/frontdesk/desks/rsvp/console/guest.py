"""Shows one guest with their history, and takes the host's actions on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command, Refused
from frontdesk.core.localtime import spoken_time
from frontdesk.core.members import Role
from frontdesk.core.words import count, ordinal
from frontdesk.desks.rsvp import commands, words
from frontdesk.desks.rsvp.console.formatting import LANES, event_zone, guest_chip, party, refusal
from frontdesk.desks.rsvp.console.page import (
    EVENTS,
    ListedGuest,
    arrived_at,
    ev_of,
    event_page,
    event_url,
    guest_of,
    member,
)
from frontdesk.desks.rsvp.console.stories import MOST_OF_A_GUEST, timeline
from frontdesk.desks.rsvp.model import EventState, Guest, State, open_until
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.stories import full_name
from frontdesk.web.console.formatting import short_time
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.shell import act, done, form_of, run, staff
from frontdesk.web.site import or_404, site_of


def routes() -> list[BaseRoute]:
    guest = f"{EVENTS}/{{event}}/guests/{{guest}}"
    return [
        Route(guest, staff(guest_page, event_param="event"), methods=["GET"]),
        Route(f"{guest}/remove", staff(remove, event_param="event"), methods=["POST"]),
        Route(f"{guest}/party", staff(reduce_party, event_param="event"), methods=["POST"]),
        Route(f"{guest}/check-in", staff(check_in, event_param="event"), methods=["POST"]),
        Route(f"{guest}/{{action}}", staff(simple_action, event_param="event"), methods=["POST"]),
    ]


async def guest_page(request: Request) -> Response:
    placed = guest_of(request)
    event, guest, person = placed.event, placed.guest, placed.person
    ev, now = ev_of(request), site_of(request).clock.now()
    facts = ev.facts(event.id, about=guest.id, limit=MOST_OF_A_GUEST)
    return event_page(
        request,
        "guest.html",
        event,
        tab="Guests",
        page_title=full_name(person),
        guest=guest,
        person=person,
        name=full_name(person),
        base=placed.url,
        chip=guest_chip(event, guest, now),
        stands=_status_sentence(request, placed),
        party=party(guest.party),
        joined=short_time(guest.joined_at, event_zone(event)),
        lane=LANES[guest.lane],
        can=_possible_actions(request, placed),
        story=timeline(request, event, reversed(facts)),
        person_url=_person_url(request, placed),
    )


def _person_url(request: Request, placed: ListedGuest) -> str:
    """Links to the person's page, but not for hosts, who may not see other events."""
    if member(request).role is Role.HOST or placed.person.erased:
        return ""
    return f"/console/people/{placed.person.id}"


def _status_sentence(request: Request, placed: ListedGuest) -> str:
    """Describes the guest's state in a sentence."""
    event, guest, now = placed.event, placed.guest, site_of(request).clock.now()
    match guest.state:
        case State.CONFIRMED if guest.arrived:
            at = arrived_at(ev_of(request), guest)
            since = f" since {spoken_time(at, event_zone(event))}" if at else ""
            return f"{guest.arrived} of {guest.party} here{since}."
        case State.CONFIRMED:
            return "They have a seat." if guest.party == 1 else f"They have {guest.party} seats."
        case State.WAITING:
            behind = " They let an offer lapse." if guest.lapsed else ""
            return f"They are {ordinal(ev_of(request).position(guest))} in line.{behind}"
        case State.OFFERED if (until := open_until(event, guest)) is not None and now < until:
            return f"A seat is held for them {words.until(event, until, now)}."
        case State.OFFERED:
            return "A seat is held for them; the mail has not gone out yet."
        case State.PENDING:
            return "They have been asked, and hold no seat until they say yes."
        case State.CANCELLED:
            return "They are not coming. They can sign up again."


def _possible_actions(request: Request, placed: ListedGuest) -> dict[str, bool]:
    """Returns whether to show each action. The decision is made again when the action runs."""
    event, guest, now = placed.event, placed.guest, site_of(request).clock.now()
    is_on = event.state is EventState.OPEN
    before = is_on and now < event.details.starts_at
    listed = guest.state is not State.CANCELLED
    waits = guest.state is State.WAITING
    return {
        "resend": listed and is_on,
        "remove": listed,
        "reduce": listed and guest.party > 1,
        "seat": waits and before and event.seats.free >= guest.party,
        "line": waits and before,
        "move": listed and is_on,
        "pass_on": guest.state is State.CONFIRMED and before,
        "answer_offer": before and _has_offer(guest, now),
        "check_in": guest.state is State.CONFIRMED and is_on,
    }


def _has_offer(guest: Guest, now: datetime) -> bool:
    """Whether they hold an offer whose deadline has not passed."""
    return guest.state is State.OFFERED and (guest.claim_by is None or now < guest.claim_by)


# --- actions --------------------------------------------------------------------------------

_Make = Callable[[ListedGuest], Command]
SIMPLE: Final[Mapping[str, tuple[_Make, str]]] = {
    "resend": (
        lambda placed: commands.ResendLink(placed.guest.id),
        "A fresh link is on its way.",
    ),
    "accept": (
        lambda placed: commands.ClaimOffer(placed.guest.id, placed.guest.seq, by_host=True),
        "Accepted for them: they have a seat now. The confirmation is on its way.",
    ),
    "decline": (
        lambda placed: commands.DeclineOffer(placed.guest.id, placed.guest.seq, by_host=True),
        "Declined for them. They keep their place in line.",
    ),
    "stop-offer": (
        lambda placed: commands.StopOffer(placed.guest.id, placed.guest.seq),
        "The offer is taken back. They keep their place in line.",
    ),
    "seat": (
        lambda placed: commands.SeatFromTheLine(placed.guest.id),
        "They have a seat now. The confirmation is on its way.",
    ),
    "front": (
        lambda placed: commands.MoveInLine(placed.guest.id, to_front=True),
        "They are first in line now.",
    ),
    "end": (
        lambda placed: commands.MoveInLine(placed.guest.id, to_front=False),
        "They are at the end of the line now.",
    ),
}


async def simple_action(request: Request) -> Response:
    known = or_404(SIMPLE.get(request.path_params["action"]))
    make, says = known
    placed = guest_of(request)
    return await act(request, make(placed), placed.url, says, refusal)


async def remove(request: Request) -> Response:
    placed = guest_of(request)
    if not is_confirmed(request):
        return ask_to_remove(request, placed)
    says = "They are off the list and will be told."
    if site_of(request).clock.now() >= placed.event.details.starts_at:
        says = f"They are off the list. {_NOT_TOLD}"
    elif placed.guest.state in (State.CONFIRMED, State.OFFERED):
        says += " What they held is free for others."
    return await act(
        request, commands.Cancel(placed.guest.id, by_host=True), placed.url, says, refusal
    )


def ask_to_remove(request: Request, placed: ListedGuest) -> Response:
    return confirm_page(
        request,
        page_title="Take off the list",
        active=EVENTS,
        crumbs=(("Events", EVENTS), (full_name(placed.person), placed.url), ("Remove", "")),
        question=f"Take {full_name(placed.person)} off the list?",
        means=_removing_means(placed, site_of(request).clock.now()),
        label="Take them off the list",
        keep_label="Keep them",
        keep_url=placed.url,
    )


_NOT_TOLD: Final = "They get no mail, as the event has begun."


def _removing_means(placed: ListedGuest, now: datetime) -> str:
    if now >= placed.event.details.starts_at:
        return _NOT_TOLD
    if placed.guest.state in (State.CONFIRMED, State.OFFERED):
        return "They are told by mail, and what they hold is free for others."
    return "They are told by mail."


async def reduce_party(request: Request) -> Response:
    placed, wanted = guest_of(request), form_of(request).number("party", 0)
    if wanted is None or not 1 <= wanted < placed.guest.party:
        says = refusal(Reason.PARTY_NOT_SMALLER)
        return done(request, placed.url, says, kind="problem")
    says = "The party is smaller now, and they are told."
    return await act(
        request, commands.ReduceParty(placed.guest.id, wanted), placed.url, says, refusal
    )


async def check_in(request: Request) -> Response:
    """Sets how many have arrived. A form sends the number; an undo link has it in its address."""
    placed, form = guest_of(request), form_of(request)
    arrived = _arrived(form["arrived"] or request.query_params.get("arrived", ""))
    back = back_to(placed, form["back"] or request.query_params.get("back", ""))
    if arrived is None:
        return done(request, back, "Please say how many have arrived.", kind="problem")
    outcome = await run(request, commands.CheckIn(placed.guest.id, arrived))
    if isinstance(outcome, Refused):
        return done(request, back, _not_checked_in(request, placed, outcome), kind="problem")
    undo = f"{placed.url}/check-in?arrived={placed.guest.arrived}&back={form['back'] or 'guest'}"
    if arrived == 0:
        return done(request, back, "The check-in was taken back.")
    return done(request, back, _checked_in(placed, arrived), undo_url=undo)


def _arrived(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def back_to(placed: ListedGuest, back: str) -> str:
    """Returns the URL of the door or of the guest page. Never uses a URL from the request."""
    return f"{event_url(placed.event.id)}/door" if back == "door" else placed.url


def _checked_in(placed: ListedGuest, arrived: int) -> str:
    if placed.guest.party == 1:
        return "Checked in."
    return f"Checked in: {arrived} of {placed.guest.party} are here."


def _not_checked_in(request: Request, placed: ListedGuest, refused: Refused) -> str:
    if refused.reason is Reason.PARTY_TOO_LARGE:
        people = count(placed.guest.party, "person", "people")
        return f"They signed up for {people}, so choose no more."
    if refused.reason is not Reason.UNCHANGED:
        return refusal(refused.reason)
    at = arrived_at(ev_of(request), placed.guest)
    if at is None:
        return "They had not been checked in. Nothing was changed."
    return f"They were checked in already, at {spoken_time(at, event_zone(placed.event))}."


def check_in_choices(placed_party: int, arrived: int) -> list[dict[str, Any]]:
    """Returns the choices for a party: all of them first, then fewer."""
    return [
        {"value": n, "label": "All of them" if n == placed_party else f"{n} of {placed_party}"}
        for n in range(placed_party, 0, -1)
        if n != arrived
    ]
