"""Reduces a text to the form in which words are compared."""

import re
import unicodedata


def without_accents(text: str) -> str:
    """Lower case without accents: 'Čeněk' gives 'cenek'."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in folded if not unicodedata.combining(each))


def plain_words(text: str) -> list[str]:
    """The words in lower case, without accents and punctuation."""
    return re.findall(r"[^\W_]+", without_accents(text))
