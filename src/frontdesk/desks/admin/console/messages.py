"""Shows each message as its recipient sees it, with its outcome, and sends it again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.channels.mime import to_mime
from frontdesk.core.decision import Refused
from frontdesk.core.localtime import BadZone, spoken, to_instant, zone
from frontdesk.core.members import Member, Role
from frontdesk.core.sends import Send, SendId, SendState, SentMessage, Via
from frontdesk.desks.admin.commands import MarkAddress, SendAgain
from frontdesk.desks.admin.console.page import (
    SEND_CHIPS,
    AdminCallbacks,
    kind_word,
    message_tabs,
    reads_of,
    reason_sentence,
    zone_of,
)
from frontdesk.desks.admin.console.phone import is_text, phone_page, reply_handler
from frontdesk.desks.admin.desk import new_nonce
from frontdesk.desks.admin.reads import MessageFilter, MessageRow
from frontdesk.engine.ledger import as_message
from frontdesk.values import replace
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.lists import Column, EmptyState, ListSpec, Menu, PageLink
from frontdesk.web.console.mail_frame import mail_frame
from frontdesk.web.console.shell import act, console_page, done, form_of, run, signed_in, staff
from frontdesk.web.site import site_of

PATH: Final = "/console/messages"
FILTERS: Final[Sequence[tuple[str, str, frozenset[SendState]]]] = (
    ("", "All", frozenset()),
    ("sent", "Sent", frozenset({SendState.SENT})),
    ("held", "Held", frozenset({SendState.HELD})),
    ("queued", "On its way", frozenset({SendState.QUEUED, SendState.SENDING})),
    ("failed", "Failed", frozenset({SendState.FAILED, SendState.UNKNOWN})),
    ("dropped", "Not sent", frozenset({SendState.DROPPED})),
)
#: Mails of the admin desk contain sign-in links, so only owners see them.
ADMIN: Final = "fd"


def routes(callbacks: AdminCallbacks) -> list[BaseRoute]:
    return [
        Route(PATH, staff(mailbox), methods=["GET"]),
        Route(f"{PATH}/{{send_id}}", staff(message), methods=["GET"]),
        Route(f"{PATH}/{{send_id}}/html", staff(html_part), methods=["GET"]),
        Route(f"{PATH}/{{send_id}}/again", staff(send_again), methods=["POST"]),
        Route(
            f"{PATH}/{{send_id}}/reply", staff(reply_handler(callbacks, _send)), methods=["POST"]
        ),
        Route(f"{PATH}/{{send_id}}/wrong-address", staff(wrong_address), methods=["POST"]),
    ]


def hidden_from(member: Member) -> str:
    """Returns the desk whose messages this member must not see, or ''."""
    return "" if member.role is Role.OWNER else ADMIN


# --- the list -------------------------------------------------------------------------------


def message_list(request: Request) -> ListSpec[MessageRow]:
    now, tz = site_of(request).clock.now(), zone_of(request)
    return ListSpec(
        id="messages",
        path=PATH,
        caption="Messages",
        columns=(
            Column("subject", "Subject", subject_of),
            Column("to", "To", _recipient, long=True, plain=True),
            Column("kind", "Kind", _kind, plain=True),
            Column("state", "State", lambda row: SEND_CHIPS[row.send.state]),
            Column(
                "when", "When", lambda row: relative_time(row.send.queued_at, now, tz), plain=True
            ),
        ),
        row_url=lambda row: f"{PATH}/{row.send.id}",
        is_gone=lambda row: SEND_CHIPS[row.send.state].state == "gone",
        filters=[(key, label) for key, label, _ in FILTERS],
        search="Search names, addresses, subjects",
        keep=("kind",),
        empty=EmptyState(
            "No messages yet",
            "Whatever Frontdesk tells people shows up here, as they see it, with working links.",
            "messages",
        ),
        nothing_found="No message is like that.",
    )


def subject_of(row: MessageRow) -> str:
    return row.subject or kind_word(row.send.kind)


def _recipient(row: MessageRow) -> str:
    return row.person.name or row.person.email or "somebody who was erased"


def _kind(row: MessageRow) -> str:
    return kind_word(row.send.kind) + (" (text)" if row.send.via is Via.TEXT else "")


async def mailbox(request: Request) -> Response:
    fd, spec = reads_of(request), message_list(request)
    query = spec.query(request)
    states = {key: found for key, _, found in FILTERS}
    hidden = hidden_from(signed_in(request).member)
    wanted = MessageFilter(
        search=query.search,
        states=states[query.filter],
        kind=query.kept["kind"],
        but_desk=hidden,
    )
    of_all_states = replace(wanted, states=frozenset())
    by_state = await run_in_threadpool(fd.message_counts, of_all_states)
    counts = {key: _total(by_state, found) for key, found in states.items()}
    rows = await run_in_threadpool(fd.messages, wanted, limit=query.per_page, offset=query.offset)
    kinds = {"": "Every kind"} | {
        kind: kind_word(kind) for kind in await run_in_threadpool(fd.message_kinds, hidden)
    }
    links = [PageLink(label, query.url(kind=kind)) for kind, label in kinds.items()]
    is_local = site_of(request).settings.channel == "mailbox"
    return console_page(
        request,
        "console/list.html",
        page_title="Messages",
        active=PATH,
        **message_tabs(request),
        lead="This mailbox keeps what would be sent. Nothing leaves this machine."
        if is_local
        else "Everything that was said to people, and what became of it.",
        list=spec.view(
            query,
            rows,
            total=counts[query.filter],
            counts=counts,
            menus=(Menu(kinds.get(wanted.kind, "Every kind"), links),),
        ),
    )


def _total(counts: dict[SendState, int], states: frozenset[SendState]) -> int:
    return sum(number for state, number in counts.items() if not states or state in states)


# --- one message ----------------------------------------------------------------------------


async def message(request: Request) -> Response:
    site, send = site_of(request), _send(request)
    engine = site.reads().engine
    kept, person = engine.sent_message(send.id), engine.person(send.person_id)
    assert person is not None, "sends are about people"
    if is_text(send, kept):
        return phone_page(request, send, kept, person)
    now, tz = site.clock.now(), zone_of(request)
    chip = SEND_CHIPS[send.state]
    title = (kept.subject if kept else "") or kind_word(send.kind)
    return console_page(
        request,
        "admin/message.html",
        page_title=title,
        active=PATH,
        crumbs=(("Messages", PATH), (title, "")),
        send=send,
        because=reason_sentence(send.why),
        kept=kept,
        person=person,
        word=chip.word,
        state=chip.state,
        kind=kind_word(send.kind),
        can_repeat=send.state not in (SendState.SENDING, SendState.HELD) and not person.erased,
        is_sent=send.state is SendState.SENT,
        queued=relative_time(send.queued_at, now, tz),
        due=relative_time(send.due_at, now, tz) if send.state in _WAITING else "",
        sent=relative_time(send.sent_at, now, tz) if send.sent_at else "",
        calendar=calendar_summary(kept.calendar) if kept and kept.calendar else [],
        calendar_source=kept.calendar.decode("utf-8", "replace") if kept and kept.calendar else "",
        source=_source(kept) if kept and not person.erased else "",
    )


_WAITING: Final = frozenset({SendState.QUEUED, SendState.HELD})


async def html_part(request: Request) -> Response:
    kept = site_of(request).reads().engine.sent_message(_send(request).id)
    if kept is None or not kept.html:
        raise HTTPException(404)
    return mail_frame(kept.html)


async def send_again(request: Request) -> Response:
    site, send = site_of(request), _send(request)
    outcome = await run(request, SendAgain(send.id, site.new_id(), new_nonce()))
    url = f"{PATH}/{send.id}"
    if isinstance(outcome, Refused):
        return done(request, url, "This message cannot be sent again right now.", kind="problem")
    if send.state is SendState.SENT:
        return done(request, PATH, "It goes out once more, as things are now.")
    return done(request, url, "It is tried again now.")


async def wrong_address(request: Request) -> Response:
    send, wrong = _send(request), form_of(request)["wrong"] == "yes"
    says = "The address is marked as wrong: no more mail goes there."
    return await act(
        request,
        MarkAddress(send.person_id, wrong, signed_in(request).member.role),
        f"{PATH}/{send.id}",
        says if wrong else "The address is in use again.",
        "Nothing was changed.",
    )


def _send(request: Request) -> Send:
    """Returns the send in the path, if this member may see it."""
    send_id = SendId(request.path_params["send_id"])
    send = site_of(request).reads().engine.send(send_id)
    if send is None or send.desk == hidden_from(signed_in(request).member):
        raise HTTPException(404)
    return send


def _source(kept: SentMessage) -> str:
    """Returns the message as MIME source, rebuilt from the stored parts."""
    try:
        return to_mime(as_message(kept)).decode("utf-8", "replace")
    except ValueError:
        return ""


_STAMP: Final = "%Y%m%dT%H%M%S"
_CALENDAR_WORDS: Final = {
    "METHOD": "Method",
    "SUMMARY": "What",
    "DTSTART": "Starts",
    "DTEND": "Ends",
    "LOCATION": "Where",
    "STATUS": "Status",
    "SEQUENCE": "Version",
    "UID": "Id",
}


def calendar_summary(file: bytes) -> list[tuple[str, str]]:
    """Returns the lines of a calendar file that staff want to see, with labels."""
    unfolded = re.sub(r"\r?\n[ \t]", "", file.decode("utf-8", "replace"))
    found: dict[str, str] = {}
    inside: list[str] = []
    for line in unfolded.splitlines():
        name, _, value = line.partition(":")
        bare, _, parameters = name.partition(";")
        if bare == "BEGIN":
            inside.append(value)
        elif bare == "END":
            inside = inside[:-1]
        elif bare in _CALENDAR_WORDS and inside[-1:] != ["STANDARD"] and "DAYLIGHT" not in inside:
            zone_name = parameters.partition("TZID=")[2]
            is_time = bare.startswith("DT")
            found.setdefault(bare, _calendar_time(value, zone_name) if is_time else _text(value))
    return [(word, found[name]) for name, word in _CALENDAR_WORDS.items() if name in found]


def _text(value: str) -> str:
    return re.sub(r"\\([,;\\])", r"\1", value.replace("\\n", " "))


def _calendar_time(value: str, zone_name: str) -> str:
    """Formats a calendar time in its zone; returns any other value as it is."""
    try:
        tz = zone(zone_name or "UTC")
        wall = datetime.strptime(value.rstrip("Z"), _STAMP)  # noqa: DTZ007
    except (ValueError, BadZone):
        return value
    return spoken(to_instant(wall, tz), tz)
