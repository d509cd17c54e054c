"""A sheet's rows, writes to it, and its versions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol

from frontdesk.core.decision import Change
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen

#: The author of a sync's commits.
BY: Final = "sheet"


class Row(Frozen):
    """One row of cells as text; `line` is its number in the sheet, from 1."""

    line: int
    cells: tuple[str, ...]

    def cell(self, place: int | None) -> str:
        """The text of a cell; empty if there is none."""
        return self.cells[place].strip() if place is not None and place < len(self.cells) else ""


class Snapshot(Frozen):
    """All rows that are not empty, headings included. `token` identifies this state."""

    token: str
    rows: tuple[Row, ...]


class SheetWrite(Frozen):
    """The text for one cell. `place` counts from 0."""

    line: int
    place: int
    text: str
    column: str | None = None
    """The key of its column, so that a source with types can write a date."""


class RowWrite(Frozen):
    """A row to add below the last."""

    cells: tuple[SheetWrite, ...]
    """Their `line` is 0; the source sets it."""


class SheetProblem(Frozen):
    """The reason why a row is ignored or left unchanged. It quotes no cell."""

    line: int
    column: str
    text: str


class SheetSource(Protocol):
    """A file or spreadsheet that staff edit."""

    @property
    def name(self) -> str:
        """Identifies the list: 'file:waitlist.csv'."""

    @property
    def every(self) -> timedelta:
        """The interval between checks for changes."""

    @property
    def is_saved_whole(self) -> bool:
        """Whether saving replaces the whole file, including rows that came in after staff opened
        it."""

    def glance(self) -> str:
        """Returns a state that is cheap to read: if it differs, the sheet may have changed. Empty
        while somebody is writing the sheet."""

    def read(self) -> Snapshot:
        """Reads all rows. Raises `SourceFailed` if that is not possible."""

    def write(self, token: str, cells: Sequence[SheetWrite], appends: Sequence[RowWrite]) -> bool:
        """Writes cells and rows without losing anybody's edit. Returns False if the sheet has
        changed since `token`; the caller then reads it again."""


# --- versions -------------------------------------------------------------------------------


class Counts(Frozen):
    """Counts of a sync's changes."""

    joined: int = 0
    edited: int = 0
    left: int = 0
    written: int = 0
    """Cells and rows that we wrote."""


class SyncReport(Frozen):
    """The result of a sync."""

    counts: Counts = Counts()
    problems: tuple[SheetProblem, ...] = ()
    missing: tuple[str, ...] = ()
    """Rows that vanished together: the sync did nothing, and staff decide."""
    trouble: str = ""
    """The reason why the sync could do nothing."""
    version: int = 0
    """The number of the new version; 0 if nothing changed."""


class VersionHead(Frozen):
    """A version without its rows."""

    number: int
    kept_at: datetime
    by: str
    source: str
    counts: Counts = Counts()
    problem_count: int = 0
    problems: tuple[SheetProblem, ...] = ()
    """The first problems."""


class Version(Frozen):
    """The list at a moment when the sheet and the table agreed."""

    head: VersionHead
    rows: tuple[Row, ...]
    unsettled: frozenset[int] = frozenset()
    """Lines on which they did not agree."""
    unseen: frozenset[str] = frozenset()
    """The ids of rows that we added, and that staff lose if they save an older copy."""


class SheetState(Frozen):
    """The state of the sync; shown to staff."""

    glance: str = ""
    """The source's `glance` at the last sync."""
    checked_at: datetime | None = None
    problems: tuple[SheetProblem, ...] = ()
    trouble: str = ""
    """The reason why the sheet could not be read or written."""
    missing: tuple[str, ...] = ()
    """Rows that vanished together; the sync waits until staff decide."""
    troubled_since: datetime | None = None
    staff_know: bool = False
    """Whether staff know of this trouble."""
    zone: str = ""
    """The zone in which local times of the sheet were read last."""


def sheet_state_setting(desk: str) -> SavedSetting[SheetState]:
    return SavedSetting(f"{desk}.sheet", SheetState, SheetState())


class SheetReads(Protocol):
    """Reads the versions and the state of a desk's sheet."""

    def state(self) -> SheetState: ...
    def last(self) -> Version | None: ...
    def version(self, number: int) -> Version | None: ...
    def heads(self, limit: int, *, before: int = 0) -> Sequence[VersionHead]:
        """Versions, the newest first, without their problems; only those before the number
        `before` if it is given."""


class KeepVersion(Change):
    """Adds a version. Condition: its number is the next one of the desk's sheet."""

    desk: str
    version: Version
