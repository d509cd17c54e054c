"""A slot from the moment it comes free to its end, with one offer at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.core.messages import SendLater, SendRefused, SendUnknown
from frontdesk.desks.waitlist.commands import (
    ArmOffer,
    ChangeWish,
    ClaimOffer,
    DeclineOffer,
    ExpireEntries,
    FreeSlot,
    LapseOffer,
    LeaveList,
    MakeMove,
    ResumeOffers,
    SetRules,
    StopOffers,
    TakeBackSlot,
)
from frontdesk.desks.waitlist.decide.moves import (
    HandItBack,
    MakeOffer,
    Move,
    NobodyFits,
    RollOn,
    next_move,
)
from frontdesk.desks.waitlist.facts import (
    ClaimLost,
    NobodyFitted,
    OfferArmed,
    OfferLapsed,
    OfferMade,
    OfferRolledOn,
    OfferWithdrawn,
    SlotClaimed,
    SlotFreed,
    SlotHandedBack,
)
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Offer,
    OfferState,
    Rules,
    SlotId,
    SlotStatus,
)
from frontdesk.desks.waitlist.reasons import HandBack, Lost, Withdrawn
from frontdesk.engine.ports import Committed
from frontdesk.values import replace
from tests.support.flaky_channel import FlakyChannel
from tests.support.waitlist import (
    HOUR,
    MINUTE,
    NEXT_OPENING,
    NINE,
    OPENING,
    RULES,
    TODAY,
    WISH,
    WaitlistDesk,
    entry,
    slot,
    waitlist_desk_at,
)

S1, S2 = SlotId("s1"), SlotId("s2")
#: Half past nine in the evening in Singapore.
LATE = datetime(2026, 11, 16, 13, 30, tzinfo=UTC)
#: The end of the quiet hours that follow.
EIGHT = datetime(2026, 11, 17, 0, 0, tzinfo=UTC)
DAY = timedelta(days=1)


# --- the four moves -------------------------------------------------------------------------

ANN, BOB = entry("ann"), entry("bob", joined=1)


def had(*names: str) -> list[Offer]:
    return [
        Offer(S1, seq, EntryId(name), OfferState.DECLINED, NINE, ended_at=NINE)
        for seq, name in enumerate(names, start=1)
    ]


@pytest.mark.spec("WL-10")
@pytest.mark.parametrize(
    ("line", "history", "rules", "now", "move"),
    [
        ([], [], RULES, NINE, NobodyFits()),
        ([replace(ANN, service="colour")], [], RULES, NINE, NobodyFits()),
        ([replace(ANN, status=EntryStatus.LEFT)], [], RULES, NINE, NobodyFits()),
        ([BOB, ANN], [], RULES, NINE, MakeOffer(ANN)),
        ([BOB, ANN], had("ann"), RULES, NINE, RollOn(BOB)),
        ([BOB, ANN], had("ann", "bob"), RULES, NINE, HandItBack(HandBack.EXHAUSTED)),
        ([BOB, ANN], had("ann"), replace(RULES, tries=1), NINE, HandItBack(HandBack.TRIES)),
        ([ANN], [], RULES, OPENING.starts_at - MINUTE, MakeOffer(ANN)),
        ([ANN], [], RULES, OPENING.starts_at, HandItBack(HandBack.TOO_LATE)),
        (
            [ANN],
            [],
            replace(RULES, cut_off=HOUR),
            OPENING.starts_at - HOUR,
            HandItBack(HandBack.TOO_LATE),
        ),
    ],
)
def test_there_are_four_moves(
    line: list[Entry], history: list[Offer], rules: Rules, now: datetime, move: Move
) -> None:
    assert next_move(slot(rules=rules), line, history, now) == move


@pytest.mark.spec("WL-15")
@pytest.mark.parametrize(
    ("starts_at", "move"),
    [
        (EIGHT + 10 * MINUTE, MakeOffer(ANN)),
        (EIGHT + 9 * MINUTE, HandItBack(HandBack.QUIET_HOURS)),
        (EIGHT - HOUR, HandItBack(HandBack.QUIET_HOURS)),
    ],
)
def test_in_quiet_hours_only_a_slot_with_a_whole_claim_window_after_them_is_offered(
    starts_at: datetime, move: Move
) -> None:
    assert next_move(slot(starts_at=starts_at), [ANN], [], LATE) == move


# --- one slot, one chain --------------------------------------------------------------------


@pytest.mark.spec("WL-07", "WL-10", "WL-14", "WL-17", "WL-21", "WL-22")
def test_a_slot_goes_to_one_after_the_other_until_somebody_claims_it(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob", "cat").free()
    desk.settle()
    desk.wait(minutes=10)
    desk.do(ClaimOffer(S1, 2))

    assert [one.fact for one in desk.facts()] == [
        SlotFreed(S1, "webhook:s1", OPENING, RULES),
        OfferMade(S1, EntryId("ann"), 1, last_useful_at=OPENING.starts_at),
        OfferArmed(S1, EntryId("ann"), 1, claim_by=NINE + 10 * MINUTE),
        OfferLapsed(S1, EntryId("ann"), 1),
        OfferRolledOn(S1, EntryId("bob"), 2, last_useful_at=OPENING.starts_at),
        OfferArmed(S1, EntryId("bob"), 2, claim_by=NINE + 20 * MINUTE),
        SlotClaimed(S1, EntryId("bob"), 2, version=2),
    ]
    assert desk.mail() == [("ann", "offer"), ("bob", "offer"), ("bob", "booked")]
    assert [desk.status(who) for who in ("ann", "bob", "cat")] == ["waiting", "booked", "waiting"]
    assert (desk.slot().status, desk.slot().booked_by) == (SlotStatus.BOOKED, "bob")


@pytest.mark.spec("WL-07")
def test_reporting_a_slot_twice_makes_one_slot_and_one_chain_of_offers(desk: WaitlistDesk) -> None:
    desk.given("ann").free()

    assert desk.refused(FreeSlot(S2, "webhook:s1", OPENING)) == "already_freed"
    assert desk.refused(FreeSlot(S1, "tap:1", OPENING)) == "already_freed"
    assert [one.id for one in desk.settle().reads.slots(9)] == ["s1"]


@pytest.mark.spec("WL-12", "WL-21")
def test_a_repeated_command_has_no_further_effect(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").free()
    desk.settle()
    before = desk.facts()

    for again in (MakeMove(S1), ArmOffer(S1, 1), LapseOffer(S1, 1), MakeMove(S1)):
        desk.run(again)

    assert desk.settle().facts() == before
    assert desk.tried() == [("ann", "live")]


@pytest.mark.spec("WL-17")
def test_a_deadline_is_never_after_the_start(desk: WaitlistDesk) -> None:
    soon = replace(OPENING, starts_at=NINE + 4 * MINUTE)
    desk.given("ann", "bob").free(soon)

    assert desk.settle().offers()[0].claim_by == NINE + 4 * MINUTE
    desk.wait(minutes=4)
    assert desk.facts()[-1].fact == SlotHandedBack(S1, HandBack.TOO_LATE, (EntryId("ann"),))


@pytest.mark.spec("WL-18")
def test_after_the_allowed_tries_a_slot_is_handed_back_with_the_people_who_were_tried(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann", "bob", "cat", tries=2).free()
    desk.wait(minutes=30)

    assert desk.tried() == [("ann", "expired"), ("bob", "expired")]
    tried = (EntryId("ann"), EntryId("bob"))
    assert desk.facts()[-1].fact == SlotHandedBack(S1, HandBack.TRIES, tried)
    assert desk.slot().status is SlotStatus.HANDED_BACK


@pytest.mark.spec("WL-10")
def test_a_slot_that_nobody_fits_waits_for_new_entries(desk: WaitlistDesk) -> None:
    desk.given().free()
    desk.settle().wait(hours=1)
    assert [one.fact for one in desk.facts()][1:] == [NobodyFitted(S1)]

    desk.join("ann", replace(WISH, staff="leo"))
    assert desk.settle().tried() == []
    desk.do(ChangeWish(EntryId("ann"), WISH))

    assert desk.tried() == [("ann", "live")]


@pytest.mark.spec("WL-10")
def test_a_new_entry_is_offered_an_idle_slot(desk: WaitlistDesk) -> None:
    desk.given().free()
    desk.settle().wait(hours=1)
    desk.join("ann")

    assert desk.settle().tried() == [("ann", "live")]


@pytest.mark.spec("WL-10", "WL-18")
def test_a_slot_that_nobody_fits_is_handed_back_at_its_cut_off(desk: WaitlistDesk) -> None:
    desk.given(cut_off=HOUR).free()
    desk.settle().wait(hours=5)

    assert [one.fact for one in desk.facts()][1:] == [
        NobodyFitted(S1),
        SlotHandedBack(S1, HandBack.TOO_LATE, ()),
    ]
    assert desk.facts()[-1].at == OPENING.starts_at - HOUR


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("nonsense", "reason"),
    [
        ({"capacity": 0}, "bad_slot"),
        ({"duration": timedelta()}, "bad_slot"),
        ({"service": ""}, "bad_slot"),
        ({"price_cents": -1}, "bad_slot"),
        ({"starts_at": NINE}, "begun"),
    ],
)
def test_a_slot_that_makes_no_sense_is_refused(
    desk: WaitlistDesk, nonsense: dict[str, Any], reason: str
) -> None:
    desk.given("ann")

    assert desk.refused(FreeSlot(S1, "tap:1", replace(OPENING, **nonsense))) == reason
    assert desk.reads.slots(9) == []


@pytest.mark.spec("WL-23", "FD-27")
@pytest.mark.parametrize(
    "nonsense",
    [
        {"zone": "Nowhere/At_all"},
        {"claim_window": timedelta()},
        {"cut_off": -HOUR},
        {"tries": 0},
        {"send_tries": 0},
        {"down_fitting": -1},
    ],
)
def test_after_invalid_rules_the_last_good_ones_stay(
    desk: WaitlistDesk, nonsense: dict[str, Any]
) -> None:
    desk.given()

    assert desk.refused(SetRules(replace(RULES, **nonsense))) == "bad_rules"
    assert desk.reads.rules() == RULES


# --- quiet hours ----------------------------------------------------------------------------


@pytest.mark.spec("WL-15")
def test_in_quiet_hours_an_offer_is_held_and_its_window_starts_when_it_is_sent(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann").wait(hours=12, minutes=30)
    desk.free(replace(OPENING, starts_at=EIGHT + HOUR))

    assert desk.settle().tried() == [("ann", "pending")]
    assert desk.refused(ArmOffer(S1, 1)) == "quiet_hours"
    assert desk.mail() == []
    desk.wait(hours=10, minutes=30)
    assert desk.offers() == [
        Offer(
            S1,
            1,
            EntryId("ann"),
            OfferState.LIVE,
            LATE,
            armed_at=EIGHT,
            claim_by=EIGHT + 10 * MINUTE,
        )
    ]


@pytest.mark.spec("WL-15")
def test_a_slot_that_quiet_hours_would_outlast_is_handed_back_at_once(desk: WaitlistDesk) -> None:
    desk.given("ann").wait(hours=12, minutes=30)
    desk.free(replace(OPENING, starts_at=EIGHT + 9 * MINUTE))

    assert [one.fact for one in desk.settle().facts()][1:] == [
        SlotHandedBack(S1, HandBack.QUIET_HOURS, ())
    ]


@pytest.mark.spec("WL-15", "WL-16")
def test_an_offer_that_could_not_be_sent_before_quiet_hours_is_handed_back_as_they_begin(
    tmp_path: Path,
) -> None:
    post = FlakyChannel(failures=[SendLater("not now")])
    desk = waitlist_desk_at(tmp_path, post).given("ann")
    desk.wait(hours=11, minutes=59, seconds=45)
    desk.free(replace(OPENING, starts_at=EIGHT + 5 * MINUTE))
    desk.settle().wait(minutes=1)

    assert desk.tried() == [("ann", "withdrawn")]
    assert desk.facts()[-1].fact == SlotHandedBack(S1, HandBack.QUIET_HOURS, (EntryId("ann"),))
    assert desk.facts()[-1].at == NINE + 12 * HOUR
    assert desk.problems() == []
    desk.close()


# --- undelivered messages -------------------------------------------------------------------


@pytest.mark.spec("WL-16")
def test_a_refused_message_takes_the_offer_back_to_pending_and_is_tried_again(
    tmp_path: Path,
) -> None:
    post = FlakyChannel(failures=[SendRefused("mailbox full", permanent=False)])
    desk = waitlist_desk_at(tmp_path, post).given("ann")
    desk.free()
    assert desk.settle().tried() == [("ann", "pending")]
    assert "wl/offer/s1/1" not in desk.timers()

    desk.wait(minutes=1)

    [offer] = desk.offers()
    assert offer.state is OfferState.LIVE
    assert offer.refusals == 1
    assert offer.armed_at is not None
    assert offer.armed_at > NINE
    assert offer.claim_by == offer.armed_at + 10 * MINUTE
    desk.close()


@pytest.mark.spec("WL-16", "WL-18")
def test_an_unreachable_person_counts_as_no_try_but_ten_of_them_are_enough() -> None:
    unreached = replace(had("ann")[0], state=OfferState.UNREACHABLE)
    few, many = [unreached] * 9, [unreached] * 10

    once = replace(slot(), rules=replace(RULES, tries=1))
    assert next_move(once, [BOB], few, NINE) == RollOn(BOB)
    assert next_move(once, [BOB], [*few, *had("ann")], NINE) == HandItBack(HandBack.TRIES)
    assert next_move(slot(), [BOB], many, NINE) == HandItBack(HandBack.TRIES)


@pytest.mark.spec("WL-16")
@pytest.mark.parametrize(
    "failures",
    [
        [SendRefused("mailbox full", permanent=False)] * 3,
        [SendRefused("no such number", about_recipient=True)],
    ],
    ids=["tried three times", "refused for good"],
)
def test_an_unreachable_person_is_marked_for_this_slot_and_it_rolls_on(
    tmp_path: Path, failures: list[SendRefused]
) -> None:
    desk = waitlist_desk_at(tmp_path, FlakyChannel(failures=list(failures))).given("ann", "bob")
    desk.free()
    desk.settle().wait(minutes=5)

    assert desk.tried() == [("ann", "unreachable"), ("bob", "live")]
    assert desk.status("ann") is EntryStatus.WAITING
    assert desk.problems() == []
    desk.close()


@pytest.mark.spec("WL-16")
def test_an_outage_of_the_mail_server_makes_nobody_unreachable(tmp_path: Path) -> None:
    post = FlakyChannel(failures=[SendLater("no connection")] * 6)
    desk = waitlist_desk_at(tmp_path, post).given("ann", "bob")
    desk.free()
    desk.settle().wait(minutes=10)
    assert desk.tried() == [("ann", "pending")]

    desk.wait(hours=1)
    assert desk.tried()[0] == ("ann", "expired")
    assert desk.offers()[0].refusals == 0
    assert desk.problems() == []
    desk.close()


@pytest.mark.spec("WL-16")
def test_an_offer_of_unknown_outcome_stays_live_to_its_deadline(tmp_path: Path) -> None:
    post = FlakyChannel(failures=[SendUnknown("the line went dead")])
    desk = waitlist_desk_at(tmp_path, post).given("ann", "bob")
    desk.free()
    desk.settle().wait(minutes=9)

    assert desk.tried() == [("ann", "live")]
    desk.wait(minutes=1)
    assert desk.tried() == [("ann", "expired"), ("bob", "live")]
    desk.close()


# --- clicks ---------------------------------------------------------------------------------


@pytest.mark.spec("WL-19", "WL-22")
def test_losing_clicks_change_nothing_and_are_in_the_audit(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").free()
    desk.wait(minutes=10)
    desk.do(ClaimOffer(S1, 1)).do(ClaimOffer(S1, 2)).do(ClaimOffer(S1, 1))

    assert desk.refused(ClaimOffer(S1, 2)) == "already_yours"
    assert desk.refused(ClaimOffer(S1, 3)) == "no_such_offer"
    lost = [one.fact for one in desk.facts() if isinstance(one.fact, ClaimLost)]
    assert lost == [
        ClaimLost(S1, EntryId("ann"), 1, why=Lost.TOO_LATE),
        ClaimLost(S1, EntryId("ann"), 1, why=Lost.FILLED),
    ]
    assert desk.slot().booked_by == "bob"


@pytest.mark.spec("WL-19", "FD-05")
def test_a_click_at_the_deadline_is_too_late_even_if_the_timer_has_not_rung(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann").free()
    desk.settle().clock.move_to(NINE + 10 * MINUTE)
    desk.run(ClaimOffer(S1, 1))

    assert desk.facts()[-1].fact == ClaimLost(S1, EntryId("ann"), 1, why=Lost.TOO_LATE)


@pytest.mark.spec("WL-20")
@pytest.mark.parametrize(
    ("leave", "status"), [(False, EntryStatus.WAITING), (True, EntryStatus.LEFT)]
)
def test_declining_passes_the_slot_on_and_keeps_the_entry_unless_they_leave(
    desk: WaitlistDesk, leave: bool, status: EntryStatus
) -> None:
    desk.given("ann", "bob").free()
    desk.settle().do(DeclineOffer(S1, 1, leave=leave))

    assert desk.tried() == [("ann", "declined"), ("bob", "live")]
    assert desk.status("ann") is status


@pytest.mark.spec("WL-13")
def test_the_first_for_two_slots_gets_both_offers_and_claiming_one_passes_the_other_on(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann", "bob").free()
    desk.free(replace(OPENING, starts_at=OPENING.starts_at + HOUR), slot_id="s2")
    assert desk.settle().tried("s1") == desk.tried("s2") == [("ann", "live")]

    desk.do(ClaimOffer(S1, 1))

    assert desk.tried("s2") == [("ann", "withdrawn"), ("bob", "live")]
    why = Withdrawn.BOOKED_ELSEWHERE
    assert OfferWithdrawn(S2, EntryId("ann"), 1, why=why, was_live=True) in [
        one.fact for one in desk.facts("s2")
    ]


@pytest.mark.spec("WL-13", "WL-19")
def test_before_the_twin_is_withdrawn_it_cannot_be_claimed_as_well(desk: WaitlistDesk) -> None:
    desk.given("ann").free()
    desk.free(NEXT_OPENING, slot_id="s2")
    desk.settle().run(ClaimOffer(S1, 1))
    desk.run(ClaimOffer(S2, 1))

    assert desk.facts("s2")[-1].fact == ClaimLost(S2, EntryId("ann"), 1, why=Lost.NOT_WAITING)
    assert desk.settle().slot("s2").status is SlotStatus.HANDED_BACK


@pytest.mark.spec("WL-06")
@pytest.mark.parametrize(
    "command",
    [
        LeaveList(EntryId("ann")),
        StopOffers(entry("ann").person_id),
        ChangeWish(EntryId("ann"), replace(WISH, party=2)),
    ],
)
def test_an_entry_that_no_longer_suits_the_slot_does_not_delay_it(
    desk: WaitlistDesk, command: LeaveList | StopOffers | ChangeWish
) -> None:
    desk.given("ann", "bob").free()
    desk.settle().do(command)

    assert desk.tried() == [("ann", "withdrawn"), ("bob", "live")]


@pytest.mark.spec("WL-19")
def test_staff_may_take_a_slot_back_while_it_is_on_offer(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").free()
    desk.settle().do(TakeBackSlot(S1))

    assert desk.tried() == [("ann", "withdrawn")]
    assert desk.facts()[-1].fact == SlotHandedBack(S1, HandBack.STAFF, (EntryId("ann"),))
    assert desk.mail() == [("ann", "offer"), ("ann", "offer_withdrawn")]
    assert desk.refused(TakeBackSlot(S1)) == "slot_closed"


# --- the list -------------------------------------------------------------------------------


@pytest.mark.spec("WL-05")
def test_joining_twice_for_a_service_updates_the_entry_which_keeps_its_place(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann").wait(hours=1)
    desk.join("ann", replace(WISH, party=3))

    assert desk.entry("ann") == entry(
        "ann", party=3, version=2, lane=desk.entry("ann").lane, joined=0
    )
    assert len(desk.reads.entries()) == 1


@pytest.mark.spec("WL-05")
def test_a_person_who_left_comes_back_at_the_end_of_the_list(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").do(LeaveList(EntryId("ann"))).wait(hours=1)
    desk.join("ann")
    desk.settle().free()

    assert desk.settle().tried() == [("bob", "live")]
    assert desk.entry("ann").joined_at == NINE + HOUR


@pytest.mark.spec("WL-06")
def test_stop_is_for_every_service_and_sticks(desk: WaitlistDesk) -> None:
    desk.given("ann")
    desk.join("ann", replace(WISH, service="colour"))
    desk.do(StopOffers(entry("ann").person_id))

    assert desk.status("ann") is desk.status("ann-colour") is EntryStatus.STOPPED
    for service in ("cut", "nails"):
        outcome = desk.join("ann", replace(WISH, service=service))
        assert str(getattr(outcome, "reason", outcome)) == "stopped"


@pytest.mark.spec("WL-06", "WL-19")
def test_after_stop_a_booked_slot_stays_and_no_more_offers_are_made(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann").free()
    desk.settle().do(ClaimOffer(S1, 1))
    desk.join("ann", replace(WISH, service="colour"))
    booked = desk.entry("ann")
    desk.do(StopOffers(booked.person_id))

    assert desk.entry("ann") == replace(booked, no_more=True, version=booked.version + 1)
    assert desk.slot().booked_by == "ann"
    assert desk.status("ann-colour") is EntryStatus.STOPPED
    assert desk.refused(StopOffers(booked.person_id)) == "unchanged"
    assert desk.refused(LeaveList(EntryId("ann"))) == "not_waiting"


@pytest.mark.spec("WL-06")
@pytest.mark.parametrize("lane", list(Lane))
def test_stop_after_booking_holds_in_every_lane_that_adds_them_again(
    desk: WaitlistDesk, lane: Lane
) -> None:
    desk.given("ann").free()
    desk.settle().do(ClaimOffer(S1, 1)).do(StopOffers(entry("ann").person_id))

    for service in ("cut", "nails"):
        outcome = desk.join("ann", replace(WISH, service=service), lane)
        if lane is Lane.FORM:
            assert isinstance(outcome, Committed)  # the answer to a stranger is the same
        else:
            assert str(getattr(outcome, "reason", outcome)) == "stopped"
    assert [one.status for one in desk.reads.entries()] == [EntryStatus.BOOKED]
    assert desk.settle().mail() == [("ann", "offer"), ("ann", "booked")] + (
        [("ann", "link")] if lane is Lane.FORM else []
    )


@pytest.mark.spec("WL-06")
def test_staff_can_allow_offers_again_without_adding_an_entry(
    desk: WaitlistDesk,
) -> None:
    desk.given("ann").free()
    desk.settle().do(ClaimOffer(S1, 1))
    desk.join("ann", replace(WISH, service="colour"))
    ann = desk.entry("ann").person_id
    desk.do(StopOffers(ann)).do(ResumeOffers(ann))

    assert (desk.status("ann"), desk.entry("ann").no_more) == (EntryStatus.BOOKED, False)
    assert desk.status("ann-colour") is EntryStatus.LEFT
    assert desk.refused(ResumeOffers(ann)) == "unchanged"
    desk.join("ann", replace(WISH, service="colour"))
    assert desk.status("ann-colour") is EntryStatus.WAITING


@pytest.mark.spec("WL-04")
@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        (replace(WISH, party=0), "bad_party"),
        (replace(WISH, earliest_on=TODAY + DAY, latest_on=TODAY), "bad_dates"),
        (replace(WISH, earliest_on=TODAY - 2 * DAY, latest_on=TODAY - DAY), "dates_passed"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(
    desk: WaitlistDesk, wish: object, reason: str
) -> None:
    desk.given()

    assert str(getattr(desk.join("ann", wish), "reason", "")) == reason  # type: ignore[arg-type]


# --- expiry ---------------------------------------------------------------------------------


@pytest.mark.spec("WL-24")
def test_at_three_in_the_morning_entries_expire_whose_latest_date_has_passed(
    desk: WaitlistDesk,
) -> None:
    desk.given()
    for number in range(45):
        desk.join(f"g{number}", replace(WISH, latest_on=TODAY))
    desk.join("ann", replace(WISH, latest_on=TODAY + DAY))
    desk.settle().wait(hours=17, minutes=59)
    assert len(desk.reads.entries(status=EntryStatus.EXPIRED)) == 0

    desk.wait(minutes=1)

    assert len(desk.reads.entries(status=EntryStatus.EXPIRED)) == 45
    assert desk.status("ann") is EntryStatus.WAITING
    assert desk.timers()["wl/house/daily"] == NINE + 18 * HOUR + DAY


@pytest.mark.spec("WL-24")
def test_a_slot_whose_timers_were_lost_is_put_right(desk: WaitlistDesk) -> None:
    desk.given("ann", "bob").free()
    desk.free(replace(NEXT_OPENING, service="colour"), slot_id="s2")
    desk.settle()
    before = desk.timers()
    del before["wl/summary/monthly"]
    desk.lose_timers()
    assert desk.problems() != []

    desk.do(ExpireEntries())
    assert desk.timers() == {**before, "wl/slot/s1": NINE + 10 * MINUTE}

    desk.lose_timers()
    desk.clock.move_to(NINE + 10 * MINUTE)
    desk.do(ExpireEntries())
    assert desk.tried() == [("ann", "expired"), ("bob", "live")]


@pytest.mark.spec("WL-23")
def test_a_slot_keeps_the_rules_that_were_in_force_when_it_came_free(desk: WaitlistDesk) -> None:
    desk.given("ann").free()
    desk.do(SetRules(replace(RULES, claim_window=HOUR)))
    assert desk.refused(SetRules(replace(RULES, claim_window=HOUR))) == "unchanged"
    desk.free(NEXT_OPENING, slot_id="s2")
    desk.settle()

    assert desk.offers("s1")[0].claim_by == NINE + 10 * MINUTE
    assert desk.offers("s2")[0].claim_by == NINE + HOUR
