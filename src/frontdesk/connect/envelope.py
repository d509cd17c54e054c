"""A mail as it comes in at any door."""

from __future__ import annotations

from frontdesk.values import Frozen


class Envelope(Frozen):
    """One mail as it came in. An empty `mail_from` is a bounce."""

    mail_from: str
    rcpt_to: tuple[str, ...]
    raw: bytes
    peer: str
    unwanted: str = ""
    """'spam' or 'a virus' if the server that took it in says so: kept, and left at that."""
