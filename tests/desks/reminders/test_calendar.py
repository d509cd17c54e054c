"""Appointments in calendars: events with `#appt` are proposed, or taken from a trusted calendar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.connect.calendars.model import CalendarFile, CalendarFiles
from frontdesk.connect.calendars.port import BadCalendar
from frontdesk.connect.calendars.staff_events import StaffCalendar
from frontdesk.desks.reminders.calendar import AppointmentCalendar
from frontdesk.desks.reminders.commands import (
    AnswerEvent,
    ApproveProposal,
    Cancel,
    DiscardProposal,
    SettleCalendar,
)
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    EventTrouble,
    Means,
)
from frontdesk.desks.reminders.tags import parse_tags
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.errors import BadSettings
from frontdesk.features.calendars.console import sync_key
from frontdesk.features.calendars.state import calendar_setting
from frontdesk.features.calendars.sync import CalendarReader, CalendarSync, SeveralCalendars
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.reading.rules import RulesReader
from frontdesk.wiring.calendar_connections import read_connections
from tests.desks.reminders.test_connections import Shop, owner
from tests.desks.reminders.test_sheet_sources import LIST
from tests.support.calendars import calendar, event, radicale_server
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk

ANN = "DESCRIPTION:#appt\\nann@example.org\\n+65 9123 4567"


WEEK = 7 * DAY


def visit(uid: str = "a", at: datetime = FRIDAY, title: str = "Ann Lee - Cut", *more: str) -> str:
    rest = more or (ANN, "DURATION:PT1H")
    return event(uid, title, f"{at:%Y%m%dT%H%M%SZ}", *rest)


@dataclass
class Diary:
    """A calendar in memory, and its sync with a desk."""

    desk: RemindersDesk
    trusted: bool = False
    text: str = field(default_factory=calendar)
    broken: str = ""
    writers: dict[str, StaffCalendar] = field(default_factory=dict)

    def read(self, _known: str, _now: datetime) -> CalendarFiles:
        if self.broken:
            raise BadCalendar(self.broken)
        return CalendarFiles((CalendarFile("mia.ics", self.text),), "")

    def look(self, *events: str) -> None:
        self.text = calendar(*events)
        self.turn()

    def turn(self) -> None:
        names = frozenset({"mia"}) if self.trusted else frozenset[str]()
        side = AppointmentCalendar(
            engine=self.desk.engine,
            clock=self.desk.clock,
            reader_of_text=RulesReader(),
            country="SG",
            trusted=names,
            calendars=self.writers,
        )
        source = SeveralCalendars((CalendarReader(self, "mia", expands=True),))
        CalendarSync(self.desk.engine, self.desk.clock, side, source, HOUR).turn()
        self.desk.settle()

    @property
    def proposals(self) -> list[Proposal]:
        return list(self.desk.reads.proposals(ProposalStatus.OPEN, 99))

    @property
    def appointments(self) -> list[Appointment]:
        return list(self.desk.reads.appointments_between(MONDAY, MONDAY + 99 * DAY))

    @property
    def problems(self) -> list[str]:
        return [one.why for one in self.desk.reads.setting(calendar_setting("ar")).problems]


@pytest.fixture
def diary(desk: RemindersDesk) -> Diary:
    return Diary(desk.given())


@pytest.fixture
def trusted(desk: RemindersDesk) -> Diary:
    return Diary(desk.given(), trusted=True)


@pytest.mark.spec("AR-02")
def test_an_event_with_the_mark_is_proposed_once_and_others_are_left_alone(diary: Diary) -> None:
    lunch = visit("b", FRIDAY, "Lunch", "DESCRIPTION:with Zoe", "DURATION:PT1H")
    for _ in range(2):
        diary.look(visit(), lunch)

    [found] = diary.proposals
    said = {one.name: one.value for one in found.fields}
    assert (said["name"], said["service"]) == ("Ann Lee", "Cut")
    assert (said["email"], said["phone"]) == ("ann@example.org", "+6591234567")
    assert (said["date"], said["time"], said["minutes"]) == ("2026-11-20", "10:00", "60")
    assert diary.appointments == []


@pytest.mark.spec("AR-02", "AR-16")
def test_an_event_of_a_trusted_calendar_is_an_appointment_at_once(trusted: Diary) -> None:
    more = "DESCRIPTION:#appt #nosms ann@example.org"
    trusted.look(visit("a", FRIDAY, "Ann Lee - Cut", more, "DURATION:PT90M"))

    [one] = trusted.appointments
    assert (one.service, one.starts_at, one.duration) == ("Cut", FRIDAY, 1.5 * HOUR)
    assert one.tags == parse_tags("#nosms")
    assert trusted.proposals == []
    told = [each[0] for each in trusted.desk.wait_until(FRIDAY).told()]
    assert told == ["first", "second"]


@pytest.mark.spec("AR-02")
def test_a_trusted_event_that_is_incomplete_is_proposed(trusted: Diary) -> None:
    trusted.look(visit("a", FRIDAY, "Ann - Cut", "DESCRIPTION:#appt", "DURATION:PT1H"))

    assert trusted.appointments == []
    assert len(trusted.proposals) == 1


def test_a_guest_of_the_event_is_the_customer(trusted: Diary) -> None:
    guest = "ATTENDEE;CN=Bob Tan;ROLE=REQ-PARTICIPANT:mailto:bob@example.org"
    trusted.look(
        visit("a", FRIDAY, "Cut", "DESCRIPTION:#appt Service: Cut", guest, "DURATION:PT1H")
    )

    [one] = trusted.appointments
    person = trusted.desk.reads.person(one.person_id)
    assert person is not None
    assert (person.name, person.email, one.service) == ("Bob Tan", "bob@example.org", "Cut")


@pytest.mark.spec("AR-18")
def test_an_event_that_moves_starts_a_new_chain(trusted: Diary) -> None:
    trusted.look(visit())
    [before] = trusted.appointments
    trusted.desk.wait_until(FRIDAY - 3 * DAY + HOUR)

    trusted.look(visit(at=FRIDAY + 7 * DAY))

    [after] = trusted.appointments
    assert (after.id, after.chain) == (before.id, before.chain + 1)
    assert after.starts_at == FRIDAY + 7 * DAY
    assert len(trusted.desk.reads.archived_reminders(after.id)) == 1


@pytest.mark.spec("AR-02")
def test_an_event_that_moves_before_approval_is_proposed_with_its_new_time(diary: Diary) -> None:
    diary.look(visit())
    diary.look(visit(at=FRIDAY + DAY))

    assert [one.value("date") for one in diary.proposals] == ["2026-11-21"]
    diary.look()
    assert diary.proposals == []


def test_a_discarded_event_is_not_proposed_again(diary: Diary) -> None:
    diary.look(visit())
    diary.desk.do(DiscardProposal(diary.proposals[0].id))

    diary.look(visit())

    assert diary.proposals == []


@pytest.mark.spec("AR-18")
def test_an_event_that_is_deleted_or_cancelled_ends_its_appointment(trusted: Diary) -> None:
    trusted.look(visit("a"), visit("b", FRIDAY + HOUR))
    more = (ANN, "DURATION:PT1H", "STATUS:CANCELLED")

    trusted.look(visit("a", FRIDAY, "Ann Lee - Cut", *more))

    assert [one.state for one in trusted.appointments] == [AppointmentState.CANCELLED] * 2


@pytest.mark.spec("AR-18")
def test_many_events_that_vanish_at_once_stop_the_sync_and_ask(trusted: Diary) -> None:
    events = [visit(f"e{n}", FRIDAY + n * HOUR) for n in range(4)]
    trusted.look(*events)
    ids = tuple(one.id for one in trusted.appointments)

    trusted.look()
    assert all(one.is_live for one in trusted.appointments)
    state = trusted.desk.reads.setting(calendar_setting("ar"))
    assert set(state.missing) == set(ids)
    kinds = [each.fact.kind for each in trusted.desk.reads.facts("reminders")]
    assert kinds.count("ar.calendar_halted") == 1

    trusted.desk.do(SettleCalendar(ids, keep=False))
    trusted.look()
    assert not any(one.is_live for one in trusted.appointments)


def test_a_calendar_that_cannot_be_read_changes_nothing(trusted: Diary) -> None:
    trusted.look(visit())
    trusted.broken = "The server is away."

    trusted.look()

    assert [one.is_live for one in trusted.appointments] == [True]
    assert trusted.desk.reads.setting(calendar_setting("ar")).trouble == "The server is away."


def test_a_visit_that_the_customer_cancelled_stays_cancelled(trusted: Diary) -> None:
    trusted.look(visit())
    [one] = trusted.appointments
    trusted.desk.wait_until(FRIDAY - 3 * DAY + HOUR)
    trusted.desk.do(Cancel(one.id, 1, "1.first", Means.LINK))
    trusted.look(visit())
    assert [each.state for each in trusted.appointments] == [AppointmentState.CANCELLED]

    trusted.look(visit(at=FRIDAY + DAY))
    [after] = trusted.appointments
    assert after.event is not None
    assert (after.event.trouble, after.event.found_at) == (EventTrouble.CHANGED, FRIDAY + DAY)
    trusted.desk.do(AnswerEvent(one.id, keep=False))
    trusted.look(visit(at=FRIDAY + DAY))
    assert trusted.problems == ["It was cancelled. Please make a new event for another time."]


WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=4"


def series(at: datetime = FRIDAY, *more: str) -> str:
    return visit("s", at, "Ann Lee - Cut", ANN, "DURATION:PT1H", *(more or (WEEKLY,)))


def of_series(at: datetime, replaced: datetime, *more: str) -> str:
    replaces = f"RECURRENCE-ID:{replaced:%Y%m%dT%H%M%SZ}"
    return visit("s", at, "Ann Lee - Cut", ANN, "DURATION:PT1H", replaces, *more)


def live(diary: Diary) -> list[datetime]:
    return [one.starts_at for one in diary.appointments if one.is_live]


@pytest.mark.spec("AR-02")
def test_each_time_of_a_repeating_event_is_an_appointment(trusted: Diary) -> None:
    for _ in range(2):
        trusted.look(series())

    assert live(trusted) == [FRIDAY + n * WEEK for n in range(4)]
    assert len({one.id for one in trusted.appointments}) == 4
    assert {one.chain for one in trusted.appointments} == {1}


@pytest.mark.spec("AR-02")
def test_a_repeating_event_without_end_is_read_for_some_weeks_and_goes_on(trusted: Diary) -> None:
    forever = series(FRIDAY, "RRULE:FREQ=WEEKLY")
    trusted.look(forever)
    first = live(trusted)
    assert first == [FRIDAY + n * WEEK for n in range(8)]

    trusted.desk.clock.move_to(MONDAY + WEEK)
    trusted.look(forever)

    assert live(trusted) == [*first, FRIDAY + 8 * WEEK]


@pytest.mark.spec("AR-02", "AR-18")
def test_one_time_of_a_series_is_moved_left_out_or_cancelled_alone(trusted: Diary) -> None:
    trusted.look(series())
    before = {one.starts_at: one for one in trusted.appointments}
    out = f"EXDATE:{FRIDAY:%Y%m%dT%H%M%SZ}"
    moved = of_series(FRIDAY + WEEK + 3 * HOUR, FRIDAY + WEEK)
    cancelled = of_series(FRIDAY + 3 * WEEK, FRIDAY + 3 * WEEK, "STATUS:CANCELLED")

    trusted.look(series(FRIDAY, WEEKLY, out), moved, cancelled)

    after = {one.id: one for one in trusted.appointments}
    assert live(trusted) == [FRIDAY + WEEK + 3 * HOUR, FRIDAY + 2 * WEEK]
    assert after[before[FRIDAY + WEEK].id].chain == 2
    assert after[before[FRIDAY].id].state is AppointmentState.CANCELLED


@pytest.mark.spec("AR-18")
def test_a_series_at_another_hour_moves_each_appointment(trusted: Diary) -> None:
    trusted.look(series())
    ids = [one.id for one in trusted.appointments]

    trusted.look(series(FRIDAY + HOUR))

    assert [(one.id, one.starts_at) for one in trusted.appointments] == [
        (one, FRIDAY + HOUR + n * WEEK) for n, one in enumerate(ids)
    ]


@pytest.mark.spec("AR-18")
def test_a_single_event_that_staff_make_repeat_stays_the_same_appointment(trusted: Diary) -> None:
    trusted.look(visit("s"))
    [before] = trusted.appointments

    trusted.look(series())

    assert len(live(trusted)) == 4
    assert trusted.appointments[0] == before


@pytest.mark.spec("AR-02")
def test_two_times_of_a_series_on_one_day_are_two_appointments(trusted: Diary) -> None:
    twice = f"RRULE:FREQ=DAILY;COUNT=4;BYHOUR={FRIDAY.hour},{FRIDAY.hour + 3}"
    trusted.look(series(FRIDAY, twice))

    late = FRIDAY + 3 * HOUR
    assert live(trusted) == [FRIDAY, late, FRIDAY + DAY, late + DAY]


@pytest.mark.spec("AR-02")
def test_one_approval_is_enough_for_a_series_and_cannot_be_redirected(diary: Diary) -> None:
    diary.look(series())
    [found] = diary.proposals
    assert found.value("date") == "2026-11-20"
    assert "if you approve it" in found.text
    record = diary.desk.record("ann", source=AppointmentSource.CALENDAR, ref=found.origin)
    diary.desk.do(ApproveProposal(found.id, record))
    eve = "DESCRIPTION:#appt eve@example.org"

    diary.look(visit("s", FRIDAY, "Eve - Perm", eve, "DURATION:PT1H", WEEKLY))

    assert live(diary) == [FRIDAY + n * WEEK for n in range(4)]
    assert len({(one.person_id, one.service) for one in diary.appointments}) == 1
    assert diary.proposals == []


def test_a_series_that_is_discarded_is_proposed_again_with_its_next_time(diary: Diary) -> None:
    diary.look(series())
    diary.desk.do(DiscardProposal(diary.proposals[0].id))
    diary.look(series())
    assert diary.proposals == []

    diary.desk.clock.move_to(FRIDAY + HOUR)
    diary.look(series())

    assert [one.value("date") for one in diary.proposals] == ["2026-11-27"]


@pytest.mark.spec("AR-02", "AR-18")
def test_a_series_that_becomes_unclear_ends_no_appointment(trusted: Diary) -> None:
    """There are two appointments: so few would otherwise end without a question."""
    trusted.look(series(FRIDAY, "RRULE:FREQ=WEEKLY;COUNT=2"))

    trusted.look(series(FRIDAY, "RRULE:FREQ=YEARLY;BYWEEKNO=47"))

    assert live(trusted) == [FRIDAY, FRIDAY + WEEK]
    assert trusted.problems == ["It repeats by a rule that we do not understand."]


@pytest.mark.spec("AR-18")
def test_a_series_that_is_deleted_stops_the_sync_and_asks(trusted: Diary) -> None:
    trusted.look(series())

    trusted.look()

    assert len(live(trusted)) == 4
    assert len(trusted.desk.reads.setting(calendar_setting("ar")).missing) == 4


def test_an_edit_after_approval_moves_the_visit_but_not_its_customer(diary: Diary) -> None:
    """Anybody who may write into the calendar cannot redirect the reminders of a known visit."""
    diary.look(visit())
    [found] = diary.proposals
    record = diary.desk.record("ann", source=AppointmentSource.CALENDAR, ref=found.origin)
    diary.desk.do(ApproveProposal(found.id, record))
    [before] = diary.appointments
    eve = "DESCRIPTION:#appt #skip eve@example.org"

    diary.look(visit("a", FRIDAY + DAY, "Eve - Perm", eve, "DURATION:PT30M"))

    [after] = diary.appointments
    assert (after.person_id, after.service) == (before.person_id, before.service)
    assert (after.starts_at, after.duration) == (FRIDAY + DAY, timedelta(minutes=30))
    assert after.tags == parse_tags("#skip")
    assert diary.proposals == []


# --- a real server --------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[tuple[Shop, object]]:
    with radicale_server(tmp_path) as server:
        text = (
            '[mia]\nkind = "caldav"\nuser = "mia"\npassword = "secret"\n'
            f'url = "{server.url}"\nappointments = "proposed"\n'
        )
        with closing(Shop(tmp_path / "data", more={"calendars": text})) as one:
            one.do(SetCatalogue(Catalogue((Service("Cut"),), ("Mia",))))
            server.put("a", calendar(visit()))
            yield one, server
            assert one.settle().problems() == ()


@pytest.mark.spec("AR-02")
def test_an_event_on_a_caldav_server_is_approved_in_the_console(
    shop: tuple[Shop, object],
) -> None:
    one, _server = shop
    host = owner(one)
    looked = host.send(f"{LIST}/calendar")
    assert looked.flash == "What has changed is taken over."
    ar = reminder_reads(one.product.engine.reads())
    [found] = ar.proposals(ProposalStatus.OPEN, 9)
    page = host.get(f"{LIST}/proposed/{found.id}").says
    assert "Found in a calendar" in page

    host.send(f"{LIST}/proposed/{found.id}")

    [visit_] = ar.live_after(MONDAY, "", 9)
    assert (visit_.service, visit_.starts_at) == ("Cut", FRIDAY)
    sync = one.product.site.shared[sync_key("ar")]
    sync.turn()  # remembers the calendar of the approved event
    assert sync.turn() is False
    one.wait_until(FRIDAY)
    assert [each.to_mobile for each in one.sent("")] == ["+6591234567"] * 2


def test_a_wrong_value_for_appointments_is_named_at_the_start() -> None:
    with pytest.raises(BadSettings, match='appointments should be "proposed" or "trusted"'):
        read_connections('[mia]\nkind = "ics"\nurl = "https://x.example/a.ics"\nappointments = "x"')
    free_busy = '[mia]\nkind = "google"\ncalendar = "x"\nonly = "free/busy"\n'
    with pytest.raises(BadSettings, match="no events for appointments, only busy times"):
        read_connections(f'{free_busy}appointments = "trusted"')
    with pytest.raises(BadSettings, match='cancelled should be "mark" or "delete"'):
        read_connections('[mia]\nkind = "caldav"\nurl = "https://x.example/"\ncancelled = "x"')
