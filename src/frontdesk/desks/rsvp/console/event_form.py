"""Creates and edits events, and asks before a change that guests are told of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.jobs import JobId
from frontdesk.core.words import count
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.commands import CreateEvent, EditEvent, SetCap, SetDefaults
from frontdesk.desks.rsvp.console import event_form_values
from frontdesk.desks.rsvp.console import settings_form as form_
from frontdesk.desks.rsvp.console.formatting import refusal
from frontdesk.desks.rsvp.console.page import EVENTS, ev_of, event_of, event_page, event_url
from frontdesk.desks.rsvp.console.settings_form import EventFormReader, Values
from frontdesk.desks.rsvp.decide.hosting import guests_are_told, is_moved_to_the_past
from frontdesk.desks.rsvp.facts import EventCreated, EventEdited
from frontdesk.desks.rsvp.model import Details, Event, EventId, State
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.shell import console_page, done, form_of, run, staff
from frontdesk.web.site import site_of

ON_THE_LIST: Final = frozenset(State) - {State.CANCELLED}
#: Form labels in order, to list what somebody else has changed meanwhile.
LABELS: Final = {
    "name": "Name",
    "slug": "Page address",
    "starts": "Starts",
    "ends": "Ends",
    "zone": "Time zone",
    "venue": "Place",
    "description": "Description",
    "quiet_start": "Quiet from",
    "quiet_end": "Quiet until",
    "window": "An offer is held for",
    "gap": "No reminder within",
    "party_limit": "People on one sign-up",
    "own_reminders": "Other reminders",
}


def routes() -> list[BaseRoute]:
    edit = f"{EVENTS}/{{event}}/edit"
    return [
        Route(f"{EVENTS}/new", staff(new_page), methods=["GET"]),
        Route(f"{EVENTS}/new", staff(create), methods=["POST"]),
        Route(f"{EVENTS}/defaults", staff(defaults_page), methods=["GET"]),
        Route(f"{EVENTS}/defaults", staff(set_defaults), methods=["POST"]),
        Route(edit, staff(edit_page, event_param="event"), methods=["GET"]),
        Route(edit, staff(edit_event, event_param="event"), methods=["POST"]),
    ]


# --- new events -----------------------------------------------------------------------------


async def new_page(request: Request) -> Response:
    values = event_form_values.settings_values(ev_of(request).defaults())
    return _new_form(request, values | {"zone": _likely_zone(request), "cap": "40"}, {})


def _likely_zone(request: Request) -> str:
    """Returns the time zone of the newest event, or of the business if there is none."""
    if events := ev_of(request).events():
        return events[-1].details.zone
    zone: str = site_of(request).reads().desk("fd").business().zone
    return zone


async def create(request: Request) -> Response:
    form = form_of(request)
    reading = EventFormReader(form.fields)
    slug, details = form_.read_slug(reading), form_.read_details(reading)
    settings, cap = form_.read_settings(reading), form_.read_cap(reading)
    slug = _free_slug(request, slug) if not form["slug"] else slug
    if reading.errors or details is None or settings is None or cap is None:
        return _new_form(request, dict(form.fields), reading.errors, status=422)
    if details.ends_at <= site_of(request).clock.now():
        errors = {"starts": "This time is over already."}
        return _new_form(request, dict(form.fields), errors, status=422)
    event_id = EventId(site_of(request).new_id())
    outcome = await run(
        request, CreateEvent(event_id, slug, details, settings, cap), once=form["once"]
    )
    if isinstance(outcome, Refused):
        return _new_form(request, dict(form.fields), _field_error(outcome), status=422)
    made = outcome.facts[0].fact
    assert isinstance(made, EventCreated)
    return done(request, event_url(made.event_id), _created(made, dict(form.fields)))


def _free_slug(request: Request, slug: str) -> str:
    """Returns the suggested slug, with a number if another event has it."""
    ev = ev_of(request)
    for number in range(2, 1_000):
        if ev.event_by_slug(slug) is None:
            break
        slug = f"{slug.rstrip('0123456789').rstrip('-')[: form_.MOST_SLUG - 4]}-{number}"
    return slug


def _created(made: EventCreated, values: Mapping[str, str]) -> str:
    notes = {
        event_form_values.repeated_time_note(values, "starts"),
        event_form_values.repeated_time_note(values, "ends"),
    } - {""}
    return " ".join(
        [f"The event is open, with {count(made.cap, 'seat')}. Share its page.", *sorted(notes)]
    )


def _field_error(refused: Refused) -> dict[str, str]:
    fields = {
        Reason.ADDRESS_IN_USE: "slug",
        Reason.BAD_TIMES: "ends",
        Reason.IN_THE_PAST: "starts",
        Reason.BAD_CAP: "cap",
    }
    return {fields.get(Reason(refused.reason), "name"): refusal(refused.reason)}


def _new_form(
    request: Request, values: Values, errors: Mapping[str, str], *, status: int = 200
) -> Response:
    site = site_of(request)
    return console_page(
        request,
        "rsvp/console/event_new.html",
        page_title="A new event",
        active=EVENTS,
        crumbs=(("Events", EVENTS), ("New", "")),
        status=status,
        **_form_values(request, values, errors),
        once=values.get("once") or site.new_id(),
    )


def _form_values(
    request: Request, values: Mapping[str, str], errors: Mapping[str, str]
) -> dict[str, Any]:
    site = site_of(request)
    return {
        "v": values,
        "errors": errors,
        "zones": form_.zones(),
        "choices": event_form_values.reminder_choices(values, site.clock.now()),
        "page_base": f"{site.settings.base_url}/e/",
        "twice": {
            name: event_form_values.repeated_time_note(values, name) for name in ("starts", "ends")
        },
    }


# --- defaults -------------------------------------------------------------------------------


async def defaults_page(request: Request) -> Response:
    return _defaults_form(request, event_form_values.settings_values(ev_of(request).defaults()), {})


async def set_defaults(request: Request) -> Response:
    form = form_of(request)
    reading = EventFormReader(form.fields)
    settings = form_.read_settings(reading)
    if settings is None:
        return _defaults_form(request, dict(form.fields), reading.errors, status=422)
    await run(request, SetDefaults(settings))
    return done(request, f"{EVENTS}/defaults", "New events begin with these settings now.")


def _defaults_form(
    request: Request, values: Values, errors: Mapping[str, str], *, status: int = 200
) -> Response:
    return console_page(
        request,
        "rsvp/console/defaults.html",
        page_title="Defaults",
        active=EVENTS,
        crumbs=(("Events", EVENTS), ("Defaults", "")),
        status=status,
        **_form_values(request, values, errors),
    )


# --- existing events ------------------------------------------------------------------------


async def edit_page(request: Request) -> Response:
    event = event_of(request)
    return _edit_form(request, event, event_form_values.event_values(event), {})


async def edit_event(request: Request) -> Response:
    """Saves the event, after a confirmation if guests will be told."""
    event, form = event_of(request), form_of(request)
    reading = EventFormReader(form.fields)
    slug, details = form_.read_slug(reading), form_.read_details(reading)
    settings, cap = form_.read_settings(reading), form_.read_cap(reading)
    if reading.errors or details is None or settings is None or cap is None:
        return _edit_form(request, event, dict(form.fields), reading.errors, status=422)
    version = form.number("version", event.version)
    if version != event.version:
        return _edited_meanwhile(request, event)
    if is_moved_to_the_past(event.details, details, site_of(request).clock.now()):
        errors = {"starts": refusal(Reason.IN_THE_PAST)}
        return _edit_form(request, event, dict(form.fields), errors, status=422)
    told = _who_is_told(request, event, details)
    if told and not is_confirmed(request):
        return _ask_first(request, event, details, told)

    job_id = JobId(site_of(request).new_id())
    outcome = await run(request, EditEvent(event.id, version, slug, details, settings, job_id))
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        if outcome.reason is Reason.EDITED_MEANWHILE:
            return _edited_meanwhile(request, event_of(request))
        return _edit_form(request, event, dict(form.fields), _field_error(outcome), status=422)
    cap_changed = cap != form.number("cap_was", event.seats.cap)
    if cap_changed:
        await run(request, SetCap(event.id, cap))
    says = _says(outcome, told, cap_changed=cap_changed)
    return done(request, event_url(event.id), says)


def _who_is_told(request: Request, event: Event, after: Details) -> int:
    """Returns how many guests will be told of the change."""
    if not guests_are_told(event.details, after, site_of(request).clock.now()):
        return 0
    return ev_of(request).guest_count(event.id, states=ON_THE_LIST)


def _says(outcome: Committed | Refused, told: int, *, cap_changed: bool) -> str:
    if isinstance(outcome, Refused):
        return "The number of seats is changed." if cap_changed else refusal(outcome.reason)
    edited = next(one.fact for one in outcome.facts if isinstance(one.fact, EventEdited))
    if edited.moved and told:
        return f"Saved. {count(told, 'guest')} will be told of the change."
    return "Saved, and the reminders move along." if edited.retimed else "Saved."


def _ask_first(request: Request, event: Event, details: Details, told: int) -> Response:
    url = event_url(event.id)
    return confirm_page(
        request,
        question=f"{count(told, 'guest')} will be told",
        means="Each gets a mail with the change, and those who have a seat a new calendar entry."
        " Their reminders move along.",
        details=words.changed(event.details, details).split("\n\n"),
        label="Save and tell them",
        keep_label="Change nothing",
        keep_url=f"{url}/edit",
        active=EVENTS,
        crumbs=(("Events", EVENTS), (event.details.name, url), ("Edit", "")),
        is_danger=False,
    )


def _edited_meanwhile(request: Request, event: Event) -> Response:
    """Keeps the typed values and shows the current ones beside them. Saving again overwrites the
    current ones."""
    typed, now = dict(form_of(request).fields), event_form_values.event_values(event)
    differs = [
        (label, now.get(name, "") or "nothing")
        for name, label in LABELS.items()
        if typed.get(name, "").strip() != now.get(name, "").strip()
    ]
    return _edit_form(request, event, typed, {}, status=409, meanwhile=differs)


def _edit_form(
    request: Request,
    event: Event,
    values: Values,
    errors: Mapping[str, str],
    *,
    status: int = 200,
    meanwhile: list[tuple[str, str]] | None = None,
) -> Response:
    return event_page(
        request,
        "event_edit.html",
        event,
        tab="Edit",
        status=status,
        meanwhile=meanwhile,
        **_form_values(request, values, errors),
    )
