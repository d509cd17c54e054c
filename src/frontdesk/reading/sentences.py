"""Prepares the text of a request for finding days and times; each character keeps its position."""

import re
from typing import Final

from frontdesk.reading.contacts import EMAIL, LINK
from frontdesk.reading.words import MONTHS, blanked, folded, one_of

#: Nobody writes three pages before a wish; the limit keeps hostile text cheap.
MOST_READ: Final = 8_192
#: A phone number with its area code.
LEAST_DIGITS: Final = 9


def without_addresses(text: str) -> str:
    """Blanks out addresses and phone numbers."""
    return _NUMBER.sub(_without_number, blanked(text, EMAIL, LINK))


def _without_number(found: re.Match[str]) -> str:
    digits = sum(map(str.isdigit, found[0]))
    is_number = digits >= LEAST_DIGITS and not _DATE.search(found[0])
    return " " * len(found[0]) if is_number else found[0]


#: '+49 30 901820', '06 12 34 56 78', '(212) 736-5000', and no '03.10.2026 14'
_NUMBER: Final = re.compile(
    r"(?<![\w.,:/+])(?:(?:\+|\(?0)\d(?:[ ()./-]{0,2}\d){7,14}"
    r"|(?:1[ .-])?\(?[2-9]\d\d\)?[ .-]{1,2}\d{3}[ .-]\d{4})(?![\w:]|[.,]\d)"
)
_DATE: Final = re.compile(
    r"(?<!\d)(?<!\d[./-])(?:[0-2]?\d|3[01])([./-])(?:[0-2]?\d|3[01])\1(?:20)?\d\d(?!\1?\d)"
    r"|\d\d \d\d 20\d\d"
)


def joined_lines(text: str) -> str:
    """Replaces the ends of lines inside a sentence or a date by blanks."""
    letters = list(_LINE_END.sub(" ", text))
    for found in _DATE_ON_TWO_LINES.finditer(folded(text)):
        letters[found.start()] = " "
    return "".join(letters)


#: The end of a line inside a sentence: the next one begins small, or the line is full.
_LINE_END: Final = re.compile(r"(?<=[\w,])\n(?=[^\W\d_A-Z])|(?<=[^\n]{55}[\w,.])(?<!\d:)\n(?=\w)")
#: The end of a line inside a date: '12 | December', 'Friday | 11 December'.
_MONTH: Final = rf"{one_of(MONTHS)}\b"
_DATE_ON_TWO_LINES: Final = re.compile(
    rf"(?:(?<=\d)|(?<=\d\.)|(?<=\d(?:st|nd|rd|th)))\n(?={_MONTH})"
    rf"|(?:(?<=day)|(?<=tag))\n(?=\d{{1,2}}\.?\s{_MONTH})"
)
