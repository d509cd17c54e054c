"""The vocabulary of wishes for a day, in English, German, French and Spanish.

A sentence may say many things about a date: a wedding, a flight, a call. So the check is not
whether it says one of these, but whether all of its words are known to be part of a wish.
"""

import re
from typing import Final

from frontdesk.reading.words import KIN, MINE, NUMBERS

_ENGLISH: Final = """
a an the i i'd i'll i'm im id we we'd we'll we're you u me us to for on in at of and with is are
be there any some something anything anytime sometime time times day date dates slot slots space
spaces room spot opening openings gap place places appointment appt booking reservation book
reserve schedule request requested requesting get getting have having do does can could would
will may might like love want need needs looking look hoping hope wondering wonder possible
possibility available availability free chance fit squeeze pop put add down list waitlist
waiting come take make works work suits suit expect fine good great perfect ideal preferred
brilliant lovely super nice ok okay then now just only also really still please pls plz urgent
urgently asap earliest latest soonest between from group party people persons person adult
adults child children kids kid guest guests pax baby both together morning afternoon evening
night noon midday lunchtime early late o'clock am pm quick short full usual normal regular new
another cancellation thanks thank yes hi hello hey when it it's its total see same grateful
mornings afternoons evenings high chair window floor ground outside inside re these that case
whom concern she she'd he he'd they they'd go going visit visiting try trying set best better
prefer actually sure one should let let's rather instead able arrange yeah yep well
"""
_GERMAN: Final = """
ich wir sind mir mich uns ihr sie ihnen euch hatte hatten gern gerne mochte mochten wurde wurden
brauche brauchte brauchten brauchen suche suchen bitte bitten um einen eine ein einer den die
das der dem am an im fur zum zur zu bei mit und noch was etwas frei freien termin termine platz
geht ginge klappt passt passen ware waren super gut toll prima perfekt ideal moglich moglichst
konnen kann konnte konntet haben habt hast gibt es da dann auch nur gegen uhr vormittag
vormittags nachmittag nachmittags abend abends morgens mittag mittags fruh buchen reservieren
reservierung vereinbaren bekommen kommen essen personen person leute erwachsene kinder kind
gaste liste warteliste setzen setzt wunschtermin wunschdatum datum wann dringend danke ja hallo
vom von bis ab zwischen irgendwann mal spatestens fruhestens zweit dritt viert funft sechst
jeder jeden tag gehen lieber besser liebsten nehmen nehme eintragen doch vielleicht
"""
_FRENCH: Final = """
je j'ai nous vous tu un une des le la les du de d'avoir pour avec chez au en et est il voudrais
voudrions aimerais aimerions souhaite souhaiterais souhaiterions souhaitons cherche cherchons
reserver reservation prendre avoir auriez auriez-vous avez avez-vous serait possible est-il
est-ce que place creneau rendez-vous rdv dispo disponible disponibilite libre s'il plait svp
merci bonjour salut personnes personne couverts adultes enfants matin apres-midi soir soiree
midi vers heure heures serons sommes manger peux pourrais pourriez pouvez jour souhaitee liste
d'attente entre duo convient convient-il ideal parfait fin journee venir passer aller plutot mieux
prefere prefererais oui
"""
_SPANISH: Final = """
me nos un una el los las del al para con y por quisiera quisieramos querria querriamos quiero
queremos gustaria necesito necesitamos busco buscamos reservar reserva reservarme pedir cita
hueco sitio disponible disponibilidad tienen tiene teneis tienes hay puedo podria podrian podeis
puede ser seria posible favor gracias hola buenos buenas dias tardes noches personas persona
adultos ninos somos seremos seriamos grupo manana tarde noche mediodia dia fecha hacia sobre
hora horas comer cenar almorzar cualquier ir venir pasar mejor prefiero preferiria si vale
"""
#: The words of each language.
WISH_WORDS: Final = {
    "en": _ENGLISH.split(),
    "de": _GERMAN.split(),
    "fr": _FRENCH.split(),
    "es": _SPANISH.split(),
}
_WISH: Final = frozenset(word for words in WISH_WORDS.values() for word in words) | NUMBERS.keys()
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
#: 'at 7pm', 'around 11', 'gegen 19 Uhr', 'my mother', 'for my'
_ASIDE: Final = re.compile(
    r"\b(?:(?:at|around|about|from|after|before|by|um|gegen|ab|nach|vor|a|vers|a las|sobre las)"
    r" (?:half )?\d{1,2}(?:[:.h]\d\d)?(?: ?(?:am|pm|uhr|h)\b|(?![\d/]|\.\d))(?:ish)?"
    rf"|\d{{1,2}}(?:[:.h]\d\d)?\s?(?:am|pm|uhr|h)|(?:for )?{MINE} {KIN}|for my|onwards?|or later"
    r"|or after)\b"
)


def is_all_wish(plain: str) -> bool:
    """Returns whether all words belong to a wish; `plain` is folded, without names and services."""
    return all(word in _WISH for word in words_of(_ASIDE.sub(" ", plain)))


def words_of(plain: str) -> list[str]:
    return _WORD.findall(plain)
