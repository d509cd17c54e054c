import pytest

from frontdesk.core.contacts import plain_name
from frontdesk.desks.rsvp.model import EventState, Lane, State
from frontdesk.desks.rsvp.words import occasion, status_sentence
from tests.desks.rsvp.rows import HOUR, NOW, SUPPER, Rows


def test_the_state_of_a_guest_is_one_plain_sentence() -> None:
    rows = Rows()
    ann = rows.add("Ann Lee", State.CONFIRMED)
    places = {
        ann: "You're in.",
        rows.add("Bob", State.WAITING): "You're third in line.",
        rows.add("Cat", State.PENDING): "Please confirm your e-mail address.",
        rows.add("Dan", State.PENDING, lane=Lane.IMPORT): "You're invited.",
        rows.add("Eve", State.CANCELLED): "You're not on the list any more.",
        rows.add("Flo", State.OFFERED, party=2): "2 seats are being held for you.",
    }

    assert {g: status_sentence(rows.event_row, g, 3, NOW) for g in places} == places
    rows.edit(state=EventState.CALLED_OFF)
    assert status_sentence(rows.event_row, ann, 0, NOW) == "This event has been called off."


@pytest.mark.spec("FD-05")
def test_an_offer_is_over_at_its_deadline_even_if_nobody_has_noticed() -> None:
    rows = Rows()
    bob = rows.offer_to("Bob", claim_by=NOW + HOUR)
    times = (NOW, NOW + HOUR)

    assert [status_sentence(rows.event_row, bob, 0, now) for now in times] == [
        "This seat is yours until 11:00 today (SGT).",
        "This offer has passed on.",
    ]


@pytest.mark.spec("FD-13")
def test_times_are_those_of_the_place_with_its_zone() -> None:
    assert occasion(SUPPER).when == "Friday 20 November 2026, 18:00 to 21:00 (SGT)"


@pytest.mark.spec("FD-28")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann Lee", "Ann Lee"),
        ("José-María O’Neill jr.", "José-María O’Neill jr."),
        ("陳大文", "陳大文"),
        ("Win 1000 now", ""),
        ("please go to evil example now", ""),
        ("x" * 41, ""),
        ("<b>Ann</b>", ""),
    ],
)
def test_a_name_is_shown_only_if_it_can_be_one(typed: str, shown: str) -> None:
    assert plain_name(typed) == shown
