"""Stories show facts as lines for people. Each desk has the words for its own facts."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.members import Member, MemberId
from frontdesk.core.occasions import Tone
from frontdesk.core.people import Person
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen

ERASED: Final = "Somebody who was erased"
UNREADABLE: Final = "Something happened that this version of Frontdesk cannot read."


class StoryLine(Frozen):
    at: datetime
    by: str
    """The name of the actor; may be left out where the text names them."""
    text: str
    sign: Tone | None = None
    thing_id: str = ""
    """The id of the slot, if the fact is about one."""
    who: str = ""
    """The name of the person, if the fact is about one."""
    person_id: str = ""
    """Empty if they were erased."""


def member_name(reads: Reads, by: str) -> str:
    """Returns the name of the team member in 'member:<id>'; empty for any other actor."""
    kind, _, member_id = by.partition(":")
    if kind != "member":
        return ""
    found: Member | None = reads.desk("fd").member(MemberId(member_id))
    return (found.name or found.email) if found else "Somebody of the team"


def full_name(person: Person | None) -> str:
    if person is None or person.erased:
        return ERASED
    return person.name or person.email or person.mobile
