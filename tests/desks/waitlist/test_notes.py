"""The notes of each fact, and the facts without notes."""

from __future__ import annotations

import pytest

from frontdesk.core.decision import Fact
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.core.sends import TOO_DEAR
from frontdesk.desks.waitlist.desk import FACTS
from frontdesk.desks.waitlist.facts import (
    EntryJoined,
    EntryLeft,
    JoinRepeated,
    NobodyFitted,
    OfferMade,
    OfferRolledOn,
    OfferUnreachable,
    OfferWithdrawn,
    SlotClaimed,
    SlotHandedBack,
)
from frontdesk.desks.waitlist.model import EntryId, Lane, SlotId
from frontdesk.desks.waitlist.notes import NOTES
from frontdesk.desks.waitlist.reasons import HandBack, Withdrawn
from tests.support.waitlist import NINE, OPENING, WISH, entry

S1, ANN = SlotId("s1"), EntryId("ann")


def joined(lane: Lane) -> EntryJoined:
    return EntryJoined(ANN, 1, entry("ann").person_id, WISH, lane, NINE)


def to_ann(kind: str, quiet: Quiet, seq: int = 1, **more: object) -> Note:
    key = f"wl/s1/ann/{kind}/{seq}"
    return Note(kind, "ann", key, "s1", "ann", quiet, params={"seq": seq}, **more)  # type: ignore[arg-type]


def to_staff(kind: str, occasion: str, about: str = "", **words: str | int) -> Note:
    return Note(kind, To.HOSTS, f"wl/s1/{kind}/{occasion}", "s1", about, Quiet.IGNORE, params=words)


def about_the_list(kind: str, quiet: Quiet) -> Note:
    return Note(kind, "ann", f"wl/ann/{kind}/1", "ann", "ann", quiet)


CASES = [
    (joined(Lane.FORM), about_the_list("joined", Quiet.IGNORE)),
    (joined(Lane.INBOX), about_the_list("joined", Quiet.HOLD)),
    (joined(Lane.SHEET), None),
    (joined(Lane.STAFF), None),
    (
        JoinRepeated(ANN, 7, WISH, window=3),
        Note("link", "ann", "wl/ann/link/3", "ann", "ann", Quiet.IGNORE),
    ),
    (EntryLeft(ANN, 1), about_the_list("left", Quiet.IGNORE)),
    (
        OfferMade(S1, ANN, 1, OPENING.starts_at),
        to_ann("offer", Quiet.HOLD, tell_by=OPENING.starts_at),
    ),
    (
        OfferRolledOn(S1, ANN, 2, OPENING.starts_at),
        to_ann("offer", Quiet.HOLD, 2, tell_by=OPENING.starts_at),
    ),
    (SlotClaimed(S1, ANN, 1, 2), to_ann("booked", Quiet.IGNORE)),
    (
        OfferWithdrawn(S1, ANN, 1, Withdrawn.HANDED_BACK, was_live=True),
        to_ann("offer_withdrawn", Quiet.IGNORE),
    ),
    (OfferWithdrawn(S1, ANN, 1, Withdrawn.HANDED_BACK, was_live=False), None),
    (OfferWithdrawn(S1, ANN, 1, Withdrawn.BOOKED_ELSEWHERE, was_live=True), None),
    (OfferUnreachable(S1, ANN, 1, TOO_DEAR), None),
    (
        OfferUnreachable(S1, ANN, 1, "no such number"),
        to_staff("unreachable", "1", "ann", seq=1, why="no such number"),
    ),
    (NobodyFitted(S1), to_staff("nobody_fits", "once")),
    (
        SlotHandedBack(S1, HandBack.TRIES, (ANN,)),
        to_staff("handed_back", "once", why="tries", tried=1),
    ),
]


@pytest.mark.spec("WL-14", "WL-16", "WL-18")
@pytest.mark.parametrize(("fact", "note"), CASES, ids=lambda one: getattr(one, "kind", ""))
def test_each_fact_has_its_note(fact: Fact, note: Note | None) -> None:
    assert NOTES[type(fact)](fact) == note


def test_these_facts_cause_no_notes() -> None:
    assert {fact.kind for fact in FACTS} - {fact.kind for fact in NOTES} == {
        "wl.edited",
        "wl.number_confirmed",
        "wl.stopped",
        "wl.resumed",
        "wl.expired",
        "wl.slot_freed",
        "wl.passed_over",
        "wl.offer_armed",
        "wl.offer_disarmed",
        "wl.offer_declined",
        "wl.offer_lapsed",
        "wl.calendar_settled",
        "wl.claim_lost",
        "wl.rules_changed",
        "wl.document_taken",
        "wl.shop_changed",
        "wl.request_ignored",
        "wl.proposal_approved",
        "wl.proposal_discarded",
        "wl.house_kept",
    }
