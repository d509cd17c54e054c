"""texts-in: a text came in: STOP and its kin act at once, the rest is kept for people to read."""

from __future__ import annotations

import json

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.connect.sns_in import incoming_text
from frontdesk.intake.sms import TextIn


def handler(payload: Payload, _context: object) -> None:
    """As a number for two ways at AWS publishes it; again does no harm."""
    back = deployment().back
    for record in payload.get("Records", ()):
        text = incoming_text(json.loads(record["Sns"]["Message"]), back.clock.now())
        if text is not None:
            TextIn(back).take(text)
