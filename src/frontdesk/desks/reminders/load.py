"""Loads the view of each decision."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import zone
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders import commands, views
from frontdesk.desks.reminders.decide.tick import cursor_of
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.model import (
    CODE,
    PAUSE_STATE,
    SUMMARY_STATE,
    TICK_STATE,
    Appointment,
    AppointmentId,
    AppointmentSource,
    PauseState,
    appointment_id,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.desks.reminders.weeks import week_before, week_span
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.state import CalendarState, calendar_setting
from frontdesk.features.proposals.rules import proposal_view
from frontdesk.values import Frozen

VisitPort = Callable[[Reads, AppointmentSource, str], views.SourceVisit | None]
"""Returns an appointment of another desk as it is now."""
HolidayPort = Callable[[str, str], frozenset[date]]
"""Returns the public holidays of a country and region in last, this and the next years."""

RefilledPort = Callable[[Reads, Sequence[Appointment]], Collection[AppointmentId]]
"""Returns the appointments whose time was filled at another desk."""

#: The appointments in one step of the tick. Other writes wait while a step runs.
PAGE: Final = 500
#: The most appointments of one customer that a decision reads.
MOST_OF_CUSTOMER: Final = 12
#: Messages about visits that started this recently still count for the least gap.
RECENTLY: Final = timedelta(days=2)


def no_source(_reads: Reads, _source: AppointmentSource, _ref: str) -> views.SourceVisit | None:
    return None


def no_holidays(_country: str, _region: str) -> frozenset[date]:
    return frozenset()


def nothing_refilled(_reads: Reads, _rows: Sequence[Appointment]) -> Collection[AppointmentId]:
    return ()


def reminder_reads(reads: Reads) -> ReminderReads:
    """Returns the reminders desk's reads."""
    found: ReminderReads = reads.desk(CODE)
    return found


def expected_people(reads: Reads, now: datetime, until: datetime) -> Iterator[PersonId]:
    """Customers with an appointment that they may be reminded of before `until`."""
    ar, cursor = reminder_reads(reads), ""
    last = until + ar.rules().longest_before
    while found := ar.live_after(now, cursor, PAGE, last):
        yield from (each.person_id for each in found)
        cursor = cursor_of(found[-1])


@lru_cache(maxsize=4)
def cached_planner(rules: ReminderRules, holidays: frozenset[date], is_paused: bool) -> Planner:
    """Returns the same planner for the same rules, so that its cache is reused."""
    return Planner(rules, holidays, is_paused)


class Loader(Frozen):
    """Loads views. The wiring binds the ports, because they know other desks."""

    is_on: bool = True
    visit: VisitPort = no_source
    holidays: HolidayPort = no_holidays
    refilled: RefilledPort = nothing_refilled

    def planner(self, reads: Reads) -> Planner:
        rules = reminder_reads(reads).rules()
        is_paused = reads.engine.setting(PAUSE_STATE).since is not None
        return cached_planner(rules, self.holidays(rules.country, rules.region), is_paused)

    def appointment(
        self, reads: Reads, command: commands.AppointmentCommand
    ) -> views.AppointmentView:
        return self._at(reads, command.appointment_id)

    def recording(self, reads: Reads, command: commands.RecordAppointment) -> views.RecordView:
        ar = reminder_reads(reads)
        at = self._at(reads, appointment_id(command.source, command.ref))
        person = ar.person_by_email(contact_key(command.email, command.mobile))
        current = ar.person(at.appointment.person_id) if at.appointment else None
        whose = person or current
        signs_in = command.corrects and whose is not None and ar.signs_in(whose.id)
        consent = reads.engine.consent(whose.id) if whose and command.consent else None
        return views.RecordView(at, person, current, signs_in, consent)

    def approving(
        self, reads: Reads, command: commands.ApproveProposal
    ) -> views.ApprovalView | None:
        found = reminder_reads(reads).proposal(command.proposal_id)
        if found is None:
            return None
        return views.ApprovalView(
            proposal_view(reads, found), self.recording(reads, command.record)
        )

    def following(self, reads: Reads, command: commands.FollowSource) -> views.SourceView:
        at = self._at(reads, appointment_id(command.source, command.ref))
        return views.SourceView(at, self.visit(reads, command.source, command.ref))

    def event(self, reads: Reads, command: commands.AnswerEvent) -> views.CalendarEventView:
        state = reminder_reads(reads).setting(calendar_setting(CODE))
        return views.CalendarEventView(self._at(reads, command.appointment_id), state)

    def replying(self, reads: Reads, command: commands.ReplyCommand) -> views.ReplyView:
        """Reads the replies after the appointment, so that a decision that sees an answered
        appointment also sees the answer: DynamoDB reads one row after the other."""
        at = self._at(reads, command.appointment_id)
        replies = reminder_reads(reads).replies_of(command.appointment_id)
        return views.ReplyView(at, [each for each in replies if each.nonce == command.nonce])

    def written(
        self, reads: Reads, command: commands.AnswerInWords | commands.NoteOptOut
    ) -> views.WrittenView:
        """Puts all replies of a visit into `spent`."""
        ar = reminder_reads(reads)
        visits = command.visits[:MOST_OF_CUSTOMER]
        return views.WrittenView(
            [views.ReplyView(self._at(reads, one), ar.replies_of(one)) for one in visits],
        )

    def customer(
        self, reads: Reads, command: commands.LookAtAppointment
    ) -> views.CustomerView | None:
        ar = reminder_reads(reads)
        known = ar.appointment(command.appointment_id)
        if known is None:
            return None
        mine = ar.live_of(known.person_id, command.due_at - RECENTLY, MOST_OF_CUSTOMER)
        return views.CustomerView(self.planner(reads), mine, ar.no_shows_of(known.person_id))

    def message(self, reads: Reads, command: commands.ReminderCommand) -> views.MessageView:
        ar = reminder_reads(reads)
        ids = (command.appointment_id, *command.together)
        rows = [found for each in ids if (found := ar.appointment(each))]
        reminders = [
            each
            for one in ids
            for each in ar.reminders_of(one)
            if each.is_of(command.appointment_id, command.window)
        ]
        lead = next((each for each in rows if each.id == command.appointment_id), None)
        person = ar.person(lead.person_id) if lead else None
        return views.MessageView(lead, rows, reminders, person)

    def tick(self, reads: Reads, command: commands.RunTick) -> views.TickView:
        ar = reminder_reads(reads)
        state = reads.engine.setting(TICK_STATE)
        planner = self.planner(reads)
        until = command.due_at + planner.furthest_ahead
        page: Sequence[Appointment] = ()
        if self.is_on:
            page = ar.live_after(command.due_at, state.cursor, PAGE, until, unanswered=True)
        is_last = len(page) < PAGE
        return views.TickView(planner, state, page, is_last, ar.no_shows(), self.is_on)

    def planning(self, reads: Reads, _command: commands.PlanTick) -> views.TickView:
        state = reads.engine.setting(TICK_STATE)
        summary = reads.engine.setting(SUMMARY_STATE)
        return views.TickView(self.planner(reads), state, (), True, {}, self.is_on, summary)

    def week(self, reads: Reads, command: commands.SumUpWeek) -> views.WeekView:
        """Loads the whole week before, in local time."""
        name = reminder_reads(reads).rules().zone
        week = week_before(command.due_at, zone(name))
        rows = reminder_reads(reads).appointments_between(*week_span(week, zone(name)))
        state = reads.engine.setting(SUMMARY_STATE)
        return views.WeekView(name, week, rows, self.refilled(reads, rows), state, self.is_on)

    def _at(self, reads: Reads, one: AppointmentId) -> views.AppointmentView:
        ar = reminder_reads(reads)
        known = ar.appointment(one)
        if known is None:
            return views.AppointmentView(self.planner(reads), None)
        missed = ar.no_shows_of(known.person_id)
        return views.AppointmentView(self.planner(reads), known, ar.reminders_of(one), missed)


def nothing(_reads: Reads, _command: Command) -> None:
    """Loads no rows, for a decision that needs none."""


def calendar(reads: Reads, _command: commands.SettleCalendar) -> CalendarState:
    return reminder_reads(reads).setting(calendar_setting(CODE))


def sync_job(reads: Reads, command: commands.FinishCalendarSync) -> Job | None:
    return reads.engine.job(command.job_id)


def rules(reads: Reads, _command: commands.SetRules) -> ReminderRules:
    return reminder_reads(reads).rules()


def pause(reads: Reads, _command: commands.PauseReminders | commands.ResumeReminders) -> PauseState:
    return reads.engine.setting(PAUSE_STATE)
