"""The people we talk to: the only place with names, addresses and numbers."""

from __future__ import annotations

from datetime import datetime
from typing import NewType, Protocol, runtime_checkable

from frontdesk.core.decision import Change
from frontdesk.values import Frozen

PersonId = NewType("PersonId", str)


class Person(Frozen):
    """Somebody we know by one e-mail address, or else by one mobile number."""

    id: PersonId
    name: str
    email: str
    contact_version: int = 0
    """Raised when address or number changes; links carry it, so that old ones die."""
    bounced: str = ""
    """Why mail to this address is not sent any more, or nothing."""
    opted_out: bool = False
    """Has unsubscribed from what nobody needs."""
    erased: bool = False
    mobile: str = ""
    """In E.164, or nothing. A family may share one."""


class AddPerson(Change):
    """Condition: nobody has this contact yet (compared by `email_key`, see `contact_key`)."""

    person_id: PersonId
    name: str
    email: str
    email_key: str
    mobile: str = ""


class CorrectPerson(Change):
    """New name or contact. Condition: the contact version as read; nobody else has the address.

    A new address raises the contact version and forgets that the old one bounced; a new number
    raises the version, too.
    """

    person_id: PersonId
    contact_version: int
    name: str
    email: str
    email_key: str
    new_address: bool
    mobile: str | None = None
    """The number from now on; None leaves it as it is."""
    name_before: str | None = None
    """The name has to be this one still; None: whatever it is."""
    links_until: datetime | None = None
    """Sign-in links that were made until then are dead."""


@runtime_checkable
class Correction(Protocol):
    """A fact that says that a person's name or contact was corrected, for the desks to follow."""

    @property
    def subject(self) -> str:
        """The person's id."""

    @property
    def new_address(self) -> bool:
        """Links that were sent before are dead."""


class MarkBounced(Change):
    """Mail to this address came back for good. Condition: the contact version as read."""

    person_id: PersonId
    contact_version: int
    why: str
    links_until: datetime | None = None
    """Sign-in links that were made until then are dead: a mail that comes back quotes its link.

    An earlier instant than the one that is kept changes nothing, so that a bounce that is
    repeated does not reach newer links.
    """


class OptOut(Change):
    """Nothing optional to this person any more (or, undone, again)."""

    person_id: PersonId
    out: bool = True


class ErasePerson(Change):
    """Name, address, number, kept mail and kept messages go; the id stays: counts stay true."""

    person_id: PersonId


class StopNumber(Change):
    """No texts to this number any more, whoever has it. Kept as a digest: it outlives the person.

    No condition: a number may say so twice.
    """

    mobile: str


class ResumeNumber(Change):
    """Texts may go to this number again. No condition."""

    mobile: str
