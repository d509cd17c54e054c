"""Runs the sync of a desk's table with the sheet, and keeps a version for every change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from typing import Any, Final

from frontdesk.core.decision import Accepted, Fact, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Recorded
from frontdesk.errors import Busy, Conflict, SourceFailed
from frontdesk.features.sheet_sync.cells import applied
from frontdesk.features.sheet_sync.model import (
    BY,
    Counts,
    KeepVersion,
    Row,
    SheetProblem,
    SheetReads,
    SheetSource,
    SheetState,
    SyncReport,
    Version,
    VersionHead,
    sheet_state_setting,
)
from frontdesk.features.sheet_sync.plan import Plan, PlannedCommand, plan
from frontdesk.features.sheet_sync.restore import restore, table_of
from frontdesk.features.sheet_sync.schema import ID, Schema, SheetTable, TableRow
from frontdesk.logs import log
from frontdesk.values import replace

#: The most attempts if others change the sheet at the same time.
TRIES: Final = 5
#: The most passes of planning and running commands; more would be an endless loop.
PASSES: Final = 5
#: The number of commands that are submitted together.
AT_ONCE: Final = 100
#: The most problems that staff see.
MOST_PROBLEMS: Final = 200
#: The stored time of the last sync may be this old if nothing else is new.
STATE_AGE: Final = timedelta(hours=1)
#: The built-in table gets at most one version in this time.
TABLE_EVERY: Final = timedelta(minutes=5)
TABLE: Final = "table"
#: Trouble that lasts this long is reported to staff, once. Shorter trouble passes by itself.
ALERT_AFTER: Final = timedelta(minutes=15)

_BUSY: Final = "Somebody is changing the sheet at this moment. We will try again."
_NO_VERSION: Final = "There is no such version."
_REFUSED: Final = "This row could not be taken over."


class SyncRun:
    """The author and the counts of one sync, which may take several attempts."""

    def __init__(self, by: str, let_go: frozenset[str] = frozenset()) -> None:
        self.by = by
        self.let_go = let_go
        self.counts = Counts()
        self.unchanged: set[int] = set()

    def did(self, **more: int) -> None:
        sums = {name: getattr(self.counts, name) + number for name, number in more.items()}
        self.counts = replace(self.counts, **sums)


class SheetSync:
    """Runs one sync at a time in a process. Version numbers keep two processes apart.

    Without a source, it keeps versions of the built-in table and writes nothing.
    """

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        table: SheetTable,
        source: SheetSource | None = None,
        *,
        changed: bool = True,
        table_every: timedelta = TABLE_EVERY,
    ) -> None:
        """`changed` says that the table may have changed since the last sync."""
        self._engine = engine
        self._clock = clock
        self._table = table
        self._prefix = f"{table.code}."
        self._source = source
        self._turn = Lock()
        self._changed = changed
        self._table_every = table_every
        self._looked_at: datetime | None = None
        self._glance: str | None = None
        self._alert_at: datetime | None = None
        self._trouble_logged = ""

    # --- when ---------------------------------------------------------------------------------

    @property
    def every(self) -> timedelta:
        return self._source.every if self._source else self._table_every

    def on_commit(self, recorded: Sequence[Recorded]) -> None:
        """Called after a commit: notes whether the table has changed. Fast and thread-safe."""
        if any(each.fact.kind.startswith(self._prefix) and each.by != BY for each in recorded):
            self._changed = True

    def due(self, now: datetime) -> bool:
        """Whether a sync is needed. Checks the source no more often than its interval."""
        if self._looked_at is None and self._source is None:
            self._looked_at = self._sheet.state().checked_at
        if self._looked_at is not None and now < self._looked_at + self.every:
            return False
        self._looked_at = now
        if self._source is None:
            return self._changed
        if self._glance is None:
            state = self._sheet.state()
            self._glance, self._alert_at = state.glance, alert_due_at(state)
        try:
            glance = self._source.glance()
        except SourceFailed:
            return True
        is_alert_due = self._alert_at is not None and now >= self._alert_at
        return bool(glance) and (self._changed or is_alert_due or glance != self._glance)

    def turn(self) -> bool:
        """Syncs if it is due, and returns whether it was."""
        due = self.due(self._clock.now())
        if due:
            self.sync()
        return due

    # --- what ---------------------------------------------------------------------------------

    def sync(self, *, by: str = BY, let_go: Sequence[str] = ()) -> SyncReport:
        """Syncs sheet and table, except for rows with a problem.

        `let_go` has the ids of rows that may be missing, because staff confirmed it.
        """
        with self._turn:
            return self._sync(by, frozenset(let_go))

    def go_back(self, number: int, *, by: str) -> SyncReport:
        """Restores every row of this version. Newer rows stay."""
        with self._turn:
            self._sync(by, frozenset())
            version = self._sheet.version(number)
            if version is None:
                return SyncReport(trouble=_NO_VERSION)
            if self._source is None:
                return self._edit_table(version, by)
            try:
                if not self._write_back(self._source, version):
                    return SyncReport(trouble=_BUSY)
            except SourceFailed as bad:
                return SyncReport(trouble=str(bad))
            return self._sync(by, frozenset())

    def _sync(self, by: str, let_go: frozenset[str]) -> SyncReport:
        self._changed = False
        if self._source is None:
            return self._keep_table(SyncRun(by))
        glance, work = "", SyncRun(by, let_go)
        try:
            glance = self._source.glance()
            tries = (self._try(self._source, glance, work) for _ in range(TRIES if glance else 0))
            report = next(filter(None, tries), SyncReport(trouble=_BUSY))
        except SourceFailed as bad:
            report = SyncReport(trouble=str(bad))
        if report.trouble:
            self._changed = report.trouble == _BUSY
            self._note(SheetState(glance, trouble=report.trouble))
            if report.trouble != self._trouble_logged:
                log("sheet.trouble", why=report.trouble)
        self._trouble_logged = report.trouble
        self._glance = glance
        return report

    def _try(self, source: SheetSource, glance: str, work: SyncRun) -> SyncReport | None:
        """Makes one attempt. Returns None if somebody else changed the sheet or kept a version
        meanwhile."""
        snapshot = source.read()
        base = self._base(source.name)
        plan = self._carry_out(base, snapshot.rows, work)
        if plan.missing:
            self._note(SheetState(glance, missing=plan.missing))
            return SyncReport(missing=plan.missing)
        if plan.cells or plan.appends:
            if not source.write(snapshot.token, plan.cells, plan.appends):
                return None
            work.did(written=len(plan.cells) + len(plan.appends))
        problems = plan.problems[:MOST_PROBLEMS]
        version = Version(
            self._head(source.name, work, plan.problems),
            applied(snapshot.rows, plan.cells, plan.appends),
            frozenset(each.line for each in plan.problems),
            _unseen(base, snapshot.rows, plan) if source.is_saved_whole else frozenset(),
        )
        try:
            state = SheetState(glance, problems=problems, zone=self._zone)
            number = self._keep(base, version, state)
        except Conflict:
            return None
        return SyncReport(work.counts, problems, version=number)

    def _carry_out(self, base: Version | None, rows: Sequence[Row], work: SyncRun) -> Plan:
        """Plans and runs commands until none is left. A refusal becomes a problem of its row."""
        refused: dict[int, str] = {}
        is_moved = self._sheet.state().zone not in ("", self._zone)
        stale = self._table.local_times if is_moved else ()
        make_plan = partial(plan, let_go=work.let_go, stale=stale)
        for _ in range(PASSES):
            ours, schema, ids = self._rows(), self._schema(), self._engine.new_id
            found = make_plan(base, rows, ours, schema, ids, refused=refused)
            if found.missing or not found.commands:
                return found
            for start in range(0, len(found.commands), AT_ONCE):
                self._run(found.commands[start : start + AT_ONCE], refused, work)
        raise SourceFailed("The sheet and the list could not be synced.")

    def _run(
        self, commands: Sequence[PlannedCommand], refused: dict[int, str], work: SyncRun
    ) -> None:
        answers = [
            self._engine.submit(each.command, by=work.by, now=self._now) for each in commands
        ]
        for planned, answer in zip(commands, answers, strict=True):
            try:
                outcome = answer.result()
            except Busy:  # perhaps by an earlier command; the next pass retries
                continue
            if isinstance(outcome, Refused):
                if not self._is_retried(outcome, planned, work):
                    refused[planned.line] = self._table.refusals.get(outcome.reason, _REFUSED)
            else:
                work.did(**{planned.counts_as: 1})

    def _is_retried(self, refused: Refused, planned: PlannedCommand, work: SyncRun) -> bool:
        """Whether the next pass may succeed: the row has changed, or another row of the person did
        the same. A second 'unchanged' on one line counts as a refusal."""
        if refused.reason is self._table.changed_meanwhile:
            return True
        known = planned.line in work.unchanged
        work.unchanged.add(planned.line)
        return refused.reason is self._table.unchanged and not known

    # --- versions -----------------------------------------------------------------------------

    def _base(self, source: str) -> Version | None:
        """The last version, if it is of the same source."""
        last = self._sheet.last()
        return last if last is not None and last.head.source == source else None

    def _head(
        self, source: str, work: SyncRun, problems: Sequence[SheetProblem] = ()
    ) -> VersionHead:
        number = 1 + next((head.number for head in self._sheet.heads(1)), 0)
        shown = tuple(problems[:MOST_PROBLEMS])
        return VersionHead(number, self._now, work.by, source, work.counts, len(problems), shown)

    def _keep(self, base: Version | None, version: Version, state: SheetState) -> int:
        """Keeps a version if its rows are new. Returns its number, or 0."""
        same = base is not None and replace(base, head=version.head) == version
        self._note(state, *(() if same else (KeepVersion(self._table.code, version),)))
        return 0 if same else version.head.number

    def _note(self, state: SheetState, *versions: KeepVersion) -> None:
        """Writes the state if it has changed or is old."""
        before = self._sheet.state()
        now = self._now
        is_old = before.checked_at is None or now - before.checked_at >= STATE_AGE
        state = replace(state, checked_at=now, zone=state.zone or before.zone)
        state = continue_trouble(before, state, now)
        self._alert_at = alert_due_at(state)
        if not (is_old or versions or replace(before, checked_at=now) != state):
            return
        changes = (*versions, WriteSetting(sheet_state_setting(self._table.code), before, state))
        told = Accepted(changes, tuple(self._news(before, state, now)))
        try:
            self._engine.store.commit(told, by=BY, at=now)
        except Conflict:
            if versions:
                raise
            # Another process has just written the state of the same sheet.

    def _news(self, before: SheetState, state: SheetState, now: datetime) -> Iterator[Fact]:
        """Facts that cause messages to staff."""
        if state.missing and state.missing != before.missing:
            yield self._table.halted(len(state.missing), now)
        if state.troubled_since and state.staff_know and not before.staff_know:
            yield self._table.troubled(state.troubled_since)

    def _write_back(self, source: SheetSource, version: Version) -> bool:
        for _ in range(TRIES):
            snapshot = source.read()
            back = restore(snapshot.rows, version.rows, self._schema().columns)
            if not (back.cells or back.appends):
                return True
            if source.write(snapshot.token, back.cells, back.appends):
                return True
        return False

    # --- the built-in table -------------------------------------------------------------------

    def _keep_table(self, work: SyncRun) -> SyncReport:
        """Keeps a version of the built-in table. Tries again if another process kept one
        meanwhile."""
        for _ in range(TRIES):
            rows = table_of(self._rows(), self._schema())
            version = Version(self._head(TABLE, work), rows)
            try:
                number = self._keep(self._base(TABLE), version, SheetState())
            except Conflict:
                continue
            return SyncReport(work.counts, version=number)
        return SyncReport(work.counts, trouble=_BUSY)

    def _edit_table(self, version: Version, by: str) -> SyncReport:
        """Applies an old version to the built-in table, like an edit of all rows by staff."""
        now = self._base(TABLE)
        assert now is not None, "the table was kept just before"
        back = restore(now.rows, version.rows, self._schema().columns)
        work = SyncRun(by)
        plan = self._carry_out(now, applied(now.rows, back.cells, back.appends), work)
        return replace(self._keep_table(work), problems=plan.problems, missing=plan.missing)

    # --- here and now -------------------------------------------------------------------------

    @property
    def _now(self) -> datetime:
        return self._clock.now()

    @property
    def _zone(self) -> str:
        return self._table.zone(self._desk)

    @property
    def _desk(self) -> Any:
        return self._engine.reads().desk(self._table.code)

    @property
    def _sheet(self) -> SheetReads:
        sheet: SheetReads = self._desk.sheet
        return sheet

    def _rows(self) -> Sequence[TableRow]:
        return self._table.rows(self._desk, self._now)

    def _schema(self) -> Schema:
        return self._table.schema(self._desk, self._now)


def _unseen(base: Version | None, read: Sequence[Row], plan: Plan) -> frozenset[str]:
    """Ids of rows that we added and nobody has saved yet. A row that we add a second time does not
    count: staff who remove a row twice want it removed."""
    added = frozenset(cell.text for row in plan.appends for cell in row.cells if cell.column == ID)
    if base is None:
        return added
    untouched = applied(read, (), ()) == base.rows
    return (added - base.unseen) | (base.unseen if untouched else frozenset())


def continue_trouble(before: SheetState, state: SheetState, now: datetime) -> SheetState:
    """Continues the same trouble until a sync works, even if the reason changes."""
    if not state.trouble:
        return state
    since = before.troubled_since or now
    know = before.staff_know or now - since >= ALERT_AFTER
    return replace(state, troubled_since=since, staff_know=know)


def alert_due_at(state: SheetState) -> datetime | None:
    """The time at which to tell staff of the trouble if it lasts; None if they know already."""
    if state.troubled_since is None or state.staff_know:
        return None
    return state.troubled_since + ALERT_AFTER
