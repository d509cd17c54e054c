"""Patterns for words that name days without a date: past, recurring or relative to other days."""

import re
from typing import Final

from frontdesk.reading.date_formats import ALL_WEEKDAYS
from frontdesk.reading.words import MONTHS, NUMBERS, WEEKDAYS, one_of

_S: Final = r"\s{1,4}"
_WEEKDAY: Final = one_of(WEEKDAYS)
_ANY_WEEKDAY: Final = one_of(ALL_WEEKDAYS)
_LONG_MONTH: Final = one_of(MONTHS)
_COUNT: Final = r"(?:\d{1,2}|a|einem|" + one_of(NUMBERS) + ")"

#: 'last week' is not a wish, and must not be read as one.
PAST: Final = re.compile(
    rf"\b(?:last|past|previous|letzte[nrms]?|vergangene[nrs]?|vorige[nrs]?|pasad[oa]){_S}"
    rf"(?:{_WEEKDAY}|{_LONG_MONTH}|week|woche|semana|weekend|wochenende|month|monat|mes|time|mal"
    rf"|year|jahr)\b|\b(?:{_WEEKDAY}|semaine|mois|week-end|fois|semana|mes){_S}(?:derniere?"
    rf"|passee?|pasad[oa])\b"
    r"|\b(?:yesterday|gestern|vorgestern|ayer|anteayer|avant-hier)\b"
    rf"|\b{_COUNT}{_S}(?:days?|weeks?|months?|years?){_S}ago\b|\bvor{_S}{_COUNT}{_S}(?:tag"
    rf"|woche|monat|jahr)\w{{0,2}}\b|\b(?:il{_S}y{_S}a|hace){_S}{_COUNT}{_S}\w{{2,10}}"
)
#: Days of every week: useful to staff, but not a date.
RECURRING: Final = re.compile(
    r"\b(?:every|each|any|on|jede[nr]?|chaque|cada|todos los|tous les|les|los)?\s?"
    rf"(?:{one_of(f'{day}s' for day in WEEKDAYS if not day.endswith('s'))}"
    rf"|{_WEEKDAY}(?:vormittag|nachmittag|abend)s"
    rf"|{_WEEKDAY} (?:mornings|afternoons|evenings))\b|\b(?:every|each|any|on an?|jede[nr]?|chaque"
    rf"|cada|todos los|tous les|les|los){_S}{_WEEKDAY}\b"
    rf"|\b{_ANY_WEEKDAY}\.?(?:\s?-\s?|{_S}(?:to|bis|a){_S}){_ANY_WEEKDAY}\b\.?:?"
    r"(?=,?\s{0,2}\d{1,2}(?:[:.]\d\d|\s?(?:-|uhr|am|pm|h\b)))"
)

#: Days relative to other days, or without a computable date.
UNPLACED: Final = re.compile(
    rf"\b(?:\d\.(?: (?:oder|und) \d\.)? advent\w{{0,8}}"
    rf"|(?:a|one|two|\d) weeks? (?:on|from|after) {_ANY_WEEKDAY}|{_ANY_WEEKDAY} fortnight"
    rf"|(?:first|second|third|fourth|last|ersten?|zweiten?|dritten?|letzten?|premier|dernier|primer"
    rf"|ultimo|\d(?:st|nd|rd|th)) {_WEEKDAY} (?:in|of|im|de|du)"
    rf"|the (?:week|weekend|day|month|{_WEEKDAY}) (?:before|after)(?! (?:next|tomorrow))"
    r"|(?:the )?following (?:week"
    r"|weekend|day)|die woche (?:darauf|danach)|(?:tag|wochenende) (?:darauf|danach)|danach"
    r"|la semaine (?:d'apres|suivante)|la semana siguiente|weekdays(?: only)?|werktags"
    r"|entre semana|en semaine|tomorrow week|en quinze|or so\b|(?:first|second) half of"
    r"|(?:erste|zweite)[nr]? halfte|(?:first|second|third|last|erste[nr]?|letzte[nr]?|premiere"
    r"|derniere|primera|ultima)"
    r" (?:week|woche|semaine|semana) (?:of|in|im|de|du))\b"
)

#: Other words have a noun after them: 'mi nombre', 'mon mari', 'Fr. Albers'.
_NO_WORD_BEHIND: Final = (
    r"(?!\.? (?!(?:or|and|at|after|before|till?|to|if|is|was|works?|would|morning|afternoon|evening"
    r"|early|late|oder|und|bis|war|ware|geht|ginge|passt|klappt|ab|um|vor|nach|fruh|abend|mittag)"
    r"\b)[a-z]{2})"
)
#: Other words that may name a day: not read, but they make other dates incomplete.
LOOSE: Final = re.compile(
    r"\b(?:tues?|weds?|thurs?|thu|fri|sat|sun|wkend|between now|from now|weekends?"
    rf"|(?:mon|mo|mi|fr|sa){_NO_WORD_BEHIND}|(?:mo|di|mi|do|fr|sa|so)(?= (?:oder|bis|und)\b)"
    r"|(?<=oder )(?:di|do|so))\b"
)
