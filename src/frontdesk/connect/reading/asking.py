"""How much a text asks for something: who thanks, cancels or is away asks for nothing.

What is found in such a text may be right, but is for a person to look at.
"""

import re
from typing import Final

from frontdesk.connect.cancel_words import wants_to_cancel
from frontdesk.connect.reading.model import Confidence, Words
from frontdesk.connect.reading.words import folded

CONFIDENT, LIKELY, _ = Confidence
MOST_SENTENCE: Final = 400
MOST_BEHIND: Final = 120
#: A part of a sentence with no more words than these besides is a wish in itself.
MOST_WORDS_BESIDE: Final = 3


def surest(body: str, plain: str) -> Confidence:
    """As sure as anything in this text can be."""
    if _OTHER_BUSINESS.search(plain) or _CANCELS.search(plain) or wants_to_cancel(body):
        return LIKELY
    return CONFIDENT


_OTHER_BUSINESS: Final = re.compile(
    r"\b(?:your order|deliver(?:y|ed)|unsubscribe|cv|lieferung|bestellung|bewerbung|livraison"
    r"|commande|candidature|pedido|entrega|receipt|refund|quittung|erstattung|recu"
    r"|remboursement|recibo|reembolso"
    r"|out of (?:the )?office|automatic reply|auto-?reply|abwesenheitsnotiz|nicht im buro"
    r"|automatische antwort|reponse automatique|absente? du bureau|respuesta automatica"
    r"|fuera de la oficina)\b"
)
_CANCELS: Final = re.compile(
    r"\b(?:(?:please|must|need to|have to|want to|to) cancel|sage (?:\w{1,12} ){0,4}ab|absagen"
    r"|annuler (?:mon|ma|notre)|anular (?:mi|la)|cancelar (?:mi|la))\b"
)


def surest_service(plain: str, service: Words) -> Confidence:
    """Less than certain where it is spoken of as something that has been."""
    start, end = _sentence(plain, service)
    sentence = plain[start:end]
    return LIKELY if _HAS_BEEN.search(sentence) and not _ASKS.search(sentence) else CONFIDENT


_HAS_BEEN: Final = re.compile(
    r"\b(?:thanks? for|thank you (?:so much |very much |again )?for|was|were|had|last|loved|enjoyed"
    r"|danke fur|war|letzte[nrsm]?|merci pour|etait|dernier\w{0,2}|gracias por|fue|ultim[oa])\b"
)


def surest_day(plain: str, day: Words, services: list[Words]) -> Confidence:
    """Certain only if it is written out: 'Sunday' and 'this week' are too easily said of
    something else."""
    is_written = _WRITTEN_OUT.search(folded(day.text))
    return surest_wish(plain, day, services) if is_written else LIKELY


_WRITTEN_OUT: Final = re.compile(r"\d|^(?:tomorrow|morgen|ubermorgen|demain|manana)$")


def surest_wish(plain: str, words: Words, services: list[Words]) -> Confidence:
    """Of a day or a number: certain only where its part of the sentence asks for something, or
    says nothing else, and no other way is named behind it."""
    start, end = _part(plain, words)
    rest = plain[start : words.start] + " " + plain[words.end : end]
    is_alone = len(rest.split()) <= MOST_WORDS_BESIDE
    is_asked = _ASKS.search(rest) or any(start <= each.start < end for each in services)
    behind = plain[words.end : words.end + MOST_BEHIND]
    is_open = _OTHERWISE.search(behind) or _OR.match(behind)
    return CONFIDENT if (is_asked or is_alone) and not is_open else LIKELY


def _part(plain: str, words: Words) -> tuple[int, int]:
    return _around(plain, words, _PART_END)


def _sentence(plain: str, words: Words) -> tuple[int, int]:
    return _around(plain, words, _SENTENCE_END)


def _around(plain: str, words: Words, mark: re.Pattern[str]) -> tuple[int, int]:
    low, high = max(0, words.start - MOST_SENTENCE), words.end + MOST_SENTENCE
    ends = [each.end() for each in mark.finditer(plain, low, words.start)]
    after = mark.search(plain, words.end, high)
    return (ends[-1] if ends else low), (after.start() if after else min(high, len(plain)))


_SENTENCE_END: Final = re.compile(r"[!?]+|(?<!\d)\.(?=\s)|\n\s{0,20}\n")
_PART_END: Final = re.compile(
    r"[!?;,|\t]+|(?<!\d)\.(?=\s)|\n\s{0,20}\n|\n(?=[^\n:]{1,25}:)|\s-\s"
    r"|\b(?:but|so(?! (?:much|far|many|soon|kind))|because|aber|weil|mais|parce que|pero|porque)\b"
)
#: 'this week or next', 'on 3 December or so'
_OR: Final = re.compile(r"\s{0,3},?\s{0,3}(?:or|oder|ou|o)\b")
_OTHERWISE: Final = re.compile(
    r"\+/-|\b(?:flexib\w{0,5}|if not|if that|otherwise|failing that|or else|sonst|ansonsten"
    r"|falls nicht|wenn nicht|sinon|si non|si no)\b"
)
_ASKS: Final = re.compile(
    r"\b(?:please|pl[sz]|(?:would|'d|d|i) (?:really )?(?:like|love)|wants?|needs?"
    r"|looking (?:for|to)|hop(?:e|ing)|book\w{0,3}|reserv\w{1,8}|appointments?|slots?|openings?"
    r"|opens|free|availab\w{2,5}"
    r"|any (?:chance|time|day)|anything|something|room for|gap|possible|could|can|may (?:i|we)"
    r"|fit (?:me|us)|squeeze|put (?:me|us)|wait(?:ing )?list|prefer\w{0,5}|suits?|works?"
    r"|perfect|fine|ideal(?:ly)?|dates?|earliest|latest|do you have|have you|be in town"
    r"|bitte|mochten?|hatten?|gern|wurden?|brauch\w{1,5}|suchen?|termin\w{0,2}|frei|platz"
    r"|passt|passen|ginge|geht|moglich|konn\w{2,4}|kann|warteliste|ware|lieb(?:er|sten)"
    r"|voudrai\w{1,4}|aimerai\w{1,4}|souhait\w{1,5}|cherch\w{1,3}|rendez-vous|rdv|place|dispo\w{0,8}"
    r"|libre|auriez|avez|peut|peux|pourrai\w{1,4}|s'il (?:vous|te) plait|svp|convien\w{1,4}|serons"
    r"|quisiera|querria|quiero|gustaria|busco|necesito|cita|hueco|disponib\w{2,4}|posible|tienen?"
    r"|teneis|tienes|puedo|podria|por favor|somos|seriamos)\b"
)
