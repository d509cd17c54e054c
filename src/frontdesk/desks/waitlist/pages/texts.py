"""Sentences of the customers' pages: wishes, places in line and dates."""

from __future__ import annotations

from datetime import date
from typing import Final

from frontdesk.core.phones import shown
from frontdesk.core.words import how_long, ordinal
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.model import Opening, Wish
from frontdesk.desks.waitlist.pages.join_form import Terms
from frontdesk.features.catalogue.model import Catalogue, Service

ON_THE_LIST: Final = "You're on the list."
#: Shown to everybody, so it does not reveal who is known.
LINK_FOLLOWS: Final = (
    "Our message to you has your own link: see your place, change your dates, leave the list."
)
#: Prevents the belief that the form has changed their dates. Shown to everybody.
KNOWN_ALREADY: Final = (
    "If you were on the list already, your dates stay as they were until you change them there."
)
#: Shown for a number beside an e-mail address.
BY_MAIL: Final = "We can't send texts to this number, so we write to your e-mail address."
#: Reminds people of an earlier STOP. Shown to everybody, so it does not reveal who is known.
STOP_HOLDS: Final = (
    "If you have asked us before to stop all offers, that still holds. "
    "Please talk to us if you want them again."
)


def joining(terms: Terms) -> str:
    """Explains how offers work."""
    window = how_long(terms.rules.claim_window)
    return (
        "When a slot comes free that suits you, and it's your turn, we offer it to you "
        f"and hold it for {window}."
    )


def in_line(place: int, service: str) -> str:
    """'You're third in line for Cut and colour.'"""
    return f"You're {ordinal(place)} in line for {service}."


def wish_facts(wish: Wish) -> tuple[tuple[str, str], ...]:
    """The wish as labels and values."""
    party = ("How many", words.people(wish.party))
    return (
        ("What", wish.service),
        ("When", days(wish.earliest_on, wish.latest_on)),
        *((party,) if wish.party > 1 else ()),
        ("With", wish.staff or "Anyone"),
    )


def length_and_price(of: Service | Opening, catalogue: Catalogue) -> str:
    """'2 hours · S$120.00'; only the length if there is no price."""
    price = catalogue.price(of.price_cents) if of.price_cents else ""
    return " · ".join(filter(None, (how_long(of.duration), price)))


def days(first: date, last: date) -> str:
    """'Monday 16 November to Friday 18 December'."""
    if first == last:
        return words.spoken_day(first)
    form = words.spoken_day if first.year == last.year else _with_year
    return f"{form(first)} to {form(last)}"


def _with_year(on: date) -> str:
    return f"{words.spoken_day(on)} {on.year}"


def masked(email: str, mobile: str) -> str:
    """Masks a contact: its owner recognises it, others cannot read it."""
    return ", ".join(filter(None, (_masked_number(mobile), _masked_address(email))))


def _masked_address(email: str) -> str:
    """'a…@example.org'."""
    local, at, domain = email.rpartition("@")
    return f"{local[:1]}…\u2060@{domain}" if at else ""  # word joiner: no line break here


def _masked_number(mobile: str) -> str:
    """'+65 …4567'."""
    if not mobile.startswith("+"):
        return f"…\u2060{mobile[-4:]}" if mobile else ""
    return f"{shown(mobile).partition(' ')[0]}\u00a0…\u2060{mobile[-4:]}"
