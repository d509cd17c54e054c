"""A salon with its waitlist: the whole product on one machine, in virtual time."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from frontdesk.core.decision import Command, Refused
from frontdesk.core.members import MemberId
from frontdesk.core.messages import Channel
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner, SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.model import (
    EntryId,
    Lane,
    Offer,
    Opening,
    Slot,
    Wish,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Committed
from frontdesk.engine.runtime import advance
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.settings import Settings
from frontdesk.wiring.one_machine import Frontdesk, build, web_app
from tests.support.data_file import run_sql
from tests.support.server import Visitor, answering, port

#: A Monday, nine in the morning in Singapore.
NINE = datetime(2026, 11, 16, 1, 0, tzinfo=UTC)
TODAY = date(2026, 11, 16)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
SHOP = Catalogue(
    (
        Service("Cut", HOUR, 4_500),
        Service("Cut and colour", 2 * HOUR, 12_000, aliases=("colour", "color")),
        Service("Table", 2 * HOUR, 0, most=8),
    ),
    ("Mia", "Jo"),
    "S$",
)
WISH = Wish("Cut", 1, TODAY, TODAY + timedelta(days=30))
OPENING = Opening("Cut", NINE + 6 * HOUR, HOUR, 1, "Mia", 4_500)


@dataclass
class Salon:
    product: Frontdesk
    clock: VirtualClock
    visitor: Visitor

    @property
    def wl(self) -> WaitlistReads:
        reads: WaitlistReads = self.product.engine.reads().desk("wl")
        return reads

    def run(self, command: Command, by: str = "member:test") -> Committed:
        outcome = self.product.engine.run(command, by=by, now=self.clock.now())
        assert isinstance(outcome, Committed), outcome
        return outcome

    def refused(self, command: Command) -> str:
        outcome = self.product.engine.run(command, by="member:test", now=self.clock.now())
        assert isinstance(outcome, Refused), outcome
        return str(outcome.reason)

    def joins(
        self,
        name: str,
        *,
        email: str | None = None,
        mobile: str = "",
        wish: Wish = WISH,
        lane: Lane = Lane.STAFF,
    ) -> EntryId:
        """Joins one person a minute, so that their order is clear."""
        address = f"{name.lower()}@example.org" if email is None else email
        new = self.product.engine.new_id
        entry_id = EntryId(new())
        self.run(
            JoinList(entry_id, PersonId(new()), name, address, wish, lane, mobile=mobile), "test"
        )
        self.later(MINUTE)
        return entry_id

    def with_staff(self, email: str) -> Salon:
        """Adds a member who gets the messages to staff."""
        new = self.product.engine.new_id
        self.run(AddFirstOwner(MemberId(new()), PersonId(new()), "Mia", email))
        return self.settle()

    def frees(self, origin: str = "test:1", opening: Opening = OPENING) -> Slot:
        outcome = slot_intake_in(self.product.site).free(origin, opening, by="test")
        assert isinstance(outcome, Committed), outcome
        slot = self.wl.slot_by_origin(origin)
        assert slot is not None
        self.settle()
        return slot

    def settle(self) -> Salon:
        self.product.runtime.settle(self.clock.now())
        return self

    def later(self, by: timedelta) -> Salon:
        """Lets time pass; due work is done at its time."""
        advance(self.product.runtime, self.clock, self.clock.now() + by)
        return self

    def offers(self, slot: Slot) -> list[tuple[str, str]]:
        return [(self.name_of(one.entry_id), one.state.value) for one in self.wl.offers(slot.id)]

    def status(self, entry_id: EntryId) -> str:
        found = self.wl.entry(entry_id)
        assert found is not None
        return found.status.value

    def current(self, slot: Slot) -> Offer:
        found = [one for one in self.wl.offers(slot.id) if one.ended_at is None]
        assert len(found) == 1, found
        return found[0]

    def name_of(self, entry_id: str) -> str:
        entry = self.wl.entry(EntryId(entry_id))
        assert entry is not None
        person = self.wl.person(entry.person_id)
        return person.name if person else ""

    def messages(self, to: str) -> list[dict[str, Any]]:
        """Returns all messages to an address or a number, in order."""
        db = sqlite3.connect(self.product.settings.data_dir / "frontdesk.db")
        db.row_factory = sqlite3.Row
        with db:
            rows = db.execute(
                "SELECT * FROM fd_message WHERE ? IN (to_email, to_mobile) ORDER BY sent_at, rowid",
                (to,),
            ).fetchall()
        db.close()
        return [dict(row) for row in rows]

    def last_link(self, to: str, which: int = 0) -> str:
        """Returns the path of a link in the last message to somebody."""
        found = re.findall(r"/l/[\w=-]{44}", self.messages(to)[-1]["text"])
        return str(found[which])

    def problems(self) -> list[str]:
        return list_problems(self.wl, dict(self._timers()), self.clock.now())

    def _timers(self) -> Iterator[tuple[str, datetime]]:
        sql = "SELECT name, due_at FROM fd_timer"
        for name, due_at in run_sql(self.product.settings.data_dir, sql):
            yield name, datetime.fromtimestamp(due_at, UTC)


@contextmanager
def salon(
    data_dir: Path,
    *,
    shop: Catalogue = SHOP,
    channel: Channel | None = None,
    texts: Channel | None = None,
    texts_by: str = "",
    **settings: Any,
) -> Iterator[Salon]:
    """Runs behind a real HTTP server. Checks at the end that nothing is broken or undelivered."""
    clock = VirtualClock(NINE)
    with port() as (listener, base_url):
        product = build(
            Settings(data_dir=data_dir, base_url=base_url, texts=texts_by, **settings),
            clock=clock,
            channel=channel,
            texts=texts,
        )
        try:
            with answering(product, web_app(product), listener, base_url) as visitor:
                one = Salon(product, clock, visitor)
                one.run(SetBusiness(Business(name="Salon Mia", zone="Asia/Singapore")))
                slot_intake_in(product.site).documents.open()
                if shop.services:
                    one.run(SetCatalogue(shop))
                yield one
                assert one.settle().problems() == []
                assert product.engine.reads().engine.dead_letters(10) == []
        finally:
            product.close()
