"""People, and the changes to them: names, addresses and numbers."""

from __future__ import annotations

from datetime import datetime
from typing import NewType, Protocol, runtime_checkable

from frontdesk.core.decision import Change
from frontdesk.values import Frozen

PersonId = NewType("PersonId", str)


class Person(Frozen):
    """A person with an e-mail address, or else with a mobile number."""

    id: PersonId
    name: str
    email: str
    contact_version: int = 0
    """Increases when address or number changes. Links contain it, so old links become invalid."""
    bounced: str = ""
    """Why mail to this address bounced; empty if it did not."""
    opted_out: bool = False
    """Whether they have unsubscribed from optional messages."""
    erased: bool = False
    mobile: str = ""
    """In E.164, or empty. A family may share one number."""
    failed_mobile: str = ""
    """The number to which a text could not be delivered, which may be an earlier one."""

    @property
    def mobile_fails(self) -> bool:
        return bool(self.mobile) and self.mobile == self.failed_mobile


class AddPerson(Change):
    """Condition: nobody has this contact yet (compared by `email_key`, see `contact_key`)."""

    person_id: PersonId
    name: str
    email: str
    email_key: str
    mobile: str = ""


class CorrectPerson(Change):
    """Changes name or contact. Condition: contact version as read; nobody else has the address.

    A new address raises the contact version and clears the mark of a bounce. A new number raises
    the version too.
    """

    person_id: PersonId
    contact_version: int
    name: str
    email: str
    email_key: str
    new_address: bool
    mobile: str | None = None
    """The new number; None keeps the old one."""
    name_before: str | None = None
    """Condition: the name is still this one. None: no condition."""
    links_until: datetime | None = None
    """Sign-in links that were made until then become invalid."""


@runtime_checkable
class Correction(Protocol):
    """A fact that a person's name or contact was corrected. Desks act on it."""

    @property
    def subject(self) -> str:
        """The person's id."""

    @property
    def new_address(self) -> bool:
        """Whether links that were sent before are invalid."""

    @property
    def new_number(self) -> bool:
        """Whether the number was corrected."""


class MarkBounced(Change):
    """Marks a permanent bounce of mail to this address. Condition: the contact version as read."""

    person_id: PersonId
    contact_version: int
    why: str
    links_until: datetime | None = None
    """Sign-in links that were made until then become invalid: a bounce quotes the link.

    An instant before the stored one changes nothing, so that a repeated bounce does not
    invalidate newer links.
    """


class MarkNumber(Change):
    """Marks that texts to this number are not delivered; with `fails=False`, that they are.
    Condition: it is still the person's number."""

    person_id: PersonId
    mobile: str
    fails: bool = True


class OptOut(Change):
    """Stops optional messages to this person; with `out=False`, allows them again."""

    person_id: PersonId
    out: bool = True


class ErasePerson(Change):
    """Deletes name, address, number, kept mail and kept messages. The id stays, for counts."""

    person_id: PersonId


class StopNumber(Change):
    """Stops texts to this number for everybody. Stored as a digest, also after an erasure.

    No condition: a number may send STOP twice.
    """

    mobile: str


class ResumeNumber(Change):
    """Allows texts to this number again. No condition."""

    mobile: str
