"""Finds the name of the writer: in a form, in their own words, in the signature or the sender."""

import re
from typing import Final

from frontdesk.reading.contacts import EMAIL, at_most
from frontdesk.reading.model import Confidence, Context, Field, Words, least
from frontdesk.reading.passages import Passages
from frontdesk.reading.person_names import NAME, is_full, is_persons, named
from frontdesk.reading.signatures import find_signed
from frontdesk.reading.words import folded

CONFIDENT, LIKELY, UNSURE = Confidence
#: Shorter names occur in too many addresses by chance.
SHORTEST_IN_ADDRESS: Final = 3


def find_name(parts: Passages, labels: dict[str, Words], context: Context) -> Field[str] | None:
    """Finds a name. A label alone decides.

    Of their own words, the signature and the sender the first counts; the others complete it, or
    change its confidence.
    """
    if labelled := _labelled(labels, parts.body):
        return labelled
    told, signed, sender = (
        _introduced(parts.body),
        find_signed(parts),
        _sender(parts.sender, context),
    )
    said = [each for each in (told, signed, sender) if each]
    if not said:
        return spoken_of(parts.body)
    best = _agreed(said)
    if " " in best.value:
        is_vouched = _is_vouched(best, said, parts)
        return Field(best.value, CONFIDENT, best.words) if is_vouched else best
    return at_most(best, LIKELY) if _has_more(best.value, parts) else best


def _labelled(labels: dict[str, Words], body: str) -> Field[str] | None:
    """Reads 'Name: …', together with a separate first name if there is one."""
    name, first = labels.get("name"), labels.get("first_name")
    last = labels.get("last_name") or (name if first else None)
    if first and last and not _has_digits(first, last):
        start, end = min(first.start, last.start), max(first.end, last.end)
        found = named(Words(f"{first.text} {last.text}", start), CONFIDENT)
        return (
            Field(found.value, found.confidence, Words(body[start:end], start)) if found else None
        )
    if name is None or _has_digits(name):
        return None
    last_name, comma, first_name = name.text.partition(", ")
    if not comma:
        return named(name, CONFIDENT)
    found = named(Words(f"{first_name} {last_name}", name.start), LIKELY)
    return Field(found.value, LIKELY, name) if found else None


def _has_digits(*words: Words) -> bool:
    return any(character.isdigit() for each in words for character in each.text)


def _introduced(body: str) -> Field[str] | None:
    """Reads 'My name is …'. After 'I am', only a first and last name is certain."""
    match = _MY_NAME.search(body) or _HERE.search(body)
    if match is None:
        return None
    is_clear = match.groupdict().get("clear") or is_full(match["name"])
    return named(Words(match["name"], match.start("name")), CONFIDENT if is_clear else LIKELY)


_MY_NAME: Final = re.compile(
    r"(?:(?P<clear>(?i:\b(?:sur)?name(?: is|:|'?s)|\bmein name(?: ist|:)|\bich heiße"
    r"|\bich heisse|\bauf den namen|\bje m['’]appelle|\bmon nom est|\bau nom d[e'’]"
    r"|\bme llamo|\bmi nombre es|\ba nombre de|\b(?:in|under) the name(?: of)?))"
    r"|(?i:\bthis is|\bit['’]s(?: u[hm])?|\bhier ist|\bhier schreibt|\bsoy|\bje suis|\bich bin"
    r"|\bname(?: of)?|\bunder|\bpatient:)"
    r"|\bI(?:['’]|\s?a)m)"
    rf" {{0,3}}(?<=[\s'’])(?P<name>{NAME})"
    r"(?=\s{0,2}(?:[.,;!()\n-]|$|\b(?i:and|from|und|aus|et|y|here|i|we|ich|je|de|mit|with|dob)\b))"
)


_HERE: Final = re.compile(rf"(?:^|\n|[.!?,] )(?P<name>{NAME}) here\b")


def spoken_of(body: str) -> Field[str] | None:
    """Guesses a name from 'Mrs Abernathy phoned'."""
    match = _SPOKEN_OF.search(body)
    return named(Words(match["name"], match.start("name")), UNSURE) if match else None


_SPOKEN_OF: Final = re.compile(
    rf"(?<!Dear )(?<!Hi )(?<!with )(?<!see )\b(?:Mr|Mrs|Ms|Miss|Mdm|Frau|Herr|Mme|Sra?)\.? "
    rf"(?P<name>{NAME})"
)


def _sender(words: Words | None, context: Context) -> Field[str] | None:
    """Returns the name before the address in 'From: …', if it is a person's."""
    if words is None or set(EMAIL.findall(words.text.lower())) & context.own_addresses:
        return None
    name = re.split(r"[<\[(]", words.text, maxsplit=1)[0].strip(" \"'*")
    last, comma, first = name.partition(", ")
    field = named(Words(name, words.start + words.text.index(name)), LIKELY)
    if not field or not is_persons(name) or " " not in name:
        return None
    return Field(f"{first} {last}", LIKELY, field.words) if comma else field


def _agreed(said: list[Field[str]]) -> Field[str]:
    """Completes 'Ann' below a mail from Ann Lee; a different sender makes a name less certain."""
    alike = [each for each in said if _words(each) & _words(said[0])]
    if len(alike) < len(said):
        return Field(said[0].value, least(said[0].confidence, LIKELY), said[0].words)
    longest = max(alike, key=lambda each: (is_full(each.value), len(_words(each))))
    return Field(longest.value, CONFIDENT, longest.words) if len(alike) > 1 else longest


def _words(name: Field[str]) -> set[str]:
    return set(folded(name.value).split())


def _is_vouched(name: Field[str], said: list[Field[str]], parts: Passages) -> bool:
    """Returns whether their own address contains the name, and no other name contradicts it."""
    if not is_persons(name.value) or any(not _words(each) & _words(name) for each in said):
        return False
    words = [word for word in _words(name) if len(word) >= SHORTEST_IN_ADDRESS]
    return any(word in each for word in words for each in _addresses(parts))


def _addresses(parts: Passages) -> list[str]:
    sender = parts.sender.text if parts.sender else ""
    return EMAIL.findall(folded(f"{parts.body}\n{parts.signature}\n{sender}"))


def _has_more(name: str, parts: Passages) -> bool:
    """Returns whether the text has a longer name for 'Helen': Helen Draper, or helen.draper@…"""
    first = re.escape(folded(name))
    longer = re.compile(rf"\b{re.escape(name)} \(?[A-Z][a-zß-ÿ]{{2,}}")
    return bool(longer.search(parts.text)) or any(
        re.match(rf"{first}[._-]?[a-z]{{2,}}", each.partition("@")[0]) for each in _addresses(parts)
    )
