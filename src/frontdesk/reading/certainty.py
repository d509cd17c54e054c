"""Limits the confidence of fields by the text around them.

Thanks, cancellations and absences ask for nothing: values in such a text may be right, but a person
must check them.
"""

import re
from datetime import date
from typing import Final

from frontdesk.connect.cancel_words import wants_to_cancel
from frontdesk.reading.model import Confidence, Field, Words
from frontdesk.reading.wish_vocabulary import is_all_wish
from frontdesk.reading.words import WEEKDAYS, folded, one_of
from frontdesk.values import Frozen

CONFIDENT, LIKELY, _ = Confidence
MOST_SENTENCE: Final = 400
MOST_BEHIND: Final = 120
#: The end of a part may look ahead at a label of this length.
MOST_LABEL: Final = 30
#: A part of a sentence with no more other words than this is a wish in itself.
MOST_WORDS_BESIDE: Final = 3


def is_other_business(plain: str) -> bool:
    """Returns whether the text is about a parcel, an invoice, an absence or the like."""
    return bool(_OTHER_BUSINESS.search(plain))


def text_confidence(body: str, plain: str) -> Confidence:
    """Returns the highest confidence that a value in this text can have."""
    if is_other_business(plain) or _CANCELS.search(plain) or wants_to_cancel(body):
        return LIKELY
    return CONFIDENT


_OTHER_BUSINESS: Final = re.compile(
    r"\b(?:your (?:order|parcel|shipment)|tracking|deliver(?:y|ed)|unsubscribe|cv|lieferung"
    r"|bestellung|bewerbung|livraison|commande|candidature|pedido|entrega|receipt|refund|quittung"
    r"|erstattung|recu|remboursement|recibo|reembolso"
    r"|out of (?:the )?office|automatic reply|auto-?reply|abwesenheitsnotiz|nicht im buro"
    r"|automatische antwort|reponse automatique|absente? du bureau|respuesta automatica"
    r"|fuera de la oficina)\b"
)
_CANCELS: Final = re.compile(
    r"\b(?:(?:please|must|need to|have to|want to|to) cancel|sage (?:\w{1,12} ){0,4}ab|absagen"
    r"|annuler (?:mon|ma|notre)|anular (?:mi|la)|cancelar (?:mi|la))\b"
)


class ReadText(Frozen):
    """A folded text, its mentions of services, and all words that are understood."""

    plain: str
    services: list[Words]
    read: tuple[Words, ...]


def service_confidence(said: ReadText, service: Field[str] | None) -> Confidence:
    """Returns LIKELY if the service is past, a part of a time, or in a question about prices."""
    if service is None:
        return CONFIDENT
    start, end = _around(said.plain, service.words, _SENTENCE_END)
    sentence = said.plain[start:end]
    if _BESIDE.search(said.plain[start : service.words.start]) or _PRICE.search(sentence):
        return LIKELY
    return LIKELY if _HAS_BEEN.search(sentence) and not _ASKS.search(sentence) else CONFIDENT


#: 'after lunch' is a time, not a service.
_BESIDE: Final = re.compile(
    r"\b(?:after|before|during|nach|vor|apres|avant|despues de|antes de)(?: (?:my|the|our|dem|der"
    r"|le|la|el))?\s{1,3}$"
)
_PRICE: Final = re.compile(r"\b(?:how much|prices?|costs?|kostet|kosten|combien|cuanto)\b")
_HAS_BEEN: Final = re.compile(
    r"\b(?:thanks? for|thank you (?:so much |very much |again )?for|was|were|had|last|loved|enjoyed"
    r"|danke fur|war|letzte[nrsm]?|merci pour|etait|dernier\w{0,2}|gracias por|fue|ultim[oa])\b"
)


def party_confidence(
    said: ReadText, party: Field[int] | None, labels: dict[str, Words]
) -> Confidence:
    """'Table for four' is always clear; 'four of us' may be about something past."""
    label = labels.get("party")
    is_labelled = bool(party and label and party.words.start == label.start)
    if party is None or is_labelled:
        return CONFIDENT
    start, end = party.words.start - len(" pour "), party.words.end
    is_of_service = any(start <= each.end and each.start < end for each in said.services)
    return wish_confidence(said, party.words, is_clear=is_of_service)


def staff_confidence(
    said: ReadText, staff: Field[str] | None, labels: dict[str, Words]
) -> Confidence:
    """'With Anna' is clear in a wish; one may also be unhappy with Anna."""
    label = labels.get("staff")
    if staff is None or (label and label.start <= staff.words.start < label.end):
        return CONFIDENT
    start, at = _around(said.plain, staff.words, _PART_END)[0], staff.words.start
    is_of_service = any(
        0 <= at - each.end <= len(" avec la ") and not _HELD.search(said.plain[: each.start])
        for each in said.services
    )
    before = _SOFTLY.sub(" ", _blanked(said.plain[start:at], start, said.read))
    return CONFIDENT if is_of_service or is_all_wish(before) else LIKELY


#: 'my check-up with …' is booked already.
_HELD: Final = re.compile(r"(?<!for )\bmy\s$")
_SOFTLY: Final = re.compile(
    r"\b(?:ideally|preferably|prefer|w/|am|liebsten|besten|beim|wenn|de preference|mejor|stylist)\b"
)


def day_confidence(said: ReadText, day: Field[date] | None) -> Confidence:
    """Returns CONFIDENT only for one day, not a week or a month, with no alternative after it."""
    if day is None:
        return CONFIDENT
    if has_alternative(said.plain, day.words) or not _is_one_day(said.plain, day.words):
        return LIKELY
    return wish_confidence(said, day.words)


def has_alternative(plain: str, words: Words) -> bool:
    """Returns whether the text goes on with another possibility: 'or any other day'."""
    behind = plain[words.end : words.end + MOST_BEHIND]
    return bool(_OTHERWISE.search(behind) or _OR.match(behind) or _FLEXIBLE.search(plain))


def wish_confidence(said: ReadText, words: Words, *, is_clear: bool = False) -> Confidence:
    """Returns the confidence of a day or a number: CONFIDENT only if its part of the sentence is
    nothing but a wish, or its own words are clear, and the sentence is not about the past.
    """
    plain = said.plain
    start, end = _around(plain, words, _PART_END)
    rest = plain[start : words.start] + " " + plain[words.end : end]
    is_alone = len(rest.split()) <= MOST_WORDS_BESIDE
    is_asked = _ASKS.search(rest) or any(start <= each.start < end for each in said.services)
    is_wish = is_all_wish(_blanked(plain[start:end], start, said.read))
    low, high = _around(plain, words, _SENTENCE_END)
    is_past = _HAS_BEEN.search(rest if is_wish and not is_alone else plain[low:high])
    is_clear = (is_wish or is_clear) and not is_past
    return CONFIDENT if (is_asked or is_alone) and is_clear else LIKELY


def is_plain_wish(said: ReadText, words: Words) -> bool:
    """Returns whether their part of the sentence is nothing but a wish, and not about the past."""
    start, end = _around(said.plain, words, _PART_END)
    low, high = _around(said.plain, words, _SENTENCE_END)
    is_wish = is_all_wish(_blanked(said.plain[start:end], start, said.read))
    return is_wish and not _HAS_BEEN.search(_blanked(said.plain[low:high], low, said.read))


def _blanked(part: str, start: int, read: tuple[Words, ...]) -> str:
    for words in read:
        low, high = max(0, words.start - start), max(0, words.end - start)
        part = part[:low] + " " * len(part[low:high]) + part[high:]
    return part


def _is_one_day(plain: str, day: Words) -> bool:
    """Returns whether the words name one day: a full date, or a weekday of a named week."""
    words = folded(day.text)
    if _WRITTEN_OUT.search(words):
        return True
    before = plain[max(0, day.start - 12) : day.start]
    return bool(_WEEKDAY.search(words) and (_NAMED.search(words) or _ON.search(before)))


_WRITTEN_OUT: Final = re.compile(r"\d|\b(?:tomorrow|morgen|ubermorgen|demain|manana)$")
_WEEKDAY: Final = re.compile(rf"\b{one_of(WEEKDAYS)}\b")
_NAMED: Final = re.compile(
    r"^(?:this|by|until|before|after|from|bis|vor|nach|ab|diese[nr]?|kommende[nr]?|ce|este|hasta)\b"
    r"|\b(?:week|woche|semaine|semana)\b"
)
_ON: Final = re.compile(r"\b(?:on|for|am|el)(?: the)?\s{1,3}$")


def _around(plain: str, words: Words, mark: re.Pattern[str]) -> tuple[int, int]:
    low, high = max(0, words.start - MOST_SENTENCE), words.end + MOST_SENTENCE
    until = min(words.start + MOST_LABEL, len(plain))
    ends = [each.end() for each in mark.finditer(plain, low, until) if each.end() <= words.start]
    after = mark.search(plain, words.end, high)
    return (ends[-1] if ends else low), (after.start() if after else min(high, len(plain)))


#: The dot of '3. Dezember' ends nothing, that of 'in 2026.' does.
_DOT: Final = r"(?<!(?<!\d)\d)(?<!(?<!\d)\d\d)\.(?=\s)"
_SENTENCE_END: Final = re.compile(rf"[!?]+|{_DOT}|\n\s{{0,20}}\n")
_PART_END: Final = re.compile(
    rf"[!?;,|\t]+|{_DOT}"
    r"|\n\s{0,20}\n|\n(?=[^\n:]{1,25}:)|\s-\s"
    r"|\b(?:but|so(?! (?:much|far|many|soon|kind))|because|aber|weil|mais|parce que|pero|porque)\b"
)
#: 'this week or next', 'on 3 December or so'
_OR: Final = re.compile(
    r"\s{0,3}[,(]?\s{0,3}(?:or|oder|ou|o)\b(?! (?:later|after|spater|apres|plus tard|despues))"
)
_OTHERWISE: Final = re.compile(
    r"\+ ?/ ?-|±|\b(?:or|oder|ou|o) (?:on )?(?:any|earlier|sooner|even|maybe|possibly|another|so\b"
    r"|thereabouts|fruher|jede[rn]?|plus tot|antes)|\bplus (?:or )?minus|\bgive or take"
    r"|\b(?:that|same|in dieser|der(?:selben)?) (?:week|woche)\b|\b(?:cette|esa|misma) sema"
    r"|\balternativ|\b(?:if not|if that|otherwise|failing that|or else|sonst"
    r"|ansonsten|falls nicht|wenn nicht|sinon|si non|si no)\b"
)
_FLEXIBLE: Final = re.compile(
    r"\bflexib\w{0,5}\b(?! (?:on|about|with|regarding) (?:the |which )?(?:stylist|staff|who|time))"
)
_ASKS: Final = re.compile(
    r"\b(?:please|pl[sz]|(?:would|'d|d|i) (?:really )?(?:like|love)|wants?|needs?"
    r"|looking (?:for|to)|hop(?:e|ing)|book\w{0,3}|reserv\w{1,8}|appointments?|slots?|openings?"
    r"|opens|free|availab\w{2,5}"
    r"|any (?:chance|time|day)|anything|something|room for|gap|possible|could|can|may (?:i|we)"
    r"|fit (?:me|us)|squeeze|put (?:me|us)|wait(?:ing )?list|prefer\w{0,5}|suits?|works?"
    r"|perfect|fine|(?:would|'d) be \w{4,9}|cancellation|ideal(?:ly)?|dates?|earliest|latest"
    r"|do you have|have you|be in town"
    r"|bitte|mochten?|hatten?|gern|wurden?|brauch\w{1,5}|suchen?|termin\w{0,2}|frei|platz"
    r"|passt|passen|ginge|geht|moglich|konn\w{2,4}|kann|warteliste|ware|lieb(?:er|sten)"
    r"|voudri?[ao]\w{1,4}|aimeri?[ao]\w{1,4}|souhait\w{1,5}|cherch\w{1,3}|rendez-vous|rdv|place"
    r"|dispo\w{0,8}|libre|auriez|avez|peut|peux|pourrai\w{1,4}|s'il (?:vous|te) plait|svp"
    r"|convien\w{1,4}|serons|quisiera|querria|quiero|gustaria|busco|necesito|cita|hueco"
    r"|disponib\w{2,4}|posible|tienen?|teneis|tienes|puedo|podria|por favor|somos|seriamos)\b"
)
