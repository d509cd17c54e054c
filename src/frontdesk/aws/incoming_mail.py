"""The functions for mail from SES: `intake-ses-parser` takes mail, `ev-bounces` takes bounces, and
reports about texts that were not delivered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_plus

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.connect.ses_in import envelope, read_report
from frontdesk.connect.sns_reports import failed_deliveries
from frontdesk.intake.mail import MailIn
from frontdesk.intake.sms_failures import NotYetKnown, TextFailure, TextFailures
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
            log("mail.not_taken", key=key, size=len(raw))
            continue
        MailIn(here.back).take(found)
        bucket.delete(key)


def ev_bounces(payload: Payload, _context: object) -> None:
    """Marks the address of a bounce or complaint, which stops further mail to it. Does the same for
    the number of a text that was not delivered.
    """
    if "awslogs" in payload:
        _take_text_failures(payload["awslogs"])
    for record in payload.get("Records", ()):
        bounce = read_report(json.loads(record["Sns"]["Message"]))
        if bounce is not None:
            MailIn(deployment().back).take_bounce(bounce)


def _take_text_failures(awslogs: Mapping[str, Any]) -> None:
    """Takes each report, even if another comes too early; AWS retries those."""
    failures = TextFailures(deployment().back)
    early = []
    for each in failed_deliveries(awslogs):
        try:
            failures.take(TextFailure(each.message_id, each.number, each.why))
        except NotYetKnown:
            early.append(each.message_id)
    if early:
        raise NotYetKnown(" ".join(early))
