"""Names and e-mail addresses as people type them: a tidy value, or a sentence that says why not."""

import hashlib
import hmac
import re
import unicodedata
from functools import lru_cache
from typing import Final

MOST_EMAIL_BYTES: Final = 254
MOST_LOCAL_BYTES: Final = 64
MOST_LABEL_CHARACTERS: Final = 63
MOST_NAME_CHARACTERS: Final = 120


class BadContact(ValueError):
    """This name or address cannot be used; the text can be shown to the person."""


@lru_cache(maxsize=1024)
def clean_email(text: str) -> str:
    """Exactly one address, in the one form in which it is kept, compared and written to.

    Lower case, composed Unicode, and the domain as the name servers spell it (`xn--…`).
    """
    if len(text) > 4 * MOST_EMAIL_BYTES:
        raise BadContact(_TOO_LONG)
    trimmed = text.strip()
    if not trimmed:
        raise BadContact("Please give an e-mail address.")
    if not trimmed.isascii() or not trimmed.isprintable() or " " in trimmed:
        _refuse_spaces(trimmed)
    local, at, domain = trimmed.rpartition("@")
    if not at or "@" in local or "," in trimmed or ";" in trimmed:
        raise BadContact("Please give one e-mail address, like ann@example.org.")
    address = f"{_clean_local(local)}@{_clean_domain(domain)}"
    if len(address.encode()) > MOST_EMAIL_BYTES:
        raise BadContact(_TOO_LONG)
    return address


def email_key(text: str) -> str:
    """Returns the same key for all spellings of one address. A +tag is part of the address."""
    return clean_email(text)


def contact_key(email: str, mobile: str) -> str:
    """By what a person is known, once: the address, or the number (E.164) of who has none."""
    return email_key(email) if email else mobile


def number_digest(mobile: str) -> str:
    """The same for the same number. There are so few numbers that whoever tries them all finds it:
    it is kept under a key only (`keyed`)."""
    return hashlib.sha256(f"mobile {mobile}".encode()).hexdigest()


def keyed(digest: str, key: bytes) -> str:
    """Nobody who does not have the key can tell whose it is."""
    return hmac.digest(key, f"stopped {digest}".encode(), "sha256").hex()


_TOO_LONG: Final = "That e-mail address is too long."
_LOCAL: Final = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*")


def _refuse_spaces(text: str) -> None:
    """Of any kind, and whatever else cannot be seen."""
    if any(unicodedata.category(character)[0] in "CZ" for character in text):
        raise BadContact("An e-mail address has no spaces in it.")


def _clean_local(local: str) -> str:
    """Composed, not compatibility form: an unusual letter may be another person's mailbox."""
    tidy = unicodedata.normalize("NFC", local.lower())
    if len(tidy.encode()) > MOST_LOCAL_BYTES:
        raise BadContact("The part before the @ is too long.")
    if not _LOCAL.fullmatch(_without_marks(tidy)):
        raise BadContact("The part before the @ does not look right.")
    return tidy


def _without_marks(text: str) -> str:
    """Accents that have no composed letter are no letters to a pattern; let them pass."""
    return "".join(c for c in text if unicodedata.category(c)[0] != "M")


def _clean_domain(domain: str) -> str:
    """Each label as the name servers know it. Nobody is asked whether it exists."""
    labels = [_clean_label(label) for label in _plain(domain).split(".", 127)]
    if len(labels) < 2 or len(labels[-1]) < 2 or labels[-1].isdigit():
        raise BadContact(_BAD_DOMAIN)
    return ".".join(labels)


_BAD_DOMAIN: Final = "The part after the @ should be like example.org."
_LABEL: Final = re.compile(r"[^\W_]([^\W_]|-)*")


def _clean_label(label: str) -> str:
    """ASCII labels stay; others become `xn--…`, which must lead back to where they came from."""
    if len(label) > MOST_LABEL_CHARACTERS or label.endswith("-"):
        raise BadContact(_BAD_DOMAIN)
    if not label.isascii():
        return _to_ascii(label)
    if not _LABEL.fullmatch(label):
        raise BadContact(_BAD_DOMAIN)
    if label.startswith("xn--"):
        return _checked_ascii(label)
    return label


def _to_ascii(label: str) -> str:
    if not _LABEL.fullmatch(_without_marks(label)) or unicodedata.category(label[0])[0] == "M":
        raise BadContact(_BAD_DOMAIN)
    ascii_label = f"xn--{label.encode('punycode').decode('ascii')}"
    if len(ascii_label) > MOST_LABEL_CHARACTERS:
        raise BadContact(_BAD_DOMAIN)
    return ascii_label


def _checked_ascii(label: str) -> str:
    try:
        decoded = label.removeprefix("xn--").encode("ascii").decode("punycode")
    except ValueError:
        raise BadContact(_BAD_DOMAIN) from None
    if decoded.isascii() or _plain(decoded) != decoded or _to_ascii(decoded) != label:
        raise BadContact(_BAD_DOMAIN)
    return label


def _plain(text: str) -> str:
    """Lower case, wide and fancy letters made plain, every kind of full stop a dot."""
    compatible = unicodedata.normalize("NFKC", text).lower()
    return unicodedata.normalize("NFKC", compatible).replace("\N{IDEOGRAPHIC FULL STOP}", ".")


def clean_name(text: str) -> str:
    """One line, tidy, and nothing in it that a mail program would turn into a link."""
    if len(text) > 8 * MOST_NAME_CHARACTERS:
        raise BadContact(_NAME_TOO_LONG)
    name = unicodedata.normalize("NFC", " ".join(re.split(r"\s+", text.strip())))
    if any(is_unseen(character) for character in name):
        raise BadContact("The name has characters in it that cannot be shown.")
    if not any(unicodedata.category(character)[0] in "LN" for character in name):
        raise BadContact("Please give a name.")
    if len(name) > MOST_NAME_CHARACTERS:
        raise BadContact(_NAME_TOO_LONG)
    if _LINK.search(_plain(name)):
        raise BadContact("Please give a name without a link or an address in it.")
    return name


_NAME_TOO_LONG: Final = f"Please give a name of at most {MOST_NAME_CHARACTERS} characters."
_JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_BLANK_LETTERS: Final = "\u115f\u1160\u3164\uffa0\u2800"
#: A scheme, a web host, a domain with a path, a domain under a common ending, an address.
_LINK: Final = re.compile(
    r"://|\bwww\.|\w\.[^\W\d_]{2,}/|\S@\S"
    r"|\w\.(?:com|net|org|info|biz|xyz|top|shop|site|online|click|link|app|io|ly|ru|cn)\b"
)


def is_unseen(character: str) -> bool:
    """Controls, what turns the direction of writing, and letters that show nothing."""
    if character in _JOINERS:
        return False
    return unicodedata.category(character)[0] == "C" or character in _BLANK_LETTERS


def name_from_email(email: str) -> str:
    """'ann.lee+x@example.org' is probably Ann Lee; a guess for when no name was given."""
    local = clean_email(email).partition("@")[0].partition("+")[0]
    words = re.findall(r"\w+", local.replace("_", " "))
    try:
        return clean_name(" ".join(word[0].upper() + word[1:] for word in words))
    except BadContact:
        return "Guest"


#: More than that is a message, not a name.
_MOST_PLAIN: Final = 40
_MOST_PLAIN_WORDS: Final = 4


def plain_name(name: str) -> str:
    """A name as it may stand in a mail: anyone can type one into a form, with anything in it."""
    letters = all(unicodedata.category(c)[0] in "LM" or c in " .'’-" for c in name)
    if letters and len(name) <= _MOST_PLAIN and len(name.split()) <= _MOST_PLAIN_WORDS:
        return name.strip()
    return ""
