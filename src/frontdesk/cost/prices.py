"""Reads the price list in `prices.toml`, beside published costs for comparison."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from frontdesk.values import Frozen, replace

#: Sections of the list whose prices are by the month and by the country, not by the request.
_MONTH: Final = "month"
_TEXTS: Final = "texts"


class Price(Frozen):
    """`usd` buys `per` units of `service.what`."""

    service: str
    what: str
    usd: float
    per: float
    unit: str
    sure: bool

    def of(self, count: float) -> float:
        return count * self.usd / self.per


class MonthlyPrice(Frozen):
    what: str
    count: int
    usd: float
    unit: str
    free: int = 0
    """The number that is free on every account, if nothing else uses them."""

    @property
    def total(self) -> float:
        return self.count * self.usd

    @property
    def total_after_free(self) -> float:
        return max(0, self.count - self.free) * self.usd


class PriceList(Frozen):
    as_of: date
    region: str
    by_request: dict[str, Price]
    """By `service.what`, as in `dynamodb.write`."""
    by_month: tuple[MonthlyPrice, ...]
    texts: Mapping[str, Price]
    """Prices by the country of the recipient."""

    def to(self, country: str) -> PriceList:
        """Returns the list with texts at the price of this country."""
        return replace(self, by_request={**self.by_request, "texts.part": self.texts[country]})

    def unsure(self) -> tuple[str, ...]:
        return tuple(name for name, price in self.by_request.items() if not price.sure)


@cache
def price_list() -> PriceList:
    kept = read_toml("prices.toml")
    services = {name: part for name, part in kept.items() if isinstance(part, dict)}
    monthly, texts = services.pop(_MONTH), services.pop(_TEXTS)
    by_request = {
        f"{service}.{what}": Price(service, what, **price)
        for service, part in services.items()
        for what, price in part.items()
    }
    fixed = read_toml("fixed.toml")
    by_month = tuple(
        MonthlyPrice(what, count=fixed[what], **each) for what, each in monthly.items()
    )
    by_country = {
        country: Price(_TEXTS, "part", per=1, unit=f"parts of texts to {country}", **price)
        for country, price in texts.items()
    }
    return PriceList(kept["as_of"], kept["region"], by_request, by_month, by_country)


def read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files("frontdesk.cost").joinpath(name).read_text("utf-8"))


#: Numbers of guests, and the cost of the event in USD.
EVENT: Final = ((0, 0.0), (50, 0.80), (200, 2.40), (1_000, 9.0), (2_000, 18.0))
#: Entries in a month, and its cost in USD.
WAITLIST: Final = ((0, 0.0), (200, 2.0), (1_000, 6.0), (2_000, 13.0), (5_000, 30.0), (10_000, 60.0))
#: Requests in a month, and its cost in USD. One point is published.
BOOKINGS: Final = ((0, 0.0), (200, 3.0))


def reference_cost(number: int, points: tuple[tuple[int, float], ...] = EVENT) -> float:
    """Interpolates linearly between the published points, and beyond the last."""
    (lower, low), (upper, high) = next(
        (pair for pair in pairwise(points) if number <= pair[1][0]), points[-2:]
    )
    return low + (high - low) * (number - lower) / (upper - lower)
