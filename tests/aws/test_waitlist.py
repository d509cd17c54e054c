"""What people on the waitlist and staff go through, on the whole application as it is deployed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from frontdesk.core.decision import TimerName
from frontdesk.desks.waitlist.model import EntryStatus, OfferState, ProposalStatus, SlotStatus
from tests.aws.stack import FAR_AWAY, Stack, desk_on, host
from tests.aws.studio import RULES_BUCKET, Studio

TIMERS = {
    TimerName("wl/house/daily"): "housekeeping",
    TimerName("wl/summary/monthly"): "summary",
}

pytestmark = [pytest.mark.needs("ministack"), pytest.mark.xdist_group("aws")]


@pytest.fixture
def studio(stack: Stack, tmp_path: Path) -> Iterator[Studio]:
    """A service of its own. Afterwards nobody was denied anything."""
    studio = Studio(stack, desk_on(stack, tmp_path).product, os.urandom(4).hex(), {})
    yield studio
    stack.settle()
    assert stack.denied() == []


@pytest.mark.spec("WL-04", "WL-07", "WL-14", "WL-19")
def test_a_slot_that_came_free_is_offered_by_text_and_claimed(studio: Studio) -> None:
    studio.given()
    studio.joins("ann", by_text=True)

    assert studio.comes_free().status == 201
    offer = studio.told("ann", 2)[-1]
    page = studio.takes("ann")

    assert studio.service in offer
    assert page.status == 200
    booked = studio.becomes(SlotStatus.BOOKED)
    assert booked.booked_by == studio.entry("ann").id
    studio.told("ann", 3)
    assert studio.comes_free().status == 200


@pytest.mark.spec("WL-14", "WL-20")
def test_an_offer_by_mail_that_is_declined_rolls_on_to_the_next(studio: Studio) -> None:
    studio.given()
    studio.joins("ann")
    studio.joins("bob")
    studio.comes_free()
    studio.told("ann", 2)

    studio.passes("ann")

    studio.told("bob", 2)
    studio.takes("bob")
    assert studio.becomes(SlotStatus.BOOKED).booked_by == studio.entry("bob").id
    studio.stack.settle()
    assert studio.statuses("ann", "bob") == [EntryStatus.WAITING, EntryStatus.BOOKED]


@pytest.mark.spec("WL-18", "WL-21")
def test_an_offer_lapses_by_its_schedule_rolls_on_and_is_handed_back(studio: Studio) -> None:
    studio.given()
    studio.joins("ann")
    studio.joins("bob")
    studio.comes_free()
    studio.told("ann", 2)
    studio.stack.settle()

    studio.time_is_up(1)
    studio.told("bob", 2)
    studio.stack.settle()
    studio.time_is_up(2)

    slot = studio.becomes(SlotStatus.HANDED_BACK)
    states = [offer.state for offer in studio.wl.offers(slot.id)]
    assert states == [OfferState.EXPIRED, OfferState.EXPIRED]


@pytest.mark.spec("WL-03")
def test_a_request_by_mail_is_read_and_shown_to_staff(studio: Studio) -> None:
    studio.given()
    visitor = host(studio.stack)

    studio.writes("ann", f"Hello,\n\nplease put me on the list for {studio.service}.\n\nAnn Lee\n")

    proposals = studio.stack.until(
        "a proposal",
        lambda: [
            each
            for each in studio.wl.proposals(ProposalStatus.OPEN, 50)
            if each.sender == studio.email("ann")
        ],
    )
    console = f"{studio.stack.addresses['fd-console']}console/waitlist"
    page = visitor.get(f"{console}/requests/{proposals[0].id}")
    assert page.status == 200
    assert studio.email("ann") in page.body


@pytest.mark.spec("WL-06")
def test_who_answers_stop_is_off_the_list_and_gets_no_more_texts(studio: Studio) -> None:
    studio.given()
    studio.joins("ann", by_text=True)

    studio.texts_back("ann", "STOP")

    studio.stack.until("off the list", lambda: studio.entry("ann").status is EntryStatus.STOPPED)
    studio.comes_free()
    studio.stack.settle()
    assert len(studio.texts("ann")) == 1


@pytest.mark.spec("WL-24", "WL-25")
def test_the_house_is_kept_at_night_and_the_month_summed_up(studio: Studio) -> None:
    studio.given()
    studio.stack.invoke("fd-sweep", {})

    for timer, function in TIMERS.items():
        studio.ring(timer, function)

    studio.stack.settle()
    due = dict(studio.back.store.due_timers(FAR_AWAY, 1_000))
    assert all(due[timer] > datetime.now(UTC) for timer in TIMERS)


@pytest.mark.spec("WL-01", "WL-06")
def test_who_leaves_the_list_is_off_it_and_a_version_of_it_is_kept(studio: Studio) -> None:
    studio.given()
    studio.joins("ann")
    studio.stack.until("a version", lambda: studio.email("ann") in str(studio.wl.sheet.last()))

    studio.presses("ann", do="leave")

    assert studio.entry("ann").status is EntryStatus.LEFT
    studio.stack.until("another", lambda: studio.email("ann") not in str(studio.wl.sheet.last()))


@pytest.mark.spec("WL-23")
def test_what_staff_write_in_the_console_lies_in_their_bucket(studio: Studio) -> None:
    studio.given()
    visitor = host(studio.stack)
    rules = f"{studio.stack.addresses['fd-console']}console/waitlist/rules"
    text = "No quiet hours.\nClaim window: 12 minutes.\n"

    shown = visitor.get(rules)
    page = visitor.post(rules, **{**shown.fields, "text": text, "do": "save"})

    assert page.status == 200, page.body
    kept = studio.stack.s3.get_object(Bucket=RULES_BUCKET, Key="rules.md")["Body"].read()
    assert kept.decode().split() == text.split()


@pytest.mark.spec("FD-18")
def test_staff_see_the_waitlist_in_the_console(studio: Studio) -> None:
    studio.given()
    studio.joins("ann")
    studio.comes_free()
    studio.told("ann", 2)
    visitor = host(studio.stack)
    console = f"{studio.stack.addresses['fd-console']}console/waitlist"

    pages = ("", "/list", "/requests", "/rules", "/voice", "/services", "/figures", "/day")
    found = {path: visitor.get(console + path).status for path in (*pages, "/versions", "/free")}

    assert set(found.values()) == {200}, found
    slot = visitor.get(f"{console}/slots/{studio.slot().id}")
    assert "Ann" in slot.says
