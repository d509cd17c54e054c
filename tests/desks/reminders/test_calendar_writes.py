"""Changes of appointments that came from a calendar are written into their events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from frontdesk.connect.calendars import caldav_events, ics_edit
from frontdesk.connect.calendars.client import write
from frontdesk.connect.calendars.ics_edit import EventAt
from frontdesk.connect.calendars.ics_in import read_ics
from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.connect.calendars.port import (
    CalendarConflict,
    CalendarDown,
    CalendarError,
    CalendarUnknown,
)
from frontdesk.connect.calendars.staff_events import NewEvent
from frontdesk.connect.http_client import Response
from frontdesk.core.localtime import zone
from frontdesk.desks.reminders.commands import AnswerEvent, Cancel, Confirm, MoveAppointment
from frontdesk.desks.reminders.console.today import cards
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentState,
    EventTrouble,
    Means,
    PendingEventChange,
)
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.features.catalogue.model import Catalogue, Service
from tests.desks.reminders.test_calendar import WEEK, WEEKLY, Diary, series, visit
from tests.desks.reminders.test_connections import Shop
from tests.support.calendars import Radicale, calendar, feed_server, radicale_server
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk

HERE = zone("Asia/Singapore")
NEW = FRIDAY + DAY + 2 * HOUR


@dataclass
class Pen:
    """Writes into a diary, and fails as a test says: `before` writing, or `after` it."""

    diary: Diary
    before: list[CalendarError] = field(default_factory=list)
    after: list[CalendarError] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None

    def move(self, event: CalendarEvent, starts_at: datetime) -> None:
        at = EventAt(event.uid, event.occurrence)
        self._write("move", lambda: ics_edit.moved(self.diary.text, at, starts_at, HERE, MONDAY))

    def cancel(self, event: CalendarEvent) -> None:
        at = EventAt(event.uid, event.occurrence)
        self._write("cancel", lambda: ics_edit.marked(self.diary.text, at, HERE, MONDAY))

    def add(self, new: NewEvent) -> None:
        raise NotImplementedError

    def _write(self, what: str, change: Callable[[], bytes]) -> None:
        if self.before:
            self.meanwhile()
            raise self.before.pop()
        self.diary.text = change().decode()
        self.written.append(what)
        if self.after:
            raise self.after.pop()


@pytest.fixture
def diary(desk: RemindersDesk) -> Diary:
    return Diary(desk.given(), trusted=True)


@pytest.fixture
def pen(diary: Diary) -> Pen:
    made = Pen(diary)
    diary.writers["mia"] = made
    return made


def events(diary: Diary) -> list[tuple[str, datetime | None]]:
    return [(each.title, each.starts_at) for each in read_ics(diary.text, HERE)]


def one(diary: Diary, number: int = 0) -> Appointment:
    return diary.appointments[number]


def cancels(diary: Diary, number: int = 0) -> None:
    known = one(diary, number)
    diary.desk.do(Cancel(known.id, known.chain, f"{known.chain}.first", Means.LINK))


@pytest.mark.spec("AR-10")
def test_a_move_is_written_into_the_event_and_does_not_come_back(pen: Pen, diary: Diary) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    assert one(diary).event == PendingEventChange(FRIDAY, diary.desk.clock.now())

    for _ in range(2):
        diary.turn()

    assert events(diary) == [("Ann Lee - Cut", NEW)]
    known = one(diary)
    assert (known.starts_at, known.chain, known.event) == (NEW, 2, None)
    assert pen.written == ["move"]
    kinds = [each.fact.kind for each in diary.desk.reads.facts(known.id)]
    assert kinds == ["ar.added", "ar.moved", "ar.event_noted"]


@pytest.mark.spec("AR-10", "AR-11")
def test_a_cancelled_appointment_is_marked_in_the_calendar(pen: Pen, diary: Diary) -> None:
    diary.look(visit())
    cancels(diary)

    for _ in range(2):
        diary.turn()

    assert events(diary) == [("Cancelled: Ann Lee - Cut", FRIDAY)]
    assert (one(diary).state, one(diary).event) == (AppointmentState.CANCELLED, None)
    assert pen.written == ["cancel"]


@pytest.mark.spec("AR-10")
def test_one_time_of_a_series_is_written_alone(pen: Pen, diary: Diary) -> None:
    diary.look(series())
    diary.desk.do(MoveAppointment(one(diary, 1).id, FRIDAY + WEEK + DAY))
    cancels(diary, 3)

    diary.turn()

    found = read_ics(diary.text, HERE, (MONDAY, MONDAY + 60 * DAY))
    told = sorted((each.starts_at, each.title) for each in found if each.starts_at)
    assert told == [
        (FRIDAY, "Ann Lee - Cut"),
        (FRIDAY + WEEK + DAY, "Ann Lee - Cut"),
        (FRIDAY + 2 * WEEK, "Ann Lee - Cut"),
        (FRIDAY + 3 * WEEK, "Cancelled: Ann Lee - Cut"),
    ]
    assert diary.text.count(WEEKLY) == 1
    assert [each.event for each in diary.appointments] == [None] * 4
    assert [each.is_live for each in diary.appointments] == [True, True, True, False]


@pytest.mark.spec("AR-10")
def test_an_event_that_staff_move_meanwhile_stays_and_becomes_a_question(
    pen: Pen, diary: Diary
) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    theirs = FRIDAY + 5 * HOUR

    diary.look(visit(at=theirs))

    assert (one(diary).starts_at, pen.written) == (NEW, [])
    due = one(diary).event
    assert due is not None
    assert (due.trouble, due.found_at) == (EventTrouble.CHANGED, theirs)
    [card] = [each for each in cards(diary.desk.engine.reads(), MONDAY) if each.chip == "Calendar"]
    assert card.title == "Ann Lee: two times in two places"


@pytest.mark.parametrize("keep", [True, False])
def test_staff_choose_between_the_two_times(pen: Pen, diary: Diary, *, keep: bool) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    theirs = FRIDAY + 5 * HOUR
    diary.look(visit(at=theirs))

    diary.desk.do(AnswerEvent(one(diary).id, keep=keep))
    diary.turn()

    chosen = NEW if keep else theirs
    assert (one(diary).starts_at, one(diary).event) == (chosen, None)
    assert events(diary) == [("Ann Lee - Cut", chosen)]
    assert pen.written == (["move"] if keep else [])


@pytest.mark.spec("AR-10")
def test_an_edit_between_reading_and_writing_wins(pen: Pen, diary: Diary) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    theirs = FRIDAY + 5 * HOUR

    def staff_move_it() -> None:
        diary.text = calendar(visit(at=theirs))

    pen.before, pen.meanwhile = [CalendarConflict("changed")], staff_move_it
    diary.turn()

    due = one(diary).event
    assert due is not None
    assert (due.trouble, due.found_at) == (EventTrouble.CHANGED, theirs)
    assert events(diary) == [("Ann Lee - Cut", theirs)]


def test_an_edit_of_the_title_between_reading_and_writing_is_no_conflict(
    pen: Pen, diary: Diary
) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))

    def staff_rename_it() -> None:
        diary.text = calendar(visit(title="Ann Lee - Cut, short"))

    pen.before, pen.meanwhile = [CalendarConflict("changed")], staff_rename_it
    diary.turn()

    assert events(diary) == [("Ann Lee - Cut, short", NEW)]
    assert one(diary).event is None


@pytest.mark.spec("AR-10", "BK-12")
def test_a_lost_answer_is_looked_up_before_anything_is_repeated(pen: Pen, diary: Diary) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    pen.after = [CalendarUnknown("no answer")]

    diary.turn()

    assert pen.written == ["move"]
    assert (one(diary).starts_at, one(diary).event) == (NEW, None)


@pytest.mark.spec("AR-10", "BK-12")
def test_a_calendar_that_is_down_is_a_task_and_written_later(pen: Pen, diary: Diary) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    pen.before = [CalendarDown("away")]

    diary.turn()
    due = one(diary).event
    assert due is not None
    assert due.trouble is EventTrouble.FAILED
    assert one(diary).starts_at == NEW

    diary.turn()
    assert events(diary) == [("Ann Lee - Cut", NEW)]
    assert one(diary).event is None


@pytest.mark.spec("AR-10")
def test_an_old_reading_does_not_move_the_appointment_back(pen: Pen, diary: Diary) -> None:
    """After a write, a server may still show the event as it was before."""
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    old = diary.text
    pen.before = [CalendarConflict("changed")] * 3
    diary.turn()
    assert diary.text == old

    assert one(diary).starts_at == NEW


@pytest.mark.spec("AR-10")
@pytest.mark.parametrize("keep", [True, False])
def test_a_deleted_event_of_a_moved_appointment_is_a_question(
    pen: Pen, diary: Diary, *, keep: bool
) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))

    diary.look()

    due = one(diary).event
    assert due is not None
    assert (one(diary).is_live, due.trouble) == (True, EventTrouble.GONE)
    diary.desk.do(AnswerEvent(one(diary).id, keep=keep))
    diary.look()
    assert (one(diary).is_live, one(diary).event) == (keep, None)
    assert pen.written == []


def test_a_calendar_that_is_only_read_is_a_task_until_staff_have_done_it(diary: Diary) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    diary.turn()
    [card] = [each for each in cards(diary.desk.engine.reads(), MONDAY) if each.chip == "Calendar"]
    assert card.title == "Please move Ann Lee in your calendar"
    assert one(diary).starts_at == NEW

    diary.look(visit(at=NEW))

    assert one(diary).event is None
    assert not [
        each for each in cards(diary.desk.engine.reads(), MONDAY) if each.chip == "Calendar"
    ]


def test_a_second_change_before_the_first_is_written_is_one_write(pen: Pen, diary: Diary) -> None:
    diary.look(visit())
    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    diary.desk.do(MoveAppointment(one(diary).id, NEW + HOUR))
    diary.turn()
    assert events(diary) == [("Ann Lee - Cut", NEW + HOUR)]

    diary.desk.do(MoveAppointment(one(diary).id, NEW))
    diary.desk.do(MoveAppointment(one(diary).id, NEW + HOUR))
    assert one(diary).event is None
    diary.turn()
    assert pen.written == ["move"]


def test_an_answer_changes_no_event(pen: Pen, diary: Diary) -> None:
    diary.look(visit())
    known = one(diary)
    diary.desk.do(Confirm(known.id, known.chain, "1.first", Means.LINK))

    diary.turn()

    assert (one(diary).event, pen.written) == (None, [])


# --- a real server --------------------------------------------------------------------------


def connected(server: Radicale, **more: str) -> dict[str, str]:
    lines = "".join(f'{name} = "{value}"\n' for name, value in more.items())
    return {
        "calendars": '[mia]\nkind = "caldav"\nuser = "mia"\npassword = "secret"\n'
        f'url = "{server.url}"\nappointments = "trusted"\n{lines}'
    }


class RealDiary:
    """A shop whose appointments are on a CalDAV server."""

    def __init__(self, shop: Shop, server: Radicale) -> None:
        self.shop = shop
        self.server = server
        shop.do(SetCatalogue(Catalogue((Service("Cut"),), ("Mia",))))

    def looks(self) -> None:
        tasks = self.shop.product.periodic_tasks
        [look] = [each for each in tasks if each.name == "calendars with appointments"]
        look.turn()
        self.shop.settle()

    @property
    def appointments(self) -> list[Appointment]:
        ar = reminder_reads(self.shop.product.engine.reads())
        return list(ar.appointments_between(MONDAY, MONDAY + 60 * DAY))

    def shown(self, name: str) -> list[tuple[str, datetime | None]]:
        found = read_ics(self.server.text(name), HERE, (MONDAY, MONDAY + 60 * DAY))
        return sorted(
            ((each.title, each.starts_at) for each in found), key=lambda each: str(each[1])
        )

    def cancels(self, number: int = 0) -> None:
        known = self.appointments[number]
        self.shop.do(Cancel(known.id, known.chain, "1.first", Means.LINK))


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Callable[..., RealDiary]]:
    with radicale_server(tmp_path) as server:
        opened: list[Shop] = []

        def open_(**more: str) -> RealDiary:
            opened.append(Shop(tmp_path / "data", more=connected(server, **more)))
            return RealDiary(opened[-1], server)

        yield open_
        for shop in opened:
            with closing(shop):
                assert shop.settle().problems() == ()


@pytest.mark.spec("AR-10")
def test_a_change_is_on_the_server_at_once(real: Callable[..., RealDiary]) -> None:
    mia = real()
    mia.server.put("a", calendar(visit()))
    mia.server.put("s", calendar(series()))
    mia.looks()
    first, second = mia.appointments[0], mia.appointments[2]

    mia.shop.do(MoveAppointment(first.id, NEW))
    mia.shop.do(MoveAppointment(second.id, second.starts_at + HOUR))

    moved = [mia.appointments[0], *mia.appointments]
    assert {each.event for each in moved} == {None}
    names = {("Ann Lee - Cut", each.starts_at) for each in mia.appointments}
    assert set(mia.shown("a")) | set(mia.shown("s")) == names
    mia.looks()
    assert {each.chain for each in mia.appointments} == {1, 2}


@pytest.mark.spec("AR-10")
@pytest.mark.parametrize("name", ["a", "s"])
def test_a_cancelled_event_is_deleted_if_the_owner_chose_so(
    real: Callable[..., RealDiary], name: str
) -> None:
    mia = real(cancelled="delete")
    mia.server.put("a", calendar(visit()))
    mia.server.put("s", calendar(series(FRIDAY + HOUR)))
    mia.looks()

    mia.cancels(0 if name == "a" else 1)

    if name == "a":
        assert "VEVENT" not in mia.server.text("a")
    else:
        weeks = [FRIDAY + HOUR + n * WEEK for n in (1, 2, 3)]
        assert mia.shown("s") == [("Ann Lee - Cut", each) for each in weeks]
    mia.looks()
    assert [each.event for each in mia.appointments] == [None] * 5


@pytest.mark.spec("AR-10", "BK-12")
@pytest.mark.parametrize("status", [500, 503])
def test_the_server_fails_and_it_is_written_once(
    real: Callable[..., RealDiary], status: int
) -> None:
    """The server fails after the write was done, or instead of it."""
    mia = real()
    mia.server.put("a", calendar(visit()))
    mia.looks()
    orders = mia.server.after if status == 500 else mia.server.instead
    orders["PUT"] = status

    mia.cancels()
    mia.looks()

    assert mia.shown("a") == [("Cancelled: Ann Lee - Cut", FRIDAY)]
    assert mia.appointments[0].event is None


@pytest.mark.spec("AR-10")
def test_an_edit_of_staff_on_the_server_wins(
    real: Callable[..., RealDiary], monkeypatch: pytest.MonkeyPatch
) -> None:
    mia = real()
    mia.server.put("a", calendar(visit()))
    mia.looks()
    theirs = FRIDAY + 3 * HOUR
    edited: list[str] = []

    def after_an_edit(method: str, *args: Any) -> Response:
        """Saves the event as staff do, after we have read it for the write."""
        if not edited:
            edited.append(method)
            mia.server.put("a", calendar(visit(at=theirs)))
        return write(method, *args)

    monkeypatch.setattr(caldav_events, "write", after_an_edit)
    mia.shop.do(MoveAppointment(mia.appointments[0].id, NEW))

    assert edited == ["PUT"]
    assert mia.shown("a") == [("Ann Lee - Cut", theirs)]
    due = mia.appointments[0].event
    assert due is not None
    assert (due.trouble, due.found_at) == (EventTrouble.CHANGED, theirs)


def test_an_ics_address_is_a_task_for_staff(tmp_path: Path) -> None:
    with feed_server() as feed:
        text = f'[mia]\nkind = "ics"\nurl = "{feed.url}"\nappointments = "trusted"\n'
        feed.text = calendar(visit())
        with closing(Shop(tmp_path / "data", more={"calendars": text})) as shop:
            mia = RealDiary(shop, Radicale(""))
            mia.looks()

            mia.cancels()

            due = mia.appointments[0].event
            assert due is not None
            assert due.trouble is EventTrouble.READ_ONLY
            feed.text = calendar()
            mia.looks()
            assert mia.appointments[0].event is None
