"""Validates the forms of the catalogue: returns values, or errors by field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Final

from frontdesk.core.contacts import is_unseen
from frontdesk.features.catalogue.model import (
    LONGEST,
    MOST_CALLED,
    MOST_NAME,
    MOST_PARTY,
    MOST_SERVICES,
    MOST_STAFF,
    Service,
)
from frontdesk.values import replace

Values = dict[str, str]

_PRICE: Final = re.compile(r"[^\d\s.,-]{0,8}\s?(\d{1,3}(?:[,']\d{3})+|\d{1,7})(?:[.,](\d{2}))?")
_MINUTE: Final = timedelta(minutes=1)
MOST_MINUTES: Final = LONGEST // _MINUTE


def values_of(service: Service) -> Values:
    """The form values of a service."""
    price = Decimal(service.price_cents) / 100
    return {
        "name": service.name,
        "minutes": str(service.duration // _MINUTE),
        "price": f"{price:.2f}" if price else "",
        "most": str(service.most),
        "aliases": "\n".join(service.aliases),
    }


def read_service(
    values: Mapping[str, str], others: Sequence[Service], before: Service | None = None
) -> Service | dict[str, str]:
    """Reads a service from the form; returns errors by field if a value is wrong."""
    name, aliases = _tidy(values["name"]), split_names(values["aliases"])
    minutes = _number(values["minutes"], MOST_MINUTES)
    most = _number(values["most"], MOST_PARTY)
    cents = read_price(values["price"])
    errors = {
        "name": _bad_name(name) or _taken([name], others),
        "minutes": "" if minutes else f"Please write minutes, from 1 to {MOST_MINUTES:,}.",
        "price": "Please write a price like 45 or 45.00." if cents is None else "",
        "most": "" if most else f"Please write a whole number from 1 to {MOST_PARTY:,}.",
        "aliases": _bad_aliases(name, aliases, others),
    }
    wrong = {field: sentence for field, sentence in errors.items() if sentence}
    if wrong or minutes is None or most is None or cents is None:
        return wrong
    is_unlisted = before is not None and before.unlisted
    return Service(name, minutes * _MINUTE, cents, most, aliases, is_unlisted)


def with_former_name(service: Service, before: Service, others: Sequence[Service]) -> Service:
    """Adds the former name of the service as an alias, so that old links, mails and customers still
    find it. Returns the service unchanged if that name is taken, or exceeds the limit of names."""
    called = (service.name, *service.aliases)
    if before.name.casefold() in (each.casefold() for each in called):
        return service
    aliases = (*service.aliases, before.name)
    if _bad_aliases(service.name, aliases, others):
        return service
    return replace(service, aliases=aliases)


def read_price(text: str) -> int | None:
    """Parses '1,200', 'S$45' or '45.50' to cents; empty text is 0, invalid text is None."""
    if not text.strip():
        return 0
    found = _PRICE.fullmatch(text.strip())
    if found is None:
        return None
    return int(re.sub(r"\D", "", found[1])) * 100 + int(found[2] or 0)


def _number(text: str, most: int) -> int | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= 6
    return int(text) if is_number and 1 <= int(text) <= most else None


def _bad_name(name: str) -> str:
    if not name:
        return "Please give the service a name."
    return f"Please write at most {MOST_NAME} characters." if len(name) > MOST_NAME else ""


def _bad_aliases(name: str, aliases: tuple[str, ...], others: Sequence[Service]) -> str:
    called = sum(1 + len(one.aliases) for one in others) + 1 + len(aliases)
    if len(others) >= MOST_SERVICES or called > MOST_CALLED:
        return f"That is more than {MOST_CALLED} names, or {MOST_SERVICES} services."
    if any(len(each) > MOST_NAME for each in aliases):
        return f"Please write at most {MOST_NAME} characters for each."
    if name.casefold() in (each.casefold() for each in aliases):
        return "Please do not repeat the name itself here."
    return _taken(aliases, others)


def _taken(names: Iterable[str], others: Sequence[Service]) -> str:
    """An error if another service has one of these names."""
    owner = {each.casefold(): one for one in others for each in (one.name, *one.aliases)}
    for name in names:
        if other := owner.get(name.casefold()):
            if name.casefold() == other.name.casefold():
                return f"There is a service {other.name} already."
            return f"“{name}” is another name of {other.name} already."
    return ""


# --- the team -------------------------------------------------------------------------------


def errors_in_staff(members: Sequence[str]) -> dict[str, str]:
    if len(members) > MOST_STAFF:
        return {"staff": f"Please write at most {MOST_STAFF} names."}
    if any(len(each) > MOST_NAME for each in members):
        return {"staff": f"Please write at most {MOST_NAME} characters for each."}
    return {}


def split_names(text: str) -> tuple[str, ...]:
    """Splits text at line ends, commas and semicolons, without duplicates."""
    found = {each.casefold(): each for each in map(_tidy, re.split(r"[\n,;]", text)) if each}
    return tuple(found.values())


def _tidy(text: str) -> str:
    """Text on one line, without invisible characters."""
    return "".join(each for each in " ".join(text.split()) if not is_unseen(each))
