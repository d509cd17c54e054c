"""Journeys of appointments in the calendar of staff, on a real CalDAV server and a deployed
application."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars.ics_in import read_ics
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders.commands import Cancel, MoveAppointment
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    Means,
)
from tests.aws.clinic import Clinic
from tests.support.calendars import Radicale, calendar, event

pytestmark = pytest.mark.needs("ministack")

WEEK = timedelta(days=7)
HOUR = timedelta(hours=1)


class Diary:
    """The clinic's calendar: staff write into it, and the schedule reads it."""

    def __init__(self, clinic: Clinic, server: Radicale) -> None:
        self.clinic = clinic
        self.server = server
        start = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
        self.at = start + timedelta(days=9)

    def writes(self, name: str, title: str, *more: str, at: datetime | None = None) -> None:
        lines = (f"DESCRIPTION:#appt\\n{name}@example.org", "DURATION:PT1H", *more)
        start = f"{at or self.at:%Y%m%dT%H%M%SZ}"
        self.server.put(name, calendar(event(name, title, start, *lines)))

    def looks(self) -> None:
        """Calls the function as the schedule does."""
        self.clinic.stack.invoke("calendar-sync", {"of": "appointments"})

    def of(self, who: str) -> list[Appointment]:
        person = self.clinic.ar.person_by_email(f"{who}@example.org")
        found = self.clinic.ar.appointments_of(person.id if person else PersonId("nobody"))
        return [one for one in found if one.source is AppointmentSource.CALENDAR]

    def shown(self, name: str) -> list[tuple[str, datetime | None]]:
        text = self.server.text(name)
        if "VEVENT" not in text:
            return []
        now = datetime.now(UTC)
        found = read_ics(text, ZoneInfo("UTC"), (now, now + 60 * timedelta(days=1)))
        return sorted(((each.title, each.starts_at) for each in found), key=lambda one: str(one[1]))

    def shows(self, name: str, *expected: tuple[str, datetime | None]) -> None:
        self.clinic.stack.until(
            f"{name} in the calendar", lambda: self.shown(name) == list(expected)
        )


@pytest.fixture
def written(clinic: Clinic, diary: Radicale) -> Diary:
    clinic.opens()
    return Diary(clinic, diary)


@pytest.mark.spec("AR-02", "AR-10", "AR-18", "FD-18")
def test_events_become_appointments_and_follow_what_is_changed_here(written: Diary) -> None:
    clinic, service = written.clinic, written.clinic.service
    who = f"rea{clinic.name}"
    title = f"Rea - {service}"
    written.writes(who, title, "RRULE:FREQ=WEEKLY;COUNT=3")
    written.looks()
    first, second, third = written.of(who)
    assert [one.starts_at for one in (first, second, third)] == [
        written.at + n * WEEK for n in range(3)
    ]

    clinic.run(Cancel(second.id, second.chain, "1.first", Means.LINK))
    clinic.run(MoveAppointment(third.id, third.starts_at + HOUR))

    written.shows(
        who,
        (title, written.at),
        (f"Cancelled: {title}", written.at + WEEK),
        (title, written.at + 2 * WEEK + HOUR),
    )
    clinic.stack.until("all in step", lambda: {one.event for one in written.of(who)} == {None})
    chains = [one.chain for one in written.of(who)]
    written.looks()
    assert [one.chain for one in written.of(who)] == chains
    assert [one.is_live for one in written.of(who)] == [True, False, True]


@pytest.mark.spec("AR-11", "AR-18", "FD-18")
def test_an_event_that_staff_delete_is_offered_claimed_and_written_again(written: Diary) -> None:
    """Plays the whole loop, from the calendar and back to it."""
    clinic = written.clinic
    at = clinic.soon()
    clinic.comes_free()  # makes the waitlist read its rules, which have no quiet hours
    clinic.stack.settle()
    who = f"del{clinic.name}"
    written.writes(who, f"Del - {clinic.service}", at=at)
    written.looks()
    [gone] = written.of(who)
    clinic.waits("wim")
    written.server.delete(who)

    written.looks()

    [ended] = written.of(who)
    assert (ended.id, ended.state) == (gone.id, AppointmentState.CANCELLED)
    clinic.wait_for_messages("wim", 1)
    assert clinic.takes("wim").heading == "It's yours."
    wim = clinic.person("wim").id

    def claimed() -> list[Appointment]:
        return [one for one in clinic.ar.appointments_of(wim) if one.starts_at == at]

    clinic.stack.until("an appointment for wim", claimed)
    clinic.stack.until("its event", lambda: claimed()[0].event is None)
    [one] = claimed()
    name = one.ref.removeprefix("calendar:")
    [(title, starts_at)] = written.shown(name)
    assert clinic.service in title
    assert starts_at == at
    written.looks()
    assert claimed() == [one]
