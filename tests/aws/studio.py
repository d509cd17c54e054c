"""A studio with its own service on the waitlist of a deployed application."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any
from urllib.parse import quote

from frontdesk.aws.schedules import call_for
from frontdesk.core.decision import Command
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import Person, PersonId
from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.waitlist import rules_doc
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Offer,
    OfferState,
    Slot,
    SlotStatus,
    Wish,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Committed
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue, Service
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus
from frontdesk.store.dynamodb.schema import FD_SENDS
from frontdesk.values import replace
from frontdesk.wiring.application import Application
from tests.aws.stack import DOMAIN, FAR_AWAY, MANY, WAITLIST_MAIL_BUCKET, Stack, Visitor, ses_mail
from tests.support.emulator import ACCOUNT, REGION
from tests.support.server import Page
from tests.support.waitlist import webhook_signature

RULES_BUCKET = f"wl-rules-source-{ACCOUNT}"
_LINK = re.compile(r"https?://\S+/l/\S+")


@dataclass
class Studio:
    """Drives the waitlist. `who` is a first name. People with a number get texts, all others
    mail."""

    stack: Stack
    back: Application
    name: str
    phones: dict[str, str] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)
    """The people whom staff put on the list, in order."""

    @property
    def service(self) -> str:
        return f"Cut {self.name}"

    @property
    def stylist(self) -> str:
        """Returns the name of a stylist that only this studio has."""
        return f"Sam {self.name}"

    @property
    def wl(self) -> WaitlistReads:
        reads: WaitlistReads = self.back.engine.reads().desk("wl")
        return reads

    def given(self, **rules: Any) -> Studio:
        """Writes the documents of staff to their bucket; the next slot uses them."""
        shop = Catalogue(
            (Service(self.service, timedelta(hours=1), 4_500),), ("Mia", "Kim", self.stylist), "S$"
        )
        if self.back.engine.reads().engine.setting(CATALOGUE) != shop:
            self.run(SetCatalogue(shop))
        written = replace(rules_doc.DEFAULT_RULES, quiet=NO_QUIET_HOURS, **rules)
        text = rules_doc.write(written).encode()
        self.stack.s3.put_object(Bucket=RULES_BUCKET, Key="rules.md", Body=text)
        return self

    def run(self, command: Command) -> None:
        outcome = self.back.engine.run(command, by="member:test", now=datetime.now(UTC))
        assert isinstance(outcome, Committed), outcome

    def add_staff(self) -> str:
        """Adds a member of staff who gets messages from now on; returns their address."""
        new, who = self.back.engine.new_id, f"staff{os.urandom(2).hex()}"
        person, email = PersonId(new()), self.email(who)
        self.run(InviteMember(MemberId(new()), person, "Staff", email, Role.STAFF, "", nonce=1))
        self.wait_for_messages(who, 1)
        return email

    # Joining

    def joins(self, who: str, *, by_text: bool = False, answered_by_mail: bool = False) -> Page:
        """Sends the form as a browser does, and reads the messages that answer it."""
        visitor, page = Visitor(self.stack), f"{self.stack.addresses['web-form']}waitlist"
        shown = visitor.get(page)
        assert shown.status == 200, shown.body
        if by_text:
            self.phones[who] = a_number()
        filled = {
            **shown.fields,
            "service": self.service,
            "name": who.title(),
            "email": "" if by_text else self.email(who),
            "mobile": self.phones.get(who, ""),
            **self.days,
        }
        joined = visitor.post(page, **filled)
        assert joined.status == 200, joined.body
        if answered_by_mail:
            self.stack.until(f"a mail to {who}", lambda: len(self.mails(who)) == 1)
        else:
            self.wait_for_messages(who, 1)
        return joined

    @property
    def days(self) -> dict[str, str]:
        """Returns dates on which everybody can come, as form values."""
        wish = self._wish()
        return {"earliest": wish.earliest_on.isoformat(), "latest": wish.latest_on.isoformat()}

    def _wish(self, with_: str = "") -> Wish:
        today = datetime.now(UTC).date()
        return Wish(self.service, 1, today, today + timedelta(days=20), with_)

    def waits(self, who: str, *, by_text: bool = False, number: str = "", with_: str = "") -> None:
        """Puts them on the list as staff do, a minute apart and before everybody who joins now;
        they get no message. A person with a shared number also has an address."""
        if number or by_text:
            self.phones[who] = number or a_number()
        self.listed.append(who)
        new = self.back.engine.new_id
        self.run(
            JoinList(
                EntryId(new()),
                PersonId(new()),
                who.title(),
                "" if by_text else self.email(who),
                self._wish(with_),
                Lane.STAFF,
                datetime.now(UTC) - timedelta(hours=1) + timedelta(minutes=len(self.listed)),
                mobile=self.phones.get(who, ""),
            )
        )

    def joined_long_ago(self, who: str) -> None:
        """Puts them on the list at an earlier time, so that no function is still about to send
        messages."""
        new, at = self.back.engine.new_id, datetime.now(UTC) - timedelta(minutes=10)
        ids, email = (EntryId(new()), PersonId(new())), self.email(who)
        join = JoinList(*ids, who.title(), email, self._wish(), Lane.FORM)
        outcome = self.back.engine.run(join, by="form", now=at)
        assert isinstance(outcome, Committed), outcome

    def email(self, who: str) -> str:
        return f"{who}-{self.name}@example.org"

    def entry(self, who: str) -> Entry:
        """Returns their entry as it is now."""
        [entry] = self.wl.entries_of(self.person(who).id)
        return entry

    def person(self, who: str) -> Person:
        contacts = filter(None, (self.email(who), self.phones.get(who)))
        found = [each for key in contacts if (each := self.wl.person_by_email(key))]
        assert found, who
        return found[0]

    def statuses(self, *who: str) -> list[EntryStatus]:
        return [self.entry(each).status for each in who]

    # Slots

    def comes_free(self, number: int = 1, starts_in: timedelta = timedelta(days=2)) -> Page:
        """Sends a signed notice of a booking tool. Each number has its own time."""
        starts_at = datetime.now(UTC) + starts_in + (number - 1) * timedelta(hours=2)
        body = json.dumps(
            {
                "id": f"{self.name}-{number}",
                "service": self.service,
                "starts_at": starts_at.isoformat(timespec="seconds"),
                "staff": self.stylist,
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
                "frontdesk-signature": webhook_signature(body, secret, datetime.now(UTC)),
            },
        )

    def time_is_up(self, seq: int, number: int = 1) -> None:
        """Moves the deadline to now; AWS calls the function in a moment."""
        slot = self.slot(number)
        self._write("wl-offers", {"slot_id": {"S": slot.id}, "seq": {"N": str(seq)}}, "claim_by")
        self._write("fd-timers", {"name": {"S": f"wl/offer/{slot.id}/{seq}"}}, "due_at")

    def rings_at(self, seq: int, number: int = 1) -> str:
        """Returns the time of the schedule for the end of this offer's window."""
        offer = self.offers(number)[seq - 1]
        assert offer.claim_by is not None
        ring = call_for(f"wl/offer/{offer.slot_id}/{seq}", offer.claim_by)
        kept = self.stack.scheduler.get_schedule(GroupName="frontdesk", Name=ring.name)
        assert json.loads(kept["Target"]["Input"]) == ring.payload
        return str(kept["ScheduleExpression"])

    def put_since(self, start: int, number: int = 1) -> list[dict[str, Any]]:
        """Returns the facts about this slot on the bus."""
        put, slot = self.stack.put_since(start), self.slot(number).id
        return [each for each in put if json.loads(each["Detail"])["subject"] == slot]

    def offers(self, number: int = 1) -> list[Offer]:
        return list(self.wl.offers(self.slot(number).id))

    def states(self, number: int = 1) -> list[tuple[str, OfferState]]:
        """Returns the people who got the offer, with its outcome."""
        names = {self.entry(who).id: who for who in self.listed}
        return [(names[each.entry_id], each.state) for each in self.offers(number)]

    def send_of_offer(self, who: str) -> str:
        """Returns the id of the message that offers them a slot, sent or not."""
        [send] = self._sends_of_offers(who)
        return str(send["send_id"]["S"])

    def send_state(self, who: str) -> str:
        """Returns the outcome; empty if there is none yet."""
        return "".join(send["state"]["S"] for send in self._sends_of_offers(who))

    def _sends_of_offers(self, who: str) -> list[dict[str, Any]]:
        person = self.person(who).id
        return [
            row
            for row in self.stack.rows(FD_SENDS)
            if row["person_id"]["S"] == person and row["kind"]["S"] == "offer"
        ]

    def tried_again(self, who: str) -> None:
        """Makes the message of their offer due again."""
        self._write("fd-sends", {"send_id": {"S": self.send_of_offer(who)}}, "due_at")

    def timers(self, beginning: str, number: int = 1) -> list[str]:
        """Returns the timers of this slot whose name begins like this."""
        mine = f"{beginning}/{self.slot(number).id}"
        due = self.back.store.due_timers(FAR_AWAY, MANY)
        return [name for name, _ in due if name.startswith(mine)]

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

    # Messages to people

    def texts(self, who: str) -> list[str]:
        query = f"account={ACCOUNT}&region={REGION}&phoneNumber={quote(self.phones[who])}"
        url = f"{self.stack.emulator.url}/_ministack/sns/sms-messages?{query}"
        found = json.loads(Visitor(self.stack).http.request("GET", url).data)
        return [each["Message"] for each in found["sms_messages"].get(self.phones[who], [])]

    def mails(self, who: str) -> list[str]:
        return [_text(mail) for mail in self.stack.mails_to(self.email(who))]

    def messages(self, who: str) -> list[str]:
        return self.texts(who) if who in self.phones else self.mails(who)

    def subjects(self, email: str) -> list[str]:
        return [str(mail["subject"]) for mail in self.stack.mails_to(email)]

    def wait_for_messages(self, who: str, how_often: int) -> list[str]:
        """Waits until they have this many messages; returns them."""
        self.stack.until(
            f"{how_often} messages to {who}", lambda: len(self.messages(who)) >= how_often
        )
        return self.messages(who)

    def link(self, who: str) -> str:
        """Returns the first link in the last message to them."""
        found = _LINK.search(self.messages(who)[-1])
        assert found, self.messages(who)
        return found[0]

    def link_in_mail(self, who: str) -> str:
        """Returns the first link in the last mail to them."""
        found = _LINK.search(self.mails(who)[-1])
        assert found, self.mails(who)
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

    # Mails from people

    def writes(self, who: str, body: str, scan: bytes = b"") -> None:
        """Sends a mail to the list, with the headers of SES and perhaps a scan."""
        to = f"waitlist@{DOMAIN}"
        raw = ses_mail(body, f"{who.title()} Lee", self.email(who), to=to)
        raw = _with(raw, scan) if scan else raw
        name = f"{self.name}-{os.urandom(4).hex()}"
        self.stack.mail_comes_in(name, raw, WAITLIST_MAIL_BUCKET)

    def proposal(self, who: str) -> Proposal:
        """Returns the fields read from their mail."""
        return self.stack.until(
            f"a proposal for {who}",
            lambda: [
                each
                for each in self.wl.proposals(ProposalStatus.OPEN, 50)
                if each.sender == self.email(who)
            ],
        )[0]

    def decided(self, proposal_id: ProposalId) -> tuple[ProposalStatus, str]:
        """Returns the outcome and the resulting entry."""
        found = self.wl.proposal(proposal_id)
        assert found is not None
        return found.status, found.entry_id

    def stopped(self, who: str) -> bool:
        """Returns whether their number wants no texts."""
        return self.back.engine.reads().engine.number_stopped(self.phones[who])

    def texts_back(self, who: str, words: str) -> None:
        """Publishes a text from them, as an SMS number does when people reply."""
        notice = {
            "originationNumber": self.phones[who],
            "messageBody": words,
            "inboundMessageId": os.urandom(8).hex(),
        }
        self.stack.publish("wl-texts-in", notice)

    def ring(self, schedule: str) -> str:
        """Makes the timer of a recurring schedule due now, calls its function with the schedule's
        payload, and returns the timer."""
        kept = self.stack.scheduler.get_schedule(GroupName="frontdesk", Name=schedule)
        words, function = json.loads(kept["Target"]["Input"]), kept["Target"]["Arn"]
        self._write("fd-timers", {"name": {"S": words["timer"]}}, "due_at")
        self.stack.invoke(function.rpartition(":")[2], words)
        return str(words["timer"])


def _text(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def _with(raw: bytes, scan: bytes) -> bytes:
    mail = message_from_bytes(raw, policy=SMTP)
    mail.add_attachment(scan, maintype="image", subtype="png", filename="request.png")
    return mail.as_bytes()


def a_number() -> str:
    return f"+6591{int(os.urandom(3).hex(), 16) % 1_000_000:06}"
