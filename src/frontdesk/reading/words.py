"""Names of days, months and numbers in English, German, French and Spanish."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final


def folded(text: str) -> str:
    """Returns lower case without accents; every character keeps its position."""
    return text.translate(_FOLDING)


class _Folding(dict[int, str]):
    def __missing__(self, code: int) -> str:
        character = chr(code)
        lower = (unicodedata.normalize("NFD", character)[:1] or character).lower()[:1]
        self[code] = _SAME.get(character, lower or character)
        return self[code]


_FOLDING: Final = _Folding()
_SAME: Final = {"’": "'", "‘": "'", "´": "'", "–": "-", "—": "-", "‑": "-", "\xa0": " "}


def blanked(text: str, *patterns: re.Pattern[str]) -> str:
    """Replaces what the patterns find by blanks; every other character keeps its position."""
    for pattern in patterns:
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text


def one_of(words: Iterable[str]) -> str:
    """Returns a pattern for any of these, the longest first."""
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"


def _numbered(*rows: str) -> dict[str, int]:
    return {word: at for at, row in enumerate(rows) for word in row.split()}


WEEKDAYS: Final = _numbered(
    "monday montag lundi lunes",
    "tuesday dienstag mardi martes",
    "wednesday mittwoch mercredi miercoles",
    "thursday donnerstag jeudi jueves",
    "friday freitag vendredi viernes",
    "saturday samstag sonnabend samedi sabado",
    "sunday sonntag dimanche domingo",
)
#: Only beside a date or after 'next' and the like: 'sat' and 'mon' are also other words.
SHORT_WEEKDAYS: Final = _numbered(
    "mon mo lun", "tue tues di", "wed weds mi mer mie", "thu thur thurs do jeu jue",
    "fri fr ven vie", "sat sa sam sab", "sun so dim dom",
)  # fmt: skip
ALL_WEEKDAYS: Final = {**WEEKDAYS, **SHORT_WEEKDAYS}
MONTHS: Final = _numbered(
    "",
    "january januar janner janvier enero",
    "february februar fevrier febrero",
    "march marz maerz mars marzo",
    "april avril abril",
    "may mai mayo",
    "june juni juin junio",
    "july juli juillet julio",
    "august aout agosto",
    "september septembre septiembre setiembre",
    "october oktober octobre octubre",
    "november novembre noviembre",
    "december dezember decembre diciembre",
)
SHORT_MONTHS: Final = _numbered(
    "", "jan janv ene", "feb fev fevr", "mar mrz", "apr avr abr", "", "jun", "jul juil", "aug ago",
    "sep sept", "oct okt", "nov", "dec dez dic",
)  # fmt: skip
NUMBERS: Final = _numbered(
    "",
    "one eine einer ein eins une un una uno",
    "two zwei deux dos",
    "three drei trois tres",
    "four vier quatre cuatro",
    "five funf fuenf cinq cinco",
    "six sechs seis",
    "seven sieben sept siete",
    "eight acht huit ocho",
    "nine neun neuf nueve",
    "ten zehn dix diez",
    "eleven elf onze once",
    "twelve zwolf zwoelf douze doce",
)
_RELATED: Final = """
mother mum mom mam father dad daughter son child children kid kids boy boys girl girls lad lads
twins toddler teenager stepmother stepfather stepson stepdaughter grandmother grandfather grandson
granddaughter grandchild grandchildren grandma grandpa gran granny nan nana wife husband partner
fiance fiancee boyfriend girlfriend sister brother aunt uncle niece nephew cousin friend boss
assistant secretary carer client colleague neighbour neighbor guest flatmate roommate oma opa
mutter mama vater papa frau mann tochter sohn kind schwester bruder tante onkel freundin freund
chefin chef kollegin kollege nachbarin nachbar mandantin kundin mere pere femme mari fille fils
soeur frere ami amie collegue voisin voisine patron patronne madre padre mujer esposa marido hijo
hija hermano hermana amigo amiga jefe jefa vecino vecina abuelo abuela
"""
#: Folded words for relatives and others, for whom people ask.
KIN: Final = one_of(("little one", *_RELATED.split()))
MINE: Final = r"(?:my|our|meine?[nrms]?|unsere?[nrms]?|ma|mon|notre|mi|nuestr[oa])"


def number(word: str) -> int:
    """Parses '4', 'vier' or 'four'; 0 if it is not a number."""
    return int(word) if word.isdecimal() and word.isascii() else NUMBERS.get(word, 0)
