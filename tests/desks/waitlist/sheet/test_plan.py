"""What a sheet and the list owe each other, in one look."""

from __future__ import annotations

from itertools import count
from zoneinfo import ZoneInfo

from frontdesk.desks.waitlist.commands import LeaveList
from frontdesk.features.sheet_sync.model import OurRow, Row, Version, VersionHead
from frontdesk.features.sheet_sync.plan import Plan, plan
from frontdesk.features.sheet_sync.planner import Order
from frontdesk.features.sheet_sync.reading import Customs
from frontdesk.features.sheet_sync.restore import table_of
from tests.support.waitlist import NINE, TODAY, entry

CUSTOMS = Customs("SG", ZoneInfo("Asia/Singapore"), TODAY)
OURS = [OurRow(entry(who), who.title(), f"{who}@example.org", "") for who in ("ann", "bob")]
TABLE = table_of(OURS, CUSTOMS)
HEAD = VersionHead(1, NINE, "sheet", "paper")


def planned(base: Version | None, *theirs: Row) -> Plan:
    numbers = count(1)
    return plan(base, theirs, OURS, CUSTOMS, lambda: f"new{next(numbers)}")


def test_where_both_say_the_same_there_is_nothing_to_do() -> None:
    assert planned(Version(HEAD, TABLE), *TABLE) == Plan()
    assert planned(None, *TABLE) == Plan()


def test_a_row_that_is_gone_is_not_added_in_the_same_breath() -> None:
    leave = Order(0, LeaveList(OURS[1].entry.id, quietly=True))
    assert planned(Version(HEAD, TABLE), *TABLE[:2]) == Plan((leave,))


def test_without_a_version_nobody_is_taken_for_gone() -> None:
    missing = planned(None, *TABLE[:2])
    assert (missing.orders, len(missing.appends)) == ((), 1)
