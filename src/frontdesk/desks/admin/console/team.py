"""Manages the team, its roles and its sessions."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.members import SESSION_LASTS, MemberId, Role, Session
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import (
    ChangeRole,
    CorrectContact,
    EndAllSessions,
    EndSession,
    InviteMember,
    RemoveMember,
)
from frontdesk.desks.admin.console.page import reads_of, settings_tabs, zone_of
from frontdesk.desks.admin.desk import OWNER_EMAIL, new_nonce
from frontdesk.desks.admin.model import Membership
from frontdesk.desks.admin.reads import TeamRow
from frontdesk.desks.admin.reasons import Reason
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.forms import cleaned
from frontdesk.web.console.sections import shell_of
from frontdesk.web.console.shell import act, console_page, done, form_of, run, signed_in, staff
from frontdesk.web.site import or_404, site_of

PATH: Final = "/console/team"
YOU: Final = "/console/you"
ROLE_WORDS: Final = {Role.OWNER: "Owner", Role.STAFF: "Staff", Role.HOST: "Host"}

_WORDS: Final = {
    Reason.LAST_OWNER: "There is always one owner. Make somebody else an owner first.",
    Reason.ALREADY_THERE: "This address belongs to the team already.",
    Reason.UNKNOWN: "They are not in the team any more.",
    Reason.ADDRESS_IN_USE: "Another person has this address.",
}


def routes() -> list[BaseRoute]:
    def owner(path: str, handler: Any) -> Route:
        return Route(path, staff(handler, role=Role.OWNER), methods=["POST"])

    def anyone(path: str, handler: Any, method: str) -> Route:
        return Route(path, staff(handler, role=Role.HOST), methods=[method])

    return [
        Route(PATH, staff(team, role=Role.OWNER), methods=["GET"]),
        owner(PATH, invite),
        owner(f"{PATH}/{{member_id}}/remove", remove),
        owner(f"{PATH}/{{member_id}}/role", change_role),
        owner(f"{PATH}/{{member_id}}/sign-out", sign_out_everywhere),
        anyone(YOU, you, "GET"),
        anyone(YOU, correct_you, "POST"),
        anyone(f"{YOU}/end-session", end_session, "POST"),
        anyone(f"{YOU}/end-others", end_others, "POST"),
    ]


# --- the team -------------------------------------------------------------------------------


async def team(request: Request) -> Response:
    return _team_page(request)


def _team_page(
    request: Request, errors: dict[str, str] | None = None, typed: dict[str, str] | None = None
) -> Response:
    rows = reads_of(request).team(site_of(request).clock.now())
    return console_page(
        request,
        "admin/team.html",
        page_title="Team",
        active="/console/settings",
        status=422 if errors else 200,
        **settings_tabs(request),
        rows=[_row(request, row) for row in rows],
        stands_in=any(row.person.email == OWNER_EMAIL for row in rows),
        errors=errors or {},
        typed=typed or {"name": "", "email": "", "role": "staff", "event_id": ""},
        events=_events(request),
    )


def _row(request: Request, row: TeamRow) -> dict[str, Any]:
    site, membership = site_of(request), row.membership
    seen = row.last_seen_at
    return {
        "id": membership.id,
        "person_id": row.person.id,
        "name": row.person.name,
        "email": row.person.email,
        "role": membership.role.value,
        "word": ROLE_WORDS[membership.role],
        "event": dict(_events(request)).get(membership.event_id, membership.event_id),
        "is_you": membership.id == signed_in(request).member.id,
        "sessions": row.sessions,
        "seen": relative_time(seen, site.clock.now(), zone_of(request)) if seen else "",
    }


def _events(request: Request) -> list[tuple[str, str]]:
    """Lists events that can have hosts: pairs of id and name."""
    reads = site_of(request).reads()
    return [pair for source in shell_of(request).hostable for pair in source(reads)]


async def invite(request: Request) -> Response:
    form, site = form_of(request), site_of(request)
    typed = {name: form[name] for name in ("name", "email", "role", "event_id")}
    clean, errors = cleaned(typed, {"name": clean_name, "email": clean_email})
    role = _role(form["role"])
    event_id = form["event_id"] if role is Role.HOST else ""
    if role is None:
        errors["role"] = "Please choose what they may do."
    elif role is Role.HOST and event_id not in dict(_events(request)):
        errors["event_id"] = "Please choose the event that they host."
    if errors or role is None:
        return _team_page(request, errors, typed)
    command = InviteMember(
        MemberId(site.new_id()),
        PersonId(site.new_id()),
        clean["name"],
        clean["email"],
        role,
        event_id,
        new_nonce(),
    )
    outcome = await run(request, command)
    if isinstance(outcome, Refused):
        says = _refusal(outcome.reason, "They cannot be added.")
        return _team_page(request, {"email": says}, typed)
    return done(request, PATH, "They are in the team. A mail with a link is on its way.")


def _role(text: str) -> Role | None:
    return Role(text) if text in set(Role) else None


async def remove(request: Request) -> Response:
    return await _run(
        request, RemoveMember(_member(request).id), "They are off the team and signed out."
    )


async def change_role(request: Request) -> Response:
    role = _role(form_of(request)["role"])
    if role is None:
        raise HTTPException(400, "There is no such role.")
    return await _run(request, ChangeRole(_member(request).id, role), "Their role is changed.")


async def sign_out_everywhere(request: Request) -> Response:
    command = EndAllSessions(_member(request).id, signed_in(request).token_hash)
    return await _run(request, command, "They are signed out everywhere.")


async def _run(
    request: Request, command: RemoveMember | ChangeRole | EndAllSessions, says: str
) -> Response:
    return await act(request, command, PATH, says, _refusal)


def _refusal(reason: StrEnum, otherwise: str = "Nothing was changed.") -> str:
    return _WORDS.get(Reason(reason), otherwise)


def _member(request: Request) -> Membership:
    return or_404(reads_of(request).membership(MemberId(request.path_params["member_id"])))


# --- the signed-in member -------------------------------------------------------------------


async def you(request: Request) -> Response:
    return _you_page(request)


def _you_page(
    request: Request, errors: dict[str, str] | None = None, typed: dict[str, str] | None = None
) -> Response:
    here, site = signed_in(request), site_of(request)
    sessions = reads_of(request).sessions_of(here.member.id, site.clock.now())
    member = here.member
    return console_page(
        request,
        "admin/you.html",
        page_title="Your sessions",
        active=YOU if member.role is Role.HOST else "/console/settings",
        status=422 if errors else 200,
        **(settings_tabs(request) if member.role is not Role.HOST else {}),
        sessions=[_session(request, each) for each in sessions],
        role=ROLE_WORDS[member.role],
        stands_in=member.email == OWNER_EMAIL,
        may_correct=member.role is Role.OWNER,
        errors=errors or {},
        typed=typed or {"name": member.name, "email": member.email},
    )


def _session(request: Request, session: Session) -> dict[str, Any]:
    now, tz = site_of(request).clock.now(), zone_of(request)
    return {
        "id": session_id(session),
        "device": session.device or "A browser",
        "is_this": session.token_hash == signed_in(request).token_hash,
        "since": relative_time(session.created_at, now, tz),
        "used": relative_time(session.expires_at - SESSION_LASTS, now, tz),
    }


def session_id(session: Session) -> str:
    """Returns enough of the hash to tell a member's sessions apart."""
    return session.token_hash[:16]


async def correct_you(request: Request) -> Response:
    """Lets owners change their own name and address. Others have to ask an owner."""
    form, member = form_of(request), signed_in(request).member
    typed = {"name": form["name"], "email": form["email"]}
    clean, errors = cleaned(typed, {"name": clean_name, "email": clean_email})
    if errors:
        return _you_page(request, errors, typed)
    command = CorrectContact(member.person_id, clean["name"], clean["email"], member.role)
    outcome = await run(request, command)
    if isinstance(outcome, Refused) and outcome.reason is not Reason.UNCHANGED:
        says = _refusal(outcome.reason, "Please ask an owner to change it.")
        return _you_page(request, {"email": says}, typed)
    return done(request, YOU, "Saved.")


async def end_session(request: Request) -> Response:
    """Ends one of the member's own sessions, found by the beginning of its hash."""
    site, member = site_of(request), signed_in(request).member
    wanted = form_of(request)["session"]
    for session in reads_of(request).sessions_of(member.id, site.clock.now()):
        if session_id(session) == wanted:
            await run(request, EndSession(session.token_hash))
    return done(request, YOU, "That browser is signed out.")


async def end_others(request: Request) -> Response:
    here = signed_in(request)
    command = EndAllSessions(here.member.id, here.token_hash)
    await run(request, command)
    return done(request, YOU, "Every other browser is signed out.")
