"""Keeps the slots in step with the calendar in which staff put openings.

Nothing is remembered here but what the calendar said last, so as not to fetch it again: which
openings are slots already, what became of them, and what the last look brought, is read from the
store each time. So a crash at any point is put right by the next look, whoever looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from threading import Lock
from typing import Final

from frontdesk.connect.calendars.ics_in import REPEATS, read_ics
from frontdesk.connect.calendars.model import (
    BadCalendar,
    CalendarEvent,
    Source,
)
from frontdesk.core.decision import Accepted, Decision, Fact, Refused
from frontdesk.core.localtime import zone
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.waitlist.commands import TakeBackSlot
from frontdesk.desks.waitlist.counter import Counter
from frontdesk.desks.waitlist.facts import CalendarHalted, SlotHandedBack
from frontdesk.desks.waitlist.following import last_of
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Opening, Slot, SlotId, SlotStatus
from frontdesk.desks.waitlist.openings import Unclear, is_appointment, is_cancelled, read_opening
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.state import (
    SAVED_CALENDAR,
    CalendarProblem,
    CalendarState,
)
from frontdesk.logs import log
from frontdesk.values import Frozen, replace

BY: Final = "calendar"
#: What starts later is looked at when it is nearer.
AHEAD: Final = timedelta(days=400)
MOST_OPENINGS: Final = 500
MOST_PROBLEMS: Final = 100
#: So many gone at once, and more than this part of all, are an accident until staff say no.
MANY: Final = 3
PART_OF_ALL: Final = 3

_ORIGIN: Final = re.compile(r"(calendar:.*/\d{8}T\d{6}Z)(?:/(\d+))?", re.DOTALL)
_LONGEST_UID: Final = 200


class _Wanted(Frozen):
    event: CalendarEvent
    opening: Opening


class CalendarKeeper:
    """One at a time in a process."""

    def __init__(self, counter: Counter, source: Source, every: timedelta) -> None:
        self._counter = counter
        self._source = source
        self.every = every
        self._turn = Lock()
        self._known = ""
        self._texts: tuple[str, ...] = ()

    def turn(self) -> bool:
        """Look once; whether there was anything to do."""
        with self._turn:
            now = self._counter.clock.now()
            before = waitlist(self._counter.engine.reads()).calendar()
            try:
                self._read(now)
                events = self._events()
            except BadCalendar as bad:
                self._known = ""
                self._note(replace(before, looked_at=now, trouble=str(bad), problems=()))
                log("calendar.trouble", why=str(bad))
                return False
            work = _Work(self._counter, now, before)
            work.bring_in_step(events)
            state = CalendarState(
                now,
                problems=tuple(work.problems[:MOST_PROBLEMS]),
                missing=work.missing,
                let_go=work.let_go,
                kept=work.kept,
            )
            is_new = bool(work.missing) and not before.missing
            self._note(state, *((CalendarHalted(len(work.missing), now),) if is_new else ()))
            return work.did > 0

    def _note(self, state: CalendarState, *facts: Fact) -> None:
        assert state.looked_at is not None

        def note(reads: Reads) -> Decision:
            before = waitlist(reads).calendar()
            return Accepted((WriteSetting(SAVED_CALENDAR, before, state),), facts)

        self._counter.engine.store.decide(note, by=BY, at=state.looked_at)

    def _read(self, now: datetime) -> None:
        if (reading := self._source.read(self._known, now)) is not None:
            self._texts, self._known = reading.texts, reading.known

    def _events(self) -> list[CalendarEvent]:
        here = zone(self._counter.zone(self._counter.engine.reads()))
        return [event for text in self._texts for event in read_ics(text, here)]


class _Work:
    """One look: what is new is freed, what is gone is taken back, what is unclear is told."""

    def __init__(self, counter: Counter, now: datetime, before: CalendarState) -> None:
        """`before`: what the last look brought, and what staff have said since."""
        self._counter = counter
        self._now = now
        self._before = before
        self.problems: list[CalendarProblem] = []
        self.missing: tuple[SlotId, ...] = ()
        self.let_go: tuple[SlotId, ...] = ()
        self.kept: tuple[SlotId, ...] = ()
        self.did = 0

    @property
    def _wl(self) -> WaitlistReads:
        return waitlist(self._counter.engine.reads())

    def bring_in_step(self, events: Iterable[CalendarEvent]) -> None:
        wanted, present = self._openings(list(events))
        latest = newest(self._wl.slots_between(self._now, self._now + AHEAD))
        out = {origin: slot for origin, slot in latest.items() if origin not in present}
        self.kept = tuple(slot.id for slot in out.values() if slot.id in self._before.kept)
        gone = [slot for slot in out.values() if slot.id not in self.kept]
        if self._are_too_many(gone, latest.values()):
            self.missing = tuple(slot.id for slot in self._open(gone))
            self.let_go = self._before.let_go
            return
        for slot in gone:
            self._gone(slot)
        for origin, one in wanted.items():
            self._want(origin, one, latest.get(origin))

    def _are_too_many(self, gone: Iterable[Slot], all_of_them: Iterable[Slot]) -> bool:
        """Those that staff let go do not count."""
        doubtful = [slot for slot in self._open(gone) if slot.id not in self._before.let_go]
        there = len(self._open(all_of_them))
        return len(doubtful) >= MANY and len(doubtful) * PART_OF_ALL > there

    def _open(self, slots: Iterable[Slot]) -> list[Slot]:
        """Whose time is on offer, perhaps as a slot that followed."""
        return [slot for slot in slots if last_of(self._wl, slot).status is SlotStatus.OPEN]

    def _openings(
        self, events: Sequence[CalendarEvent]
    ) -> tuple[Mapping[str, _Wanted], frozenset[str]]:
        """Those that are understood, and all that are there: what is unclear is not gone."""
        shop = self._wl.catalogue()
        wanted: dict[str, _Wanted] = {}
        present: set[str] = set()
        for event in sorted(events, key=lambda each: (str(each.starts_at or ""), each.uid)):
            if self._is_far(event):
                continue
            opening = read_opening(event, shop)
            if opening is None or self._is_taken(event, opening, events):
                continue
            origin = origin_of(event)
            present.add(origin)
            if isinstance(opening, Unclear):
                self._problem(event, opening.why)
            elif len(wanted) >= MOST_OPENINGS:
                self._problem(event, f"Only {MOST_OPENINGS} openings are taken at once.")
            else:
                wanted.setdefault(origin, _Wanted(event, opening))
        return wanted, frozenset(present)

    def _is_taken(
        self, event: CalendarEvent, opening: Opening | Unclear, events: Iterable[CalendarEvent]
    ) -> bool:
        """A cancelled appointment in whose place another one stands by now."""
        if isinstance(opening, Unclear) or not is_cancelled(event):
            return False
        words = (opening.staff or opening.service).split()[0].casefold()
        return any(
            is_appointment(other)
            and other.starts_at is not None
            and other.starts_at < opening.ends_at
            and (other.ends_at or other.starts_at + opening.duration) > opening.starts_at
            and words in other.title.casefold()
            for other in events
        )

    def _is_far(self, event: CalendarEvent) -> bool:
        """Over, or long to come; what repeats is neither."""
        at = event.starts_at
        near = at is None or self._now < at < self._now + AHEAD
        return not near and event.why != REPEATS

    def _want(self, origin: str, one: _Wanted, slot: Slot | None) -> None:
        """`slot` is what the event became; its time may be that of another slot by now."""
        if slot is None:
            self._free(origin, one)
            return
        last, is_same = last_of(self._wl, slot), same(slot.opening, one.opening)
        if last.status is SlotStatus.BOOKED:
            if not is_same:
                self._problem(one.event, "It was changed, but it is booked as it was before.")
        elif not is_same:
            if last.status is not SlotStatus.OPEN or self._take_back(last):
                self._free(following(slot.origin), one)
        elif last.status is SlotStatus.HANDED_BACK and self._taken_back_by_us(last):
            self._free(following(slot.origin), one)

    def _gone(self, slot: Slot) -> None:
        last = last_of(self._wl, slot)
        if last.status is SlotStatus.OPEN:
            self._take_back(last)
        elif last.status is SlotStatus.BOOKED:
            opening = last.opening
            why = "It is gone from the calendar, but somebody has booked it."
            self.problems.append(CalendarProblem(opening.service, opening.starts_at, why))

    def _free(self, origin: str, one: _Wanted) -> None:
        outcome = self._counter.free(origin, one.opening, by=BY)
        if isinstance(outcome, Refused):
            if outcome.reason is not Reason.ALREADY_FREED:
                self._problem(one.event, _REFUSED.get(outcome.reason, "It was not taken."))
        else:
            self.did += 1

    def _take_back(self, slot: Slot) -> bool:
        """Not if it was booked just now: that is told at the next look."""
        outcome = self._counter.engine.run(TakeBackSlot(slot.id), by=BY, now=self._now)
        done = not isinstance(outcome, Refused)
        self.did += done
        return done

    def _taken_back_by_us(self, slot: Slot) -> bool:
        facts = self._wl.facts(slot.id)
        return any(each.by == BY for each in facts if isinstance(each.fact, SlotHandedBack))

    def _problem(self, event: CalendarEvent, why: str) -> None:
        self.problems.append(CalendarProblem(event.title, event.starts_at, why))


_REFUSED: Final[Mapping[object, str]] = {
    Reason.NO_SUCH_SERVICE: "There is no such service in the shop's list.",
    Reason.BEGUN: "Its time has begun.",
    Reason.BAD_SLOT: "It makes no sense as a slot.",
    Reason.OVERLAPS: "There is another slot at this time, with the same staff member or place.",
}


def origin_of(event: CalendarEvent) -> str:
    """By its id and its start: moved, it is another one."""
    uid = event.uid
    if len(uid) > _LONGEST_UID or not uid:
        uid = blake2b((uid or event.title).encode(), digest_size=16).hexdigest()
    start = f"{event.starts_at:%Y%m%dT%H%M%SZ}" if event.starts_at else "0"
    return f"calendar:{uid}/{start}"


def following(origin: str) -> str:
    """The same event, put in or changed once more."""
    first, number = _split(origin)
    return f"{first}/{number + 1}"


def newest(slots: Sequence[Slot]) -> dict[str, Slot]:
    """The last slot of each event, by what names the event."""
    found: dict[str, Slot] = {}
    for slot in slots:
        if slot.origin.startswith("calendar:"):
            first, number = _split(slot.origin)
            if first not in found or number > _split(found[first].origin)[1]:
                found[first] = slot
    return found


def same(one: Opening, other: Opening) -> bool:
    """But for the price, which the shop's list says."""
    return replace(one, price_cents=0) == replace(other, price_cents=0)


def _split(origin: str) -> tuple[str, int]:
    found = _ORIGIN.fullmatch(origin)
    return (found[1], int(found[2] or 1)) if found else (origin, 1)
