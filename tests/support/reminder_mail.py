"""Drives the reminders desk on a real store, with its real messages and incoming mail."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.connect.mail_headers import Envelope
from frontdesk.connect.mail_in import repeat_key
from frontdesk.core.links import Keys, LinkKey
from frontdesk.core.mail import MailReceived, is_for, mail_id
from frontdesk.core.sends import SentMessage, Via
from frontdesk.desks.admin.delivery import delivery_rules as admin_delivery
from frontdesk.desks.admin.desk import admin_desk
from frontdesk.desks.admin.model import Retention
from frontdesk.desks.reminders.delivery import delivery_rules
from frontdesk.desks.reminders.desk import reminders_desk
from frontdesk.desks.reminders.mail_answers import MailAnswers
from frontdesk.desks.reminders.messages import messages
from frontdesk.desks.reminders.notes import NOTES
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Store
from frontdesk.engine.runtime import Runtime
from frontdesk.features.messages.kinds import ReplyAddress, SenderProfile
from frontdesk.features.messages.render import renderer
from frontdesk.intake.mail import MailIn
from frontdesk.settings import Settings
from frontdesk.store.dynamodb import admin as dynamodb_admin
from frontdesk.store.dynamodb import reminders as dynamodb_reminders
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.sqlite import admin as sqlite_admin
from frontdesk.store.sqlite import reminders as sqlite_reminders
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.values import replace
from tests.support.reminders import RemindersDesk
from tests.support.waitlist import render

REMIND = "remind@frontdesk.example"
SENDER = "salon@frontdesk.example"
_KEYS = Keys(LinkKey(1, b"k" * 32))


@dataclass
class ReminderMailDesk(RemindersDesk):
    names_sends: bool = False

    def new_store(self) -> Store:
        if self.tables is None:
            desks = [sqlite_reminders.REMINDERS, sqlite_admin.ADMIN]
            return SqliteStore(self.folder / "frontdesk.db", desks)
        return DynamoStore(
            self.tables.client,
            self.tables.bucket,
            [dynamodb_reminders.REMINDERS, dynamodb_admin.ADMIN],
            prefix=self.tables.prefix,
            pause=lambda _seconds: None,
        )

    def open(self) -> None:
        self.store = self.new_store()
        self.settings = Settings(from_email=SENDER)
        profile = SenderProfile(
            business="Salon Mia",
            from_email=SENDER,
            keys=lambda: _KEYS,
            pages_url="https://salon.example",
            links_url="https://salon.example",
            console_url="https://salon.example",
            answers=ReplyAddress(REMIND, self.names_sends),
        )
        answers = MailAnswers(
            address=REMIND,
            clock=self.clock,
            reads=self.store.reads,
            pictures=None,
            our_addresses=(SENDER,),
        )
        desk = reminders_desk(
            delivery_rules(renderer(messages(), lambda _: profile), self.loader),
            loader=self.loader,
            notes=NOTES,
        )
        takes_mail = replace(
            desk, mail_about=lambda _reads, address: "reminders" if is_for(address, REMIND) else ""
        )
        desks = [
            takes_mail,
            admin_desk(admin_delivery(render), Retention(mail_days=0, messages_days=0)),
        ]
        self.engine = Engine(self.store, desks, new_id=lambda: f"id{next(self.numbers)}")
        from_mail = Binding("ar.mail", {MailReceived: answers.take})
        channels = {Via.MAIL: MailboxChannel()}
        self.runtime = Runtime(self.engine, channels, chance=lambda: 0.5, bindings=[from_mail])

    def last_mail(self, to: str) -> SentMessage:
        """Returns the last mail to somebody."""
        reads = self.engine.reads().engine
        kept = [reads.sent_message(each.id) for each in self.sends()]
        return [each for each in kept if each and each.to_email.startswith(to)][-1]

    def answers(self, body: str, to: SentMessage | None = None, **headers: Any) -> str:
        """Answers a mail of the desk as its recipient. Returns the outcome."""
        mail = EmailMessage()
        number = next(self.numbers)
        usual = {
            "From": "Ann <ann@example.org>",
            "To": REMIND,
            "Subject": "Re: Your appointment",
            "Date": "Tue, 17 Nov 2026 11:00:00 +0000",
            "Message_ID": f"<m{number}@example.org>",
        }
        if to is not None and not self.names_sends:
            usual["In_Reply_To"] = to.message_id
        if to is not None:
            usual["To"] = to.reply_to
        for name, value in {**usual, **headers}.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(body)
        to_ = (str(mail["To"]),)
        MailIn(self).take(Envelope("ann@example.org", to_, mail.as_bytes(), "127.0.0.1"))
        self.settle()
        mail_id_ = mail_id("reminders", repeat_key(mail.as_bytes()))
        kept = self.engine.reads().engine.raw_mail(mail_id_)
        assert kept is not None
        return kept.outcome
