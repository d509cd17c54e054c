"""In any history of staff, customers and power cuts, no row is lost, and a synced sheet stays as it
is."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import ChangeWish, JoinList, LeaveList
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, Wish
from frontdesk.desks.waitlist.sheet import list_table
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.features.sheet_sync.model import SyncReport
from frontdesk.features.sheet_sync.sync import SheetSync
from tests.support.sheets import HEADINGS, Crash, FakeSheet
from tests.support.waitlist import TODAY, WISH, waitlist_desk_at

NAMES = st.sampled_from(("ann", "bob", "cat", "dan", "eve", "flo"))
SERVICES = st.sampled_from(("cut", "colour"))
CELLS = st.one_of(
    st.tuples(st.just("Pax"), st.sampled_from(("1", "2", "3 pax", "", "many"))),
    st.tuples(st.just("Until"), st.sampled_from(("20/12/2026", "2027-01-05", "", "31/31/2026"))),
    st.tuples(st.just("From"), st.sampled_from(("16/11/2026", "2026-12-24", ""))),
    st.tuples(st.just("Staff"), st.sampled_from(("mia", "", "anyone"))),
    st.tuples(st.just("VIP"), st.sampled_from(("yes", "no", "", "maybe"))),
    st.tuples(st.just("Service"), SERVICES),
    st.tuples(st.just("Mobile"), st.sampled_from(("", "9123 4567", "+65 8123 4567", "12"))),
    st.tuples(st.just("Name"), st.sampled_from(("Ann Lim", "Bob", ""))),
    st.tuples(st.just("Notes"), st.sampled_from(("likes tea", ""))),
)
PICK = st.integers(0, 50)


class History(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.desk = waitlist_desk_at(Path(self.folder.name)).given()
        self.paper = FakeSheet(headings=(*HEADINGS, "Notes"))
        self.keeper = SheetSync(self.desk.engine, self.desk.clock, list_table("SG"), self.paper)

    def teardown(self) -> None:
        self.desk.close()
        self.folder.cleanup()

    # --- staff --------------------------------------------------------------------------------

    @rule(name=NAMES, service=SERVICES, until=st.sampled_from(("", "24/12/2026", "soon")))
    def type_a_row(self, name: str, service: str, until: str) -> None:
        email = f"{name}@example.org"
        self.paper.add(name=name.title(), e_mail=email, service=service, until=until)

    @precondition(lambda self: len(self.paper.lines) > 1)
    @rule(pick=PICK, cell=CELLS)
    def type_a_cell(self, pick: int, cell: tuple[str, str]) -> None:
        self.paper.type(self.line(pick), *cell)

    @precondition(lambda self: len(self.paper.lines) > 1)
    @rule(pick=PICK)
    def take_a_row_out(self, pick: int) -> None:
        self.paper.remove(self.line(pick))

    @precondition(lambda self: len(self.paper.lines) > 1)
    @rule(pick=PICK, name=NAMES)
    def copy_a_row_for_somebody_else(self, pick: int, name: str) -> None:
        copy = [*self.paper.lines[self.line(pick) - 1]]
        copy += [""] * (3 - len(copy))
        copy[0], copy[2] = name.title(), f"{name}@example.org"
        self.paper.lines.append(copy)
        self.paper.edited()

    @rule()
    def sort_the_rows(self) -> None:
        self.paper.lines[1:] = sorted(self.paper.lines[1:])
        self.paper.edited()

    @precondition(lambda self: "id" in self.paper.lines[0])
    @rule()
    def clear_the_column_of_ids(self) -> None:
        for line in range(2, len(self.paper.lines) + 1):
            self.paper.type(line, "id", "")

    # --- customers ----------------------------------------------------------------------------

    @rule(name=NAMES, service=SERVICES)
    def join_by_the_form(self, name: str, service: str) -> None:
        """Uses new ids, since the people with the old ones may have other addresses."""
        wish = Wish(service, 1, WISH.earliest_on, WISH.latest_on)
        new, email = self.desk.engine.new_id, f"{name}@example.org"
        ids = EntryId(new()), PersonId(new())
        self.desk.run(JoinList(*ids, name.title(), email, wish, Lane.FORM))

    @rule(pick=PICK, party=st.integers(1, 4))
    def change_ones_wish(self, pick: int, party: int) -> None:
        if waiting := self.waiting():
            entry = waiting[pick % len(waiting)].entry
            self.desk.run(ChangeWish(entry.id, Wish(entry.service, party, TODAY, entry.latest_on)))

    @rule(pick=PICK)
    def leave_the_list(self, pick: int) -> None:
        if waiting := self.waiting():
            self.desk.run(LeaveList(waiting[pick % len(waiting)].entry.id))

    # --- syncs --------------------------------------------------------------------------------

    @rule(instant=st.sampled_from(("quiet", "staff edit", "crash")), pick=PICK, cell=CELLS)
    def sync(self, instant: str, pick: int, cell: tuple[str, str]) -> None:
        self.paper.before_write = self.interruption(instant, pick, cell)
        rows = len(self.paper.rows)
        try:
            report = self.keeper.sync()
        except Crash:
            report = SyncReport(trouble="crashed")
        self.paper.before_write = lambda: None
        if report.missing:
            report = self.keeper.sync(let_go=report.missing)
        if report.trouble:
            report = self.keeper.sync()
        assert (report.trouble, report.missing) == ("", ())
        assert len(self.paper.rows) >= rows
        self.check(report)

    def interruption(self, instant: str, pick: int, cell: tuple[str, str]) -> Any:
        once = iter((1,))

        def happen() -> None:
            if instant == "crash":
                raise Crash
            if instant == "staff edit" and next(once, None) and len(self.paper.lines) > 1:
                self.paper.type(self.line(pick), *cell)

        return happen

    @rule(pick=PICK)
    def go_back(self, pick: int) -> None:
        heads = self.desk.reads.sheet.heads(50)
        if heads:
            report = self.keeper.go_back(heads[pick % len(heads)].number, by="test")
            if not report.missing:
                assert report.trouble == ""
                self.check(report)

    def check(self, report: SyncReport) -> None:
        """Checks that the sheet and the list agree, and that another sync changes nothing."""
        rows = [self.paper.lines[at - 1] for at in range(2, len(self.paper.lines) + 1)]
        again = self.keeper.sync()
        assert again == SyncReport(problems=report.problems)
        assert rows == [self.paper.lines[at - 1] for at in range(2, len(self.paper.lines) + 1)]
        ids = Counter(self.paper.column("id"))
        wrong = {problem.line for problem in report.problems}
        for one in self.waiting():
            assert ids[one.entry.id] == 1 or wrong, one
        known = {one.entry.id for one in self.desk.reads.list_rows()}
        for line in range(2, len(self.paper.lines) + 1):
            if line not in wrong and any(self.paper.lines[line - 1]):
                assert EntryId(self.paper.cell(line, "id")) in known

    # --- reading ------------------------------------------------------------------------------

    def line(self, pick: int) -> int:
        return 2 + pick % (len(self.paper.lines) - 1)

    def waiting(self) -> list[ListRow]:
        ours = self.desk.reads.list_rows()
        return [one for one in ours if one.entry.status is EntryStatus.WAITING]


History.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestAnyHistory = pytest.mark.spec("WL-02")(History.TestCase)
