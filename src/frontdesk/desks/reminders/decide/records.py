"""Records an appointment as its source has it, with its customer."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.consents import consent_changes
from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Change, Decision, Refused
from frontdesk.core.people import AddPerson, CorrectPerson, Person, PersonId
from frontdesk.desks.reminders.commands import RecordAppointment
from frontdesk.desks.reminders.decide.appointments import match_visit
from frontdesk.desks.reminders.model import LONGEST_VISIT, MOST_TEXT
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import RecordView, SourceVisit
from frontdesk.values import Frozen, replace


class CustomerChange(Frozen):
    """The person of an appointment, and the changes to them."""

    person_id: PersonId
    name: str = ""
    """The name at the source, if it differs from the person's."""
    changes: tuple[Change, ...] = ()


def record(view: RecordView, command: RecordAppointment, now: datetime) -> Decision:
    """Updates the row from its source. Finds the customer by contact, and corrects or adds the
    person."""
    if not _is_valid(command):
        return Refused(Reason.BAD_APPOINTMENT)
    known = view.at.appointment
    if known is not None and not known.is_live:
        return Refused(Reason.ENDED)
    customer = _customer(view, command)
    if isinstance(customer, Refused):
        return customer
    visit = SourceVisit(
        customer.person_id,
        command.service.strip()[:MOST_TEXT],
        command.starts_at,
        command.duration,
        known.booked_at if known else now.replace(microsecond=0),
        command.staff.strip()[:MOST_TEXT],
        replace(command.tags, mail_only=_has_unconfirmed_number(view, command)),
        command.phone[:MOST_TEXT],
        customer.name[:MOST_TEXT],
        command.consent.words[:MOST_TEXT] if command.consent else known.consent if known else "",
        command.calendar[:MOST_TEXT],
    )
    changes = (*customer.changes, *_consent(view, command, customer, now))
    decided = match_visit(view.at, visit, command, now, corrected=bool(changes))
    if isinstance(decided, Refused):
        return decided
    return replace(decided, changes=(*changes, *decided.changes))


def _consent(
    view: RecordView, command: RecordAppointment, customer: CustomerChange, now: datetime
) -> tuple[Change, ...]:
    """Records the consent that the row states for its number."""
    whose = next((one for one in (view.person, view.current) if one), None)
    record = view.consent if whose and whose.id == customer.person_id else None
    return consent_changes(record, customer.person_id, command.mobile, command.consent, now)


def _is_valid(command: RecordAppointment) -> bool:
    has_contact = bool(command.email or command.mobile)
    is_long_enough = not command.duration > LONGEST_VISIT and command.duration.total_seconds() > 0
    return has_contact and is_long_enough and bool(command.service.strip()) and bool(command.ref)


def _customer(view: RecordView, command: RecordAppointment) -> CustomerChange | Refused:
    """Finds the person with this contact. If nobody has it and staff wrote it beside the same name,
    it is the customer's new contact; otherwise the customer is a new person. A number or address
    that is missing in a new row is not removed from the person."""
    person = view.person or (view.current if _is_same_name(view, command) else None)
    if person is None:
        key = contact_key(command.email, command.mobile)
        fresh = AddPerson(command.person_id, command.name, command.email, key, command.mobile)
        return CustomerChange(command.person_id, changes=(fresh,))
    known = view.at.appointment
    is_theirs = known is not None and known.person_id == person.id
    own = known.name if known and is_theirs else ""
    if not command.corrects:
        return CustomerChange(person.id, own)
    name = command.name if is_theirs and not own else person.name
    if is_theirs:
        changes = _correction(person, name, command.email, command.mobile)
    else:
        email, mobile = command.email or person.email, command.mobile or person.mobile
        changes = _correction(person, name, email, mobile)
    if changes and view.signs_in:
        return Refused(Reason.OF_THE_TEAM)
    return CustomerChange(person.id, "" if command.name == name else command.name, changes)


def _has_unconfirmed_number(view: RecordView, command: RecordAppointment) -> bool:
    """Whether nobody has confirmed the customer's number for this appointment: anybody can type
    their own number beside another person's address. Staff confirm a number by giving it."""
    known, person = view.at.appointment, view.person
    if person is None or not (command.email and person.mobile):
        return False
    if command.mobile == person.mobile:
        is_same = known is not None and known.person_id == person.id
        return command.tags.mail_only or (is_same and known is not None and known.tags.mail_only)
    return not (command.mobile and command.corrects)


def _is_same_name(view: RecordView, command: RecordAppointment) -> bool:
    known, person = view.at.appointment, view.current
    if known is None or person is None or not command.corrects:
        return False
    return command.name.casefold() == (known.name or person.name).casefold()


def _correction(person: Person, name: str, email: str, mobile: str) -> tuple[Change, ...]:
    """Corrects the person to these values, if they differ."""
    if (person.name, person.email, person.mobile) == (name, email, mobile):
        return ()
    return (
        CorrectPerson(
            person.id,
            person.contact_version,
            name,
            email,
            contact_key(email, mobile),
            new_address=contact_key(person.email, "") != contact_key(email, ""),
            mobile=mobile,
            name_before=person.name,
        ),
    )
