"""Public holidays of a country and its region. Imports the module of the country lazily."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final

#: Holidays after this year are not calculated.
LAST_YEAR: Final = 2100


@lru_cache(maxsize=64)
def public_holidays(country: str, region: str, year: int) -> frozenset[date]:
    """The days on which a country, or its region, has a public holiday. None for no country."""
    if not country or year > LAST_YEAR:
        return frozenset()
    import holidays  # most functions on AWS need none

    found = holidays.country_holidays(country, subdiv=region or None, years=year)
    return frozenset(found)


@lru_cache(maxsize=64)
def is_known(country: str, region: str) -> bool:
    """Whether the holidays of this country and region are known. True for no country."""
    if not country:
        return not region
    import holidays

    try:
        holidays.country_holidays(country, subdiv=region or None, years=2026)
    except NotImplementedError:
        return False
    return True


@lru_cache(maxsize=64)
def holidays_around(country: str, region: str, year: int) -> frozenset[date]:
    """The public holidays of this year, of the year before, and of the year after."""
    years = range(year - 1, year + 2)
    return frozenset[date]().union(*(public_holidays(country, region, each) for each in years))
