"""The words of the desk: a call, its commands, facts and changes, and what is read."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Protocol

from frontdesk.core.decision import Change, Command, Fact
from frontdesk.core.people import PersonId
from frontdesk.values import Frozen

CODE = "cb"


class State(StrEnum):
    PLANNED = "planned"
    REMINDED = "reminded"


class Reason(StrEnum):
    TOO_SOON = "too soon"
    NOT_PLANNED = "not planned"


class Call(Frozen):
    id: str
    person_id: PersonId
    question: str
    call_at: datetime
    state: State = State.PLANNED


class AskForCall(Command):
    call_id: str
    person_id: PersonId
    name: str
    email: str
    question: str
    call_at: datetime


class RemindOfCall(Command):
    call_id: str


class CallFact(Fact):
    call_id: str
    person_id: PersonId
    call_at: datetime

    @property
    def subject(self) -> str:
        return self.call_id

    @property
    def about(self) -> str:
        return self.person_id


class CallAsked(CallFact):
    kind: ClassVar[str] = "cb.asked"


class CallComing(CallFact):
    kind: ClassVar[str] = "cb.coming"


class AddCall(Change):
    """Condition: there is no call with this id."""

    call: Call


class MoveCall(Change):
    """Condition: its state as read."""

    call_id: str
    before: State
    after: State


class CallReads(Protocol):
    def call(self, call_id: str) -> Call | None: ...
    def calls(self) -> Sequence[Call]: ...
