"""Edits of a row by staff, and the figures of a month."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from frontdesk.core.decision import Accepted, Decision, Refused, SetTimer
from frontdesk.core.people import CorrectPerson, Person, PersonId
from frontdesk.desks.waitlist.changes import AddEntry, WriteEntry
from frontdesk.desks.waitlist.commands import (
    ClaimOffer,
    EditEntry,
    LeaveList,
    SeenRow,
    SumUpMonth,
    TakeBackSlot,
)
from frontdesk.desks.waitlist.decide.entries import edit, sum_up
from frontdesk.desks.waitlist.facts import EntryEdited, EntryJoined, EntryLeft, MonthSummedUp
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Figures,
    Lane,
    Slot,
    SlotId,
    SlotStatus,
    figures,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import EditView, MonthView
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from tests.support.waitlist import (
    HOUR,
    MINUTE,
    NINE,
    OPENING,
    RULES,
    TODAY,
    WISH,
    WaitlistDesk,
    entry,
    slot,
)

ANN = Person(PersonId("p-ann"), "Ann", "ann@example.org", 3, mobile="+6591234567")
NOW = NINE + HOUR
SHOP = Catalogue((Service("cut", aliases=("trim",)), Service("colour")), ("mia",))
COLOUR = replace(WISH, service="colour")


def view(*others: Entry, **columns: Any) -> EditView:
    """Returns a view in which Ann has waited for a cut since nine."""
    ann = columns.pop("entry", entry("ann", version=4))
    return replace(EditView(RULES, ann, ANN, (ann, *others), ANN), **columns)


def written(before: EditView | None, **columns: Any) -> Decision:
    """Decides an edit of Ann's row with these columns changed."""
    plain = EditEntry(
        EntryId("ann"), EntryId("new"), ANN.name, ANN.email, ANN.mobile, WISH, joined_at=NINE
    )
    return edit(before, replace(plain, **columns), NOW)


# --- the wish ---------------------------------------------------------------------------------


@pytest.mark.spec("WL-01")
def test_a_row_is_edited_as_staff_wrote_it() -> None:
    wish = replace(WISH, party=2, staff="mia", priority=True, latest_on=TODAY)
    joined_at = NINE - HOUR
    edited = replace(
        entry("ann", party=2, staff="mia", priority=True, latest_on=TODAY),
        joined_at=joined_at,
        version=5,
    )

    assert written(view(), wish=wish, joined_at=joined_at) == Accepted(
        (WriteEntry(edited),), (EntryEdited(edited.id, 5, wish, joined_at),)
    )


@pytest.mark.spec("WL-01")
def test_a_row_that_says_the_same_changes_nothing() -> None:
    assert written(view()) == Refused(Reason.UNCHANGED)
    other_words = replace(WISH, service=" Trim", staff="")
    assert written(view(catalogue=SHOP), wish=other_words) == Refused(Reason.UNCHANGED)


SEEN = SeenRow(4, ANN.name, ANN.email, ANN.mobile)


@pytest.mark.parametrize(
    ("seen", "is_like_it"),
    [
        (SEEN, True),
        (replace(SEEN, version=3), False),
        (replace(SEEN, name="Anne"), False),
        (replace(SEEN, email="old@example.org"), False),
        (replace(SEEN, mobile=""), False),
    ],
)
def test_a_row_is_edited_only_as_it_was_seen(seen: SeenRow, is_like_it: bool) -> None:
    decision = written(view(), wish=replace(WISH, party=2), seen=seen)

    refused = Refused(Reason.CHANGED_MEANWHILE)
    assert (decision == refused, isinstance(decision, Accepted)) == (not is_like_it, is_like_it)


def test_nobody_joins_in_the_future() -> None:
    decision = written(view(), joined_at=NOW + 5 * HOUR)

    assert isinstance(decision, Accepted)
    assert decision.facts == (EntryEdited(EntryId("ann"), 5, WISH, NOW),)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"wish": replace(WISH, party=0)}, Reason.BAD_PARTY),
        ({"wish": replace(WISH, earliest_on=WISH.latest_on + timedelta(1))}, Reason.BAD_DATES),
        (
            {"wish": replace(WISH, earliest_on=date(2026, 1, 1), latest_on=date(2026, 1, 1))},
            Reason.DATES_PASSED,
        ),
        ({"wish": replace(WISH, service="glorp")}, Reason.NO_SUCH_SERVICE),
        ({"wish": replace(WISH, service="")}, Reason.NO_SUCH_SERVICE),
        ({"email": "", "mobile": ""}, Reason.NO_CONTACT),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(columns: dict[str, Any], reason: Reason) -> None:
    assert written(view(catalogue=SHOP), **columns) == Refused(reason)


@pytest.mark.parametrize("name", ["", "  ", "x" * 81])
def test_also_a_business_that_lists_no_services_needs_a_name_for_one(name: str) -> None:
    assert written(view(), wish=replace(WISH, service=name)) == Refused(Reason.NO_SUCH_SERVICE)


def test_people_keep_waiting_for_a_service_that_the_business_dropped() -> None:
    before = view(catalogue=Catalogue((Service("colour"),)))

    assert isinstance(written(before, wish=replace(WISH, party=2)), Accepted)


def test_a_missing_entry_cannot_be_edited() -> None:
    assert written(None) == Refused(Reason.NO_SUCH_ENTRY)
    gone = Person(ANN.id, "", "", 4, erased=True)
    assert written(view(person=gone, namesake=None)) == Refused(Reason.NO_SUCH_ENTRY)


@pytest.mark.parametrize("status", [each for each in EntryStatus if each != "waiting"])
def test_an_ended_entry_can_be_corrected_but_is_not_put_back(status: EntryStatus) -> None:
    passed = replace(WISH, earliest_on=date(2026, 1, 1), latest_on=date(2026, 1, 2))
    before = view(entry=entry("ann", status=status))

    decision = written(before, wish=passed)

    assert isinstance(decision, Accepted)
    [change] = decision.changes
    assert isinstance(change, WriteEntry)
    assert (change.entry.status, change.entry.wish) == (status, passed)
    assert written(before, wish=COLOUR) == Refused(Reason.NOT_WAITING)


# --- another service --------------------------------------------------------------------------


@pytest.mark.spec("WL-01")
def test_for_another_service_it_is_another_entry_in_the_same_place() -> None:
    left = entry("ann", status=EntryStatus.LEFT, version=5)
    new = replace(entry("new", service="colour", lane=Lane.STAFF), person_id=ANN.id)

    assert written(view(catalogue=SHOP), wish=COLOUR) == Accepted(
        (WriteEntry(left), AddEntry(new)),
        (
            EntryLeft(left.id, 5, quietly=True),
            EntryJoined(new.id, 1, ANN.id, COLOUR, Lane.STAFF, NINE),
        ),
    )


@pytest.mark.parametrize("status", [EntryStatus.LEFT, EntryStatus.BOOKED, EntryStatus.EXPIRED])
def test_an_entry_returns_to_a_service_that_it_waited_for_before(status: EntryStatus) -> None:
    past = replace(
        entry("old", service="colour", party=3, status=status, version=2), person_id=ANN.id
    )
    back = replace(past, party=1, status=EntryStatus.WAITING, lane=Lane.STAFF, version=3)

    decision = written(view(past), wish=COLOUR)

    assert isinstance(decision, Accepted)
    assert decision.changes[1:] == (WriteEntry(back),)
    assert decision.facts[1:] == (EntryJoined(back.id, 3, ANN.id, COLOUR, Lane.STAFF, NINE),)


def test_an_entry_is_not_moved_to_a_service_that_the_person_waits_for_or_refused() -> None:
    waits = entry("other", service="colour")
    stopped = replace(waits, status=EntryStatus.STOPPED)

    assert written(view(waits), wish=COLOUR) == Refused(Reason.ON_THE_LIST)
    assert written(view(stopped), wish=COLOUR) == Refused(Reason.STOPPED)


# --- name and contact -------------------------------------------------------------------------


def correction(**columns: Any) -> CorrectPerson:
    plain = CorrectPerson(
        ANN.id,
        3,
        ANN.name,
        ANN.email,
        "ann@example.org",
        new_address=False,
        mobile=ANN.mobile,
        name_before=ANN.name,
    )
    return replace(plain, **columns)


@pytest.mark.spec("WL-01", "FD-10")
@pytest.mark.parametrize(
    ("columns", "change"),
    [
        ({"name": "Ann Lee"}, correction(name="Ann Lee")),
        ({"mobile": ""}, correction(mobile="")),
        ({"email": "Ann@Example.org"}, correction(email="Ann@Example.org")),
        (
            {"email": "lee@example.org"},
            correction(email="lee@example.org", email_key="lee@example.org", new_address=True),
        ),
        ({"email": ""}, correction(email="", email_key="+6591234567", new_address=True)),
    ],
)
def test_a_corrected_contact_is_in_the_audit_and_only_a_new_address_counts_as_one(
    columns: dict[str, Any], change: CorrectPerson
) -> None:
    same = entry("ann", version=5)
    namesake = None if columns.get("email") == "lee@example.org" else ANN

    new_number = change.mobile != ANN.mobile
    edited = EntryEdited(
        same.id,
        5,
        WISH,
        NINE,
        new_contact=change.new_address or new_number,
        new_number=new_number,
        corrected=PersonId("p-ann"),
    )
    assert written(view(namesake=namesake), **columns) == Accepted(
        (change, WriteEntry(same)), (edited,)
    )


def test_nobody_is_given_the_address_of_somebody_else() -> None:
    bob = Person(PersonId("p-bob"), "Bob", "bob@example.org")

    assert written(view(namesake=bob), email=bob.email) == Refused(Reason.ADDRESS_TAKEN)


@pytest.mark.spec("FD-21")
def test_the_list_cannot_change_the_address_of_a_member_who_signs_in() -> None:
    before = view(namesake=None, signs_in=True)

    assert written(before, email="mine@example.org") == Refused(Reason.OF_THE_TEAM)
    assert isinstance(written(before, wish=replace(WISH, party=2)), Accepted)


@pytest.mark.spec("WL-01", "WL-13")
def test_moving_an_entry_to_another_service_withdraws_its_offer(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann", "bob").free()
    desk.settle()
    row = EditEntry(
        EntryId("ann"), EntryId("new"), "Ann", "ann@example.org", "", COLOUR, joined_at=NINE
    )

    desk.do(row)

    assert desk.tried() == [("ann", "withdrawn"), ("bob", "live")]
    assert (desk.status("ann"), desk.status("new")) == (EntryStatus.LEFT, EntryStatus.WAITING)
    assert desk.mail() == [("ann", "offer"), ("bob", "offer")]


# --- the month --------------------------------------------------------------------------------

#: Monday 7 December, nine in the morning in Singapore.
DUE = datetime(2026, 12, 7, 1, tzinfo=UTC)


def closed(status: SlotStatus, minutes: int, **columns: Any) -> Slot:
    plain = replace(slot(), status=status, closed_at=NINE + minutes * MINUTE)
    return replace(plain, **columns)


@pytest.mark.spec("WL-25")
def test_the_figures_count_slots_by_their_outcome() -> None:
    slots = [
        closed(SlotStatus.BOOKED, 10, booked_by="ann", offers=2),
        closed(SlotStatus.BOOKED, 5, booked_by="bob", offers=1),
        closed(SlotStatus.HANDED_BACK, 60, offers=3),
        slot(),
    ]

    found = figures(slots)

    assert found == Figures(
        freed=4, filled=2, handed_back=1, offers=6, seconds_to_fill=900, recovered_cents=9_000
    )
    assert found.average_to_fill == 7.5 * MINUTE
    assert figures([slot()]).average_to_fill is None


@pytest.mark.spec("WL-25")
@pytest.mark.parametrize(
    ("due_at", "again"),
    [(DUE, datetime(2027, 1, 4, 1, tzinfo=UTC)), (DUE - timedelta(35), DUE)],
    ids=["in time", "a month late"],
)
def test_each_month_is_summed_up_also_those_that_were_missed(
    due_at: datetime, again: datetime
) -> None:
    month = MonthView(RULES, date(2026, 11, 1), [closed(SlotStatus.HANDED_BACK, 1)], Catalogue())

    assert sum_up(month, SumUpMonth(due_at), DUE + HOUR) == Accepted(
        (),
        (MonthSummedUp(date(2026, 11, 1), Figures(freed=1, handed_back=1)),),
        (SetTimer("wl/summary/monthly", again),),  # type: ignore[arg-type]
    )


@pytest.mark.spec("WL-25")
def test_on_the_first_monday_at_nine_the_month_before_is_summed_up_by_the_clock_on_the_wall(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann").free()
    desk.settle().wait(minutes=3)
    desk.do(ClaimOffer(SlotId("s1"), 1))
    midnight = datetime(2026, 11, 30, 16, tzinfo=UTC)  # in Singapore
    for name, freed_at in (("last", midnight - MINUTE), ("first", midnight)):
        desk.wait(seconds=(freed_at - desk.clock.now()).total_seconds())
        desk.free(replace(OPENING, starts_at=midnight + 48 * HOUR), slot_id=name)
        desk.do(TakeBackSlot(SlotId(name)))

    desk.wait(days=7)

    [summed] = [one for one in desk.facts("waitlist") if isinstance(one.fact, MonthSummedUp)]
    assert summed.at == DUE
    assert summed.fact == MonthSummedUp(
        date(2026, 11, 1),
        Figures(2, 1, handed_back=1, offers=1, seconds_to_fill=180, recovered_cents=4_500),
    )
    assert desk.timers()["wl/summary/monthly"] == datetime(2027, 1, 4, 1, tzinfo=UTC)


def test_leaving_is_not_an_edit(desk: WaitlistDesk) -> None:
    """Staff correct a row after its person has left: it stays off the list."""
    desk.given("ann").do(LeaveList(EntryId("ann")))
    row = EditEntry(
        EntryId("ann"), EntryId("new"), "Ann Lee", "ann@example.org", "", WISH, joined_at=NINE
    )

    desk.do(row)

    assert desk.status("ann") is EntryStatus.LEFT
    person = desk.engine.reads().engine.person(PersonId("p-ann"))
    assert person is not None
    assert person.name == "Ann Lee"
