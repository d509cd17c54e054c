"""The contact details of the business: phone, address and website."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from frontdesk.core.contacts import BadContact
from frontdesk.values import Frozen

MOST_CHARACTERS: Final = 200
_PHONE: Final = re.compile(r"\+?[(0-9][0-9 ()./-]{3,38}[0-9]")


class ContactCard(Frozen, kw_only=True):
    """The contact details on pages and in mails. Empty fields are not shown."""

    phone: str = ""
    address: str = ""
    website: str = ""

    @property
    def tel(self) -> str:
        """The phone number for a `tel:` link."""
        plus = "+" if self.phone.startswith("+") else ""
        return plus + "".join(filter(str.isdigit, self.phone))

    @property
    def site(self) -> str:
        """The website without scheme and 'www.'."""
        return re.sub(r"^https?://(www\.)?", "", self.website).rstrip("/")

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for line in (self.phone, self.address, self.website) if line)

    def or_else(self, other: ContactCard) -> ContactCard:
        """Returns this card with missing fields taken from the other."""
        return ContactCard(
            phone=self.phone or other.phone,
            address=self.address or other.address,
            website=self.website or other.website,
        )


def clean_business_phone(text: str) -> str:
    """Tidies a phone number and keeps its spelling. It may be a landline; empty stays empty."""
    tidy = " ".join(text.split())
    if tidy and not _PHONE.fullmatch(tidy):
        raise BadContact("Please write a phone number, like +65 6123 4567.")
    return tidy


def clean_business_address(text: str) -> str:
    tidy = " ".join(text.split())
    if len(tidy) > MOST_CHARACTERS or not tidy.isprintable():
        raise BadContact(f"Please write the address on one line of at most {MOST_CHARACTERS}.")
    return tidy


def clean_website(text: str) -> str:
    """Checks a web address. 'salon.example' becomes 'https://salon.example'."""
    tidy = text.strip()
    if not tidy:
        return ""
    if "://" not in tidy:
        tidy = f"https://{tidy}"
    try:
        parts = urlsplit(tidy)
        host = parts.hostname or ""
    except ValueError as bad:
        raise BadContact(_BAD_WEBSITE) from bad
    is_plain = tidy.isascii() and tidy.isprintable() and not set(' "<>\\^`{|}') & set(tidy)
    if parts.scheme not in ("http", "https") or "." not in host or parts.username or not is_plain:
        raise BadContact(_BAD_WEBSITE)
    if len(tidy) > MOST_CHARACTERS:
        raise BadContact(_BAD_WEBSITE)
    return tidy


_BAD_WEBSITE: Final = "Please write the address of a website, like https://salon.example."
