"""Signed links: each has one purpose, and nobody can forge one."""

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.core.links import Keys, LinkKey, read
from frontdesk.desks.booking.links import (
    BookingLink,
    BookingLinks,
    HeldTime,
    Purpose,
    hold_token,
    opens_service,
    read_hold,
    service_key,
    understood,
)
from frontdesk.desks.booking.model import HoldId
from frontdesk.values import replace
from tests.desks.booking.pages.test_texts import BOOKING

KEYS = Keys(LinkKey(1, b"k" * 32))
OTHER = Keys(LinkKey(1, b"o" * 32))
NOW = datetime(2026, 11, 16, 1, tzinfo=UTC)
LINKS = BookingLinks("https://salon.example", lambda: KEYS)
HELD = HeldTime(
    HoldId("01h7nfdv7a3qy41knxvem2ww1y"), NOW + timedelta(hours=5), NOW + timedelta(minutes=5)
)


def token(url: str) -> str:
    return url.rpartition("/l/")[2].partition("?")[0]


@pytest.mark.spec("BK-13")
def test_a_booking_has_links_to_manage_move_and_cancel_it() -> None:
    manage, move, cancel = (each(BOOKING, 3) for each in (LINKS.manage, LINKS.move, LINKS.cancel))

    assert (move, cancel) == (f"{manage}?do=move", f"{manage}?do=cancel")
    assert understood(read(token(manage), KEYS, NOW)) == BookingLink(BOOKING.id, 3)


@pytest.mark.spec("BK-13")
def test_a_link_outlives_a_move_to_a_later_time() -> None:
    months_later = NOW + timedelta(days=300)

    assert read(token(LINKS.manage(BOOKING, 1)), KEYS, months_later).purpose == Purpose.MANAGE


def test_a_hold_is_read_back_until_it_ends() -> None:
    signed = hold_token(HELD, KEYS)

    assert read_hold(signed, KEYS, NOW) == HELD
    assert read_hold(signed, KEYS, HELD.until) is None


@pytest.mark.parametrize("forged", ["", "x", "A" * 56, hold_token(HELD, OTHER)])
def test_a_forged_hold_is_none(forged: str) -> None:
    assert read_hold(forged, KEYS, NOW) is None


def test_no_link_serves_another_purpose() -> None:
    manage, key = token(LINKS.manage(BOOKING, 1)), service_key("Haircut", KEYS)

    assert read_hold(manage, KEYS, NOW) is None
    assert read_hold(key, KEYS, NOW) is None
    assert not opens_service(hold_token(HELD, KEYS), "Haircut", KEYS, NOW)


@pytest.mark.spec("BK-36")
def test_a_private_link_opens_its_own_service_only() -> None:
    key = service_key("Head spa", KEYS)

    assert opens_service(key, "head SPA", KEYS, NOW + timedelta(days=9_000))
    assert not opens_service(key, "Haircut", KEYS, NOW)
    assert not opens_service(key, "Head spa", OTHER, NOW)


def test_a_link_names_the_version_of_the_contact() -> None:
    moved = replace(BOOKING, sequence=1)

    links = {LINKS.manage(moved, version) for version in (1, 2)}

    assert len(links) == 2
