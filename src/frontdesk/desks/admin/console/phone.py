"""Shows texts as on the recipient's phone, and lets staff reply as that person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.connect.mail_in import BadMail, read_mail
from frontdesk.core.mail import AS_A_TEXT, FOR_A_PERSON
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import Person
from frontdesk.core.phones import shown
from frontdesk.core.sends import Send, SendState, SentMessage, Via
from frontdesk.core.sms import Alphabet, is_start, is_stop, size
from frontdesk.desks.admin.console.page import (
    SEND_CHIPS,
    AdminCallbacks,
    kind_word,
    reads_of,
    reason_sentence,
    zone_of,
)
from frontdesk.desks.admin.reads import MailFilter, MessageFilter
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.shell import Handler, console_page, done, form_of
from frontdesk.web.site import site_of

#: How many texts the phone shows, and how many characters a reply has.
MOST_TEXTS: Final = 20
MOST_WORDS: Final = 1_600


class Bubble(Frozen):
    at: datetime
    text: str
    when: str
    own: bool = False
    """Written by the owner of the phone."""
    send_id: str = ""
    says: str = ""
    """The size of a text from us."""


def is_text(send: Send, kept: SentMessage | None) -> bool:
    return send.via is Via.TEXT or (kept is not None and bool(kept.to_mobile))


def phone_page(request: Request, send: Send, kept: SentMessage | None, person: Person) -> Response:
    site = site_of(request)
    now, tz = site.clock.now(), zone_of(request)
    mobile = kept.to_mobile if kept else person.mobile
    chip = SEND_CHIPS[send.state]
    title = kind_word(send.kind)
    return console_page(
        request,
        "admin/text.html",
        page_title=title,
        active="/console/messages",
        crumbs=(("Messages", "/console/messages"), (title, "")),
        send=send,
        because=reason_sentence(send.why),
        kept=kept,
        person=person,
        number=shown(mobile) if mobile else "",
        stopped=bool(mobile) and site.reads().engine.number_stopped(mobile),
        bubbles=thread(request, person, mobile) if mobile else [],
        word=chip.word,
        state=chip.state,
        can_repeat=send.state not in (SendState.SENDING, SendState.HELD) and not person.erased,
        is_sent=send.state is SendState.SENT,
        can_reply=_can_reply(request, kept),
        queued=relative_time(send.queued_at, now, tz),
        sent=relative_time(send.sent_at, now, tz) if send.sent_at else "",
        most_words=MOST_WORDS,
    )


def _can_reply(request: Request, kept: SentMessage | None) -> bool:
    """Whether a reply can be simulated: only while texts stay on this machine."""
    return bool(kept and kept.to_mobile) and site_of(request).settings.texts_by == "mailbox"


def thread(request: Request, person: Person, mobile: str) -> Sequence[Bubble]:
    """Returns the texts to this person and from this number, oldest first."""
    found = [*_from_us(request, person, mobile), *_from_them(request, mobile)]
    return sorted(found, key=lambda each: (each.at, each.own))[-MOST_TEXTS:]


def _from_us(request: Request, person: Person, mobile: str) -> list[Bubble]:
    rows = reads_of(request).messages(MessageFilter(person_id=person.id), limit=MOST_TEXTS)
    engine = site_of(request).reads().engine
    kept = [engine.sent_message(row.send.id) for row in rows if row.send.via is Via.TEXT]
    return [
        Bubble(
            each.sent_at,
            each.text,
            _when(request, each.sent_at),
            send_id=each.send_id,
            says=size_words(each.text),
        )
        for each in kept
        if each is not None and each.to_mobile == mobile and each.text
    ]


def _from_them(request: Request, mobile: str) -> list[Bubble]:
    rows = reads_of(request).mails(MailFilter(search=mobile), limit=MOST_TEXTS)
    return [
        Bubble(row.received_at, _words(row.head), _when(request, row.received_at), own=True)
        for row in rows
        if (row.sender, row.recipient) == (mobile, AS_A_TEXT)
    ]


def _when(request: Request, at: datetime) -> str:
    return relative_time(at, site_of(request).clock.now(), zone_of(request))


def _words(head: bytes) -> str:
    try:
        return read_mail(head).new_text
    except BadMail:
        return ""


def size_words(text: str) -> str:
    """Returns 'One text, 20 characters', and mentions signs that take more room."""
    found = size(text)
    count = "One text" if found.segments == 1 else f"{found.segments} texts"
    signs = f"{count}, {len(text)} characters"
    return signs if found.alphabet is Alphabet.GSM else f"{signs}, with signs that take more room"


def reply_handler(callbacks: AdminCallbacks, found: Callable[[Request], Send]) -> Handler:
    """Builds the handler of replies. `found` returns the text to answer, if this member may see
    it."""

    async def reply(request: Request) -> Response:
        site, send = site_of(request), found(request)
        kept = site.reads().engine.sent_message(send.id)
        if kept is None or not _can_reply(request, kept):
            raise HTTPException(404)
        words = form_of(request)["words"].strip()[:MOST_WORDS]
        url = f"/console/messages/{send.id}"
        if not words:
            return done(request, url, "Please write something first.", kind="problem")
        now = site.clock.now()
        text = IncomingText(from_mobile=kept.to_mobile, words=words, id=site.new_id(), at=now)
        outcome = await run_in_threadpool(callbacks.text_in, text)
        return done(request, url, _answer(words, outcome))

    return reply


def _answer(words: str, outcome: str) -> str:
    if is_stop(words):
        return "Nothing is sent by text to this number any more."
    if is_start(words):
        return "This number gets texts again."
    if outcome != FOR_A_PERSON:
        return "It came in, and was understood."
    return "It came in, and waits for somebody to read it."
