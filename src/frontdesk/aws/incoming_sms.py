"""The function `texts-in`: takes SMS replies. STOP acts at once; staff read the rest."""

from __future__ import annotations

import json

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.connect.sns_in import incoming_text
from frontdesk.intake.sms import TextIn


def texts_in(payload: Payload, _context: object) -> None:
    """Takes messages of the topic of a two-way number. Repeating it does no harm."""
    back = deployment().back
    for record in payload.get("Records", ()):
        text = incoming_text(json.loads(record["Sns"]["Message"]), back.clock.now())
        if text is not None:
            TextIn(back).take(text)
