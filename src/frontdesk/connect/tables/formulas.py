"""Keeps a spreadsheet from taking a text for a formula, and takes that back on reading."""

import re

#: What a formula starts with, after blanks and apostrophes. The full-width forms count too.
#: Blanks at which a cell may start are none of these, so that no blank is looked at twice.
_FORMULA = r"'*(?:[\t\r]|(?:[^\S\t\r\n]|[\u200b-\u200f\u2060\ufeff])*[=+\-@＝＋－＠])"
#: Where a cell starts: also where it would if another separator than ours were assumed.
_START = r"(\A|[;\t\r\n])"

_OPEN = re.compile(f"{_START}(?={_FORMULA})")
_CLOSED = re.compile(f"{_START}'(?={_FORMULA})")
_AT_THE_START = re.compile(_FORMULA)


def looks_like_a_formula(text: str) -> bool:
    return _AT_THE_START.match(text) is not None


def with_formulas_closed(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet might see a formula."""
    return _OPEN.sub(r"\1'", text)


def with_formulas_opened(text: str) -> str:
    """The text that `with_formulas_closed` was given."""
    return _CLOSED.sub(r"\1", text) if "'" in text else text
