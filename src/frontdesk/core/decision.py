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
    """One conditional write to one row. It holds as a whole or refuses the whole commit."""


class Fact(Frozen):
    """Something that has happened, written in the commit that made it true. Names people by id."""

    kind: ClassVar[str]

    @property
    def subject(self) -> str:
        """The id of the thing whose story this belongs to."""
        raise AttributeError(f"{type(self).__name__} has no subject")

    @property
    def about(self) -> str:
        """The id of the one concerned, or nothing."""
        return ""


class SetTimer(Frozen):
    """Ask again at `due_at`. Setting a timer of the same name moves it."""

    name: TimerName
    due_at: datetime


class DropTimer(Frozen):
    """Do not ask after all. Dropping what is not there is no error."""

    name: TimerName


TimerChange = SetTimer | DropTimer


class Accepted(Frozen):
    """Everything that becomes true together, or not at all."""

    changes: tuple[Change, ...] = ()
    facts: tuple[Fact, ...] = ()
    timers: tuple[TimerChange, ...] = ()

    @property
    def rows(self) -> int:
        """How many it touches: a fact has one in the audit and one in the outbox."""
        return len(self.changes) + 2 * len(self.facts) + len(self.timers)


class Refused(Frozen):
    """A state of the world in which the command makes no sense. Nothing is written."""

    reason: StrEnum


Decision = Accepted | Refused
