"""Commands and reads about unknown slots, offers and entries, also with an empty id."""

from __future__ import annotations

from typing import cast

import pytest

from frontdesk.core.decision import Command, Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist import commands as c
from frontdesk.desks.waitlist.delivery import delivery_rules
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.desks.waitlist.model import EntryId, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Store
from frontdesk.features.proposals.model import ProposalId
from tests.support.waitlist import NINE, WISH, render

NAMES = ["", "nobody"]
OF_OFFERS = (
    *(c.ArmOffer, c.DisarmOffer, c.PutOffOffer, c.GiveUpOffer),
    *(c.ClaimOffer, c.DeclineOffer, c.LapseOffer, c.WithdrawOffer),
)


def refusals(store: Store, *asked: Command) -> dict[str, object]:
    engine = Engine(store, [waitlist_desk(delivery_rules(render))], iter("abc").__next__)
    outcomes = {type(each).__name__: engine.run(each, by="cli", now=NINE) for each in asked}
    return {
        name: outcome.reason if isinstance(outcome, Refused) else outcome
        for name, outcome in outcomes.items()
    }


@pytest.mark.spec("WL-12")
@pytest.mark.parametrize("name", NAMES)
def test_a_command_about_a_slot_or_an_offer_that_is_not_there_is_refused(
    store: Store, name: str
) -> None:
    about_offers = [kind(SlotId(name), 1) for kind in OF_OFFERS]
    about_slots = [c.MakeMove(SlotId(name)), c.TakeBackSlot(SlotId(name))]

    assert set(refusals(store, *about_offers).values()) <= {
        *(Reason.NO_SUCH_OFFER, Reason.OFFER_GONE),
    }
    assert refusals(store, *about_slots) == {
        "MakeMove": Reason.NO_SUCH_SLOT,
        "TakeBackSlot": Reason.NO_SUCH_SLOT,
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_command_about_an_entry_or_a_request_that_is_not_there_is_refused(
    store: Store, name: str
) -> None:
    assert refusals(
        store,
        c.ChangeWish(EntryId(name), WISH),
        c.LeaveList(EntryId(name)),
        c.DiscardProposal(ProposalId(name)),
        c.StopOffers(PersonId(name)),
        c.ResumeOffers(PersonId(name)),
    ) == {
        "ChangeWish": Reason.NO_SUCH_ENTRY,
        "LeaveList": Reason.NO_SUCH_ENTRY,
        "DiscardProposal": Reason.NO_SUCH_PROPOSAL,
        "StopOffers": Reason.NO_SUCH_ENTRY,
        "ResumeOffers": Reason.NO_SUCH_ENTRY,
    }


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_under_a_name_that_nobody_has(store: Store, name: str) -> None:
    wl = cast(WaitlistReads, store.reads().desk("wl"))
    slot_id, entry_id = SlotId(name), EntryId(name)

    found = [
        *(wl.slot(slot_id), wl.slot_by_origin(name), wl.offer(slot_id, 1), wl.offers(slot_id)),
        *(wl.entry(entry_id), wl.entries_of(PersonId(name)), wl.open_offers(entry_id)),
        *(wl.proposal(ProposalId(name)), wl.facts(name), wl.facts_about(entry_id)),
    ]

    assert [each for each in found if each] == []
