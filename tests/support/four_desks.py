"""Runs all four desks on one store in virtual time, connected by the product's own wiring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.connect.calendars.port import BusySpan, CalendarEntry, Changes, WrittenEvent
from frontdesk.core.decision import Command
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send, SendState, Via
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.booking import commands as bk
from frontdesk.desks.booking import doctor as booking_doctor
from frontdesk.desks.booking import invariants as booking_invariants
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules, CalendarRef
from frontdesk.desks.reminders import doctor as reminders_doctor
from frontdesk.desks.reminders.commands import PlanTick
from frontdesk.desks.reminders.load import Loader, reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
    appointment_id,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.rsvp.commands import CreateEvent
from frontdesk.desks.rsvp.invariants import broken_invariants
from frontdesk.desks.rsvp.model import EventId, EventSettings
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Slot
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.slot_intake import SlotIntake
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.keys import link_keys
from frontdesk.engine.ports import Committed, Outcome
from frontdesk.engine.runtime import advance
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.documents.files import LocalFiles
from frontdesk.settings import Settings
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.wiring.application import MonitoredStore, build_application
from frontdesk.wiring.between_desks.claimed_slots import slot_ref
from frontdesk.wiring.booking.calendars import calendar_tasks
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.one_machine import TABLES, data_file
from frontdesk.wiring.waitlist.desk import documents, slot_intake
from tests.support.booking import ANA, MIRA, resource, rules, service
from tests.support.dynamodb import Tables
from tests.support.reminders import DAY, HOUR, MONDAY, an_id
from tests.support.rsvp import DETAILS
from tests.support.rsvp_dynamodb import ALL, FAR_AWAY

CALENDAR = "ana-private"
CALENDARS = f'["{CALENDAR}"]\nkind = "caldav"\nurl = "https://calendar.example/ana"\n'
EVENT = EventId(an_id("pottery"))
STAFF = "member:staff"
NAP = timedelta(hours=12)


def shop_rules() -> BookingRules:
    """Two people do cuts; Ana has a calendar for her bookings."""
    ana = resource(ANA, calendars=(CalendarRef(CALENDAR, write=True),))
    cut = service("cut", [MIRA, ANA], change_notice=2 * HOUR, most_moves=99)
    return rules([cut], [resource(MIRA), ana], calendar_max_age=100 * DAY)


@dataclass
class StaffCalendar:
    """A calendar in memory, in which staff delete events."""

    events: dict[str, WrittenEvent] = field(default_factory=dict)
    revision: int = 0

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        return ()

    def find(self, key: str, event_id: str = "") -> WrittenEvent | None:
        return self.events.get(key)

    def put(self, entry: CalendarEntry, event_id: str = "") -> WrittenEvent:
        self.revision += 1
        event = WrittenEvent(entry.key, entry.key, entry.starts_at, entry.ends_at)
        self.events[entry.key] = event
        return event

    def remove(self, key: str, event_id: str = "") -> None:
        self.revision += 1
        self.events.pop(key, None)

    def changes(self, known: str, start: datetime, end: datetime) -> Changes:
        if known == str(self.revision):
            return Changes((), known, unchanged=True)
        inside = (each for each in self.events.values() if start <= each.starts_at < end)
        return Changes(tuple(inside), str(self.revision))


@dataclass
class FourDesks:
    """A shop with a booking page, a waitlist, reminders and one event."""

    folder: Path
    tables: Tables | None = None
    desks_off: str = ""
    takes_bookings: bool = True
    """Whether the rules of the booking desk name any staff."""
    clock: VirtualClock = field(default_factory=lambda: VirtualClock(MONDAY))
    numbers: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        settings = Settings(
            data_dir=self.folder,
            base_url="http://desk.example",
            desks_off=self.desks_off,
            calendars=CALENDARS,
        )
        keys, mail = link_keys(self.folder), MailboxChannel()
        self.back = build_application(
            settings,
            self._store(settings),
            {Via.MAIL: mail},
            lambda: keys,
            self.clock,
            ids=self.new_id,
            chance=lambda: 0.5,
        )
        self.calendars = calendar_tasks(self.back)
        self.has_reminders = settings.has_desk("reminders")

    def _store(self, settings: Settings) -> MonitoredStore:
        if self.tables is None:
            return SqliteStore(data_file(settings.data_dir), desks=TABLES)
        return DynamoStore(
            self.tables.client,
            self.tables.bucket,
            [each.dynamodb() for each in DESKS],
            prefix=self.tables.prefix,
            pause=lambda _seconds: None,
        )

    def new_id(self) -> str:
        return an_id(f"id {next(self.numbers)}")

    def close(self) -> None:
        self.back.close()

    def opens(self) -> FourDesks:
        owner = MemberId(self.new_id()), PersonId(self.new_id())
        self.do(AddFirstOwner(*owner, "Olga", "olga@example.org"))
        self.do(SetCatalogue(Catalogue((Service("cut", duration=HOUR),), ("Mira", "Ana"))))
        if self.takes_bookings:
            self.do(bk.SetRules(shop_rules()))
        self.do(CreateEvent(EVENT, "pottery", DETAILS, EventSettings(), 1))
        self.calendars.turn()
        if self.has_reminders:
            self.do(PlanTick())
        return self

    def run(self, command: Command, by: str = "test") -> Outcome:
        return self.back.engine.run(command, by=by, now=self.clock.now())

    def do(self, command: Command) -> FourDesks:
        outcome = self.run(command)
        assert isinstance(outcome, Committed), outcome
        return self.settle()

    def settle(self) -> FourDesks:
        self.back.runtime.settle(self.clock.now())
        return self

    def wait(self, span: timedelta) -> FourDesks:
        """Lets time pass. On DynamoDB, where each tick takes long, it moves the clock hours at a
        time, after all work is done."""
        until = self.clock.now() + span
        self.settle()
        if self.tables is None:
            advance(self.back.runtime, self.clock, until)
        while self.clock.now() < until:
            self.clock.move_to(min(until, self.clock.now() + NAP))
            self.settle()
        return self

    # --- what can be seen -------------------------------------------------------------------

    @property
    def bk(self) -> BookingReads:
        return booking_reads(self.back.engine.reads())

    @property
    def wl(self) -> WaitlistReads:
        return waitlist(self.back.engine.reads())

    @property
    def ar(self) -> ReminderReads:
        return reminder_reads(self.back.engine.reads())

    @property
    def ev(self) -> RsvpReads:
        reads: RsvpReads = self.back.engine.reads().desk("ev")
        return reads

    @property
    def intake(self) -> SlotIntake:
        """Returns the entry point of webhooks."""
        files = LocalFiles(self.folder / "waitlist")
        return slot_intake(
            documents(self.back.engine, self.clock, files, self.back.troubles, copies=())
        )

    def bookings(self) -> list[Booking]:
        return sorted(booking_doctor.every_booking(self.bk), key=lambda one: one.id)

    def slots(self) -> list[Slot]:
        return sorted(self.wl.slots(ALL), key=lambda one: one.id)

    def appointments(self) -> list[Appointment]:
        return sorted(reminders_doctor.every_appointment(self.ar), key=lambda one: one.id)

    def appointment_of(self, booking: Booking) -> Appointment | None:
        return self.ar.appointment(appointment_id(AppointmentSource.BOOKING, booking.id))

    def appointment_of_slot(self, slot: Slot) -> Appointment | None:
        """Returns the row of the sheet that a claimed slot became."""
        return self.ar.appointment(sheet_appointment(slot_ref(slot.id)))

    def sent_reminders(self) -> Iterable[Send]:
        """Returns the reminders of both desks that can send them."""
        sent = self.back.store.sends_in(SendState.SENT, ALL)
        return (each for each in sent if each.desk in ("ar", "bk") and "reminder" in each.kind)

    def problems(self) -> list[str]:
        """Returns what the checks of all desks find."""
        store, now = self.back.store, self.clock.now()
        timers: dict[str, datetime] = {
            str(name): at for name, at in store.due_timers(FAR_AWAY, ALL)
        }
        event = self.ev.event(EVENT)
        assert event is not None
        guests = list(self.ev.guests_after(EVENT, "", ALL))
        dead = (each.why for each in self.back.engine.reads().engine.dead_letters(ALL))
        return [
            *self._booking_problems(timers, now),
            *list_problems(self.wl, timers, now),
            *reminders_doctor.appointment_problems(self.ar, Loader(), timers),
            *reminders_doctor.audit_problems(self.ar),
            *broken_invariants(event, guests, frozenset(timers)),
            *dead,
        ]

    def _booking_problems(self, timers: dict[str, datetime], now: datetime) -> Iterable[str]:
        bookings = self.bookings()
        handovers = list(booking_doctor.every_handover(self.bk))
        cells, made = self.bk.every_cell(), self.bk.rules()
        yield from booking_invariants.cell_problems(cells, bookings, handovers)
        yield from booking_invariants.capacity_problems(cells, bookings, made, now - 100 * DAY)
        yield from booking_invariants.tally_problems(self.bk.every_tally(), bookings)
        for one in bookings:
            yield from booking_invariants.timer_problems(one, made, timers, now)
        yield from booking_doctor.audit_problems(self.bk, bookings, handovers, [])


def sheet_appointment(ref: str) -> AppointmentId:
    return appointment_id(AppointmentSource.SHEET, ref)
