"""All words of the four languages with their roles, and the language of a text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from frontdesk.reading.misspellings import letters_of, may_be_one_error, typing_errors
from frontdesk.reading.phrases import english, french, german, spanish
from frontdesk.reading.phrases.grammar import Roles
from frontdesk.reading.phrases.numbers import CARDINALS, ORDINALS
from frontdesk.reading.wish_vocabulary import WISH_WORDS

_TABLES: Final = {
    "en": english.WORDS,
    "de": german.WORDS,
    "fr": french.WORDS,
    "es": spanish.WORDS,
}
_COMMON: Final = {
    "en": english.COMMON.split(),
    "de": german.COMMON.split(),
    "fr": french.COMMON.split(),
    "es": spanish.COMMON.split(),
}
#: Roles of words that mean the same in a text of any language.
_OF_ANY_LANGUAGE: Final = frozenset(("weekday", "month", "relday"))
_SHORTEST_OF_ANY: Final = 5
#: A language with at least this share of the best one's words may also be meant.
_ALSO_LIKELY: Final = 0.7
#: Words that look like misspelt names of days and months.
_REAL_WORDS: Final = frozenset(
    (
        "frida",
        "marte",
        "mares",
        "manna",
        "remain",
        "remains",
        "martha",
        "mauritz",
        "domain",
        "javier",
        "morgan",
        "marten",
    )
)
#: Shorter words are too close to others.
_SHORTEST_CORRECTED: Final = 6

#: The roles of the words of a phrase, by language.
_Phrases = dict[tuple[str, ...], dict[str, dict[str, Any]]]


def _entries() -> Iterator[tuple[str, str, str, Any]]:
    """Yields language, phrase, role and value."""
    for language, table in _TABLES.items():
        for role, value, phrases in _lines(table):
            for phrase in phrases.split(","):
                yield language, phrase, role, value
        for role, numbers in (("int", CARDINALS[language]), ("ord", ORDINALS[language])):
            for value, words in numbers.items():
                for word in words:
                    yield language, word, role, value


def _lines(table: str) -> Iterator[tuple[str, Any, str]]:
    """Yields role, value and phrases of a table of words."""
    role = ""
    for line in table.replace("\n      ", " ").splitlines():
        value, is_line, phrases = line.partition(" = ")
        if is_line:
            yield role, _value(value.strip()), phrases
        else:
            role = line.removesuffix(":")


def _value(written: str) -> Any:
    try:
        return float(written) if "." in written else int(written)
    except ValueError:
        return tuple(written.split()) if " " in written else written


def _all_phrases() -> _Phrases:
    found: _Phrases = {}
    for language, phrase, role, value in _entries():
        own = found.setdefault(tuple(phrase.split()), {}).setdefault(language, {})
        own.setdefault(role, value)
    return found


_PHRASES: Final = _all_phrases()


def _longest() -> dict[str, int]:
    """Returns for each first word the number of words of its longest phrase."""
    found: dict[str, int] = {}
    for words in _PHRASES:
        found[words[0]] = max(len(words), found.get(words[0], 0))
    return found


_LONGEST: Final = _longest()


def _evidence() -> dict[str, dict[str, float]]:
    """Returns how much each word says for a language. Its languages have one order in every
    process: of languages that are equally likely, the first one counts."""
    languages: dict[str, set[str]] = {}
    for words, by_language in _PHRASES.items():
        languages.setdefault(words[0], set()).update(by_language)
    for language, known in (*WISH_WORDS.items(), *_COMMON.items()):
        for word in known:
            languages.setdefault(word, set()).add(language)
    return {
        word: {each: 1 / len(own) ** 2 for each in _TABLES if each in own}
        for word, own in languages.items()
    }


_EVIDENCE: Final = _evidence()
_KNOWN: Final = frozenset((*_LONGEST, *(word for words in WISH_WORDS.values() for word in words)))


def languages_of(words: Sequence[str]) -> tuple[str, ...]:
    """Returns the languages that a text may have, the likeliest first."""
    score: Counter[str] = Counter()
    at = 0
    while at < len(words):
        score.update(_EVIDENCE.get(words[at], {}))
        at += _phrase_length(words, at)
    best = max(score.values(), default=0)
    likely = tuple(one for one, points in score.most_common() if points >= best * _ALSO_LIKELY)
    return likely or tuple(_TABLES)


def _phrase_length(words: Sequence[str], at: int) -> int:
    """Returns the number of words of the longest phrase at that word. Only its first word tells
    the language: 'week end' is also French."""
    lengths = range(_LONGEST.get(words[at], 0), 1, -1)
    return next((each for each in lengths if tuple(words[at : at + each]) in _PHRASES), 1)


def roles_of(words: Sequence[str], languages: tuple[str, ...]) -> tuple[int, Roles | None]:
    """Returns the length of the longest phrase that these words begin with, and its roles."""
    for length in range(min(len(words), _LONGEST.get(words[0], 0)), 0, -1):
        by_language = _PHRASES.get(tuple(words[:length]), {})
        roles = _in_languages(by_language, languages)
        if not roles and len(words[0]) >= _SHORTEST_OF_ANY:
            roles = _in_any_language(by_language)
        if roles:
            return length, roles
    return 0, None


def _in_languages(
    by_language: dict[str, dict[str, Any]], languages: tuple[str, ...]
) -> dict[str, Any]:
    roles: dict[str, Any] = {}
    for language in languages:
        roles = {**by_language.get(language, {}), **roles}
    return roles


def _in_any_language(by_language: dict[str, dict[str, Any]]) -> dict[str, Any]:
    roles: dict[str, Any] = {}
    for other in by_language.values():
        roles = roles or {role: other[role] for role in _OF_ANY_LANGUAGE & other.keys()}
    return roles


def all_phrases() -> list[str]:
    return [" ".join(words) for words in _PHRASES]


def is_known(word: str) -> bool:
    return word in _KNOWN


def is_count(word: str) -> bool:
    """Returns whether a word counts what follows: '3', 'three', 'next', 'last', 'prochains'."""
    by_language = _PHRASES.get((word,), {})
    return word.isdecimal() or any(
        {"int", "ord", "few", "next", "last"} & own.keys() for own in by_language.values()
    )


def corrected(word: str, languages: tuple[str, ...]) -> Roles | None:
    """Returns the roles of a misspelt name of a day or a month."""
    if len(word) < _SHORTEST_CORRECTED - 1 or word in _REAL_WORDS:
        return None
    own = letters_of(word)
    for name, there in _NAMES_BY_LENGTH.get(len(word), ()):
        if not may_be_one_error(own, there):
            continue
        is_close = name[0] == word[0] or name[1] == word[1]
        if len(word) < _SHORTEST_CORRECTED:
            is_close = name[0] == word[0]  # only a letter is missing
        if is_close and typing_errors(name, word, 1) is not None:
            return _in_languages(_NAMES[name], languages) or None
    return None


def compound(word: str) -> tuple[int, Roles, Roles] | None:
    """Divides 'Dezemberwoche': the length of the first word, and the roles of both."""
    for ending in _GERMAN_ENDINGS:
        first = word.removesuffix(ending)
        roles = _PHRASES.get((first,), {}).get("de", {})
        if first != word and {"month", "weekday"} & roles.keys():
            return len(first), roles, _PHRASES[(ending,)]["de"]
    return None


_GERMAN_ENDINGS: Final = (
    *(
        "woche",
        "wochen",
        "wochenende",
        "anfang",
        "mitte",
        "ende",
        "halfte",
        "mittag",
        "tage",
        "tagen",
    ),
)
#: Names that people misspell, except those that are close to other words.
_NAMES: Final = {
    words[0]: by_language
    for words, by_language in _PHRASES.items()
    if len(words) == 1
    and len(words[0]) >= _SHORTEST_CORRECTED
    and any(_OF_ANY_LANGUAGE & roles.keys() for roles in by_language.values())
}
#: The names that a word of some length may be, with their letters.
_NAMES_BY_LENGTH: Final = {
    length: [(name, letters_of(name)) for name in _NAMES if abs(len(name) - length) < 2]
    for length in range(_SHORTEST_CORRECTED - 1, max(map(len, _NAMES)) + 2)
}


def role_sets() -> Iterator[frozenset[str]]:
    """Yields every set of roles that a phrase may have in a text of one language or several."""
    for by_language in _PHRASES.values():
        unions = {frozenset[str]()}
        for roles in by_language.values():
            unions |= {union | frozenset(roles) for union in unions}
            yield _OF_ANY_LANGUAGE & frozenset(roles)
        yield from unions
