"""Tells the story of a slot or a day from its facts, to the second."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import same_wall_time
from frontdesk.core.people import Person
from frontdesk.core.unreadable import Unreadable
from frontdesk.desks.waitlist.facts import ExpiryRun
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, SlotId
from frontdesk.desks.waitlist.story_words import WORDS
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.engine.stories import UNREADABLE, StoryLine, full_name, member_name
from frontdesk.values import Frozen, field

#: More facts than any slot has.
MOST_FACTS: Final = 10_000
#: The most facts of a day on one page.
MOST_LINES: Final = 500
_DAY: Final = timedelta(days=1)


def slot_story(reads: Reads, slot_id: SlotId, tz: ZoneInfo) -> tuple[StoryLine, ...]:
    names = EntryNames(reads)
    facts = waitlist(reads).facts(slot_id, limit=MOST_FACTS)
    return _story_of(facts, names, tz)


class DayStory(Frozen):
    """A day, or a part of it."""

    lines: tuple[StoryLine, ...]
    goes_on_after: int = 0
    """The number of the last fact in it if there are more; else 0."""


def day_story(
    reads: Reads, on: date, tz: ZoneInfo, *, after: int = 0, most: int = MOST_LINES
) -> DayStory:
    """Tells what happened at the desk on this local day: the first lines of a busy day, or those
    after the fact `after`."""
    since, until = (same_wall_time(day, time(), tz) for day in (on, on + _DAY))
    facts = waitlist(reads).facts_between(since, until, after=after, limit=most + 1)
    told = [one for one in facts[:most] if not _is_routine(one.fact)]
    more_after = facts[most - 1].seq if len(facts) > most else 0
    return DayStory(_story_of(told, EntryNames(reads), tz), more_after)


def _is_routine(fact: Fact) -> bool:
    """Whether it is a nightly run that expired no entries. The story leaves these out."""
    return isinstance(fact, ExpiryRun) and not fact.expired


def _story_of(facts: Sequence[Recorded], names: EntryNames, tz: ZoneInfo) -> tuple[StoryLine, ...]:
    names.get_to_know({EntryId(one.fact.about) for one in facts if one.fact.about})
    return tuple(line(recorded, names, tz) for recorded in facts)


class EntryNames(Frozen):
    """Looks up the people of entries, each once."""

    reads: Reads
    _known: dict[str, Person | None] = field(default_factory=dict)

    def get_to_know(self, entry_ids: Collection[EntryId]) -> None:
        """Looks up many people in one read."""
        self._known.update(waitlist(self.reads).people_of(entry_ids).items())

    def of_entry(self, entry_id: str) -> str:
        return full_name(self.person(entry_id))

    def person(self, entry_id: str) -> Person | None:
        if entry_id not in self._known:
            wl = waitlist(self.reads)
            entry = wl.entry(EntryId(entry_id))
            self._known[entry_id] = wl.person(entry.person_id) if entry else None
        return self._known[entry_id]


def line(recorded: Recorded, names: EntryNames, tz: ZoneInfo) -> StoryLine:
    fact, by = recorded.fact, member_name(names.reads, recorded.by)
    if isinstance(fact, Unreadable):
        return StoryLine(recorded.at, by, UNREADABLE)
    who = names.of_entry(fact.about) if fact.about else ""
    person = names.person(fact.about) if fact.about else None
    text, sign = WORDS[type(fact)](fact, who, tz)
    return StoryLine(
        recorded.at,
        by,
        text,
        sign,
        thing_id=getattr(fact, "slot_id", ""),
        who=who,
        person_id=person.id if person and not person.erased else "",
    )
