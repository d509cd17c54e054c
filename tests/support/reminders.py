"""The reminders desk on a real store in virtual time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any, cast

from frontdesk.core.decision import Accepted
from frontdesk.core.ids import new_id
from frontdesk.core.messages import Channel, IncomingText, Text
from frontdesk.core.people import AddPerson, PersonId
from frontdesk.core.sends import Send, SendState, Via
from frontdesk.core.text_rules import TextRules
from frontdesk.desks.reminders.commands import (
    AskToMove,
    Cancel,
    Confirm,
    PlanTick,
    RecordAppointment,
    SetRules,
)
from frontdesk.desks.reminders.delivery import delivery_rules
from frontdesk.desks.reminders.desk import reminders_desk
from frontdesk.desks.reminders.doctor import appointment_problems
from frontdesk.desks.reminders.incoming_answers import text_intake
from frontdesk.desks.reminders.load import Loader
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
    Means,
    Window,
    appointment_id,
    nonce_of,
)
from frontdesk.desks.reminders.notes import NOTES
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.desk import Drop, SendNow
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads, Recorded, Store
from frontdesk.engine.runtime import Runtime
from frontdesk.intake.sms import TextIn
from frontdesk.store.dynamodb import admin as dynamodb_admin
from frontdesk.store.dynamodb import reminders as dynamodb_reminders
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.sqlite import admin as sqlite_admin
from frontdesk.store.sqlite import reminders as sqlite_reminders
from frontdesk.store.sqlite.store import SqliteStore
from frontdesk.values import replace
from tests.support.data_file import run_sql
from tests.support.desk import DrivenDesk
from tests.support.dynamodb import Tables
from tests.support.flaky_channel import FlakyChannel
from tests.support.rsvp_dynamodb import ALL, FAR_AWAY
from tests.support.waitlist import render

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
#: Monday at nine in the morning.
MONDAY = datetime(2026, 11, 16, 9, tzinfo=UTC)
#: Friday at ten: reminders are due on Tuesday and Thursday at ten.
FRIDAY = MONDAY + 4 * DAY + HOUR
RULES = ReminderRules()


def an_id(name: str) -> str:
    """Makes an id from a name."""
    return new_id(blake2b(name.encode(), digest_size=16).digest())


def id_of(ref: str, source: AppointmentSource = AppointmentSource.SHEET) -> AppointmentId:
    return appointment_id(source, ref)


@dataclass
class RemindersDesk(DrivenDesk):
    """Drives the desk. `who` is a first name, and by default the reference of their appointment."""

    folder: Path
    tables: Tables | None = None
    loader: Loader = field(default_factory=Loader)
    clock: VirtualClock = field(default_factory=lambda: VirtualClock(MONDAY))
    numbers: Any = field(default_factory=lambda: count(1))
    post: FlakyChannel = field(default_factory=FlakyChannel)
    client: Any = None
    texts: FlakyChannel | None = None
    """The channel of texts: people with a number get a text instead of a mail."""
    text_rules: TextRules | None = None
    spending: list[bool] = field(default_factory=list)
    """Alerts about the monthly limit on texts."""
    store: Any = field(init=False)
    known_letters: list[str] = field(default_factory=list)
    """Dead letters that a test expects."""

    def __post_init__(self) -> None:
        self.open()

    def new_store(self) -> Store:
        """Opens the store. Its retries do not pause."""
        if self.tables is None:
            return SqliteStore(
                self.folder / "frontdesk.db", [sqlite_reminders.REMINDERS, sqlite_admin.ADMIN]
            )
        return DynamoStore(
            self.client or self.tables.client,
            self.tables.bucket,
            [dynamodb_reminders.REMINDERS, dynamodb_admin.ADMIN],
            prefix=self.tables.prefix,
            pause=lambda _seconds: None,
        )

    def open(self) -> None:
        self.store = self.new_store()
        desk = reminders_desk(
            delivery_rules(self.render, self.loader),
            loader=self.loader,
            notes=NOTES,
            text_intake=text_intake(is_on=True),
        )
        self.engine = Engine(self.store, [desk], new_id=lambda: f"id{next(self.numbers)}")
        channels: dict[Via, Channel] = {Via.MAIL: self.post}
        if self.texts is not None:
            channels[Via.TEXT] = self.texts
        self.runtime = Runtime(
            self.engine,
            channels,
            chance=lambda: 0.5,
            text_rules=self.text_rules,
            tell_spending=self.spending.append,
        )

    def render(self, reads: Reads, send: Send, now: datetime) -> SendNow | Drop:
        person = reads.engine.person(send.person_id)
        by_mail = person is None or not person.mobile or person.mobile_fails
        if self.texts is None or person is None or by_mail or send.params.get("by") == "mail":
            return render(reads, send, now)
        return SendNow(
            Text(
                message_id=f"<{send.id}@example.org>",
                to_mobile=person.mobile,
                text=send.kind,
                date=now,
            )
        )

    def text(self, words: str, mobile: str, number: int = 1) -> str:
        """Takes a text in. Returns its outcome."""
        now = self.clock.now()
        text = IncomingText(from_mobile=mobile, words=words, id=str(number), at=now)
        outcome = TextIn(self).take(text)
        self.settle()
        return outcome

    def close(self) -> None:
        self.store.close()

    def given(self, **rules: Any) -> RemindersDesk:
        """Sets the rules that differ from the usual ones, and plans the hourly tick."""
        if rules:
            self.do(SetRules(replace(RULES, **rules)))
        return self.do(PlanTick())

    def record(self, who: str, starts_at: datetime = FRIDAY, **more: Any) -> RecordAppointment:
        plain: dict[str, Any] = {
            "source": AppointmentSource.SHEET,
            "ref": who,
            "person_id": PersonId(an_id(who)),
            "name": who.title(),
            "email": f"{who}@example.org",
            "mobile": "",
            "service": "cut",
            "starts_at": starts_at,
            "duration": HOUR,
        }
        return RecordAppointment(**{**plain, **more})

    def add(self, who: str, starts_at: datetime = FRIDAY, **more: Any) -> Appointment:
        self.do(self.record(who, starts_at, **more))
        return self.of(more.get("ref", who))

    def confirm(self, ref: str, window: Window = Window.FIRST, **more: Any) -> Confirm:
        return Confirm(**self._reply(ref, window, more))

    def cancel(self, ref: str, window: Window = Window.FIRST, **more: Any) -> Cancel:
        return Cancel(**self._reply(ref, window, more))

    def ask_to_move(self, ref: str, window: Window = Window.FIRST, **more: Any) -> AskToMove:
        return AskToMove(**self._reply(ref, window, more))

    def _reply(self, ref: str, window: Window, more: dict[str, Any]) -> dict[str, Any]:
        chain = more.pop("chain", None) or self.of(ref).chain
        plain = {
            "appointment_id": id_of(ref),
            "chain": chain,
            "nonce": nonce_of(chain, window),
            "means": Means.LINK,
        }
        return {**plain, **more}

    def sleep_until(self, at: datetime) -> RemindersDesk:
        """Jumps to an instant, as if the machine had been off until then."""
        self.clock.move_to(at)
        return self.settle()

    def staff(self, name: str = "mia") -> RemindersDesk:
        """Adds a member of the team who has an address."""
        person = AddPerson(PersonId(an_id(name)), name, f"{name}@salon", f"{name}@salon")
        self.store.commit(Accepted((person,)), by="test", at=self.clock.now())
        return self

    # --- what can be seen -------------------------------------------------------------------

    @property
    def reads(self) -> ReminderReads:
        return cast(ReminderReads, self.engine.reads().desk("ar"))

    def of(self, ref: str) -> Appointment:
        found = self.reads.appointment(id_of(ref))
        assert found is not None
        return found

    def kinds(self, ref: str) -> list[str]:
        return [each.fact.kind.removeprefix("ar.") for each in self.facts(ref)]

    def facts(self, ref: str) -> list[Recorded]:
        return list(self.reads.facts(id_of(ref), limit=10_000))

    def sends(self) -> list[Send]:
        """Returns all messages that went out, by their time."""
        found = self.store.sends_in(SendState.SENT, ALL)
        return sorted(found, key=lambda each: (each.sent_at or each.due_at, each.key))

    def told(self) -> list[tuple[str, str, datetime]]:
        """Returns kind, reference of the appointment, and time of each message."""
        refs = {each.id: each.ref for each in self.reads.appointments(limit=ALL)}
        return [
            (each.kind.removesuffix("_reminder"), refs[AppointmentId(each.subject)], each.sent_at)
            for each in self.sends()
            if each.sent_at
        ]

    def timers(self) -> dict[str, datetime]:
        found = dict(sorted(self.store.due_timers(FAR_AWAY, ALL)))
        recurring = ("ar/tick/", "ar/summary/")
        return {name: at for name, at in found.items() if not name.startswith(recurring)}

    def dead_letters(self) -> list[str]:
        return [each.why for each in self.engine.reads().engine.dead_letters(ALL)]

    def problems(self) -> list[str]:
        """Returns the problems that the doctor finds."""
        return list(appointment_problems(self.reads, self.loader, self.timers()))

    def execute(self, sql: str) -> None:
        """Changes rows directly, without the desk."""
        run_sql(self.folder, sql)


def days(*texts: str) -> frozenset[date]:
    return frozenset(map(date.fromisoformat, texts))
