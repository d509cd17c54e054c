"""What a message is about: the business, the rows around one send, and what is to be said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.ics import Method
from frontdesk.core.links import Keys
from frontdesk.core.occasions import Occasion, Tone
from frontdesk.core.people import Person
from frontdesk.core.sends import Send
from frontdesk.core.text_rules import TextRules
from frontdesk.desks.waitlist.delivery import TO_STRANGERS
from frontdesk.desks.waitlist.links import WaitlistLinks
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    Offer,
    Slot,
    SlotId,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen
from frontdesk.web.colours import DEFAULT_ACCENT


class Office(Frozen, kw_only=True):
    """What every message needs to know about the business."""

    base_url: str
    links_url: str
    console_at: str
    business: str
    from_email: str
    keys: Callable[[], Keys]
    from_name: str = ""
    accent: str = DEFAULT_ACCENT
    contact: ContactCard = ContactCard()
    texts: bool = False
    """Whether texts can be sent at all."""
    text_rules: TextRules | None = None
    """To which numbers they go; to any mobile if nothing."""
    texts_cost: bool = False
    """They leave this machine, so that the most for a day counts."""

    @property
    def links(self) -> WaitlistLinks:
        return WaitlistLinks(self.links_url, self.keys)

    def in_console(self, path: str) -> str:
        return f"{self.console_at}/console/waitlist{path}"


class Scene(Frozen, dict=True):
    """The rows around one send."""

    office: Office
    reads: Reads
    send: Send
    person: Person
    now: datetime

    @cached_property
    def wl(self) -> WaitlistReads:
        return waitlist(self.reads)

    @cached_property
    def entry(self) -> Entry | None:
        return self.wl.entry(EntryId(self.send.about)) if self.send.about else None

    @cached_property
    def slot(self) -> Slot | None:
        return self.wl.slot(SlotId(self.send.subject))

    @cached_property
    def offer(self) -> Offer | None:
        seq = int(self.send.params.get("seq", 0))
        return self.wl.offer(SlotId(self.send.subject), seq) if seq else None

    @property
    def by_text(self) -> bool:
        """Texts can be sent, they have a number that takes them, and it wants them."""
        mobile = self.person.mobile
        if not self.office.texts or not mobile or self.no_text_because:
            return False
        return not self.reads.engine.number_stopped(mobile) and self._is_within_the_day

    @property
    def no_text_because(self) -> str:
        """Why their number is none for texts, or nothing."""
        rules = self.office.text_rules
        return rules.why_not(self.person.mobile) if rules else ""

    @property
    def _is_within_the_day(self) -> bool:
        """Afterwards whoever has an address is told by mail."""
        rules = self.office.text_rules
        if rules is None or not rules.a_day or not self.office.texts_cost:
            return True
        most = rules.a_day_to_strangers if self.send.kind in TO_STRANGERS else rules.a_day
        return self.reads.engine.texts_on(self.now.astimezone(UTC).date()) < most


class Saying(Frozen):
    """What is to be said, before a way to say it is chosen."""

    values: Mapping[str, str]
    why: str
    """Why they get this mail: its last line."""
    what: Occasion | None = None
    tone: Tone = Tone.GOOD
    chip: str = ""
    calendar: bytes | None = None
    method: Method = Method.REQUEST
    """Of the calendar file."""
    unsubscribe: str = ""
    to_staff: bool = False
    by_mail: bool = False
    """Never by text, whatever number they have."""
