"""Facts of the waitlist that other desks follow: a corrected contact, a changed catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from frontdesk.core.decision import Command, Fact
from frontdesk.desks.booking import react as booking
from frontdesk.desks.rsvp import react as rsvp
from frontdesk.desks.waitlist.document_facts import CatalogueChanged
from frontdesk.desks.waitlist.facts import EntryEdited
from frontdesk.engine.ports import Reads, Recorded

Reactions = Mapping[type[Fact], Callable[[Reads, Recorded], Iterable[Command]]]


def _sign_ups(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    fact = recorded.fact
    assert isinstance(fact, EntryEdited)
    if not fact.corrected:
        return ()
    return rsvp.follow_contact_of(reads, fact.corrected, recorded.at, new_address=fact.new_contact)


def _bookings(reads: Reads, recorded: Recorded) -> Iterable[Command]:
    fact = recorded.fact
    assert isinstance(fact, EntryEdited)
    if not fact.corrected:
        return ()
    return booking.follow_person(
        reads,
        fact.corrected,
        recorded.at,
        new_contact=fact.new_contact,
        new_number=fact.new_number,
    )


#: Sign-ups and bookings follow a contact that staff correct on the waitlist.
FOR_SIGN_UPS: Final[Reactions] = {EntryEdited: _sign_ups}
FOR_BOOKINGS: Final[Reactions] = {EntryEdited: _bookings}
#: The booking desk reads the services and staff that the pages of the waitlist edit.
CATALOGUE_FACTS: Final = (CatalogueChanged,)
