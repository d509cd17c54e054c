"""Plays a random month: many people, many slots, faults and crashes."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Final

from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.facts import OfferArmed
from frontdesk.desks.waitlist.model import Entry, Figures, Lane, figures
from frontdesk.simulate.played import Progress
from frontdesk.simulate.waitlist.chance import Chance, arrivals, openings
from frontdesk.simulate.waitlist.playing import Playing
from frontdesk.simulate.waitlist.scenario import ComesFree, Guest, Month
from frontdesk.simulate.waitlist.watch import left_in_vain, looked_at

_DAY: Final = timedelta(days=1)
_MANY: Final = 1_000_000
Do = Callable[[], object]


@dataclass(slots=True)
class PlayedMonth:
    scenario: Month
    seed: int
    days: dict[date, Figures] = field(default_factory=dict)
    """Figures of the slots that came free on each day."""
    happened: dict[str, int] = field(default_factory=dict)
    """Counts of facts by kind."""
    restarts: int = 0
    figures: dict[str, int] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=dict)
    not_sent: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def play_month(
    month: Month, *, seed: int = 1, progress: Progress = lambda _done, _total: None
) -> PlayedMonth:
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as folder:
        player = _Player(month, seed, Path(folder))
        with player.salon:
            player.plan()
            for day in range(month.days + 1):
                progress(day, month.days + 1)
                player.play_until(player.midnight(day + 1))
            player.finish()
        return player.played


class _Player(Playing):
    def __init__(self, month: Month, seed: int, folder: Path) -> None:
        self.played = PlayedMonth(month, seed)
        self._month = month
        self._tz = zone(month.place.zone)
        self._agenda: list[tuple[datetime, int, Do]] = []
        self._numbers = count()
        self._happened: Counter[str] = Counter()
        super().__init__(month.place, self.midnight(0), seed, folder, may_fail=True)
        self._by = Chance(self.chance, month, self._tz)

    def midnight(self, day: int) -> datetime:
        on = self._month.begins_on + day * _DAY
        return same_wall_time(on, time(), self._tz)

    # --- plans --------------------------------------------------------------------------------

    def plan(self) -> None:
        """Plans everything that does not depend on earlier events."""
        guests = list(arrivals(self._by))
        for at, guest in guests:
            self._at(at, partial(self._join, guest))
        for at, deed in openings(self._by):
            self._at(at, partial(self._free, deed))
        names = [guest.name for _, guest in guests]
        plans: tuple[tuple[int, Callable[[str], object]], ...] = (
            (self._month.changes, self._change_dates),
            (self._month.leaves, self._leave),
            (self._month.stops, self._stop),
        )
        for share, act in plans:
            for name in self.chance.sample(names, len(names) * share // 100):
                self._at(self._by.moment(), partial(act, name))
        self._plan_bad_luck(names)
        self._plan_crashes()

    def _plan_bad_luck(self, names: list[str]) -> None:
        for _ in range(self._month.faults):
            channel = self.chance.choice((self.mail, self.texts))
            begins_at, lasts = self._by.moment(), self._by.minutes(10, 120)
            self._at(begins_at, partial(setattr, channel, "is_down", True))
            self._at(begins_at + lasts, partial(setattr, channel, "is_down", False))
        for number, name in enumerate(self.chance.sample(names, len(names) // 50)):
            self._at(self._by.moment(), partial(self._cut_off, number, name))

    def _plan_crashes(self) -> None:
        """Plans each crash right after a commit, before its followers run."""
        planned = [at for at, _, _ in self._agenda]
        for at in self.chance.sample(planned, min(self._month.crashes, len(planned))):
            self._at(at, self.salon.restart)

    def _at(self, at: datetime, do: Do) -> None:
        heappush(self._agenda, (at, next(self._numbers), do))

    # --- actions ------------------------------------------------------------------------------

    def _join(self, guest: Guest) -> None:
        self.salon.join(guest, self.contact(guest), Lane.FORM)

    def _free(self, deed: ComesFree) -> None:
        """Reports some slots twice, as booking tools do."""
        self.salon.free(deed)
        if self._by.percent(10):
            self.salon.free(deed)

    def _change_dates(self, name: str) -> None:
        for entry in self._entries(name):
            earliest_on = to_wall(self.salon.clock.now(), self._tz).date() + self._by.days(0, 3)
            self.salon.change_dates(entry, earliest_on, earliest_on + self._by.days(2, 20))

    def _leave(self, name: str) -> None:
        for entry in self._entries(name):
            self.salon.leave(entry)

    def _stop(self, name: str) -> None:
        contact = self.contacts.get(name)
        if contact is not None and contact.mobile:
            self.salon.text(contact, "STOP")

    def _cut_off(self, number: int, name: str) -> None:
        """Makes somebody unreachable, each time in another way."""
        contact = self.contacts.get(name)
        if contact is None:
            return
        if contact.email:
            self.mail.refuses.add(contact.email)
        else:
            ways = (self.texts.refuses, self.texts.loses, self.texts.crashes)
            ways[number % len(ways)].add(contact.mobile)

    def _entries(self, name: str) -> Iterable[Entry]:
        contact = self.contacts.get(name)
        return self.salon.entries(contact) if contact else ()

    def crashed(self) -> None:
        self.played.restarts += 1

    # --- time ---------------------------------------------------------------------------------

    def play_until(self, until: datetime) -> None:
        """Moves the clock from one instant with work to the next."""
        while (at := self._next_at()) is not None and at < until:
            self.salon.clock.move_to(max(at, self.salon.clock.now()))
            while self._agenda and self._agenda[0][0] <= at:
                heappop(self._agenda)[2]()
            self.salon.settle()
            self._look()

    def _next_at(self) -> datetime | None:
        due_at = self.salon.product.runtime.next_at()
        planned_at = self._agenda[0][0] if self._agenda else None
        return min((at for at in (due_at, planned_at) if at is not None), default=None)

    def _look(self) -> None:
        facts = self.watch.new()
        if not facts:
            return
        for recorded in facts:
            self._happened[recorded.fact.kind] += 1
            self.played.problems += self.watch.take(recorded)
            if isinstance(recorded.fact, OfferArmed):
                self._answer(recorded.fact)
        wl = self.salon.wl
        self.played.problems += looked_at(wl, facts, self.salon.timers())

    def _answer(self, fact: OfferArmed) -> None:
        """Plans a claim or a refusal, mostly in time; or no answer."""
        window = self.watch.slots[fact.slot_id].rules.claim_window
        at = self.salon.clock.now() + self._by.part_of(window)
        chosen = self.chance.randrange(100)
        if chosen < self._month.claims:
            self._at(at, partial(self.salon.claim, fact.slot_id, fact.seq))
        elif chosen < self._month.claims + self._month.declines:
            leave = self._by.percent(20)
            self._at(at, partial(self.salon.decline, fact.slot_id, fact.seq, leave=leave))

    def finish(self) -> None:
        played, wl = self.played, self.salon.wl
        played.problems += left_in_vain(wl, list(self.watch.slots))
        played.problems += list_problems(wl, self.salon.timers(), self.salon.clock.now())
        played.problems += self.dead_letters()
        for day in range(self._month.days):
            since, until = self.midnight(day), self.midnight(day + 1)
            on = self._month.begins_on + day * _DAY
            played.days[on] = figures(wl.freed_between(since, until))
        played.happened = dict(sorted(self._happened.items()))
        played.figures = self.figures()
        played.messages, played.not_sent = self.messages()
