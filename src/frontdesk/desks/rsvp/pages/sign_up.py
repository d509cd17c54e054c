"""Takes sign-ups by the form and answers them at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp import facts, words
from frontdesk.desks.rsvp.commands import QueueSignUp, ResendLink, SignUp
from frontdesk.desks.rsvp.decide.seats import largest_party, seat_is_free
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Event, Guest, GuestId, Lane, State
from frontdesk.desks.rsvp.pages import event_page, texts
from frontdesk.desks.rsvp.pages.texts import SignUpResult
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.ports import Committed, Outcome
from frontdesk.errors import Busy
from frontdesk.values import Frozen
from frontdesk.web.forms import (
    TRAP,
    read_public_form,
)
from frontdesk.web.limits import Rate
from frontdesk.web.links import may_send
from frontdesk.web.page_cache import CachedPage, LruCache, placeholder
from frontdesk.web.site import Site, limit_visitor, site_of

#: Allows a whole office behind one IP address.
SIGN_UP_RATE: Final = Rate(burst=30, per_minute=20)

_pages: Final[LruCache[CachedPage]] = LruCache()


class SignUpForm(Frozen):
    """A seat request as typed, with clean name and address."""

    name: str
    email: str
    party: int


Errors = Mapping[str, str]
"""Error messages by field."""


async def from_page(request: Request) -> Response:
    return await _sign_up(request, embedded=False)


async def from_frame(request: Request) -> Response:
    return await _sign_up(request, embedded=True)


async def _sign_up(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    limit_visitor(request, "sign up", SIGN_UP_RATE)
    event = event_page.find_event(site, request)
    if event is None:
        return event_page.no_such_event(request)
    form = await read_public_form(request)
    asked = read_sign_up_form(event, form["name"], form["email"], form.number("party", 1))
    if not isinstance(asked, SignUpForm):
        event = event_page.find_event(site, request) or event
        return event_page.show_with_errors(site, event, form.fields, asked, embedded=embedded)
    answer = await ask_for_seats(site, event, asked, trapped=bool(form[TRAP]))
    if isinstance(answer, SignUpResult):
        return _answer_page(site, event, answer, embedded=embedded)
    event = event_page.find_event(site, request) or event  # reads its current state
    match answer:
        case Reason.PARTY_TOO_LARGE:
            errors = {"party": party_error(event)}
            return event_page.show_with_errors(site, event, form.fields, errors, embedded=embedded)
        case _:
            return event_page.show_closed(site, event, embedded=embedded)


def read_sign_up_form(
    event: Event, name: str, email: str, party: int | None
) -> SignUpForm | Errors:
    """Reads the form. Returns all errors at once, so that nobody has to submit it several times."""
    errors: dict[str, str] = {}
    tidy_name = tidy_email = ""
    try:
        tidy_name = clean_name(name)
    except BadContact as error:
        errors["name"] = str(error)
    try:
        tidy_email = clean_email(email)
    except BadContact as error:
        errors["email"] = str(error)
    if party is None or not 1 <= party <= largest_party(event, Lane.FORM):
        errors["party"] = party_error(event)
    return errors or SignUpForm(tidy_name, tidy_email, party or 1)


def party_error(event: Event) -> str:
    most = largest_party(event, Lane.FORM)
    if event.settings.party_limit == 1:
        return "Seats at this event are given one by one. Please sign up each of you."
    if most < event.settings.party_limit:
        only = f"There {words.are_only(event.seats.cap)}." if event.seats.cap else "No seats yet."
        return f"{only} Please sign up for {'one' if most == 1 else f'1 to {most}'}."
    return f"Please choose a number from 1 to {most}."


async def ask_for_seats(
    site: Site, event: Event, asked: SignUpForm, *, key: str | None = None, trapped: bool = False
) -> SignUpResult | Reason:
    """Requests seats, for form and JSON alike. Returns the reason of a refusal. Somebody who is on
    the list already gets their status instead."""
    if trapped:
        return _answer_for_robot(event, asked)
    outcome = await _run(site, event, asked, key)
    if isinstance(outcome, Refused) and outcome.reason is not Reason.ALREADY_ON_THE_LIST:
        assert isinstance(outcome.reason, Reason)
        return outcome.reason
    if isinstance(outcome, Refused):
        answer = await _listed(site, event, asked)
    elif outcome.repeated:
        answer = _current_answer(site, event, asked)
    else:
        answer = _committed(event, asked, outcome)
    return texts.received_result(asked.email) if event.settings.private_answers else answer


async def _run(site: Site, event: Event, asked: SignUpForm, key: str | None) -> Outcome:
    """Runs the sign-up, or stores it for later if too many come at once."""
    guest_id = GuestId(site.new_id())
    person_id = PersonId(site.new_id())
    request = (event.id, guest_id, person_id, asked.name, asked.email, asked.party, Lane.FORM)
    by = f"guest:{guest_id}"
    try:
        return await site.run(SignUp(*request), by=by, key=key)
    except Busy:
        return await site.run(QueueSignUp(*request), by=by, key=key)


def _committed(event: Event, asked: SignUpForm, outcome: Committed) -> SignUpResult:
    match outcome.facts[0].fact:
        case facts.GuestConfirmed(party=party):
            return texts.confirmed_result(party, asked.email)
        case facts.GuestJoinedLine(position=position):
            return texts.in_line_result(event, position, asked.email)
        case facts.SignUpWrittenDown():
            return texts.queued_result(asked.email)
        case facts.GuestInvited():
            return texts.to_confirm_result(asked.email)
        case fact:
            raise AssertionError(f"a seat request has no {fact.kind}")


async def _listed(site: Site, event: Event, asked: SignUpForm) -> SignUpResult:
    """Answers somebody who is on the list already. Mails their link if the page must not show their
    status."""
    ev = rsvp(site.reads())
    guest = _guest(ev, event, asked)
    assert guest is not None, "the guest is on the list"
    if guest.state is State.PENDING or event.settings.private_answers:
        await send_link_again(site, guest, asked.email)
    return _status_answer(site, ev, event, guest, asked)


def _current_answer(site: Site, event: Event, asked: SignUpForm) -> SignUpResult:
    """Answers a repeated request with the current status."""
    ev = rsvp(site.reads())
    guest = _guest(ev, event, asked)
    if guest is None:
        return texts.queued_result(asked.email)
    return _status_answer(site, ev, event, guest, asked)


def _guest(ev: RsvpReads, event: Event, asked: SignUpForm) -> Guest | None:
    person = ev.person_by_email(asked.email)
    return None if person is None else ev.guest_of(event.id, person.id)


def _status_answer(
    site: Site, ev: RsvpReads, event: Event, guest: Guest, asked: SignUpForm
) -> SignUpResult:
    place = ev.position(guest) if guest.state is State.WAITING else 0
    return texts.listed_result(event, guest, place, asked.email, site.clock.now())


async def send_link_again(site: Site, guest: Guest, email: str) -> None:
    """Mails the link to the known address. Limits the rate, because anybody can type any
    address."""
    if may_send(site, email):
        await site.run(ResendLink(guest.id, by_guest=True), by=f"guest:{guest.id}")


def _answer_for_robot(event: Event, asked: SignUpForm) -> SignUpResult:
    """Answers a robot in the way that it would a person, without doing anything."""
    if event.settings.private_answers:
        return texts.received_result(asked.email)
    if event.settings.double_opt_in:
        return texts.to_confirm_result(asked.email)
    if seat_is_free(event.seats, asked.party):
        return texts.confirmed_result(asked.party, asked.email)
    return texts.in_line_result(event, event.seats.waiting + 1, asked.email)


def _answer_page(site: Site, event: Event, answer: SignUpResult, *, embedded: bool) -> Response:
    now = site.clock.now()
    key = (event.id, event.version, site.renderer.branding, answer.tone, embedded)
    cached = _pages.get(
        key,
        lambda: CachedPage(
            site.renderer,
            "rsvp/answer.html",
            now,
            {
                "page_title": placeholder("title"),
                **event_page.occasion_values(event),
                "title": placeholder("title"),
                "lead": placeholder("lead"),
                "next": placeholder("next"),
                "tone": answer.tone.value,
                "embedded": embedded,
                "back": f"/e/{event.slug}/embed" if embedded else f"/e/{event.slug}",
            },
        ),
    )
    return cached.page(
        now,
        embeddable=embedded,
        title=str(escape(answer.title)),
        lead=str(escape(answer.lead)),
        next=str(escape(answer.next)),
    )
