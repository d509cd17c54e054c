"""To which numbers texts go, and how many a day: strangers can type any number into a form."""

from __future__ import annotations

from typing import Final, Protocol

from frontdesk.core.phones import can_text, country_of
from frontdesk.values import Frozen

NOT_MOBILE: Final = "this number takes no texts"
ABROAD: Final = "texts do not go to numbers of this country"


class TextSettings(Protocol):
    """What the settings say about texts."""

    @property
    def texts_by(self) -> str: ...
    @property
    def country(self) -> str: ...
    @property
    def text_countries(self) -> str: ...
    @property
    def texts_a_day(self) -> int: ...


def text_rules(settings: TextSettings) -> TextRules:
    """Unless other countries are named, texts go to the business's own. Those that only go into
    the console's mailbox cost nothing, so that they may be to anywhere."""
    if settings.texts_by in ("none", "mailbox"):
        return TextRules((), settings.texts_a_day)
    countries = tuple(settings.text_countries.split()) or (settings.country,)
    return TextRules(countries, settings.texts_a_day)


class TextRules(Frozen):
    """`countries` are named one by one (none: all of them): what a text costs differs by a factor
    of a hundred, and numbers of no country (satellites) are the dearest."""

    countries: tuple[str, ...]
    a_day: int = 0
    """How many texts go out on one day at most; any number if 0."""

    @property
    def a_day_to_strangers(self) -> int:
        """Answers to the public form stop earlier, so that nobody can use up the offers' texts."""
        return self.a_day // 2

    def why_not(self, number: str) -> str:
        """Why no text goes to this number, or nothing."""
        if not can_text(number):
            return NOT_MOBILE
        is_named = not self.countries or country_of(number) in self.countries
        return "" if is_named else ABROAD
