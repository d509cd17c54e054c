"""Stories show facts as lines for people. Each desk has the words for its own facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from frontdesk.core.members import Member, MemberId
from frontdesk.core.occasions import Tone
from frontdesk.core.people import Person
from frontdesk.core.unreadable import Unreadable
from frontdesk.engine.ports import DeskReads, Reads, Recorded
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


def story_line(
    reads: Reads, recorded: Recorded, words: Callable[[Any], tuple[str, Tone | None]]
) -> StoryLine:
    """`words` returns the text and the tone of a fact that this version can read."""
    by = member_name(reads, recorded.by)
    if isinstance(recorded.fact, Unreadable):
        return StoryLine(recorded.at, by, UNREADABLE)
    text, tone = words(recorded.fact)
    return StoryLine(recorded.at, by, text, tone)


def newest_first(reads: DeskReads, subject: str, kind: str) -> Iterator[Recorded]:
    """Reads all facts of one kind in batches."""
    before = 0
    while facts := reads.newest_facts(subject, kind, before=before):
        yield from facts
        before = facts[-1].seq


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
