"""Checks a sentence about computed figures that a language model wrote.

Each number in it must be one that our code computed, beside the words for it. A doubtful sentence
is refused, and our own words are used instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from frontdesk.values import Frozen

MOST_WORDS: Final = 700


class Figure(Frozen):
    """One computed value: its allowed spellings, and the words that must be beside it."""

    texts: tuple[str, ...]
    """'31', or 'S$2,880.00' and 'S$2,880'."""
    near: str
    """A regular expression that its part of the sentence must match. '{n}' is the value."""
    is_needed: bool = True
    """Whether a sentence without it is refused."""


def is_faithful(sentence: str, figures: Sequence[Figure], ours: str) -> bool:
    """Whether `sentence` can be used instead of `ours`, the sentence that our code wrote."""
    if not sentence.strip() or len(sentence) > MOST_WORDS or _FORBIDDEN.search(sentence):
        return False
    if not all(_is_in(one, sentence) for one in figures if one.is_needed):
        return False
    return (
        _has_only(sentence, figures)
        and _adds_no_count(sentence, ours)
        and _adds_no_name(sentence, ours)
        and _parts_fit(sentence)
    )


#: Links, addresses, markup, placeholders, and percentages, which our code does not compute.
_FORBIDDEN: Final = re.compile(r"://|www\.|[@<>{}\[\]`#*_|\\%]|\bper ?cent\b", re.IGNORECASE)


def _pattern(text: str) -> str:
    return rf"(?<![\w.,$€£-]){re.escape(text)}(?![\w])(?![.,]\d)"


def _is_in(figure: Figure, sentence: str) -> bool:
    return any(re.search(_pattern(text), sentence) for text in figure.texts)


def _has_only(sentence: str, figures: Sequence[Figure]) -> bool:
    """Whether every number belongs to a figure whose words are in the same part of the sentence."""
    left = list(sentence)
    parts = _parts(sentence)
    for text, near in _longest_first(figures):
        for found in re.finditer(_pattern(text), sentence):
            start, end = found.span()
            part = next(each for each in parts if each.start() <= start < each.end())
            wanted = near.replace("{n}", re.escape(text))
            if re.search(wanted, part[0], re.IGNORECASE):
                left[start:end] = " " * (end - start)
    return not re.search(r"\d|[$€£¥]", "".join(left))


def _longest_first(figures: Sequence[Figure]) -> list[tuple[str, str]]:
    found = [(text, figure.near) for figure in figures for text in figure.texts]
    return sorted(found, key=lambda each: -len(each[0]))


def _parts(sentence: str) -> list[re.Match[str]]:
    return list(_PART.finditer(sentence))


#: A part ends at a comma, a full stop or an 'and', but not at a comma or point in a number.
_PART: Final = re.compile(
    r"(?:(?!\b(?:and|but|while)\b)(?:[^,.;:!?\n—–]|[,.](?=\d)))+|.", re.DOTALL
)


def _adds_no_count(sentence: str, ours: str) -> bool:
    """Whether its counting words ('twelve', 'half', 'nobody', 'not') are all in `ours` as well."""
    return _counting_words(sentence) <= _counting_words(ours)


def _counting_words(text: str) -> set[str]:
    return {each.casefold() for each in _COUNTING.findall(text.replace("’", "'"))}


_COUNTING: Final = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|dozens?"
    r"|half|halves|thirds?|quarters?|twice|double|triple|couple|several|most|majority|both"
    r"|no|none|nobody|nothing|no-?one|not|never|neither|nor|without|all|every\w*|full\w*|empty"
    r"|sold|only|record|best|worst|more|fewer|less|than|up|down|rose|fell|increas\w+|decreas\w+"
    r"|doubled|tripled)\b|\w+n't\b",
    re.IGNORECASE,
)


def _adds_no_name(sentence: str, ours: str) -> bool:
    """Whether each capitalised word is in `ours`, or is a usual first word of a sentence."""
    known = {each.casefold() for each in _WORD.findall(ours)}
    for found in _WORD.finditer(sentence):
        word = found[0]
        if not word[0].isupper() or word.casefold() in known:
            continue
        before = sentence[: found.start()].rstrip(" \"'(")
        is_first = not before or before[-1] in ".!?:\n"
        if not (is_first and word.casefold() in _BEGINNINGS):
            return False
    return True


_WORD: Final = re.compile(r"[^\W\d_]+")
_BEGINNINGS: Final = frozenset(
    (
        *("a", "about", "after", "altogether", "and", "as", "at", "currently", "during", "for"),
        *("from", "good", "great", "here", "in", "it", "its", "just", "last", "nice", "now", "of"),
        *("on", "our", "overall", "people", "right", "seats", "slots", "so", "still", "that"),
        *("the", "there", "these", "they", "this", "to", "today", "together", "we", "well"),
        *("what", "with", "you", "your", "yes"),
    )
)


def _parts_fit(sentence: str) -> bool:
    """Whether in each '3 of 20' the first number is at most the second."""
    pairs = re.findall(
        r"(\d[\d,]*)\s+(?:\w+\s+){0,2}?(?:out )?of\s+(?:\w+\s+){0,2}?(\d[\d,]*)", sentence
    )
    return all(_number(part) <= _number(whole) for part, whole in pairs)


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", "") or "0")
