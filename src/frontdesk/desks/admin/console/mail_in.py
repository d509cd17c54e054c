"""Shows incoming mail and texts with their outcome, and lets staff deal with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.connect.mail_in import BadMail, IncomingMail, read_mail
from frontdesk.connect.mail_text import contains_url
from frontdesk.core.contacts import BadContact, clean_email, email_key
from frontdesk.core.decision import Refused
from frontdesk.core.mail import (
    AS_A_TEXT,
    CAME_BACK,
    DEALT_WITH,
    FOR_A_PERSON,
    NO_MORE_TEXTS,
    NOT_ANSWERED,
    TEXTS_AGAIN,
    MailId,
    RawMail,
)
from frontdesk.core.members import Role
from frontdesk.core.people import Person, PersonId
from frontdesk.core.phones import shown
from frontdesk.desks.admin.commands import DealWithMail
from frontdesk.desks.admin.console.page import message_tabs, reads_of, zone_of
from frontdesk.desks.admin.console.phone import Bubble, thread
from frontdesk.desks.admin.reads import MailFilter, MailRow
from frontdesk.web.console.formatting import Chip, relative_time
from frontdesk.web.console.lists import Column, EmptyState, ListSpec
from frontdesk.web.console.sections import shell_of
from frontdesk.web.console.shell import console_page, done, refuse, run, signed_in, staff
from frontdesk.web.site import or_404, site_of

PATH: Final = "/console/messages/in"
NEEDS: Final = "person"
NOBODY: Final = "Nobody in particular"
BY_TEXT: Final = "The business, by text"
#: How many bytes of a mail's source the page shows; the download has all of it.
MOST_SHOWN: Final = 100_000
#: The most people with one number whose texts are shown.
MOST_PEOPLE: Final = 6
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(came_in), methods=["GET"]),
        Route(f"{PATH}/{{mail_id}}", staff(one_mail), methods=["GET"]),
        Route(f"{PATH}/{{mail_id}}/source", staff(source), methods=["GET"]),
        Route(f"{PATH}/{{mail_id}}/done", staff(deal_with), methods=["POST"]),
    ]


# --- the list -------------------------------------------------------------------------------


_TAKEN_IN: Final = (
    "People can write to an event’s own address to sign up. Whatever comes in shows up here."
)
_NOT_TAKEN_IN: Final = "Mail is not taken in here: the setting mail_in_port switches it on."
_Line = tuple[MailRow, IncomingMail | None]


def mail_list(request: Request) -> ListSpec[_Line]:
    now, tz = site_of(request).clock.now(), zone_of(request)
    return ListSpec(
        id="mails",
        path=PATH,
        caption="Mail that came in",
        columns=(
            Column("from", "From", _from, long=True),
            Column("subject", "Subject", _subject, long=True),
            Column("event", "For", lambda line: _event(request, line), long=True),
            Column("state", "Outcome", lambda line: outcome_chip(line[0].outcome)),
            Column("when", "When", lambda line: relative_time(line[0].received_at, now, tz)),
        ),
        row_url=lambda line: f"{PATH}/{line[0].id}",
        is_gone=lambda line: outcome_chip(line[0].outcome).state == "gone",
        filters=(("", "All"), (NEEDS, "Needs a person")),
        search="Search addresses and names",
        empty=EmptyState(
            "No mail has come in",
            _TAKEN_IN if site_of(request).settings.takes_mail else _NOT_TAKEN_IN,
            "messages",
        ),
        nothing_found="No mail is like that.",
    )


async def came_in(request: Request) -> Response:
    fd, spec = reads_of(request), mail_list(request)
    query = spec.query(request)
    wanted = {
        "": MailFilter(search=query.search),
        NEEDS: MailFilter(search=query.search, for_a_person=True),
    }
    counts = {key: await run_in_threadpool(fd.mail_count, found) for key, found in wanted.items()}

    def load() -> list[_Line]:
        found = fd.mails(wanted[query.filter], limit=query.per_page, offset=query.offset)
        return [(row, _read(row.head)) for row in found]

    rows = await run_in_threadpool(load)
    return console_page(
        request,
        "console/list.html",
        page_title="Mail that came in",
        heading="Messages",
        lead="What people wrote to us, and what became of it.",
        active="/console/messages",
        **message_tabs(request),
        list=spec.view(query, rows, total=counts[query.filter], counts=counts),
    )


def _from(line: _Line) -> str:
    row, mail = line
    return (mail.from_name or mail.from_email if mail else "") or _sender(row) or "Nobody"


def _event(request: Request, line: _Line) -> str:
    return _meant_for(request, line[0].recipient)[0]


def _subject(line: _Line) -> str:
    mail = line[1]
    return (mail.subject if mail else "") or "No subject"


def _sender(row: MailRow) -> str:
    return shown(row.sender) if row.recipient == AS_A_TEXT else row.sender


def _read(raw: bytes) -> IncomingMail | None:
    try:
        return read_mail(raw)
    except BadMail:
        return None


def _meant_for(request: Request, address: str) -> tuple[str, str]:
    """Returns the name and address of the event that the mail is for, or else the recipient."""
    if address == AS_A_TEXT:
        return BY_TEXT, ""
    reads = site_of(request).reads()
    for source in shell_of(request).addresses:
        if found := source(reads, address):
            return found
    ours = site_of(request).settings.from_email
    return (NOBODY if address.lower() == ours.lower() else address), ""


def outcome_chip(outcome: str) -> Chip:
    """Returns the outcome of a mail; the reason is the note of the chip."""
    if outcome in _OUTCOMES:
        return _OUTCOMES[outcome]
    head, _, why = outcome.partition(": ")
    if head in _REASONED:
        return Chip(*_REASONED[head], why)
    return Chip("Answered", "neutral", outcome.replace("_", " "))


_OUTCOMES: Final = {
    "": Chip("Not read yet", "waiting"),
    "signed up": Chip("Signed up", "good"),
    "cancelled": Chip("Cancelled", "gone"),
    "answered": Chip("Answered"),
    "read for the waitlist": Chip("Request", "waiting"),
    "read for reminders": Chip("Appointment", "waiting"),
    "a request to check": Chip("Request", "waiting"),
    "booked": Chip("Booked", "good"),
    "forwarded unread": Chip("Forwarded", "neutral", "unread"),
    "on the waitlist": Chip("On the waitlist", "good"),
    "discarded": Chip("Discarded", "gone"),
    FOR_A_PERSON: Chip("Needs a person", "ending"),
    DEALT_WITH: Chip("Done", "good"),
    NO_MORE_TEXTS: Chip("No more texts", "gone"),
    TEXTS_AGAIN: Chip("Texts again", "good"),
    CAME_BACK: Chip("Came back", "ending"),
}
#: Outcomes that a reason follows.
_REASONED: Final = {
    NOT_ANSWERED.rstrip(": "): ("Not answered", "gone"),
    "answered": ("Answered", "neutral"),
    "unreadable": ("Not readable", "ending"),
    "a calendar's answer": ("Calendar's answer", "neutral"),
}


# --- one mail -------------------------------------------------------------------------------


async def one_mail(request: Request) -> Response:
    raw = _raw(request)
    if await run_in_threadpool(_is_for_owners, request, raw):
        return _for_owners(request)
    mail = await run_in_threadpool(_read, raw.raw)
    sender = _address(mail.from_email if mail else "") or _address(raw.sender)
    subject = mail.subject if mail else ""
    chip = outcome_chip(raw.outcome)
    event, event_url = _meant_for(request, raw.recipient)
    is_text = raw.recipient == AS_A_TEXT
    text = readable_source(raw.raw[:MOST_SHOWN])
    head, _, _ = text.partition("\n\n")
    return console_page(
        request,
        "admin/mail_in_one.html",
        page_title=subject or "No subject",
        active="/console/messages",
        crumbs=(
            ("Messages", "/console/messages"),
            ("Came in", PATH),
            (subject or "No subject", ""),
        ),
        raw=raw,
        name=mail.from_name if mail else "",
        sender=sender,
        answer_url=_mailto(sender, subject) if sender else "",
        person=_person(request, raw, sender),
        event=event,
        event_url=event_url,
        word=chip.word,
        state=chip.state,
        why=chip.note,
        needs_person=raw.outcome == FOR_A_PERSON,
        number=shown(raw.sender) if is_text else "",
        bubbles=await run_in_threadpool(_thread, request, raw) if is_text else [],
        stopped=is_text and site_of(request).reads().engine.number_stopped(raw.sender),
        text=mail.new_text if mail else "",
        when=relative_time(raw.received_at, site_of(request).clock.now(), zone_of(request)),
        mail_head=head,
        source=text,
        is_cut=len(raw.raw) > MOST_SHOWN,
    )


def _thread(request: Request, raw: RawMail) -> Sequence[Bubble]:
    """Returns all texts to and from this number, for each person who has it."""
    people = site_of(request).reads().engine.people_by_mobile(raw.sender)[:MOST_PEOPLE]
    found = {bubble for each in people for bubble in thread(request, each, raw.sender)}
    return sorted(found, key=lambda each: (each.at, each.own))


def readable_source(raw: bytes) -> str:
    """Returns a mail's source as text, without control and direction characters."""
    return _UNSEEN.sub("\ufffd", raw.decode("utf-8", "replace").replace("\r\n", "\n"))


def _address(text: str) -> str:
    try:
        return clean_email(text) if text else ""
    except BadContact:
        return ""


def _mailto(sender: str, subject: str) -> str:
    heading = subject if subject.lower().startswith("re:") else f"Re: {subject}".strip()
    return f"mailto:{quote(sender, safe='@')}?subject={quote(heading)}"


def _person(request: Request, raw: RawMail, sender: str) -> Person | None:
    """Finds the sender, or the recipient of the mail that came back."""
    engine = site_of(request).reads().engine
    if raw.person_id:
        return engine.person(PersonId(raw.person_id))
    return engine.person_by_email(email_key(sender)) if sender else None


async def source(request: Request) -> Response:
    """Downloads the mail as it came. It is never rendered, so nothing in it can run."""
    raw = _raw(request)
    if await run_in_threadpool(_is_for_owners, request, raw):
        return _for_owners(request)
    headers = {
        "content-disposition": 'attachment; filename="mail.eml"',
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
    }
    return Response(raw.raw, media_type="message/rfc822", headers=headers)


def _is_for_owners(request: Request, raw: RawMail) -> bool:
    """Whether this member must not see it: bounces of team mails and replies to them quote a
    sign-in link, so only owners see them."""
    if signed_in(request).member.role is Role.OWNER:
        return False
    return contains_url(raw.raw, f"{site_of(request).settings.base_url}/sign-in/")


def _for_owners(request: Request) -> Response:
    return refuse(
        request,
        "This mail is for owners.",
        "It quotes a link that lets somebody of the team sign in. An owner can open it.",
    )


async def deal_with(request: Request) -> Response:
    mail = _raw(request)
    command = DealWithMail(mail.id)
    outcome = await run(request, command)
    if isinstance(outcome, Refused):
        return done(request, f"{PATH}/{mail.id}", "Somebody has done this already.")
    return done(request, PATH, "Done. It does not wait for anybody any more.")


def _raw(request: Request) -> RawMail:
    return or_404(site_of(request).reads().engine.raw_mail(MailId(request.path_params["mail_id"])))
