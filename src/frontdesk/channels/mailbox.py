"""The local mailbox: a message is delivered by being kept, and the console shows it."""

from __future__ import annotations

from typing import Final

from frontdesk.core.messages import Message


class MailboxChannel:
    """Needs no account and no network. The ledger keeps the message in the commit that sends it."""

    name: Final = "mailbox"
    local: Final = True
    repeatable: Final = True

    def send(self, message: Message) -> None:
        """Nothing is left to do: keeping it is delivering it."""
