"""The tables that a desk gives to the engine: rules, facts, notes, delivery, timers, jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from frontdesk.core.decision import Accepted, Change, Command, Decision, Fact, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.mail import MailFolder, MailId
from frontdesk.core.messages import IncomingText, Message, Text
from frontdesk.core.notes import Note
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import Send
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.values import Frozen, field


class Rule(Frozen):
    """Answers one kind of command: `load` reads its rows, `decide` is the pure decision."""

    load: Callable[[Reads, Any], Any]
    decide: Callable[[Any, Any, datetime], Decision]


class SendNow(Frozen):
    """Send it now, as this message."""

    message: Message | Text
    closed: str = ""
    """Why this message can never be sent, if no channel reaches the person. Else empty."""


class HoldUntil(Frozen):
    """Not now: quiet hours end at `until`."""

    until: datetime


class Drop(Frozen):
    """Do not send it any more."""

    why: str


Render = Callable[[Reads, Send, datetime], SendNow | Drop]
"""Renders the message when it is sent, from the current rows."""


class DeliveryRules(Frozen):
    """A desk's rules for its sends: recipients, time, text, and commands before and after."""

    recipients: Callable[[Reads, Note], Iterable[PersonId]]
    when: Callable[[Reads, Send, datetime], HoldUntil | Drop | None]
    """The first check: may the send go now? `None` means yes."""
    render: Render
    arm: Callable[[Send], Command | None] = lambda _send: None
    """A command that must be accepted before the message goes out. If refused, it is dropped."""
    disarm: Callable[[Send], Command | None] = lambda _send: None
    """Undoes `arm` when the message did not go out now but may go out later."""
    put_off: Callable[[Send], Command | None] | None = None
    """Replaces `disarm` when the other side was not ready to take the message."""
    undeliverable: Callable[[Send], Command | None] = lambda _send: None
    """The command for a message that will never arrive. If it is None, `disarm` runs."""
    has_other_route: Callable[[Reads, Send, datetime], bool] = lambda _reads, _send, _now: False
    """Whether the desk sends a refused message on another route, so that staff need not retry."""
    temporary_refusals: frozenset[StrEnum] = frozenset()
    """Temporary refusals of `arm`; retried after a minute."""
    to_strangers: frozenset[str] = frozenset()
    """Kinds that answer a public form. Anybody can cause them, so their SMS limit is lower."""
    texts_used_up: Callable[[date, int, int], Command | None] = lambda _on, _sent, _most: None
    """The command that tells staff how many of the day's SMS are used up."""
    optional: frozenset[str] = frozenset()
    """Kinds that are not sent to people who have opted out."""
    asked_for: frozenset[str] = frozenset()
    """Kinds that the recipient has just asked for. They go out even if mail bounced before:
    anybody can write a mail that looks like a bounce."""


class TextIntake(Frozen):
    """A desk's way to take incoming texts."""

    command: Callable[[Reads, IncomingText, MailId, Sequence[Person]], Command | None]
    """The command for a text from a number of these people; None if it is not for this desk."""
    outcome: Callable[[Accepted], str]
    """The outcome of a text whose command was accepted."""


class Desk(Frozen):
    """One desk, complete. `code` is the prefix of its facts, timers and keys ('ev')."""

    code: str
    name: str
    rules: Mapping[type[Command], Rule]
    facts: tuple[type[Fact], ...]
    changes: tuple[type[Change], ...]
    notes: Mapping[type[Fact], Callable[[Any], Note | tuple[Note, ...] | None]]
    """The notes that a fact causes, such as one to the customer and one to staff."""
    delivery: DeliveryRules
    reactions: Mapping[type[Fact], Callable[[Reads, Recorded], Iterable[Command]]] = field(
        default_factory=dict
    )
    timers: Mapping[str, Callable[[TimerName, datetime], Command]] = field(default_factory=dict)
    """By the second part of a timer's name: 'ev/<kind>/…'."""
    jobs: Mapping[str, Callable[[Job], Command]] = field(default_factory=dict)
    reading_jobs: frozenset[str] = frozenset()
    """Kinds that read input from strangers, which may take long. They have their own worker."""
    outside_jobs: frozenset[str] = frozenset()
    """Kinds that wait for outside systems. They have their own worker as well."""
    batched_jobs: frozenset[str] = frozenset()
    """Kinds with small steps that only commit. The engine submits several steps at once."""
    mail_about: Callable[[Reads, str], str] = lambda _reads, _address: ""
    """The subject of a mail to this address; empty if this desk takes no mail there."""
    mail_folder: MailFolder = MailFolder.MAIL
    """Where the store keeps this desk's mail."""
    on_stop: Callable[[PersonId], Command | None] = lambda _person_id: None
    """The command that runs when this person sends STOP."""
    text_intake: TextIntake | None = None
    people_to_tell: Callable[[Reads, datetime, datetime], Iterable[PersonId]] = (
        lambda _reads, _now, _until: ()
    )
    """People for whom the desk may have messages between two instants."""
    alarms: Callable[[Reads, datetime], Iterable[str]] = lambda _reads, _now: ()
    """Sentences about what does not work at this desk, such as a periodic task that did not run."""
