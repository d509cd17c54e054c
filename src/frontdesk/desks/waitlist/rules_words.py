"""Parses numbers, durations and times of day in rules documents, in English and German."""

import re
from datetime import time, timedelta
from typing import Final

from frontdesk.core.plain_text import without_accents
from frontdesk.core.quiet_hours import QuietHours


class UnclearRule(ValueError):
    """The words have no meaning or more than one. The text explains it to staff."""


# --- words ------------------------------------------------------------------------------------


def plain_text(sentence: str) -> str:
    """Lower case without accents or articles, numbers as digits, one space between words."""
    text = without_accents(sentence).translate(_SIGNS)
    for pattern, instead in _WRITTEN_OUT:
        text = pattern.sub(instead, text)
    words = " ".join(_NUMBERS.get(word, word) for word in _WORD.findall(text))
    return " ".join(_FILLER.sub(" ", words).replace(" ,", ",").replace(" :", ":").split())


_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u201c\u201d\u201e«»\u2018\u2019\u2032`´*_\"'"),
    }
)
_WORD: Final = re.compile(r"\d+[.,:]\d+|\w+|[^\w\s]")
_FILLER: Final = re.compile(
    r"\b(?:the|an?|our|please|always|it|der|die|das|den|dem|des|eine?[nrm]?|unsere?|bitte)\b"
)
_UNIT: Final = r"(?:minutes?|mins?|m|hours?|hrs?|h|days?|minuten?|stunden?|std|tage?n?)"
#: Replacements before numbers are read: for half hours in words, 'an hour', and the full stops of
#: 'p.m.'.
_WRITTEN_OUT: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\ban hour and a half\b|\banderthalb stunden\b|\beineinhalb stunden\b", "90 minutes"),
        (r"\bthree quarters of an hour\b|\b(?:eine )?dreiviertelstunde\b", "45 minutes"),
        (r"\b(?:a )?quarter of an hour\b|\b(?:einer? )?viertelstunde\b", "15 minutes"),
        (r"\bhalf an hour\b|\b(?:einer? )?halben? stunde\b", "30 minutes"),
        (r"\bforty[ -]five\b", "45"),
        (r"\b(\d{1,2}) ?h ?(\d{2})\b", r"\1 hours \2 minutes"),
        (r"\b([ap])\. ?m\b\.?", r"\1m"),
        (rf"\b(?:an?|eine?[nrm]?) (?={_UNIT}\b)", "1 "),
        (r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", " "),
    )
)
_NUMBERS: Final = {
    word: str(number)
    for number, words in (
        (0, "zero null"),
        (1, "one"),
        (2, "two zwei"),
        (3, "three drei"),
        (4, "four vier"),
        (5, "five funf fuenf"),
        (6, "six sechs"),
        (7, "seven sieben"),
        (8, "eight acht"),
        (9, "nine neun"),
        (10, "ten zehn"),
        (11, "eleven elf"),
        (12, "twelve zwolf zwoelf"),
        (15, "fifteen funfzehn fuenfzehn"),
        (20, "twenty zwanzig"),
        (30, "thirty dreissig"),
        (40, "forty vierzig"),
        (45, "funfundvierzig fuenfundvierzig"),
        (60, "sixty sechzig"),
        (90, "ninety neunzig"),
    )
    for word in words.split()
}


# --- spans ------------------------------------------------------------------------------------

#: The pattern of a duration in a plain sentence; `read_span` parses it.
SPAN: Final = rf"(\d+(?:[.,]\d+)? ?{_UNIT}?(?:,? (?:and |und )?\d+ ?{_UNIT}?){{0,2}})"
_PART: Final = re.compile(r"(\d+)(?:[.,](\d+))? ?([a-z]*)")
_SPAN: Final = re.compile(SPAN)
_MINUTES: Final = {"m": 1, "h": 60, "s": 60, "d": 24 * 60, "t": 24 * 60}


def read_span(text: str) -> timedelta:
    """Parses '90 minutes', '1.5 hours' or '1 stunde und 30 minuten' to whole minutes."""
    if not _SPAN.fullmatch(text):
        raise UnclearRule(f"'{text}' is not a length of time: write it like 45 minutes or 2 hours.")
    minutes = sum(_minutes(part) for part in _PART.finditer(text))
    return timedelta(minutes=minutes)


def _minutes(part: re.Match[str]) -> int:
    whole, fraction, unit = part[1], part[2] or "", part[3]
    if not unit:
        raise UnclearRule(f"{part[0].strip()} of what? Write minutes or hours after it.")
    if len(whole) > 5 or len(fraction) > 2:
        raise UnclearRule(f"'{part[0]}' is not a length of time that can be used here.")
    scale = int(f"1{'0' * len(fraction)}")
    minutes, rest = divmod(int(whole + fraction) * _MINUTES[unit[0]], scale)
    if rest:
        raise UnclearRule(f"'{part[0]}' is not a whole number of minutes.")
    return minutes


# --- times of day -----------------------------------------------------------------------------

MOST_QUIET: Final = timedelta(hours=18)
_TIME: Final = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?"
    r"(?: ?(?P<sign>am|pm|uhr|h|o clock|oclock))?(?: (?P<part>.+))?"
)
_PARTS_OF_DAY: Final = {
    **dict.fromkeys(("in morning", "morgens", "fruh", "am morgen"), "am"),
    **dict.fromkeys(("in evening", "abends", "am abend"), "pm"),
}
_NAMED: Final = {
    **dict.fromkeys(("midnight", "mitternacht"), time(0)),
    **dict.fromkeys(("noon", "midday", "mittag", "mittags"), time(12)),
}


def read_quiet(start: str, end: str) -> QuietHours:
    """Parses two times. A bare '9' is clear only beside a time on the 24-hour clock."""
    in_24 = any(_is_24_hour(text) for text in (start, end))
    quiet = QuietHours(_read_time(start, in_24=in_24), _read_time(end, in_24=in_24))
    if quiet.start == quiet.end:
        raise UnclearRule("Quiet hours begin and end at different times; or write: No quiet hours.")
    if quiet_for(quiet) > MOST_QUIET:
        raise UnclearRule(
            f"From {quiet.start:%H:%M} to {quiet.end:%H:%M} is most of the day:"
            " write times like 21:00 or 9 pm."
        )
    return quiet


def quiet_for(quiet: QuietHours) -> timedelta:
    minutes = (quiet.end.hour - quiet.start.hour) * 60 + quiet.end.minute - quiet.start.minute
    return timedelta(minutes=minutes % (24 * 60))


def _is_24_hour(text: str) -> bool:
    found = _TIME.fullmatch(text)
    if found is None or found["part"]:
        return False
    return found["sign"] in ("uhr", "h") or (not found["sign"] and int(found["hour"]) % 24 > 12)


def _read_time(text: str, *, in_24: bool) -> time:
    if text in _NAMED:
        return _NAMED[text]
    found = _TIME.fullmatch(text)
    half = _part_of_day(found) if found else None
    if found is None or half == "?":
        raise UnclearRule(f"'{text}' is not a time of day: write it like 21:00 or 9 pm.")
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if half:
        return _on_12(hour, minute, half, text)
    if not in_24 and not found["minute"]:
        raise UnclearRule(f"{text} in the morning or in the evening? Write it like 21:00 or 9 pm.")
    if hour == 24 and not minute:
        return time(0)
    if hour > 23 or minute > 59:
        raise UnclearRule(f"There is no time {text}.")
    return time(hour, minute)


def _part_of_day(found: re.Match[str]) -> str | None:
    """'am', 'pm', None, or '?' for words that name no part of the day."""
    if found["part"]:
        return _PARTS_OF_DAY.get(found["part"], "?")
    return found["sign"] if found["sign"] in ("am", "pm") else None


def _on_12(hour: int, minute: int, half: str, text: str) -> time:
    if not 1 <= hour <= 12 or minute > 59:
        raise UnclearRule(f"There is no time {text}.")
    return time(hour % 12 + (12 if half == "pm" else 0), minute)
