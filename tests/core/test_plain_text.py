"""The normal form in which words are compared."""

from frontdesk.core.plain_text import plain_words, without_accents


def test_case_and_accents_do_not_tell_words_apart() -> None:
    assert without_accents("Čeněk WEIß, Ångström") == "cenek weiss, angstrom"


def test_words_have_no_punctuation_and_no_underscores() -> None:
    assert plain_words("Prénom / E-Mail_2 (optional)") == ["prenom", "e", "mail", "2", "optional"]
