"""Runs a clinic with all desks in virtual time: a method for each action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Final

from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner, SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.booking import commands as bk
from frontdesk.desks.booking.model import BookingId, booking_id
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.model import AppointmentId, Means, Window, nonce_of
from frontdesk.desks.waitlist import commands as wl
from frontdesk.desks.waitlist.model import EntryId, Lane, SlotId, Wish
from frontdesk.engine.ports import Outcome, Recorded
from frontdesk.settings import Settings
from frontdesk.simulate.clinic.scenario import Clinic
from frontdesk.simulate.names import address
from frontdesk.simulate.runtime import SimulatedMail, SimulatedTexts, Simulation
from frontdesk.values import Frozen

STAFF: Final = "member:staff"
OWNER: Final = "owner@example.org"


class Patient(Frozen):
    """A patient; one without a mobile number gets mail."""

    name: str
    mobile: str = ""

    @property
    def email(self) -> str:
        return "" if self.mobile else address(self.name)


class PlannedVisit(Frozen):
    """A visit that somebody will book."""

    resource: ResourceId
    service: str
    starts_at: datetime


class ClinicStage(Simulation):
    """The whole product with all desks on. `heard` gets every committed fact."""

    def __init__(
        self,
        folder: Path,
        start: datetime,
        *,
        mail: SimulatedMail,
        texts: SimulatedTexts,
        ids: Callable[[], str],
        chance: Callable[[], float],
        heard: Callable[[Sequence[Recorded]], None],
        texts_usd: int,
    ) -> None:
        settings = Settings(
            data_dir=folder,
            base_url="http://frontdesk.example",
            country="DE",
            desks_off="",
            texts_a_day=1_000,
            texts_a_month_usd=texts_usd,
        )
        self._new_id = ids
        super().__init__(
            settings, start, channel=mail, texts=texts, ids=ids, chance=chance, heard=heard
        )

    def open(self, place: Clinic) -> None:
        self.run(SetBusiness(Business(name=place.name, zone=place.zone)), by=STAFF)
        owner = MemberId(self._new_id()), PersonId(self._new_id())
        self.run(AddFirstOwner(*owner, place.name, OWNER), by=STAFF)
        self.run(bk.TakeRules(place.rules_text, place.zone), by=STAFF)
        self.run(ar.TakeRules(place.reminders_text, place.zone), by=STAFF)
        self.run(ar.PlanTick(), by=STAFF)
        self.settle()

    # --- bookings -----------------------------------------------------------------------------

    def book(self, who: Patient, visit: PlannedVisit) -> tuple[BookingId, Outcome]:
        command = bk.Book(
            booking_id=booking_id(self._new_id()),
            person_id=PersonId(self._new_id()),
            service=visit.service,
            starts_at=visit.starts_at,
            name=who.name,
            email=who.email,
            mobile=who.mobile,
            resource=visit.resource,
        )
        return command.booking_id, self.run(command, by="form")

    def cancel(self, booked: BookingId, *, by_staff: bool) -> Outcome:
        by = STAFF if by_staff else "link"
        return self.run(bk.CancelBooking(booked, by_staff=by_staff), by=by)

    def move(self, booked: BookingId, visit: PlannedVisit) -> Outcome:
        return self.run(bk.MoveBooking(booked, visit.starts_at, visit.resource), by="link")

    def miss(self, booked: BookingId) -> Outcome:
        return self.run(bk.MarkNoShow(booked), by=STAFF)

    # --- answers ------------------------------------------------------------------------------

    def confirm(self, visit: AppointmentId, chain: int, window: Window) -> Outcome:
        return self.run(ar.Confirm(visit, chain, nonce_of(chain, window), Means.LINK), by="link")

    def cannot_come(self, visit: AppointmentId, chain: int, window: Window) -> Outcome:
        return self.run(ar.Cancel(visit, chain, nonce_of(chain, window), Means.LINK), by="link")

    # --- the waitlist -------------------------------------------------------------------------

    def join(self, who: Patient, service: str, earliest_on: date, latest_on: date) -> Outcome:
        wish = Wish(service, 1, earliest_on, latest_on)
        ids = EntryId(self._new_id()), PersonId(self._new_id())
        command = wl.JoinList(*ids, who.name, who.email, wish, Lane.FORM, mobile=who.mobile)
        return self.run(command, by="form")

    def claim(self, slot_id: SlotId, seq: int) -> Outcome:
        return self.run(wl.ClaimOffer(slot_id, seq), by="link")

    def decline(self, slot_id: SlotId, seq: int) -> Outcome:
        return self.run(wl.DeclineOffer(slot_id, seq, False), by="link")
