"""The people we talk to: the only place with names and addresses."""

from __future__ import annotations

from typing import NewType

from frontdesk.core.decision import Change
from frontdesk.frozen import frozen

PersonId = NewType("PersonId", str)


@frozen
class Person:
    """Somebody we know by one e-mail address."""

    id: PersonId
    name: str
    email: str
    contact_version: int = 0
    """Raised when the address changes; links carry it, so that old ones die."""
    bounced: str = ""
    """Why mail to this address is not sent any more, or nothing."""
    opted_out: bool = False
    """Has unsubscribed from what nobody needs."""
    erased: bool = False


@frozen
class AddPerson(Change):
    """Condition: nobody has this address yet (compared by `email_key`)."""

    person_id: PersonId
    name: str
    email: str
    email_key: str


@frozen
class CorrectPerson(Change):
    """New name or address. Condition: the contact version as read; nobody else has the address.

    A new address raises the contact version and forgets that the old one bounced.
    """

    person_id: PersonId
    contact_version: int
    name: str
    email: str
    email_key: str
    new_address: bool


@frozen
class MarkBounced(Change):
    """Mail to this address came back for good. Condition: the contact version as read."""

    person_id: PersonId
    contact_version: int
    why: str


@frozen
class OptOut(Change):
    """Nothing optional to this person any more (or, undone, again)."""

    person_id: PersonId
    out: bool = True


@frozen
class ErasePerson(Change):
    """Name, address, kept mail and kept messages go; the id stays, so that counts stay true."""

    person_id: PersonId
