"""Cleans phone numbers that people type to E.164, or says in a sentence why it cannot.

The library with the numbering plans loads when the first number is read: most cold starts on AWS
never need it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from frontdesk.core.contacts import BadContact

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

MOST_PHONE_CHARACTERS: Final = 60
#: No person's phone number has fewer digits.
FEWEST_DIGITS: Final = 5
MOST_DIGITS: Final = 24


class CostsExtra(BadContact):
    """A premium-rate number, which is not a person's own number."""


@lru_cache(maxsize=1024)
def clean_phone(text: str, country: str) -> str:
    """Returns the number in E.164: '0171 123 45 67' in 'DE' is '+491711234567'.

    `country` (two letters) is the country of a number without +.
    """
    digits = _tidy(text)
    number = _from_abroad(digits) or _parsed(digits, country)
    _refuse_impossible(number)
    if _has_another_reading(digits, number, country):
        raise BadContact("Please write the number with + and the country's code in front.")
    return _e164(number)


def read_phone(text: str, country: str) -> str:
    """Returns E.164 if the numbering plans know the number, else as written: staff can call it.

    Raises `BadContact` for text that is no number, and for a premium-rate number.
    """
    try:
        return clean_phone(text, country)
    except CostsExtra:
        raise
    except BadContact:
        written = " ".join(_plain(text).split())
        digits = sum(map(str.isdigit, written))
        if not _AS_WRITTEN.fullmatch(written) or not FEWEST_DIGITS <= digits <= MOST_DIGITS:
            raise
        return written


@lru_cache(maxsize=4096)
def country_of(e164: str) -> str:
    """Returns two letters; empty for a number of no country (satellites) or an unknown one."""
    from phonenumbers import region_code_for_number

    number = _kept(e164)
    region = region_code_for_number(number) if number else None
    return region if region and region.isalpha() else ""


def shown(e164: str) -> str:
    """Formats the number with spaces: '+49 171 1234567'."""
    import phonenumbers as library

    number = _kept(e164) if e164.startswith("+") and e164[1:].isdigit() else None
    if number is None:
        return e164
    return library.format_number(number, library.PhoneNumberFormat.INTERNATIONAL)


@lru_cache(maxsize=1024)
def can_text(e164: str) -> bool:
    """Whether the number is mobile, or may be: some numbering plans do not mark mobile numbers."""
    from phonenumbers import PhoneNumberType, number_type

    number = _kept(e164)
    return number is not None and number_type(number) in (
        PhoneNumberType.MOBILE,
        PhoneNumberType.FIXED_LINE_OR_MOBILE,
    )


_PREFIX: Final = re.compile(r"tel:", re.IGNORECASE)
_EXTENSION: Final = re.compile(r"(?<=\d)\s*(?:ext\b|extension\b|x\s?\d|#|;ext=)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\+?[\d\s().\-/]+")
#: A number that the numbering plans do not know, perhaps with an extension.
_AS_WRITTEN: Final = re.compile(
    r"\+?[\d\s().\-/]+(?:\s*(?:ext\.?|extension|x|#)\s*\d{1,6})?", re.IGNORECASE | re.ASCII
)
_DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")


def _tidy(text: str) -> str:
    """Accepts digits, spaces and usual signs only. Letters never become digits."""
    if len(text) > MOST_PHONE_CHARACTERS:
        raise BadContact("That phone number is too long.")
    plain = _plain(text)
    if not plain:
        raise BadContact("Please give a phone number.")
    if _EXTENSION.search(plain):
        raise BadContact("Please give a phone number without an extension.")
    if not _NUMBER.fullmatch(plain) or plain.count("+") > 1:
        raise BadContact("Please give one phone number, in digits, like +65 6123 4567.")
    return plain


def _plain(text: str) -> str:
    """Removes invisible characters and normalises digits and dashes."""
    seen = "".join(c for c in text if unicodedata.category(c) != "Cf")
    plain = unicodedata.normalize("NFKC", seen).translate(_DASHES).strip()
    return _PREFIX.sub("", plain, count=1).strip()


def _from_abroad(digits: str) -> PhoneNumber | None:
    """Reads 00 as +, as most people write it, also in countries with another prefix."""
    from phonenumbers import NumberParseException, is_valid_number, parse

    bare = re.sub(r"\D", "", digits)
    if not digits.startswith("00"):
        return None
    try:
        number = parse(f"+{bare[2:]}", None)
    except NumberParseException:
        return None
    return number if is_valid_number(number) else None


def _parsed(digits: str, country: str) -> PhoneNumber:
    from phonenumbers import SUPPORTED_REGIONS, NumberParseException, parse

    assert country in SUPPORTED_REGIONS, f"no country: {country!r}"
    try:
        return parse(digits, country)
    except NumberParseException as failed:
        raise BadContact(_PARSE_WORDS[failed.error_type]) from None


_NO_CODE: Final = (
    "No country has the code that this number begins with. Please check its first digits."
)
_SHORT: Final = "That phone number is too short: is a digit missing?"
_LONG: Final = "That phone number is too long: is there a digit too many?"
_WRONG: Final = "There is no such phone number: please look at the digits once more."
#: By the library's error numbers.
_PARSE_WORDS: Final = {0: _NO_CODE, 1: _WRONG, 2: _SHORT, 3: _SHORT, 4: _LONG}
_POSSIBLE_WORDS: Final = {
    1: _NO_CODE,
    2: _SHORT,
    3: _LONG,
    4: "Please give the number with its area code.",
    5: _WRONG,
}


def _refuse_impossible(number: PhoneNumber) -> None:
    import phonenumbers as library

    possible = library.is_possible_number_with_reason(number)
    if words := _POSSIBLE_WORDS.get(possible):
        raise BadContact(words)
    if not library.is_valid_number(number):
        raise BadContact(_WRONG)
    if library.number_type(number) == library.PhoneNumberType.PREMIUM_RATE:
        raise CostsExtra("Please give a number of your own, not one that costs extra to call.")


def _has_another_reading(digits: str, number: PhoneNumber, country: str) -> bool:
    """Whether it is also valid with + in front: '49 171 1234567' is probably +49 171 1234567."""
    from phonenumbers import NumberParseException, is_valid_number, parse

    bare = re.sub(r"\D", "", digits)
    if digits.startswith("+") or not bare.startswith(str(number.country_code)):
        return False
    try:
        other = parse(f"+{bare}", country)
    except NumberParseException:
        return False
    return is_valid_number(other) and _e164(other) != _e164(number)


def _e164(number: PhoneNumber) -> str:
    from phonenumbers import PhoneNumberFormat, format_number

    return format_number(number, PhoneNumberFormat.E164)


def _kept(e164: str) -> PhoneNumber | None:
    from phonenumbers import NumberParseException, parse

    try:
        return parse(e164, None)
    except NumberParseException:
        return None
