"""Cleans names and e-mail addresses that people type, or says in a sentence why it cannot."""

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


NO_CONTACT: Final = "Please give an e-mail address or a mobile number."


class BadContact(ValueError):
    """This name, address or number cannot be used. The text is for the person."""


@lru_cache(maxsize=1024)
def clean_email(text: str) -> str:
    """Returns one address in the form in which it is stored, compared and used for mail.

    That is lower case, composed Unicode, and the domain in ASCII (`xn--…`).
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


def email_key_or_empty(text: str) -> str:
    """Returns the key; an empty text if this is not an address."""
    try:
        return email_key(text)
    except BadContact:
        return ""


def contact_key(email: str, mobile: str) -> str:
    """Returns the unique key of a person: the address, or without one the number (E.164)."""
    return email_key(email) if email else mobile


def number_digest(mobile: str) -> str:
    """Returns a digest of a number. An attacker could try all numbers, so the digest is stored only
    under a secret key (`keyed`)."""
    return hashlib.sha256(f"mobile {mobile}".encode()).hexdigest()


def keyed(digest: str, key: bytes) -> str:
    """Returns the digest under a secret key: without the key nobody can find the number."""
    return hmac.digest(key, f"stopped {digest}".encode(), "sha256").hex()


def mention_of(contact: str) -> re.Pattern[str]:
    """Matches a whole address in a text, or a number (E.164) with or without spaces."""
    between = " ?" if contact.startswith("+") else ""
    found = between.join(map(re.escape, contact))
    return re.compile(rf"(?<![\w.+-]){found}(?![\w-]|\.\w)", re.IGNORECASE)


_TOO_LONG: Final = "That e-mail address is too long."
_LOCAL: Final = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*")


def _refuse_spaces(text: str) -> None:
    """Raises `BadContact` for spaces of any kind and for invisible characters."""
    if any(unicodedata.category(character)[0] in "CZ" for character in text):
        raise BadContact("An e-mail address has no spaces in it.")


def _clean_local(local: str) -> str:
    """Uses the composed, not the compatibility form: an unusual letter may be another mailbox."""
    tidy = unicodedata.normalize("NFC", local.lower())
    if len(tidy.encode()) > MOST_LOCAL_BYTES:
        raise BadContact("The part before the @ is too long.")
    if not _LOCAL.fullmatch(_without_marks(tidy)):
        raise BadContact("The part before the @ does not look right.")
    return tidy


def _without_marks(text: str) -> str:
    """Removes accents without a composed letter, which a pattern would not accept as letters."""
    if text.isascii():
        return text
    return "".join(c for c in text if unicodedata.category(c)[0] != "M")


@lru_cache(maxsize=1024)  # many people share a few domains
def _clean_domain(domain: str) -> str:
    """Returns each label in ASCII. Does not look up whether the domain exists."""
    labels = [_clean_label(label) for label in _plain(domain).split(".", 127)]
    if len(labels) < 2 or len(labels[-1]) < 2 or labels[-1].isdigit():
        raise BadContact(_BAD_DOMAIN)
    return ".".join(labels)


_BAD_DOMAIN: Final = "The part after the @ should be like example.org."
_LABEL: Final = re.compile(r"[^\W_]([^\W_]|-)*")


def _clean_label(label: str) -> str:
    """Keeps ASCII labels and encodes others as `xn--…`. A given `xn--…` must decode and match."""
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
    """Returns lower case with plain forms of wide and fancy letters, and dots for full stops."""
    compatible = unicodedata.normalize("NFKC", text).lower()
    return unicodedata.normalize("NFKC", compatible).replace("\N{IDEOGRAPHIC FULL STOP}", ".")


def clean_name(text: str) -> str:
    """Returns the name on one line. Refuses text that a mail program would turn into a link."""
    if len(text) > 8 * MOST_NAME_CHARACTERS:
        raise BadContact(_NAME_TOO_LONG)
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if has_unseen(name):
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
#: Matches a scheme, a web host, a domain with a path, a domain with a common ending, an address.
_LINK: Final = re.compile(
    r"://|\bwww\.|\w\.[^\W\d_]{2,}/|\S@\S"
    r"|\w\.(?:com|net|org|info|biz|xyz|top|shop|site|online|click|link|app|io|ly|ru|cn)\b"
)


def is_unseen(character: str) -> bool:
    """Whether it is a control character, a mark of text direction, or an invisible letter."""
    if character in _JOINERS:
        return False
    return unicodedata.category(character)[0] == "C" or character in _BLANK_LETTERS


def has_unseen(text: str) -> bool:
    is_plain = text.isascii() and text.isprintable()
    return not is_plain and any(is_unseen(character) for character in text)


def name_from_email(email: str) -> str:
    """Guesses a name from an address: 'ann.lee+x@example.org' is probably Ann Lee."""
    local = clean_email(email).partition("@")[0].partition("+")[0]
    words = re.findall(r"\w+", local.replace("_", " "))
    try:
        return clean_name(" ".join(word[0].upper() + word[1:] for word in words))
    except BadContact:
        return "Guest"


#: A longer text is a message, not a name.
_MOST_PLAIN: Final = 40
_MOST_PLAIN_WORDS: Final = 4


def masked_email(email: str) -> str:
    """'a…@example.org': its owner recognises it, others cannot read it; '' without an address."""
    local, at, domain = email.rpartition("@")
    return f"{local[:1]}…\u2060@{domain}" if at else ""  # the word joiner prevents a line break


@lru_cache(maxsize=1024)  # a message uses it several times
def plain_name(name: str) -> str:
    """Returns the name if it is safe in a mail, else an empty text: anyone can fill in a form."""
    letters = all(unicodedata.category(c)[0] in "LM" or c in " .'’-" for c in name)
    if letters and len(name) <= _MOST_PLAIN and len(name.split()) <= _MOST_PLAIN_WORDS:
        return name.strip()
    return ""
