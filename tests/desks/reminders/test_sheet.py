"""Appointments in a sheet: staff edit it, and replies are written back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.people import ErasePerson
from frontdesk.desks.reminders.commands import MarkNoShow, MoveAppointment, TakeRules
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentState,
    ReminderState,
)
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.desks.reminders.sheet import COLUMNS, visit_table
from frontdesk.desks.reminders.tags import Tags, parse_tags
from frontdesk.features.sheet_sync.model import SheetProblem, SyncReport
from frontdesk.features.sheet_sync.schema import plain
from frontdesk.features.sheet_sync.sync import SheetSync
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, RemindersDesk
from tests.support.sheets import Crash, FakeSheet

HEADINGS = ("Name", "Mobile", "E-mail", "Service", "Date", "Time", "With", "Notes")
ANN = ("Ann", "", "ann@example.org", "cut", "2026-11-20", "10:00", "Mia", "")
BOB = ("Bob", "+65 9123 4567", "", "colour", "20/11/2026", "3pm", "", "Window seat")


class Paper:
    """A desk with a sheet of appointments."""

    def __init__(self, desk: RemindersDesk, *rows: tuple[str, ...]) -> None:
        self.desk = desk
        self.sheet = FakeSheet(*rows, headings=HEADINGS)
        self.keeper = SheetSync(desk.engine, desk.clock, visit_table("SG"), self.sheet)

    def sync(self, **options: object) -> SyncReport:
        report = self.keeper.sync(**options)  # type: ignore[arg-type]
        self.desk.settle()
        return report

    def at(self, line: int) -> Appointment:
        found = self.desk.reads.appointment(AppointmentId(self.sheet.cell(line, "id")))
        assert found is not None
        return found

    def status(self, line: int) -> str:
        return self.sheet.cell(line, "status")

    def ref(self, line: int) -> str:
        return self.at(line).ref


@pytest.fixture
def paper(desk: RemindersDesk) -> Paper:
    return Paper(desk.given(), ANN, BOB)


@pytest.mark.spec("AR-01")
def test_rows_of_the_sheet_are_appointments_and_customers_are_reminded(paper: Paper) -> None:
    report = paper.sync()

    assert (report.counts.joined, report.problems) == (2, ())
    ann, bob = paper.at(2), paper.at(3)
    assert (ann.service, ann.starts_at, ann.staff, ann.duration) == ("cut", FRIDAY, "Mia", HOUR)
    assert (bob.service, bob.starts_at) == ("colour", FRIDAY + 5 * HOUR)
    assert [paper.status(2), paper.status(3)] == ["no answer yet", "no answer yet"]
    assert paper.sheet.cell(3, "Notes") == "Window seat"
    assert paper.sheet.cell(3, "Time") == "3pm"

    paper.desk.wait_until(FRIDAY)
    told = [kind for kind, ref, _ in paper.desk.told() if ref == ann.ref]
    assert told == ["first", "second"]


@pytest.mark.spec("AR-01")
def test_nothing_is_written_and_no_version_is_kept_while_nothing_changes(paper: Paper) -> None:
    first = paper.sync()
    writes = paper.sheet.writes

    again = paper.sync()

    assert (first.version, again.version) == (1, 0)
    assert paper.sheet.writes == writes


@pytest.mark.spec("AR-01")
def test_times_stay_as_staff_wrote_them_when_the_business_gets_its_time_zone(paper: Paper) -> None:
    """Somebody may connect a sheet before the owner has set the zone of the business."""
    paper.sync()
    before = paper.at(2)
    paper.desk.do(TakeRules(EXAMPLE, "Asia/Singapore"))
    assert paper.sync().counts.edited == 2
    again = paper.sync()

    assert (paper.sheet.cell(2, "Date"), paper.sheet.cell(2, "Time")) == ("2026-11-20", "10:00")
    assert paper.sheet.cell(3, "Time") == "3pm"
    assert paper.at(2).starts_at == before.starts_at - 8 * HOUR
    assert (again.counts.edited, again.problems) == (0, ())


@pytest.mark.spec("AR-01")
def test_a_zone_that_changes_while_the_sheet_cannot_be_read_is_noticed_afterwards(
    paper: Paper,
) -> None:
    paper.sync()
    paper.desk.do(TakeRules(EXAMPLE, "Asia/Singapore"))
    paper.sheet.broken = "It is open elsewhere."
    assert paper.sync().trouble != ""
    paper.sheet.broken = ""
    paper.sync()

    assert paper.sheet.cell(2, "Time") == "10:00"
    assert paper.at(2).starts_at == FRIDAY - 8 * HOUR


@pytest.mark.spec("AR-01", "AR-12")
def test_replies_are_written_back_to_the_sheet(paper: Paper) -> None:
    paper.sync()
    desk = paper.desk
    desk.wait(days=1, hours=2)

    desk.do(desk.confirm(paper.ref(2)))
    desk.do(desk.ask_to_move(paper.ref(3)))
    paper.sync()
    assert [paper.status(2), paper.status(3)] == ["confirmed", "wants another time"]

    desk.do(desk.cancel(paper.ref(2)))
    paper.sync()
    assert paper.status(2) == "cancelled"


@pytest.mark.spec("AR-18")
def test_a_row_that_moves_starts_a_new_chain(paper: Paper) -> None:
    paper.sync()
    desk = paper.desk
    desk.wait(days=1, hours=2)
    before = paper.at(2)
    desk.do(desk.confirm(before.ref))

    paper.sheet.type(2, "Date", "2026-11-27")
    assert paper.sync().counts.edited == 1

    after = paper.at(2)
    assert (after.id, after.chain, after.state) == (before.id, 2, AppointmentState.EXPECTED)
    assert after.starts_at == FRIDAY + 7 * DAY
    assert [each.state for each in desk.reads.archived_reminders(after.id)] == [ReminderState.SENT]
    assert desk.refused(desk.cancel(before.ref, chain=1)) == "moved"
    assert paper.status(2) == "no answer yet"
    desk.wait_until(after.starts_at)
    times = [each[2] for each in desk.told() if each[1] == after.ref and each[0] == "first"]
    assert times == [before.starts_at - 3 * DAY, after.starts_at - 3 * DAY]


@pytest.mark.spec("AR-10")
def test_a_time_that_the_customer_chose_is_written_to_the_sheet(paper: Paper) -> None:
    paper.sync()
    paper.desk.do(MoveAppointment(paper.at(2).id, FRIDAY + 3 * DAY + HOUR / 2))

    paper.sync()

    assert (paper.sheet.cell(2, "Date"), paper.sheet.cell(2, "Time")) == ("2026-11-23", "10:30")
    assert paper.sync().version == 0


@pytest.mark.spec("AR-16")
def test_tags_in_the_notes_hold_for_their_row_alone(paper: Paper) -> None:
    paper.sheet.type(2, "Notes", "Regular #skip")
    paper.sheet.type(3, "Notes", "Quiet please. #noemail #remind 3h")
    paper.sync()

    assert paper.at(2).tags == Tags(skip=True)
    assert paper.at(3).tags == parse_tags("#noemail #remind 3h")
    assert paper.sheet.cell(2, "Notes") == "Regular #skip"

    paper.sheet.type(2, "Notes", "")
    paper.sync()
    assert paper.at(2).tags == Tags()


@pytest.mark.spec("AR-16")
def test_a_row_with_skip_gets_no_reminder(paper: Paper) -> None:
    paper.sheet.type(2, "Notes", "#skip")
    paper.sync()
    ref = paper.ref(2)

    paper.desk.wait_until(FRIDAY)

    assert [each for each in paper.desk.told() if each[1] == ref] == []


@pytest.mark.spec("AR-18")
def test_a_row_that_vanishes_ends_its_appointment(paper: Paper) -> None:
    paper.sync()
    ann = paper.at(2).id
    paper.sheet.remove(2)

    assert paper.sync().counts.left == 1

    found = paper.desk.reads.appointment(ann)
    assert found is not None
    assert found.state is AppointmentState.CANCELLED


def many(n: int = 8) -> list[tuple[str, ...]]:
    return [
        (f"Guest {at}", "", f"g{at}@example.org", "cut", "2026-11-20", f"{8 + at}:00", "", "")
        for at in range(n)
    ]


@pytest.mark.spec("AR-18")
def test_rows_that_vanish_in_number_stop_the_sync_and_ask(desk: RemindersDesk) -> None:
    paper = Paper(desk.given().staff(), *many())
    paper.sync()
    paper.sheet.remove(*range(3, 10))

    report = paper.sync()

    assert len(report.missing) == 7
    live = desk.reads.live_after(MONDAY, "", 100)
    assert len(live) == 8
    assert "ar.sheet_halted" in [each.fact.kind for each in desk.reads.facts("reminders")]

    done = paper.sync(by="staff:mia", let_go=report.missing)
    assert done.counts.left == 7
    assert len(desk.reads.live_after(MONDAY, "", 100)) == 1


@pytest.mark.spec("AR-18")
def test_past_rows_hide_no_mass_loss(desk: RemindersDesk) -> None:
    """A sheet keeps the rows of past visits."""
    paper = Paper(desk.given(), *many(15))
    paper.sync()
    desk.wait_until(FRIDAY + DAY)
    for row in many(8):
        paper.sheet.lines.append([*row[:4], "2026-11-27", *row[5:]])
    paper.sheet.edited()
    paper.sync()
    assert len(desk.reads.live_after(desk.clock.now(), "", 100)) == 8
    paper.sheet.remove(*range(18, 25))

    assert len(paper.sync().missing) == 7


def test_rows_of_visits_that_are_over_can_be_tidied_away(paper: Paper) -> None:
    paper.sync()
    ann = paper.at(2).id
    paper.desk.wait_until(FRIDAY + DAY)
    paper.sheet.remove(2, 3)

    assert paper.sync().counts.left == 0
    found = paper.desk.reads.appointment(ann)
    assert found is not None
    assert found.is_live


def test_old_rows_of_a_new_sheet_are_left_alone(desk: RemindersDesk) -> None:
    old = ("Cat", "", "cat@example.org", "cut", "2026-11-02", "10:00", "", "")
    paper = Paper(desk.given(), old, ("Dan", "", "", "cut", "2026-11-02", "10:00", "", ""), ANN)

    report = paper.sync()

    assert (report.counts.joined, report.problems) == (1, ())
    assert paper.sheet.cell(2, "status") == ""


def test_a_row_that_cannot_be_read_is_a_problem_and_changes_nothing(desk: RemindersDesk) -> None:
    paper = Paper(
        desk.given(),
        ANN,
        ("Bob", "", "bob@example.org", "cut", "2026-11-20", "3", "", ""),
        ("Cat", "", "", "cut", "2026-11-20", "15:00", "", ""),
        ("Dan", "", "dan@example.org", "", "2026-11-20", "15:00", "", ""),
        ("Eve", "", "eve@example.org", "cut", "2026-11-20", "", "", ""),
        ("Fay", "12345", "", "cut", "2026-11-20", "15:00", "", ""),
    )

    report = paper.sync()

    assert report.counts.joined == 1
    assert [(each.line, each.column) for each in report.problems] == [
        (3, "Time"),
        (4, "Mobile"),
        (5, "Service"),
        (6, "Time"),
        (7, ""),
    ]
    assert report.problems[0] == SheetProblem(
        3, "Time", "This is not a time of day that we can read. Write it like 15:30."
    )


def test_date_and_time_may_be_in_one_column(desk: RemindersDesk) -> None:
    paper = Paper(desk.given())
    paper.sheet = FakeSheet(
        ("Ann", "ann@example.org", "cut", "20 Nov 2026, 3:30 pm"),
        headings=("Client", "Email", "Treatment", "Date"),
    )
    paper.keeper = SheetSync(desk.engine, desk.clock, visit_table("SG"), paper.sheet)
    paper.sync()
    assert paper.at(2).starts_at == FRIDAY + 5.5 * HOUR

    desk.do(MoveAppointment(paper.at(2).id, FRIDAY + DAY))
    paper.sync()
    assert paper.sheet.cell(2, "Date") == "2026-11-21 10:00"


def test_a_cancelled_row_with_a_new_time_is_a_new_appointment(paper: Paper) -> None:
    paper.sync()
    desk, before = paper.desk, paper.at(2)
    desk.wait(days=1, hours=2)
    desk.do(desk.cancel(before.ref))
    paper.sync()

    paper.sheet.type(2, "Date", "2026-11-27")
    paper.sync()

    after = paper.at(2)
    assert after.id != before.id
    assert (after.person_id, after.starts_at) == (before.person_id, FRIDAY + 7 * DAY)
    assert paper.status(2) == "no answer yet"


def test_children_with_one_address_keep_their_names(desk: RemindersDesk) -> None:
    paper = Paper(
        desk.given(),
        ("Ann Lee", "", "lee@example.org", "cut", "2026-11-20", "10:00", "Mia", ""),
        ("Ben Lee", "", "lee@example.org", "cut", "2026-11-20", "10:00", "Zoe", ""),
    )
    assert paper.sync().problems == ()

    assert [paper.sheet.cell(2, "Name"), paper.sheet.cell(3, "Name")] == ["Ann Lee", "Ben Lee"]
    assert (paper.at(2).name, paper.at(3).name) == ("", "Ben Lee")
    paper.sheet.type(2, "Name", "Anne Lee")
    paper.sheet.type(3, "Name", "Benn Lee")
    paper.sync()
    assert [paper.sheet.cell(2, "Name"), paper.sheet.cell(3, "Name")] == ["Anne Lee", "Benn Lee"]
    person = desk.reads.person(paper.at(2).person_id)
    assert person is not None
    assert person.name == "Anne Lee"
    assert paper.sync().version == 0


def test_a_corrected_address_is_the_same_customer(paper: Paper) -> None:
    paper.sync()
    before = paper.at(2)
    paper.sheet.type(2, "E-mail", "ann.lee@example.org")
    paper.sync()

    after, person = paper.at(2), paper.desk.reads.person(before.person_id)
    assert (after.person_id, after.chain) == (before.person_id, 1)
    assert person is not None
    assert person.email == "ann.lee@example.org"


@pytest.mark.spec("AR-08")
def test_a_row_that_goes_to_somebody_else_starts_a_new_chain(paper: Paper) -> None:
    """The links of the previous customer must not answer for the new one."""
    paper.sync()
    desk, before = paper.desk, paper.at(2)
    desk.wait(days=1, hours=2)
    paper.sheet.type(2, "Name", "Zed")
    paper.sheet.type(2, "E-mail", "zed@example.org")
    paper.sync()

    after = paper.at(2)
    assert (after.id, after.chain) == (before.id, 2)
    assert after.person_id != before.person_id
    assert desk.refused(desk.cancel(before.ref, chain=1)) == "moved"


def test_a_number_that_is_no_mobile_stays_as_written(paper: Paper) -> None:
    paper.sheet.type(2, "Mobile", "555 1234 ext 9")
    paper.sync()

    assert paper.at(2).phone == "555 1234 ext 9"
    assert paper.sheet.cell(2, "Mobile") == "555 1234 ext 9"
    assert paper.sync().version == 0


def test_a_reply_that_crosses_an_edit_wins_if_it_ends_the_visit(paper: Paper) -> None:
    """The customer cancels just after the sync has read the sheet."""
    paper.sync()
    desk, ref = paper.desk, paper.ref(2)
    desk.wait(days=1, hours=2)
    paper.sheet.type(2, "With", "Zoe")
    run = paper.keeper._engine.submit
    crossed: list[object] = []

    def crossing(command, **options):  # type: ignore[no-untyped-def]
        if not crossed:
            crossed.append(desk.run(desk.cancel(ref)))
        return run(command, **options)

    paper.keeper._engine.submit = crossing  # type: ignore[method-assign]
    report = paper.sync()
    paper.keeper._engine.submit = run  # type: ignore[method-assign]

    assert report.problems == ()
    assert desk.of(ref).state is AppointmentState.CANCELLED
    assert paper.status(2) == "cancelled"


def test_a_crash_before_the_ids_are_written_doubles_nothing(paper: Paper) -> None:
    def crash() -> None:
        raise Crash

    paper.sheet.before_write = crash
    with pytest.raises(Crash):
        paper.sync()
    paper.sheet.before_write = lambda: None

    report = paper.sync()

    assert report.counts.joined == 0
    assert len(paper.desk.reads.live_after(MONDAY, "", 100)) == 2
    assert paper.status(2) == "no answer yet"


@pytest.mark.spec("AR-01")
def test_staff_go_back_to_an_earlier_version(paper: Paper) -> None:
    paper.sync()
    paper.sheet.type(2, "Time", "12:00")
    paper.sheet.remove(3)
    paper.sync()

    paper.keeper.go_back(1, by="staff:mia")

    assert paper.sheet.cell(2, "Time") == "10:00"
    assert paper.at(2).starts_at == FRIDAY
    assert (paper.sheet.cell(3, "Name"), paper.status(3)) == ("Bob", "no answer yet")
    assert paper.at(3).is_live


def test_the_built_in_table_has_versions_without_a_sheet(desk: RemindersDesk) -> None:
    keeper = SheetSync(desk.engine, desk.clock, visit_table("SG"))
    desk.given().add("ann")
    assert keeper.sync().version == 1
    desk.do(desk.record("ann", FRIDAY + DAY))
    assert keeper.sync().version == 2

    keeper.go_back(1, by="staff:mia")

    assert desk.of("ann").starts_at == FRIDAY


def test_no_shows_are_written_to_their_rows(paper: Paper) -> None:
    paper.sync()
    paper.desk.wait_until(FRIDAY + timedelta(minutes=10))
    paper.desk.do(MarkNoShow(paper.at(2).id))

    paper.sync()

    assert paper.status(2) == "no-show"


@pytest.mark.spec("AR-18")
def test_an_erased_customer_leaves_the_sheet_and_its_versions(paper: Paper) -> None:
    paper.sheet.type(2, "Notes", "Back pain")
    paper.sync()
    desk, ann = paper.desk, paper.at(2)
    desk.store.commit(Accepted((ErasePerson(ann.person_id),)), by="test", at=desk.clock.now())
    paper.sync()

    assert paper.sheet.lines[1].count("") == len(HEADINGS)
    kept = desk.reads.sheet.version(1)
    assert kept is not None
    assert not any("ann@example.org" in row.cells for row in kept.rows)


def test_headings_that_businesses_use_are_known() -> None:
    for heading in ("Patient", "Handy", "Behandlung", "Datum", "Uhrzeit", "bei", "Notizen"):
        assert plain(heading) in COLUMNS.by_heading, heading
