"""Without the booking desk: a claimed offer of the waitlist is a row of the appointment sheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentSource,
    AppointmentState,
    Means,
    Window,
    appointment_id,
    nonce_of,
)
from frontdesk.desks.waitlist import commands as wl
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Lane, Opening, Slot, SlotId, SlotStatus, Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from frontdesk.wiring.between_desks.claimed_slots import is_managed_by_booking, slot_ref
from tests.desks.reminders.test_connections import Shop, owner
from tests.desks.reminders.test_sheet_sources import HEAD, turn
from tests.support.booking import MIRA, resource, rules, service
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, an_id
from tests.support.sheets import save_file

WISH = Wish("cut", 1, date(2026, 11, 16), date(2026, 12, 16))
OPENING = Opening("cut", FRIDAY, HOUR, 1, "Mia")
SLOT = SlotId(an_id("slot"))


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    file = tmp_path / "appointments.csv"
    save_file(file, HEAD)
    return file


@pytest.fixture
def shop(tmp_path: Path, sheet: Path) -> Iterator[Shop]:
    settings = {"reminders_sheet": str(sheet)}
    with closing(Shop(tmp_path / "data", desks_off="booking", more=settings)) as one:
        one.do(wl.SetCatalogue(Catalogue((Service("cut", duration=HOUR),), ("Mia",))))
        yield one
        assert one.settle().problems() == ()


def join(shop: Shop, who: str) -> None:
    entry, person = EntryId(an_id(f"entry {who}")), PersonId(an_id(who))
    mail = f"{who}@example.org"
    shop.do(wl.JoinList(entry, person, who.title(), mail, WISH, Lane.FORM))


def claim(shop: Shop, who: str = "ann") -> Appointment:
    """Frees a time, which the first in line claims."""
    join(shop, who)
    shop.do(wl.FreeSlot(SLOT, "webhook:1", OPENING))
    shop.do(wl.ClaimOffer(SLOT, slot(shop).offer_seq))
    return visit(shop)


def slot(shop: Shop, slot_id: SlotId = SLOT) -> Slot:
    found = waitlist(shop.product.engine.reads()).slot(slot_id)
    assert found is not None
    return found


def next_slot(shop: Shop, origin: str) -> Slot | None:
    return waitlist(shop.product.engine.reads()).slot_by_origin(f"{origin}:{SLOT}")


def visit(shop: Shop) -> Appointment:
    found = reminder_reads(shop.product.engine.reads()).appointment(
        appointment_id(AppointmentSource.SHEET, slot_ref(SLOT))
    )
    assert found is not None
    return found


def rows(sheet: Path) -> list[dict[str, str]]:
    with sheet.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.spec("AR-01", "AR-11")
def test_a_claim_is_a_row_of_the_sheet_and_is_reminded_of(shop: Shop, sheet: Path) -> None:
    one = claim(shop)
    turn(shop)

    assert (one.service, one.starts_at, one.duration, one.staff) == ("cut", FRIDAY, HOUR, "Mia")
    assert one.person_id == PersonId(an_id("ann"))
    (row,) = rows(sheet)
    assert (row["Name"], row["E-mail"], row["Date"], row["Time"], row["With"]) == (
        "Ann",
        "ann@example.org",
        "2026-11-20",
        "10:00",
        "Mia",
    )
    assert (row["Id"], row["Status"]) == (one.id, "no answer yet")
    page = owner(shop).get(f"/console/reminders/one/{one.id}").says
    assert "From the waitlist" in page
    assert "The customer took it from the waitlist: cut" in page
    assert "change it in the file appointments.csv." in page
    shop.wait_until(FRIDAY - DAY + HOUR)
    assert [each for each in shop.subjects("ann@") if "please confirm" in each] != []


@pytest.mark.spec("AR-11")
def test_a_customer_who_cancels_gives_the_time_back_to_the_waitlist(
    shop: Shop, sheet: Path
) -> None:
    one = claim(shop)
    turn(shop)
    join(shop, "bob")
    shop.wait_until(FRIDAY - 3 * DAY + HOUR)
    shop.do(ar.Cancel(one.id, one.chain, nonce_of(one.chain, Window.FIRST), Means.LINK))

    assert slot(shop).status is SlotStatus.CANCELLED
    again = next_slot(shop, "cancelled")
    assert again is not None
    assert again.status is SlotStatus.OPEN
    assert again.offer_seq == 1
    turn(shop)
    assert [row["Status"] for row in rows(sheet)] == ["cancelled"]
    assert [each for each in shop.subjects("ann@") if "ancelled" in each] == [
        "Cancelled: cut on Friday 20 November, 10:00 (UTC)"
    ]


@pytest.mark.spec("AR-11")
def test_a_row_that_staff_delete_ends_the_claim(shop: Shop, sheet: Path) -> None:
    claim(shop)
    turn(shop)
    other = "Cat,cat@example.org,cut,2026-11-21,10:00,Mia,,,\n"
    save_file(sheet, sheet.read_text() + other)
    turn(shop)
    save_file(sheet, "".join(line for line in sheet.open() if not line.startswith("Ann")))
    turn(shop)

    assert visit(shop).state is AppointmentState.CANCELLED
    assert slot(shop).status is SlotStatus.CANCELLED
    assert next_slot(shop, "cancelled") is not None


@pytest.mark.spec("AR-11")
def test_a_claim_that_is_cancelled_at_the_waitlist_ends_the_appointment_once(shop: Shop) -> None:
    claim(shop)
    entry, fresh = EntryId(slot(shop).booked_by), SlotId(an_id("fresh"))
    shop.do(wl.CancelBooking(SLOT, entry, fresh))

    assert visit(shop).state is AppointmentState.CANCELLED
    assert slot(shop, fresh).origin == f"cancelled:{SLOT}"
    ours = waitlist(shop.product.engine.reads()).slots(99)
    assert {each.id for each in ours} == {SLOT, fresh}


@pytest.mark.spec("AR-11")
def test_a_time_that_staff_do_not_want_offered_stays_with_them(shop: Shop) -> None:
    claim(shop)
    entry, fresh = EntryId(slot(shop).booked_by), SlotId(an_id("fresh"))
    shop.do(wl.CancelBooking(SLOT, entry, fresh, by_staff=True, offer=False))

    assert visit(shop).state is AppointmentState.CANCELLED
    assert [each.id for each in waitlist(shop.product.engine.reads()).slots(99)] == [SLOT]


@pytest.mark.spec("AR-15")
def test_a_no_show_at_either_desk_is_one_at_both(shop: Shop) -> None:
    one = claim(shop)
    shop.wait_until(FRIDAY + HOUR / 4)
    shop.do(ar.MarkNoShow(one.id))

    assert slot(shop).status is SlotStatus.NO_SHOW
    assert visit(shop).state is AppointmentState.NO_SHOW


@pytest.mark.spec("AR-18")
def test_a_row_that_moves_is_no_claim_any_more_and_its_own_time_comes_free_in_the_end(
    shop: Shop,
) -> None:
    one = claim(shop)
    shop.do(ar.MoveAppointment(one.id, FRIDAY + 2 * HOUR))

    assert slot(shop).status is SlotStatus.CANCELLED
    assert next_slot(shop, "cancelled") is None
    assert visit(shop).is_live
    shop.do(ar.EndAppointment(one.id))
    freed = waitlist(shop.product.engine.reads()).slot_by_origin(f"appointment:{one.id}.2")
    assert freed is not None
    assert freed.opening.starts_at == FRIDAY + 2 * HOUR


@pytest.mark.spec("AR-11", "BK-16")
def test_where_bookings_know_the_staff_a_claim_is_a_booking_alone(tmp_path: Path) -> None:
    with closing(Shop(tmp_path)) as shop:
        shop.opens(rules([service("cut", [MIRA])], [resource(MIRA)]))
        shop.do(wl.SetCatalogue(Catalogue((Service("cut", duration=HOUR),), ("Mira",))))
        join(shop, "ann")
        free = wl.FreeSlot(SLOT, "webhook:1", replace(OPENING, staff="Mira"))
        shop.product.engine.run(free, by="test", now=MONDAY)
        assert is_managed_by_booking(shop.product.engine.reads(), slot(shop)), (
            "before it was handed over"
        )
        shop.settle()
        shop.do(wl.ClaimOffer(SLOT, slot(shop).offer_seq))

        live = reminder_reads(shop.product.engine.reads()).live_after(MONDAY, "", 9)
        assert [each.source for each in live] == [AppointmentSource.BOOKING]


def given_to_zed(shop: Shop, sheet: Path) -> Appointment:
    """Lets staff write another customer into the row of Ann's claim."""
    claim(shop)
    turn(shop)
    save_file(sheet, sheet.read_text().replace("Ann,ann@", "Zed,zed@"))
    turn(shop)
    return visit(shop)


@pytest.mark.spec("AR-11", "AR-18")
def test_a_claim_that_staff_give_to_another_customer_is_theirs_alone(
    shop: Shop, sheet: Path
) -> None:
    one = given_to_zed(shop, sheet)

    assert one.person_id != PersonId(an_id("ann"))
    assert slot(shop).status is SlotStatus.CANCELLED
    assert next_slot(shop, "cancelled") is None, "the time is taken, so it is not offered"
    cancel = wl.CancelBooking(SLOT, EntryId(an_id("entry ann")), SlotId(an_id("again")))
    assert isinstance(shop.product.engine.run(cancel, by="link", now=shop.clock.now()), Refused)
    assert visit(shop).state is AppointmentState.EXPECTED


@pytest.mark.spec("AR-11")
def test_the_time_of_a_given_claim_comes_free_when_the_new_customer_cancels(
    shop: Shop, sheet: Path
) -> None:
    one = given_to_zed(shop, sheet)
    join(shop, "bob")
    shop.wait_until(FRIDAY - 3 * DAY + HOUR)
    shop.do(ar.Cancel(one.id, one.chain, nonce_of(one.chain, Window.FIRST), Means.LINK))

    again = waitlist(shop.product.engine.reads()).slot_by_origin(
        f"appointment:{one.id}.{one.chain}"
    )
    assert again is not None
    assert (again.status, again.offer_seq) == (SlotStatus.OPEN, 1)


def test_a_cancellation_that_crosses_the_edit_does_not_end_the_new_customer_s_appointment(
    shop: Shop, sheet: Path
) -> None:
    """The row has another customer when Ann cancels at the waitlist, but its slot has not ended
    yet."""
    claim(shop)
    turn(shop)
    new = shop.product.engine.new_id
    fresh = PersonId(new())
    old = visit(shop)
    row = ar.RecordAppointment(
        old.source, old.ref, fresh, "Zed", "zed@example.org", "", "cut", FRIDAY, HOUR, "Mia",
        corrects=True,
    )  # fmt: skip
    at = shop.clock.now()
    engine = shop.product.engine
    engine.run(row, by="sheet", now=at)
    cancel = wl.CancelBooking(SLOT, EntryId(an_id("entry ann")), SlotId(an_id("again")))
    engine.run(cancel, by="link", now=at)
    shop.settle()

    assert visit(shop).person_id == fresh
    assert visit(shop).state is AppointmentState.EXPECTED
