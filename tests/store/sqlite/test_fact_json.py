"""Every fact is read from the audit as it was written."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core.decision import Fact
from frontdesk.core.quiet_hours import QuietHours
from frontdesk.desks.rsvp.facts import ThanksDrafted
from frontdesk.desks.rsvp.model import Details, EventId, EventSettings
from frontdesk.store.fact_json import FactJson
from frontdesk.store.sqlite.rsvp import RSVP
from frontdesk.store.sqlite.store import ENGINE_FACTS


def built(kind: type[Any], **own: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Builds values with every field by its type, except the given ones."""
    hints = get_type_hints(kind)
    found = {name: st.from_type(hints[name]) for name in kind.__struct_fields__}
    return st.builds(kind, **found | own)


instants = st.integers(0, 2**33).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
clock_times = st.builds(time, st.integers(0, 23), st.integers(0, 59))
OWN: dict[Any, st.SearchStrategy[Any]] = {
    datetime: instants,
    Details: built(Details, starts_at=instants, ends_at=instants),
    EventSettings: built(
        EventSettings,
        quiet=st.builds(QuietHours, clock_times, clock_times),
        claim_window=st.integers(0, 10**7).map(lambda seconds: timedelta(seconds=seconds)),
    ),
}

KINDS = (*ENGINE_FACTS, *RSVP.facts)


@pytest.mark.spec("FD-06")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_a_fact_is_read_back_as_it_was_written(kind: type[Fact]) -> None:
    codec = FactJson(KINDS)

    @settings(max_examples=15, deadline=None)
    @given(any_of(kind))
    def comes_back(fact: Fact) -> None:
        assert codec.fact(fact.kind, codec.text(fact)) == fact

    comes_back()


def any_of(kind: type[Fact]) -> st.SearchStrategy[Fact]:
    hints = get_type_hints(kind)
    own = {name: OWN[hints[name]] for name in kind.__struct_fields__ if hints[name] in OWN}
    return built(kind, **own)


def test_a_fact_with_a_field_that_there_is_no_more_can_be_read() -> None:
    assert FactJson(KINDS).fact(
        "ev.thanks_drafted", '{"event_id":"party","reply_to":"<one@example.org>"}'
    ) == ThanksDrafted(EventId("party"))


def test_a_fact_that_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(AssertionError, match=r"ev\.thanks_drafted"):
        FactJson([]).text(ThanksDrafted(EventId("party")))


def test_two_facts_may_not_share_a_name() -> None:
    with pytest.raises(AssertionError, match=r"ev\.thanks_drafted"):
        FactJson([ThanksDrafted, ThanksDrafted])
