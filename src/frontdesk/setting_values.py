"""Parsers for the text of settings. Each raises `ValueError` or `KeyError` for invalid text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError
    return number


def days(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 36_500:
        raise ValueError
    return number


def flag(text: str) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True}
    words |= {"false": False, "no": False, "off": False, "0": False}
    return words[text.lower()]


def url(text: str) -> str:
    if not re.fullmatch(r"https?://[^/\s]\S*", text):
        raise ValueError
    return text.rstrip("/")


def url_or_not(text: str) -> str:
    return url(text) if text else ""


def email(text: str) -> str:
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", text):
        raise ValueError
    return text


def google_doc(text: str) -> str:
    if text and not _GOOGLE_DOC.fullmatch(text):
        raise ValueError
    return text


_GOOGLE_DOC: Final = re.compile(r"https://docs\.google\.com/document/d/[\w-]{10,100}([/?#]\S*)?")


def drive_file(text: str) -> str:
    """Accepts the address of a Google Doc or of a file in Google Drive."""
    return text if _DRIVE_FILE.fullmatch(text) else google_doc(text)


_DRIVE_FILE: Final = re.compile(r"https://drive\.google\.com/file/d/[\w-]{10,100}([/?#]\S*)?")


def region(text: str) -> str:
    if text and not re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d", text):
        raise ValueError
    return text


def one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError
        return text

    return read


def domain(text: str) -> str:
    if text and (not text.replace("-", "").replace(".", "").isalnum()):
        raise ValueError
    return text.lower()


def country(text: str) -> str:
    if text.upper() not in COUNTRIES:
        raise ValueError
    return text.upper()


def countries(text: str) -> str:
    return " ".join(dict.fromkeys(country(each) for each in text.replace(",", " ").split()))


def desks(text: str) -> str:
    names = text.replace(",", " ").lower().split()
    if not set(names) <= {"rsvp", "waitlist", "booking", "reminders"}:
        raise ValueError
    return " ".join(dict.fromkeys(names))


def texts_a_day(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 100_000:
        raise ValueError
    return number


#: Countries whose phone numbers the library can parse. It is slow to import; a test compares them.
_CODES: Final = (
    "AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO "
    "BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK "
    "DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ "
    "GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM "
    "KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO "
    "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH "
    "PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR "
    "SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC "
    "VE VG VI VN VU WF WS XK YE YT ZA ZM ZW"
)
COUNTRIES: Final = frozenset(_CODES.split())


def text_sender(text: str) -> str:
    """A sender name that phone networks accept. Digits alone would be a phone number."""
    known = text.isascii() and text.isalnum() and not text.isdigit()
    if text and not (known and len(text) <= 11):
        raise ValueError
    return text


def text_number(text: str) -> str:
    """A phone number with its country code, or a short code."""
    if text and not re.fullmatch(r"\+[1-9]\d{6,14}|\d{3,8}", text, re.ASCII):
        raise ValueError
    return text


def slack_channel(text: str) -> str:
    """The channel's id, not its name: names change."""
    if text and not (text.isascii() and text.isalnum() and text.isupper() and text[0] in "CG"):
        raise ValueError
    return text


def calendar_url(text: str) -> str:
    return url_or_not("https://" + text[9:] if text.startswith("webcal://") else text)


def minutes(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1440:
        raise ValueError
    return number


_TOML_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)")


def toml_problem(error: ValueError) -> str:
    """Says in plain words where a TOML file is wrong, and what a line looks like."""
    found = _TOML_PLACE.search(str(error))
    place = f"line {found[1]}, column {found[2]}" if found else "its end"
    return f'{place} is not TOML. A line is like port = 8000 or name = "text in quotes"'
