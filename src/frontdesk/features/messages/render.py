"""Renders a mail or an SMS from a desk's message kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.contacts import plain_name
from frontdesk.core.ics import Invitation
from frontdesk.core.ics import write as write_calendar
from frontdesk.core.messages import Message, Text
from frontdesk.core.page_urls import is_among
from frontdesk.core.sends import Send, Via
from frontdesk.core.wording import FilledWording, Wording, WordingSpec, as_sms, fill
from frontdesk.engine.desk import Drop, Render, SendNow
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import (
    DeskMessages,
    MessageContent,
    MessageContext,
    SenderProfile,
    lacks_consent,
)
from frontdesk.values import replace
from frontdesk.web.mail_layout import MailFrame, lay_out

NO_CONSENT: Final = "there is no consent to texts to this number"


def renderer(messages: DeskMessages, sender: Callable[[Reads], SenderProfile]) -> Render:
    """Returns a function that renders sends of one desk. `sender` returns the current profile."""

    def render(reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
        person = reads.engine.person(send.person_id)
        if person is None or person.erased:
            return Drop("this person was erased")
        context = messages.context(MessageContext(sender(reads), reads, send, person, now))
        if isinstance(context, Drop):
            return context
        content = messages.kinds[send.kind].content(context)
        return content if isinstance(content, Drop) else _say(messages, context, content)

    return render


def _say(messages: DeskMessages, context: MessageContext, content: MessageContent) -> SendNow:
    """Chooses SMS for a number that accepts it or a person without an address, else mail."""
    name, person = content.worded_as or context.send.kind, context.person
    kind = messages.kinds[name]

    def mail(spec: WordingSpec) -> Message:
        wording = messages.wording(context.reads, Via.MAIL, name)
        return _mail(context, content, wording, _values(spec, context, content))

    def sms(spec: WordingSpec) -> Text:
        wording = messages.wording(context.reads, Via.TEXT, name)
        return _sms(context, fill(wording, _values(spec, context, content)))

    is_mail_only = kind.sms is None or content.mail_only
    may_choose = not is_mail_only and bool(person.email)
    may_text = may_choose and context.may_send_sms(to_stranger=kind.to_stranger)
    if kind.sms is None or is_mail_only or (may_choose and not may_text):
        assert kind.mail is not None, "a kind without wording names another"
        return SendNow(mail(kind.mail))
    if may_text:  # `may_send_sms` has checked the number and the consent
        return SendNow(sms(kind.sms))
    closed = context.sender.sms_rules.why_not(person.mobile)
    if not closed and lacks_consent(context.reads, person):
        closed = NO_CONSENT
    return SendNow(sms(kind.sms), closed)


def _values(
    spec: WordingSpec, context: MessageContext, content: MessageContent
) -> Mapping[str, str]:
    values, closed_pages = content.values, context.sender.closed_pages
    if closed_pages:
        values = {name: "" if is_among(v, closed_pages) else v for name, v in values.items()}
    return {
        **dict.fromkeys(spec.placeholders, ""),
        "name": plain_name(context.person.name),
        "business": context.sender.business,
        **values,
    }


def _sms(context: MessageContext, filled: FilledWording) -> Text:
    return Text(
        message_id=_message_id(context),
        to_mobile=context.person.mobile,
        to_name=plain_name(context.person.name),
        from_name=context.sender.name,
        text=as_sms(filled),
        date=context.now,
    )


def _mail(
    context: MessageContext, content: MessageContent, wording: Wording, values: Mapping[str, str]
) -> Message:
    sender, answers = context.sender, content.answers
    frame = MailFrame(
        business=sender.business,
        what=content.occasion,
        why=content.reason,
        tone=content.tone,
        chip=content.chip,
        called_off=content.is_called_off,
        unsubscribe=content.unsubscribe_url,
        accent=sender.accent,
        contact=sender.contact,
    )
    body = lay_out(wording, values, frame)
    return Message(
        message_id=_message_id(context),
        to_email=content.to_email or context.person.email,
        to_name="" if content.to_email else plain_name(context.person.name),
        from_email=sender.from_email,
        from_name=sender.name,
        reply_to=content.reply_to,
        subject=_reply_subject(answers.subject) if answers and answers.subject else body.subject,
        text=body.text,
        html=body.html,
        calendar=_calendar(context, content.calendar) if content.calendar else None,
        calendar_method=content.calendar.method.value if content.calendar else None,
        in_reply_to=answers.message_id if answers else None,
        references=(answers.message_id,) if answers else (),
        unsubscribe_url=content.unsubscribe_url or None,
        date=context.now,
        headers=content.headers,
        attached=content.attached,
    )


def _calendar(context: MessageContext, calendar: Invitation) -> bytes:
    is_closed = is_among(calendar.url or "", context.sender.closed_pages)
    return write_calendar(replace(calendar, url=None) if is_closed else calendar)


def _reply_subject(heading: str) -> str:
    """The subject of a reply. Some mail programs recognise a thread only by it."""
    return heading if heading[:3].lower() == "re:" else f"Re: {heading}"


def _message_id(context: MessageContext) -> str:
    """The same id for each attempt, so that a repeat is recognised."""
    return f"<{context.send.id}@{context.sender.from_email.rpartition('@')[2]}>"
