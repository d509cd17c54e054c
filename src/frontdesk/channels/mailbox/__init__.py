"""The local mailbox: the ledger stores a mail or an SMS, and the console shows it."""

from __future__ import annotations

from typing import Final

from frontdesk.channels import AwsAccess
from frontdesk.core.messages import Message, Text
from frontdesk.settings import Settings


class MailboxChannel:
    """A local channel that needs no account and no network."""

    name: Final = "mailbox"
    local: Final = True

    def send(self, message: Message | Text) -> None:
        """Does nothing: the commit that saves the message delivers it."""


def build(_settings: Settings, _aws: AwsAccess) -> MailboxChannel:
    return MailboxChannel()
