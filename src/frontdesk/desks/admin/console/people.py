"""Shows people with their lists and messages; corrects, exports and erases them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import clean_email, clean_name, contact_key
from frontdesk.core.decision import Refused
from frontdesk.core.members import Role
from frontdesk.core.people import Person, PersonId
from frontdesk.core.phones import read_phone, shown
from frontdesk.desks.admin.commands import (
    CorrectContact,
    Erase,
    MarkAddress,
    MarkMobile,
    RecordConsent,
    SetOptOut,
)
from frontdesk.desks.admin.console.consent import consent_view
from frontdesk.desks.admin.console.messages import hidden_from, subject_of
from frontdesk.desks.admin.console.page import SEND_CHIPS, reads_of, zone_of
from frontdesk.desks.admin.export import exported
from frontdesk.desks.admin.model import strongest
from frontdesk.desks.admin.reads import MessageFilter
from frontdesk.desks.admin.reasons import Reason
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.forms import cleaned
from frontdesk.web.console.lists import ListSpec, pager
from frontdesk.web.console.sections import PersonPlace, shell_of
from frontdesk.web.console.shell import (
    act,
    console_page,
    done,
    form_of,
    refuse,
    run,
    signed_in,
    staff,
)
from frontdesk.web.site import site_of

PATH: Final = "/console/people"
MOST_MESSAGES: Final = 20

_WORDS: Final = {
    Reason.ADDRESS_IN_USE: "Another person has this address.",
    Reason.OF_THE_TEAM: "Only an owner can change somebody of the team.",
    Reason.NO_ADDRESS: "Please give an e-mail address.",
    Reason.NOT_NOW: "They sent STOP from this number. Only START from it changes that.",
}


def routes() -> list[BaseRoute]:
    one = f"{PATH}/{{person_id}}"
    return [
        Route(PATH, staff(people), methods=["GET"]),
        Route(one, staff(person), methods=["GET"]),
        Route(f"{one}/export.json", staff(export), methods=["GET"]),
        Route(f"{one}/correct", staff(correct), methods=["POST"]),
        Route(f"{one}/address", staff(mark_address), methods=["POST"]),
        Route(f"{one}/mobile", staff(mark_mobile), methods=["POST"]),
        Route(f"{one}/consent", staff(record_consent), methods=["POST"]),
        Route(f"{one}/opt-out", staff(opt_out), methods=["POST"]),
        Route(f"{one}/erase", staff(erase_page), methods=["GET"]),
        Route(f"{one}/erase", staff(erase), methods=["POST"]),
    ]


#: The template shows rows with initials, so the list has no columns.
PEOPLE: Final = ListSpec[Person](
    id="people",
    path=PATH,
    caption="People",
    columns=(),
    search="Search names, addresses, numbers",
)


async def people(request: Request) -> Response:
    fd, query = reads_of(request), PEOPLE.query(request)
    rows = await run_in_threadpool(
        fd.people, query.search, limit=query.per_page, offset=query.offset
    )
    total = await run_in_threadpool(fd.people_count, query.search)
    return console_page(
        request,
        "admin/people.html",
        page_title="People",
        lead="Everybody who is or was on a list.",
        active=PATH,
        people=rows,
        shown=shown,
        list=PEOPLE.view(query, (), pages=pager(query, len(rows), total)),
    )


async def person(request: Request) -> Response:
    return _page(request, _person(request))


def _page(
    request: Request, found: Person, errors: Mapping[str, str] | None = None, **typed: str
) -> Response:
    """Shows a person. `typed` holds the rejected form values."""
    fd, site = reads_of(request), site_of(request)
    wanted = MessageFilter(person_id=found.id, but_desk=hidden_from(signed_in(request).member))
    now, tz = site.clock.now(), zone_of(request)
    rows = fd.messages(wanted, limit=MOST_MESSAGES)
    return console_page(
        request,
        "admin/person.html",
        page_title=found.name or "Somebody who was erased",
        active=PATH,
        status=422 if errors else 200,
        crumbs=(("People", PATH), (found.name or "Erased", "")),
        person=found,
        places=_shown_places(request, found),
        record=[
            line
            for source in shell_of(request).records
            for line in source(site.reads(), found, now)
        ],
        desk_names={desk.code: desk.name for desk in site.engine.desks.values()},
        messages=[
            {
                "id": row.send.id,
                "subject": subject_of(row),
                "when": relative_time(row.send.queued_at, now, tz),
                "chip": SEND_CHIPS[row.send.state],
            }
            for row in rows
        ],
        may_change=_may_change(request, found),
        number=shown(found.mobile) if found.mobile else "",
        consent=consent_view(site.reads().engine.consent(found.id), found, now, tz),
        stopped=bool(found.mobile) and site.reads().engine.number_stopped(found.mobile),
        typed={
            "name": found.name,
            "email": found.email,
            "mobile": shown(found.mobile) if found.mobile else "",
            **typed,
        },
        errors=errors or {},
    )


def _places(request: Request, found: Person) -> list[PersonPlace]:
    reads = site_of(request).reads()
    return [place for source in shell_of(request).places for place in source(reads, found)]


def _shown_places(request: Request, found: Person) -> list[PersonPlace]:
    """Returns each visit once, although several desks know it."""
    places = _places(request, found)
    known = {place.about for place in places}
    return [place for place in places if place.repeats not in known or not place.repeats]


# --- corrections ----------------------------------------------------------------------------


async def correct(request: Request) -> Response:
    found, form = _person(request), form_of(request)
    typed = {name: form[name] for name in ("name", "email", "mobile")}
    country = site_of(request).settings.country
    clean, errors = cleaned(
        typed,
        {
            "name": clean_name,
            "email": lambda text: clean_email(text) if text else "",
            "mobile": lambda text: read_phone(text, country) if text else "",
        },
    )
    if errors:
        return _page(request, found, errors, **typed)
    name, email, mobile = clean["name"], clean["email"], clean["mobile"]
    asked = form.ticked("same_person") or not _may_be_somebody_else(found, clean)
    if not asked and (places := _shown_places(request, found)):
        return _same_person_page(request, found, typed, places)
    member = signed_in(request).member
    outcome = await run(request, CorrectContact(found.id, name, email, member.role, mobile))
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        words = _WORDS.get(Reason(outcome.reason), "This cannot be changed any more.")
        return _page(request, found, {"email": words}, **typed)
    return done(request, _url(found), _corrected(found, email, mobile))


def _may_be_somebody_else(found: Person, clean: Mapping[str, str]) -> bool:
    """Whether both the name and the contact differ: the address, or without one the number."""
    is_known_by = contact_key(clean["email"], clean["mobile"])
    is_renamed = clean["name"].casefold() != found.name.casefold()
    return is_renamed and is_known_by != contact_key(found.email, found.mobile)


def _same_person_page(
    request: Request, found: Person, typed: Mapping[str, str], places: list[PersonPlace]
) -> Response:
    """Asks staff whether this is a correction or another person."""
    return console_page(
        request,
        "admin/same_person.html",
        page_title="Is this still the same person?",
        active=PATH,
        status=422,
        crumbs=(("People", PATH), (found.name, _url(found)), ("Correct", "")),
        person=found,
        typed=typed,
        held=[place for place in places if place.state == "good"],
    )


def _corrected(found: Person, email: str, mobile: str) -> str:
    if email != found.email:
        return "The address is corrected. Links to the old one are dead."
    if mobile != found.mobile:
        return "The number is corrected. Links that went to the old one are dead."
    return "The name is corrected."


async def mark_address(request: Request) -> Response:
    found, wrong = _person(request), form_of(request)["wrong"] == "yes"
    says = "No more mail goes to this address." if wrong else "The address is in use again."
    command = MarkAddress(found.id, wrong, signed_in(request).member.role)
    return await act(request, command, _url(found), says, _refusal)


async def mark_mobile(request: Request) -> Response:
    found, fails = _person(request), form_of(request)["fails"] == "yes"
    says = "No more texts go to this number." if fails else "Texts go to this number again."
    command = MarkMobile(found.id, fails, signed_in(request).member.role)
    return await act(request, command, _url(found), says, _refusal)


async def record_consent(request: Request) -> Response:
    """Records that a person agreed to texts, or wants none; a note is optional."""
    found, form = _person(request), form_of(request)
    given = form["given"] == "yes"
    says = "Recorded: they agreed to texts." if given else "Recorded: they want no texts."
    command = RecordConsent(found.id, given, form["note"], signed_in(request).member.role)
    return await act(request, command, _url(found), says, _refusal)


def _refusal(reason: StrEnum) -> str:
    return _WORDS.get(Reason(reason), "Nothing was changed.")


async def opt_out(request: Request) -> Response:
    found, out = _person(request), form_of(request)["out"] == "yes"
    says = "They get only answers to what they do." if out else "They get everything again."
    command = SetOptOut(found.id, out, signed_in(request).member.role)
    return await act(request, command, _url(found), says, _refusal)


# --- export and erasure ---------------------------------------------------------------------


async def export(request: Request) -> Response:
    """Downloads everything that is stored about a person."""
    found = _person(request)
    if not _may_change(request, found):
        return _of_the_team(request)
    reads, places = site_of(request).reads(), _places(request, found)
    data = await run_in_threadpool(exported, reads, found, places)
    body = msgspec.json.format(msgspec.json.encode(data), indent=2)
    headers = {
        "content-disposition": f'attachment; filename="person-{found.id}.json"',
        "cache-control": "no-store",
    }
    return Response(body, media_type="application/json", headers=headers)


async def erase_page(request: Request) -> Response:
    return _erase_page(request, _person(request))


async def erase(request: Request) -> Response:
    """Erases a person, after staff have typed the name as a safeguard."""
    found, form = _person(request), form_of(request)
    if form["name"].casefold() != found.name.casefold():
        return _erase_page(request, found, "Please type the name as it stands above.")
    outcome = await run(request, Erase(found.id))
    if isinstance(outcome, Refused):
        words = "They are in the team. An owner takes them off it first."
        return _erase_page(request, found, words)
    return done(request, PATH, "The person is erased. The audit keeps the fact, not the person.")


def _erase_page(request: Request, found: Person, error: str = "") -> Response:
    return console_page(
        request,
        "admin/erase.html",
        page_title="Erase a person",
        active=PATH,
        status=422 if error else 200,
        crumbs=(("People", PATH), (found.name, _url(found)), ("Erase", "")),
        person=found,
        error=error,
        places=_shown_places(request, found),
    )


def _person(request: Request) -> Person:
    person_id = PersonId(request.path_params["person_id"])
    found = site_of(request).reads().engine.person(person_id)
    if found is None or (found.erased and request.method == "POST"):
        raise HTTPException(404)
    return found


def _may_change(request: Request, found: Person) -> bool:
    """Only owners may change a member of the team: a changed address can be used to sign in."""
    is_owner = signed_in(request).member.role is Role.OWNER
    return is_owner or strongest(reads_of(request).memberships_of(found.id)) is None


def _of_the_team(request: Request) -> Response:
    return refuse(
        request, "This person is in the team.", "Only an owner can do that for one of the team."
    )


def _url(found: Person) -> str:
    return f"{PATH}/{found.id}"
