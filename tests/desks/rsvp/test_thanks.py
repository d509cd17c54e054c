import pytest

from frontdesk.desks.rsvp.model import State
from frontdesk.desks.rsvp.thanks import Evening, draft
from tests.desks.rsvp.rows import SUPPER, Rows

COUNTS = {State.CONFIRMED: (3, 12), State.CANCELLED: (2, 4)}
OWN = (
    "Thank you for coming to Supper Club.\n\n"
    "There were 12 of us, and that is what made it what it was. We hope that you enjoyed it as much"
    " as we did.\n\n"
    "If there is anything we could do better, just answer this mail. Until next time."
)


@pytest.mark.spec("EV-28")
def test_without_a_model_the_note_is_drafted_from_the_event() -> None:
    assert draft(Rows().event_row, COUNTS) == OWN


@pytest.mark.spec("EV-28")
def test_a_model_is_told_no_more_than_it_needs() -> None:
    seen: list[Evening] = []

    def model(evening: Evening) -> str:
        seen.append(evening)
        return "  What an evening.  \n\nThank you.\n"

    assert draft(Rows().event_row, COUNTS, model) == "What an evening.\n\nThank you."
    assert seen == [Evening("Supper Club", SUPPER.venue, 12)]


@pytest.mark.parametrize("written", ["", "  \n", "x" * 3_001, "See https://evil.example"])
def test_what_cannot_be_used_is_replaced_by_our_own(written: str) -> None:
    assert draft(Rows().event_row, COUNTS, lambda _: written) == OWN
