"""Detects a service that the business does not have in a short sentence, in four languages.

'Haircut Friday' names one if nobody cuts hair; 'an appointment on Friday, please' names none. An
unknown word counts only at the beginning or after an article.
"""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from frontdesk.reading.model import Words
from frontdesk.reading.wish_vocabulary import is_all_wish
from frontdesk.reading.words import MONTHS, WEEKDAYS, folded

#: A longer run of unknown words is not the name of a service.
MOST_WORDS: Final = 3


def names_other_service(text: str, known: Iterable[Words]) -> bool:
    """`known` has the words that are understood: the time, the staff and the party."""
    plain = folded(text)
    for each in known:
        plain = plain[: each.start] + _PAUSE * (each.end - each.start) + plain[each.end :]
    said = _WORD.findall(plain)
    runs = [(is_other, list(run)) for is_other, run in groupby(said, _is_other)]
    places = [at for at, (is_other, _) in enumerate(runs) if is_other]
    if len(places) != 1 or len(runs[places[0]][1]) > MOST_WORDS:
        return False
    at = places[0]
    return at == 0 or runs[at - 1][1][-1] in _ARTICLES


def _is_other(word: str) -> bool:
    return (
        len(word) > 1
        and word[0] != _PAUSE
        and not (word in _LITTLE or word in WEEKDAYS or word in MONTHS or is_all_wish(word))
    )


#: Stands for words that are understood.
_PAUSE: Final = ","
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|[,.;!?]+")
_ARTICLE_WORDS: Final = "a an my another ein eine einen einer mein meine un une una mon ma mi"
_ARTICLES: Final = frozenset(_ARTICLE_WORDS.split())
#: Words that are said around a wish, and names of any visit or place.
_LITTLE_WORDS: Final = """
no not nah nope yup uh oh awesome actually that'll that's nice seems hold check remind within
beginning summer winter spring autumn fall if but or and this what how about up out off back again
sorry sounds guess hey hiya greetings dear sir madam cheers ideally preferably maybe perhaps
anybody anyone whoever whenever everything whatever since until till before after during around
next last only either exactly likely whole days week weeks weekend weekends weekday weekdays month
months hour hours minutes mornings today tonight tomorrow change move session sessions visit
visits meeting meet appointments bookings consultation service services treatment salon shop
studio therapist doctor dentist stylist second little bit lunch dinner oder aber und immer sommer
herbst fruhling nicht kein keine bin ist war sehr wie wenn weil schon sofort heute morgen
ubermorgen guten moin servus gruss jederzeit irgendwie wochenende woche nachste nachsten besuch
sitzung besprechung treffen behandlung zeit genau entweder ou mais si l'hiver l'ete l'automne
printemps avant-dernier l'avant-dernier d'aujourd'hui dans pas ne tot tard bientot seulement
plutot toute tout demain aujourd'hui semaine mois visite seance reunion soin salut coucou bonsoir
madame monsieur n'importe quand o pero verano invierno otono primavera dentro tengo ya mas solo
algo desde hasta durante alrededor hoy semana mes pronto como cuando visita sesion tratamiento
buen saludos senora senor esta este tal half prochain prochaine proximo proxima siguiente kommende
kommenden what's where when's call ring here running peu importe
"""
_LITTLE: Final = frozenset(_LITTLE_WORDS.split())
