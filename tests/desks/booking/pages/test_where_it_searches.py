"""A search may take long, so it never runs on the event loop, where all pages would wait for it."""

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from frontdesk.desks.booking.availability import Availability
from tests.desks.booking.pages.shop import Shop, at, text

Visit = Callable[[Shop], object]
NOTE = {"name": "Bo", "contact": "bo@example.org", "note": "Haircut on Thursday"}


def move(shop: Shop) -> object:
    return shop.get(f"{shop.links(shop.bookings()[-1])}?do=move")


def proposal(shop: Shop) -> object:
    shop.post("/book/ask", **NOTE)
    mail = shop.served.desk.mail_to("bo")[-1]
    url = next(each for each in mail.text.split() if "/l/" in each)
    shown = shop.get(url)
    assert shown.heading == "Book this time?"
    return shown


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Records for each search whether it ran on an event loop."""
    found: list[bool] = []
    for name in ("find", "check"):
        plain = getattr(Availability, name)

        def noted(*args: Any, plain: Any = plain, **kwargs: Any) -> Any:
            found.append(asyncio._get_running_loop() is not None)
            return plain(*args, **kwargs)

        monkeypatch.setattr(Availability, name, noted)
    return found


@pytest.mark.parametrize(
    "visit",
    [
        lambda shop: shop.get("/book"),
        lambda shop: shop.get("/book?q=Haircut+on+Thursday"),
        lambda shop: shop.get(f"/book/haircut?at={text(at(14))}"),
        lambda shop: shop.get(f"/api/booking/times?{urlencode({'service': 'Haircut'})}"),
        lambda shop: shop.post("/book/ask", **NOTE),
        move,
        proposal,
    ],
    ids=["page", "sentence", "time", "json", "note", "move", "proposal"],
)
def test_pages_search_in_a_thread(shop: Shop, searches: list[bool], visit: Visit) -> None:
    shop.given().book()
    searches.clear()

    visit(shop)

    assert searches != []
    assert not any(searches)
