"""Drives the waitlist desk on a real store in virtual time."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, cast

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.messages import Channel, Message
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send, Via
from frontdesk.desks.waitlist.commands import FreeSlot, JoinList, SetRules
from frontdesk.desks.waitlist.delivery import delivery_rules
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.load import OutOfReach, SlotLoader
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
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.desk import Drop, SendNow
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Outcome, Reads, Recorded, Store
from frontdesk.engine.runtime import Runtime
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.store.sqlite.waitlist import WAITLIST
from frontdesk.values import replace
from tests.support.data_file import run_sql
from tests.support.desk import DrivenDesk

#: A Monday, nine in the morning in Singapore.
NINE = datetime(2026, 11, 16, 1, 0, tzinfo=UTC)
TODAY = date(2026, 11, 16)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
RULES = Rules(zone="Asia/Singapore")
WISH = Wish("cut", 1, TODAY, TODAY + timedelta(days=30))
OPENING = Opening("cut", NINE + 6 * HOUR, HOUR, 1, "mia", 4_500)
NEXT_OPENING = replace(OPENING, starts_at=OPENING.ends_at)


def entry(name: str, *, joined: int = 0, **columns: Any) -> Entry:
    """Builds an entry that joined so many minutes after nine."""
    plain = Entry(
        EntryId(name),
        PersonId(f"p-{name}"),
        WISH.service,
        WISH.party,
        WISH.earliest_on,
        WISH.latest_on,
        WISH.staff,
        WISH.priority,
        joined_at=NINE + joined * MINUTE,
    )
    return replace(plain, **columns)


def slot(*, rules: Rules = RULES, **opening: Any) -> Slot:
    return Slot(SlotId("s1"), "webhook:1", replace(OPENING, **opening), rules, freed_at=NINE)


def webhook_signature(body: bytes, secret: str, at: datetime) -> str:
    """The `frontdesk-signature` header of a webhook request."""
    seconds = str(int(at.timestamp()))
    signed = hmac.digest(secret.encode(), seconds.encode() + b"." + body, "sha256")
    return f"t={seconds},v1={signed.hex()}"


def render(reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
    """Minimal texts: these tests check recipients and times."""
    person = reads.engine.person(send.person_id)
    assert person is not None
    return SendNow(
        Message(
            message_id=f"<{send.id}@example.org>",
            to_email=person.email,
            from_email="desk@example.org",
            subject=send.kind,
            text=send.subject,
            date=now,
        )
    )


@dataclass
class WaitlistDesk(DrivenDesk):
    """Drives the desk. `who` is a first name and their entry's id; slots are 's1', 's2' in the
    order of freeing."""

    path: Path
    clock: VirtualClock
    channel: Channel
    names: list[str] = field(default_factory=list)
    numbers: Any = field(default_factory=lambda: count(1))
    out_of_reach: OutOfReach = lambda _reads: None
    store: Any = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def new_store(self) -> Store:
        return SqliteStore(self.path, [WAITLIST])

    def open(self) -> None:
        self.store = self.new_store()
        slots = SlotLoader(lambda reads: self.out_of_reach(reads))
        desk = waitlist_desk(delivery_rules(render), slots=slots)
        self.engine = Engine(self.store, [desk], new_id=lambda: f"id{next(self.numbers)}")
        self.runtime = Runtime(self.engine, {Via.MAIL: self.channel}, chance=lambda: 0.5)

    def close(self) -> None:
        self.store.close()

    def given(self, *names: str, **rules: Any) -> WaitlistDesk:
        self.do(SetRules(replace(RULES, **rules)))
        for who in names:
            self.join(who)
        return self.settle()

    def join(self, who: str, wish: Wish = WISH, lane: Lane = Lane.STAFF, **more: Any) -> Outcome:
        entry_id = who if wish.service == WISH.service else f"{who}-{wish.service}"
        command = JoinList(
            EntryId(entry_id),
            PersonId(f"p-{who}"),
            who.title(),
            f"{who}@example.org",
            wish,
            lane,
            **more,
        )
        return self.run(command)

    def free(self, opening: Opening = OPENING, *, slot_id: str = "s1", origin: str = "") -> Outcome:
        return self.run(FreeSlot(SlotId(slot_id), origin or f"webhook:{slot_id}", opening))

    # --- what can be seen -------------------------------------------------------------------

    @property
    def reads(self) -> WaitlistReads:
        return cast(WaitlistReads, self.engine.reads().desk("wl"))

    def slot(self, slot_id: str = "s1") -> Slot:
        found = self.reads.slot(SlotId(slot_id))
        assert found is not None
        return found

    def entry(self, who: str) -> Entry:
        found = self.reads.entry(EntryId(who))
        assert found is not None
        return found

    def status(self, who: str) -> EntryStatus:
        return self.entry(who).status

    def offers(self, slot_id: str = "s1") -> list[Offer]:
        return list(self.reads.offers(SlotId(slot_id)))

    def tried(self, slot_id: str = "s1") -> list[tuple[str, str]]:
        """Returns the people who had the offer, and its outcome for each."""
        return [(one.entry_id, one.state.value) for one in self.offers(slot_id)]

    def facts(self, slot_id: str = "s1") -> list[Recorded]:
        return list(self.reads.facts(slot_id, limit=10_000))

    def kinds(self, slot_id: str = "s1") -> list[str]:
        return [one.fact.kind for one in self.facts(slot_id)]

    def mail(self) -> list[tuple[str, str]]:
        """Returns recipient and text of each message, the oldest first."""
        rows = self._rows("SELECT to_email, subject FROM fd_message ORDER BY sent_at, rowid")
        return [(to.partition("@")[0], subject) for to, subject in rows]

    def timers(self) -> dict[str, datetime]:
        rows = self._rows("SELECT name, due_at FROM fd_timer ORDER BY name")
        return {name: datetime.fromtimestamp(due_at, UTC) for name, due_at in rows}

    def problems(self) -> list[str]:
        return list_problems(self.reads, self.timers(), self.clock.now())

    def dead_letters(self) -> list[str]:
        return [why for (why,) in self._rows("SELECT why FROM fd_dead_letter")]

    def lose_timers(self) -> None:
        """Deletes timers, as restoring an old table may."""
        self.execute("DELETE FROM fd_timer")

    def execute(self, sql: str) -> None:
        """Changes rows directly, without the desk."""
        run_sql(self.path, sql)

    def _rows(self, sql: str) -> Iterable[Any]:
        return run_sql(self.path, sql)


def waitlist_desk_at(folder: Path, channel: Channel | None = None) -> WaitlistDesk:
    return WaitlistDesk(folder / "frontdesk.db", VirtualClock(NINE), channel or MailboxChannel())
