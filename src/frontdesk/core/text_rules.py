"""Limits for SMS: to which countries, and how many a day."""

from __future__ import annotations

from typing import Final, Protocol

from frontdesk.core.phones import can_text, country_of
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


def text_rules(settings: TextSettings) -> TextRules:
    """Builds the rules. By default SMS go to the business's own country only. In the console's
    mailbox they cost nothing, so any country is allowed."""
    if settings.texts_by in ("none", "mailbox"):
        return TextRules((), settings.texts_a_day)
    countries = tuple(settings.text_countries.split()) or (settings.country,)
    return TextRules(countries, settings.texts_a_day)


class TextRules(Frozen):
    """The allowed `countries`; none means all. Prices differ by a factor of a hundred, and numbers
    of no country (satellites) cost most."""

    countries: tuple[str, ...]
    a_day: int = 0
    """The most SMS on one day; 0: no limit."""

    @property
    def a_day_to_strangers(self) -> int:
        """The limit for answers to the public form. It is lower, to leave SMS for offers."""
        return self.a_day // 2

    def why_not(self, number: str) -> str:
        """Returns why no SMS goes to this number, or an empty text."""
        if not can_text(number):
            return NOT_MOBILE
        is_named = not self.countries or country_of(number) in self.countries
        return "" if is_named else ABROAD
