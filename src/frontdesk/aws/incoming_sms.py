"""Entry point for SMS that AWS publishes for a two-way number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.core.messages import IncomingText
from frontdesk.intake.sms import TextIn


def incoming_text(notice: Mapping[str, Any], at: datetime) -> IncomingText | None:
    """Returns None if it is not an SMS from a phone number."""
    number, words = notice.get("originationNumber"), notice.get("messageBody")
    if not isinstance(number, str) or not isinstance(words, str) or not number.startswith("+"):
        return None
    return IncomingText(
        from_mobile=number, words=words, id=str(notice.get("inboundMessageId", "")), at=at
    )


def texts_in(payload: Payload, _context: object) -> None:
    """Takes messages of the topic of a two-way number. Repeating it does no harm."""
    back = deployment().back
    for record in payload.get("Records", ()):
        text = incoming_text(json.loads(record["Sns"]["Message"]), back.clock.now())
        if text is not None:
            TextIn(back).take(text)
