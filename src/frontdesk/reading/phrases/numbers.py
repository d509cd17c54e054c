"""Number words and ordinals of four languages, up to 59 and 31."""

from collections.abc import Callable
from typing import Final

#: The words of a language, by their value.
Numbers = dict[int, list[str]]


def _counted(words: str, start: int = 0) -> Numbers:
    return {at: [word] for at, word in enumerate(words.replace(",", " ").split(), start=start)}


def _with_tens(units: Numbers, tens: dict[int, str], joined: Callable[[int, str], str]) -> Numbers:
    """Adds 20 to 59 to the numbers up to 19."""
    found = dict(units)
    for ten, word in tens.items():
        found[ten] = [word]
        found |= {ten + one: [joined(one, word)] for one in range(1, 10)}
    return found


_ENGLISH_TENS: Final = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty"}
_GERMAN_TENS: Final = {20: "zwanzig", 30: "dreissig", 40: "vierzig", 50: "funfzig"}
_FRENCH_TENS: Final = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante"}
_SPANISH_TENS: Final = {20: "veinte", 30: "treinta", 40: "cuarenta", 50: "cincuenta"}

_ENGLISH_UNITS: Final = _counted(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
)
_GERMAN_UNITS: Final = _counted(
    "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn"
    " funfzehn sechzehn siebzehn achtzehn neunzehn"
)
_FRENCH_UNITS: Final = {
    **_counted(
        "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"
        " seize"
    ),
    17: ["dix sept"],
    18: ["dix huit"],
    19: ["dix neuf"],
}
_SPANISH_UNITS: Final = _counted(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    " dieciseis diecisiete dieciocho diecinueve"
)


#: 'dieciséis' or 'diez y seis'
_SPLIT: Final = range(16, 20)


def _german(one: int, ten: str) -> str:
    return f"{'ein' if one == 1 else _GERMAN_UNITS[one][0]}und{ten}"


def _french(one: int, ten: str) -> str:
    return f"{ten} {'et un' if one == 1 else _FRENCH_UNITS[one][0]}"


def _spanish(one: int, ten: str) -> str:
    word = _SPANISH_UNITS[one][0]
    return f"veinti{word}" if ten == "veinte" else f"{ten} y {word}"


def _without_umlauts(numbers: Numbers) -> Numbers:
    """Adds the spellings 'fuenf', 'zwoelf' and 'dreißig'."""
    spelt = (("funf", "fuenf"), ("zwolf", "zwoelf"), ("dreissig", "dreißig"))
    return {
        value: list(
            dict.fromkeys([*words, *(word.replace(*each) for word in words for each in spelt)])
        )
        for value, words in numbers.items()
    }


CARDINALS: Final[dict[str, Numbers]] = {
    "en": _with_tens(
        _ENGLISH_UNITS, _ENGLISH_TENS, lambda one, ten: f"{ten} {_ENGLISH_UNITS[one][0]}"
    ),
    "de": _without_umlauts(_with_tens(_GERMAN_UNITS, _GERMAN_TENS, _german)),
    "fr": {
        **_with_tens(_FRENCH_UNITS, _FRENCH_TENS, _french),
        1: ["un", "une"],
        **{ten + 1: [f"{word} et un", f"{word} et une"] for ten, word in _FRENCH_TENS.items()},
    },
    "es": {
        **_with_tens(_SPANISH_UNITS, _SPANISH_TENS, _spanish),
        1: ["uno", "una"],
        **{at: [_SPANISH_UNITS[at][0], f"diez y {_SPANISH_UNITS[at - 10][0]}"] for at in _SPLIT},
        21: ["veintiuno", "veintiun", "veintiuna", "veinte y uno"],
        31: ["treinta y uno", "treinta y un", "treinta y una"],
    },
}


def _english_ordinals() -> Numbers:
    first = (
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
        " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
    )
    found = _counted(first, start=1)
    found |= {20 + one: [f"twenty {found[one][0]}"] for one in range(1, 10)}
    return found | {30: ["thirtieth"], 31: ["thirty first"]}


def _german_ordinals() -> Numbers:
    stems = {1: "erste", 2: "zweite", 3: "dritte", 7: "siebte", 8: "achte"}
    stems |= {at: f"{_GERMAN_UNITS[at][0]}te" for at in range(4, 20) if at not in stems}
    for at in range(20, 32):
        ten = _GERMAN_TENS[at // 10 * 10]
        stems[at] = f"{_german(at % 10, ten) if at % 10 else ten}ste"
    return _without_umlauts(
        {at: [stem + end for end in ("", "n", "r", "s", "m")] for at, stem in stems.items()}
    )


def _french_ordinals() -> Numbers:
    found: Numbers = {
        1: ["premier", "premiere", "premiers", "premieres"],
        2: ["deuxieme", "deuxiemes", "second", "seconde"],
        5: ["cinquieme"],
        9: ["neuvieme"],
    }
    for at in range(3, 32):
        if at not in found:
            *before, word = CARDINALS["fr"][at][0].split()
            stem = {"neuf": "neuv", "cinq": "cinqu"}.get(word, word.removesuffix("e"))
            found[at] = [" ".join((*before, f"{stem}ieme"))]
    return found


def _spanish_ordinals() -> Numbers:
    stems = "primer segund tercer cuart quint sext septim octav noven decim undecim duodecim"
    found = {
        at: [f"{stem}{end}" for end in ("o", "a", "os", "as")]
        for at, stem in enumerate(stems.split(), start=1)
    }
    found[1].append("primer")
    found[3].append("tercer")
    found[20] = ["vigesimo"]
    return found


ORDINALS: Final[dict[str, Numbers]] = {
    "en": _english_ordinals(),
    "de": _german_ordinals(),
    "fr": _french_ordinals(),
    "es": _spanish_ordinals(),
}
