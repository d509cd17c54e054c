"""The envelope of an incoming mail, from any source."""

from __future__ import annotations

from frontdesk.values import Frozen


class Envelope(Frozen):
    """One mail as it came in. An empty `mail_from` is a bounce."""

    mail_from: str
    rcpt_to: tuple[str, ...]
    raw: bytes
    peer: str
    unwanted: str = ""
    """'spam' or 'a virus' if the receiving server says so. Such a mail is stored only."""
