"""Escapes text that a spreadsheet would take for a formula, and unescapes it on reading."""

import re

#: The start of a formula, after blanks and apostrophes, with full-width forms. Excludes the blanks
#: at which a cell may start, so that no blank is matched twice.
_FORMULA = r"'*(?:[\t\r]|(?:[^\S\t\r\n]|[\u200b-\u200f\u2060\ufeff])*[=+\-@＝＋－＠])"
#: The start of a cell, also with another separator than ours.
_START = r"(\A|[;\t\r\n])"

_OPEN = re.compile(f"{_START}(?={_FORMULA})")
_CLOSED = re.compile(f"{_START}'(?={_FORMULA})")
_AT_THE_START = re.compile(_FORMULA)


def looks_like_a_formula(text: str) -> bool:
    return _AT_THE_START.match(text) is not None


def with_formulas_closed(text: str) -> str:
    """Puts an apostrophe wherever a spreadsheet might see a formula."""
    return _OPEN.sub(r"\1'", text)


def with_formulas_opened(text: str) -> str:
    """Reverts `with_formulas_closed`."""
    return _CLOSED.sub(r"\1", text) if "'" in text else text
