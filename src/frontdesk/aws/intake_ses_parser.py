"""intake-ses-parser: a mail came in: kept as it came, and a fact says so."""

from __future__ import annotations

from urllib.parse import unquote_plus

from frontdesk.aws.container import deployment
from frontdesk.aws.streams import Payload
from frontdesk.connect.ses_in import envelope
from frontdesk.intake.mail import MailIn
from frontdesk.logs import log


def handler(payload: Payload, _context: object) -> None:
    """It lies under `inbound/` of one of the buckets until it is kept; again does no harm.

    What cannot be read, or is not addressed to us, stays there.
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
