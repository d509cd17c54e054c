"""The plan of one sync between a sheet and the list."""

from __future__ import annotations

from itertools import count
from zoneinfo import ZoneInfo

from frontdesk.desks.waitlist.commands import LeaveList
from frontdesk.desks.waitlist.sheet import ListSchema
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.features.sheet_sync.model import Row, Version, VersionHead
from frontdesk.features.sheet_sync.plan import Plan, PlannedCommand, plan
from frontdesk.features.sheet_sync.restore import table_of
from tests.support.waitlist import NINE, TODAY, entry

SCHEMA = ListSchema("SG", ZoneInfo("Asia/Singapore"), TODAY)
OURS = [ListRow(entry(who), who.title(), f"{who}@example.org", "") for who in ("ann", "bob")]
TABLE = table_of(OURS, SCHEMA)
HEAD = VersionHead(1, NINE, "sheet", "paper")


def planned(base: Version | None, *theirs: Row) -> Plan:
    numbers = count(1)
    return plan(base, theirs, OURS, SCHEMA, lambda: f"new{next(numbers)}")


def test_equal_sides_need_no_change() -> None:
    assert planned(Version(HEAD, TABLE), *TABLE) == Plan()
    assert planned(None, *TABLE) == Plan()


def test_a_removed_row_is_not_added_again_in_the_same_sync() -> None:
    leave = PlannedCommand(0, LeaveList(OURS[1].entry.id, quietly=True), "left")
    assert planned(Version(HEAD, TABLE), *TABLE[:2]) == Plan((leave,))


def test_without_an_earlier_version_no_row_counts_as_removed() -> None:
    missing = planned(None, *TABLE[:2])
    assert (missing.commands, len(missing.appends)) == ((), 1)
