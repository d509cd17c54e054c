"""Limits for SMS: to which countries, how many a day, and what they may cost in a month."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Final, Protocol

from frontdesk.core.contacts import BadContact
from frontdesk.core.phones import can_text, clean_phone, country_of
from frontdesk.core.sms import size
from frontdesk.cost.prices import price_list
from frontdesk.values import Frozen

NOT_MOBILE: Final = "this number takes no texts"
ABROAD: Final = "texts do not go to numbers of this country"


class TextSettings(Protocol):
    """The settings about SMS."""

    @property
    def texts_by(self) -> str: ...
    @property
    def country(self) -> str: ...
    @property
    def text_countries(self) -> str: ...
    @property
    def texts_a_day(self) -> int: ...
    @property
    def texts_a_month_usd(self) -> int: ...


def text_rules(settings: TextSettings) -> TextRules:
    """Builds the rules. By default SMS go to the business's own country only. In the console's
    mailbox they cost nothing, so any country is allowed."""
    budget = settings.texts_a_month_usd * 1_000_000
    if settings.texts_by in ("none", "mailbox"):
        return TextRules((), settings.texts_a_day, budget)
    countries = tuple(settings.text_countries.split()) or (settings.country,)
    return TextRules(countries, settings.texts_a_day, budget)


def month_of(now: datetime) -> date:
    """The first day of the month (UTC) whose limit counts."""
    return now.astimezone(UTC).date().replace(day=1)


def resumes_on(now: datetime) -> date:
    """The day on which texts go out again after the month's limit was reached."""
    return (month_of(now) + timedelta(days=31)).replace(day=1)


def paused_until(now: datetime) -> str:
    """Says until when texts are paused: 'texts are paused until 1 December'."""
    on = resumes_on(now)
    return f"texts are paused until {on.day} {on:%B}"


@cache
def segment_price_micros(country: str) -> int:
    """Uses the price list; a country that is not in it costs as much as the most expensive one."""
    prices = price_list().texts
    known = prices.get(country) or max(prices.values(), key=lambda price: price.usd)
    return max(1, round(known.of(1) * 1_000_000))


class TextRules(Frozen):
    """Limits for SMS. Empty `countries` allow all. Prices differ by a factor of a hundred, and
    numbers of no country (satellites) cost most."""

    countries: tuple[str, ...]
    a_day: int = 0
    """The most SMS on one day; 0: no limit."""
    a_month_micros: int = 0
    """The most that the SMS of a month may cost, in millionths of a US dollar; 0: no limit."""

    @property
    def a_day_to_strangers(self) -> int:
        """The limit for answers to the public form. It is lower, to leave SMS for offers."""
        return self.a_day // 2

    def cost_micros(self, number: str, text: str) -> int:
        return max(1, size(text).segments) * segment_price_micros(country_of(number))

    def is_within_budget(self, number: str, spent_micros: int, *, segments: int = 1) -> bool:
        """Whether the month's limit allows one more SMS to this number."""
        if not self.a_month_micros:
            return True
        cost = segments * segment_price_micros(country_of(number))
        return spent_micros + cost <= self.a_month_micros

    def is_within_budget_anywhere(self, spent_micros: int, *, segments: int) -> bool:
        """Whether the month's limit allows one more SMS to any allowed country."""
        if not self.a_month_micros:
            return True
        cost = segments * max(map(segment_price_micros, self.countries or ("",)))
        return spent_micros + cost <= self.a_month_micros

    def why_not(self, number: str) -> str:
        """Returns why no SMS goes to this number, or an empty text."""
        if not can_text(number):
            return NOT_MOBILE
        is_named = not self.countries or country_of(number) in self.countries
        return "" if is_named else ABROAD


def clean_text_number(text: str, country: str, rules: TextRules) -> str:
    """Cleans a number that is somebody's only contact; raises `BadContact` if no SMS goes there."""
    number = clean_phone(text, country)
    why = rules.why_not(number)
    if why:
        raise BadContact(_ABROAD_TEXT if why == ABROAD else _NOT_MOBILE_TEXT)
    return number


_NOT_MOBILE_TEXT: Final = (
    "Texts don't reach this number. Please give a mobile number or an e-mail address."
)
_ABROAD_TEXT: Final = "We can't send texts to this country. Please give an e-mail address."
