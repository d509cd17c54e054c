"""Random weeks of all four desks: a freed time has one holder at every step."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from frontdesk.core.decision import Command, Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.booking import commands as bk
from frontdesk.desks.booking.calendar_watch import open_changes
from frontdesk.desks.booking.doctor import every_handover
from frontdesk.desks.booking.model import Booking, BookingStatus, HandoverStatus, handover_id
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    Means,
    Reminder,
    nonce_of,
)
from frontdesk.desks.rsvp import commands as ev
from frontdesk.desks.rsvp.model import GuestId
from frontdesk.desks.rsvp.model import Lane as GuestLane
from frontdesk.desks.waitlist import commands as wl
from frontdesk.desks.waitlist.model import (
    EntryId,
    EntryStatus,
    Lane,
    Opening,
    Slot,
    SlotId,
    SlotStatus,
    Wish,
)
from frontdesk.engine.ports import Outcome
from frontdesk.wiring.booking.calendars import ConnectedCalendars
from tests.support.booking import hex_id
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.four_desks import CALENDAR, EVENT, STAFF, FourDesks, StaffCalendar
from tests.support.reminders import DAY, FRIDAY, HOUR, an_id
from tests.support.rsvp_dynamodb import ALL

WISH = Wish("cut", 1, date(2026, 11, 16), date(2026, 12, 16))
LAST = FRIDAY + 3 * DAY
#: Less time is not offered: the next customer needs ten minutes to answer and ten to arrive.
LEAST_LEFT = timedelta(minutes=25)
people = st.sampled_from(["ann", "bob", "cleo", "dan", "eva"])
starts = st.sampled_from([FRIDAY + day * DAY + hour * HOUR for day in (0, 1) for hour in (0, 1)])
ENDED = (BookingStatus.CANCELLED, BookingStatus.NO_SHOW)
anything = st.integers(0, 99)
#: If false, the followers of a command run later, after other commands.
at_once = st.booleans()
Row = TypeVar("Row")


class Loop(RuleBasedStateMachine):
    """Lets customers, staff and other programs act in any order; commands may be refused."""

    tables: Tables | None = None
    desks_off = ""
    takes_bookings = True
    calendar = StaffCalendar()

    def __init__(self) -> None:
        super().__init__()
        Loop.calendar = StaffCalendar()
        folder = Path(tempfile.mkdtemp())
        desks = FourDesks(folder, self.tables, self.desks_off, self.takes_bookings)
        self.desks = desks.opens()
        self.answered: dict[tuple[str, int], datetime] = {}
        """When the customer answered, by appointment and chain."""
        self.kept: set[str] = set()
        """Bookings and slots that staff cancelled without offering their time to anybody."""

    def teardown(self) -> None:
        """Checks that nothing is held or on offer after the last appointment."""
        try:
            self.desks.wait(LAST - self.now if self.now < LAST else DAY)
            self.settle()
            assert [one for one in self.desks.slots() if one.status is SlotStatus.OPEN] == []
            assert self._held() == set()
        finally:
            self.desks.close()
            if self.tables is not None:
                self.tables.empty()

    @property
    def now(self) -> datetime:
        return self.desks.clock.now()

    def is_off(self, desk: str) -> bool:
        """Returns whether a desk is switched off: it then takes nothing new, but keeps its
        promises."""
        return desk in self.desks_off.split()

    def ask(self, command: Command, *, now: bool, by: str = "test") -> Outcome:
        outcome = self.desks.run(command, by)
        if now:
            self.desks.settle()
        return outcome

    @initialize(
        booked=st.lists(people, min_size=1, max_size=8),
        waiting=st.lists(people, min_size=1, max_size=3, unique=True),
        hours=st.sampled_from([0, 26, 74, 97]),
    )
    def begin(self, booked: list[str], waiting: list[str], hours: int) -> None:
        """Starts before any reminder, after the first, after the second, or during an
        appointment."""
        for number, who in enumerate(booked if self.takes_bookings else ()):
            self.book(who, FRIDAY + (number // 2 % 2) * HOUR + (number // 4) * DAY, now=True)
        for who in waiting:
            self.join_the_waitlist(who, now=True)
        if hours:
            self.wait(hours)

    # --- customers --------------------------------------------------------------------------

    @rule(who=people, at=starts, now=at_once)
    def book_on_the_page(self, who: str, at: datetime, now: bool) -> None:
        if not self.is_off("booking"):
            self.book(who, at, now=now)

    def book(self, who: str, at: datetime, *, now: bool, staff: str = "") -> None:
        number = next(self.desks.numbers)
        contact = (who.title(), f"{who}@example.org")
        person = PersonId(an_id(who))
        wanted = ResourceId(staff.lower())
        command = bk.Book(hex_id(f"b{number}"), person, "cut", at, *contact, resource=wanted)
        self.ask(command, now=now)

    @rule(pick=anything, now=at_once, answer=st.sampled_from([ar.Confirm, ar.Cancel, ar.AskToMove]))
    def answer_reminder(self, pick: int, now: bool, answer: type[ar.ReplyCommand]) -> None:
        sent = [(one, each) for one in self.desks.appointments() for each in self._reminders(one)]
        if sent:
            one, reminder = sent[pick % len(sent)]
            nonce = nonce_of(reminder.chain, reminder.window)
            outcome = self.ask(answer(one.id, reminder.chain, nonce, Means.LINK), now=now)
            if not isinstance(outcome, Refused):
                self.answered.setdefault((one.id, reminder.chain), self.now)

    def _reminders(self, one: Appointment) -> Sequence[Reminder]:
        return self.desks.ar.reminders_of(one.id)

    @rule(pick=anything, now=at_once)
    def cancel_on_the_booking_page(self, pick: int, now: bool) -> None:
        if one := _picked(self._live(), pick):
            self.ask(bk.CancelBooking(one.id), now=now)

    @rule(pick=anything, at=starts, now=at_once, by_staff=st.booleans())
    def move(self, pick: int, at: datetime, now: bool, by_staff: bool) -> None:
        if one := _picked(self._live(), pick):
            self.ask(bk.MoveBooking(one.id, at, by_staff=by_staff), now=now)

    @rule(who=people, now=at_once)
    def join_the_waitlist(self, who: str, now: bool) -> None:
        if self.is_off("waitlist"):
            return
        entry, person = EntryId(self.desks.new_id()), PersonId(an_id(who))
        mail = f"{who}@example.org"
        self.ask(wl.JoinList(entry, person, who.title(), mail, WISH, Lane.FORM), now=now)

    @rule(pick=anything, now=at_once, leave=st.booleans())
    def decline_an_offer(self, pick: int, now: bool, leave: bool) -> None:
        if slot := _picked(self._offered(), pick):
            self.ask(wl.DeclineOffer(slot.id, slot.offer_seq, leave), now=now)

    @rule(pick=anything, now=at_once)
    def claim_an_offer(self, pick: int, now: bool) -> None:
        if slot := _picked(self._offered(), pick):
            self.ask(wl.ClaimOffer(slot.id, slot.offer_seq), now=now)

    def _offered(self) -> list[Slot]:
        return [one for one in self.desks.slots() if one.offer_seq]

    @rule(pick=anything, now=at_once)
    def leave_the_waitlist(self, pick: int, now: bool) -> None:
        waiting = self.desks.wl.entries(status=EntryStatus.WAITING, limit=ALL)
        if entry := _picked(sorted(waiting, key=lambda one: one.id), pick):
            self.ask(wl.LeaveList(entry.id), now=now)

    @rule(who=people, now=at_once, cancels=st.booleans())
    def sign_up_for_the_event(self, who: str, now: bool, cancels: bool) -> None:
        if self.is_off("rsvp"):
            return
        guests = {one.person_id: one for one in self.desks.ev.guests_after(EVENT, "", ALL)}
        person = self.desks.ev.person_by_email(f"{who}@example.org")
        known = guests.get(person.id) if person else None
        if cancels and known:
            self.ask(ev.Cancel(known.id), now=now)
            return
        guest, fresh = GuestId(self.desks.new_id()), PersonId(an_id(who))
        contact = (who.title(), f"{who}@example.org")
        self.ask(ev.SignUp(EVENT, guest, fresh, *contact, 1, GuestLane.FORM), now=now)

    # --- staff and other programs -----------------------------------------------------------

    @rule(pick=anything, now=at_once, offer=st.booleans())
    def staff_cancel(self, pick: int, now: bool, offer: bool) -> None:
        if one := _picked(self._live(), pick):
            self.kept |= set() if offer else {one.id}
            self.ask(bk.CancelBooking(one.id, by_staff=True, offer=offer), now=now, by=STAFF)

    @rule(pick=anything, now=at_once, offer=st.booleans())
    def staff_cancel_at_the_waitlist(self, pick: int, now: bool, offer: bool) -> None:
        booked = [one for one in self.desks.slots() if one.status is SlotStatus.BOOKED]
        if slot := _picked(booked, pick):
            self.kept |= set() if offer else {slot.id}
            entry, fresh = EntryId(slot.booked_by), SlotId(self.desks.new_id())
            self.ask(wl.CancelBooking(slot.id, entry, fresh, offer=offer), now=now, by=STAFF)

    @rule(pick=anything, now=at_once)
    def delete_in_the_calendar(self, pick: int, now: bool) -> None:
        """Staff delete an event and then confirm that the booking is cancelled."""
        event = _picked(sorted(self.calendar.events), pick)
        if event is None:
            return
        self.calendar.remove(event)
        self.desks.calendars.watch.turn()
        for _, change in list(open_changes(self.desks.back.engine.reads(), [CALENDAR])):
            if change.starts_at is None:
                command = bk.CancelBooking(change.booking_id, by_staff=True)
                self.ask(command, now=now, by=STAFF)

    @rule(pick=anything, now=at_once, at_reminders=st.booleans())
    def tap_no_show(self, pick: int, now: bool, at_reminders: bool) -> None:
        begun = [one for one in self.desks.appointments() if one.starts_at <= self.now]
        ours = [one for one in self._live() if one.starts_at <= self.now]
        if at_reminders and (visit := _picked(begun, pick)):
            self.ask(ar.MarkNoShow(visit.id), now=now, by=STAFF)
        elif one := _picked(ours, pick):
            self.ask(bk.MarkNoShow(one.id), now=now, by=STAFF)

    @rule(at=starts, pick=anything, now=at_once, staff=st.sampled_from(["Mira", "Ana"]))
    def webhook(self, at: datetime, pick: int, now: bool, staff: str) -> None:
        if self.is_off("waitlist"):
            return
        opening = Opening("cut", at, HOUR, 1, staff)
        self.desks.intake.free(f"webhook:{pick}", opening, by="webhook")
        if now:
            self.desks.settle()

    @rule(who=people, at=starts, now=at_once, ref=st.integers(0, 2))
    def note_in_the_sheet(self, who: str, at: datetime, now: bool, ref: int) -> None:
        """Adds an appointment with Mira, as another program does."""
        if self.is_off("reminders"):
            return
        command = ar.RecordAppointment(
            AppointmentSource.SHEET,
            str(ref),
            PersonId(an_id(who)),
            who.title(),
            f"{who}@example.org",
            "",
            "cut",
            at,
            HOUR,
            "Mira",
        )
        self.ask(command, now=now)

    # --- common sequences that random steps seldom reach ------------------------------------

    @rule(pick=anything, source=st.sampled_from(["reminder", "page", "calendar", "no-show"]))
    def the_next_person_takes_a_freed_time(self, pick: int, source: str) -> None:
        match source:
            case "reminder":
                self.answer_reminder(pick, True, ar.Cancel)
            case "page":
                self.cancel_on_the_booking_page(pick, True)
            case "calendar":
                self.delete_in_the_calendar(pick, True)
            case _:
                self.wait_until_a_visit_has_begun(pick)
                self.tap_no_show(pick // 2, True, at_reminders=bool(pick % 2))
        self.settle()
        self.claim_an_offer(pick, True)

    def wait_until_a_visit_has_begun(self, pick: int) -> None:
        ahead = [one.starts_at for one in self._live() if one.starts_at > self.now]
        has_begun = any(one.starts_at <= self.now < one.ends_at for one in self._live())
        if ahead and not has_begun:
            self.desks.wait(min(ahead) - self.now + timedelta(minutes=pick % 30))
            self.settle()

    @rule(pick=anything, who=people)
    def ask_for_a_time_on_offer(self, pick: int, who: str) -> None:
        if slot := _picked(self._offered(), pick):
            self.book(who, slot.opening.starts_at, now=False, staff=slot.opening.staff)
            self.book(who, slot.opening.starts_at, now=False)

    @rule(pick=anything)
    def webhook_about_a_booked_time(self, pick: int) -> None:
        """Lets the followers of the waitlist desk run first."""
        if one := _picked(self._live(), pick):
            self.webhook(one.starts_at, pick, False, self._staff_of(one)[0])
            for follower in self.desks.back.runtime.followers:
                if follower.name == "wl.react":
                    follower.step(self.now)

    # --- time -------------------------------------------------------------------------------

    @rule(hours=st.sampled_from([1, 3, 24, 48]))
    def wait(self, hours: int) -> None:
        self.desks.wait(timedelta(hours=hours))
        self.settle()

    @rule(pick=anything)
    def one_follower_acts(self, pick: int) -> None:
        """Runs a single follower, so that others run in any order."""
        followers = self.desks.back.runtime.followers
        followers[pick % len(followers)].step(self.now)

    # --- invariants -------------------------------------------------------------------------

    @invariant()
    def every_time_has_one_holder(self) -> None:
        """Checks at each step; on DynamoDB only after all work is done, since reading all tables
        takes long."""
        if self.tables is None:
            assert self.desks.problems() == []
            self._no_time_is_promised_twice()

    def _no_time_is_promised_twice(self) -> None:
        """Checks that a booked or offered time is not offered to anybody else."""
        offered = [one.opening for one in self._offered()]
        booked = [
            Opening(one.service, one.starts_at, one.ends_at - one.starts_at, 1, name)
            for one in self._live()
            for name in self._staff_of(one)
        ]
        for first, second in combinations([*offered, *booked], 2):
            assert not first.overlaps(second), (first, second)

    def _staff_of(self, booking: Booking) -> list[str]:
        known = self.desks.bk.rules()
        return [found.name for each in booking.resources if (found := known.resource(each))]

    @rule()
    def settle(self) -> None:
        self.desks.settle()
        assert self.desks.problems() == []
        self._no_time_is_lost()
        self._freed_times_reach_the_waitlist()
        self._desks_agree()
        self._nobody_is_reminded_twice_or_after_an_answer()

    def _no_time_is_lost(self) -> None:
        """Checks that each time that waits for the waitlist has an open slot, and the reverse."""
        opened = {
            handover_id(one.origin) for one in self.desks.slots() if one.status is SlotStatus.OPEN
        }
        waiting = {
            one.id for one in every_handover(self.desks.bk) if one.status is HandoverStatus.OPEN
        }
        assert opened == waiting
        assert self._held() <= {f"handover:{one}" for one in waiting}
        booked = {one.id for one in self.desks.slots() if one.status is SlotStatus.BOOKED}
        assert booked == {one.waitlist_slot for one in self._live() if one.waitlist_slot}

    def _freed_times_reach_the_waitlist(self) -> None:
        """Checks that the times of ended bookings became slots, whoever ended them and wherever.
        Exceptions are times that staff kept for themselves and times that are nearly over."""
        if self.is_off("waitlist"):
            assert self.desks.slots() == []
            return
        for one in self.desks.bookings():
            is_kept = {one.id, one.waitlist_slot} & self.kept
            if (
                one.status in ENDED
                and not is_kept
                and one.closed_at
                and one.closed_at < one.ends_at - LEAST_LEFT
            ):
                assert any(self._is_of(slot, one) for slot in self.desks.slots()), one

    def _is_of(self, slot: Slot, ended: Booking) -> bool:
        is_same = slot.opening.staff in self._staff_of(ended) and slot.ends_at == ended.ends_at
        assert ended.closed_at is not None
        _, _, before = slot.origin.rpartition(":")
        is_next = bool(before) and before == ended.waitlist_slot
        return is_same and (is_next or slot.freed_at >= ended.closed_at)

    def _held(self) -> set[str]:
        holders = {cell.holder for cell in self.desks.bk.every_cell()}
        return {each for each in holders if each.startswith("handover:")}

    def _desks_agree(self) -> None:
        """Checks that every booking is an appointment, in the same state and at the same time."""
        if not self.desks.has_reminders:
            assert self.desks.appointments() == []
            return
        for one in self.desks.bookings():
            visit = self.desks.appointment_of(one)
            if visit is None:
                assert one.status is not BookingStatus.CONFIRMED or one.booked_at >= one.starts_at
                continue
            assert visit.is_live == (one.status is BookingStatus.CONFIRMED), (visit, one)
            assert not visit.is_live or visit.starts_at == one.starts_at
            # Staff may cancel a booking while other staff mark a no-show: both mean that it has
            # ended.
            missed = visit.state is AppointmentState.NO_SHOW
            assert missed or one.status is not BookingStatus.NO_SHOW

    def _nobody_is_reminded_twice_or_after_an_answer(self) -> None:
        told: Counter[tuple[object, ...]] = Counter()
        for send in self.desks.sent_reminders():
            assert send.desk == ("ar" if self.desks.has_reminders else "bk")
            told[send.key, send.person_id] += 1
            answered_at = self.answered.get((send.subject, int(send.params.get("chain", 0))))
            assert send.sent_at is not None
            assert answered_at is None or send.sent_at <= answered_at
        assert [each for each, times in told.items() if times > 1] == []

    def _live(self) -> list[Booking]:
        return [one for one in self.desks.bookings() if one.status is BookingStatus.CONFIRMED]


class LoopWithoutBookings(Loop):
    """Plays with times from a sheet and from webhooks; a claimed offer becomes a row of the
    sheet."""

    desks_off = "booking"
    takes_bookings = False

    @rule(who=people, at=starts, pick=anything, now=at_once)
    def somebody_claims(self, who: str, at: datetime, pick: int, now: bool) -> None:
        """Claims a slot, which random steps seldom reach."""
        self.join_the_waitlist(who, now=True)
        self.webhook(at, pick, True, "Mira")
        live = [one for one in self._offered() if one.live]
        if slot := _picked(live, pick):
            self.ask(wl.ClaimOffer(slot.id, slot.offer_seq), now=now)

    @rule(pick=anything, at=starts, now=at_once)
    def staff_move(self, pick: int, at: datetime, now: bool) -> None:
        if one := _picked(self._visits(), pick):
            self.ask(ar.MoveAppointment(one.id, at), now=now, by=STAFF)

    @rule(pick=anything, now=at_once)
    def delete_the_row(self, pick: int, now: bool) -> None:
        if one := _picked(self._visits(), pick):
            self.ask(ar.EndAppointment(one.id), now=now)

    def _visits(self) -> list[Appointment]:
        """Returns live appointments; those of the waitlist come first."""
        live = [one for one in self.desks.appointments() if one.is_live]
        return sorted(live, key=lambda one: one.ref.isdigit())

    def _no_time_is_lost(self) -> None:
        """Checks that a claimed time is an appointment as long as it is claimed. An appointment
        that moved belongs to the sheet."""
        assert self.desks.bookings() == []
        if not self.desks.has_reminders:
            assert self.desks.appointments() == []
            return
        for slot in self.desks.slots():
            visit, starts_at = self.desks.appointment_of_slot(slot), slot.opening.starts_at
            if slot.status is SlotStatus.BOOKED:
                assert slot.closed_at is not None
                assert visit is not None or slot.closed_at >= starts_at, slot
                assert visit is None or visit.starts_at == starts_at, (visit, slot)
                assert visit is None or visit.is_live, (visit, slot)
            elif visit is not None and visit.starts_at == starts_at and visit.chain == 1:
                assert not visit.is_live, (visit, slot)

    def _desks_agree(self) -> None:
        """Checks that the sheet has everybody who got a time from the waitlist."""
        rows = {one.id for one, _ in self.desks.ar.sheet_rows(FRIDAY - 9 * DAY)}
        visits = filter(None, map(self.desks.appointment_of_slot, self.desks.slots()))
        assert {one.id for one in visits} <= rows


def _picked(rows: Sequence[Row], pick: int) -> Row | None:
    return rows[pick % len(rows)] if rows else None


def run(machine: type[Loop], examples: int, steps: int) -> None:
    """Does not shrink a failing history, since that would take minutes."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            phases=(Phase.explicit, Phase.reuse, Phase.generate),
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.fixture(autouse=True)
def _calendar_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConnectedCalendars, "_client", lambda *_: Loop.calendar)


@pytest.mark.spec("AR-11", "BK-16", "AR-04")
def test_a_freed_time_is_booked_or_free_in_the_end_and_never_lost() -> None:
    run(Loop, examples=20, steps=30)


@pytest.mark.spec("AR-11", "BK-16")
@needs_dynamodb
def test_no_freed_time_is_lost_on_dynamodb(
    dynamodb: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Loop, "tables", dynamodb)
    run(Loop, examples=2, steps=8)


@pytest.mark.parametrize("desk", ["rsvp", "waitlist", "booking", "reminders"])
def test_no_freed_time_is_lost_where_one_desk_is_switched_off(
    desk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Loop, "desks_off", desk)
    run(Loop, examples=4, steps=20)


@pytest.mark.spec("AR-11", "AR-01")
def test_without_bookings_a_claimed_offer_is_an_appointment_until_it_ends() -> None:
    run(LoopWithoutBookings, examples=10, steps=30)


@pytest.mark.spec("AR-11", "AR-01")
@needs_dynamodb
def test_without_bookings_a_claimed_offer_is_an_appointment_on_dynamodb(
    dynamodb: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LoopWithoutBookings, "tables", dynamodb)
    run(LoopWithoutBookings, examples=2, steps=8)


@pytest.mark.parametrize("desk", ["rsvp", "waitlist", "reminders"])
def test_without_bookings_each_other_desk_can_be_switched_off_as_well(
    desk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LoopWithoutBookings, "desks_off", f"booking {desk}")
    run(LoopWithoutBookings, examples=3, steps=20)
