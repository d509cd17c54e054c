"""A salon behind a real HTTP server in virtual time: its list, its slots, its customers' links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from frontdesk.core.decision import Command, Refused
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import SentMessage
from frontdesk.desks.waitlist.commands import FreeSlot, JoinList, SetCatalogue, SetRules
from frontdesk.desks.waitlist.invariants import broken_invariants
from frontdesk.desks.waitlist.links import WaitlistLinks
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Offer,
    Opening,
    Rules,
    Slot,
    SlotId,
    Wish,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Committed
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from tests.support.data_file import run_sql
from tests.support.rsvp import HOUR, NINE
from tests.support.server import Page, Served, Visitor, serve

TODAY = date(2026, 11, 16)
COLOUR = Service("Cut and colour", timedelta(hours=2), 12_000, aliases=("colour",))
SPA = Service("Head spa", timedelta(minutes=45), most=3)
SHOP = Catalogue((COLOUR, SPA), ("Mia", "Jo"), "S$")
RULES = Rules(zone="Asia/Singapore")
WISH = Wish(COLOUR.name, 1, TODAY, TODAY + timedelta(days=30))
#: Three in the afternoon in Singapore.
OPENING = Opening(COLOUR.name, NINE + 6 * HOUR, COLOUR.duration, 1, "Mia", COLOUR.price_cents)


@dataclass
class Salon:
    """Drives the salon. `who` is a first name; their address is <who>@example.org, unless they have
    a number."""

    served: Served
    entries: dict[str, EntryId] = field(default_factory=dict)
    slots: list[SlotId] = field(default_factory=list)

    # --- actions --------------------------------------------------------------------------

    def given(self, *names: str, shop: Catalogue = SHOP, **rules: Any) -> Salon:
        """Puts people on the list for a cut and colour, in this order, a minute apart."""
        self.do(SetCatalogue(shop)).do(SetRules(replace(RULES, **rules)))
        for who in names:
            self.join(who).wait(minutes=1)
        return self

    def join(self, who: str, *, mobile: str = "", wish: Wish = WISH) -> Salon:
        """Puts somebody on the list, with a number or an address."""
        email = "" if mobile else f"{who}@example.org"
        entry_id, person_id = EntryId(self.new_id()), PersonId(self.new_id())
        self.entries[who] = entry_id
        return self.do(
            JoinList(entry_id, person_id, who.title(), email, wish, Lane.FORM, mobile=mobile)
        )

    def free(self, **opening: Any) -> Salon:
        slot_id = SlotId(self.new_id())
        self.slots.append(slot_id)
        return self.do(FreeSlot(slot_id, f"webhook:{slot_id}", replace(OPENING, **opening)))

    def do(self, command: Command) -> Salon:
        outcome = self.served.desk.run(command)
        assert isinstance(outcome, Committed), outcome
        return self.settle()

    def refused(self, command: Command) -> str:
        outcome = self.served.desk.run(command)
        assert isinstance(outcome, Refused), outcome
        return str(outcome.reason)

    def settle(self) -> Salon:
        self.served.desk.settle()
        return self

    def wait(self, **span: float) -> Salon:
        self.served.desk.wait(**span)
        return self

    def jump(self, **span: float) -> Salon:
        """Moves the clock without firing timers."""
        clock = self.served.desk.clock
        clock.move_to(clock.now() + timedelta(**span))
        return self

    def new_id(self) -> str:
        return self.served.desk.product.engine.new_id()

    # --- state ----------------------------------------------------------------------------

    @property
    def visitor(self) -> Visitor:
        return self.served.visitor

    @property
    def now(self) -> datetime:
        return self.served.desk.clock.now()

    @property
    def reads(self) -> WaitlistReads:
        return cast(WaitlistReads, self.served.desk.product.engine.reads().desk("wl"))

    def entry(self, who: str) -> Entry:
        found = self.reads.entry(self.entries[who])
        assert found is not None
        return found

    def status(self, who: str) -> EntryStatus:
        return self.entry(who).status

    def person(self, who: str) -> Person:
        found = self.reads.person(self.entry(who).person_id)
        assert found is not None
        return found

    def slot(self, number: int = -1) -> Slot:
        found = self.reads.slot(self.slots[number])
        assert found is not None
        return found

    def tried(self, number: int = -1) -> list[tuple[str, str]]:
        """Returns the people who had the offer, and its outcome for each."""
        names = {entry_id: who for who, entry_id in self.entries.items()}
        found = self.reads.offers(self.slots[number])
        return [(names[one.entry_id], one.state.value) for one in found]

    def offer(self, who: str, number: int = -1) -> Offer:
        found = self.reads.offers(self.slots[number])
        return next(one for one in found if one.entry_id == self.entries[who])

    def kinds(self, number: int = -1) -> list[str]:
        return [one.fact.kind for one in self.reads.facts(self.slots[number])]

    def listed(self) -> list[tuple[str, Wish]]:
        """Returns the wishes of people who wait, by name."""
        found = self.reads.entries(status=EntryStatus.WAITING)
        people = ((self.reads.person(one.person_id), one.wish) for one in found)
        return sorted((person.name, wish) for person, wish in people if person is not None)

    def told(self, to: str) -> list[SentMessage]:
        """Returns the messages to an address or number, the oldest first."""
        engine = self.served.desk.product.engine.reads().engine
        rows = self._rows(
            "SELECT send_id FROM fd_message WHERE ? IN (to_email, to_mobile)"
            " ORDER BY sent_at, rowid",
            to,
        )
        return [kept for (send_id,) in rows if (kept := engine.sent_message(send_id)) is not None]

    def problems(self) -> list[str]:
        rows = self._rows("SELECT name, due_at FROM fd_timer")
        timers = {name: datetime.fromtimestamp(due_at, UTC) for name, due_at in rows}
        return [
            problem
            for each in self.reads.slots(1_000)
            for problem in broken_invariants(each, self.reads.offers(each.id), timers)
        ]

    def _rows(self, sql: str, *values: str) -> list[Any]:
        return run_sql(self.served.desk.product.settings.data_dir, sql, *values)

    # --- links ------------------------------------------------------------------------------

    @property
    def links(self) -> WaitlistLinks:
        product = self.served.desk.product
        return WaitlistLinks(product.settings.links_at, lambda: product.keys)

    def offer_link(self, who: str, number: int = -1) -> str:
        version = self.person(who).contact_version
        return self.links.offer(self.slot(number), self.offer(who, number), version)

    def decline_link(self, who: str, number: int = -1) -> str:
        version = self.person(who).contact_version
        return self.links.decline(self.slot(number), self.offer(who, number), version)

    def place_link(self, who: str) -> str:
        return self.links.place(self.entry(who), self.person(who).contact_version, self.now)

    def stop_link(self, who: str) -> str:
        return self.links.stop(self.entry(who), self.person(who).contact_version, self.now)

    def take(self, link: str) -> Page:
        page = self.visitor.post(link, do="take")
        self.settle()
        return page

    def pass_on(self, link: str, **more: str) -> Page:
        page = self.visitor.post(link, do="pass", **more)
        self.settle()
        return page


def links_in(kept: SentMessage) -> list[str]:
    return re.findall(r"https?://\S+", kept.text)


@contextmanager
def salon_at(folder: Path, **settings: Any) -> Iterator[Salon]:
    with serve(folder, **settings) as served:
        yield Salon(served)
