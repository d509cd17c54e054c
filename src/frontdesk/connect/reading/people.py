"""Who asks: their name, phone number and e-mail address."""

import re
from typing import Final

from frontdesk.connect.reading.contacts import at_most, find_email, find_phone
from frontdesk.connect.reading.model import Confidence, Context, Field, Words
from frontdesk.connect.reading.names import NAME, find_name, named, spoken_of
from frontdesk.connect.reading.passages import Passages
from frontdesk.frozen import frozen

LIKELY: Final = Confidence.LIKELY


@frozen
class People:
    name: Field[str] | None
    phone: Field[str] | None
    email: Field[str] | None


def find_people(parts: Passages, labels: dict[str, Words], context: Context) -> People:
    """Who writes for somebody else may give either's name and number."""
    name, phone = find_name(parts, labels, context), find_phone(parts, context)
    if other := _FOR_OTHER.search(parts.body):
        if other["name"]:
            name = named(Words(other["name"], other.start("name")), LIKELY) or name
        name, phone = at_most(name, LIKELY), at_most(phone, LIKELY)
    if name and (other_name := spoken_of(parts.body)) and other_name.value not in name.value:
        name, phone = at_most(name, LIKELY), at_most(phone, LIKELY)
    return People(name, phone, find_email(parts, context))


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
