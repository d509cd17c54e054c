"""Parses an incoming SMS that AWS publishes for a two-way number."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from frontdesk.core.messages import IncomingText


def incoming_text(notice: Mapping[str, Any], at: datetime) -> IncomingText | None:
    """Returns None if it is not an SMS from a phone number."""
    number, words = notice.get("originationNumber"), notice.get("messageBody")
    if not isinstance(number, str) or not isinstance(words, str) or not number.startswith("+"):
        return None
    return IncomingText(
        from_mobile=number, words=words, id=str(notice.get("inboundMessageId", "")), at=at
    )
