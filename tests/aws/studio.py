"""A studio with a waitlist of its own service, on the whole application as it is deployed."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any
from urllib.parse import quote

from frontdesk.core.decision import Command
from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.commands import SetShop
from frontdesk.desks.waitlist.hooks.signing import stamp
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryStatus,
    Service,
    Shop,
    Slot,
    SlotStatus,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Committed
from frontdesk.wiring.back_room import BackRoom
from tests.aws.stack import DOMAIN, Stack, Visitor
from tests.support.emulator import ACCOUNT, REGION
from tests.support.mail import a_mail
from tests.support.server import Page

RULES_BUCKET = f"wl-rules-source-{ACCOUNT}"
_LINK = re.compile(r"https?://\S+/l/\S+")


@dataclass
class Studio:
    """`who` is a first name. Whoever has a number is told by text, all others by mail."""

    stack: Stack
    back: BackRoom
    name: str
    phones: dict[str, str]

    @property
    def service(self) -> str:
        return f"Cut {self.name}"

    @property
    def wl(self) -> WaitlistReads:
        reads: WaitlistReads = self.back.engine.reads().desk("wl")
        return reads

    def given(self, **rules: Any) -> Studio:
        """What staff have written lies in their bucket, and is read with the next slot."""
        shop = Shop((Service(self.service, timedelta(hours=1), 4_500),), ("Mia",), "S$")
        self.run(SetShop(shop))
        written = replace(rules_doc.DEFAULT_RULES, quiet=NO_QUIET_HOURS, **rules)
        text = rules_doc.write(written).encode()
        self.stack.s3.put_object(Bucket=RULES_BUCKET, Key="rules.md", Body=text)
        return self

    def run(self, command: Command) -> None:
        outcome = self.back.engine.run(command, by="member:test", now=datetime.now(UTC))
        assert isinstance(outcome, Committed), outcome

    # Joining

    def joins(self, who: str, *, by_text: bool = False) -> Page:
        """By the form, as a browser does it, and reads what answers it."""
        visitor, page = Visitor(self.stack), f"{self.stack.addresses['web-form']}waitlist"
        shown = visitor.get(page)
        assert shown.status == 200, shown.body
        today = datetime.now(UTC).date()
        if by_text:
            self.phones[who] = f"+6591{int(os.urandom(3).hex(), 16) % 1_000_000:06}"
        filled = {
            **shown.fields,
            "service": self.service,
            "name": who.title(),
            "email": "" if by_text else self.email(who),
            "mobile": self.phones.get(who, ""),
            "earliest": today.isoformat(),
            "latest": (today + timedelta(days=20)).isoformat(),
        }
        joined = visitor.post(page, **filled)
        assert joined.status == 200, joined.body
        self.told(who, 1)
        return joined

    def email(self, who: str) -> str:
        return f"{who}-{self.name}@example.org"

    def entry(self, who: str) -> Entry:
        """The latest state, whichever way they can be reached."""
        person = self.wl.person_by_email(self.phones.get(who) or self.email(who))
        assert person is not None, who
        [entry] = self.wl.entries_of(person.id)
        return entry

    def statuses(self, *who: str) -> list[EntryStatus]:
        return [self.entry(each).status for each in who]

    # Slots

    def comes_free(self, number: int = 1, starts_in: timedelta = timedelta(days=2)) -> Page:
        """A booking tool says so, signed."""
        body = json.dumps(
            {
                "id": f"{self.name}-{number}",
                "service": self.service,
                "starts_at": (datetime.now(UTC) + starts_in).isoformat(timespec="seconds"),
                "staff": "Mia",
            }
        ).encode()
        secrets = self.stack.client("secretsmanager")
        secret = secrets.get_secret_value(SecretId="wl/webhook/secret")["SecretString"]
        return Visitor(self.stack).send(
            "POST",
            f"{self.stack.addresses['slot-webhook']}hooks/waitlist/frontdesk",
            body,
            {
                "content-type": "application/json",
                "frontdesk-signature": stamp(body, secret, datetime.now(UTC)),
            },
        )

    def time_is_up(self, seq: int, number: int = 1) -> None:
        """As if the window of this offer had closed just now; AWS rings for it in a moment."""
        slot = self.slot(number)
        self._write("wl-offers", {"slot_id": {"S": slot.id}, "seq": {"N": str(seq)}}, "claim_by")
        self._write("fd-timers", {"name": {"S": f"wl/offer/{slot.id}/{seq}"}}, "due_at")

    def _write(self, table: str, key: dict[str, Any], instant: str) -> None:
        self.stack.dynamodb.update_item(
            TableName=table,
            Key=key,
            UpdateExpression=f"SET {instant} = :now",
            ConditionExpression=f"attribute_exists({instant})",
            ExpressionAttributeValues={":now": {"N": str(int(datetime.now(UTC).timestamp()))}},
        )

    def slot(self, number: int = 1) -> Slot:
        found = self.wl.slot_by_origin(f"webhook:{self.name}-{number}")
        assert found is not None
        return found

    def becomes(self, status: SlotStatus, number: int = 1) -> Slot:
        self.stack.until(f"the slot is {status}", lambda: self.slot(number).status is status)
        return self.slot(number)

    # What they are told

    def texts(self, who: str) -> list[str]:
        query = f"account={ACCOUNT}&region={REGION}&phoneNumber={quote(self.phones[who])}"
        url = f"{self.stack.emulator.url}/_ministack/sns/sms-messages?{query}"
        found = json.loads(Visitor(self.stack).http.request("GET", url).data)
        return [each["Message"] for each in found["sms_messages"].get(self.phones[who], [])]

    def mails(self, who: str) -> list[str]:
        return [_text(mail) for mail in self.stack.mails_to(self.email(who))]

    def messages(self, who: str) -> list[str]:
        return self.texts(who) if who in self.phones else self.mails(who)

    def told(self, who: str, how_often: int) -> list[str]:
        """Waits for so many messages."""
        self.stack.until(
            f"{how_often} messages to {who}", lambda: len(self.messages(who)) >= how_often
        )
        return self.messages(who)

    def link(self, who: str) -> str:
        """The first one in what they were told last."""
        found = _LINK.search(self.messages(who)[-1])
        assert found, self.messages(who)
        return found[0]

    def presses(self, who: str, **fields: str) -> Page:
        visitor, address = Visitor(self.stack), self.link(who)
        shown = visitor.get(address)
        assert shown.status == 200, shown.body
        return visitor.post(address, **fields)

    def takes(self, who: str) -> Page:
        return self.presses(who, do="take")

    def passes(self, who: str) -> Page:
        return self.presses(who, do="pass")

    # What they write

    def writes(self, who: str, body: str) -> None:
        """A mail to the list, with what SES puts on top of it."""
        email = self.email(who)
        raw = a_mail(
            body,
            sender=f"{who.title()} Lee <{email}>",
            to=f"waitlist@{DOMAIN}",
            message_id=f"<{os.urandom(6).hex()}@example.org>",
            Return_Path=f"<{email}>",
            X_SES_Spam_Verdict="PASS",
            X_SES_Virus_Verdict="PASS",
            Authentication_Results="amazonses.com; dmarc=pass header.from=example.org",
        )
        self.stack.mail_comes_in(f"{self.name}-{os.urandom(4).hex()}", raw)

    def texts_back(self, who: str, words: str) -> None:
        """As a number publishes it that people can answer to."""
        notice = {
            "originationNumber": self.phones[who],
            "messageBody": words,
            "inboundMessageId": os.urandom(8).hex(),
        }
        self.stack.publish("wl-texts-in", notice)

    def ring(self, timer: str, function: str) -> None:
        """This timer is due now; AWS rings for it in a moment."""
        start = self.stack.lines
        self._write("fd-timers", {"name": {"S": timer}}, "due_at")
        self.stack.until(f"{timer} has rung", lambda: self.stack.runs_since(start)[function])


def _text(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())
