"""The functions for mail from SES: `intake-ses-parser` takes mail, `ev-bounces` takes bounces."""

from __future__ import annotations

import json
from urllib.parse import unquote_plus

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.connect.ses_in import envelope, returned
from frontdesk.intake.mail import MailIn
from frontdesk.logs import log


def intake_ses_parser(payload: Payload, _context: object) -> None:
    """Saves each new mail under `inbound/` and deletes it there. Repeating it does no harm.

    Mail that cannot be read, or is not addressed to us, stays in the bucket.
    """
    here = deployment()
    settings = here.settings
    for record in payload.get("Records", ()):
        bucket = here.account.bucket_named(record["s3"]["bucket"]["name"])
        key = unquote_plus(record["s3"]["object"]["key"])
        raw = bucket.get(key)
        if raw is None:
            continue
        found = envelope(raw, settings.mail_domain, settings.from_email)
        if found is None:
            log("mail.left_where_it_is", key=key, size=len(raw))
            continue
        MailIn(here.back).take(found)
        bucket.delete(key)


def ev_bounces(payload: Payload, _context: object) -> None:
    """Marks the address of a bounce or complaint, which stops further mail to it."""
    for record in payload.get("Records", ()):
        bounce = returned(json.loads(record["Sns"]["Message"]))
        if bounce is not None:
            MailIn(deployment().back).came_back(bounce)
