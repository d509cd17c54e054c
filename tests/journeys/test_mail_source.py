"""The console shows the source of a mail exactly as it was sent."""

from datetime import timedelta

import pytest

from frontdesk.channels.mime import to_mime
from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.commands import SendThanks
from frontdesk.engine.ledger import as_message
from tests.support.mail import MailLane, a_mail
from tests.support.rsvp import STARTS


@pytest.mark.spec("FD-16")
def test_the_kept_copy_gives_the_same_mail_byte_for_byte(lane: MailLane) -> None:
    """One mail is an answer in a thread with a calendar file; the other has a link to
    unsubscribe."""
    desk = lane.desk.given(cap=2)
    lane.takes(a_mail())
    desk.wait_until(STARTS + timedelta(days=1))
    desk.do(SendThanks(desk.event_id, JobId("j"), "Thank you.")).wait(hours=12)

    kept = desk.mail_to("ann")
    sources = [to_mime(as_message(mail)) for mail in kept]
    sent = [mail.raw for mail in lane.sink.received if mail.rcpt_to == ("ann@example.org",)]
    assert [source.strip() for source in sources] == [raw.strip() for raw in sent]
    assert b"In-Reply-To: <one@example.org>" in sources[0]
    assert b"Reply-To: pottery@frontdesk.example" in sources[0]
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in sources[-1]
