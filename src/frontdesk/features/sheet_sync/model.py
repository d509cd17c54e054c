"""A sheet as it was read, writes to it, and its versions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol

from frontdesk.core.decision import Change
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.values import Frozen

#: Who commits what a sync finds.
BY: Final = "sheet"


class Row(Frozen):
    """One row of cells as text; `line` is its number in the sheet, from 1."""

    line: int
    cells: tuple[str, ...]

    def cell(self, place: int | None) -> str:
        """Nothing where the row has no such cell."""
        return self.cells[place].strip() if place is not None and place < len(self.cells) else ""


class Snapshot(Frozen):
    """Every row with something in it, the headings among them. `token` names this very state."""

    token: str
    rows: tuple[Row, ...]


class CellWrite(Frozen):
    """The text for one cell. `place` counts from 0."""

    line: int
    place: int
    text: str
    column: str | None = None
    """The key of its column, so that a source with types writes a date as one."""


class RowWrite(Frozen):
    """A whole row, to be added below the last."""

    cells: tuple[CellWrite, ...]
    """Their `line` is 0: the source finds it."""


class Problem(Frozen):
    """A row that is left out, or left as it was, and why. It quotes no cell."""

    line: int
    column: str
    text: str


class Source(Protocol):
    """A file or spreadsheet that staff edit."""

    @property
    def name(self) -> str:
        """Another one means another list: 'file:waitlist.csv'."""

    @property
    def every(self) -> timedelta:
        """The interval between checks for changes."""

    @property
    def is_saved_whole(self) -> bool:
        """Saving replaces the whole file, including rows that came in after the person had
        opened it."""

    def glance(self) -> str:
        """Cheap. Another one than before: it may have changed. Nothing: somebody is writing it
        at this moment."""

    def read(self) -> Snapshot:
        """Raises `SourceFailed` when there is nothing that can be read."""

    def write(self, token: str, cells: Sequence[CellWrite], appends: Sequence[RowWrite]) -> bool:
        """All of it, and nothing that anybody else wrote is lost. False: it has changed since
        `token` was read, and nothing was written."""


# --- versions -------------------------------------------------------------------------------


class Counts(Frozen):
    """Counts of a sync's changes."""

    joined: int = 0
    edited: int = 0
    left: int = 0
    written: int = 0
    """Cells and rows that we wrote."""


class Report(Frozen):
    """The result of a sync."""

    counts: Counts = Counts()
    problems: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()
    """So many rows are gone that nothing was done: staff say whether that is meant."""
    trouble: str = ""
    """The reason why the sync could do nothing."""
    version: int = 0
    """The number of the version that was kept, if anything had changed."""


class VersionHead(Frozen):
    """A version without its rows."""

    number: int
    kept_at: datetime
    by: str
    source: str
    counts: Counts = Counts()
    problem_count: int = 0
    problems: tuple[Problem, ...] = ()
    """The first of them."""


class Version(Frozen):
    """The list as it was agreed on: the sheet said this, and so did we."""

    head: VersionHead
    rows: tuple[Row, ...]
    unsettled: frozenset[int] = frozenset()
    """Lines on which the sheet and we did not agree."""
    unseen: frozenset[str] = frozenset()
    """The ids of rows that we added, and that staff may lose by saving an older copy."""


class SheetState(Frozen):
    """The state of the sync; shown to staff."""

    glance: str = ""
    """Of the source, when it was looked at last."""
    checked_at: datetime | None = None
    problems: tuple[Problem, ...] = ()
    trouble: str = ""
    """The reason why the sheet could not be read or written."""
    missing: tuple[str, ...] = ()
    """So many rows have gone at once that staff are asked; nothing is done until then."""
    troubled_since: datetime | None = None
    staff_know: bool = False
    """They were told of this trouble."""


def sheet_state_setting(desk: str) -> SavedSetting[SheetState]:
    return SavedSetting(f"{desk}.sheet", SheetState, SheetState())


class SheetReads(Protocol):
    """Reads the versions and the state of a desk's sheet."""

    def state(self) -> SheetState: ...
    def last(self) -> Version | None: ...
    def version(self, number: int) -> Version | None: ...
    def heads(self, limit: int, *, before: int = 0) -> Sequence[VersionHead]:
        """The newest first, without their problems; those before a number if one is given."""


class KeepVersion(Change):
    """Condition: its number is the next of the desk's sheet."""

    desk: str
    version: Version
