"""A salon with its own stylist on a deployed application."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from frontdesk.core.decision import Accepted
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.core.quiet_hours import NO_QUIET_HOURS
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.model import Booking, BookingStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import (
    BookingRules,
    CalendarRef,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.features.calendars.busy_times import state_setting
from frontdesk.values import replace
from tests.aws.stack import DOMAIN, Visitor, ses_mail
from tests.aws.studio import Studio
from tests.support.server import Page

ALL_DAY = ((Period(0, 24 * 60),),) * 7
HOUR = timedelta(hours=1)
BOOK = f"book@{DOMAIN}"


class Salon(Studio):
    """Lets people book, and sends them mails, as the studio does for people who wait."""

    @property
    def resource(self) -> ResourceId:
        return ResourceId(f"sam-{self.name}")

    @property
    def bk(self) -> BookingReads:
        return cast(BookingReads, self.back.engine.reads().desk("bk"))

    def given(
        self, *calendars: CalendarRef, service: Any = None, capacity: int = 1, **rules: Any
    ) -> Salon:
        """Sets rules with one stylist who works day and night; reminders go out only if `rules` say
        so."""
        super().given()
        offered = ServiceRules(
            self.service,
            HOUR,
            (Need((self.resource,)),),
            step=timedelta(minutes=5),
            notice=timedelta(),
            change_notice=timedelta(),
            most_upcoming=20,
        )
        stylist = Resource(self.resource, self.stylist, calendars=calendars, capacity=capacity)
        whole = BookingRules(
            zone="UTC",
            hours=ALL_DAY,
            services=(replace(offered, **(service or {})),),
            resources=(stylist,),
            quiet=NO_QUIET_HOURS,
            reminders=(),
        )
        wanted = replace(whole, **rules)
        if self.bk.rules() != wanted:
            self.run(SetRules(wanted))
        return self

    @property
    def page(self) -> str:
        return f"{self.stack.addresses['bk-pages']}book"

    def time(self, days: int = 3, hour: int = 10) -> datetime:
        day = datetime.now(UTC).date() + timedelta(days=days)
        return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)

    def form(self, who: str, starts_at: datetime) -> dict[str, str]:
        return {
            "service": self.service,
            "at": text(starts_at),
            "name": f"{who.title()} Lee",
            "contact": self.phones.get(who, self.email(who)),
        }

    def chooses(self, visitor: Visitor, starts_at: datetime) -> Page:
        """Presses a time, which is then held while the form is open."""
        return visitor.post(f"{self.page}/choose", service=self.service, at=text(starts_at))

    def books(
        self, who: str, starts_at: datetime | None = None, visitor: Visitor | None = None
    ) -> Page:
        """Books with the form of a chosen time, as the page sends it."""
        form = self.form(who, starts_at or self.time())
        return (visitor or Visitor(self.stack)).post(self.page, **form)

    def moves(self, who: str, starts_at: datetime) -> Page:
        """Moves their booking with the link in their last mail."""
        visitor, link = Visitor(self.stack), self.link(who).partition("?")[0]
        page = visitor.get(f"{link}?do=move&day={starts_at.date()}")
        return visitor.post(link, **{**page.fields, "at": text(starts_at)})

    def cancels(self, who: str) -> Page:
        visitor, link = Visitor(self.stack), self.link(who).partition("?")[0]
        return visitor.post(link, **visitor.get(f"{link}?do=cancel").fields)

    def calendar_was_never_read(self, name: str) -> None:
        """Forgets what earlier tests have read of the calendar."""
        setting = state_setting("bk", name)
        read = self.back.engine.reads().engine.setting(setting)
        if read != setting.default:
            write = WriteSetting(setting, read, None)
            self.back.store.commit(Accepted((write,)), by="test", at=datetime.now(UTC))

    def asks(self, who: str, body: str, to: str = BOOK, **headers: str) -> None:
        """Sends a mail to the desk, with the headers that SES adds."""
        sender = (f"{who.title()} Lee", self.email(who))
        raw = ses_mail(body, *sender, to=to, subject="An appointment", **headers)
        self.stack.mail_comes_in(f"{self.name}-{os.urandom(4).hex()}", raw)

    def owned(self) -> str:
        """Adds an owner of the business, and returns their address."""
        new, email = self.back.engine.new_id, self.email("owner")
        person = PersonId(new())
        self.run(InviteMember(MemberId(new()), person, "Owner", email, Role.OWNER, "", nonce=1))
        self.wait_for_messages("owner", 1)
        return email

    def booking(self, who: str) -> Booking:
        """Returns the latest booking of this person."""
        found = self.bk.bookings_of(self.person(who).id)
        return max(found, key=lambda each: each.version)

    def takers(self, starts_at: datetime) -> list[Booking]:
        """Returns the bookings that take the stylist's time in the hour from this start."""
        found = self.bk.bookings_between(starts_at, starts_at + HOUR)
        return [each for each in found if each.takes_time and self.resource in each.resources]

    def booked(self, who: str, status: BookingStatus) -> Booking:
        self.stack.until(f"{who} is {status}", lambda: self.booking(who).status is status)
        return self.booking(who)

    def rings(self, timer: str) -> None:
        """Makes a timer due now, so that its schedule fires in a moment."""
        self._write("fd-timers", {"name": {"S": timer}}, "due_at")


def text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M}Z"
