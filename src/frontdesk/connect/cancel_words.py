"""Detects clear cancellations in short texts in English, German, French and Spanish.

It looks at each sentence. Questions, negations, conditions, partial cancellations and sentences
about others are not clear; an unclear text changes nothing.
"""

import re

from frontdesk.core.plain_text import without_accents

MAX_TEXT = 4_000
MAX_SENTENCES = 40
MAX_SENTENCE = 300


def wants_to_cancel(text: str) -> bool:
    """Returns whether the new text of a mail clearly cancels; False if in doubt."""
    sentences = _sentences(text)
    if any(_KEEPS.search(sentence) for sentence in sentences):
        return False
    return any(_cancels(sentence) for sentence in sentences)


def _cancels(sentence: str) -> bool:
    if sentence.endswith("?"):
        return bool(_ORDER.match(sentence))
    return bool(_CLEAR.search(sentence)) and not _UNCERTAIN.search(sentence)


def _sentences(text: str) -> list[str]:
    """Splits into sentences: lower case, no accents, no contractions or polite words; '?' stays."""
    plain = _WRAPPED.sub(" ", _APOSTROPHE.sub("'", without_accents(text[:MAX_TEXT])))
    found = [_simple(part[:MAX_SENTENCE]) for part in _SENTENCE_END.split(plain)]
    return [sentence for sentence in found if sentence][:MAX_SENTENCES]


def _simple(sentence: str) -> str:
    for pattern, written_out in _CONTRACTIONS:
        sentence = pattern.sub(written_out, sentence)
    sentence = _POLITE.sub(" ", _GREETING.sub("", sentence.strip()))
    return " ".join(sentence.replace(" ,", ",").replace(" ?", "?").split()).strip(" ,-(")


_APOSTROPHE = re.compile("[\u2018\u2019\u201b\u02bc\u00b4`\u2032]")
_WRAPPED = re.compile(r"(?<=[a-z0-9,'])\n(?=[a-z])")
_SENTENCE_END = re.compile(r"(?<=\?)|[.!;:\n]")
_CONTRACTIONS = tuple(
    (re.compile(pattern), written_out)
    for pattern, written_out in (
        (r"\b(?:can't|cant|can not)\b", "cannot"),
        (r"\b(?:won't|wont)\b", "will not"),
        (r"\b(do|did|does|would|could|have|is|are)n't\b", r"\1 not"),
        (r"\bdont\b", "do not"),
        (r"\b(i|we|you)(?:'m|'re)(?= )", r"\1 am"),
        (r"\bim(?= )", "i am"),
        (r"\b(i|we|you)'ll(?= )", r"\1 will"),
        (r"\b(i|we|you)'d(?= )", r"\1 would"),
        (r"\b(i|we|you)'ve(?= )", r"\1 have"),
    )
)
_GREETING = re.compile(
    r"(?:(?:hi|hello|hey|dear|no|hallo|hi|liebe[rs]?|guten|bonjour|salut|hola|buenos|buenas)\b"
    r"(?: \w+){0,3}, ?)+"
)
_POLITE = re.compile(
    r"\b(?:unfortunately|regrettably|sadly|sorry|please|pls|kindly|really|just|now|afraid|also"
    r"|therefore|hereby|so|very|simply|actually|leider|doch|bitte|heute|nun|jetzt|auch|hiermit"
    r"|malheureusement|desolee?|s'il (?:vous|te) plait|finalement|por favor|lo siento"
    r"|lamentablemente|desgraciadamente|finalmente)\b,?"
)

_I = r"(?:^|\b(?:i|we)(?: am| are| will)? )"
_SEAT = (
    r"(?:rsvp|seats?|spots?|place|places|registration|booking|reservation|attendance|tickets?"
    r"|participation|sign-?up)\b"
)
_NOT_ABLE = (
    r"(?:cannot|could not|will not|can no longer|no longer can|will no longer|(?:be )?unable to"
    r"|(?:not|no longer) (?:be )?(?:able|going) to)"
)
_ATTEND = r"(?:be able to |be )?(?:make it|come|coming|attend|attending|participate|join|there)\b"
_WHOLLY = (
    r"(?!(?: \w+){0,2} (?:before|until|till|unless|early|earlier|sooner|alone|by|on time)\b)"
    r"(?! with(?:out)?\b| at \d)"
)
_ENGLISH = (
    rf"{_I}{_NOT_ABLE} {_ATTEND}{_WHOLLY}",
    rf"{_I}(?:not|no longer) (?:coming|attending|joining)\b{_WHOLLY}",
    (
        r"(?:^|\b(?:i|we)(?: \w+){0,4} |\byou (?:can |may )?)(?:cancel|withdraw)"
        r"(?:$|,| (?:it|this|(?:for )?(?:me|us)|because|due|since|thanks?|today|tonight|tomorrow)\b"
        rf"| (?:my|our|this|the) {_SEAT})"
    ),
    rf"^cancell?(?:ation|ing)(?: of)?(?:$| (?:my|our|the) {_SEAT})",
    rf"\b(?:i|we) (?:am|are) cancell?ing(?:$|,| (?:it|this)\b| (?:my|our|the) {_SEAT})",
    r"(?:^|\byou )(?:take|strike|remove|unregister|deregister) (?:me|us)\b(?!.*\b(?:mail|news))",
    r"\bcount (?:me|us) out\b",
    r"\b(?:i|we) (?:have|need) to (?:drop|bow|back|pull) out\b",
    rf"\bgive (?:up )?(?:my|our) {_SEAT}(?:$| up\b| to (?:someone|somebody|the next|another))",
)
_SEAT_DE = (
    r"(?:(?:meine|unsere|die) (?:anmeldung|teilnahme|reservierung|buchung|zusage|platze)"
    r"|(?:meinen|unseren|den) platz)\b"
)
_COME_DE = r"(?:kommen|teilnehmen|dabei sein|dabeisein|erscheinen)\b"
_GERMAN = (
    (
        r"(?:^|\b(?:ich|wir) (?:muss|mussen|mochte|mochten|will|wollen) )"
        rf"(?:mich |uns |{_SEAT_DE} )?(?:wieder )?(?:absagen|stornieren|abmelden|zuruckziehen)\b"
    ),
    rf"^(?:storniere|stornieren sie|streiche|streichen sie) (?:mich|uns|{_SEAT_DE})",
    r"\b(?:ich|wir) sagen?(?: \w+)? ab\b|\b(?:ich melde mich|wir melden uns)(?: \w+)? ab\b",
    r"^melden? (?:sie )?(?:mich|uns)(?: \w+){0,2} ab\b",
    rf"\b(?:ich|wir) (?:kann|konnen|werde|werden) nicht (?:mehr )?{_COME_DE}",
    rf"^(?:kann|konnen) (?:(?:ich|wir) )?nicht (?:mehr )?{_COME_DE}",
    r"\b(?:(?:ich|wir) kommen?|(?:ich|wir) schaffen? es) nicht(?: mehr)?(?=$|,)",
    r"\b(?:ich bin|wir sind) (?:verhindert|nicht dabei)\b",
    r"^(?:absage|stornierung|abmeldung)$",
)
_SEAT_FR = r"(?:ma|mon|notre|nos) (?:places?|inscription|reservation|participation|venue)\b"
_COME_FR = r"(?:venir|participer|assister|etre (?:la|presente?s?|des votres))\b"
_FRENCH = (
    (
        r"(?:^|\b(?:merci d'|veuillez |(?:je|nous) (?:souhaite|voudrais|veux|dois|desire|souhaitons"
        rf"|devons|voulons) |j'aimerais ))annuler(?:$|,| {_SEAT_FR})"
    ),
    rf"(?:\bj'annule|\bnous annulons|^annulez|^annule)(?:$|,| {_SEAT_FR})",
    r"\b(?:desinscrivez|desinscris|retirez)-(?:moi|nous)\b|\bje me (?:desinscris|desiste)\b",
    (
        r"\b(?:je|nous|on) ne (?:peux|peut|pouvons|pourrai|pourra|pourrons) (?:pas|plus) "
        rf"{_COME_FR}(?! (?:avant|a l'heure|seule?))"
    ),
    (
        r"\b(?:je|nous) ne (?:viendrai|viendrons|viens|venons|participerai|participerons) "
        r"(?:pas|plus)(?=$|,)"
    ),
    r"\b(?:je|nous) ne (?:serai|serons) pas (?:la|presente?s?|des votres)\b",
)
_SEAT_ES = r"(?:mis?|nuestras?|la) (?:reserva|plazas?|inscripcion|asistencia|participacion|lugar)\b"
_COME_ES = r"(?:ir|asistir|venir|acudir|participar)\b"
_SPANISH = (
    (
        r"(?:^|\b(?:quiero|quisiera|queremos|necesito|debo|(?:tengo|tenemos) que|deseo"
        rf"|me gustaria) )(?:cancel|anul)(?:ar|a|e|en|ad)(?:$|,| {_SEAT_ES})"
    ),
    rf"\b(?:cancelo|anulo)(?:$|,| {_SEAT_ES})",
    (
        r"\bno (?:puedo|podre|podemos|podremos|(?:voy|vamos) a poder) "
        rf"{_COME_ES}(?! (?:antes|sol[oa]s?|a tiempo))"
    ),
    (
        r"\bno (?:ire|iremos|asistire|asistiremos|(?:voy|vamos) a (?:ir|asistir))\b"
        r"(?! (?:antes|sol[oa]s?))"
    ),
    r"^(?:borrame|borreme|quitame|quiteme|dame de baja|deme de baja)\b",
)
_CLEAR = re.compile("|".join((*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH)))

#: Questions that ask us to cancel.
_ORDER = re.compile(
    rf"(?:can|could|would|will) you (?:cancel|withdraw) (?:me|us|it|(?:my|our) {_SEAT})"
    r"|(?:can|could|would|will) you (?:take|remove) (?:me|us) (?:off|from)\b(?!.*\b(?:mail|news))"
    rf"|(?:konnen|konnten) sie (?:mich|uns|{_SEAT_DE}) (?:abmelden|stornieren|streichen)"
    rf"|(?:pouvez|pourriez)-vous annuler {_SEAT_FR}"
    rf"|¿?(?:puedes?|pueden|podrian?|podrias) cancelar {_SEAT_ES}"
)
#: Words that make a sentence conditional or uncertain.
_UNCERTAIN = re.compile(
    r"\b(?:if|in case|unless|whether|might|maybe|perhaps|probably|may (?:have|need|not)|how|when i"
    r"|possible|policy|wenn|falls|vielleicht|eventuell|ob (?:ich|wir)|sollte|si (?:je|nous|on)"
    r"|au cas|peut-etre|comment|si (?:no|tengo)|en caso|quizas?|tal vez|como|a lo mejor)\b"
)
#: Words that say that somebody comes. A text with them does not clearly cancel.
_KEEPS = re.compile(
    r"\b(?:not|never|without|instead of|rather than|no need to) (?:\w+ ){0,3}?cancel"
    r"|\bcount (?:me|us) in\b|\bstill (?:coming|in|want to (?:come|attend))\b|\bchanged my mind\b"
    r"|\b(?:i|we|but) will (?:\w+ )?(?:be there|come|attend|join|arrive)\b"
    r"(?! (?:\w+ )?(?:next|another))"
    r"|\b(?:nicht|nie|statt) (?:mehr |zu )?(?:absagen|stornieren|abmelden|abzusagen)\b"
    r"|\b(?:sage|sagen|melde|melden)(?: \w+)? nicht ab\b|\bkommen? (?:aber|trotzdem|spater)\b"
    r"|\b(?:n'annul|pas annuler\b|mais (?:je|nous) (?:vien|ser))"
    r"|\bno (?:\w+ ){0,2}?(?:cancel|anul)(?:ar|are|es|en|e|o)\b|\bpero (?:si |voy|ire|llegar)"
)
