"""The booking desk on a real store in virtual time, alone or with the waitlist desk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, cast

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Via
from frontdesk.desks.booking.commands import Book, SetRules
from frontdesk.desks.booking.delivery import delivery_rules
from frontdesk.desks.booking.desk import booking_desk
from frontdesk.desks.booking.doctor import (
    audit_problems,
    every_booking,
    every_handover,
    every_request,
)
from frontdesk.desks.booking.invariants import (
    capacity_problems,
    cell_problems,
    request_problems,
    tally_problems,
    timer_problems,
)
from frontdesk.desks.booking.load import Loader
from frontdesk.desks.booking.model import Booking, BookingId
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import (
    BookingRules,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.desks.booking.views import DeskOptions
from frontdesk.desks.waitlist import delivery as waitlist_delivery
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Recorded, Store
from frontdesk.engine.runtime import Runtime
from frontdesk.store.dynamodb import booking as dynamodb_booking
from frontdesk.store.dynamodb import waitlist as dynamodb_waitlist
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.sqlite import booking as sqlite_booking
from frontdesk.store.sqlite import waitlist as sqlite_waitlist
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.values import replace
from frontdesk.wiring.between_desks.handovers import FROM_WAITLIST, to_waitlist, waitlist_slot
from tests.support.data_file import run_sql
from tests.support.desk import DrivenDesk
from tests.support.dynamodb import Tables
from tests.support.rsvp_dynamodb import ALL, FAR_AWAY
from tests.support.waitlist import render

#: A Monday, seven in the morning.
SEVEN = datetime(2026, 11, 16, 7, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
#: Tuesday at ten.
TEN = SEVEN + DAY + 3 * HOUR
MIRA, ANA, BEA = ResourceId("mira"), ResourceId("ana"), ResourceId("bea")
ALL_DAY = ((Period(0, 24 * 60),),) * 7


def resource(key: ResourceId, **more: Any) -> Resource:
    return Resource(key, key.title(), **more)


def service(name: str = "cut", *pools: Sequence[ResourceId], **more: Any) -> ServiceRules:
    """Builds a service: by default an hour with Mira, every five minutes, without notice."""
    plain = ServiceRules(
        name,
        HOUR,
        tuple(Need(tuple(pool)) for pool in pools or [[MIRA]]),
        step=timedelta(minutes=5),
        notice=timedelta(),
        most=10,
        most_upcoming=1_000,
    )
    return replace(plain, **more)


RULES = BookingRules(zone="UTC", hours=ALL_DAY, services=(service(),), resources=(resource(MIRA),))


def rules(
    services: Sequence[ServiceRules] = (service(),),
    resources: Sequence[Resource] = (resource(MIRA),),
    **more: Any,
) -> BookingRules:
    return replace(RULES, services=tuple(services), resources=tuple(resources), **more)


def hex_id(text: str) -> BookingId:
    """Makes a booking's id from a short name."""
    return BookingId(text.encode().hex().ljust(32, "0")[:32])


@dataclass
class BookingDesk(DrivenDesk):
    """Drives the desk. `who` is a first name; the default id of their booking is made of it."""

    folder: Path
    tables: Tables | None = None
    with_waitlist: bool = False
    clock: VirtualClock = field(default_factory=lambda: VirtualClock(SEVEN))
    numbers: Any = field(default_factory=lambda: count(1))
    client: Any = None
    """Wraps the client of the tables."""
    jobs: Any = None
    busy: Any = None
    notes: Any = None
    post: Any = field(default_factory=MailboxChannel)
    store: Any = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def new_store(self) -> Store:
        """Opens the store. Its retries do not pause."""
        if self.tables is None:
            desks = [sqlite_booking.BOOKING, sqlite_waitlist.WAITLIST]
            return SqliteStore(self.folder / "frontdesk.db", desks)
        return DynamoStore(
            self.client or self.tables.client,
            self.tables.bucket,
            [dynamodb_booking.BOOKING, dynamodb_waitlist.WAITLIST],
            prefix=self.tables.prefix,
            pause=lambda _seconds: None,
        )

    def open(self) -> None:
        self.store = self.new_store()
        loader = Loader(DeskOptions(hands_over=self.with_waitlist), slot=waitlist_slot)
        if self.busy is not None:
            loader = replace(loader, busy=self.busy)
        told = delivery_rules(render)
        desks = [booking_desk(told, loader=loader, jobs=self.jobs, notes=self.notes)]
        bindings = []
        if self.with_waitlist:
            desks.append(waitlist_desk(waitlist_delivery.delivery_rules(render)))
            bindings = [FROM_WAITLIST, to_waitlist(self.new_id)]
        self.engine = Engine(self.store, desks, new_id=self.new_id)
        channels = {Via.MAIL: self.post}
        self.runtime = Runtime(self.engine, channels, chance=lambda: 0.5, bindings=bindings)

    def new_id(self) -> str:
        return f"id{next(self.numbers)}"

    def close(self) -> None:
        self.store.close()

    def given(self, rules: BookingRules = RULES) -> BookingDesk:
        return self.do(SetRules(rules))

    def command(self, who: str, starts_at: datetime = TEN, **more: Any) -> Book:
        plain: dict[str, Any] = {
            "booking_id": hex_id(who),
            "person_id": PersonId(f"p-{who}"),
            "service": "cut",
            "starts_at": starts_at,
            "name": who.title(),
            "email": f"{who}@example.org",
        }
        return Book(**{**plain, **more})

    def book(self, who: str, starts_at: datetime = TEN, **more: Any) -> Booking:
        outcome = self.run(self.command(who, starts_at, **more))
        assert isinstance(outcome, Committed), outcome
        return self.booking(more.get("booking_id", hex_id(who)))

    # --- what can be seen -------------------------------------------------------------------

    @property
    def reads(self) -> BookingReads:
        return cast(BookingReads, self.engine.reads().desk("bk"))

    def booking(self, booking_id: BookingId) -> Booking:
        found = self.reads.booking(booking_id)
        assert found is not None
        return found

    def of(self, who: str) -> Booking:
        return self.booking(hex_id(who))

    def kinds(self, subject: str) -> list[str]:
        return [each.fact.kind for each in self.facts(subject)]

    def facts(self, subject: str) -> list[Recorded]:
        return list(self.reads.facts(subject, limit=10_000))

    def timers(self) -> dict[str, datetime]:
        if self.tables is not None:
            return dict(sorted(self.store.due_timers(FAR_AWAY, ALL)))
        rows = self._rows("SELECT name, due_at FROM fd_timer ORDER BY name")
        return {name: datetime.fromtimestamp(due_at, UTC) for name, due_at in rows}

    def dead_letters(self) -> list[str]:
        return [each.why for each in self.engine.reads().engine.dead_letters(ALL)]

    def problems(self) -> list[str]:
        """Returns the problems that the doctor finds."""
        bk, now = self.reads, self.clock.now()
        bookings, handovers = list(every_booking(bk)), list(every_handover(bk))
        requests = list(every_request(bk))
        cells, rules, timers = bk.every_cell(), bk.rules(), self.timers()
        return [
            *cell_problems(cells, bookings, handovers),
            *capacity_problems(cells, bookings, rules, now - 100 * DAY),
            *tally_problems(bk.every_tally(), bookings),
            *(each for one in bookings for each in timer_problems(one, rules, timers, now)),
            *request_problems(bookings, requests),
            *audit_problems(bk, bookings, handovers, requests),
        ]

    def execute(self, sql: str) -> None:
        """Changes rows directly, without the desk."""
        run_sql(self.folder, sql)

    def _rows(self, sql: str) -> Iterable[Any]:
        return run_sql(self.folder, sql)
