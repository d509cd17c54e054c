"""Divides a folded text into items with roles: numbers, words, marks, and what was found before."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from frontdesk.reading.phrases.grammar import Item, Roles
from frontdesk.reading.phrases.hours import Hour
from frontdesk.reading.phrases.spans import TimeSpan
from frontdesk.reading.phrases.vocabulary import (
    compound,
    corrected,
    is_known,
    languages_of,
    roles_of,
)
from frontdesk.reading.words import MONTHS, SHORT_MONTHS, one_of
from frontdesk.values import Frozen, replace

#: Text behind so many words is not read.
MOST_TOKENS: Final = 1_500
MOST_MISSPELT: Final = 40
#: The longest phrase of the vocabulary.
MOST_WORDS: Final = 6
#: Sets of roles of numbers and marks.
ROLE_SETS: Final = tuple(
    frozenset(roles.split())
    for roles in (
        *("x", "word", "comma", "stop", "and", "or", "at", "about", "to dash", "int", "int ord"),
        *("ord", "year", "year hhmm", "far_year", "hhmm", "int hhmm"),
        *("fulldate", "isodate", "slashed"),
        *(
            "dotted",
            "dotdate",
            "clock",
            "clock span",
            "quarter_number",
            "am",
            "pm",
            "two_days",
            "monthyear",
        ),
        *("holiday", "part", "recurring"),
    )
)


class LexedText(Frozen):
    items: list[Item]
    is_corrected: bool
    """True if a word was misspelt."""


class _Token(Frozen):
    kind: str
    text: str
    start: int
    end: int


_NO_NUMBER_BEFORE: Final = r"(?:(?<![\w/.,:€$£#+@-])|(?<=\d\.-)|(?<=[./]20\d\d-))"
#: '25. 11. 26' is a year, '25. 11. 14 Uhr' an hour, and so is '25.11. 14'.
_NO_HOUR: Final = r"(?!:\d|\s?(?:h|uhr|am|pm|a\.m|p\.m)\b)"
#: Behind '9h 20' in '9h 20 mars', '9h 20-25 mars', '9h 20/3', '9h 20-03-2026'.
_DATE_BEHIND: Final = (
    r"(?:\s?(?:-|au|al|bis)\s?\d{1,2})?\.?\s(?:de\s)?"
    rf"{one_of((*MONTHS, *SHORT_MONTHS))}\b|-\d{{1,2}}-|[./]\d"
)
_TOKEN: Final = re.compile(
    rf"(?P<isodate>{_NO_NUMBER_BEFORE}(?:19|20)\d\d-\d\d-\d\d(?=t\d\d:?\d\d|\b))(?:t(?=\d))?"
    rf"|(?P<fulldate>{_NO_NUMBER_BEFORE}(?:\d{{1,2}}(?P<mark>[./-])(?P<gap>\s)?\d{{1,2}}(?P=mark)"
    rf"(?:\s?(?:19|20)\d\d|\d\d{_NO_HOUR}|(?(gap)\s\d\d{_NO_HOUR}|(?!)))"
    r"|(?:19|20)\d\d(?P<mark2>[./])\d{1,2}(?P=mark2)\d{1,2})"
    r"(?![\w/]|-(?!\d{1,2}[./])|\.\d))"
    r"|(?P<monthyear>(?<![\w/.,:+-])(?:(?:0?[1-9]|1[0-2])[/.-](?:19|20)\d\d|(?:19|20)\d\d-(?:0[1-9]"
    r"|1[0-2]))(?![\w/-]|[.,:]\d))"
    r"|(?P<two_days>(?<![\w/.])\d{1,2}\.\s?/\s?\d{1,2}\.\d{1,2}\.?(?!\d))"
    r"|(?P<clock>(?:(?<![\w/.,:€$£#+])|(?<=\dt))(?:[01]?\d|2[0-4])(?:(?::|\s?h)[0-5]\d"
    rf"|\s?h\s[0-5]\d(?!{_DATE_BEHIND}))"
    r"(?::[0-5]\d)?(?:\s?h\b)?"
    r"(?![\d/]|[.:]\d))"
    r"|(?P<dotdate>(?<![\w/.,:])(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?!\d))"
    r"|(?P<dotted>(?<![\w/.,:€$£#+])\d{1,2}[.,]\d{1,2}(?![\d/:]|[.,]\d|\s?[€$£%]))"
    r"|(?P<slashed>(?<![\w/.,:€$£#+])\d{1,2}/\d{1,2}(?![\w/]|[.,]\d))"
    r"|(?P<ordinal>(?<![\w/.,:€$£#+])\d{1,2}(?:['-]?(?:st|nd|rd|th|er|re|eme|ieme|e|ten|ter|tes|te"
    r"|sten|ster|ste|ro|do|mo|to|vo|no)\b|\.?[ºª°]))"
    r"|(?P<ampm>(?<=\d)[ap]\b(?!\.?\s?m\b)|\b[ap]\.\s?m\b\.?)"
    r"|(?P<number>\d+(?:\.(?=\s|$|-|/|,))?)"
    r"|(?P<quarter_number>\bq[1-4]\b|\bt[1-4](?=\s(?:de\s)?20\d\d\b))"
    r"|(?P<word>[^\W\d_]+)"
    r"|(?P<mark_only>[^\w\s]|\n)"
)
_MARKS: Final[dict[str, Roles]] = {
    ",": {"comma": 0}, "(": {"comma": 0}, ")": {"comma": 0}, ":": {"comma": 0},
    "-": {"to": 0, "dash": 0}, "/": {"or": 0}, "&": {"and": 0}, "+": {"and": 0}, "@": {"at": 0},
    "~": {"about": 0}, ".": {"stop": 0}, "!": {"stop": 0}, "?": {"stop": 0}, ";": {"stop": 0},
    "\n": {"stop": 0},
}  # fmt: skip


def lexed(plain: str, known: list[Item]) -> LexedText:
    """Returns the items of a folded text; `known` are items that were found before, in order."""
    tokens = list(_tokens(plain, known))[:MOST_TOKENS]
    languages = languages_of(_WORD.findall(plain)[:MOST_TOKENS])
    chained = _chained(plain, tokens)
    items: list[Item] = []
    misspelt = 0
    at = 0
    while at < len(tokens):
        token, count = tokens[at], 1
        roles: Roles | None
        if token.kind == "word":
            words = [tokens[each].text for each in chained[at]]
            length, roles = roles_of(words, languages)
            if not length and not is_known(token.text) and misspelt < MOST_MISSPELT:
                roles = corrected(token.text, languages)
                misspelt += bool(roles)
            count = chained[at][max(0, length - 1)] - at + 1
            roles = roles or ({"word": 0} if is_known(token.text) else {"x": 0})
            if "x" in roles and (pair := compound(token.text)):
                cut = token.start + pair[0]
                items.append(Item(pair[1], token.start, cut))
                token, roles = replace(token, start=cut), pair[2]
        else:
            roles = _roles(plain, tokens, at, items, languages)
        if roles:
            _append(items, Item(roles, token.start, tokens[at + count - 1].end))
        at += count
    in_order = sorted([*items, *known], key=lambda item: item.start)
    return LexedText(in_order, misspelt > 0)


_WORD: Final = re.compile(r"[^\W\d_]+")


def _tokens(plain: str, known: list[Item]) -> Iterator[_Token]:
    """Yields the tokens outside of the known items."""
    ends = [0, *(item.end for item in known)]
    starts = [*(item.start for item in known), len(plain)]
    for start, end in zip(ends, starts, strict=True):
        for found in _TOKEN.finditer(plain, start, max(start, end)):
            kind = found.lastgroup or ""
            kind = "fulldate" if kind in ("mark", "mark2") else kind
            first, last = found.span(kind)
            yield _Token(kind, plain[first:last], first, last)


def _chained(plain: str, tokens: list[_Token]) -> list[list[int]]:
    """Returns for each word the words that may continue its phrase: 'après-midi', 'o'clock'."""
    words = [at for at, token in enumerate(tokens) if token.kind == "word"]
    follows = {
        one: two
        for one, two in pairwise(words)
        if _SAME_PHRASE.fullmatch(plain, tokens[one].end, tokens[two].start)
    }
    found = []
    for at in range(len(tokens)):
        chain = [at]
        while len(chain) < MOST_WORDS and chain[-1] in follows:
            chain.append(follows[chain[-1]])
        found.append(chain)
    return found


_SAME_PHRASE: Final = re.compile(r"[ \t\n]{1,3}|['\"-]|\. ")


def _append(items: list[Item], item: Item) -> None:
    """Adds an item. Unknown words in a row are one item."""
    if items and "x" in item.roles and "x" in items[-1].roles:
        items[-1] = Item(item.roles, items[-1].start, item.end)
    else:
        items.append(item)


def _roles(
    plain: str, tokens: list[_Token], at: int, items: list[Item], languages: tuple[str, ...]
) -> Roles | None:
    token = tokens[at]
    match token.kind:
        case "number":
            return _number(plain, token, languages)
        case "clock":
            return _clock(token)
        case "ordinal":
            return {"ord": int(_DIGITS.findall(token.text)[0])}
        case "ampm":
            return {"am": 0} if token.text[0] == "a" else {"pm": 12}
        case "quarter_number":
            return {"quarter_number": int(token.text[1])}
        case "mark_only":
            return _mark(plain, token, items)
        case _:
            return {token.kind: token.text}


_DIGITS: Final = re.compile(r"\d+")


def _number(plain: str, token: _Token, languages: tuple[str, ...]) -> Roles | None:
    digits = token.text.removesuffix(".")
    if len(digits) > 4 or not digits.isascii():
        return {"x": 0}
    is_german = token.text.endswith(".") and _SLASHED_DAY.match(plain, token.end)
    if _NO_NUMBER.search(plain, max(0, token.start - 2), token.start) or (
        _UNITS.match(plain, token.end) and not is_german
    ):
        return {"x": 0}
    value = int(digits)
    is_time = len(digits) > 2 and value // 100 < 24 and value % 100 < 60
    if len(digits) == 4:
        is_year = 1900 <= value < 2200
        roles: dict[str, int] = {"year": value} if is_year else {}
        if value >= 2200 and not is_time and not _MORE_DIGITS.match(plain, token.end):
            return {"far_year": value}
        return roles | ({"hhmm": value} if is_time else {}) or {"x": 0}
    if len(digits) == 3:
        return {"int": value, "hhmm": value} if is_time else {"int": value}
    is_ordinal = token.text.endswith(".") and 1 <= value <= 53 and "de" in languages
    return {"int": value, "ord": value} if is_ordinal else {"int": value}


_NO_NUMBER: Final = re.compile(r"[€$£#]\s?$|\+$|\d[/.:]$")
_UNITS: Final = re.compile(r"\s?[€$£%]|/(?!20\d\d\b)\d|:\d|_")
#: '5./6. November'
_SLASHED_DAY: Final = re.compile(r"/\d{1,2}\.")
#: '9123 4567' is no year; '9999 15:00' has one.
_MORE_DIGITS: Final = re.compile(r"[\s()-]{0,3}(?!\d{1,2}(?:[:.]\d\d|h))\d")


def _clock(token: _Token) -> Roles:
    """Returns '15:30', and '1h30' also as a length of time."""
    hour, minute = (int(each) for each in _DIGITS.findall(token.text)[:2])
    is_marked = token.text.startswith("0") or hour > 12
    clock = Hour(hour * 60 + minute, is_marked, is_clear="h" in token.text and hour >= 9)
    if hour == 24:
        clock = Hour(0, is_marked=True)
    if "h" in token.text:
        return {"clock": clock, "span": TimeSpan("minute", hour * 60 + minute)}
    return {"clock": clock}


def _mark(plain: str, token: _Token, items: list[Item]) -> Roles | None:
    """Returns the role of a mark. A hyphen inside a word and an abbreviation's dot have none."""
    if token.text == "-" and plain.startswith("ish", token.end):
        return None
    if token.text in "-+" and _BULLET.search(plain, max(0, token.start - 8), token.start):
        return _MARKS["\n"]
    if token.text == "-" and _HYPHEN.match(plain, max(0, token.start - 1)):
        is_range = items and items[-1].end == token.start and _RANGED & items[-1].roles.keys()
        return _MARKS["-"] if is_range else None
    if token.text == "." and items and items[-1].end == token.start:
        return None if _ABBREVIATED & items[-1].roles.keys() else _MARKS["."]
    return _MARKS.get(token.text)


_HYPHEN: Final = re.compile(r"[^\W\d_]-[^\W\d_]|\d-[^\W\d_]|[^\W\d_]-\d")
#: Before a mark that begins an item of a list.
_BULLET: Final = re.compile(r"\n[ \t]{0,6}$")
_RANGED: Final = frozenset(("weekday", "shortday", "month", "shortmonth", "relday", "int", "am"))
_ABBREVIATED: Final = frozenset(
    ("weekday", "shortday", "month", "shortmonth", "about", "pm", "am", "unit", "week_number")
)
