"""The answer of a rule: accepted, with changes, facts and timers, or refused."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import ClassVar, NewType

from frontdesk.values import Frozen

TimerName = NewType("TimerName", str)


class Command(Frozen):
    """Something that a person, a timer or a fact asks for. Imperative: `TakeSeat`."""


class Change(Frozen):
    """One conditional write to one row. If its condition fails, the whole commit fails."""


class Fact(Frozen):
    """Something that has happened, recorded in the commit that made it true. It contains ids of
    people, never names or addresses."""

    kind: ClassVar[str]

    @property
    def subject(self) -> str:
        """The id of the thing in whose story this fact is shown."""
        raise AttributeError(f"{type(self).__name__} has no subject")

    @property
    def about(self) -> str:
        """The id of the guest, entry or person concerned, or an empty text."""
        return ""


class SetTimer(Frozen):
    """Fires a timer at `due_at`. A timer of the same name is moved."""

    name: TimerName
    due_at: datetime


class DropTimer(Frozen):
    """Deletes a timer. It is no error if there is none."""

    name: TimerName


TimerChange = SetTimer | DropTimer


class Accepted(Frozen):
    """The changes, facts and timers that are committed together."""

    changes: tuple[Change, ...] = ()
    facts: tuple[Fact, ...] = ()
    timers: tuple[TimerChange, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows that it writes: a fact has one in the audit and one in the outbox."""
        return len(self.changes) + 2 * len(self.facts) + len(self.timers)


class Refused(Frozen):
    """A state of the world in which the command makes no sense. Nothing is written."""

    reason: StrEnum


Decision = Accepted | Refused
