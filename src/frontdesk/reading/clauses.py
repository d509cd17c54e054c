"""Interprets the words around a date: 'after', 'except', 'I can't', 'my birthday is on'."""

import re
from typing import Final, Literal

from frontdesk.reading.model import Confidence
from frontdesk.reading.periods import DatePeriod
from frontdesk.reading.words import WEEKDAYS, one_of

CONFIDENT, LIKELY, UNSURE = Confidence
MOST_CHARACTERS_BEFORE: Final = 40
MOST_CLAUSE: Final = 300
MOST_PLACE: Final = 25
MOST_BEHIND: Final = 100

Side = Literal["", "after", "from", "before", "until", "week of", "not"]


def side_of(folded: str, period: DatePeriod) -> tuple[Side, int]:
    """Returns the word before a period that bounds it, and its start."""
    at = max(0, period.start - MOST_CHARACTERS_BEFORE)
    before = folded[at : period.start]
    found = _SIDE_LABEL.search(before) or _QUESTION.search(before) or _SIDES.search(before)
    if found is None:
        ends: Side = "until" if _AT_LATEST.match(folded, period.end) else ""
        return "from" if _ONWARDS.match(folded, period.end) else ends, period.start
    if found.groupdict().get("week") and _NOT_THAT.search(before[: found.start()]):
        return "not", at + found.start("week")
    groups = found.groupdict()
    side: Side = next(side for side, group in _GROUPS.items() if groups.get(group) is not None)
    return side, at + found.start(_GROUPS[side])


#: 'not the week of …'
_NOT_THAT: Final = re.compile(
    r"\b(?:not|except|but|nicht|ausser|pas|sauf|no|menos)(?: \w{2,6})?\s{1,3}$"
)
_ONWARDS: Final = re.compile(
    r",?\s(?:or later|or after|onwards?|at the earliest|fruhestens|au plus tot|como pronto"
    r"|oder spater|ou apres|ou plus tard"
    r"|en adelante|o mas tarde)\b"
)
_AT_LATEST: Final = re.compile(
    r",?\s(?:at the (?:very )?latest|latest|spatestens|au plus tard|a mas tardar"
    r"|como (?:muy tarde|tarde|maximo))\b"
)
_GROUPS: Final[dict[Side, str]] = {
    "not": "skip", "from": "open", "until": "close", "after": "after", "before": "before",
    "week of": "week",
}  # fmt: skip
#: In a form or a table: 'From: …', '| To | …'.
_SIDE_LABEL: Final = re.compile(
    r"(?:^|\n)[ |*•-]{0,6}(?:(?P<open>from|not before|start(?: date)?|earliest(?: date)?|von"
    r"|vom|ab"
    r"|fruhestens|du|a partir du|desde)|(?P<close>to|until|till|end(?: date)?|latest(?: date)?"
    r"|bis"
    r"|spatestens|au|jusqu'au|hasta))\s{0,20}(?:[:|]|\.{2,12}:?)[\s|]{0,20}$"
)
#: 'What is the latest date?'
_QUESTION: Final = re.compile(
    r"\b(?:(?P<open>earliest|first)|(?P<close>latest|last)) date[^\n]{0,30}\n\s{0,3}$"
)
_SIDES: Final = re.compile(
    r"\b(?:"
    r"(?P<skip>(?:except|excluding|(?:any|every|each) ?\w{1,10} but|but not|not on|not|other than"
    r"|apart from|besides|ausser|außer"
    r"|bis auf|nicht am|nicht|nur nicht|ohne|sauf|excepte|hormis|mais pas|pas|excepto|menos"
    r"|salvo|pero no|no)"
    r"(?: for)?)"
    r"|(?P<open>on or after|not before|not until|not till|erst am|no earlier than"
    r"|not earlier than|at the earliest(?: on)?|earliest:?|starting"
    r"(?: from| on)?|from|beginning|as of|since|nicht vor|fruhestens(?: am| ab)?|fruhestens|ab"
    r"|von"
    r"|pas avant|a partir d[ue]|a compter d[ue]|des|au plus tot|a partir del?|desde"
    r"|no antes del?)"
    r"|(?P<close>on or before|(?<!\d )(?:through|thru)|no later than|not later than"
    r"|at the latest(?: on)?|latest:?|until|till?"
    r"|up to(?: and including)?|by|spatestens(?: am| bis)?"
    r"|bis (?:maximal|hochstens)"
    r"|bis(?: (?:einschlie(?:ß|ss)lich|inklusive|inkl\.))?(?: zu[mr]?)?|au plus tard"
    r"|jusqu'(?:au|a)|d'ici(?: a| au)?|de a(?:qui|ca) a(?:l)?|de ahora al?|a mas tardar"
    r"|(?:como )?maximo|como (?:muy )?tarde|lo mas tardar|hasta|as late as)"
    r"|(?P<after>after|nach|apres|despues del?|tras|past)"
    r"|(?P<before>before|b4|vor|avant|antes del?|ahead of)"
    r"|(?P<week>(?<!\ba )(?<!every )(?:the )?week (?:of|commencing|beginning|starting)|w/c"
    r"|woche (?:vom|um)|(?<!fin de )semaine du|(?<!fin de )(?<!fines de )semana del?)"
    r")\s{1,3}(?:(?:the|on|on the|dem|den|der|die|am|le|la|el|end of|anfang|ende|any"
    r"|all|(?:el )?dia|a|en)\s{1,3})?$"
)


def is_refused(folded: str, start: int, end: int) -> bool:
    """Returns whether the sentence around these words says that they do not suit."""
    before = _CLAUSE_END.split(folded[max(0, start - MOST_CLAUSE) : start])[-1]
    after = _CLAUSE_END.split(folded[end : end + MOST_CLAUSE])[0]
    is_refusal = _REFUSAL.search(before + " " + folded[start:end] + " " + after)
    return bool(is_refusal or _NOT_BEHIND.match(folded, end))


#: 'Tuesday not', 'der 2. nicht'
_NOT_BEHIND: Final = re.compile(r"\s{1,3}(?:no|nicht|not|pas)\b(?=\s{0,3}(?:\Z|[.,;!?)\n]))")


_CLAUSE_END: Final = re.compile(
    r"[!?;,]|(?<!\d)\.(?=\s|$)|\n\s{0,20}\n|\n(?=[^\n:]{1,25}:)|\n\s{0,3}[-*•|]"
    r"|\b(?:but|however|so(?! (?:much|far|many|soon|kind))|because|aber|sondern|daher|weil"
    r"|mais|donc|parce que|pero|asi que|sino|porque)\b"
)
_REFUSAL: Final = re.compile(
    r"\b(?:can'?t|cannot|can not|couldn't|unable|unavailable|not (?:available|free|around|here"
    r"|possible|in town|good)|(?:doesn't|does not|won't|don't|do not|isn't|is not"
    r"|aren't) (?:work|suit|good|fit|possible|free|have time|an option)|no good|not an option"
    r"|away|on (?:holidays?|vacation|leave)|out of (?:town|office|the office)|busy|travelling"
    r"|traveling|fully booked|im urlaub|verreist|verhindert|unterwegs"
    r"|nicht da|(?:geht|passt|kann|konnen)(?: \w{1,12}){0,4}"
    r" (?:leider )?nicht|keine zeit"
    r"|en vacances|absente?s?|pas (?:disponible|libre|possible)|ne (?:peux|pouvons|suis"
    r"|sommes) pas"
    r"|pas la|indisponible|ne convient pas|de vacaciones|fuera|no (?:puedo|podemos|estoy"
    r"|estamos|estare|me viene|tengo tiempo)|ocupad[oa]|no disponible)\b(?! wait)"
)


def is_cancelled(folded: str, start: int, end: int) -> bool:
    """Returns whether a sentence cancels the appointment at this day or time."""
    low, high = max(0, start - MOST_CLAUSE), end + MOST_CLAUSE
    turns = [*_CLAUSE_END.finditer(folded, low, high), *_TURN.finditer(folded, low, high)]
    low = max((each.end() for each in turns if each.end() <= start), default=low)
    high = min((each.start() for each in turns if each.start() >= end), default=high)
    clause = folded[low:high]
    return bool(CANCELS.search(clause)) and not _IF.search(clause)


#: Where a sentence turns to something else: 'cancel Thursday and come on Friday'.
_TURN: Final = re.compile(
    r"\b(?:then|since|dann|da|puis|luego|ya que"
    rf"|(?:and|und|et|y)(?! (?:the |on |den |am |le |el |del? )?(?:\d|{one_of(WEEKDAYS)})))\b"
)
CANCELS: Final = re.compile(
    r"\b(?:cancel(?:l?ed|l?ing)?|call(?:ed)? off|absagen|abzusagen|abgesagt"
    r"|sagen? (?:\w+\s{1,3}){1,9}?ab(?=\s{0,3}(?:\Z|[.,;!?)]))"
    r"|stornier(?:e|en|t|ung)|abbestellen|annul(?:e[rz]?|ee?s?|ons|ation)|decommander"
    r"|(?:cancel|anul)(?:ar|arl[ao]|ad[ao]s?|amos|o|e|en))\b(?! (?:list|liste|spots?|slots?))"
)


def is_other(folded: str, period: DatePeriod) -> bool:
    """Returns whether it is a date of birth, of a mail, or of something past or cancelled."""
    if is_cancelled(folded, period.start, period.end):
        return True
    before = folded[max(0, period.start - 2 * MOST_CHARACTERS_BEFORE) : period.start]
    clause = _CLAUSE_END.split(before)[-1]
    line = before.rpartition("\n")[2]
    is_letters = len(line) <= MOST_PLACE and _SALUTATION.match(folded, period.end)
    if _UNTIL.match(folded, period.end):
        return False
    return bool(
        _OTHER_DATE.search(clause) or _STAMP.search(before) or _AGE.search(before) or is_letters
    )


#: 'desde el lunes hasta el miércoles'
_UNTIL: Final = re.compile(r"\s{1,3}(?:until|till?|bis|jusqu'|hasta)\b")
#: '(geb. 4.7.2019)', 'he is 17 today'
_AGE: Final = re.compile(r"\b(?:geb\.\s{0,2}|(?:is|turns|turned|be|wird|wurde) \d{1,3}\s{1,2})$")


#: After the date of a letter: 'Leeds, 14 November 2026', and then 'Dear …'.
_SALUTATION: Final = re.compile(
    r"[ .]{0,3}\n\s{0,12}(?:dear|hello|hi|sehr geehrt|lieb|hallo|guten|madame|monsieur|cher"
    r"|bonjour|estimad|querid|hola|buen)"
)


#: The time of a message in a chat: '[15/11/2026, 20:14] Tina: …'.
_STAMP: Final = re.compile(r"(?:^|\n)\s{0,3}\[\s{0,2}$")


_OTHER_DATE: Final = re.compile(
    r"(?:\b(?:born|dob|d\.o\.b\.|date of birth|geboren|geb\.|geburtsdatum|nee?|ne\(e\)|nacid[oa]"
    r"|fecha de nacimiento|date de naissance|since|seit|depuis)(?: am| on| le| el| the)?:?"
    r"|\b(?:e-?mail|mail|message|conversation|letter|invoice|order|rechnung|nachricht|schreiben|facture"
    r"|courriel"
    r"|factura|correo)(?: \S{1,15}){0,2} (?:of|from|dated|vom|du|del|de)"
    r"|\b(?:received|sent|printed|dated|submitted|created|erstellt|eingegangen|gesendet"
    r"|recu|recibido)(?: on| am| le| el)?:?"
    r"|\b(?:was|were|came|went|visited|called|rang|wrote|said|spoke|saw|had|met|got|paid"
    r"|bought|did|last|asked|following"
    r"|missed|since|verpasst|schrieben?|schriebst|bezahlt|seit|etais|ecrit|paye|depuis|estuve"
    r"|tuve|pague)"
    r"(?: \w{1,12}){0,5}? (?:on|here|am|le|el|in|for))"
    r"(?: \w{1,3})?\s{0,3}$"
)


def clause_confidence(folded: str, start: int) -> Confidence:
    """Returns the confidence that a date is a wish, by the words before it."""
    before = _CLAUSE_END.split(folded[max(0, start - MOST_CLAUSE) : start])[-1]
    if any(of_other.search(before) for of_other in _OF_OTHERS):
        return UNSURE
    line = folded[max(0, start - MOST_CLAUSE) : start].rpartition("\n")[2]
    is_aside = line.rfind("(") > line.rfind(")")
    return LIKELY if is_aside or _IF.search(before) else CONFIDENT


_IF: Final = re.compile(r"\b(?:if|unless|falls|wenn|si)\b")


def occasion_side(folded: str, start: int, end: int) -> Side:
    """Detects dates of an occasion: 'before her exam on …', 'I fly on …, so before that'."""
    before = _CLAUSE_END.split(folded[max(0, start - MOST_CLAUSE) : start])[-1]
    if found := _BEFORE_AN_OCCASION.search(before):
        return "after" if found["after"] else "before"
    is_before = _BEFORE_THAT.search(folded[end : end + MOST_BEHIND])
    return "before" if is_before and clause_confidence(folded, start) is UNSURE else ""


_BEFORE_THAT: Final = re.compile(
    r"\b(?:before (?:that|then|it|this)|beforehand|sooner|earlier|vorher|davor|fruher|avant ca"
    r"|avant cela|plus tot|antes)\b"
)


_BEFORE_AN_OCCASION: Final = re.compile(
    r"\b(?:before|b4|until|till|vor|avant|antes de|(?P<after>after|nach|apres|despues de))"
    r"\s(?!(?:work|lunch|school|der arbeit|dem mittag)\s(?:on|am)\b|\d)(?:\w{1,15}\s){1,5}(?:on"
    r"|am|le|el|in)\s{1,3}"
    r"(?:the |den )?$"
)
#: 'burned my scalp on …', but not 'interested in a massage on …'.
_HAS_BEEN: Final = re.compile(
    r"\b(?!interest|want|need|hop|prefer|suppos|delight|pleas|lik|lov|schedul|excit|relax)"
    r"[a-z]{3,12}ed(?: \w{1,12}){0,5} (?:on|in)(?: the)?\s{1,3}$"
)
#: An existing appointment that the writer would give up.
_BOOKED: Final = re.compile(
    r"\b(?:(?:have|had|got) (?:an? |my )?(?:appointment|booking|reservation)"
    r"|(?:am|i'm|was|were|are) (?:booked|down|scheduled)"
    r"|habe (?:\w{1,12} )?(?:einen? )?(?:termin|reservierung)|j'ai (?:un )?rendez-vous"
    r"|tengo (?:una )?(?:cita|reserva))\b"
)
_OCCASION: Final = re.compile(
    r"\b(?:birthday|wedding|married|anniversary|photo|exam|flight|arriv\w{1,4}|valid|voucher"
    r"|due|expires?|ends?|deadline|concert|tickets?|conference|interview|funeral|graduation"
    r"|surgery|operation|school|reopens?|checking out|leav(?:e|ing)|moving|fly(?:ing)?"
    r"|travel\w{0,5}|trip|having my|thanks?|thank you|geburtstag|hochzeit|heirate\w?|gutschein"
    r"|gultig|prufung|konzert|karten|umzug|feier\w{0,2}|fetons|celebra\w{0,5}"
    r"|anniversaire|mariage|valable|concert|billets?|boda|cumpleanos|vence|concierto|entradas)\b"
)
_OF_OTHERS: Final = (_BEFORE_AN_OCCASION, _HAS_BEEN, _BOOKED, _OCCASION)


def is_moved(folded: str) -> bool:
    """Returns whether the text moves an appointment: then only one of its dates is a wish."""
    return bool(_MOVED.search(folded))


_MOVED: Final = re.compile(
    r"\b(?:reschedule|postpone|instead|rather (?:come|have|be)|(?:move|change|switch|swap)"
    r" (?:\w{1,15} ){0,4}(?:from|to)"
    r"|verschieben|verlegen|umbuchen|deplacer|decaler|reporter|aplazar|cambiar (?:la|mi) cita)\b"
)
