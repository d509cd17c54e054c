"""ev-bounces: bounces and complaints are shown at the person and stop further mail."""

from __future__ import annotations

import json

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.connect.ses_in import returned
from frontdesk.intake.mail import MailIn


def handler(payload: Payload, _context: object) -> None:
    for record in payload.get("Records", ()):
        bounce = returned(json.loads(record["Sns"]["Message"]))
        if bounce is not None:
            MailIn(deployment().back).came_back(bounce)
