"""The story of a slot, or of a whole day: what has happened, in words and to the second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time
from frontdesk.core.members import Member, MemberId
from frontdesk.core.occasions import Tone
from frontdesk.core.people import Person
from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Slot, SlotId
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story_words import WORDS
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.frozen import frozen

ERASED: Final = "Somebody who was erased"
#: More than ever happens to one slot.
MOST_FACTS: Final = 10_000
#: Somebody may click on an old offer for as long as its link works.
CLICKS_AFTER: Final = timedelta(days=30)
#: Nobody frees a slot earlier than this.
FARTHEST: Final = timedelta(days=400)
_DAY: Final = timedelta(days=1)
_UNREADABLE: Final = "Something happened that this version of Frontdesk cannot read."


@frozen
class StoryLine:
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
    return tuple(line(recorded, names, tz) for recorded in facts)


def day_story(reads: Reads, on: date, tz: ZoneInfo) -> tuple[StoryLine, ...]:
    """Whatever happened to any slot on this day, by the clock on the wall."""
    since, until = (same_wall_time(day, time(), tz) for day in (on, on + _DAY))
    wl, names = waitlist(reads), Names(reads)
    facts = [
        recorded
        for slot in slots_alive(wl, since, until)
        for recorded in wl.facts(slot.id, limit=MOST_FACTS)
        if since <= recorded.at < until
    ]
    facts.sort(key=lambda recorded: (recorded.at, recorded.seq))
    return tuple(line(recorded, names, tz) for recorded in facts)


def slots_alive(wl: WaitlistReads, since: datetime, until: datetime) -> Sequence[Slot]:
    """Those to which something may have happened in this time."""
    coming = wl.slots_between(since - CLICKS_AFTER, until + FARTHEST)
    return [slot for slot in coming if slot.freed_at < until]


@frozen
class Names:
    """Who is who, from the people table; each is looked up once."""

    reads: Reads
    _known: dict[str, Person | None] = field(default_factory=dict)

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
