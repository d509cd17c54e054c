"""The messages kit with a small desk of its own: the sender, the wording and the channel of a
message."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, cast

import pytest

from frontdesk.core.consents import ConsentRecord
from frontdesk.core.contact_card import ContactCard
from frontdesk.core.links import Keys, LinkKey
from frontdesk.core.mail import ReplyHeaders
from frontdesk.core.messages import Message, Text
from frontdesk.core.people import Person, PersonId
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.core.sends import Send, SendId, SendState, Via
from frontdesk.core.text_rules import ABROAD, TextRules, segment_price_micros
from frontdesk.core.wording import Wording, wording_spec
from frontdesk.engine.desk import Drop, SendNow
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import (
    DeskMessages,
    MessageContent,
    MessageContext,
    MessageKind,
    SenderProfile,
    message_kind,
    wording_specs,
)
from frontdesk.features.messages.render import renderer
from frontdesk.values import replace

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
MOBILE = "+6591234567"
ANN = Person(PersonId("ann"), "Ann Lee", "ann@example.org", mobile=MOBILE)
SENDER = SenderProfile(
    business="Salon Mia",
    from_email="hello@salon.example",
    keys=lambda: Keys(LinkKey(1, b"k" * 32)),
    pages_url="https://salon.example",
    links_url="https://salon.example",
    console_url="https://salon.example",
    sends_sms=True,
    sms_rules=TextRules(("SG",), a_day=4),
)


def ready(_context: MessageContext) -> MessageContent:
    return MessageContent({"dish": "soup"}, reason="You ordered it.")


def in_other_words(context: MessageContext) -> MessageContent:
    return replace(ready(context), worded_as="ready")


MAIL = "Subject: {{ dish }} for {{ name }}\n\nYour {{ dish }} is ready. {{ extra }}"
SMS = "{{ business }}: your {{ dish }} is ready."
SAMPLES = {"dish": "stew", "name": "Bob", "business": "Diner", "extra": "Enjoy."}
KINDS: Mapping[str, MessageKind] = {
    "ready": message_kind(ready, "Ready", MAIL, "dish", sms=SMS, **SAMPLES),
    "answer": MessageKind(
        ready,
        wording_spec("An answer", MAIL, **SAMPLES),
        wording_spec("An answer", SMS, **SAMPLES),
        to_stranger=True,
    ),
    "thanks": message_kind(ready, "Thanks", "Subject: Hi\n\n{{ name }}, thank you.", **SAMPLES),
    "bill": message_kind(ready, "The bill", MAIL, **SAMPLES),
    "gone": message_kind(lambda _context: Drop("eaten already"), "Gone", MAIL, **SAMPLES),
    "again": MessageKind(in_other_words),
}


class Kitchen:
    """A stand-in for a store's reads."""

    def __init__(self, person: Person | None = ANN, *, stopped: bool = False, today: int = 0):
        self._person, self._stopped, self._today = person, stopped, today

    @property
    def engine(self) -> Kitchen:
        return self

    def person(self, _person_id: PersonId) -> Person | None:
        return self._person

    def number_stopped(self, _mobile: str) -> bool:
        return self._stopped

    def consent(self, person_id: PersonId) -> ConsentRecord:
        return ConsentRecord(person_id)

    def setting(self, setting: SavedSetting[Any]) -> Any:
        return setting.default

    def texts_on(self, on: date) -> int:
        assert on == NOON.date()
        return self._today

    def text_spend(self, month: date) -> int:
        assert month == NOON.date().replace(day=1)
        return self._today * segment_price_micros("SG")


def default_wording(_reads: Reads, via: Via, kind: str) -> Wording:
    return wording_specs(KINDS)[via, kind].default


def said(
    kitchen: Kitchen,
    kind: str = "ready",
    sender: SenderProfile = SENDER,
    kinds: Mapping[str, MessageKind] = KINDS,
) -> SendNow | Drop:
    desk = DeskMessages(kinds, lambda base: base, default_wording)
    send = Send(SendId("s1"), "k", "kt", kind, ANN.id, "", "", SendState.QUEUED, NOON, NOON)
    return renderer(desk, lambda _reads: sender)(cast(Reads, kitchen), send, NOON)


NO_MOBILE = Kitchen(replace(ANN, mobile=""))


def test_a_mail_has_the_wording_the_sender_and_the_reason() -> None:
    sender = replace(SENDER, from_name="Mia", contact=ContactCard(phone="+65 6123 4567"))
    rendered = said(NO_MOBILE, sender=sender)

    assert isinstance(rendered, SendNow)
    mail = rendered.message
    assert isinstance(mail, Message)
    assert (mail.from_name, mail.from_email, mail.to_name) == ("Mia", SENDER.from_email, "Ann Lee")
    assert (mail.message_id, mail.subject) == ("<s1@salon.example>", "soup for Ann Lee")
    assert mail.text == ("Your soup is ready.\n\n-- \nSalon Mia\n+65 6123 4567\nYou ordered it.\n")
    assert "Your soup is ready." in mail.html


@pytest.mark.spec("FD-13")
def test_a_mail_leaves_out_a_name_that_may_be_a_message() -> None:
    rendered = said(Kitchen(replace(ANN, name="win.example 4 you", mobile="")), "thanks")

    assert isinstance(rendered, SendNow)
    assert isinstance(rendered.message, Message)
    assert rendered.message.text.startswith("Thank you.\n")


@pytest.mark.spec("AR-07")
@pytest.mark.parametrize(("sent", "kind"), [(1, Text), (2, Message)])
def test_mail_is_used_when_the_month_has_no_money_left(sent: int, kind: type) -> None:
    rules = TextRules(("SG",), a_month_micros=2 * segment_price_micros("SG"))

    rendered = said(Kitchen(today=sent), sender=replace(SENDER, sms_rules=rules))

    assert isinstance(rendered, SendNow)
    assert isinstance(rendered.message, kind)


@pytest.mark.spec("AR-20")
def test_mail_is_used_for_a_number_to_which_texts_fail() -> None:
    rendered = said(Kitchen(replace(ANN, failed_mobile=MOBILE)))

    assert isinstance(rendered, SendNow)
    assert isinstance(rendered.message, Message)


def test_an_sms_goes_to_a_number_that_takes_it() -> None:
    assert said(Kitchen()) == SendNow(
        Text(
            message_id="<s1@salon.example>",
            to_mobile=MOBILE,
            to_name="Ann Lee",
            from_name="Salon Mia",
            text="Salon Mia: your soup is ready.",
            date=NOON,
        )
    )


@pytest.mark.parametrize(
    ("kitchen", "kind", "sender"),
    [
        (NO_MOBILE, "ready", SENDER),
        (Kitchen(stopped=True), "ready", SENDER),
        (Kitchen(today=4), "ready", SENDER),
        (Kitchen(today=2), "answer", SENDER),
        (Kitchen(), "ready", replace(SENDER, sends_sms=False)),
        (Kitchen(), "ready", replace(SENDER, sms_rules=TextRules(("DE",)))),
        (Kitchen(), "bill", SENDER),
    ],
    ids=["no number", "stopped", "day's limit", "strangers' limit", "not set up", "abroad", "kind"],
)
def test_everybody_else_gets_a_mail(kitchen: Kitchen, kind: str, sender: SenderProfile) -> None:
    rendered = said(kitchen, kind, sender)

    assert isinstance(rendered, SendNow)
    assert isinstance(rendered.message, Message)


def test_a_person_without_an_address_gets_an_sms_or_the_reason_why_not() -> None:
    only_mobile = replace(ANN, email="")
    abroad = replace(SENDER, sms_rules=TextRules(("DE",)))

    one, other = said(Kitchen(only_mobile, today=4)), said(Kitchen(only_mobile), sender=abroad)

    assert isinstance(one, SendNow)
    assert isinstance(other, SendNow)
    assert (type(one.message), one.closed) == (Text, "")
    assert (type(other.message), other.closed) == (Text, ABROAD)


def test_a_message_can_use_the_wording_of_another_kind() -> None:
    assert said(NO_MOBILE, "again") == said(NO_MOBILE, "ready")


def test_an_answer_takes_the_subject_and_the_thread_of_the_mail_it_answers() -> None:
    def answer(_context: MessageContext) -> MessageContent:
        return MessageContent(answers=ReplyHeaders("<her@example.org>", "re: Soup?"))

    rendered = said(NO_MOBILE, kinds={"ready": replace(KINDS["ready"], content=answer)})

    assert isinstance(rendered, SendNow)
    mail = rendered.message
    assert isinstance(mail, Message)
    assert (mail.subject, mail.in_reply_to) == ("re: Soup?", "<her@example.org>")
    assert mail.references == ("<her@example.org>",)


def test_a_message_without_content_is_dropped() -> None:
    assert said(Kitchen(), "gone") == Drop("eaten already")
    assert said(Kitchen(None)) == Drop("this person was erased")
