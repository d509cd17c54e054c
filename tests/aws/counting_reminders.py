"""Plays everything that happens at the reminders desk in a month, each once, and counts
requests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from statistics import mean

from frontdesk.core.people import PersonId
from frontdesk.core.sms import size
from frontdesk.desks.reminders.commands import RecordAppointment
from frontdesk.desks.reminders.links import Purpose
from frontdesk.desks.reminders.model import AppointmentSource
from frontdesk.store.dynamodb.schema import AR_APPOINTMENTS
from tests.aws.clinic import Clinic
from tests.aws.counting import Counts, count, less
from tests.aws.counting_waitlist import HUNDRED, READ_BYTES, row_bytes, without_messages
from tests.aws.stack import Visitor, host
from tests.aws.studio import a_number


class MeasureReminders:
    """Measures the reminders desk. `booked` has the counts of a booking without reminders."""

    def __init__(self, clinic: Clinic, booked: Counts) -> None:
        self.clinic = clinic
        self.stack = clinic.stack
        self.booked = booked
        self.found: dict[str, Counts] = {}

    def all(self) -> dict[str, Counts]:
        self.ticking()
        self.reminding()
        self.answering()
        self.looking()
        found = {name: without_messages(each) for name, each in self.found.items()}
        return {**found, **self.messages()}

    def count(self, name: str, do: Callable[[], object]) -> Counts:
        self.found[name] = count(self.stack, do)
        return self.found[name]

    def ticking(self) -> None:
        """Counts a tick that finds no work. The emulator charges a page of any length the same, so
        the cost on AWS is computed from the rows. Reading a hundred of them takes about as long as
        one answer."""
        clinic = self.clinic.opens()
        clinic.ticks()
        tick = self.count("tick", clinic.ticks)
        tick["scheduler"] = {"fired": 1}
        self.a_hundred_more()
        listed = [row for row in self.stack.rows(AR_APPOINTMENTS) if "start" in row]
        read = round(HUNDRED * mean(map(row_bytes, listed)) / READ_BYTES, 1)
        answers: Counts = {"dynamodb": {"read": read}, "answers": {"reminder": 1}}
        self.found["hundred-ticked"] = answers
        self.keeping(read)

    def keeping(self, read: float) -> None:
        """Counts a version of the console's own table, which has all rows of the last and the next
        weeks."""
        sync = {"ask": "sync", "desk": "ar", "by": "member:1", "let_go": []}
        self.count("visits-kept", lambda: self.stack.invoke("drive-sync", sync))
        self.found["hundred-visits-kept"] = {
            "dynamodb": {"read": read + HUNDRED},  # each person is a row of another table
            "answers": {"drive-sync": 3},
        }

    def a_hundred_more(self) -> None:
        """Adds appointments, so that lists have their usual length."""
        clinic = self.clinic
        starts_at = datetime.now(UTC).replace(microsecond=0) + timedelta(days=9)
        for number in range(HUNDRED):
            clinic.run(
                RecordAppointment(
                    AppointmentSource.SHEET,
                    f"{clinic.name}-{number}",
                    PersonId(clinic.back.engine.new_id()),
                    "Somebody",
                    clinic.email(f"p{number}"),
                    "",
                    "Cut",
                    starts_at,
                    timedelta(hours=1),
                )
            )

    def reminding(self) -> None:
        """Counts a booking whose reminder is due at once, and subtracts the booking."""
        clinic, visitor = self.clinic, Visitor(self.stack)
        late = clinic.time(6)
        clinic.chooses(visitor, late)
        followed = count(self.stack, lambda: clinic.books("ann", late, visitor))
        self.found["visit-followed"] = less(followed, self.booked)
        at = clinic.soon()
        clinic.reminds(at)
        clinic.chooses(visitor, at)

        def book_and_hear() -> None:
            clinic.books("cat", at, visitor)
            clinic.reminded("cat", 2)

        self.found["visit-reminder"] = less(count(self.stack, book_and_hear), followed)

    def answering(self) -> None:
        clinic = self.clinic.opens()
        for who, day in (("dan", 7), ("eve", 8)):
            clinic.is_reminded(who, clinic.time(day))
        self.count("visit-confirmed", lambda: clinic.replies("dan", Purpose.CONFIRM))
        self.count("visit-cancelled", lambda: clinic.replies("eve", Purpose.CANCEL))

    def looking(self) -> None:
        visitor = host(self.stack)
        page = f"{self.stack.addresses['fd-console']}console/reminders"
        visitor.get(page)
        self.count("visits-view", lambda: visitor.get(page))

    def messages(self) -> dict[str, Counts]:
        clinic = self.clinic
        clinic.phones["pia"] = a_number()
        clinic.is_reminded("pia", clinic.time(10))
        text = clinic.messages("pia")[-1]
        mails = [
            len(mail.raw) / 1024
            for mail in list(self.stack.sink.received)
            if mail.rcpt_to[0].endswith(f"-{clinic.name}@example.org")
        ]
        return {
            "visit-text": {"texts": {"part": float(size(text).segments)}},
            "visit-mail": {"ses": {"message": 1, "kb": round(mean(mails), 2)}},
        }
