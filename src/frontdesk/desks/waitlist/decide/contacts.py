"""Decides about the people on the list: who they are, their contact, and consent to texts."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.consents import ConsentSource, Statement, consent_changes
from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.people import AddPerson, CorrectPerson, Person, PersonId
from frontdesk.desks.waitlist.changes import WriteEntry
from frontdesk.desks.waitlist.commands import ConfirmNumber, EditEntry, JoinList, RemoveNumber
from frontdesk.desks.waitlist.facts import EntryEdited, NumberConfirmed
from frontdesk.desks.waitlist.model import Entry, EntryStatus, Lane
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.views import ContactView, EditView, JoinView
from frontdesk.values import replace

Changes = tuple[Change, ...]


def person_of(view: JoinView, command: JoinList, now: datetime) -> tuple[Changes, PersonId]:
    """The person who joins, and the changes that add or correct them."""
    if view.person is not None:
        return new_number(view, command, now), view.person.id
    key = contact_key(command.email, command.mobile)
    added = AddPerson(command.person_id, command.name, command.email, key, command.mobile)
    agreed = consent_changes(None, command.person_id, command.mobile, command.consent, now)
    return (added, *agreed), command.person_id


def adds_number(person: Person, command: JoinList) -> bool:
    """Whether staff add a first number to a known person. Forms and mails cannot: with another
    person's address, anybody could add their own number and read that person's messages."""
    by_staff = command.lane in (Lane.STAFF, Lane.SHEET)
    return by_staff and bool(command.mobile) and not person.mobile


def new_number(view: JoinView, command: JoinList, now: datetime) -> Changes:
    """Adds a number, except to team members, whose contacts owners manage. Consent counts for the
    number that the person then has."""
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


def is_number_unconfirmed(view: JoinView, command: JoinList, known: Entry | None = None) -> bool:
    """Whether messages go by mail only, because nobody has confirmed the number: anybody can type
    their own number beside another person's address. Customers confirm it by the link in their mail
    (`confirm_number`), staff by giving it. Removing an unconfirmed number does not confirm it, as
    it may come back."""
    person = view.person
    is_from_staff = command.lane in (Lane.STAFF, Lane.SHEET)
    if person is None:
        return bool(command.email and command.mobile) and not is_from_staff
    if not person.email:
        return False
    was = known is not None and known.mail_only
    is_confirmed = any(not each.mail_only for each in view.entries)
    is_unconfirmed = was or (bool(view.entries) and not is_confirmed)
    if not person.mobile:
        return is_unconfirmed and not (is_from_staff and command.mobile)
    is_another = command.mobile != person.mobile
    if is_from_staff:
        return is_another and is_unconfirmed
    return is_another or not is_confirmed


def stays_unconfirmed(view: EditView, command: EditEntry) -> bool:
    """Whether messages about an edited entry still go by mail only. Staff may text a number with
    which they replace another. A number that they add where there was none may be one that was
    removed unconfirmed and that an earlier version of the sheet brings back."""
    number = view.person.mobile
    is_replaced = number and command.mobile and command.mobile != number
    return view.entry.mail_only and not is_replaced


def confirm_number(view: ContactView | None, _: ConfirmNumber, _now: datetime) -> Decision:
    """Allows messages about a waiting entry to go to its person's number. The link for this is only
    in their mail."""
    if reason := _cannot_choose(view):
        return Refused(reason)
    assert view is not None
    if not view.entry.mail_only:
        return Refused(Reason.UNCHANGED)
    entry = replace(view.entry, mail_only=False, version=view.entry.version + 1)
    return Accepted((WriteEntry(entry),), (NumberConfirmed(entry.id, entry.version),))


def remove_number(view: ContactView | None, _: RemoveNumber, _now: datetime) -> Decision:
    """Removes the number; links that were sent before become invalid."""
    if reason := _cannot_choose(view):
        return Refused(reason)
    assert view is not None
    person = view.person
    entry = replace(view.entry, version=view.entry.version + 1)
    removed = CorrectPerson(
        person.id,
        person.contact_version,
        person.name,
        person.email,
        contact_key(person.email, ""),
        new_address=False,
        mobile="",
        name_before=person.name,
    )
    fact = EntryEdited(
        entry.id,
        entry.version,
        entry.wish,
        entry.joined_at,
        new_contact=True,
        corrected=person.id,
        mail_only=entry.mail_only,
    )
    return Accepted((removed, WriteEntry(entry)), (fact,))


def _cannot_choose(view: ContactView | None) -> Reason | None:
    """The reason why a person cannot choose between texts and mail."""
    if view is None or view.person.erased:
        return Reason.NO_SUCH_ENTRY
    if view.entry.status is not EntryStatus.WAITING:
        return Reason.NOT_WAITING
    has_both = view.person.email and view.person.mobile
    return None if has_both else Reason.UNCHANGED


def contact_changes(view: EditView, command: EditEntry, now: datetime) -> Changes:
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
    """Whether the contact changes, so that links to the old one become invalid."""
    return command.mobile != person.mobile or is_new_address(person, command)


def is_new_address(person: Person, command: EditEntry) -> bool:
    return contact_key(person.email, "") != contact_key(command.email, "")


def with_sheet_consent(entry: Entry, statement: Statement | None) -> Entry:
    """The entry with the sheet's statement about consent."""
    if statement is None or statement.source is not ConsentSource.SHEET:
        return entry
    return replace(entry, consent=statement.words)
