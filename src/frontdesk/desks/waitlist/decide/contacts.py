"""Decides about the people on the list: who they are, their contact, and consent to texts."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.consents import ConsentSource, Statement, consent_changes
from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Change
from frontdesk.core.people import AddPerson, CorrectPerson, Person, PersonId
from frontdesk.desks.waitlist.commands import EditEntry, JoinList
from frontdesk.desks.waitlist.model import Entry, EntryStatus, Lane
from frontdesk.desks.waitlist.views import EditView, JoinView
from frontdesk.values import replace

Changes = tuple[Change, ...]


def person_of(view: JoinView, command: JoinList, now: datetime) -> tuple[Changes, PersonId]:
    """The person who joins, and the changes to them; a new person is added."""
    if view.person is not None:
        return new_number(view, command, now), view.person.id
    key = contact_key(command.email, command.mobile)
    added = AddPerson(command.person_id, command.name, command.email, key, command.mobile)
    agreed = consent_changes(None, command.person_id, command.mobile, command.consent, now)
    return (added, *agreed), command.person_id


def adds_number(person: Person, command: JoinList) -> bool:
    """Whether staff add a first number to a known person. Forms and mails cannot: anybody could
    add their own number to another's address, and read their messages."""
    by_staff = command.lane in (Lane.STAFF, Lane.SHEET)
    return by_staff and bool(command.mobile) and not person.mobile


def new_number(view: JoinView, command: JoinList, now: datetime) -> Changes:
    """Adds a number, except to team members: owners manage their contacts. Consent counts for the
    number that the person has then."""
    person = view.person
    if person is None:
        return ()
    changes: Changes = ()
    number = person.mobile
    if adds_number(person, command) and not view.signs_in:
        number = command.mobile
        changes = (
            CorrectPerson(
                person.id,
                person.contact_version,
                person.name,
                person.email,
                contact_key(person.email, ""),
                new_address=False,
                mobile=number,
            ),
        )
    if command.mobile != number:
        return changes
    return *changes, *consent_changes(view.consent, person.id, number, command.consent, now)


def is_mail_only(view: JoinView, command: JoinList, known: Entry | None = None) -> bool:
    """Whether a customer joins without the number that we have beside their address: a stranger may
    have typed it. Staff confirm it by giving it; a customer's mail confirms nothing that waits.
    """
    person = view.person
    if person is None or not (person.email and person.mobile):
        return False
    is_another = command.mobile != person.mobile
    was = known is not None and known.mail_only
    if command.lane in (Lane.STAFF, Lane.SHEET):
        return is_another and was
    waits = known is not None and known.status is EntryStatus.WAITING
    return is_another or (was and waits)


def corrected(view: EditView, command: EditEntry, now: datetime) -> Changes:
    """The contact as staff edited it, with the consent that the sheet states for the number."""
    person = view.person
    agreed = consent_changes(view.consent, person.id, command.mobile, command.consent, now)
    before = (person.name, person.email, person.mobile)
    if before == (command.name, command.email, command.mobile):
        return agreed
    correction = CorrectPerson(
        person.id,
        person.contact_version,
        command.name,
        command.email,
        contact_key(command.email, command.mobile),
        new_address=is_new_address(person, command),
        mobile=command.mobile,
        name_before=person.name,
    )
    return correction, *agreed


def is_new_contact(person: Person, command: EditEntry) -> bool:
    """Whether the contact changes; links to the old one become invalid."""
    return command.mobile != person.mobile or is_new_address(person, command)


def is_new_address(person: Person, command: EditEntry) -> bool:
    return contact_key(person.email, "") != contact_key(command.email, "")


def with_statement(entry: Entry, statement: Statement | None) -> Entry:
    """The entry with what its row in the sheet says about consent."""
    if statement is None or statement.source is not ConsentSource.SHEET:
        return entry
    return replace(entry, consent=statement.words)
