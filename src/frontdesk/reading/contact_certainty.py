"""Limits the confidence of a phone number or an address by the words around it.

A mail has many numbers and addresses of others: an office, a licence, a helpline in a legal note. A
contact is certain only if all words around it are known to mean 'reach me here'.
"""

import re
from typing import Final

from frontdesk.reading.model import Confidence, Field, Words
from frontdesk.reading.wish_vocabulary import is_all_wish, words_of

CONFIDENT, LIKELY, _ = Confidence
MOST_PART: Final = 200
LONG_LINE: Final = 60

_REACH_WORDS: Final = """
call text txt ring phone me my us mobile mob cell tel telephone number no contact it's reach
reached by or t m p ph hp h whatsapp via sms message x xx here back anytime out mail email e-mail
address write drop line private telefon telefonnummer handy handynummer mobil mobilnummer nummer
meine ist unter erreichbar erreichen bin anrufen anruf ruckruf per schreiben e-mail-adresse
adresse lautet portable numero mon joindre appeler appelez rappeler rappelez rappel moi courriel
telefono movil mi es your owner cheers thx thks tks tq ta lg vg rappelez-moi rappelle llamar
llamarme llamame llamadme llamen pueden correo escribirme
"""
_REACH: Final = frozenset(_REACH_WORDS.split())
_MINE: Final = frozenset(("me", "my", "us", "mich", "mir", "mein", "meine", "moi", "mon", "mi"))


def contact_confidence(
    plain: str, contact: Field[str] | None, read: tuple[Words, ...], *, is_for_other: bool
) -> Confidence:
    """`read` has the words that are understood. `is_for_other` demands a word like 'my'."""
    if contact is None:
        return CONFIDENT
    said = words_of(_beside(plain, contact.words, read))
    if is_for_other and not _MINE & set(said):
        return LIKELY
    is_known = is_all_wish(" ".join(word for word in said if word not in _REACH))
    return CONFIDENT if is_known else LIKELY


def _beside(plain: str, contact: Words, read: tuple[Words, ...]) -> str:
    """Returns the rest of the contact's part of the sentence, and the label before it."""
    for words in read:
        plain = plain[: words.start] + " " * len(words.text) + plain[words.end :]
    low, high = max(0, contact.start - MOST_PART), contact.end + MOST_PART
    before = [each for each in _ENDS.finditer(plain, low, contact.start) if _ends(plain, each)]
    if before and before[-1][0] == ":":
        before.pop()
    start = before[-1].end() if before else low
    label = _LABEL.match(plain, plain.rfind("\n", 0, contact.start) + 1, contact.start)
    if plain.startswith((".", "!"), contact.end):
        high = contact.end
    after = next((at for at in _ENDS.finditer(plain, contact.end, high) if _ends(plain, at)), None)
    behind = plain[contact.end : after.start() if after else high]
    return f"{label[0] if label else ''} {plain[start : contact.start]} {behind}"


#: The owner at the start of the line: 'Agent: Tom, tom@…'.
_LABEL: Final = re.compile(r"[^\n:|]{1,30}(?=[:|])")
_ENDS: Final = re.compile(r"[\n!?;,|()\[\]<>\t•:]|(?<!\d)\.(?=\s)|\s[-–—/]\s")


def _ends(plain: str, mark: re.Match[str]) -> bool:
    """Returns whether a mark ends a part: the end of a long line does not."""
    line = mark.start() - plain.rfind("\n", 0, mark.start())
    return mark[0] != "\n" or line <= LONG_LINE
