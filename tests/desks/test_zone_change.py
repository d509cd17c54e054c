"""What is fixed ahead stays at its moment when the business gets another time zone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.admin.branding import business_zone
from frontdesk.desks.rsvp.commands import CreateEvent
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.model import Details, EventId, EventSettings
from frontdesk.desks.waitlist.commands import JoinList
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Lane, OfferState, Opening, Wish
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from tests.desks.reminders.test_connections import Shop, owner
from tests.support.reminders import DAY, FRIDAY, HOUR, MONDAY, an_id

SETTINGS = "/console/settings"
HERE = "Asia/Singapore"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """A booking on Friday, an appointment that was typed for Saturday, an offer for Monday, and
    an event. The business has the zone UTC."""
    with closing(Shop(tmp_path)) as one:
        one.opens().book("ann")
        host = owner(one)
        typed = {"name": "Bob", "email": "bob@example.org", "service": "cut"}
        host.send("/console/reminders/add", **typed, date="2026-11-21", time="10:00")
        wish = Wish("cut", 1, MONDAY.date(), (MONDAY + 30 * DAY).date())
        cat = (EntryId(an_id("cat")), PersonId(an_id("cat")), "Cat", "cat@example.org")
        one.do(JoinList(*cat, wish, Lane.STAFF))
        offered = Opening("cut", MONDAY + 7 * DAY + 2 * HOUR, HOUR, 1)
        slot_intake_in(one.product.site).free("test:1", offered, by="test")
        details = Details("Supper", FRIDAY, FRIDAY + 2 * HOUR, "Europe/Berlin")
        one.do(CreateEvent(EventId(an_id("supper")), "supper", details, EventSettings(), 10))
        yield one.settle()


def moments(shop: Shop) -> dict[str, datetime]:
    reads = shop.product.engine.reads()
    ahead = reads.desk("ar").appointments_between(MONDAY, MONDAY + 30 * DAY)
    found = {f"appointment of {one.service} from {one.source}": one.starts_at for one in ahead}
    for booking in reads.desk("bk").bookings_between(MONDAY, MONDAY + 30 * DAY):
        found["booking"] = booking.starts_at
    [slot] = waitlist(reads).slots(9)
    [offer] = waitlist(reads).offers(slot.id)
    assert offer.state is OfferState.LIVE
    assert offer.claim_by is not None
    event = rsvp(reads).event(EventId(an_id("supper")))
    assert event is not None
    found |= {"slot": slot.opening.starts_at, "offer": offer.claim_by}
    return found | {"event": event.details.starts_at}


def test_everything_ahead_keeps_its_moment_in_a_new_time_zone(shop: Shop) -> None:
    host, before = owner(shop), moments(shop)
    assert len(before) == 6

    asked = host.send(SETTINGS, name="Salon", zone=HERE)

    assert asked.heading == f"Change the time zone to {HERE}?"
    assert "Still to come: 1 slot of the waitlist, 1 booking, 1 appointment." in asked.says
    assert "10:00 (UTC) today becomes 18:00 (SGT)." in asked.says
    assert "Events have a time zone of their own" in asked.says
    far = host.send(SETTINGS, name="Salon", zone="Pacific/Pago_Pago")
    assert "10:00 (UTC) today becomes 23:00 (SST) of the day before." in far.says
    assert zone_of(shop) == "UTC"

    saved = host.send(SETTINGS, name="Salon", zone=HERE, confirmed="yes")
    shop.settle()
    assert saved.flash.startswith("Saved.")
    assert zone_of(shop) == HERE
    assert moments(shop) == before
    assert "Fri 20 Nov, 18:00 Ann" in host.get("/console/reminders").says
    assert "Sat 21 Nov, 18:00 Bob" in host.get("/console/reminders").says


def test_nothing_is_asked_while_nothing_is_shown_at_another_time(
    shop: Shop, tmp_path: Path
) -> None:
    host = owner(shop)
    assert host.send(SETTINGS, name="Other name").flash.startswith("Saved.")

    new = tmp_path / "new"
    new.mkdir()
    with closing(Shop(new)) as empty:
        assert owner(empty).send(SETTINGS, name="Salon", zone=HERE).flash.startswith("Saved.")
        assert zone_of(empty) == HERE


def zone_of(shop: Shop) -> str:
    return business_zone(shop.product.engine.reads())
