"""The list and a sheet that staff edit, on a real store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.people import ErasePerson
from frontdesk.desks.waitlist.commands import ChangeWish, ClaimOffer, LeaveList, StopOffers
from frontdesk.desks.waitlist.facts import SheetTroubled
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, SlotId, Wish
from frontdesk.desks.waitlist.sheet import list_table
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.engine.ports import Committed, Store
from frontdesk.features.sheet_sync.model import (
    Counts,
    KeepVersion,
    SheetProblem,
    SyncReport,
    Version,
    VersionHead,
)
from frontdesk.features.sheet_sync.sync import TABLE, SheetSync
from frontdesk.values import replace
from tests.support.sheets import Crash, FakeSheet
from tests.support.waitlist import MINUTE, NINE, TODAY, WaitlistDesk, waitlist_desk_at


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[WaitlistDesk]:
    desk = waitlist_desk_at(tmp_path).given()
    yield desk
    desk.close()


def keeper(desk: WaitlistDesk, paper: FakeSheet | None) -> SheetSync:
    return SheetSync(desk.engine, desk.clock, list_table("SG"), paper)


def ours(desk: WaitlistDesk) -> dict[str, ListRow]:
    """Returns entries by name; the waiting one, if a person has two."""
    found = sorted(desk.reads.list_rows(), key=lambda one: one.entry.status == "waiting")
    return {one.name: one for one in found}


def status(desk: WaitlistDesk, name: str) -> str:
    return ours(desk)[name].entry.status.value


ANN = ("Ann Lee", "9123 4567", "", "Cut", "2", "20/11/2026", "30/11/2026", "", "", "")
BOB = ("Bob", "", "bob@example.org", "Cut", "", "", "", "mia", "yes", "2026-11-10 08:30")


@pytest.mark.spec("WL-01", "WL-02")
def test_a_row_that_staff_type_is_on_the_list_with_an_id_and_a_status_beside_it(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(ANN, BOB)
    report = keeper(desk, paper).sync()

    ann, bob = ours(desk)["Ann Lee"], ours(desk)["Bob"]
    assert (ann.mobile, ann.email, bob.mobile, bob.email) == (
        "+6591234567",
        "",
        "",
        "bob@example.org",
    )
    assert ann.entry.wish == Wish("Cut", 2, TODAY.replace(day=20), TODAY.replace(day=30))
    assert bob.entry.wish == Wish("Cut", 1, TODAY, TODAY + timedelta(365), "mia", True)
    assert (ann.entry.joined_at, ann.entry.lane) == (NINE, Lane.SHEET)
    assert paper.lines[0][10:] == ["id", "status"]
    assert paper.lines[1][4:] == [
        *("2", "20/11/2026", "30/11/2026", "", "", "2026-11-16 09:00", ann.entry.id, "waiting")
    ]
    assert paper.lines[2][4:] == [
        *("1", "2026-11-16", "2027-11-16", "mia", "yes", "2026-11-10 08:30", bob.entry.id),
        "waiting",
    ]
    assert report == SyncReport(Counts(joined=2, written=10), version=1)


@pytest.mark.spec("WL-02")
def test_an_unchanged_sheet_is_not_rewritten_and_makes_no_version(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN, BOB)
    keeper(desk, paper).sync()
    before = (paper.glance(), [*paper.lines])

    assert keeper(desk, paper).sync() == SyncReport()
    assert (paper.glance(), paper.lines) == before
    assert [head.number for head in desk.reads.sheet.heads(10)] == [1]


def test_staff_change_a_row_and_the_list_follows(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    entry_id = ours(desk)["Ann Lee"].entry.id
    paper.type(2, "Until", "5/12/2026")
    paper.type(2, "Name", "Ann Lim")
    paper.type(2, "E-mail", "ann@example.org")

    assert keep.sync() == SyncReport(Counts(edited=1), version=2)
    ann = ours(desk)["Ann Lim"]
    assert (ann.entry.id, ann.email, ann.mobile) == (entry_id, "ann@example.org", "+6591234567")
    assert ann.entry.latest_on.isoformat() == "2026-12-05"
    assert ann.entry.joined_at == NINE


def test_another_service_is_another_entry_in_the_same_place(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    old = ours(desk)["Ann Lee"].entry
    paper.type(2, "Service", "Colour")
    keep.sync()

    new = ours(desk)["Ann Lee"].entry
    assert (new.service, new.joined_at, new.status.value) == ("Colour", NINE, "waiting")
    assert desk.entry(old.id).status is EntryStatus.LEFT
    assert paper.column("id") == [new.id]
    assert keep.sync() == SyncReport()


def test_a_row_that_staff_take_out_leaves_the_list_and_one_put_back_keeps_its_place(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(ANN, BOB)
    keep = keeper(desk, paper)
    keep.sync()
    row = paper.lines[1]
    paper.remove(2)

    assert keep.sync() == SyncReport(Counts(left=1), version=2)
    assert status(desk, "Ann Lee") == "left"
    desk.wait(hours=1)
    paper.lines.append(row)
    paper.edited()
    assert keep.sync() == SyncReport(Counts(joined=1), version=3)
    back = ours(desk)["Ann Lee"].entry
    assert (back.status.value, back.joined_at) == ("waiting", NINE)


def test_joining_elsewhere_adds_a_row_and_leaving_sets_a_status(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    desk.join("cat", lane=Lane.FORM)
    assert keep.sync() == SyncReport(Counts(written=1), version=2)
    assert paper.lines[2] == [
        *("Cat", "", "cat@example.org", "cut", "1", "2026-11-16", "2026-12-16", "", ""),
        *("2026-11-16 09:00", "cat", "waiting"),
    ]
    desk.do(LeaveList(EntryId("cat")))
    keep.sync()
    assert paper.column("status") == ["waiting", "left"]
    assert keep.sync() == SyncReport()


def test_changing_dates_by_a_link_changes_the_sheet(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    entry = ours(desk)["Ann Lee"].entry
    later = Wish("Cut", 3, entry.earliest_on, TODAY.replace(month=12))
    desk.do(ChangeWish(entry.id, later))
    paper.type(2, "Staff", "mia")

    assert keep.sync() == SyncReport(Counts(edited=1, written=2), version=2)
    assert (paper.cell(2, "Pax"), paper.cell(2, "Until")) == ("3", "2026-12-16")
    assert ours(desk)["Ann Lee"].entry.staff == "mia"


def test_where_both_have_changed_one_thing_staff_win(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    entry = ours(desk)["Ann Lee"].entry
    desk.do(ChangeWish(entry.id, Wish("Cut", 3, entry.earliest_on, entry.latest_on)))
    paper.type(2, "Pax", "4")
    paper.type(2, "status", "done")
    keep.sync()

    assert ours(desk)["Ann Lee"].entry.party == 4
    assert (paper.cell(2, "Pax"), paper.cell(2, "status")) == ("4", "waiting")


@pytest.mark.spec("WL-02")
def test_a_row_that_cannot_be_read_is_reported_and_hurts_nobody(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN, BOB)
    keep = keeper(desk, paper)
    keep.sync()
    paper.type(2, "Until", "31/31/2026")
    paper.type(3, "Pax", "2")
    paper.add(name="Cat", service="Cut")
    text = "This is not a date we can read. Write it like 2026-11-20 or 20/11/2026."
    problems = (
        SheetProblem(2, "Until", text),
        SheetProblem(4, "Mobile", "There is neither a mobile nor an e-mail address."),
    )

    assert keep.sync() == SyncReport(Counts(edited=1), problems, version=2)
    assert ours(desk)["Ann Lee"].entry.latest_on.isoformat() == "2026-11-30"
    assert ours(desk)["Bob"].entry.party == 2
    assert keep.sync() == SyncReport(problems=problems)
    assert desk.reads.sheet.state().problems == problems
    assert paper.cell(2, "Until") == "31/31/2026"

    paper.type(2, "Until", "1/12/2026")
    keep.sync()
    assert ours(desk)["Ann Lee"].entry.latest_on.isoformat() == "2026-12-01"


def test_a_refused_row_stays_as_staff_wrote_it_and_is_a_problem(desk: WaitlistDesk) -> None:
    desk.join("cat")
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    paper.type(2, "E-mail", "cat@example.org")
    problem = SheetProblem(2, "", "Somebody else is known by this e-mail address or mobile.")

    assert keep.sync().problems == (problem,)
    assert keep.sync() == SyncReport(problems=(problem,))
    assert paper.cell(2, "E-mail") == "cat@example.org"
    paper.type(2, "E-mail", "")
    assert keep.sync().problems == ()


def test_the_same_person_twice_is_a_problem_of_the_later_row(desk: WaitlistDesk) -> None:
    paper = FakeSheet(BOB, BOB)
    keep = keeper(desk, paper)

    problem = SheetProblem(3, "", "Row 2 is the same person for the same service.")
    assert keep.sync().problems == (problem,)
    assert keep.sync() == SyncReport(problems=(problem,))
    assert len(desk.reads.list_rows()) == 1


def test_people_who_left_stay_off_when_the_id_column_is_cleared(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(ANN, BOB)
    keep = keeper(desk, paper)
    keep.sync()
    desk.do(LeaveList(ours(desk)["Bob"].entry.id))
    keep.sync()
    ids = paper.column("id")
    for line in (2, 3):
        paper.type(line, "id", "")

    assert keep.sync().counts == Counts(written=2)
    assert (paper.column("id"), paper.column("status")) == (ids, ["waiting", "left"])
    paper.type(3, "status", "Waiting")
    assert keep.sync().counts == Counts(joined=1)
    assert status(desk, "Bob") == "waiting"


def test_a_cell_that_staff_clear_means_not_any_more(desk: WaitlistDesk) -> None:
    paper = FakeSheet(BOB)
    keep = keeper(desk, paper)
    paper.type(2, "Mobile", "9123 4567")
    keep.sync()
    for heading in ("Mobile", "Staff", "VIP", "Until"):
        paper.type(2, heading, "")
    keep.sync()

    bob = ours(desk)["Bob"]
    assert (bob.mobile, bob.entry.staff, bob.entry.priority) == ("", "", False)
    assert paper.cell(2, "Until") == bob.entry.latest_on.isoformat() == "2027-11-16"


def test_a_row_without_its_id_that_cannot_be_read_is_still_its_persons(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN, BOB)
    keep = keeper(desk, paper)
    keep.sync()
    ids = paper.column("id")
    for line, heading in ((2, "Until"), (3, "E-mail")):
        paper.type(line, heading, "?!")
        paper.type(line, "id", "")
    report = keep.sync()

    assert [problem.column for problem in report.problems] == ["Until", "E-mail"]
    assert (paper.column("id"), report.counts) == (ids, Counts(written=2))
    assert [status(desk, name) for name in ("Ann Lee", "Bob")] == ["waiting"] * 2


def test_a_last_day_that_has_passed_is_a_problem_of_its_cell(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    paper.type(2, "From", "1/11/2026")
    paper.type(2, "Until", "15/11/2026")
    paper.add(name="Cat", e_mail="cat@example.org", service="Cut", until="1/11/2026")

    text = "The latest day has passed."
    assert keep.sync().problems == (SheetProblem(2, "Until", text), SheetProblem(3, "Until", text))
    assert sorted(ours(desk)) == ["Ann Lee"]


def test_two_rows_of_one_person_agree_on_a_name(desk: WaitlistDesk) -> None:
    paper = FakeSheet(BOB, (*BOB[:3], "Colour"))
    keep = keeper(desk, paper)
    keep.sync()
    for line in (2, 3):
        paper.type(line, "Name", "Rob")
    assert keep.sync() == SyncReport(Counts(edited=1), version=2)
    for line, name in ((2, "Robert"), (3, "Bobby")):
        paper.type(line, "Name", name)
    assert keep.sync().problems == ()
    assert (paper.column("Name"), list(ours(desk))) == (["Robert"] * 2, ["Robert"])
    assert keep.sync() == SyncReport()


def test_a_copied_row_with_another_name_and_contact_is_another_person(desk: WaitlistDesk) -> None:
    paper = FakeSheet(BOB)
    keep = keeper(desk, paper)
    keep.sync()
    bob = ours(desk)["Bob"].entry.id
    paper.lines.insert(1, ["Dan", "", "dan@example.org", *paper.lines[1][3:]])
    paper.edited()
    keep.sync()

    assert sorted(ours(desk)) == ["Bob", "Dan"]
    assert ours(desk)["Bob"].entry.id == bob
    assert paper.column("id") == [ours(desk)["Dan"].entry.id, bob]


def test_a_row_does_not_add_a_person_who_sent_stop(desk: WaitlistDesk) -> None:
    desk.join("bob", Wish("Cut", 1, TODAY, TODAY))
    bob = next(iter(desk.reads.list_rows())).entry
    desk.do(StopOffers(bob.person_id))
    paper = FakeSheet(BOB)

    assert keeper(desk, paper).sync().problems == ()
    assert (paper.column("id"), paper.column("status")) == ([bob.id], ["stopped"])


@pytest.mark.spec("WL-02")
def test_when_a_third_of_the_rows_vanish_nothing_is_done_until_staff_say_so(
    desk: WaitlistDesk,
) -> None:
    lines = [(f"Guest {n}", "", f"g{n}@example.org", "Cut") for n in range(12)]
    paper = FakeSheet(*lines)
    keep = keeper(desk, paper)
    keep.sync()
    before = [*paper.lines]
    paper.remove(*range(2, 7))
    paper.add(name="New", e_mail="new@example.org", service="Cut")
    report = keep.sync()

    missing = tuple(sorted(ours(desk)[f"Guest {n}"].entry.id for n in range(5)))
    assert (sorted(report.missing), report.counts) == (list(missing), Counts())
    assert sorted(desk.reads.sheet.state().missing) == list(missing)
    assert "New" not in ours(desk)
    assert status(desk, "Guest 0") == "waiting"

    assert keep.sync(let_go=missing).counts == Counts(joined=1, left=5, written=6)
    assert status(desk, "Guest 0") == "left"
    assert desk.reads.sheet.state().missing == ()
    paper.lines = before
    paper.edited()
    assert keep.sync().counts.joined == 5


def test_when_one_column_was_sorted_without_the_others_nobody_gets_anothers_name(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(*[(f"Guest {n}", "", f"g{n}@example.org", "Cut") for n in range(6)])
    keep = keeper(desk, paper)
    keep.sync()
    before = [(one.name, one.email) for one in desk.reads.list_rows()]
    emails = paper.column("E-mail")
    for line, email in enumerate([*emails[1:], emails[0]], start=2):
        paper.type(line, "E-mail", email)

    assert len(keep.sync().missing) == 6
    assert [(one.name, one.email) for one in desk.reads.list_rows()] == before
    assert keep.go_back(1, by="member:1") == SyncReport()
    assert paper.column("E-mail") == emails


def test_an_edited_row_of_somebody_who_left_is_left_alone(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    desk.do(LeaveList(ours(desk)["Ann Lee"].entry.id))
    paper.type(2, "Until", "long ago")

    assert keep.sync() == SyncReport(Counts(written=1), version=2)
    assert (paper.cell(2, "Until"), paper.cell(2, "status")) == ("long ago", "left")


def test_rows_that_come_back_end_the_halt_by_themselves(desk: WaitlistDesk) -> None:
    paper = FakeSheet(*[(f"Guest {n}", "", f"g{n}@example.org", "Cut") for n in range(6)])
    keep = keeper(desk, paper)
    keep.sync()
    before = [*paper.lines]
    paper.remove(*range(2, 8))
    assert len(keep.sync().missing) == 6
    paper.lines = before
    paper.edited()

    assert keep.sync() == SyncReport()
    assert desk.reads.sheet.state().missing == ()


def test_a_staff_edit_in_the_instant_of_writing_is_not_lost(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    edits = iter(["5", "6"])
    paper.before_write = lambda: paper.type(2, "Pax", edit) if (edit := next(edits, "")) else None

    assert keeper(desk, paper).sync() == SyncReport(
        Counts(joined=1, edited=2, written=5), version=1
    )
    assert (paper.cell(2, "Pax"), ours(desk)["Ann Lee"].entry.party) == ("6", 6)


def test_saving_an_older_copy_removes_nobody_from_the_list(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    older = [[*line] for line in paper.lines]
    desk.join("cat", lane=Lane.FORM)
    keep.sync()
    desk.run(ChangeWish(ours(desk)["Ann Lee"].entry.id, Wish("Cut", 3, TODAY, TODAY)))
    keep.sync()
    paper.lines = older
    paper.edited()

    keep.sync()
    assert (status(desk, "Cat"), paper.column("Name")) == ("waiting", ["Ann Lee", "Cat"])
    paper.remove(3)
    keep.sync()
    assert (status(desk, "Cat"), paper.column("Name")) == ("left", ["Ann Lee"])


def test_a_sheet_that_keeps_changing_is_left_for_later(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN)
    paper.before_write = paper.edited
    report = keeper(desk, paper).sync()

    assert report.trouble == "Somebody is changing the sheet at this moment. We will try again."
    assert desk.reads.sheet.state().trouble == report.trouble


@pytest.mark.parametrize("on_paper", [True, False], ids=["a sheet", "the built-in table"])
def test_of_two_that_sync_at_once_the_second_looks_again(
    desk: WaitlistDesk, monkeypatch: pytest.MonkeyPatch, on_paper: bool
) -> None:
    desk.join("bob")
    store: Store = desk.store
    commit = store.commit
    quicker = iter([KeepVersion("wl", Version(VersionHead(1, NINE, "sheet", "another"), ()))])

    def after_somebody_else(accepted: Accepted, *, by: str, at: datetime) -> Committed:
        for change in quicker:
            commit(Accepted((change,)), by=by, at=at)
        return commit(accepted, by=by, at=at)

    monkeypatch.setattr(desk.store, "commit", after_somebody_else)
    report = keeper(desk, FakeSheet(ANN) if on_paper else None).sync()

    assert (report.counts.joined, report.trouble, report.version) == (int(on_paper), "", 2)
    assert [(head.number, head.source) for head in desk.reads.sheet.heads(5)] == [
        (2, "paper" if on_paper else TABLE),
        (1, "another"),
    ]


@pytest.mark.spec("FD-02")
def test_a_crash_between_the_commands_and_the_writing_loses_and_doubles_nothing(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(ANN, BOB)

    def crash() -> None:
        raise Crash

    paper.before_write = crash
    with pytest.raises(Crash):
        keeper(desk, paper).sync()
    assert len(desk.reads.list_rows()) == 2
    paper.before_write = lambda: None

    assert keeper(desk, paper).sync() == SyncReport(Counts(written=10), version=1)
    assert sorted(paper.column("id")) == sorted(one.entry.id for one in desk.reads.list_rows())


@pytest.mark.spec("WL-02")
def test_restoring_a_version_keeps_people_who_joined_since(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN, BOB)
    keep = keeper(desk, paper)
    keep.sync()
    bob = ours(desk)["Bob"].entry.id
    paper.type(2, "Until", "5/12/2026")
    paper.remove(3)
    keep.sync()
    desk.join("cat", lane=Lane.FORM)
    report = keep.go_back(1, by="member:1")

    assert (report.counts, report.problems) == (Counts(joined=1, edited=1), ())
    assert paper.column("Name") == ["Ann Lee", "Cat", "Bob"]
    assert paper.cell(2, "Until") == "30/11/2026"
    assert ours(desk)["Ann Lee"].entry.latest_on.isoformat() == "2026-11-30"
    back = ours(desk)["Bob"].entry
    assert (back.id, back.status.value, back.joined_at) == (
        bob,
        "waiting",
        NINE - timedelta(days=6, minutes=30),
    )
    assert [(head.number, head.by) for head in desk.reads.sheet.heads(2)] == [
        (4, "member:1"),
        (3, "member:1"),
    ]
    assert keep.go_back(99, by="member:1") == SyncReport(trouble="There is no such version.")


@pytest.mark.spec("WL-02")
def test_restoring_a_version_with_two_rows_of_a_person_works_after_an_address_change(
    desk: WaitlistDesk,
) -> None:
    both = [("Ann", "", "ann@example.org", service) for service in ("Cut", "Colour")]
    paper = FakeSheet(*both)
    keep = keeper(desk, paper)
    keep.sync()
    paper.remove(3)
    paper.type(2, "Name", "Bob")
    paper.type(2, "E-mail", "bob@example.org")
    assert keep.sync().counts == Counts(edited=1, left=1)

    report = keep.go_back(1, by="member:1")

    assert (report.counts, report.problems) == (Counts(joined=1, edited=1), ())
    assert sorted(
        (one.name, one.email, one.entry.service, one.entry.status.value)
        for one in desk.reads.list_rows()
    ) == [(*("Ann", "ann@example.org"), each, "waiting") for each in ("Colour", "Cut")]
    assert keep.sync() == SyncReport()


@pytest.mark.spec("WL-02")
def test_a_change_by_the_person_during_a_sync_is_not_overwritten(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    ann = ours(desk)["Ann Lee"].entry
    paper.type(2, "Until", "5/12/2026")

    def meanwhile() -> str:
        """Changes the entry when the sync asks for an id, while it plans."""
        desk.run(ChangeWish(ann.id, replace(ann.wish, party=3)))
        return "another id"

    desk.engine.new_id = meanwhile

    assert keep.sync().counts == Counts(edited=1, written=1)
    latest_on = TODAY.replace(month=12, day=5)
    assert desk.entry(ann.id).wish == replace(ann.wish, party=3, latest_on=latest_on)
    assert paper.cell(2, "Pax") == "3"


@pytest.mark.spec("WL-02")
def test_the_built_in_table_has_versions_too(desk: WaitlistDesk) -> None:
    keep = keeper(desk, None)
    desk.join("ann")
    desk.join("bob")
    assert keep.sync() == SyncReport(version=1)
    assert keep.sync() == SyncReport()
    desk.do(ChangeWish(EntryId("ann"), Wish("cut", 3, TODAY, TODAY)))
    desk.do(LeaveList(EntryId("bob")))
    desk.join("cat")

    assert keep.go_back(1, by="member:1").counts == Counts(joined=1, edited=1)
    assert desk.entry("ann").party == 1
    assert [status(desk, name) for name in ("Ann", "Bob", "Cat")] == ["waiting"] * 3


@pytest.mark.spec("WL-02")
def test_the_built_in_table_has_a_version_at_most_once_an_hour_in_all_processes(
    desk: WaitlistDesk,
) -> None:
    """On AWS each function that is called for a change has its own sync object."""

    def turns() -> bool:
        hour = timedelta(hours=1)
        return SheetSync(desk.engine, desk.clock, list_table("SG"), table_every=hour).turn()

    desk.join("ann")
    assert turns()
    desk.join("bob")
    assert not turns()

    desk.clock.move_to(desk.clock.now() + timedelta(hours=1))
    assert turns()

    last = desk.reads.sheet.last()
    assert last is not None
    assert (last.head.number, len(last.rows)) == (2, 3)


def test_from_one_source_to_another_everybody_comes_along(desk: WaitlistDesk) -> None:
    desk.join("ann")
    keeper(desk, None).sync()
    paper = FakeSheet(BOB)

    assert keeper(desk, paper).sync().counts == Counts(joined=1, written=8)
    assert (paper.column("Name"), status(desk, "Ann")) == (["Bob", "Ann"], "waiting")


def test_a_sheet_without_headings_or_that_cannot_be_read_changes_nothing(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    keep.sync()
    paper.lines[0] = ["Shopping list"]
    paper.edited()
    assert keep.sync().trouble.startswith("There is no row with headings")
    paper.broken = "There is no such file."
    assert keep.sync() == SyncReport(trouble="There is no such file.")
    assert status(desk, "Ann Lee") == "waiting"


@pytest.mark.spec("WL-02")
def test_lasting_trouble_is_reported_by_any_process(desk: WaitlistDesk) -> None:
    """Each turn may run in a new function that knows nothing about the previous turn."""
    paper = FakeSheet(ANN)
    keeper(desk, paper).sync()
    paper.lines[0] = ["Shopping list"]
    paper.edited()

    for _ in range(12):
        SheetSync(desk.engine, desk.clock, list_table("SG"), paper, changed=False).turn()
        desk.wait(minutes=3)

    told = [one for one in desk.reads.facts("waitlist") if isinstance(one.fact, SheetTroubled)]
    assert [(one.at, one.fact) for one in told] == [(NINE + 5 * 3 * MINUTE, SheetTroubled(NINE))]


def test_it_is_due_when_either_side_has_changed_and_looks_no_more_often_than_it_may(
    desk: WaitlistDesk,
) -> None:
    paper = FakeSheet(ANN)
    keep = keeper(desk, paper)
    desk.store.on_commit(keep.on_commit)

    def turns() -> list[bool]:
        found = []
        for _ in range(3):
            desk.wait(seconds=1)
            found.append(keep.turn())
        return found

    assert turns() == [True, True, False]
    paper.type(2, "Pax", "3")
    assert keep.turn() is False
    assert turns() == [True, False, False]
    desk.join("cat")
    assert turns() == [True, True, False]


def test_an_erased_person_is_erased_from_the_sheet(desk: WaitlistDesk) -> None:
    paper = FakeSheet(ANN, BOB, headings=(*FakeSheet().lines[0], "Notes"))
    paper.type(2, "Notes", "Ann's allergy")
    keep = keeper(desk, paper)
    keep.sync()
    ann = ours(desk)["Ann Lee"].entry
    desk.do(LeaveList(ann.id))
    erase = Accepted((ErasePerson(ann.person_id),))
    desk.store.commit(erase, by="test", at=desk.clock.now())

    first = desk.reads.sheet.version(1)
    assert first is not None
    assert [row.cells[0] for row in first.rows] == ["Name", "Bob"]
    keep.sync()
    assert [cell for cell in paper.lines[1] if cell] == [ann.id, "erased"]
    assert keep.sync() == SyncReport()


@pytest.mark.spec("WL-02", "WL-19")
@pytest.mark.parametrize("on_paper", [True, False], ids=["a sheet", "the built-in table"])
def test_restoring_an_older_version_keeps_booked_people_booked(
    desk: WaitlistDesk, on_paper: bool
) -> None:
    paper = FakeSheet() if on_paper else None
    desk.join("ann")
    desk.join("bob")
    keep = keeper(desk, paper)
    keep.sync()
    desk.settle().free()
    desk.settle().do(ClaimOffer(SlotId("s1"), 1))
    keep.sync()
    if paper is not None:
        paper.remove(2)
        keep.sync()

    keep.go_back(1, by="member:1")
    desk.settle()
    keep.sync()

    assert (desk.status("ann"), desk.slot().booked_by) == (EntryStatus.BOOKED, "ann")
    assert desk.status("bob") is EntryStatus.WAITING
    assert desk.problems() == []
