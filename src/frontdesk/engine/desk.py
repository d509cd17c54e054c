"""What a desk hands to the engine: a table that one can read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from frontdesk.core.decision import Change, Command, Decision, Fact, TimerName
from frontdesk.core.jobs import Job
from frontdesk.core.mail import Shelf
from frontdesk.core.messages import Message, Text
from frontdesk.core.notes import Note
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.values import Frozen, field


class Rule(Frozen):
    """How one kind of command is answered: which rows it sees, and the pure decision."""

    load: Callable[[Reads, Any], Any]
    decide: Callable[[Any, Any, datetime], Decision]


class Say(Frozen):
    """Send it now, as this message."""

    message: Message | Text
    closed: str = ""
    """Why it can never be sent this way, and there is no other."""


class Hold(Frozen):
    """Not now: quiet hours end at `until`."""

    until: datetime


class Drop(Frozen):
    """Not any more."""

    why: str


Render = Callable[[Reads, Send, datetime], Say | Drop]
"""Writes the message at the time of sending, from the rows as they are then."""


class DeliveryRules(Frozen):
    """Who gets a desk's sends, when they may go, and what has to happen before they do."""

    recipients: Callable[[Reads, Note], Iterable[PersonId]]
    when: Callable[[Reads, Send, datetime], Hold | Drop | None]
    """Before anything else: may it go now? `None` means yes."""
    render: Render
    arm: Callable[[Send], Command | None] = lambda _send: None
    """A command that must be accepted before the message goes out; refused: the send is dropped."""
    disarm: Callable[[Send], Command | None] = lambda _send: None
    """What undoes `arm` when the message did not go out now but may later."""
    put_off: Callable[[Send], Command | None] | None = None
    """The same where the other side was not there to take it, if that makes a difference."""
    undeliverable: Callable[[Send], Command | None] = lambda _send: None
    """What to do once this person will never get the message; if nothing, `disarm` is done."""
    passing: frozenset[StrEnum] = frozenset()
    """Reasons to refuse `arm` that pass by themselves: it is asked again a little later."""
    to_strangers: frozenset[str] = frozenset()
    """Kinds that answer a public form: anybody can cause them, so they may use fewer texts."""
    texts_used_up: Callable[[date, int, int], Command | None] = lambda _on, _sent, _most: None
    """Tells staff that so many of a day's texts are used up."""
    optional: frozenset[str] = frozenset()
    """Kinds that nobody needs: they do not go to people who have opted out."""
    asked_for: frozenset[str] = frozenset()
    """Kinds that the recipient has just asked for: they are tried although mail came back before.
    Anybody can write a mail that looks like a bounce."""


class Desk(Frozen):
    """One desk, complete. `code` is the prefix of its facts, timers and keys ('ev')."""

    code: str
    name: str
    rules: Mapping[type[Command], Rule]
    facts: tuple[type[Fact], ...]
    changes: tuple[type[Change], ...]
    notes: Mapping[type[Fact], Callable[[Any], Note | None]]
    delivery: DeliveryRules
    reactions: Mapping[type[Fact], Callable[[Reads, Recorded], Iterable[Command]]] = field(
        default_factory=dict
    )
    timers: Mapping[str, Callable[[TimerName, datetime], Command]] = field(default_factory=dict)
    """By the second part of a timer's name: 'ev/<kind>/…'."""
    jobs: Mapping[str, Callable[[Job], Command]] = field(default_factory=dict)
    slow_jobs: frozenset[str] = frozenset()
    """Kinds that read what strangers send: a worker of their own does them, so nothing waits."""
    batched_jobs: frozenset[str] = frozenset()
    """Kinds of jobs with small steps that do nothing but commit: several are submitted at once."""
    mail_about: Callable[[Reads, str], str] = lambda _reads, _address: ""
    """What a mail to this address is about; nothing if this desk takes no mail there."""
    mail_shelf: Shelf = Shelf.MAIL
    """Where its mail is kept."""
    on_stop: Callable[[PersonId], Command | None] = lambda _person_id: None
    """What to do once this person has written STOP."""
