"""A mail server and a phone network that fail when they are told to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from frontdesk.core.messages import Message, SendLater, SendRefused, SendUnknown, Text


class Crash(BaseException):
    """The process ends here and now; nothing below may catch it."""


@dataclass
class SimulatedMail:
    """A mail server that can fail. `local`: it never does, and mail is delivered by being kept."""

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
    """A phone network that can fail in every way; numbers are those of the people it fails for."""

    local: bool
    is_down: bool = False
    refuses: set[str] = field(default_factory=set)
    loses: set[str] = field(default_factory=set)
    """Nobody can tell whether these got it."""
    crashes: set[str] = field(default_factory=set)
    """While the next text to one of these is handed over, the process ends."""
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
