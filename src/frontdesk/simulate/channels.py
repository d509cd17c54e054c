"""Simulated channels for mail and SMS that fail on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from frontdesk.core.messages import Message, SendLater, SendRefused, SendUnknown, Text


class Crash(BaseException):
    """Simulates a crash of the process. Code below must not catch it."""


@dataclass
class SimulatedMail:
    """A mail server that can fail. If `local`, it never fails and keeps the mail."""

    local: bool
    is_down: bool = False
    refuses: set[str] = field(default_factory=set)
    name: Final[str] = "simulation"

    def send(self, message: Message) -> None:
        if self.is_down:
            raise SendLater("the mail server does not answer")
        if message.to_email in self.refuses:
            raise SendRefused("550 no such mailbox", about_recipient=True)


@dataclass
class SimulatedTexts:
    """A phone network that can fail; the sets have the numbers for which it does."""

    local: bool
    is_down: bool = False
    refuses: set[str] = field(default_factory=set)
    loses: set[str] = field(default_factory=set)
    """For these numbers the outcome of a send is unknown."""
    crashes: set[str] = field(default_factory=set)
    """The process crashes during the next text to one of these numbers."""
    name: Final[str] = "simulation"

    def send(self, message: Text) -> None:
        if self.is_down:
            raise SendLater("the phone network does not answer")
        if message.to_mobile in self.crashes:
            self.crashes.remove(message.to_mobile)
            raise Crash
        if message.to_mobile in self.loses:
            raise SendUnknown("the connection was lost")
        if message.to_mobile in self.refuses:
            raise SendRefused("there is no such number", about_recipient=True)
