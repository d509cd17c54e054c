"""Every fact has its sentence in the story, and every reason is given."""

from __future__ import annotations

import pytest

from frontdesk.core.localtime import zone
from frontdesk.core.occasions import Tone
from frontdesk.desks.waitlist import facts as f
from frontdesk.desks.waitlist.desk import FACTS
from frontdesk.desks.waitlist.model import EntryId, SlotId
from frontdesk.desks.waitlist.reasons import Lost, Withdrawn
from frontdesk.desks.waitlist.story_words import WORDS, came_free

SLOT, ANN, SINGAPORE = SlotId("s1"), EntryId("ann"), zone("Asia/Singapore")


@pytest.mark.spec("WL-22")
def test_every_kind_of_fact_has_its_words() -> None:
    assert set(WORDS) == set(FACTS)


@pytest.mark.parametrize("why", Lost)
def test_every_lost_click_is_told_with_its_reason(why: Lost) -> None:
    text, tone = WORDS[f.ClaimLost](f.ClaimLost(SLOT, ANN, 1, why), "Ann", SINGAPORE)
    assert (text.startswith("Ann wanted to claim it"), tone) == (True, Tone.GONE)


@pytest.mark.parametrize("why", Withdrawn)
def test_every_offer_that_was_taken_back_is_told_with_its_reason(why: Withdrawn) -> None:
    fact = f.OfferWithdrawn(SLOT, ANN, 1, why=why, was_live=True)
    text, tone = WORDS[f.OfferWithdrawn](fact, "Ann", SINGAPORE)
    assert ("Ann" in text, tone) == (True, Tone.GONE)


def test_a_source_that_does_not_say_why_is_told_without_a_reason() -> None:
    assert came_free("webhook:17") == "The booking tool says that it was cancelled."
    assert came_free("unknown:17") == ""


def test_a_refused_message_says_how_often() -> None:
    fact = f.OfferDisarmed(SLOT, ANN, 1, refusals=2)
    text, _ = WORDS[f.OfferDisarmed](fact, "Ann", SINGAPORE)
    assert text == "The message to Ann was refused for the second time; no window runs."
