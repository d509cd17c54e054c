"""Selects the facts that become posts in Slack. Imports little, because every function that commits
loads it."""

from __future__ import annotations

from typing import Final

from frontdesk.core.sends import TOO_DEAR
from frontdesk.desks.waitlist import facts
from frontdesk.desks.waitlist.reasons import HandBack
from frontdesk.features.slack.news import News

REQUEST: Final = "slack-request"
SETTLED: Final = "slack-settled"
HANDED_BACK: Final = "slack-handed-back"
UNREACHABLE: Final = "slack-unreachable"
#: Marks our messages in the channel.
EVENT_TYPE: Final = "frontdesk_waitlist"


def _handed_back(fact: facts.SlotHandedBack) -> str:
    """No post if staff took the slot back themselves."""
    return "" if fact.why in (HandBack.STAFF, HandBack.NOBODY_FITS) else fact.subject


def _unreachable(fact: facts.OfferUnreachable) -> str:
    """No post for each person at the monthly limit on texts: staff get one alert about
    the limit."""
    return "" if fact.why == TOO_DEAR else f"{fact.subject}/{fact.about}"


NEWS: Final = News(
    "wl",
    {
        facts.ProposalMade: (REQUEST, lambda fact: fact.subject),
        facts.ProposalApproved: (SETTLED, lambda fact: fact.subject),
        facts.ProposalDiscarded: (SETTLED, lambda fact: fact.subject),
        facts.SlotHandedBack: (HANDED_BACK, _handed_back),
        facts.OfferUnreachable: (UNREACHABLE, _unreachable),
    },
    updates={SETTLED: REQUEST},
)
