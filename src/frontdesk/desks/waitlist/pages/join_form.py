"""Validates the form: returns clean values, or an error for each field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from frontdesk.core.consents import Statement
from frontdesk.core.contacts import NO_CONTACT, clean_email, clean_name
from frontdesk.core.localtime import parse_day, to_wall, zone
from frontdesk.core.phones import clean_phone, read_phone
from frontdesk.core.text_rules import TextRules, clean_text_number, text_rules
from frontdesk.core.words import count
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Rules, Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import Frozen
from frontdesk.web.forms import BadField, FieldReader
from frontdesk.web.site import Site

#: The latest day that the form accepts, from today.
MOST_AHEAD: Final = timedelta(days=365)

Typed = Mapping[str, str]
Errors = Mapping[str, str]
"""Error messages by field, for the person who typed."""


class FormChoices(Frozen):
    """The current limits and choices of the form."""

    catalogue: Catalogue
    rules: Rules
    today: date
    """The local day."""
    country: str
    """The country of a phone number without country code."""
    texts: bool
    """Whether texts can be sent at all."""
    text_rules: TextRules

    def takes_texts(self, mobile: str) -> bool:
        return self.texts and not self.text_rules.why_not(mobile)

    @property
    def is_open(self) -> bool:
        return bool(self.catalogue.services)

    @property
    def last_on(self) -> date:
        return self.today + MOST_AHEAD


def terms_of(site: Site) -> FormChoices:
    wl = waitlist(site.reads())
    rules = wl.rules()
    today = to_wall(site.clock.now(), zone(rules.zone)).date()
    settings = site.settings
    texts = settings.texts_by != "none"
    return FormChoices(
        wl.catalogue().public, rules, today, settings.country, texts, text_rules(settings)
    )


class JoinForm(Frozen):
    """The validated values of the form."""

    name: str
    email: str
    mobile: str
    wish: Wish
    consent: Statement | None = None


def read_join_form(terms: FormChoices, typed: Typed) -> JoinForm | Errors:
    """Reads the form. Reports all errors at once, so that people need not submit it
    several times."""
    fields = FieldReader(typed)
    service = fields.read("service", lambda text: _service(text, terms.catalogue))
    wish = _wish(fields, terms, service)
    name = fields.read("name", clean_name)
    email = fields.read("email", lambda text: clean_email(text) if text else "")
    mobile = fields.read("mobile", lambda text: _mobile(text, terms, has_email=bool(email)))
    if (
        not email
        and not (mobile and terms.texts)
        and not fields.errors.keys() & {"mobile", "email"}
    ):
        fields.errors |= {"mobile": NO_CONTACT} if terms.texts else {"email": NO_EMAIL}
    if fields.errors:
        return {field: fields.errors[field] for field in _FIELDS if field in fields.errors}
    assert wish is not None
    return JoinForm(name or "", email or "", mobile or "", wish)


#: The fields in the order of the page.
_FIELDS: Final = ("service", "earliest", "latest", "party", "staff", "name", "mobile", "email")


def read_wish(terms: FormChoices, service: Service, typed: Typed) -> Wish | Errors:
    """Reads a changed wish for the same service."""
    fields = FieldReader(typed)
    wish = _wish(fields, terms, service)
    if fields.errors:
        return fields.errors
    assert wish is not None
    return wish


NOT_LISTED: Final = "Please choose one of these."
NO_EMAIL: Final = "Please give an e-mail address."
BAD_DAY: Final = "Please give a day, like 2026-11-20."
PASSED: Final = "This day has passed."
TOO_FAR: Final = "Please choose a day within a year."
BEFORE: Final = "This is before the first day."


def _service(text: str, catalogue: Catalogue) -> Service:
    found = catalogue.service(text)
    if found is None:
        raise BadField(NOT_LISTED)
    return found


def _wish(fields: FieldReader, terms: FormChoices, service: Service | None) -> Wish | None:
    most = service.most if service else max(one.most for one in terms.catalogue.services)
    earliest = fields.read("earliest", lambda text: _day(text, terms.today, terms))
    latest = fields.read("latest", lambda text: _day(text, earliest, terms))
    party = fields.read("party", lambda text: _party(text, most))
    staff = fields.read("staff", lambda text: _staff(text, terms.catalogue))
    if service is None or earliest is None or latest is None or party is None or staff is None:
        return None
    return Wish(service.name, party, earliest, latest, staff)


_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _day(text: str, not_before: date | None, terms: FormChoices) -> date:
    """Parses a day as browsers send it."""
    try:
        day = parse_day(text) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise BadField(BAD_DAY)
    if day < terms.today:
        raise BadField(PASSED)
    if day > terms.last_on:
        raise BadField(TOO_FAR)
    if not_before is not None and day < not_before:
        raise BadField(BEFORE)
    return day


def _party(text: str, most: int) -> int:
    """The size of the party; 1 if the field is empty."""
    number = int(text or 1) if len(text) <= 4 and (text or "1").isdecimal() else 0
    if not 1 <= number <= most:
        raise BadField(f"This is for at most {count(most, 'person', 'people')} at a time.")
    return number


def _staff(text: str, catalogue: Catalogue) -> str:
    """The staff member; empty for anyone."""
    member = catalogue.member(text) if text else ""
    if member is None:
        raise BadField(NOT_LISTED)
    return member


def _mobile(text: str, terms: FormChoices, *, has_email: bool) -> str:
    """Reads the number. Beside an e-mail address any number is accepted, because mail is
    used then."""
    if not text:
        return ""
    if has_email:
        return read_phone(text, terms.country)
    if not terms.texts:
        return clean_phone(text, terms.country)
    return clean_text_number(text, terms.country, terms.text_rules)
