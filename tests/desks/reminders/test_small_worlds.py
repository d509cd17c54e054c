"""Every state of a very small desk, and every decision that is committed too late.

The conditions are written here a second time, from the descriptions of the changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from frontdesk.core.decision import Accepted, Change, Command, Decision
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.reminders import changes as c
from frontdesk.desks.reminders import commands
from frontdesk.desks.reminders.desk import rules as desk_rules
from frontdesk.desks.reminders.invariants import answer_problems, chain_problems
from frontdesk.desks.reminders.load import Loader
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    Means,
    Reminder,
    ReminderState,
    Reply,
    Window,
    appointment_id,
    nonce_of,
)
from frontdesk.desks.reminders.rules import LeadTime, ReminderRules, Schedule
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, replace
from tests.support.reachable_states import reachable
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY

ANN = PersonId("ann")
CUSTOMER = Person(ANN, "Ann", "ann@example.org")
SHEET = AppointmentSource.SHEET
TWO = (appointment_id(SHEET, "a"), appointment_id(SHEET, "b"))
#: Only one reminder, so that there are few states.
RULES = ReminderRules(usual=Schedule(reminders=(LeadTime(days=1),)))
#: The reminder is due at the first instant, the alert at the second.
INSTANTS = (FRIDAY - DAY, FRIDAY - HOUR)
MOST_STATES = 20_000
#: Of the later states, the test checks only one in this many closely.
EVERY = 20


class World(Frozen):
    appointments: Mapping[str, Appointment]
    reminders: Mapping[tuple[str, Window], Reminder]
    archive: Mapping[tuple[str, int, Window], Reminder]
    replies: Mapping[tuple[str, str, str], Reply]
    instant: int = 0
    """The number of the present instant, which only grows."""

    def key(self) -> object:
        rows = self.appointments.values()
        return (
            tuple(
                (one.state, one.chain, one.settled, one.is_unanswered, one.staff) for one in rows
            ),
            tuple(sorted((key, row.state) for key, row in self.reminders.items())),
            frozenset(each for each in self.replies if each[0] == TWO[0]),
            self.instant,
        )

    def decide(self, command: Command, now: datetime) -> Decision:
        rule = desk_rules(Loader())[type(command)]
        return rule.decide(rule.load(self._reads(), command), command, now)

    def _reads(self) -> Reads:
        engine = SimpleNamespace(setting=lambda saved: saved.default)
        return cast(Reads, SimpleNamespace(desk=lambda _code: self, engine=engine))

    # The reads that decisions use.

    def rules(self) -> ReminderRules:
        return RULES

    def appointment(self, one: str) -> Appointment | None:
        return self.appointments.get(one)

    def live_of(self, _person: str, _since: datetime, _limit: int) -> list[Appointment]:
        return [each for each in self.appointments.values() if each.is_live]

    def no_shows_of(self, _person: str) -> int:
        return 0

    def person(self, _person: str) -> Person:
        return CUSTOMER

    def person_by_email(self, _email: str) -> Person:
        return CUSTOMER

    def reminders_of(self, one: str) -> list[Reminder]:
        return [row for (of, _), row in self.reminders.items() if of == one]

    def replies_of(self, one: str) -> list[Reply]:
        return [row for (of, _, _), row in self.replies.items() if of == one]

    # --- commits ----------------------------------------------------------------------------

    def after(self, accepted: Accepted) -> World | None:
        """Returns the state after a commit; None if a condition does not hold."""
        world: World | None = self
        for change in accepted.changes:
            world = _APPLY[type(change)](world, change)
            if world is None:
                return None
        return world

    def problems(self) -> list[str]:
        return [
            problem
            for one in self.appointments.values()
            for problem in (
                *chain_problems(one, self.reminders_of(one.id)),
                *answer_problems(one, self.reminders_of(one.id)),
            )
        ]


def _write(world: World, change: c.WriteAppointment) -> World | None:
    one = change.appointment
    if world.appointments[one.id].version != one.version - 1:
        return None
    return replace(world, appointments={**world.appointments, one.id: one})


def _as_read(world: World, change: c.AppointmentAsRead) -> World | None:
    is_same = world.appointments[change.appointment_id].version == change.version
    return world if is_same else None


def _add_reminder(world: World, change: c.AddReminder) -> World | None:
    row = change.reminder
    key = (row.appointment_id, row.window)
    if key in world.reminders:
        return None
    return replace(world, reminders={**world.reminders, key: row})


def _write_reminder(world: World, change: c.WriteReminder) -> World | None:
    row = change.reminder
    key = (row.appointment_id, row.window)
    known = world.reminders.get(key)
    if known is None or (known.chain, known.state) != (row.chain, change.before):
        return None
    return replace(world, reminders={**world.reminders, key: row})


def _archive(world: World, change: c.ArchiveReminder) -> World | None:
    row = change.reminder
    key = (row.appointment_id, row.window)
    known = world.reminders.get(key)
    if known is None or known.chain != row.chain:
        return None
    left = {each: one for each, one in world.reminders.items() if each != key}
    archived = {**world.archive, (row.appointment_id, row.chain, row.window): row}
    return replace(world, reminders=left, archive=archived)


def _add_reply(world: World, change: c.AddReply) -> World | None:
    row = change.reply
    key = (row.appointment_id, row.nonce, row.action.value)
    if key in world.replies:
        return None
    return replace(world, replies={**world.replies, key: row})


_APPLY: dict[type[Change], Callable[[Any, Any], World | None]] = {
    c.WriteAppointment: _write,
    c.AppointmentAsRead: _as_read,
    c.AddReminder: _add_reminder,
    c.WriteReminder: _write_reminder,
    c.ArchiveReminder: _archive,
    c.AddReply: _add_reply,
}


def first_world() -> World:
    rows: dict[str, Appointment] = {
        one: Appointment(one, SHEET, "ab"[at], ANN, "cut", FRIDAY + at * HOUR, HOUR, MONDAY)
        for at, one in enumerate(TWO)
    }
    return World(rows, {}, {}, {})


def choices(world: World) -> Iterator[Command]:
    yield commands.LookAtAppointment(TWO[0], INSTANTS[0])
    for one in world.appointments.values():
        named = (one.id, one.chain, nonce_of(one.chain, Window.FIRST), Means.LINK)
        yield commands.Confirm(*named)
        if one.id == TWO[0]:
            yield commands.Cancel(*named)
    first = world.appointments[TWO[0]]
    for chain in {1, first.chain}:  # people may also press a link of the earlier time
        yield commands.AskToMove(first.id, chain, nonce_of(chain, Window.FIRST), Means.LINK)
    yield commands.Cancel(first.id, 1, nonce_of(1, Window.FIRST), Means.LINK)
    yield sheet_row(first, first.starts_at, "Mia")
    yield commands.EndAppointment(first.id)
    if first.chain == 1:
        yield commands.MoveAppointment(first.id, first.starts_at + 2 * HOUR)
        yield sheet_row(first, first.starts_at + 2 * HOUR, first.staff)
    for row in world.reminders.values():
        if row.lead == row.appointment_id and row.window is Window.FIRST:
            together = tuple(each for each in TWO if each != row.lead)
            message = (row.lead, row.chain, row.window, together)
            yield commands.ArmReminder(*message)
            yield commands.DisarmReminder(*message)


def sheet_row(one: Appointment, starts_at: datetime, staff: str) -> Command:
    """Returns the command of an edit in the sheet of staff."""
    person = (CUSTOMER.id, CUSTOMER.name, CUSTOMER.email, "")
    return commands.RecordAppointment(SHEET, one.ref, *person, "cut", starts_at, HOUR, staff)


def states() -> list[World]:
    found = reachable(first_world(), later_worlds, most=MOST_STATES)
    assert len(found) < MOST_STATES, "not all states were visited"
    return found


def later_worlds(world: World) -> Iterator[World]:
    for instant, accepted in decisions(world):
        after = world.after(accepted)
        assert after is not None, "a decision holds for the rows that it saw"
        yield replace(after, instant=instant)


def decisions(world: World) -> Iterator[tuple[int, Accepted]]:
    for instant, now in enumerate(INSTANTS):
        for command in choices(world) if instant >= world.instant else ():
            decided = world.decide(command, now)
            if isinstance(decided, Accepted) and decided.changes:
                yield instant, decided


@pytest.mark.spec("AR-04", "AR-05", "AR-08", "AR-12", "AR-18")
def test_every_state_of_a_small_desk_is_sound_also_after_late_commits() -> None:
    """A decision that is committed after another one is refused by its conditions or does no harm:
    one reminder for each window and chain, none after an answer, one answer for each link on two
    devices, and neither an edit of the sheet nor an answer undoes the other."""
    visited, late = 0, 0
    for number, world in enumerate(states()):
        visited += 1
        assert world.problems() == []
        if number > 200 and number % EVERY:
            continue
        found = list(decisions(world))
        for begun, first in found:
            after = world.after(first)
            assert after is not None
            assert after.after(first) is None or not _replies(first)
            for reply in _replies(first):
                chain = world.appointments[reply.appointment_id].chain
                assert reply.nonce == nonce_of(chain, Window.FIRST)
            for instant, second in found:
                both = after.after(second) if instant >= begun else None
                if both is not None:
                    late += 1
                    assert both.problems() == []
                    assert _reminded_after_answer(after, second) == []
                    assert _undone(after, both) == []
    assert visited > 1_000
    assert late > 0


def _replies(commit: Accepted) -> list[Reply]:
    return [each.reply for each in commit.changes if isinstance(each, c.AddReply)]


def _undone(before: World, after: World) -> list[str]:
    """Returns appointments that lost an end, an answer, a move or an edit in a late commit."""
    pairs = ((one, after.appointments[key]) for key, one in before.appointments.items())
    return [
        one.id
        for one, then in pairs
        if (then.is_live and not one.is_live)
        or (then.chain < one.chain)
        or (then.chain == one.chain and then.is_unanswered and not one.is_unanswered)
        or (one.staff and not then.staff)
    ]


def _reminded_after_answer(before: World, commit: Accepted) -> list[str]:
    """Returns reminders that this commit marks as sent although the appointment was answered
    before."""
    return [
        change.reminder.appointment_id
        for change in commit.changes
        if isinstance(change, c.WriteReminder)
        and change.reminder.state is ReminderState.SENT
        and not before.appointments[change.reminder.appointment_id].is_unanswered
    ]
