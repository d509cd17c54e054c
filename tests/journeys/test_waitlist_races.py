"""Everybody presses at once, over real HTTP: one booking, one chain, and a friendly page for
all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from frontdesk.core.messages import IncomingText
from frontdesk.desks.waitlist.facts import ClaimLost
from frontdesk.desks.waitlist.model import EntryStatus, Slot, SlotStatus
from frontdesk.intake.sms import TextIn
from frontdesk.values import replace
from frontdesk.web.limits import Limits
from tests.support.at_once import all_at_once
from tests.support.salon import HOUR, MINUTE, NINE, OPENING, Salon
from tests.support.salon import salon as open_salon
from tests.support.server import Page
from tests.support.waitlist import webhook_signature

SECRET = "a secret that is long enough"
ANN, BOB, CAT = "+6591234567", "+6591234568", "+6591234569"
MANY = 50


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    """Has three people on the list, each with a phone."""
    with open_salon(tmp_path, webhook_secret=SECRET) as opened:
        opened.product.site.limits = Limits(enabled=False)
        for name, mobile in (("Ann", ANN), ("Bob", BOB), ("Cat", CAT)):
            opened.joins(name, mobile=mobile)
        yield opened


def pressing(salon: Salon, link: str, do: str = "take") -> Callable[[], Page]:
    return lambda: salon.visitor.post(link, do=do)


def seen(pages: Sequence[Page]) -> Counter[tuple[int, str]]:
    return Counter((page.status, page.heading) for page in pages)


def lost(salon: Salon, slot: Slot) -> Counter[str]:
    """Counts losing clicks in the audit by person."""
    facts = [recorded.fact for recorded in salon.wl.facts(slot.id, limit=1_000)]
    return Counter(salon.name_of(one.entry_id) for one in facts if isinstance(one, ClaimLost))


def kinds(salon: Salon, slot: Slot) -> Counter[str]:
    return Counter(recorded.fact.kind for recorded in salon.wl.facts(slot.id, limit=1_000))


def now(salon: Salon, slot: Slot) -> Slot:
    found = salon.wl.slot(slot.id)
    assert found is not None
    return found


@pytest.mark.spec("WL-12", "WL-19", "WL-22")
def test_of_fifty_who_press_at_once_one_books_it_and_the_others_read_a_calm_page(
    salon: Salon,
) -> None:
    slot = salon.frees()
    late = salon.last_link(ANN)
    salon.later(10 * MINUTE)
    live = salon.last_link(BOB)

    pages = all_at_once([pressing(salon, link) for link in (late, live) * (MANY // 2)])

    half = MANY // 2
    answers = seen(pages)
    assert answers.pop((200, "It's yours.")) == half, "one booking, however often they press"
    assert set(answers) <= {(410, "Just filled."), (410, "This offer has expired.")}
    assert all("You're still on the list." in page.says for page in pages if page.status == 410)
    assert lost(salon, slot) == {"Ann": half}
    assert kinds(salon, slot)["wl.claimed"] == 1
    assert salon.settle().offers(slot) == [("Ann", "expired"), ("Bob", "claimed")]
    assert salon.name_of(now(salon, slot).booked_by) == "Bob"
    assert len(salon.messages(BOB)) == 2, "asked and confirmed, once each"
    assert salon.visitor.get(late).heading == "Just filled."


@pytest.mark.spec("WL-07", "WL-12", "WL-21")
def test_a_notice_that_comes_twenty_times_as_a_timer_rings_makes_one_slot_and_one_chain(
    salon: Salon,
) -> None:
    assert notice(salon, "b-1") == 201
    salon.settle()
    old = by_origin(salon, "webhook:b-1")
    salon.clock.move_to(salon.current(old).claim_by or NINE)

    told = [partial(notice, salon, which) for which in ("b-1", "b-2") * 20]
    *answers, _ = all_at_once([*told, salon.settle])
    salon.settle()

    assert Counter(answers) == {200: 39, 201: 1}
    new = by_origin(salon, "webhook:b-2")
    assert {one.id for one in salon.wl.slots(10)} == {old.id, new.id}
    assert salon.offers(old) == [("Ann", "expired"), ("Bob", "live")]
    assert salon.offers(new) == [("Ann", "live")]
    assert kinds(salon, new) == {"wl.slot_freed": 1, "wl.make_offer": 1, "wl.offer_armed": 1}
    assert (len(salon.messages(ANN)), len(salon.messages(BOB))) == (2, 1)


def notice(salon: Salon, which: str) -> int:
    """Sends the notice of a cancellation as a booking tool does; returns the status of the
    answer."""
    hour = 14 + int(which[-1])
    starts_at = f"2026-11-16T{hour}:00:00+08:00"
    told = {"id": which, "service": "Cut", "starts_at": starts_at, "staff": "Mia"}
    body = json.dumps(told).encode()
    signed = {"frontdesk-signature": webhook_signature(body, SECRET, salon.clock.now())}
    return salon.visitor.send("POST", "/hooks/waitlist/frontdesk", body, signed).status


def by_origin(salon: Salon, origin: str) -> Slot:
    found = salon.wl.slot_by_origin(origin)
    assert found is not None
    return found


@pytest.mark.spec("WL-17", "WL-19", "FD-05")
@pytest.mark.parametrize(
    ("after", "status", "heading", "offers"),
    [
        (-1, 200, "It's yours.", [("Ann", "claimed")]),
        (0, 410, "This offer has expired.", [("Ann", "expired"), ("Bob", "live")]),
        (1, 410, "This offer has expired.", [("Ann", "expired"), ("Bob", "live")]),
    ],
    ids=["the second before", "at the deadline", "the second after"],
)
def test_the_button_works_until_the_second_before_the_deadline(
    salon: Salon, after: int, status: int, heading: str, offers: list[tuple[str, str]]
) -> None:
    slot = salon.frees()
    salon.clock.move_to((salon.current(slot).claim_by or NINE) + after * MINUTE / 60)

    page = salon.visitor.post(salon.last_link(ANN), do="take")

    assert (page.status, page.heading) == (status, heading)
    assert lost(salon, slot) == ({} if status == 200 else {"Ann": 1})
    assert salon.settle().offers(slot) == offers


@pytest.mark.spec("WL-19", "WL-20")
def test_of_a_claim_and_a_decline_that_cross_one_counts_and_both_pages_say_which(
    salon: Salon,
) -> None:
    slot = salon.frees()
    link = salon.last_link(ANN)

    pages = all_at_once([pressing(salon, link, do) for do in ("take", "pass") * 10])

    outcome = kinds(salon, slot)
    assert outcome["wl.claimed"] + outcome["wl.offer_declined"] == 1
    if outcome["wl.claimed"]:
        assert seen(pages) == {(200, "It's yours."): 20}
        assert salon.settle().offers(slot) == [("Ann", "claimed")]
    else:
        assert seen(pages) == {(200, "You passed it on."): 20}
        assert lost(salon, slot) == {"Ann": 10}
        assert salon.settle().offers(slot) == [("Ann", "declined"), ("Bob", "live")]


@pytest.mark.spec("WL-06", "FD-15")
def test_stop_while_an_offer_is_live_passes_it_on_and_its_link_stays_calm(salon: Salon) -> None:
    slot = salon.frees()
    link = salon.last_link(ANN)

    stop = IncomingText(from_mobile=ANN, words="STOP", id="1", at=salon.clock.now())

    says_stop = partial(TextIn(salon.product).take, stop)
    all_at_once([says_stop, says_stop, says_stop, salon.settle])
    page = salon.visitor.post(link, do="take")
    salon.settle()

    assert (page.status, page.heading) == (410, "This offer was taken back.")
    assert "You're not on the list any more." in page.says
    assert salon.offers(slot) == [("Ann", "withdrawn"), ("Bob", "live")]
    assert len(salon.messages(ANN)) == 1, "nothing after STOP"


@pytest.mark.spec("WL-12", "WL-13", "WL-19")
def test_claiming_two_equal_slots_at_once_gives_one_and_passes_the_other_on(
    salon: Salon,
) -> None:
    first = salon.frees("test:1")
    links = [salon.last_link(ANN)]
    second = salon.frees("test:2", replace(OPENING, starts_at=NINE + 8 * HOUR))
    links.append(salon.last_link(ANN))

    pages = all_at_once([pressing(salon, link) for link in links * 10])

    assert seen(pages) == {
        (200, "It's yours."): 10,
        (200, "You have taken another time."): 10,
    }
    booked, other = first, second
    if now(salon, second).status is SlotStatus.BOOKED:
        booked, other = second, first
    salon.settle()
    assert salon.offers(booked) == [("Ann", "claimed")]
    assert salon.offers(other) == [("Ann", "withdrawn"), ("Bob", "live")]
    assert lost(salon, other) == {"Ann": 10}
    entry = salon.wl.entry(salon.wl.offers(booked.id)[0].entry_id)
    assert entry is not None
    assert entry.status is EntryStatus.BOOKED
