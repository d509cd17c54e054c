"""Finds the name, phone number and e-mail address of the person who asks."""

import re
from typing import Final

from frontdesk.reading.contacts import at_most, find_email, find_phone
from frontdesk.reading.model import Confidence, Context, Field, Words
from frontdesk.reading.names import find_name, spoken_of
from frontdesk.reading.passages import Passages
from frontdesk.reading.person_names import NAME, is_full, named
from frontdesk.reading.service_and_staff import services_in
from frontdesk.reading.words import KIN, MINE, folded
from frontdesk.values import Frozen

CONFIDENT, LIKELY, UNSURE = Confidence


class People(Frozen):
    name: Field[str] | None
    phone: Field[str] | None
    email: Field[str] | None
    is_for_other: bool
    """Another person than the writer may be the one who comes."""


def find_people(parts: Passages, labels: dict[str, Words], context: Context) -> People:
    """Lowers the confidence if they write for somebody else: the name may be either's."""
    name = find_name(parts, labels, context)
    other = _FOR_OTHER.search(parts.body)
    if other and other["name"]:
        name = named(Words(other["name"], other.start("name")), LIKELY) or name
    is_other = _is_other(name.value if name else "", parts.body)
    is_for_other = bool(other) or is_other or parts.is_of_two
    if name and _is_ours(name.value, parts.body, context):
        name = at_most(name, UNSURE)
    return People(
        name=at_most(name, LIKELY if is_for_other else CONFIDENT),
        phone=find_phone(parts, context),
        email=find_email(parts, context),
        is_for_other=is_for_other,
    )


_FOR_OTHER: Final = re.compile(
    r"\b(?i:for my (?:mother|mum|mom|father|dad|wife|husband|daughter|son|boss|friend|sister"
    r"|brother|client)|on behalf of|mein(?:e|en)? (?:oma|opa|mutter|vater|frau|mann"
    r"|tochter|sohn|schwester|bruder) (?:hätte|möchte|bräuchte|braucht|sucht|will)"
    r"|für mein(?:e|en) (?:mutter|vater|frau|mann|tochter|sohn|freundin|freund|chefin|chef)"
    r"|pour (?:ma|mon) (?:mère|père|femme|mari|fille|fils|amie|ami)"
    r"|para mi (?:madre|padre|mujer|marido|hija|hijo|amiga|amigo))"
    rf"(?! (?:\w{{1,15}} )?(?:and|und|et|y) (?i:me|i|myself|mich|ich|moi|yo|mi)\b)"
    rf"(?:,? (?P<name>{NAME}))?"
)


def _is_ours(name: str, body: str, context: Context) -> bool:
    """Returns whether it is the name of somebody they greet, of staff, or of a service."""
    greeted = [folded(each["name"]) for each in _GREETED.finditer(body)]
    staff = [folded(each).split()[0] for each in context.staff]
    return folded(name) in (*greeted, *staff) or bool(services_in(name, context))


def _is_other(name: str, body: str) -> bool:
    """Returns whether the text mentions another person who may be the one who comes."""
    others = [each["name"] for each in _OTHER_NAME.finditer(body) if is_full(each["name"])]
    others += [each["name"] for each in _NAMED_KIN.finditer(body)]
    others += [spoken.value for spoken in [spoken_of(body)] if spoken]
    return bool(_OF_OTHER.search(folded(body))) or any(
        folded(each) not in folded(name) for each in others
    )


_GREETED: Final = re.compile(
    r"(?:^|\n|[.!] )\s{0,4}(?i:hi|hey|hello|dear|good (?:morning|afternoon|evening)|hallo"
    r"|liebe[rs]?|guten (?:tag|morgen|abend)|servus|moin|bonjour|salut|ch[eè]re?|hola"
    r"|buenos d[ií]as|estimad[oa]|querid[oa]),? (?P<name>[^\W\d_]{2,30})\b"
)
#: 'for Ann Porter', 'he is called Leo Brandt'
_OTHER_NAME: Final = re.compile(
    r"\b(?:for|called|named|guest|client|colleague|(?!name|this|it|here)[a-z]{3,15} is|für"
    r"|namens|heißt|pour|para|llama),? "
    rf"(?P<name>{NAME})"
)
#: 'my daughter Isla', but not 'my sister Katja and I'
_NAMED_KIN: Final = re.compile(
    rf"\b(?i:{MINE} {KIN}),? (?P<name>{NAME})(?! (?:and|und|et|y) (?i:me|i|myself|mich|ich|moi|yo))"
)
_ALSO_ME: Final = r"(?! (?:\w{1,15} )?(?:and|und|et|y) (?:me|i|myself|mich|ich|moi|yo|mi)\b)"
#: 'for our neighbour', 'my mum needs', 'she would like', 'her name is'
_OF_OTHER: Final = re.compile(
    rf"\b(?:for|fur|pour|para|book|take|give|bring) (?:both |an? )?(?:{MINE} )?(?:\w{{1,12}} )?"
    rf"{KIN}\b{_ALSO_ME}"
    rf"|(?<!and )(?<!und )(?<!et )(?<!y )\b{MINE} (?:\w{{1,12}} )?{KIN}\b(?!'s){_ALSO_ME}"
    rf"|\b{MINE} \d{{1,2}}[- ](?:yr|year|jahrig)"
    r"|\b(?:can|could|would|may) s?he\b|\b(?:s?he)(?:'d| would) (?:like|love|prefer)"
    r"|\bs?he (?:wants|needs|prefers|asked)\b"
    r"|(?:\bis|'s|\bare) (?:called|named)\b"
    r"|\b(?:put|add|book|fit|squeeze|get|see) (?:her|him|them)\b"
    r"|\b(?:her|his|their|ihr|sein|son|su) (?:name|nom|nombre|number|mobile|phone|nummer|numero)\b"
    r"|\b(?:elle|il) (?:voudrait|aimerait|souhaite)|\b(?:ella|el) (?:quiere|quisiera|necesita)"
    r"|\b(?:assistant|pa|secretary|assistentin|sekretariat) (?:to|of|von)\b|\bon behalf\b"
    r"|\b(?:caller|customer called|phone message|below patient|telefonnotiz|anrufer(?:in)?"
    r"|ruckruf an)\b"
    r"|\ban? (?:client|customer|guest|friend|colleague) of\b|\bim (?:auftrag|namen) (?:von|meine)"
)
