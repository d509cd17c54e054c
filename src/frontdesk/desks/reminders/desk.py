"""Assembles the reminders desk for the engine, without its messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.core.decision import Accepted, Change, Command, Decision, Fact, Refused, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import spoken_start, zone
from frontdesk.core.notes import Note
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.reminders import changes, commands, document_facts, documents, facts, load
from frontdesk.desks.reminders.decide import (
    alerts,
    appointments,
    arming,
    events,
    proposals,
    records,
    replies,
    staff_choices,
    summary,
    tick,
    written_replies,
)
from frontdesk.desks.reminders.decide.event_changes import EVENTS_JOB
from frontdesk.desks.reminders.load import Loader
from frontdesk.desks.reminders.model import CODE, SAVED_RULES, TICK_STATE
from frontdesk.desks.reminders.react import TIMERS
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.engine.desk import DeliveryRules, Desk, Rule, TextIntake
from frontdesk.engine.ports import Reads
from frontdesk.features.proposals.decide import KIND as READ
from frontdesk.features.proposals.rules import rules as proposal_rules

FACTS: Final = tuple(
    kind
    for module in (facts, document_facts)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Fact) and "kind" in vars(kind)
)

CHANGES: Final = tuple(
    kind
    for kind in vars(changes).values()
    if isinstance(kind, type) and issubclass(kind, Change) and kind is not Change
)
#: A tick runs each hour and needs seconds.
LATE: Final = timedelta(minutes=90)


def rules(loader: Loader) -> Mapping[type[Command], Rule]:
    return {
        commands.RecordAppointment: Rule(loader.recording, records.record),
        **proposal_rules(proposals.PROPOSALS),
        commands.ApproveProposal: Rule(loader.approving, proposals.approve),
        commands.SettleCalendar: Rule(load.calendar, proposals.settle_calendar),
        commands.FollowSource: Rule(loader.following, appointments.follow_source),
        commands.MoveAppointment: Rule(loader.appointment, appointments.move),
        commands.EndAppointment: Rule(loader.appointment, appointments.end),
        commands.NoteEvent: Rule(loader.appointment, events.note),
        commands.AskAboutEvent: Rule(loader.appointment, events.ask),
        commands.AnswerEvent: Rule(loader.event, events.answer),
        commands.FinishCalendarSync: Rule(load.sync_job, events.finish_calendar_sync),
        commands.ReleaseAppointment: Rule(loader.appointment, appointments.release),
        commands.MarkNoShow: Rule(loader.appointment, appointments.mark_no_show),
        commands.MarkCame: Rule(loader.appointment, appointments.mark_came),
        commands.Confirm: Rule(loader.replying, replies.confirm),
        commands.Cancel: Rule(loader.replying, replies.cancel),
        commands.AskToMove: Rule(loader.replying, replies.ask_to_move),
        commands.Move: Rule(loader.replying, replies.move),
        commands.AnswerInWords: Rule(loader.written, written_replies.answer),
        commands.SettleIncomingMail: Rule(load.nothing, written_replies.settle_mail),
        commands.NoteOptOut: Rule(loader.written, written_replies.note_opt_out),
        commands.PlanTick: Rule(loader.planning, tick.plan),
        commands.SumUpWeek: Rule(loader.week, summary.sum_up),
        commands.RunTick: Rule(loader.tick, tick.run),
        commands.LookAtAppointment: Rule(loader.customer, tick.look),
        commands.AlertStaff: Rule(loader.appointment, alerts.alert),
        commands.PauseReminders: Rule(load.pause, staff_choices.pause),
        commands.ResumeReminders: Rule(load.pause, staff_choices.resume),
        commands.RemindNow: Rule(loader.customer, staff_choices.remind_now),
        commands.SkipReminder: Rule(loader.appointment, staff_choices.skip),
        commands.ArmReminder: Rule(loader.message, arming.arm),
        commands.DisarmReminder: Rule(loader.message, arming.disarm),
        commands.ReportUndelivered: Rule(loader.message, arming.report_undelivered),
        commands.SetRules: Rule(load.rules, set_rules),
        **documents.RULES,
    }


def set_rules(before: ReminderRules, command: commands.SetRules, _now: datetime) -> Decision:
    if before == command.rules:
        return Refused(Reason.UNCHANGED)
    write = WriteSetting(SAVED_RULES, before, command.rules)
    return Accepted((write,), (document_facts.RulesChanged(command.rules),))


def reminders_desk(
    delivery: DeliveryRules,
    *,
    loader: Loader | None = None,
    notes: Mapping[type[Fact], Callable[[Any], Note | tuple[Note, ...] | None]] | None = None,
    text_intake: TextIntake | None = None,
    paragraphs: Callable[[datetime], str] | None = None,
    jobs: Mapping[str, Callable[[Job], Command]] | None = None,
) -> Desk:
    """`paragraphs` writes a text for the week before an instant; it is called before the commit
    that sums up the week."""
    loader = loader or Loader()

    def week_is_over(_name: TimerName, due_at: datetime) -> Command:
        return commands.SumUpWeek(due_at, paragraphs(due_at) if paragraphs else "")

    return Desk(
        code=CODE,
        name="Reminders",
        rules=rules(loader),
        facts=FACTS,
        changes=CHANGES,
        notes=notes or {},
        delivery=delivery,
        timers={**TIMERS, "summary": week_is_over},
        text_intake=text_intake,
        jobs={EVENTS_JOB: no_calendars, **(jobs or {})},
        reading_jobs=frozenset({READ}),
        outside_jobs=frozenset({EVENTS_JOB}),
        alarms=missed_tick if loader.is_on else _no_alarms,
    )


def no_calendars(job: Job) -> Command:
    """Runs the sync job if no calendar is connected: finishes it."""
    return commands.FinishCalendarSync(job.id)


def missed_tick(reads: Reads, now: datetime) -> Iterable[str]:
    """Reports if the hourly tick has not finished in time."""
    state = reads.engine.setting(TICK_STATE)
    last_at = state.done_at or state.begun_at
    if last_at is not None and now - last_at > LATE:
        when = spoken_start(last_at, zone(load.reminder_reads(reads).rules().zone))
        yield f"Reminders were last looked at on {when}, and not since."


def _no_alarms(_reads: Reads, _now: datetime) -> Iterable[str]:
    return ()
