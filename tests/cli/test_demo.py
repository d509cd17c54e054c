"""The demo business is true: made by the real engine, around today, at any hour."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.checkup import check_up
from frontdesk.desks.rsvp.model import OfferState, State
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.embedded.demo import LAST_SEAT, OPEN_STUDIO, SUPPER, WORKSHOP, fill
from frontdesk.settings import Settings
from frontdesk.store.sqlite.view import View, open_view
from frontdesk.wiring.one_machine import TABLES, data_file
from tests.cli.conftest import Shell

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def ev_of(view: View) -> RsvpReads:
    ev: RsvpReads = view.reads.desk("ev")
    return ev


@pytest.mark.spec("FD-17")
@pytest.mark.parametrize("hours", [0, 6, 12, 18], ids=lambda hours: f"noon plus {hours} hours")
def test_whatever_the_hour_there_is_an_open_offer_and_all_is_well(
    tmp_path: Path, hours: int
) -> None:
    now = NOON + timedelta(hours=hours)
    fill(Settings(data_dir=tmp_path), now)

    with open_view(data_file(tmp_path), TABLES) as view:
        ev = ev_of(view)
        seats = {event.slug: event.seats for event in ev.events()}
        assert set(seats) == {WORKSHOP, SUPPER, OPEN_STUDIO, LAST_SEAT}
        assert 35 <= seats[WORKSHOP].taken < 40
        assert (seats[SUPPER].taken, seats[SUPPER].offered, seats[SUPPER].free) == (11, 1, 0)
        assert seats[LAST_SEAT].free == 1
        [offer] = [
            offer
            for offer in ev.offers(next(e.id for e in ev.events() if e.slug == SUPPER))
            if offer.state is OfferState.LIVE
        ]
        assert offer.claim_by is not None
        assert offer.claim_by - now > timedelta(hours=5)
        assert check_up(view, now, served=False).problems == ()


def test_each_part_of_the_demo_has_something_to_look_at(tmp_path: Path) -> None:
    fill(Settings(data_dir=tmp_path), NOON)

    with open_view(data_file(tmp_path), TABLES) as view:
        ev = ev_of(view)
        events = {event.slug: event for event in ev.events()}
        assert ev.counts(events[WORKSHOP].id)[State.PENDING] == (3, 3)
        assert events[OPEN_STUDIO].thanks.startswith("Thank you for coming to Open studio.")
        assert (
            sum(row.guest.arrived for row in ev.guest_rows(events[OPEN_STUDIO].id, limit=99)) == 15
        )
        mail = Counter(kind for (kind,) in view.db.execute(
            "SELECT kind FROM fd_send JOIN fd_message USING (send_id)"
        ))  # fmt: skip
        assert {"confirmed", "waitlisted", "invitation", "offer", "headcount", "reminder"} <= set(
            mail
        )


def test_the_people_are_the_same_each_time(tmp_path: Path) -> None:
    found = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        fill(Settings(data_dir=folder), NOON)
        with open_view(data_file(folder), TABLES) as view:
            found.append(
                view.db.execute("SELECT name, email FROM fd_person ORDER BY email").fetchall()
            )

    assert found[0] == found[1]
    assert all(email.endswith("@example.org") for _, email in found[0])


def test_the_demo_is_made_once_and_never_over_what_is_there(empty: Shell) -> None:
    assert empty.says("demo").startswith("The demo business is in ")
    before = empty.data("events")

    assert empty.fails("demo") == (
        f"{empty.data_dir} has data already; the demo wants an empty one."
    )
    assert empty.data("events") == before
    assert sorted(path.name for path in empty.data_dir.iterdir()) == [
        "frontdesk.db",
        "frontdesk.lock",
        "link-keys.json",
    ]
