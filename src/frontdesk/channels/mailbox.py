"""The local mailbox and phone: delivered is what is kept, and the console shows it."""

from __future__ import annotations

from typing import Final

from frontdesk.core.messages import Message, Text


class MailboxChannel:
    """Needs no account and no network. The ledger keeps the message in the commit that sends it."""

    name: Final = "mailbox"
    local: Final = True

    def send(self, message: Message) -> None:
        """Nothing is left to do: keeping it is delivering it."""


class PhoneChannel:
    """The same for texts: the console shows them as a phone would."""

    name: Final = "mailbox"
    local: Final = True

    def send(self, message: Text) -> None:
        """Nothing is left to do: keeping it is delivering it."""
