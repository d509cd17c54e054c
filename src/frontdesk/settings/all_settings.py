"""All settings, and values that are derived from several of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontdesk.settings.connections import ConnectionFields
from frontdesk.settings.declaration import DECLARED, Setting


class Settings(ConnectionFields, kw_only=True):
    """All settings. Those in `SECRET` are never printed."""

    @property
    def links_at(self) -> str:
        return self.links_url or self.base_url

    @property
    def console_at(self) -> str:
        return self.console_url or self.base_url

    def has_desk(self, name: str) -> bool:
        return name not in self.desks_off.split()

    @property
    def waitlist_at(self) -> str:
        return self.waitlist_url or self.base_url

    @property
    def claims_at(self) -> str:
        return self.claims_url or self.links_at

    @property
    def booking_at(self) -> str:
        return self.booking_url or self.base_url

    @property
    def booking_links_at(self) -> str:
        return self.booking_url or self.links_at

    @property
    def replies_at(self) -> str:
        return self.replies_url or self.links_at

    @property
    def texts_by(self) -> str:
        """'none', 'mailbox' or 'sns'."""
        return self.texts or ("mailbox" if self.channel == "mailbox" else "none")

    @property
    def takes_texts(self) -> bool:
        return self.text_replies == "yes" or (not self.text_replies and self.texts_by == "mailbox")

    @property
    def waitlist_address(self) -> str:
        return f"{self.waitlist_mailbox}@{self.mail_domain}"

    @property
    def booking_address(self) -> str:
        return f"{self.booking_mailbox}@{self.mail_domain}"

    @property
    def reminders_address(self) -> str:
        return f"{self.reminders_mailbox}@{self.mail_domain}"

    @property
    def sender_addresses(self) -> tuple[str, str]:
        """The addresses from which customers get mail."""
        return self.from_email, self.reminders_address

    @property
    def takes_mail(self) -> bool:
        return self.mail_in_port != 0


SETTINGS: Final[Mapping[str, Setting]] = dict(
    zip(Settings.__struct_fields__, DECLARED, strict=True)
)
"""Describes each setting, by name."""
SECRET = frozenset(
    {
        "smtp_password",
        "model_key",
        "webhook_secret",
        "cal_com_secret",
        "calendly_secret",
        "slack_token",
        "slack_signing_secret",
        "calendar_url",
        "calendar_password",
        "calendars",
    }
)
