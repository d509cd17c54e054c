"""Races on both stores: the winner is decided to the second."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import (
    ClaimOffer,
    DeclineOffer,
    EditEntry,
    FreeSlot,
    LapseOffer,
    MakeMove,
    SeenRow,
    StopOffers,
)
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, SlotId, Wish
from frontdesk.desks.waitlist.why import OfferVerdict, explain
from frontdesk.values import replace
from tests.support.at_once import facts_at_once
from tests.support.dynamodb import needs_dynamodb
from tests.support.waitlist import NINE, OPENING, WISH, WaitlistDesk, waitlist_desk_at
from tests.support.waitlist_dynamodb import dynamo_waitlist_desk

S1 = SlotId("s1")
SECOND = timedelta(seconds=1)
CLAIM, DECLINE, LAPSE = ClaimOffer(S1, 1), DeclineOffer(S1, 1), LapseOffer(S1, 1)
STOP = StopOffers(PersonId("p-ann"))


@pytest.fixture(params=["sqlite", pytest.param("dynamodb", marks=needs_dynamodb)])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WaitlistDesk]:
    """Has Ann and Bob on the list; Ann has the live offer of a slot. Checks at the end that nothing
    is broken."""
    if request.param == "sqlite":
        desk = waitlist_desk_at(tmp_path)
    else:
        desk = dynamo_waitlist_desk(request.getfixturevalue("dynamodb"))
    desk.given("ann", "bob").free()
    yield desk.settle()
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []
    assert unexplained(desk) == []
    desk.close()


def unexplained(desk: WaitlistDesk) -> list[str]:
    """Returns people without an offer for whom there is no reason."""
    return [
        entry.id
        for slot in desk.reads.slots(99)
        for entry in desk.reads.entries()
        if (found := explain(desk.reads, slot.id, entry.id)) is None
        or (found.verdict is OfferVerdict.OFFERED) != (entry.id in dict(desk.tried(slot.id)))
    ]


@pytest.mark.spec("WL-17", "WL-19", "WL-21")
@pytest.mark.parametrize(
    ("after", "commands", "is_booked"),
    [
        (-1, (LAPSE, CLAIM), True),
        (0, (CLAIM, LAPSE), False),
        (0, (LAPSE, CLAIM), False),
        (1, (CLAIM, LAPSE), False),
    ],
    ids=["the second before", "at it", "at it, timer first", "the second after"],
)
def test_a_claim_counts_until_the_second_before_its_deadline(
    desk: WaitlistDesk, after: int, commands: tuple[Command, ...], is_booked: bool
) -> None:
    """The clock decides, in whatever order the click and the timer come."""
    (offer,) = desk.offers()
    assert offer.claim_by is not None
    desk.clock.move_to(offer.claim_by + after * SECOND)

    for command in commands:
        desk.run(command)
    desk.settle()

    booked = [("ann", "claimed")]
    assert desk.tried() == (booked if is_booked else [("ann", "expired"), ("bob", "live")])
    assert desk.kinds().count("wl.claimed") == is_booked
    assert desk.kinds().count("wl.claim_lost") == (not is_booked)


@pytest.mark.spec("WL-19", "WL-20")
@pytest.mark.parametrize(
    ("commands", "tried", "kinds"),
    [
        ((CLAIM, DECLINE), [("ann", "claimed")], ["wl.claimed"]),
        (
            (DECLINE, CLAIM),
            [("ann", "declined"), ("bob", "live")],
            ["wl.offer_declined", "wl.claim_lost"],
        ),
    ],
    ids=["claim first", "decline first"],
)
def test_of_a_claim_and_a_decline_that_cross_the_first_counts(
    desk: WaitlistDesk,
    commands: tuple[Command, ...],
    tried: list[tuple[str, str]],
    kinds: list[str],
) -> None:
    before = len(desk.kinds())
    for command in commands:
        desk.run(command)

    assert desk.kinds()[before:] == kinds
    assert desk.settle().tried() == tried


@pytest.mark.spec("WL-12", "WL-19", "WL-20", "WL-21")
def test_at_the_deadline_claims_declines_and_timers_at_once_pass_it_on_once(
    desk: WaitlistDesk,
) -> None:
    (offer,) = desk.offers()
    assert offer.claim_by is not None
    desk.clock.move_to(offer.claim_by)

    facts = facts_at_once(desk, [CLAIM, DECLINE, LAPSE, MakeMove(S1)] * 3)
    desk.settle()

    assert desk.tried() == [("ann", "expired"), ("bob", "live")]
    assert facts["wl.offer_lapsed"] == 1
    assert facts["wl.claim_lost"] == 3, "every losing click is in the audit"
    assert [each for each in desk.mail() if each[1] == "offer"] == [
        ("ann", "offer"),
        ("bob", "offer"),
    ]


@pytest.mark.spec("WL-07", "WL-12", "WL-21")
def test_repeated_reports_during_a_timer_make_one_slot_and_one_chain_of_offers(
    desk: WaitlistDesk,
) -> None:
    (offer,) = desk.offers()
    assert offer.claim_by is not None
    desk.clock.move_to(offer.claim_by)
    told = [FreeSlot(SlotId(f"again{n}"), "webhook:s1", OPENING) for n in range(8)]

    facts = facts_at_once(desk, [*told, LAPSE, LAPSE, MakeMove(S1), MakeMove(S1)])
    desk.settle()

    assert facts["wl.slot_freed"] == 0
    assert [one.id for one in desk.reads.slots(99)] == [S1]
    assert desk.tried() == [("ann", "expired"), ("bob", "live")]


@pytest.mark.spec("WL-06", "WL-19")
def test_of_stop_and_claims_at_once_a_booking_stays_and_stop_sticks(desk: WaitlistDesk) -> None:
    facts = facts_at_once(desk, [STOP, CLAIM] * 4)
    desk.settle()

    if facts["wl.claimed"]:
        assert desk.tried() == [("ann", "claimed")]
        assert desk.slot().booked_by == "ann"
        assert desk.status("ann") is EntryStatus.BOOKED
    else:
        assert desk.tried() == [("ann", "withdrawn"), ("bob", "live")]
        assert facts["wl.claim_lost"] == 4
        assert desk.status("ann") is EntryStatus.STOPPED
    assert facts["wl.stopped"] == 1
    assert desk.entry("ann").wants_no_offers


# --- several edits of one row ----------------------------------------------------------------

SEEN = SeenRow(1, "Bob", "bob@example.org", "")
COLOUR = replace(WISH, service="colour")


def edited(entry_id: str, name: str, wish: Wish) -> EditEntry:
    """Returns an edit of Bob's row by somebody who saw its first version."""
    email = "bob@example.org"
    new_id = EntryId(f"{name} {wish.party}")
    return EditEntry(EntryId(entry_id), new_id, name, email, "", wish, NINE, SEEN)


@pytest.mark.spec("WL-01")
def test_of_simultaneous_edits_of_one_row_one_is_saved_and_the_others_are_refused(
    desk: WaitlistDesk,
) -> None:
    saves = [edited("bob", "Bob", replace(WISH, party=party)) for party in range(2, 8)]

    assert facts_at_once(desk, saves) == {"wl.edited": 1}
    assert {desk.refused(each) for each in saves} == {"changed_meanwhile"}
    assert desk.entry("bob").version == 2


@pytest.mark.spec("WL-01")
def test_of_two_names_given_to_one_person_at_once_one_is_saved(
    desk: WaitlistDesk,
) -> None:
    desk.join("bob", COLOUR)

    rows = [edited("bob", "Rob", WISH), edited("bob-colour", "Bobby", COLOUR)]

    assert facts_at_once(desk, rows) == {"wl.edited": 1}
