"""Every version of the list is stored, and one press restores an earlier one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.waitlist.model import EntryStatus
from frontdesk.desks.waitlist.sheet import list_table
from frontdesk.features.sheet_sync.console import EditingPlace, source_key, sync_key
from frontdesk.features.sheet_sync.model import SheetProblem, SheetState, sheet_state_setting
from frontdesk.features.sheet_sync.sync import SheetSync
from tests.desks.waitlist.console.counter import owner
from tests.desks.waitlist.console.office import edits, entry
from tests.support.salon import NINE, Salon

VERSIONS = "/console/waitlist/versions"


@pytest.fixture
def kept(salon: Salon) -> Salon:
    product = salon.product
    product.site.shared[sync_key("wl")] = SheetSync(product.engine, salon.clock, list_table("SG"))
    return salon


def keep(salon: Salon) -> None:
    keeper = salon.product.site.shared[sync_key("wl")]
    assert isinstance(keeper, SheetSync)
    keeper.sync()


@pytest.mark.spec("WL-02")
def test_one_press_goes_back_to_an_earlier_version_once_it_is_confirmed(kept: Salon) -> None:
    ann = kept.joins("Ann")
    keep(kept)
    host = owner(kept)
    edits(host, ann, party="4", staff="Jo")
    kept.later(timedelta(minutes=6))
    keep(kept)
    assert "Ann" in host.get(f"{VERSIONS}/1").says

    asked = host.act(f"{VERSIONS}/1", f"{VERSIONS}/1")
    assert (asked.heading, entry(kept, ann).party) == (
        "Go back to the list of Mon 16 Nov, 09:01:00?",
        4,
    )
    answer = host.act(f"{VERSIONS}/1", f"{VERSIONS}/1", confirmed="yes")
    assert answer.flash == "The list is as it was in version 1. 1 edited."
    assert (entry(kept, ann).party, entry(kept, ann).staff) == (1, "")
    assert len(kept.wl.sheet.heads(10)) == 3


@pytest.mark.spec("WL-02")
def test_rows_of_the_sheet_that_cannot_be_read_are_shown_by_row_and_column(kept: Salon) -> None:
    kept.product.site.shared[source_key("wl")] = EditingPlace("the file waitlist.csv")
    ann = kept.joins("Ann")
    problems = (SheetProblem(7, "Latest", "This is not a date we can read."),)
    state = SheetState("x", NINE, problems, "The file is open elsewhere.", missing=(ann,))
    written = WriteSetting(sheet_state_setting("wl"), kept.wl.sheet.state(), state)
    kept.product.store.commit(Accepted((written,)), by="test", at=NINE)

    host = owner(kept)
    says = host.get(VERSIONS).says

    assert "1 row is gone from the sheet of the waitlist" in host.get("/console").says
    assert "The list is kept in the file waitlist.csv." in says
    assert "The sheet could not be read or written. The file is open elsewhere." in says
    assert "Row 7 Latest This is not a date we can read." in says
    assert "1 row is gone from the sheet, all at once." in says
    assert entry(kept, ann).status is EntryStatus.WAITING


def test_without_versions_the_page_says_so_and_nothing_breaks(salon: Salon) -> None:
    del salon.product.site.shared[sync_key("wl")]
    host = owner(salon)

    assert "No versions yet" in host.get(VERSIONS).says
    for number in ("1", "x", "9" * 30):
        assert host.get(f"{VERSIONS}/{number}").status == 404
    answer = host.act("/console/waitlist/list/add", f"{VERSIONS}/sync")
    assert answer.flash == "Versions are not kept here, so there is nothing to do."
