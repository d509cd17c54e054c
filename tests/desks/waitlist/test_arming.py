"""Arming an offer checks again that its person still waits and that enough time is left."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.desks.waitlist.commands import ArmOffer
from frontdesk.desks.waitlist.decide.offers import arm
from frontdesk.desks.waitlist.model import Entry, EntryStatus, Offer, OfferState
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import OfferView
from frontdesk.values import replace
from tests.support.waitlist import HOUR, NINE, OPENING, RULES, entry, slot

CUT_OFF = HOUR
HELD = replace(slot(rules=replace(RULES, cut_off=CUT_OFF)), offer_seq=1, offers=1)
LAST_AT = OPENING.starts_at - CUT_OFF
ANN = entry("ann")


def armed(at: datetime, who: Entry = ANN) -> Decision:
    pending = Offer(HELD.id, 1, who.id, OfferState.PENDING, made_at=NINE)
    return arm(OfferView(HELD, pending, who), ArmOffer(HELD.id, 1), at)


@pytest.mark.spec("WL-15", "WL-16")
def test_an_offer_is_armed_until_the_cut_off_and_not_from_it_on() -> None:
    assert isinstance(armed(LAST_AT - timedelta(seconds=1)), Accepted)
    assert armed(LAST_AT) == Refused(Reason.TOO_LATE)
    assert armed(LAST_AT + timedelta(seconds=1)) == Refused(Reason.TOO_LATE)


@pytest.mark.spec("WL-16")
@pytest.mark.parametrize(
    "status", [each for each in EntryStatus if each is not EntryStatus.WAITING]
)
def test_no_offer_is_armed_for_somebody_who_does_not_wait_any_more(status: EntryStatus) -> None:
    assert isinstance(armed(NINE), Accepted)
    assert armed(NINE, replace(ANN, status=status)) == Refused(Reason.NOT_WAITING)


@pytest.mark.spec("WL-08", "WL-16")
def test_no_offer_is_armed_for_a_wish_that_does_not_suit_the_slot_any_more() -> None:
    later = OPENING.starts_at.date() + timedelta(days=1)

    assert armed(NINE, replace(ANN, earliest_on=later)) == Refused(Reason.NOT_WAITING)
