"""What can be somebody's name, and what only looks like one: a company, a title, a greeting."""

import re
from typing import Final

from frontdesk.connect.reading.model import Confidence, Field, Words, least
from frontdesk.connect.reading.words import folded
from frontdesk.core.contacts import BadContact, clean_name

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
    """A name without its title; 'Mrs Okonkwo' has another name besides."""
    try:
        name = clean_name(_TITLES.sub("", words.text.rstrip(" .,")))
    except BadContact:
        return None
    if _NO_NAME.search(folded(name)) or len(name.split()) > MOST_WORDS:
        return None
    is_less = bool(_TITLES.match(words.text)) and " " not in name
    return Field(name, least(confidence, LIKELY) if is_less else confidence, words)


_TITLES: Final = re.compile(rf"(?:{TITLE} ){{1,3}}")
#: With these begins a greeting, or a sentence, but nobody's name.
_NO_NAME: Final = re.compile(
    r"^(?:saludos|gru(?:ß|ss)e?|herzlich\w{0,3}|liebe|viele[nr]?|mit|cordialement|atentamente"
    r"|greetings|ta|tks|thx|love|kind|beste[nr]?|freundliche[nr]?|warm\w{0,3}|hi|hello|hallo|hola|bonjour"
    r"|dear|thanks?|thank you|thks|danke|gracias|merci|grazie|ciao|best|regards|sent|cheers"
    r"|please|bitte|looking|yes|no|ok|the|a|an|not|available|interested|free|sorry|here|ps|lg|vg"
    r"|mfg|mobile?|phone|tel|telephone|telefon|fax|contact|urgent|asap|soy|under|name'?s?|sincerely|yours|unsubscribe|happy|take"
    r"|stay|speak|talk|much|big|god|enjoy|hope|have|merry|good|many|see|hugs?|bis|schon\w{0,2}|gute[nrs]?|frohe[sn]?|alles|bonne|bon"
    r"|buen\w{0,2}|hasta|new|any|for|in|on|at|and|but|or|we|i|my|it|this|that|can|could|would"
    r"|also|call|text|ring|until|fur|und|oder|ich|wir|pour|para|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag"
    r"|sonntag)\b"
    r"|^(?:january|february|march|july|september|october|november|december|januar|februar|marz"
    r"|oktober|dezember|janvier|fevrier|juillet|septembre|octobre|novembre|decembre|enero|febrero"
    r"|septiembre|octubre|noviembre|diciembre|afternoon|evening|morning|everyone|guys|folks|all"
    r"|bye|tschuss|mum|mom|dad|hr|vorhanden|gutschein|voucher)$"
)


def is_full(name: str) -> bool:
    """First and last name of one person: 'M. Roux' and 'Roux Ltd' are less than that."""
    words = folded(name).split()
    is_spelt = all(len(word.strip(".")) > 1 for word in (words[0], words[-1]))
    return len(words) > 1 and is_spelt and "y" not in words and is_persons(name)


def is_persons(name: str) -> bool:
    return not _NO_PERSON.search(folded(name))


_NO_PERSON: Final = re.compile(
    r"@|\d|&|\b(?:info|team|office|bookings?|reservations?|support|noreply|no-reply|kontakt"
    r"|contact|admin|service|gmbh|ag|kg|ug|gbr|ohg|ltd|llc|inc|plc|corp|co|sarl|srl|bv|via|the"
    r"|family|familie|famille|familia|company|agency|agentur|travel|tours|department|abteilung|accounts|partners?|supplies|group|club|verein|school|schule"
    r"|salon|studio|design|hotel|inn|hostel|restaurant|bistro|cafe|spa|shop|store|clinic|praxis"
    r"|hospital|reception|manager|assistant|director|coach|head|customer|client|guest|patient"
    r"|kunde|kundin|stammkund\w{1,2}|neukund\w{1,2}|street|road|avenue|strasse|platz|park"
    r"|plaza|tower|residence|apartments?|lodge|resort|cent(?:er|re)|university|college|bahnhof"
    r"|aunt|auntie|uncle|granny|nana|mum|mom|dad|jr|sr|esq|msc|bsc|phd|md|mba|rn|station|version|mail|iphone|samsung|outlook|unsubscribe)\b"
)
