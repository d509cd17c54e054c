"""Mail that comes in at this machine's own door."""

from __future__ import annotations

from frontdesk.connect.smtp_in import SmtpListener
from frontdesk.letterbox import MailIn
from frontdesk.wiring.back_room import BackRoom


def smtp_listener(back: BackRoom) -> SmtpListener:
    settings = back.settings
    mail_in = MailIn(back)
    return SmtpListener(
        settings.mail_in_host,
        settings.mail_in_port,
        accepts=mail_in.accepts,
        deliver=mail_in.deliver,
        hostname=settings.mail_domain or "frontdesk.invalid",
    )
