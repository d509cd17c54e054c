"""Validates the form of a booking: returns clean values, or an error for each field."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from frontdesk.core.consents import ConsentSource, Statement
from frontdesk.core.contacts import NO_CONTACT, BadContact, clean_email, clean_name
from frontdesk.core.phones import read_phone
from frontdesk.core.text_rules import TextRules, clean_text_number, text_rules
from frontdesk.desks.booking.rules import Question, QuestionKind, ServiceRules
from frontdesk.settings import Settings
from frontdesk.values import Frozen, replace
from frontdesk.web.consent import consent_in
from frontdesk.web.forms import FieldReader
from frontdesk.web.site import Site

MOST_ANSWER: Final = 500
#: The answer to a consent that was given.
AGREED: Final = "yes"
NO_EMAIL: Final = "Please give an e-mail address."
NO_ANSWER: Final = "Please answer this."
NOT_AGREED: Final = "Please tick this to book."
NOT_A_CHOICE: Final = "Please choose one of these."
TOO_LONG: Final = f"Please write at most {MOST_ANSWER} characters."

Typed = Mapping[str, str]
Errors = Mapping[str, str]
"""Error messages by field, for the person who typed."""


class ContactChoices(Frozen):
    """The ways to reach a customer."""

    country: str
    """The country of a phone number without country code."""
    texts: bool
    """Whether texts can be sent at all."""
    text_rules: TextRules


def terms_of(settings: Settings) -> ContactChoices:
    return ContactChoices(settings.country, settings.texts_by != "none", text_rules(settings))


class CustomerDetails(Frozen):
    """The validated values of the form."""

    name: str
    email: str
    mobile: str
    answers: Mapping[str, str]
    consent: Statement | None = None
    """Consent to texts, if the form asked for it."""

    @property
    def contact(self) -> str:
        return self.email or self.mobile


def read_details(
    terms: ContactChoices, service: ServiceRules, typed: Typed
) -> CustomerDetails | Errors:
    """Reports all errors at once. The page has one field `contact`; the API has two fields."""
    fields = FieldReader(typed)
    name = fields.read("name", clean_name) or ""
    email, mobile = _contact(fields, terms)
    answers = {
        one.id: answer
        for one in service.questions
        if (answer := fields.read(field_of(one), partial(read_answer, one)))
    }
    return fields.errors or CustomerDetails(name, email, mobile, answers)


def read_contact(terms: ContactChoices, typed: Typed) -> CustomerDetails | Errors:
    """Reads name and contact alone."""
    fields = FieldReader(typed)
    name = fields.read("name", clean_name) or ""
    email, mobile = _contact(fields, terms)
    return fields.errors or CustomerDetails(name, email, mobile, {})


def with_consent(
    site: Site, details: CustomerDetails | Errors, typed: Typed
) -> CustomerDetails | Errors:
    """Adds the consent of the form's sentence, if the details have a number."""
    if not isinstance(details, CustomerDetails) or not details.mobile:
        return details
    return replace(details, consent=consent_in(site, typed, ConsentSource.BOOKING_FORM))


def field_of(question: Question) -> str:
    return f"answer-{question.id}"


def _contact(fields: FieldReader, terms: ContactChoices) -> tuple[str, str]:
    if not (fields.has("email") or fields.has("mobile")):
        return fields.read("contact", lambda text: _either(text, terms)) or ("", "")
    email = fields.read("email", lambda text: clean_email(text) if text else "") or ""
    mobile = fields.read("mobile", lambda text: _mobile(text, terms, has_email=bool(email))) or ""
    if not (email or mobile or fields.errors.keys() & {"email", "mobile"}):
        fields.errors["email"] = NO_CONTACT if terms.texts else NO_EMAIL
    return email, mobile


def _either(text: str, terms: ContactChoices) -> tuple[str, str]:
    """Reads the one field for an address or a number."""
    if not text:
        raise BadContact(NO_CONTACT if terms.texts else NO_EMAIL)
    if "@" in text or not terms.texts:
        return clean_email(text), ""
    if not any(map(str.isdigit, text)):
        raise BadContact(NO_CONTACT)
    return "", clean_text_number(text, terms.country, terms.text_rules)


def _mobile(text: str, terms: ContactChoices, *, has_email: bool) -> str:
    """Reads the number. Accepts any number beside an e-mail address, because mail is used then."""
    if not text:
        return ""
    if has_email:
        return read_phone(text, terms.country)
    if not terms.texts:
        raise BadContact(NO_EMAIL)
    return clean_text_number(text, terms.country, terms.text_rules)


def read_answer(question: Question, text: str) -> str:
    """Returns a valid answer; empty if there is none to a voluntary question."""
    match question.kind:
        case QuestionKind.CONSENT:
            if question.required and not text:
                raise BadContact(NOT_AGREED)
            return AGREED if text else ""
        case QuestionKind.CHOICE if text and text not in question.choices:
            raise BadContact(NOT_A_CHOICE)
        case _:
            pass
    if question.required and not text:
        raise BadContact(NO_ANSWER)
    if len(text) > MOST_ANSWER:
        raise BadContact(TOO_LONG)
    return text


# --- the questions as fields --------------------------------------------------------------------


class QuestionField(Frozen):
    """A question as the template shows it."""

    kind: str
    name: str
    label: str
    required: bool
    options: tuple[tuple[str, str, str], ...] = ()

    @property
    def select_options(self) -> tuple[tuple[str, str], ...]:
        return (("", "Please choose"), *((value, label) for value, label, _ in self.options))


def question_fields(service: ServiceRules) -> tuple[QuestionField, ...]:
    return tuple(
        QuestionField(
            kind=one.kind.value,
            name=field_of(one),
            label=one.label,
            required=one.required,
            options=tuple((choice, choice, "") for choice in one.choices),
        )
        for one in service.questions
    )
