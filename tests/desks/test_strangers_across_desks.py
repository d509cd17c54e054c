"""No text goes to a number that a stranger typed beside an address, even after an offer is claimed
or staff correct the address of a booking."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Refused
from frontdesk.core.members import Role
from frontdesk.core.messages import IncomingText
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.model import Lane as BookedBy
from frontdesk.desks.booking.model import booking_id
from frontdesk.desks.reminders.commands import RecordAppointment
from frontdesk.desks.reminders.model import Appointment, AppointmentSource
from frontdesk.desks.waitlist.commands import (
    ClaimOffer,
    ConfirmNumber,
    EditEntry,
    JoinList,
    LeaveList,
    RemoveNumber,
    ResumeOffers,
    SetCatalogue,
    StopOffers,
)
from frontdesk.desks.waitlist.model import Entry, EntryId, EntryStatus, Lane, Opening, Wish
from frontdesk.desks.waitlist.replay import entry_differs
from frontdesk.desks.waitlist.sheet import list_table
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.sheet_sync.sync import SheetSync
from frontdesk.intake.sms import TextIn
from frontdesk.values import replace
from tests.support.dynamodb import needs_dynamodb
from tests.support.four_desks import FourDesks
from tests.support.reminders import FRIDAY, HOUR

STRANGE = "+6591234567"
OWN = "+6598765432"
NEW = "new@example.org"
KINDS = [
    pytest.param("sqlite", id="sqlite"),
    pytest.param("dynamodb", id="dynamodb", marks=needs_dynamodb),
]


@pytest.fixture(params=KINDS)
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FourDesks]:
    tables = request.getfixturevalue("dynamodb") if request.param == "dynamodb" else None
    is_given = "takes_bookings" in request.fixturenames
    takes_bookings: bool = not is_given or request.getfixturevalue("takes_bookings")
    shop = FourDesks(tmp_path, tables, takes_bookings=takes_bookings).opens()
    services = (Service("cut", duration=HOUR), Service("colour"))
    shop.do(SetCatalogue(Catalogue(services, ("Mira", "Ana"))))
    yield shop
    assert shop.problems() == []
    shop.close()


def joins(shop: FourDesks, service: str, mobile: str = "", email: str = "ann@example.org") -> Entry:
    return entry_now(shop, puts_on_the_list(shop, service, mobile, email))


def puts_on_the_list(
    shop: FourDesks, service: str, mobile: str, email: str, lane: Lane = Lane.FORM
) -> EntryId:
    today = shop.clock.now().date()
    wish = Wish(service, 1, today, today + timedelta(days=30))
    who, entry_id = PersonId(shop.new_id()), EntryId(shop.new_id())
    shop.do(JoinList(entry_id, who, "Ann", email, wish, lane, mobile=mobile))
    return entry_id


def entry_now(shop: FourDesks, entry_id: EntryId) -> Entry:
    entry = shop.wl.entry(entry_id)
    assert entry is not None
    return entry


def appointment(shop: FourDesks) -> Appointment:
    [found] = shop.appointments()
    return found


@pytest.mark.spec("FD-11", "BK-16", "AR-15")
@pytest.mark.parametrize("takes_bookings", [True, False], ids=["booking", "appointment"])
@pytest.mark.parametrize(
    ("mobile", "is_confirmed"), [("", False), (STRANGE, False), (STRANGE, True)]
)
def test_no_text_about_a_claimed_offer_goes_to_the_number_of_a_stranger(
    shop: FourDesks, takes_bookings: bool, mobile: str, is_confirmed: bool
) -> None:
    by_mail = not is_confirmed
    joins(shop, "colour", STRANGE)
    entry = joins(shop, "cut", mobile)
    if is_confirmed:
        shop.do(ConfirmNumber(entry.id))
        entry = entry_now(shop, entry.id)
    shop.intake.free("webhook:1", Opening("cut", FRIDAY, HOUR, 1, "Mira"), by="webhook")
    [slot] = shop.settle().slots()

    shop.do(ClaimOffer(slot.id, slot.offer_seq))

    assert entry.mail_only is by_mail
    joined_and_confirmed = shop.wl.facts_about(entry.id)[: 1 + is_confirmed]
    assert list(entry_differs(entry, joined_and_confirmed)) == []
    assert appointment(shop).tags.no_sms is by_mail
    bookings = [(one.mobile, one.is_told_by_text(STRANGE)) for one in shop.bookings()]
    assert bookings == ([("" if by_mail else STRANGE, not by_mail)] if takes_bookings else [])


@pytest.mark.spec("FD-11", "BK-13", "AR-15")
@pytest.mark.parametrize("on_the_list", [False, True], ids=["on their page", "on the waitlist"])
@pytest.mark.parametrize(("mobile", "told_at"), [(STRANGE, ""), (OWN, OWN)])
def test_a_corrected_address_brings_no_number_of_a_stranger_to_a_booking(
    shop: FourDesks, on_the_list: bool, mobile: str, told_at: str
) -> None:
    entry = joins(shop, "colour", STRANGE)
    made, who = booking_id(shop.new_id()), PersonId(shop.new_id())
    shop.do(Book(made, who, "cut", FRIDAY, "Ann", "ann@example.org"))

    if on_the_list:
        row = (EntryId(shop.new_id()), "Ann", NEW, mobile, entry.wish, entry.joined_at)
        shop.do(EditEntry(entry.id, *row))
    else:
        shop.do(CorrectContact(entry.person_id, "Ann", NEW, Role.OWNER, mobile))

    [booking] = shop.settle().bookings()
    assert (booking.email, booking.mobile) == (NEW, told_at)
    assert booking.is_told_by_text(mobile) is bool(told_at)
    assert appointment(shop).tags.no_sms is not bool(told_at)


@pytest.mark.spec("FD-11", "BK-13", "AR-15")
@pytest.mark.parametrize(("mobile", "by_text"), [("", False), (STRANGE, True)])
def test_a_booking_that_staff_make_for_an_address_is_told_at_no_number_of_a_stranger(
    shop: FourDesks, mobile: str, by_text: bool
) -> None:
    joins(shop, "colour", STRANGE)
    made, who = booking_id(shop.new_id()), PersonId(shop.new_id())

    by_phone = Book(made, who, "cut", FRIDAY, "Ann", "ann@example.org", mobile, lane=BookedBy.STAFF)
    shop.do(by_phone)

    [booking] = shop.bookings()
    assert booking.is_told_by_text(STRANGE) is by_text
    assert appointment(shop).tags.allows_texts is by_text


@pytest.mark.spec("FD-11", "AR-15")
@pytest.mark.parametrize(("mobile", "by_text"), [("", False), (STRANGE, True)])
def test_an_appointment_that_staff_add_for_an_address_is_told_at_no_number_of_a_stranger(
    shop: FourDesks, mobile: str, by_text: bool
) -> None:
    joins(shop, "colour", STRANGE)
    contact = (PersonId(shop.new_id()), "Ann", "ann@example.org", mobile)
    row = RecordAppointment(
        AppointmentSource.SHEET, "7", *contact, "cut", FRIDAY, HOUR, corrects=True
    )

    shop.do(row)

    assert appointment(shop).tags.allows_texts is by_text


@pytest.mark.spec("FD-11", "AR-15")
@pytest.mark.parametrize(("mobile", "by_text"), [(STRANGE, False), (OWN, True)])
def test_an_edit_of_other_cells_confirms_no_number(
    shop: FourDesks, mobile: str, by_text: bool
) -> None:
    """The sheet and the form show the number that we know. It counts as confirmed only if staff
    give another one."""
    joins(shop, "colour", STRANGE)
    contact = (PersonId(shop.new_id()), "Ann", "ann@example.org")
    visit = ("cut", FRIDAY, HOUR)
    sheet = AppointmentSource.SHEET
    shop.do(RecordAppointment(sheet, "7", *contact, "", *visit, corrects=True))

    shop.do(RecordAppointment(sheet, "7", *contact, mobile, *visit, staff="Mira", corrects=True))

    assert appointment(shop).staff == "Mira"
    assert appointment(shop).tags.allows_texts is by_text


@pytest.mark.spec("FD-11", "WL-06")
@pytest.mark.parametrize("is_confirmed", [False, True])
def test_stop_ends_the_offers_only_of_a_number_that_was_confirmed(
    shop: FourDesks, is_confirmed: bool
) -> None:
    entry = joins(shop, "cut", STRANGE)
    if is_confirmed:
        shop.do(ConfirmNumber(entry.id))

    stop = IncomingText(from_mobile=STRANGE, words="STOP", id="text-1", at=shop.clock.now())
    TextIn(shop.back).take(stop)

    status = EntryStatus.STOPPED if is_confirmed else EntryStatus.WAITING
    assert entry_now(shop, entry.id).status is status


@pytest.mark.spec("FD-15", "WL-06")
def test_stop_counts_however_many_addresses_strangers_typed_beside_the_number(
    shop: FourDesks,
) -> None:
    mine = [joins(shop, service, OWN, email="") for service in ("cut", "colour")]
    for number in range(60):
        joins(shop, "cut", OWN, email=f"e{number}@example.org")
    engine = shop.back.engine

    TextIn(shop.back).take(text(shop, "STOP"))

    assert engine.reads().engine.number_stopped(OWN)
    people = engine.reads().engine.people_by_mobile(OWN)
    consents = [engine.reads().engine.consent(one.id).about(OWN) for one in people]
    assert [one is not None and not one.given for one in consents] == [True] * 61
    assert {entry_now(shop, one.id).status for one in mine} == {EntryStatus.STOPPED}

    TextIn(shop.back).take(text(shop, "START"))
    TextIn(shop.back).take(text(shop, "STOP"))
    assert not engine.reads().engine.number_stopped(OWN), "the STOP is known already"


@pytest.mark.spec("FD-15", "WL-06")
def test_stop_ends_all_offers_however_many_services_somebody_waits_for(shop: FourDesks) -> None:
    services = [Service(f"service {number}", duration=HOUR) for number in range(45)]
    shop.do(SetCatalogue(Catalogue(tuple(services), ("Mira",))))
    mine = [joins(shop, one.name, OWN, email="") for one in services]

    TextIn(shop.back).take(text(shop, "STOP"))

    shop.settle()
    assert {entry_now(shop, one.id).status for one in mine} == {EntryStatus.STOPPED}

    shop.do(ResumeOffers(mine[0].person_id))
    assert {entry_now(shop, one.id).status for one in mine} == {EntryStatus.LEFT}


@pytest.mark.spec("WL-06")
@pytest.mark.parametrize("first", [StopOffers, ResumeOffers])
def test_of_a_stop_and_a_resumption_that_overlap_the_last_wins(
    shop: FourDesks, first: type[StopOffers | ResumeOffers]
) -> None:
    """A follower has done a part of the first command when staff give the other one."""
    services = [Service(f"service {number:02}", duration=HOUR) for number in range(15)]
    shop.do(SetCatalogue(Catalogue(tuple(services), ("Mira",))))
    mine = [joins(shop, one.name, OWN, email="") for one in services]
    who = mine[0].person_id
    if first is ResumeOffers:
        shop.do(StopOffers(who))
    last = StopOffers if first is ResumeOffers else ResumeOffers

    shop.run(first(who))
    shop.run(first(who, after=mine[3].id))
    shop.run(last(who))

    stopped = [entry_now(shop, one.id).wants_no_offers for one in mine]
    assert stopped == [*[last is StopOffers] * 4, *[first is StopOffers] * 4, *stopped[8:]]
    late = shop.run(first(who, after=mine[1].id))
    assert isinstance(late, Refused)
    shop.settle()
    assert {entry_now(shop, one.id).wants_no_offers for one in mine} == {last is StopOffers}


def text(shop: FourDesks, words: str) -> IncomingText:
    return IncomingText(from_mobile=OWN, words=words, id=words, at=shop.clock.now())


@pytest.mark.spec("FD-11", "WL-14")
def test_a_number_that_is_removed_leaves_the_address(shop: FourDesks) -> None:
    entry = joins(shop, "cut", STRANGE)
    before = shop.wl.person(entry.person_id)

    shop.do(RemoveNumber(entry.id))

    after = shop.wl.person(entry.person_id)
    assert before is not None
    assert after == replace(before, mobile="", contact_version=before.contact_version + 1)
    now = entry_now(shop, entry.id)
    assert now == replace(entry, version=2)
    assert list(entry_differs(now, shop.wl.facts_about(entry.id))) == []


@pytest.mark.spec("FD-11", "WL-02")
@pytest.mark.parametrize("by_staff", [False, True], ids=["removed by the customer", "by mistake"])
@pytest.mark.parametrize("leaves", [False, True], ids=["waits", "left"])
def test_going_back_to_an_earlier_list_confirms_no_number(
    shop: FourDesks, *, by_staff: bool, leaves: bool
) -> None:
    entry = joins(shop, "cut", STRANGE)
    going_back = sheet_sync(shop)
    before = going_back.sync().version
    if by_staff:
        edits_number(shop, entry, "")
    else:
        shop.do(RemoveNumber(entry.id))
    if leaves:
        shop.do(LeaveList(entry.id))
    later = joins(shop, "colour")

    going_back.go_back(before, by="staff")

    person = shop.settle().wl.person(entry.person_id)
    assert person is not None
    assert person.mobile == STRANGE
    found = [entry_now(shop, one.id) for one in (entry, later)]
    assert [(one.status, one.mail_only) for one in found] == [(EntryStatus.WAITING, True)] * 2
    for one in found:
        assert list(entry_differs(one, shop.wl.facts_about(one.id))) == []


@pytest.mark.spec("WL-02")
def test_going_back_brings_numbers_that_staff_gave_and_cleared_by_mistake(shop: FourDesks) -> None:
    entry = joins(shop, "cut", STRANGE)
    edits_number(shop, entry, OWN)
    going_back = sheet_sync(shop)
    before = going_back.sync().version
    edits_number(shop, entry, "")

    going_back.go_back(before, by="staff")

    person = shop.wl.person(entry.person_id)
    assert person is not None
    assert (person.mobile, entry_now(shop, entry.id).mail_only) == (OWN, False)


@pytest.mark.spec("FD-11", "WL-05")
def test_staff_confirm_a_number_after_a_removal_by_adding_them_again_with_it(
    shop: FourDesks,
) -> None:
    entry = joins(shop, "cut", STRANGE)
    shop.do(RemoveNumber(entry.id))

    shop.do(LeaveList(entry.id))

    puts_on_the_list(shop, "cut", OWN, "ann@example.org")
    assert entry_now(shop, entry.id).mail_only
    puts_on_the_list(shop, "cut", OWN, "ann@example.org", Lane.STAFF)

    person = shop.wl.person(entry.person_id)
    assert person is not None
    assert (person.mobile, entry_now(shop, entry.id).mail_only) == (OWN, False)


def sheet_sync(shop: FourDesks) -> SheetSync:
    return SheetSync(shop.back.engine, shop.clock, list_table("SG"))


def edits_number(shop: FourDesks, entry: Entry, mobile: str) -> None:
    row = (EntryId(shop.new_id()), "Ann", "ann@example.org", mobile, entry.wish, entry.joined_at)
    shop.do(EditEntry(entry.id, *row))
