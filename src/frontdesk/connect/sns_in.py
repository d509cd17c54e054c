"""A text that came in, as AWS publishes it for a number that people can answer to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from frontdesk.core.messages import IncomingText


def incoming_text(notice: Mapping[str, Any], at: datetime) -> IncomingText | None:
    """Nothing if it is no text from a number."""
    number, words = notice.get("originationNumber"), notice.get("messageBody")
    if not isinstance(number, str) or not isinstance(words, str) or not number.startswith("+"):
        return None
    return IncomingText(
        from_mobile=number, words=words, id=str(notice.get("inboundMessageId", "")), at=at
    )
