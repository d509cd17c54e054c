"""Finds owners and staff whose address gets no mail; says why, and what to do."""

from __future__ import annotations

from collections.abc import Iterator

from frontdesk.core.people import Person
from frontdesk.desks.admin.decide.people import MARKED_WRONG
from frontdesk.desks.admin.load import admin
from frontdesk.engine.ports import Reads


def without_mail(reads: Reads) -> Iterator[Person]:
    """Yields owners and staff whose address is marked: mail to it came back, or an owner says that
    it is wrong. Anybody can write a mail that looks as if one had come back."""
    for person_id in admin(reads).staff():
        person = reads.engine.person(person_id)
        if person is not None and person.bounced:
            yield person


def why_no_mail(person: Person) -> str:
    """'It came back: no such mailbox.'"""
    if person.bounced == MARKED_WRONG:
        return "An owner marked their address as wrong."
    return f"It came back: {person.bounced.rstrip('.')}."


def way_out(person: Person) -> str:
    if person.bounced == MARKED_WRONG:
        return "An owner can correct the address under People."
    return (
        "If the address is right, they ask for a new link on the sign-in page and sign in with it."
        " Otherwise an owner corrects the address under People."
    )
