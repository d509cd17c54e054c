"""Runs a shop with a waitlist in virtual time: a method for each action, a watch on the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Final

from frontdesk.core.contacts import contact_key
from frontdesk.core.members import MemberId
from frontdesk.core.messages import Channels, IncomingText
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Via
from frontdesk.desks.admin.commands import AddFirstOwner, SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.waitlist import commands
from frontdesk.desks.waitlist.model import (
    DocumentName,
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Opening,
    SlotId,
    SlotStatus,
    Wish,
    figures,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.ports import Outcome, Recorded
from frontdesk.intake.sms import TextIn
from frontdesk.settings import Settings
from frontdesk.simulate.names import address
from frontdesk.simulate.runtime import (
    Crash,
    Simulation,
)
from frontdesk.simulate.waitlist.scenario import ComesFree, Customer, Shop
from frontdesk.values import Frozen, replace

STAFF: Final = "member:staff"
OWNER: Final = "owner@example.org"
MOST_CRASHES: Final = 100
_MANY: Final = 1_000_000
_NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)


class Contact(Frozen):
    name: str
    email: str = ""
    mobile: str = ""

    @property
    def key(self) -> str:
        return contact_key(self.email, self.mobile)


class Salon(Simulation):
    """`heard` gets every committed fact; `crashed` is called when the process crashes."""

    def __init__(
        self,
        settings: Settings,
        start: datetime,
        *,
        channels: Channels,
        ids: Callable[[], str],
        chance: Callable[[], float],
        heard: Callable[[Sequence[Recorded]], None],
        crashed: Callable[[], None],
    ) -> None:
        self._crashed = crashed
        self.contacts: dict[str, Contact] = {}
        super().__init__(
            settings,
            start,
            channel=channels[Via.MAIL],
            texts=channels.get(Via.TEXT),
            ids=ids,
            chance=chance,
            heard=heard,
        )

    def restart(self) -> None:
        self._crashed()
        super().restart()

    def advance_until(self, at: datetime) -> None:
        self._through_crashes(lambda: super(Salon, self).advance_until(at))

    def settle(self) -> None:
        self._through_crashes(super().settle)

    def _through_crashes(self, go_on: Callable[[], None]) -> None:
        for _ in range(MOST_CRASHES):
            try:
                return go_on()
            except Crash:
                self.restart()
        raise AssertionError("it crashes again and again")

    def open(self, place: Shop) -> None:
        """Sets up the business with an owner, who gets the messages to staff."""
        self.run(SetBusiness(Business(name=place.name, zone=place.zone)), by=STAFF)
        owner = MemberId(self._ids()), PersonId(self._ids())
        self.run(AddFirstOwner(*owner, place.name, OWNER), by=STAFF)
        slot_intake_in(self.product.site).documents.open()
        self.run(commands.SetCatalogue(place.catalogue), by=STAFF)
        if place.rules:
            slot_intake_in(self.product.site).documents.write(
                DocumentName.RULES, place.rules, by=STAFF
            )
        self.settle()

    @property
    def wl(self) -> WaitlistReads:
        reads: WaitlistReads = self.product.engine.reads().desk("wl")
        return reads

    def timers(self) -> dict[str, datetime]:
        """Returns all timers."""
        return dict(self.product.engine.store.due_timers(_NEVER, _MANY))

    # --- the list -----------------------------------------------------------------------------

    def join(self, guest: Customer, contact: Contact, lane: Lane) -> Outcome:
        wish = Wish(
            guest.service,
            guest.party,
            guest.earliest_on,
            guest.latest_on,
            guest.staff,
            guest.priority,
        )
        command = commands.JoinList(
            EntryId(self._ids()),
            PersonId(self._ids()),
            guest.name,
            contact.email,
            wish,
            lane,
            guest.joined_at,
            contact.mobile,
        )
        return self.run(command, by=STAFF if lane is Lane.STAFF else "form")

    def entries(self, contact: Contact) -> list[Entry]:
        """Returns the entries of this contact, the newest first."""
        person = self.wl.person_by_email(contact.key)
        theirs = self.wl.entries_of(person.id) if person else ()
        return sorted(theirs, key=lambda entry: entry.joined_at, reverse=True)

    def leave(self, entry: Entry) -> Outcome:
        return self.run(commands.LeaveList(entry.id), by=f"entry:{entry.id}")

    def change_dates(self, entry: Entry, earliest_on: date, latest_on: date) -> Outcome:
        wish = replace(entry.wish, earliest_on=earliest_on, latest_on=latest_on)
        return self.run(commands.ChangeWish(entry.id, wish), by=f"entry:{entry.id}")

    def text(self, contact: Contact, words: str) -> None:
        now = self.clock.now()
        text_id = f"{contact.key} {now.isoformat()}"
        incoming = IncomingText(from_mobile=contact.mobile, words=words, id=text_id, at=now)
        TextIn(self.product).take(incoming)

    # --- slots and offers ---------------------------------------------------------------------

    def free(self, action: ComesFree) -> Outcome:
        """Frees a slot. A second report of the same time and member of staff is the same slot."""
        service = self.wl.catalogue().service(action.service)
        assert service is not None, f"there is no service {action.service}"
        opening = Opening(
            service.name,
            action.starts_at,
            service.duration,
            action.places,
            action.staff,
            service.price_cents,
        )
        origin = f"{action.cause}:{service.name}/{action.starts_at:%Y%m%dT%H%M}/{action.staff}"
        return slot_intake_in(self.product.site).free(origin, opening, by=action.cause)

    def take_back(self, slot_id: SlotId) -> Outcome:
        return self.run(commands.TakeBackSlot(slot_id), by=STAFF)

    def claim(self, slot_id: SlotId, seq: int) -> Outcome:
        return self.run(commands.ClaimOffer(slot_id, seq), by="link")

    def decline(self, slot_id: SlotId, seq: int, *, leave: bool = False) -> Outcome:
        return self.run(commands.DeclineOffer(slot_id, seq, leave), by="link")

    # --- contacts and results -----------------------------------------------------------------

    def contact(self, guest: Customer) -> Contact:
        """Returns the contact of a person; the same for the same name."""
        if guest.name not in self.contacts:
            number = f"+6590{len(self.contacts):06}" if guest.by_text else ""
            email = "" if guest.by_text else address(guest.name)
            self.contacts[guest.name] = Contact(guest.name, email, number)
        return self.contacts[guest.name]

    def figures(self) -> dict[str, int]:
        slots = self.wl.slots(_MANY)
        sums = figures(slots)
        return {
            "freed": sums.freed,
            "filled": sums.filled,
            "handed_back": sums.handed_back,
            "open": sum(slot.status is SlotStatus.OPEN for slot in slots),
            "offers": sums.offers,
            "waiting": len(self.wl.entries(status=EntryStatus.WAITING, limit=_MANY)),
            "seconds_to_fill": sums.seconds_to_fill // max(sums.filled, 1),
            "recovered_cents": sums.recovered_cents,
        }

    def dead_letters(self, *, messages_may_fail: bool) -> Iterator[str]:
        """Yields dead letters that should not be."""
        for letter in self.product.engine.reads().engine.dead_letters(_MANY):
            if letter.what != "send" or not messages_may_fail:
                yield f"a dead letter: {letter.what} {letter.ref}: {letter.why}"
