"""Slots, offers and entries: written, refused and read back; and races for one slot."""

from __future__ import annotations

from collections import Counter
from datetime import time, timedelta
from functools import partial
from typing import Any, cast

import pytest

from frontdesk.core.decision import Change, Command
from frontdesk.core.people import AddPerson
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.waitlist import changes as c
from frontdesk.desks.waitlist.commands import (
    ArmOffer,
    CancelBooking,
    ClaimOffer,
    DeclineOffer,
    FreeSlot,
    LapseOffer,
    MakeMove,
    WithdrawOffer,
)
from frontdesk.desks.waitlist.delivery import delivery_rules
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.desks.waitlist.facts import ClaimLost, SlotClaimed, SlotFreed
from frontdesk.desks.waitlist.invariants import overlapping
from frontdesk.desks.waitlist.model import (
    SAVED_RULES,
    Check,
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Offer,
    OfferState,
    OrderBy,
    Rules,
    Slot,
    SlotId,
    SlotStatus,
)
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Store
from frontdesk.values import replace
from tests.store.samples import commit, refused
from tests.support.at_once import all_at_once
from tests.support.waitlist import MINUTE, NINE, OPENING, RULES, TODAY, entry, render, slot

S1, S2, ANN, BOB = SlotId("s1"), SlotId("s2"), EntryId("ann"), EntryId("bob")
THREADS = 16
OTHER_RULES = Rules(
    "Europe/Berlin",
    (OrderBy.JOINED,),
    (Check.PARTY,),
    timedelta(minutes=5),
    QuietHours(time(22, 30), time(7)),
    3,
    2,
    timedelta(hours=1),
    2,
)


def wl(store: Store) -> WaitlistReads:
    return cast(WaitlistReads, store.reads().desk("wl"))


def add(one: Entry) -> tuple[Change, Change]:
    address = f"{one.person_id}@example.org"
    return AddPerson(one.person_id, one.id, address, address), c.AddEntry(one)


def given(store: Store, *entries: Entry, what: Slot | None = None) -> WaitlistReads:
    for one in entries:
        commit(store, *add(one))
    commit(store, c.AddSlot(what or slot()))
    return wl(store)


def offered(store: Store, *, live: bool = False) -> WaitlistReads:
    """Puts Ann and Bob on the list; Ann has the first offer."""
    reads = given(store, entry("ann"), entry("bob", joined=1))
    pending = Offer(S1, 1, ANN, OfferState.PENDING, NINE)
    commit(store, c.HoldSlot(S1, 1), c.AddOffer(pending))
    if live:
        commit(store, c.ArmSlot(S1, 1), move(1, "pending", "live", claim_by=True))
    return reads


def move(seq: int, before: str, after: str, *, claim_by: bool = False) -> c.MoveOffer:
    until = NINE + 10 * MINUTE if claim_by else None
    return c.MoveOffer(S1, seq, OfferState(before), OfferState(after), NINE, until)


# --- rows -----------------------------------------------------------------------------------


def test_a_slot_is_read_back_as_it_was_written(store: Store) -> None:
    open_one = slot(rules=OTHER_RULES)
    booked = Slot(
        S2,
        "tap:2",
        replace(OPENING, staff="", price_cents=0, capacity=4),
        RULES,
        NINE,
        SlotStatus.BOOKED,
        offers=3,
        nobody_fits=True,
        booked_by="ann",
        closed_at=NINE + MINUTE,
    )
    reads = given(store, what=open_one)
    commit(store, c.AddSlot(booked))

    assert reads.slot(S1) == reads.slot_by_origin("webhook:1") == open_one
    assert reads.slot(S2) == booked
    assert reads.slot(SlotId("none")) is reads.slot_by_origin("none") is None
    assert reads.slots(9) == [booked, open_one]
    assert reads.open_slots(9) == reads.idle_slots("cut", 9) == [S1]
    assert reads.idle_slots("colour", 9) == []


@pytest.mark.spec("WL-07")
def test_neither_id_nor_origin_of_a_slot_may_be_in_use(store: Store) -> None:
    given(store)
    later = slot(starts_at=OPENING.ends_at)

    assert refused(store, c.AddSlot(replace(later, id=S2)))
    assert refused(store, c.AddSlot(replace(later, origin="other")))
    assert not refused(store, c.AddSlot(replace(later, id=S2, origin="other")))


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(
    ("opening", "is_refused"),
    [
        ({}, True),
        ({"starts_at": OPENING.ends_at - MINUTE}, True),
        ({"starts_at": OPENING.starts_at - OPENING.duration + MINUTE}, True),
        ({"starts_at": OPENING.starts_at - 5 * MINUTE, "duration": timedelta(hours=3)}, True),
        ({"starts_at": OPENING.starts_at + MINUTE, "duration": MINUTE}, True),
        ({"service": "colour", "capacity": 3}, True),
        ({"staff": "Mia "}, True),
        ({"starts_at": OPENING.ends_at}, False),
        ({"starts_at": OPENING.starts_at - OPENING.duration}, False),
        ({"staff": "jo"}, False),
        ({"staff": ""}, False),
    ],
)
def test_a_staff_member_has_one_slot_at_a_time(
    store: Store, opening: dict[str, Any], is_refused: bool
) -> None:
    given(store)
    other = replace(slot(**opening), id=S2, origin="other")

    assert refused(store, c.AddSlot(other)) == is_refused


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(("capacity", "is_refused"), [(1, True), (2, False)])
def test_where_no_staff_member_is_named_the_only_place_of_a_service_is_given_once(
    store: Store, capacity: int, is_refused: bool
) -> None:
    given(store, what=slot(staff="", capacity=capacity))
    other = replace(slot(staff="", capacity=capacity), id=S2, origin="other")

    assert refused(store, c.AddSlot(other)) == is_refused
    table = replace(other, opening=replace(other.opening, service="table"))
    assert not refused(store, c.AddSlot(replace(table, id=SlotId("s3"), origin="table")))


@pytest.mark.spec("WL-07")
def test_staff_may_confirm_an_overlap_and_a_returned_slot_blocks_nothing(
    store: Store,
) -> None:
    reads = given(store)
    beside = replace(slot(), id=S2, origin="other", beside=(S1,), not_to=(ANN, BOB))
    third = replace(slot(), id=SlotId("s3"), origin="third", beside=(S1,))

    commit(store, c.AddSlot(beside))
    assert reads.slot(S2) == beside
    assert refused(store, c.AddSlot(third)), "S2 is there, too"
    commit(store, c.HandBackSlot(S2, 0, live=False, at=NINE))
    assert not refused(store, c.AddSlot(third))


@pytest.mark.spec("WL-07", "WL-19")
@pytest.mark.parametrize("order", [1, -1], ids=["ends first", "is freed first"])
@pytest.mark.parametrize("status", [SlotStatus.CANCELLED, SlotStatus.NO_SHOW])
def test_a_booking_ends_once_and_its_time_is_freed_in_the_same_commit(
    store: Store, status: SlotStatus, order: int
) -> None:
    reads = offered(store, live=True)
    next_one = replace(slot(), id=S2, origin=f"cancelled:{S1}")
    again = c.AddSlot(next_one, instead_of=S1)
    assert refused(store, c.EndBooking(S1, ANN, status, NINE)), "it is not booked"
    commit(store, c.BookSlot(S1, 1, ANN, NINE), move(1, "live", "claimed"))
    assert [one.id for one in reads.bookings(ANN)] == [S1]

    assert refused(store, c.EndBooking(S1, BOB, status, NINE), again)
    assert refused(store, c.AddSlot(next_one)), "its time is taken as long as it is booked"
    both = (c.EndBooking(S1, ANN, status, NINE + MINUTE), again)
    assert not refused(store, *both[::order])
    assert refused(store, c.EndBooking(S1, ANN, status, NINE))

    ended = replace(booked_slot(), status=status, booked_by="ann", closed_at=NINE + MINUTE)
    assert (reads.slot(S1), reads.slot(S2)) == (ended, next_one)
    assert reads.bookings(ANN) == reads.bookings(BOB) == []


@pytest.mark.spec("WL-19")
def test_an_offer_that_is_not_out_yet_is_booked_only_as_it_was_read(store: Store) -> None:
    offered(store)

    assert refused(store, c.BookSlot(S1, 1, ANN, NINE))
    assert not refused(store, c.BookSlot(S1, 1, ANN, NINE, live=False))


def test_an_entry_is_read_back_as_it_was_written(store: Store) -> None:
    full = entry(
        "ann",
        party=3,
        earliest_on=TODAY,
        latest_on=TODAY,
        staff="mia",
        priority=True,
        status=EntryStatus.LEFT,
        lane=Lane.INBOX,
        version=7,
    )
    reads = given(store, full, entry("bob"))

    assert reads.entry(ANN) == full
    assert reads.entries_of(full.person_id) == [full]
    assert reads.entries() == [full, entry("bob")]
    assert reads.entries(after="ann") == reads.entries(status=EntryStatus.WAITING) == [entry("bob")]
    assert reads.entry(EntryId("none")) is None
    assert reads.soonest_to_expire(9) == [entry("bob")]


def test_the_services_that_people_wait_for_are_found_and_counted(store: Store) -> None:
    names = ("cut", "cut", "cut:", "Färben", "colour")
    waiting = [entry(f"p{n}", service=name, joined=n) for n, name in enumerate(names)]
    reads = given(store, *waiting, entry("left", service="nails", status=EntryStatus.LEFT))

    assert reads.services_waited_for(9) == ["Färben", "colour", "cut", "cut:"]
    assert len(reads.services_waited_for(2)) == 2
    assert [reads.count_waiting(name) for name in ("cut", "cut:", "nails")] == [2, 1, 0]


@pytest.mark.spec("WL-05")
def test_a_person_has_one_entry_for_each_service(store: Store) -> None:
    given(store, entry("ann"))
    again = replace(entry("ann"), id=EntryId("again"))

    assert refused(store, c.AddEntry(again))
    assert not refused(store, c.AddEntry(replace(again, service="colour")))


def test_an_entry_is_written_only_from_its_version_as_read(store: Store) -> None:
    reads = given(store, entry("ann"))
    changed = entry("ann", party=2, status=EntryStatus.STOPPED, version=2)

    assert refused(store, c.WriteEntry(replace(changed, version=3)))
    assert not refused(store, c.WriteEntry(changed))
    assert refused(store, c.WriteEntry(changed))
    assert reads.entry(ANN) == changed
    assert refused(store, c.EntryAsRead(ANN, 1))
    assert not refused(store, c.EntryAsRead(ANN, 2))


@pytest.mark.spec("WL-06")
def test_an_entry_may_be_booked_and_want_no_more(store: Store) -> None:
    reads = given(store, entry("ann"))
    booked = entry("ann", status=EntryStatus.BOOKED, no_more=True, version=2)

    assert not refused(store, c.WriteEntry(booked))
    assert reads.entry(ANN) == booked


@pytest.mark.spec("FD-11")
def test_an_entry_that_is_told_by_mail_only_is_read_back_as_it_was_written(store: Store) -> None:
    by_mail = entry("ann", mail_only=True)
    reads = given(store, by_mail)
    assert reads.entry(ANN) == by_mail

    commit(store, c.WriteEntry(replace(by_mail, mail_only=False, version=2)))

    assert reads.entry(ANN) == replace(by_mail, mail_only=False, version=2)


def test_rules_are_kept(store: Store) -> None:
    assert wl(store).rules() == Rules()

    commit(store, WriteSetting(SAVED_RULES, Rules(), OTHER_RULES))

    assert wl(store).rules() == OTHER_RULES
    commit(store, WriteSetting(SAVED_RULES, OTHER_RULES, replace(OTHER_RULES, down_fitting=None)))
    assert wl(store).rules().down_fitting is None


# --- conditions -----------------------------------------------------------------------------


@pytest.mark.spec("WL-12")
def test_a_slot_is_held_once_at_a_time_by_the_next_number(store: Store) -> None:
    reads = given(store)

    assert refused(store, c.HoldSlot(S1, 2))
    assert not refused(store, c.HoldSlot(S1, 1))
    assert refused(store, c.HoldSlot(S1, 1))
    assert refused(store, c.HoldSlot(S1, 2))
    assert reads.slot(S1) == replace(slot(), offer_seq=1, offers=1)
    assert reads.idle_slots("cut", 9) == []


@pytest.mark.spec("WL-12")
def test_nobody_is_offered_the_same_slot_twice_and_no_two_offers_are_open(store: Store) -> None:
    offered(store)
    second = Offer(S1, 2, BOB, OfferState.PENDING, NINE)

    assert refused(store, c.AddOffer(second))
    commit(store, move(1, "pending", "declined"))
    assert refused(store, c.AddOffer(replace(second, entry_id=ANN)))
    assert not refused(store, c.AddOffer(second))


@pytest.mark.spec("WL-16")
def test_an_offer_is_armed_and_disarmed_as_its_slot_is(store: Store) -> None:
    reads = offered(store, live=True)
    live = Offer(
        S1,
        1,
        ANN,
        OfferState.LIVE,
        NINE,
        armed_at=NINE,
        claim_by=NINE + 10 * MINUTE,
    )
    assert reads.offers(S1) == reads.open_offers(ANN) == [live]
    assert reads.slot(S1) == replace(slot(), offer_seq=1, offers=1, live=True)
    assert refused(store, c.ArmSlot(S1, 1))
    assert refused(store, c.DisarmSlot(S1, 2)), "another offer is out"

    back = move(1, "live", "pending")
    commit(store, c.DisarmSlot(S1, 1), back)
    assert refused(store, c.ArmSlot(S1, 2)), "another offer is pending"
    assert reads.offer(S1, 1) == Offer(S1, 1, ANN, OfferState.PENDING, NINE)
    commit(store, c.ArmSlot(S1, 1), move(1, "pending", "live", claim_by=True))
    commit(store, c.DisarmSlot(S1, 1), replace(back, refused=True))

    assert reads.offer(S1, 1) == Offer(S1, 1, ANN, OfferState.PENDING, NINE, refusals=1)
    assert refused(store, c.DisarmSlot(S1, 1))
    assert refused(store, move(1, "live", "expired"))


@pytest.mark.spec("WL-19")
@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("seq", [1, 2])
def test_a_slot_is_booked_only_by_the_offer_that_is_live(
    store: Store, live: bool, seq: int
) -> None:
    reads = offered(store, live=live)
    runtime = live and seq == 1

    assert refused(store, c.BookSlot(S1, seq, ANN, NINE)) != runtime
    assert refused(store, c.BookSlot(S1, 1, ANN, NINE)) == (not live or seq == 1)
    assert (reads.slot(S1) == replace(booked_slot(), booked_by="ann")) == live


def booked_slot() -> Slot:
    return replace(slot(), status=SlotStatus.BOOKED, booked_by="?", offers=1, closed_at=NINE)


CLOSING: list[c.SlotChange] = [
    c.HoldSlot(S1, 2),
    c.ArmSlot(S1, 1),
    c.DisarmSlot(S1, 1),
    c.ArmSlot(S1, 0),
    c.BookSlot(S1, 1, BOB, NINE),
    c.BookSlot(S1, 0, BOB, NINE, live=False),
    c.FreeOfOffer(S1, 1, live=True),
    c.FreeOfOffer(S1, 0, live=False),
    c.MarkNobodyFits(S1),
    c.HandBackSlot(S1, 1, live=True, at=NINE),
    c.HandBackSlot(S1, 0, live=False, at=NINE),
]


@pytest.mark.spec("WL-19")
@pytest.mark.parametrize("change", CLOSING, ids=repr)
def test_nothing_happens_to_a_slot_that_is_closed(store: Store, change: c.SlotChange) -> None:
    reads = offered(store, live=True)
    commit(store, c.BookSlot(S1, 1, ANN, NINE))

    assert refused(store, change)
    assert reads.slot(S1) == replace(booked_slot(), booked_by="ann")


def test_a_slot_is_freed_or_handed_back_only_from_its_offer_as_read(store: Store) -> None:
    reads = offered(store, live=True)

    for seq, live in ((0, False), (1, False), (2, True)):
        assert refused(store, c.FreeOfOffer(S1, seq, live=live))
        assert refused(store, c.HandBackSlot(S1, seq, live=live, at=NINE))
    assert refused(store, c.MarkNobodyFits(S1)), "somebody has an offer"
    commit(store, c.FreeOfOffer(S1, 1, live=True), move(1, "live", "expired"))
    assert reads.slot(S1) == replace(slot(), offers=1)
    commit(store, c.MarkNobodyFits(S1))
    assert refused(store, c.MarkNobodyFits(S1))
    commit(store, c.HandBackSlot(S1, 0, live=False, at=NINE))
    assert reads.slot(S1) == replace(
        slot(), offers=1, nobody_fits=True, status=SlotStatus.HANDED_BACK, closed_at=NINE
    )


@pytest.mark.spec("WL-19")
@pytest.mark.parametrize(
    "end", [c.BookSlot(S1, 1, ANN, NINE), c.HandBackSlot(S1, 1, live=True, at=NINE)], ids=repr
)
def test_a_slot_that_is_closed_is_open_and_idle_no_more(store: Store, end: c.SlotChange) -> None:
    reads = offered(store, live=True)
    assert (reads.open_slots(9), reads.idle_slots("cut", 9)) == ([S1], [])

    commit(store, end)

    assert (reads.open_slots(9), reads.idle_slots("cut", 9)) == ([], [])


def test_a_slot_is_as_read_while_it_is_open_and_its_offer_the_same(store: Store) -> None:
    offered(store, live=True)

    for seq, live in ((0, False), (1, False), (2, True)):
        assert refused(store, c.SlotAsRead(S1, seq, live=live))
    assert not refused(store, c.SlotAsRead(S1, 1, live=True))
    commit(store, c.BookSlot(S1, 1, ANN, NINE))
    assert refused(store, c.SlotAsRead(S1, 0, live=False))


# --- races ----------------------------------------------------------------------------------


def facts_of(engine: Engine, commands: list[Command], *, after: timedelta) -> list[object]:
    """Runs all commands at once; returns the facts."""
    now = NINE + after
    outcomes = all_at_once([partial(engine.run, each, by="test", now=now) for each in commands])
    committed = (one for one in outcomes if isinstance(one, Committed))
    return [each.fact for one in committed for each in one.facts]


def engine_on(store: Store) -> Engine:
    return Engine(store, [waitlist_desk(delivery_rules(render))], new_id=lambda: "unused")


@pytest.mark.spec("WL-12", "WL-19")
def test_of_all_claims_at_once_exactly_one_books_the_slot(store: Store) -> None:
    reads = offered(store, live=True)
    claims: list[Command] = [ClaimOffer(S1, 1) for _ in range(THREADS)]

    facts = facts_of(engine_on(store), claims, after=MINUTE)

    assert facts == [SlotClaimed(S1, ANN, 1, version=2)]
    assert reads.slot(S1) == replace(booked_slot(), booked_by="ann", closed_at=NINE + MINUTE)


@pytest.mark.spec("WL-12", "WL-19", "WL-21")
def test_of_a_claim_a_decline_and_a_timer_at_once_exactly_one_ends_the_offer(store: Store) -> None:
    reads = offered(store, live=True)
    commands: list[Command] = [
        ClaimOffer(S1, 1),
        DeclineOffer(S1, 1),
        LapseOffer(S1, 1),
        WithdrawOffer(S1, 1),
        MakeMove(S1),
    ] * 3

    facts = facts_of(engine_on(store), commands, after=9 * MINUTE)

    kinds = Counter(type(fact).__name__ for fact in facts if not isinstance(fact, ClaimLost))
    assert kinds["SlotClaimed"] + kinds["OfferDeclined"] == 1
    open_offers = [one for one in reads.offers(S1) if one.ended_at is None]
    assert len(open_offers) <= 1
    assert (reads.slot(S1) or slot()).status is (
        SlotStatus.BOOKED if kinds["SlotClaimed"] else SlotStatus.OPEN
    )


@pytest.mark.spec("WL-07", "WL-12")
def test_a_webhook_and_a_timer_at_once_make_one_slot_and_one_offer(store: Store) -> None:
    engine = engine_on(store)
    commit(store, WriteSetting(SAVED_RULES, Rules(), RULES))
    for one in (entry("ann"), entry("bob", joined=1)):
        commit(store, *add(one))
    told: list[Command] = [FreeSlot(SlotId(f"s{n}"), "webhook:1", OPENING) for n in range(THREADS)]

    facts_of(engine, told, after=timedelta())
    [only] = wl(store).slots(99)
    moves: list[Command] = [MakeMove(only.id) for _ in range(THREADS)]
    facts_of(engine, moves, after=timedelta())
    arming: list[Command] = [ArmOffer(only.id, 1), MakeMove(only.id)] * (THREADS // 2)
    facts_of(engine, arming, after=timedelta())

    assert [(one.entry_id, one.state) for one in wl(store).offers(only.id)] == [
        (ANN, OfferState.LIVE)
    ]


@pytest.mark.spec("WL-07")
def test_of_all_who_free_overlapping_times_at_once_exactly_one_does(store: Store) -> None:
    commit(store, WriteSetting(SAVED_RULES, Rules(), RULES))
    openings = [
        replace(OPENING, starts_at=OPENING.starts_at + n * MINUTE, staff="Mia" if n % 2 else "mia")
        for n in range(THREADS)
    ]
    told: list[Command] = [
        FreeSlot(SlotId(f"s{n}"), f"webhook:{n}", one) for n, one in enumerate(openings)
    ]

    facts = facts_of(engine_on(store), told, after=timedelta())

    [only] = wl(store).slots(99)
    assert [fact.slot_id for fact in facts if isinstance(fact, SlotFreed)] == [only.id]
    assert list(overlapping(wl(store).slots(99))) == []


@pytest.mark.spec("WL-19")
def test_of_a_customer_and_staff_who_cancel_at_once_exactly_one_does(store: Store) -> None:
    reads = offered(store, live=True)
    engine = engine_on(store)
    engine.run(ClaimOffer(S1, 1), by="test", now=NINE)
    cancels: list[Command] = [
        CancelBooking(S1, ANN, SlotId(f"x{n}"), by_staff=n % 2 == 1) for n in range(THREADS)
    ]

    facts = facts_of(engine, cancels, after=MINUTE)

    assert Counter(type(fact).__name__ for fact in facts) == {"BookingCancelled": 1, "SlotFreed": 1}
    assert len(reads.slots(99)) == 2
    assert (reads.entry(ANN) or entry("ann")).status is EntryStatus.LEFT


@pytest.mark.spec("WL-12", "WL-19")
def test_of_all_stale_bookings_exactly_one_is_committed(store: Store) -> None:
    offered(store, live=True)
    book = partial(refused, store, c.BookSlot(S1, 1, ANN, NINE))

    assert sorted(all_at_once([book] * THREADS)) == [False] + [True] * (THREADS - 1)
