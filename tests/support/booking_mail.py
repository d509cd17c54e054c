"""Drives the booking desk on a real store with incoming mail and the desk's answers."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.ids import new_id
from frontdesk.core.links import Keys, LinkKey
from frontdesk.core.mail import MailReceived, is_for
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SentMessage, Via
from frontdesk.desks.admin.commands import AddFirstOwner
from frontdesk.desks.admin.delivery import delivery_rules as admin_delivery
from frontdesk.desks.admin.desk import admin_desk
from frontdesk.desks.admin.model import Retention
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.decide.requests import READ_JOB
from frontdesk.desks.booking.delivery import delivery_rules
from frontdesk.desks.booking.desk import booking_desk
from frontdesk.desks.booking.mail_lanes import MailLanes
from frontdesk.desks.booking.messages import messages
from frontdesk.desks.booking.messages.context import BookingMail
from frontdesk.desks.booking.model import BookingRequest, RequestStatus
from frontdesk.desks.booking.notes import NOTES
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding, send_id
from frontdesk.engine.ports import Store
from frontdesk.engine.runtime import Runtime
from frontdesk.features.messages.kinds import SenderProfile
from frontdesk.features.messages.render import renderer
from frontdesk.intake.mail import MailIn
from frontdesk.reading.model import Reader
from frontdesk.settings import Settings
from frontdesk.store.dynamodb import admin as dynamodb_admin
from frontdesk.store.dynamodb import booking as dynamodb_booking
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.sqlite import admin as sqlite_admin
from frontdesk.store.sqlite import booking as sqlite_booking
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.values import replace
from tests.support.booking import BookingDesk
from tests.support.waitlist import render

BOOK = "book@frontdesk.example"
AUTHSERV = "mx.frontdesk.example"
_KEYS = Keys(LinkKey(1, b"k" * 32))
_PROFILE = SenderProfile(
    business="Salon Mia",
    from_email="salon@frontdesk.example",
    keys=lambda: _KEYS,
    pages_url="https://salon.example",
    links_url="https://salon.example",
    console_url="https://salon.example",
)


@dataclass
class MailDesk(BookingDesk):
    """Drives the desk with its mail. It starts on Monday 16 November 2026, 07:00 UTC."""

    reader: Reader | None = None
    names_sends: bool = False

    def new_store(self) -> Store:
        if self.tables is None:
            desks = [sqlite_booking.BOOKING, sqlite_admin.ADMIN]
            return SqliteStore(self.folder / "frontdesk.db", desks)
        return DynamoStore(
            self.tables.client,
            self.tables.bucket,
            [dynamodb_booking.BOOKING, dynamodb_admin.ADMIN],
            prefix=self.tables.prefix,
            pause=lambda _seconds: None,
        )

    def open(self) -> None:
        self.store = self.new_store()
        self.settings = Settings(from_email=_PROFILE.from_email)
        self.lanes = MailLanes(
            address=BOOK,
            clock=self.clock,
            reads=self.store.reads,
            pictures=None,
            our_addresses=(_PROFILE.from_email,),
            trusted_authserv=AUTHSERV,
            availability=Availability(),
            country="SG",
            reader=self.reader,
            reader_name="model",
            new_id=self.new_id,
        )
        mail = BookingMail(BOOK, self.names_sends, self.lanes.answering)
        spoken = renderer(messages(mail), lambda _: _PROFILE)
        desk = booking_desk(
            delivery_rules(spoken),
            notes=NOTES,
            jobs={READ_JOB: lambda job: self.lanes.read(job)},
        )
        takes_mail = replace(
            desk, mail_about=lambda _reads, address: "bookings" if is_for(address, BOOK) else ""
        )
        desks = [
            takes_mail,
            admin_desk(admin_delivery(render), Retention(mail_days=0, messages_days=0)),
        ]
        self.engine = Engine(self.store, desks, new_id=self.new_id)
        from_mail = Binding(
            "bk.mail", {MailReceived: lambda reads, fact: self.lanes.take(reads, fact)}
        )
        channels = {Via.MAIL: MailboxChannel()}
        self.runtime = Runtime(self.engine, channels, chance=lambda: 0.5, bindings=[from_mail])

    def new_id(self) -> str:
        return new_id(next(self.numbers).to_bytes(16, "big"))

    def owned(self) -> MailDesk:
        self.do(
            AddFirstOwner(
                MemberId(self.new_id()), PersonId(self.new_id()), "Mia", "mia@salon.example"
            )
        )
        return self

    def come(self, body: str, **headers: Any) -> MailDesk:
        """Takes a mail in without working on it."""
        mail = EmailMessage()
        usual = {
            "From": "Ann Lee <ann@example.org>",
            "To": BOOK,
            "Subject": "An appointment",
            "Date": "Mon, 16 Nov 2026 07:00:00 +0000",
            "Message_ID": "<one@example.org>",
        }
        for name, value in {**usual, **headers}.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(body)
        to = (str(mail["To"]),)
        MailIn(self).take(Envelope("ann@example.org", to, mail.as_bytes(), "127.0.0.1"))
        return self

    def writes(self, body: str, **headers: Any) -> MailDesk:
        self.come(body, **headers).settle()
        return self

    def request(self, status: RequestStatus) -> BookingRequest:
        (found,) = self.reads.requests(status, 9)
        return found

    def answer(self, request: BookingRequest) -> SentMessage:
        """Returns the mail with the latest proposed times of a request."""
        key = f"bk/{request.id}/proposals/{request.version}"
        found = self.engine.reads().engine.sent_message(send_id(key, request.person_id))
        assert found is not None
        return found
