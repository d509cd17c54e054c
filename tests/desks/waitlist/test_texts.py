"""Limits on texts: strangers can type any number into the form."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.core.messages import Text
from frontdesk.desks.waitlist.model import Lane, OfferState
from frontdesk.values import replace
from frontdesk.web.limits import Limits
from tests.support.flaky_channel import FlakyChannel
from tests.support.salon import OPENING, WISH, Salon, salon

ANN = "+6591234567"
LANDLINE = "+6561234567"


@pytest.fixture
def post() -> FlakyChannel:
    return FlakyChannel(name="sns")


@pytest.fixture
def shop(tmp_path: Path, post: FlakyChannel) -> Iterator[Salon]:
    """Allows six texts a day, three of them to strangers."""
    with salon(tmp_path, texts=post, texts_by="sns", texts_a_day=6) as one:
        one.product.site.limits = Limits(enabled=False)
        yield one


def typed(salon: Salon, **more: str) -> Any:
    days = {"earliest": WISH.earliest_on.isoformat(), "latest": WISH.latest_on.isoformat()}
    page = salon.visitor.post("/waitlist", name="X", service=WISH.service, **days, **more)
    salon.settle()
    return page


def texted(post: FlakyChannel) -> list[str]:
    return [one.to_mobile for one in post.delivered if isinstance(one, Text)]


@pytest.mark.spec("FD-28", "WL-04")
def test_joins_with_numbers_of_other_countries_send_no_text(
    shop: Salon, post: FlakyChannel
) -> None:
    refused = [typed(shop, mobile=each) for each in ("+61412345678", "+881631456789")]
    taken = typed(shop, mobile="+61 412 345 678", email="ann@example.org")

    for page in refused:
        assert page.error_at("mobile") == (
            "We can't send texts to this country. Please give an e-mail address."
        )
    assert "We can't send texts to this number, so we write to your e-mail" in taken.says
    assert len(shop.messages("ann@example.org")) == 1
    assert texted(post) == []


@pytest.mark.spec("FD-28")
def test_a_country_that_is_named_gets_texts(tmp_path: Path, post: FlakyChannel) -> None:
    with salon(tmp_path, texts=post, texts_by="sns", text_countries="SG AU") as one:
        typed(one, mobile="+61412345678")

    assert texted(post) == ["+61412345678"]


@pytest.mark.spec("FD-28", "WL-14")
def test_strangers_use_up_half_of_a_days_texts_and_staff_are_told_once(
    shop: Salon, post: FlakyChannel
) -> None:
    shop.with_staff("mia@salon.example")
    for n in range(8):
        typed(shop, mobile=f"+659123456{n}")
    pumped = len(texted(post))
    with_address = typed(shop, mobile="+6598765432", email="ann@example.org")
    shop.frees()
    shop.settle()

    assert pumped == 3
    assert len(shop.messages("ann@example.org")) == 1, with_address.says
    assert texted(post)[3:] == ["+6591234560"], "the offer goes by text still"
    told = [each["subject"] for each in shop.messages("mia@salon.example")]
    assert told == ["Texts today: 3"]


@pytest.mark.spec("FD-28", "WL-16")
def test_when_all_are_used_up_an_offer_waits_without_a_window_and_goes_out_the_next_day(
    tmp_path: Path, post: FlakyChannel
) -> None:
    openings = [
        replace(OPENING, starts_at=OPENING.starts_at + timedelta(days=2, hours=n)) for n in range(3)
    ]
    with salon(tmp_path, texts=post, texts_by="sns", texts_a_day=2) as shop:
        shop.with_staff("mia@salon.example")
        shop.joins("Ann", email="", mobile=ANN)
        slots = [shop.frees(f"test:{n}", each) for n, each in enumerate(openings)]
        waiting = shop.current(slots[2])
        shop.later(timedelta(hours=12))
        sent_by_night = len(texted(post))
        shop.later(timedelta(hours=13))
        told = [each["subject"] for each in shop.messages("mia@salon.example")]

    assert (waiting.state, waiting.claim_by) == (OfferState.PENDING, None)
    assert (sent_by_night, texted(post)) == (2, [ANN] * 3)
    assert told[:2] == ["Texts today: 1", "Texts today: 2"]


@pytest.mark.spec("WL-14", "WL-16")
def test_a_person_with_only_a_landline_is_unreachable_and_the_slot_rolls_on(
    shop: Salon, post: FlakyChannel
) -> None:
    shop.joins("Ann", email="", mobile=LANDLINE)
    shop.joins("Bob", mobile=ANN)
    slot = shop.frees()

    assert shop.offers(slot) == [("Ann", "unreachable"), ("Bob", "live")]
    assert texted(post) == [ANN]


@pytest.mark.spec("WL-14")
@pytest.mark.parametrize("number", [LANDLINE, "1123 4567", "+61 412 345 678"])
def test_beside_an_address_any_number_is_kept_and_mail_is_used(
    shop: Salon, post: FlakyChannel, number: str
) -> None:
    shop.joins("Ann", mobile=number, lane=Lane.FORM)
    shop.frees()

    assert len(shop.messages("ann@example.org")) == 2
    assert texted(post) == []
