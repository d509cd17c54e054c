"""The types with which a desk declares its messages: sender, content and wording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from frontdesk.core.consents import TEXT_CONSENT, ConsentRule
from frontdesk.core.contact_card import ContactCard
from frontdesk.core.ics import Invitation
from frontdesk.core.links import Keys
from frontdesk.core.mail import ReplyHeaders, tagged
from frontdesk.core.messages import Attachment
from frontdesk.core.occasions import Occasion, Tone
from frontdesk.core.people import Person
from frontdesk.core.sends import Send, SendId, Via
from frontdesk.core.text_rules import TextRules
from frontdesk.core.wording import Wording, WordingSpec, saved_name, wording_spec
from frontdesk.engine.desk import Drop
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, field


class ReplyAddress(Frozen):
    """The address of a desk to which people answer its mails."""

    address: str = ""
    """Empty if the desk takes no mail."""
    names_sends: bool = False
    """Whether replies come to an address that names the send. SES replaces the Message-ID, so an
    answer would not be recognised otherwise."""

    def reply_to(self, send_id: SendId) -> str | None:
        if not self.address:
            return None
        return tagged(self.address, send_id) if self.names_sends else self.address


class SenderProfile(Frozen, kw_only=True):
    """The business as a sender, and the base URLs of links."""

    business: str
    from_email: str
    keys: Callable[[], Keys]
    """The keys that sign links."""
    pages_url: str
    links_url: str
    console_url: str
    from_name: str = ""
    accent: str = ""
    contact: ContactCard = ContactCard()
    sends_sms: bool = False
    answers: ReplyAddress = ReplyAddress()
    takes_sms: bool = False
    """Whether people can reply to its SMS."""
    sms_rules: TextRules = TextRules(())
    closed_pages: tuple[str, ...] = ()
    """The pages of desks that are switched off: no message links to them."""

    @property
    def name(self) -> str:
        return self.from_name or self.business


class MessageContext(Frozen, dict=True):
    """One send with its recipient. A desk adds the rows that its messages need."""

    sender: SenderProfile
    reads: Reads
    send: Send
    person: Person
    now: datetime

    def may_send_sms(self, *, to_stranger: bool) -> bool:
        """Whether SMS is set up, their number accepts it, and today's limit is not reached."""
        mobile, rules = self.person.mobile, self.sender.sms_rules
        if not self.sender.sends_sms or not takes_sms(self.reads, rules, self.person):
            return False
        if rules.a_month_micros:
            spent = self.reads.engine.text_spend(_day(self.now).replace(day=1))
            if not rules.is_within_budget(mobile, spent):
                return False
        most = rules.a_day_to_strangers if to_stranger else rules.a_day
        return not rules.a_day or self.reads.engine.texts_on(_day(self.now)) < most


def takes_sms(reads: Reads, rules: TextRules, person: Person) -> bool:
    """Whether this person's number accepts SMS. Ignores the limits of day and month."""
    mobile = person.mobile
    if not mobile or rules.why_not(mobile) or person.mobile_fails:
        return False
    return not reads.engine.number_stopped(mobile) and not lacks_consent(reads, person)


def lacks_consent(reads: Reads, person: Person) -> bool:
    """Whether consent was withdrawn, or is not recorded though the business requires it."""
    last = reads.engine.consent(person.id).about(person.mobile)
    if last is not None:
        return not last.given
    return reads.engine.setting(TEXT_CONSENT).rule is ConsentRule.REQUIRED


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()


class MessageContent(Frozen):
    """The content of one message, before a channel is chosen."""

    values: Mapping[str, str] = field(default_factory=dict)
    """Values of placeholders. `name` and `business` are always known; a missing value is empty."""
    tone: Tone = Tone.GOOD
    chip: str = ""
    reason: str = ""
    """The last line of the mail: explains why they get it."""
    occasion: Occasion | None = None
    is_called_off: bool = False
    calendar: Invitation | None = None
    unsubscribe_url: str = ""
    reply_to: str | None = None
    to_email: str = ""
    """Another address than the person's own, such as the inbox that an owner chose."""
    headers: tuple[tuple[str, str], ...] = ()
    attached: tuple[Attachment, ...] = ()
    answers: ReplyHeaders | None = None
    """The mail that this one answers."""
    mail_only: bool = False
    worded_as: str = ""
    """The kind whose wording it uses, if it is another."""


Content = Callable[[Any], MessageContent | Drop]
"""Makes the content of a message from the current rows, or the reason to drop it."""


class MessageKind(Frozen):
    content: Content
    mail: WordingSpec | None = None
    """None if its content names another kind's wording."""
    sms: WordingSpec | None = None
    """None if it is always a mail."""
    to_stranger: bool = False
    """The message answers a public form, which anybody can send, so its daily limit of SMS is
    lower."""


def message_kind(
    content: Content,
    title: str,
    mail: str,
    must: str = "",
    *,
    one_of: str = "",
    sms: str = "",
    **placeholders: str,
) -> MessageKind:
    """Declares a message with the same placeholders for mail and SMS. See `wording_spec`."""
    return MessageKind(
        content,
        wording_spec(title, mail, must, one_of, **placeholders),
        wording_spec(title, sms, must, one_of, **placeholders) if sms else None,
    )


class DeskMessages(Frozen):
    """All messages of a desk, by the kind of their notes."""

    kinds: Mapping[str, MessageKind]
    context: Callable[[MessageContext], MessageContext | Drop]
    wording: Callable[[Reads, Via, str], Wording]
    """The current wording of a mail or SMS of this kind: the business's own, or the default."""


def wording_specs(kinds: Mapping[str, MessageKind]) -> dict[tuple[Via, str], WordingSpec]:
    """Every wording that the business can change, by channel and kind."""
    return {
        (via, name): spec
        for name, kind in kinds.items()
        for via, spec in ((Via.TEXT, kind.sms), (Via.MAIL, kind.mail))
        if spec
    }


def saved_wordings(kinds: Mapping[str, MessageKind], via: Via) -> dict[str, WordingSpec]:
    """The wordings of one channel, by the name under which they are saved."""
    return {
        saved_name(way, kind): spec
        for (way, kind), spec in wording_specs(kinds).items()
        if way is via
    }
