"""A clinic with reminders on its own deployment."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Accepted, SetTimer
from frontdesk.core.links import purpose_in
from frontdesk.core.people import PersonId
from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.booking.model import BookingId
from frontdesk.desks.reminders.commands import RecordAppointment, RemindNow, SetRules
from frontdesk.desks.reminders.decide.timers import SUMMARY_TIMER, TICK_TIMER
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.reminders.model import (
    SUMMARY_STATE,
    Appointment,
    AppointmentSource,
    AppointmentState,
    SummaryState,
    Window,
    appointment_id,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.rules import LeadTime, ReminderRules, Schedule
from frontdesk.desks.reminders.weeks import last_summary_at
from frontdesk.engine.ports import Committed
from tests.aws.salon import Salon
from tests.aws.stack import Visitor
from tests.support.server import Page

#: Enough for a booking, the schedule of its reminder, and functions that start cold.
LEAST_AHEAD = timedelta(seconds=15)
#: A reminder is due at a full minute.
REMINDER_SECONDS = 120.0
MINUTE = timedelta(minutes=1)
TICK_SCHEDULE = "ar-hourly-tick"
PATHS = {Purpose.CONFIRM: "confirm", Purpose.MOVE: "move", Purpose.CANCEL: "cancel"}


class Clinic(Salon):
    """Sends reminders for everything that people book."""

    @property
    def ar(self) -> ReminderReads:
        return cast(ReminderReads, self.back.engine.reads().desk("ar"))

    def given(self, *args: Any, **rules: Any) -> Clinic:
        super().given(*args, **rules)
        return self

    def soon(self) -> datetime:
        """Returns a time in about two hours, so that the hourly tick leaves its reminder to a
        timer."""
        now = datetime.now(UTC)
        start = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=2)
        return start + timedelta(minutes=5 * (now.minute // 5))

    def reminds(self, at: datetime, *more: LeadTime) -> datetime:
        """Sets the rules so that an appointment at this time gets its reminder in a moment; returns
        when."""
        due_at = (datetime.now(UTC) + LEAST_AHEAD).replace(second=0, microsecond=0) + MINUTE
        schedule = Schedule(
            (LeadTime(minutes=(at - due_at) // MINUTE), *more), alert=LeadTime(minutes=30)
        )
        rules = ReminderRules(
            quiet=NO_QUIET_HOURS,
            least_gap=timedelta(),
            after_booking=timedelta(),
            usual=schedule,
        )
        if self.ar.rules() != rules:
            self.run(SetRules(rules))
        return due_at

    def opens(self) -> Clinic:
        """Sets the rules so that reminders go out a day before; times are days ahead."""
        self.given()
        rules = ReminderRules(
            quiet=NO_QUIET_HOURS, least_gap=timedelta(), after_booking=timedelta()
        )
        if self.ar.rules() != rules:
            self.run(SetRules(rules))
        return self

    def appointment(self, who: str) -> Appointment:
        """Returns the appointment of their last booking, once it exists."""
        return self.appointment_of(self.booking(who).id)

    def appointment_of(self, booking: BookingId) -> Appointment:
        one = appointment_id(AppointmentSource.BOOKING, booking)
        found = self.stack.until("an appointment", lambda: self.ar.appointment(one))
        assert found is not None
        return found

    def becomes_appointment(self, who: str, state: AppointmentState) -> Appointment:
        self.stack.until(f"{who}'s is {state}", lambda: self.appointment(who).state is state)
        return self.appointment(who)

    def open_windows(self, who: str) -> list[Window]:
        """Returns the reminders that are still to be sent."""
        windows = Planner(self.ar.rules()).open_windows(self.appointment(who))
        return [each.window for each in windows if each.window is not Window.GAP]

    def reminded(self, who: str, how_often: int) -> str:
        """Waits until they have this many messages, the last of them a reminder; returns its
        text."""
        self.stack.until(
            f"a reminder to {who}",
            lambda: len(self.messages(who)) >= how_often,
            REMINDER_SECONDS,
        )
        return self.messages(who)[-1]

    def is_reminded(self, who: str, starts_at: datetime) -> None:
        """Books a time and lets staff send the reminder at once."""
        told = len(self.messages(who))
        self.books(who, starts_at)
        self.wait_for_messages(who, told + 1)
        self.run(RemindNow(self.appointment(who).id, datetime.now(UTC)))
        self.wait_for_messages(who, told + 2)

    def reply_link(self, who: str, purpose: Purpose) -> str:
        """Returns the link for this purpose in their last message."""
        [found] = [
            each
            for each in self.messages(who)[-1].split()
            if "/l/" in each and purpose_in(each.partition("/l/")[2]) == purpose
        ]
        return found

    def replies(self, who: str, purpose: Purpose) -> Page:
        """Opens the link in their last message and presses the button of the page."""
        visitor, address = Visitor(self.stack), self.reply_link(who, purpose)
        shown = visitor.get(address)
        assert shown.status == 200, shown.body
        return visitor.post(address, **{**shown.fields, "do": PATHS[purpose]})

    def ticks(self) -> None:
        """Starts the hourly tick as its schedule does, with the payload of the schedule."""
        if self.back.engine.reads().desk("fd").timer_at(TICK_TIMER) is None:
            self.stack.invoke("reminder", {"timer": TICK_TIMER})
        else:
            self.ring(TICK_SCHEDULE)

    def sums_up_week(self) -> None:
        """Records an unanswered appointment of last week and starts the summary as its schedule
        does."""
        now = datetime.now(UTC).replace(microsecond=0)
        due_at = last_summary_at(now, ZoneInfo("UTC"))
        new, starts_at = self.back.engine.new_id, due_at - timedelta(days=3)
        visit = (self.service, starts_at, timedelta(hours=1))
        contact = ("Ann Lee", self.email("ann"), "")
        record = RecordAppointment(
            AppointmentSource.SHEET, f"{self.name}-week", PersonId(new()), *contact, *visit
        )
        outcome = self.back.engine.run(record, by="test", now=starts_at - timedelta(days=1))
        assert isinstance(outcome, Committed), outcome
        before = self.back.engine.reads().engine.setting(SUMMARY_STATE)
        write = WriteSetting(SUMMARY_STATE, before, SummaryState(due_at))
        due = Accepted((write,), timers=(SetTimer(SUMMARY_TIMER, due_at),))
        self.back.engine.store.decide(lambda _reads: due, by="test", at=now)
        kept = self.stack.scheduler.get_schedule(GroupName="frontdesk", Name="ar-weekly-summary")
        self.stack.invoke("summary", json.loads(kept["Target"]["Input"]))
