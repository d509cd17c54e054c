"""The rows for one message of the waitlist desk, and values that several messages share."""

from __future__ import annotations

from functools import cached_property

from frontdesk.core.occasions import Occasion, occasion
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.links import WaitlistLinks
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Entry, EntryId, Offer, Slot, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.features.messages.kinds import MessageContext


class WaitlistContext(MessageContext):
    @cached_property
    def wl(self) -> WaitlistReads:
        return waitlist(self.reads)

    @cached_property
    def entry(self) -> Entry | None:
        return self.wl.entry(EntryId(self.send.about)) if self.send.about else None

    @property
    def mail_only(self) -> bool:
        """Whether messages about the entry must not go to the number of its person."""
        return self.entry is not None and self.entry.is_told_by_mail(self.person)

    @cached_property
    def slot(self) -> Slot | None:
        return self.wl.slot(SlotId(self.send.subject))

    @cached_property
    def offer(self) -> Offer | None:
        seq = int(self.send.params.get("seq", 0))
        return self.wl.offer(SlotId(self.send.subject), seq) if seq else None

    @property
    def links(self) -> WaitlistLinks:
        return WaitlistLinks(self.sender.links_url, self.sender.keys)

    def in_console(self, path: str) -> str:
        return f"{self.sender.console_url}/console/waitlist{path}"


def context_of(base: MessageContext) -> WaitlistContext:
    return WaitlistContext(base.sender, base.reads, base.send, base.person, base.now)


def slot_values(slot: Slot) -> dict[str, str]:
    return {
        "service": slot.opening.service,
        "when": words.slot_when(slot),
        "with_staff": words.with_staff(slot.opening),
    }


def slot_occasion(slot: Slot) -> Occasion:
    opening = slot.opening
    ends_at = opening.starts_at + opening.duration
    staff = words.with_staff(opening)
    return occasion(opening.service, opening.starts_at, ends_at, slot.rules.zone, staff)
