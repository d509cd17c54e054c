"""Pages of bookings, requests and appointments in states that their routes do not name."""

from __future__ import annotations

from datetime import datetime, timedelta

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.decision import Command
from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import RecordConsent
from frontdesk.desks.booking.commands import Book, CancelBooking
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import BookingId, RequestStatus
from frontdesk.desks.reminders.commands import (
    AskAboutEvent,
    AskToMove,
    Cancel,
    Confirm,
    MoveAppointment,
    PauseReminders,
    RecordAppointment,
)
from frontdesk.desks.reminders.links import AnswerLinks, Purpose
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
    EventTrouble,
    Means,
    Window,
    appointment_id,
    nonce_of,
)
from frontdesk.engine.ports import Committed
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.intake.mail import MailIn
from frontdesk.wiring.one_machine import Frontdesk
from tests.support.mail import a_mail

#: A surname that cannot be broken between words.
LONG_WORD = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschafers"
LONG_NAME = f"Wilhelmina-Charlotte van der {LONG_WORD}"
WISH = "Could it be a little later, after five? Any day of the week after next is fine with me."
FORWARDED = """---------- Forwarded message ---------
From: Book.it <no-reply@bookit.example>

Customer: Bob Tan
Email: bob.tan@example.org
When: Wed 30 Sep 2026, 10:00 - 11:00
What: Cut
"""
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def appointment_pages(product: Frontdesk, now: datetime) -> dict[str, str]:
    """Creates bookings, a request, a proposal and appointments; returns their pages by name."""
    return _Builder(product, now).pages()


class _Builder:
    def __init__(self, product: Frontdesk, now: datetime) -> None:
        self.product = product
        self.now = now
        noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
        self.start = noon + 5 * DAY

    def pages(self) -> dict[str, str]:
        mail = "/console/settings/{}/{}".format
        return {
            **self._booking_pages(),
            **self._answer_pages(),
            **self._calendar_pages(),
            **self._consent_pages(),
            "proposed-appointment": self._proposal(),
            "reminder-mail": mail("reminder-mails", "first_reminder"),
            "reminder-mail-staff": mail("reminder-mails", "week"),
            "team-mail": mail("team-mails", "invitation"),
        }

    def run(self, command: Command) -> None:
        outcome = self.product.engine.run(command, by="test", now=self.now)
        assert isinstance(outcome, Committed), outcome
        self.product.runtime.settle(self.now)

    def mail(self, to: str, body: str, number: int) -> None:
        sender = f"Ulf <ulf{number}@example.org>"
        sent = a_mail(body, sender=sender, to=to, message_id=f"<m{number}@example.org>")
        MailIn(self.product).take(Envelope("ulf@example.org", (to,), sent, "127.0.0.1"))
        self.product.runtime.settle(self.now)

    # --- the booking desk ---------------------------------------------------------------------

    def book(self, hours: int, name: str) -> BookingId:
        booked = BookingId(f"{hours:02}" * 16)
        person = PersonId(self.product.engine.new_id())
        at = self.start + hours * HOUR
        self.run(Book(booked, person, "Cut", at, name, f"guest{hours}@example.com"))
        return booked

    def _booking_pages(self) -> dict[str, str]:
        self.mail(self.product.settings.booking_address, "I need a haircut some time.", 1)
        bk = booking_reads(self.product.engine.reads())
        [draft] = bk.requests(RequestStatus.DRAFT, 2)
        coming, cancelled = self.book(0, LONG_NAME), self.book(2, "Hanna")
        self.run(CancelBooking(cancelled, by_staff=True))
        first = appointment_id(AppointmentSource.BOOKING, coming)
        return {
            "booking-request-draft": f"/console/bookings/requests/{draft.id}",
            "booking-long": f"/console/bookings/one/{coming}",
            "booking-cancelled": f"/console/bookings/one/{cancelled}",
            "booking-day-long": f"/console/bookings?on={self.start.date()}",
            "booking-day-all": f"/console/bookings?on={self.start.date()}&all=yes",
            "booking-why": f"/console/bookings/why?on={self.start.date()}&service=Cut",
            "reminder-preview": f"/console/reminders/next/{first}/first",
        }

    # --- the reminders desk -------------------------------------------------------------------

    def _proposal(self) -> str:
        self.mail(self.product.settings.reminders_address, FORWARDED, 2)
        ar = reminder_reads(self.product.engine.reads())
        [found] = ar.proposals(ProposalStatus.OPEN, 2)
        return f"/console/reminders/proposed/{found.id}"

    def _calendar_pages(self) -> dict[str, str]:
        """Creates events that staff moved and deleted, which show as cards on Today and questions
        on pages."""
        found = {}
        for name, trouble in (("moved", EventTrouble.CHANGED), ("deleted", EventTrouble.GONE)):
            person, source = PersonId(self.product.engine.new_id()), AppointmentSource.CALENDAR
            contact = (LONG_NAME, f"{name}@example.net", "")
            self.run(
                RecordAppointment(source, name, person, *contact, "Cut", self.start, HOUR, "Mia")
            )
            key = appointment_id(source, name)
            self.run(MoveAppointment(key, self.start + DAY))
            at = self.start + 2 * DAY if trouble is EventTrouble.CHANGED else None
            self.run(AskAboutEvent(key, trouble, at))
            found[f"appointment-event-{name}"] = f"/console/reminders/one/{key}"
        return found

    def _consent_pages(self) -> dict[str, str]:
        """Gives a number consent, withdraws it and gives it again. Pauses reminders at the end,
        which the page shows."""
        person = PersonId(self.product.engine.new_id())
        contact = (LONG_NAME, "", "+6591234567")
        at = self.start + 4 * HOUR
        self.run(
            RecordAppointment(
                AppointmentSource.SHEET, "texts", person, *contact, "Cut", at, HOUR, "Mia"
            )
        )
        owner = self.found(appointment_id(AppointmentSource.SHEET, "texts")).person_id
        for given in (True, False, True):
            self.run(RecordConsent(owner, given, "She told us at the counter.", Role.OWNER))
        self.run(PauseReminders())
        return {"person-consent": f"/console/people/{owner}"}

    def in_sheet(self, ref: str) -> Appointment:
        """Adds an appointment whose free times are not known."""
        person, sheet = PersonId(self.product.engine.new_id()), AppointmentSource.SHEET
        contact = (LONG_NAME, f"{ref}@example.net", "")
        at = self.start + 3 * HOUR
        self.run(RecordAppointment(sheet, ref, person, *contact, "Cut", at, HOUR, "Mia"))
        return self.found(appointment_id(sheet, ref))

    def found(self, key: AppointmentId) -> Appointment:
        one = reminder_reads(self.product.engine.reads()).appointment(key)
        assert one is not None
        return one

    def link(self, one: Appointment, purpose: Purpose) -> str:
        person = reminder_reads(self.product.engine.reads()).person(one.person_id)
        assert person is not None
        site = self.product.site
        links = AnswerLinks("", lambda: site.keys, Window.FIRST, person.contact_version)
        return links.url(purpose, one)

    def _answer_pages(self) -> dict[str, str]:
        asked, came, moving, gone = map(self.in_sheet, ("asked", "coming", "moving", "gone"))
        for one, command in ((came, Confirm), (gone, Cancel)):
            self.run(command(one.id, one.chain, nonce_of(one.chain, Window.FIRST), Means.LINK))
        nonce = nonce_of(moving.chain, Window.FIRST)
        self.run(AskToMove(moving.id, moving.chain, nonce, Means.LINK, wishes=WISH))
        answer = self.link(asked, Purpose.ANSWER)
        return {
            "link-reminder": answer,
            "link-reminder-move": f"{answer}?do=move",
            "link-reminder-cancel": f"{answer}?do=cancel",
            "link-reminder-confirm": self.link(asked, Purpose.CONFIRM),
            "link-reminder-confirmed": self.link(came, Purpose.CONFIRM),
            "link-reminder-moving": self.link(moving, Purpose.ANSWER),
            "link-reminder-cancelled": self.link(gone, Purpose.CANCEL),
            "appointment-moving": f"/console/reminders/one/{moving.id}",
            "appointment-gone": f"/console/reminders/one/{gone.id}",
        }
