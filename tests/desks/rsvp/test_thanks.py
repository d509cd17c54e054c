from pathlib import Path
from typing import Any

import pytest

from frontdesk.desks.rsvp.model import State
from frontdesk.desks.rsvp.thanks import Evening, draft, evening_of, usable_draft
from tests.desks.rsvp.rows import SUPPER, Rows
from tests.support.models import KEY, completion, openai_server
from tests.support.rsvp import rsvp_desk

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
    assert evening_of(Rows().event_row, COUNTS) == Evening("Supper Club", SUPPER.venue, 12)


@pytest.mark.parametrize("written", ["", "  \n", "x" * 3_001, "See https://evil.example"])
def test_unusable_output_of_a_model_is_discarded(written: str) -> None:
    assert usable_draft(written) == ""
    assert usable_draft("  What an evening.  \n\nThank you.\n") == "What an evening.\n\nThank you."


@pytest.mark.spec("EV-28")
@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ((200, completion("What an evening.\n\nThank you.")), "What an evening.\n\nThank you."),
        ((200, completion("See https://evil.example")), ""),
        ((403, {}), ""),
    ],
    ids=["a draft", "a link", "denied"],
)
def test_the_note_is_drafted_by_a_model_after_the_event(
    tmp_path: Path, answer: Any, note: str
) -> None:
    with openai_server() as served:
        served.answers = [answer]
        desk = rsvp_desk(
            tmp_path, model_by="openai", model_url=served.url, model_name="m", model_key=KEY
        )
        try:
            desk.given(cap=3, confirmed=["ann", "bob"])
            desk.wait(days=30)
            assert desk.event.thanks == (
                note or draft(desk.event, desk.reads.counts(desk.event_id))
            )
        finally:
            desk.product.close()
    assert len(served.asked) == 1
