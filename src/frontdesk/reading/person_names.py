"""Distinguishes names of people from companies, titles and greetings."""

import re
from typing import Final

from frontdesk.core.contacts import BadContact, clean_name
from frontdesk.reading.model import Confidence, Field, Words, least
from frontdesk.reading.words import WEEKDAYS, folded, one_of

LIKELY: Final = Confidence.LIKELY
MOST_WORDS: Final = 5

_FIRST: Final = "[A-ZÀ-ÖØ-ÞŁŚŽŠČĐ]"
_PARTICLE: Final = (
    "(?:(?:von|van|de|del|della|der|den|la|le|al|bin|da|dos|zu|di|y|Mc|O) )?(?:de |la |der |den )?"
)
NAME: Final = (
    rf"(?:(?:{_FIRST}\. )?{_FIRST}[\w'’-]{{0,30}}"
    rf"(?: {_PARTICLE}{_FIRST}(?:\.|[\w'’-]{{0,30}})){{0,3}})"
)
TITLE: Final = (
    r"(?:Dr|Prof|Mr|Mrs|Ms|Miss|Mdm|Frau|Fr|Herr|Hr|Mme|Sra?|Sir|Lady|Lord|Dame|Rev|Capt|Col|Lt"
    r"|Major|Sgt)\.?"
)


def named(words: Words, confidence: Confidence) -> Field[str] | None:
    """Returns the name without its title. A title with one name is less certain."""
    try:
        name = clean_name(_TITLES.sub("", words.text.rstrip(" .,")))
    except BadContact:
        return None
    if _NO_NAME.search(folded(name)) or len(name.split()) > MOST_WORDS:
        return None
    is_less = bool(_TITLES.match(words.text)) and " " not in name
    return Field(name, least(confidence, LIKELY) if is_less else confidence, words)


_TITLES: Final = re.compile(rf"(?:{TITLE} ){{1,3}}")
_GREETINGS: Final = """
hi hello hallo hola bonjour dear liebe greetings love kind best beste besten bester freundliche
freundlichen warm warmest regards cheers sincerely yours saludos gruß gruße gruss grusse herzlich
herzliche herzlichen herzlichst viele vielen mit cordialement atentamente thank thanks thks thx
tks ta danke gracias merci grazie ciao lg vg mfg happy merry good many much big god enjoy hope
have take stay speak talk see hug hugs bis schon schone schonen schones gute guten guter gutes
frohe frohes frohen alles bonne bon buen buena buenas buenos hasta
"""
_SENTENCES: Final = """
please bitte looking yes no ok the a an not available interested free sorry here ps urgent asap
sent mobil mobile phone tel telephone telefon fax contact soy under name names unsubscribe new any
for in on at and but or we i my it this that can could would also call text ring until fur und
oder ich wir pour para
"""
#: Not a name if alone; 'May Chen' and 'April Jones' are people.
_NO_SINGLE: Final = """
january february march july september october november december januar februar marz oktober
dezember janvier fevrier juillet septembre octobre novembre decembre enero febrero septiembre
octubre noviembre diciembre morning afternoon evening everyone guys folks all bye tschuss mum mom
dad hr vorhanden gutschein voucher
"""
_BEGINNINGS: Final = (*_GREETINGS.split(), *_SENTENCES.split(), *WEEKDAYS)
_NO_NAME: Final = re.compile(rf"^{one_of(_BEGINNINGS)}(?:'s)?\b|^{one_of(_NO_SINGLE.split())}$")


def is_full(name: str) -> bool:
    """Returns whether it is a first and last name; 'M. Roux' and 'Roux Ltd' are not."""
    words = folded(name).split()
    is_spelt = all(len(word.strip(".")) > 1 for word in (words[0], words[-1]))
    return len(words) > 1 and is_spelt and "y" not in words and is_persons(name)


def is_persons(name: str) -> bool:
    return not _NO_PERSON.search(folded(name))


_COMPANY: Final = """
info team office booking bookings reservation reservations support noreply no-reply kontakt
contact admin service gmbh ag kg ug gbr ohg ltd llc inc plc corp co sarl srl bv via the family
familie famille familia company agency agentur travel tours department abteilung accounts partner
partners supplies group club verein school schule salon studio design hotel inn hostel restaurant
bistro cafe spa shop store clinic praxis hospital reception university college mail iphone samsung
outlook version unsubscribe
"""
_PLACE: Final = """
street road avenue strasse platz park plaza tower residence apartment apartments lodge resort
center centre bahnhof station
"""
_ROLE: Final = """
manager assistant director coach head customer client guest patient kunde kundin stammkunde
stammkundin neukunde neukundin aunt auntie uncle granny nana mum mom dad jr sr esq msc bsc phd md
mba rn
"""
_NO_PERSONS: Final = (*_COMPANY.split(), *_PLACE.split(), *_ROLE.split())
_NO_PERSON: Final = re.compile(rf"@|\d|&|\b{one_of(_NO_PERSONS)}\b")
