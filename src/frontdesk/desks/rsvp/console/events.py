"""Lists events, and takes actions on one: changes its cap, calls it off, thanks its guests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.jobs import JobId
from frontdesk.core.localtime import to_wall
from frontdesk.core.members import Role
from frontdesk.core.words import count
from frontdesk.desks.rsvp import thanks, words
from frontdesk.desks.rsvp.commands import CallOff, EditThanks, SendThanks, SetCap
from frontdesk.desks.rsvp.console.event_form import ON_THE_LIST
from frontdesk.desks.rsvp.console.formatting import event_chip, event_zone, refusal
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url, member
from frontdesk.desks.rsvp.console.settings_form import EventFormReader, read_cap
from frontdesk.desks.rsvp.model import Event, EventState, Seats, State
from frontdesk.web.console.forms import FormField, FormSpec, Notice, confirm_page, is_confirmed
from frontdesk.web.console.lists import ListSpec, matches, pager
from frontdesk.web.console.shell import act, console_page, done, form_of, staff
from frontdesk.web.site import site_of


def routes() -> list[BaseRoute]:
    return [Route(EVENTS, staff(events_page, role=Role.HOST))]


#: A list of cards, so it has no columns.
LIST: Final = ListSpec[Event](
    id="events",
    path=EVENTS,
    caption="Events",
    columns=(),
    filters=(("", "To come"), ("past", "Over")),
    filter_by="show",
    search="Search events",
    per_page=24,
)


async def events_page(request: Request) -> Response:
    now, who, query = site_of(request).clock.now(), member(request), LIST.query(request)
    mine = [event for event in ev_of(request).events() if who.may_see(event.id)]
    coming, over = _upcoming_and_past(
        [event for event in mine if _matches(event, query.search)], now
    )
    past = query.filter == "past"
    shown = over if past else coming
    cards = query.slice(shown)
    return console_page(
        request,
        "rsvp/console/events.html",
        page_title="Events",
        active=EVENTS,
        may_create=who.role is not Role.HOST,
        has_any=bool(mine),
        q=query.search,
        past=past,
        list=LIST.view(query, (), counts={"": len(coming), "past": len(over)}),
        cards=[_card(event, now) for event in cards],
        pages=pager(query, len(cards), len(shown)),
    )


def _matches(event: Event, search: str) -> bool:
    return matches(search, f"{event.details.name} {event.details.venue} {event.slug}")


def _upcoming_and_past(events: Sequence[Event], now: datetime) -> tuple[list[Event], list[Event]]:
    """Splits events into upcoming, soonest first, and past, latest first."""
    coming = [event for event in events if now < event.details.ends_at]
    over = [event for event in events if now >= event.details.ends_at]
    coming.sort(key=lambda event: event.details.starts_at)
    over.sort(key=lambda event: event.details.starts_at, reverse=True)
    return coming, over


def _card(event: Event, now: datetime) -> dict[str, Any]:
    what = words.occasion(event.details)
    on = to_wall(event.details.starts_at, event_zone(event)).date()
    return {
        "event": event,
        "what": what,
        "iso": on.isoformat(),
        "url": event_url(event.id),
        "chip": event_chip(event, now),
    }


MOST_WORDS: Final = 1_000


def action_routes() -> list[BaseRoute]:
    event = f"{EVENTS}/{{event}}"
    return [
        Route(f"{event}/cap", staff(set_cap, event_param="event"), methods=["POST"]),
        Route(f"{event}/call-off", staff(call_off_page, event_param="event"), methods=["GET"]),
        Route(f"{event}/call-off", staff(call_off, event_param="event"), methods=["POST"]),
        Route(f"{event}/thanks", staff(thanks_page, event_param="event"), methods=["GET"]),
        Route(f"{event}/thanks", staff(write_thanks, event_param="event"), methods=["POST"]),
    ]


# --- seats ----------------------------------------------------------------------------------


async def set_cap(request: Request) -> Response:
    """Changes the cap. Asks first if it is less than the seats taken or on offer."""
    event, form = event_of(request), form_of(request)
    reading = EventFormReader(form.fields)
    cap = read_cap(reading)
    if cap is None:
        return done(request, event_url(event.id), reading.errors["cap"], kind="problem")
    seats = event.seats
    if cap < min(seats.cap, seats.taken + seats.offered) and not is_confirmed(request):
        return _ask_first(request, event, cap)
    says = _cap_says(seats, cap)
    return await act(request, SetCap(event.id, cap), event_url(event.id), says, refusal)


def _ask_first(request: Request, event: Event, cap: int) -> Response:
    return confirm_page(
        request,
        page_title="Fewer seats",
        active=EVENTS,
        crumbs=(("Events", EVENTS), (event.details.name, event_url(event.id)), ("Seats", "")),
        question=f"{count(cap, 'seat')}, though more are promised?",
        means=_debt(event.seats, cap),
        label=f"Make it {count(cap, 'seat')}",
        keep_label=f"Keep {count(event.seats.cap, 'seat')}",
        keep_url=event_url(event.id),
    )


def _debt(seats: Seats, cap: int) -> str:
    promised = f"Taken: {seats.taken:,}. On offer: {seats.offered:,}."
    return (
        f"{promised} Nobody who has a seat loses it. No seat is given until at most {cap:,} are"
        " taken, and an open offer can be taken only while there is room."
    )


def _cap_says(before: Seats, cap: int) -> str:
    now = "There is 1 seat now." if cap == 1 else f"There are {cap:,} seats now."
    if cap > before.cap:
        return f"{now} The new ones go to the line first." if before.waiting else now
    if cap < before.taken + before.offered:
        return f"{now} Nobody loses a seat; none is given until there is room again."
    return now


# --- calling it off -------------------------------------------------------------------------


async def call_off_page(request: Request) -> Response:
    return _call_off_form(request, event_of(request), "", "")


async def call_off(request: Request) -> Response:
    event, form = event_of(request), form_of(request)
    words = form["words"].replace("\r\n", "\n")
    if len(words) > MOST_WORDS:
        error = f"Please write at most {MOST_WORDS:,} characters."
        return _call_off_form(request, event, words, error)
    if not is_confirmed(request):
        return _call_off_form(request, event, words, "", status=422)
    told = _how_many(request, event)
    says = f" {count(told, 'guest')} will be told." if told else ""
    command = CallOff(event.id, JobId(site_of(request).new_id()), words)
    url = event_url(event.id)
    return await act(request, command, url, f"The event is called off.{says}", refusal)


def _how_many(request: Request, event: Event) -> int:
    return ev_of(request).guest_count(event.id, states=ON_THE_LIST)


CALL_OFF: Final = FormSpec(
    fields=(
        FormField(
            "words",
            "A few words to the guests",
            "area",
            hint="They stand in the mail as you write them.",
            required=False,
        ),
    ),
    button="Call the event off",
    back="Keep the event",
    is_danger=True,
)


def _call_off_form(
    request: Request, event: Event, words: str, error: str, *, status: int = 200
) -> Response:
    told, url = _how_many(request, event), event_url(event.id)
    who = "1 guest is" if told == 1 else f"{told:,} guests are"
    means = (
        f"{who} told, at once or when quiet hours end; those with a seat get a calendar file that"
        " takes the entry away."
        if told
        else "Nobody is on the list, so nobody has to be told."
    )
    form = CALL_OFF.view(
        f"{url}/call-off",
        url,
        {"words": words},
        {"words": error} if error else {},
        title=f"Call {event.details.name} off?",
        text=f"{means} No reminder or offer goes out any more. This cannot be undone.",
        hidden={"confirmed": "yes"},
        instead=_nothing_to_call_off(event, site_of(request).clock.now()),
    )
    return event_page(
        request,
        "console/form.html",
        event,
        tab="Call it off",
        status=422 if error else status,
        form=form,
    )


def _nothing_to_call_off(event: Event, now: datetime) -> Notice | None:
    is_open = event.state is EventState.OPEN
    if is_open and now < event.details.ends_at:
        return None
    happened = "The event is over" if is_open else "It was called off already"
    means = "There is nothing to call off any more."
    return Notice(happened, means, event_url(event.id), "To the event")


# --- thanks ---------------------------------------------------------------------------------


async def thanks_page(request: Request) -> Response:
    event = event_of(request)
    return _thanks_form(request, event, event.thanks or _draft(request, event), "")


def _draft(request: Request, event: Event) -> str:
    """Drafts the note before the scheduled draft exists."""
    return thanks.draft(event, ev_of(request).counts(event.id))


async def write_thanks(request: Request) -> Response:
    event, form = event_of(request), form_of(request)
    url, words = f"{event_url(event.id)}/thanks", form["words"].replace("\r\n", "\n")
    if not words or len(words) > thanks.MOST_DRAFT:
        error = f"Please write something, at most {thanks.MOST_DRAFT:,} characters."
        return _thanks_form(request, event, words, error, status=422)
    if form["do"] != "send":
        saved = "Saved. Nothing has been sent."
        return await act(request, EditThanks(event.id, words), url, saved, refusal)
    told = ev_of(request).counts(event.id)[State.CONFIRMED][0]
    command = SendThanks(event.id, JobId(site_of(request).new_id()), words)
    sent = f"The thanks go out to {count(told, 'guest')}."
    return await act(request, command, url, sent, refusal)


def _thanks_form(
    request: Request, event: Event, words: str, error: str, *, status: int = 200
) -> Response:
    return event_page(
        request,
        "thanks.html",
        event,
        tab="Thanks",
        status=status,
        words=words,
        error=error,
        guests=ev_of(request).counts(event.id)[State.CONFIRMED][0],
        is_over=site_of(request).clock.now() >= event.details.ends_at,
    )
