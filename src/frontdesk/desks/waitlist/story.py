"""The story of a slot, or of a whole day: what has happened, in words and to the second."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import same_wall_time
from frontdesk.core.members import Member, MemberId
from frontdesk.core.occasions import Tone
from frontdesk.core.people import Person
from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.waitlist.facts import HouseKept
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, SlotId
from frontdesk.desks.waitlist.story_words import WORDS
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.values import Frozen, field

ERASED: Final = "Somebody who was erased"
#: More than ever happens to one slot.
MOST_FACTS: Final = 10_000
#: As much of a busy day is told at once.
MOST_LINES: Final = 500
_DAY: Final = timedelta(days=1)
_UNREADABLE: Final = "Something happened that this version of Frontdesk cannot read."


class StoryLine(Frozen):
    at: datetime
    by: str
    """A member of the team, by name; nothing if it was the person themselves, or Frontdesk."""
    text: str
    sign: Tone | None = None
    slot_id: str = ""
    who: str = ""
    """The person that it is about, by name."""
    person_id: str = ""
    """Nothing if they were erased."""


def slot_story(reads: Reads, slot_id: SlotId, tz: ZoneInfo) -> tuple[StoryLine, ...]:
    names = Names(reads)
    facts = waitlist(reads).facts(slot_id, limit=MOST_FACTS)
    return _told(facts, names, tz)


class DayStory(Frozen):
    """A day, or a part of it."""

    lines: tuple[StoryLine, ...]
    goes_on_after: int = 0
    """The number of the last fact in it if there is more; else 0."""


def day_story(
    reads: Reads, on: date, tz: ZoneInfo, *, after: int = 0, most: int = MOST_LINES
) -> DayStory:
    """Whatever happened on this day, by the clock on the wall: on the list, to slots, to the
    documents. Of a busy day the first lines, or those behind the fact `after`."""
    since, until = (same_wall_time(day, time(), tz) for day in (on, on + _DAY))
    facts = waitlist(reads).facts_between(since, until, after=after, limit=most + 1)
    told = [one for one in facts[:most] if not _is_routine(one.fact)]
    more_after = facts[most - 1].seq if len(facts) > most else 0
    return DayStory(_told(told, Names(reads), tz), more_after)


def _is_routine(fact: Fact) -> bool:
    """Nothing that anybody would tell: every night the list is looked through."""
    return isinstance(fact, HouseKept) and not fact.expired


def _told(facts: Sequence[Recorded], names: Names, tz: ZoneInfo) -> tuple[StoryLine, ...]:
    names.get_to_know({EntryId(one.fact.about) for one in facts if one.fact.about})
    return tuple(line(recorded, names, tz) for recorded in facts)


class Names(Frozen):
    """Who is who, from the people table; each is looked up once."""

    reads: Reads
    _known: dict[str, Person | None] = field(default_factory=dict)

    def get_to_know(self, entry_ids: Collection[EntryId]) -> None:
        """All of them at once."""
        self._known.update(waitlist(self.reads).people_of(entry_ids).items())

    def of_entry(self, entry_id: str) -> str:
        return full_name(self.person(entry_id))

    def person(self, entry_id: str) -> Person | None:
        """Whose entry it is."""
        if entry_id not in self._known:
            wl = waitlist(self.reads)
            entry = wl.entry(EntryId(entry_id))
            self._known[entry_id] = wl.person(entry.person_id) if entry else None
        return self._known[entry_id]

    def member(self, by: str) -> str:
        """Who of the team it was; nothing if it was nobody of them."""
        kind, _, who = by.partition(":")
        if kind != "member":
            return ""
        found: Member | None = self.reads.desk("fd").member(MemberId(who))
        return (found.name or found.email) if found else "Somebody of the team"


def full_name(person: Person | None) -> str:
    if person is None or person.erased:
        return ERASED
    return person.name or person.email or person.mobile


def line(recorded: Recorded, names: Names, tz: ZoneInfo) -> StoryLine:
    fact, by = recorded.fact, names.member(recorded.by)
    if isinstance(fact, Unreadable):
        return StoryLine(recorded.at, by, _UNREADABLE)
    who = names.of_entry(fact.about) if fact.about else ""
    person = names.person(fact.about) if fact.about else None
    text, sign = WORDS[type(fact)](fact, who, tz)
    return StoryLine(
        recorded.at,
        by,
        text,
        sign,
        slot_id=getattr(fact, "slot_id", ""),
        who=who,
        person_id=person.id if person and not person.erased else "",
    )
