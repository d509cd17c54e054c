"""Plays a random month: many people, many slots, faults and crashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.sends import Via
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.facts import OfferArmed
from frontdesk.desks.waitlist.model import Entry, Figures, Lane, figures
from frontdesk.simulate.names import names
from frontdesk.simulate.player import data_folder, no_progress
from frontdesk.simulate.runtime import (
    SimulatedMail,
    SimulatedTexts,
    sent_by_kind,
    server_settings,
)
from frontdesk.simulate.scenario import Progress
from frontdesk.simulate.waitlist.salon import Salon
from frontdesk.simulate.waitlist.scenario import ComesFree, Customer, FreedBy, Month
from frontdesk.simulate.waitlist.watch import FactWatch, left_in_vain, looked_at
from frontdesk.values import Frozen

_DAY: Final = timedelta(days=1)
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


def play_month(month: Month, *, seed: int = 1, progress: Progress = no_progress) -> PlayedMonth:
    with data_folder() as folder:
        player = _Player(month, seed, folder)
        with player.salon:
            player.plan()
            for day in range(month.days + 1):
                progress(day, month.days + 1)
                player.play_until(player.midnight(day + 1))
            player.finish()
        return player.played


class _Player:
    def __init__(self, month: Month, seed: int, folder: Path) -> None:
        self.played = PlayedMonth(month, seed)
        self._chance = Random(seed)  # noqa: S311 - a simulation
        self._mail, self._texts = SimulatedMail(local=False), SimulatedTexts(local=False)
        self._watch = FactWatch()
        self._month = month
        self._tz = zone(month.place.zone)
        self._agenda: list[tuple[datetime, int, Do]] = []
        self._numbers = count()
        self._happened: Counter[str] = Counter()
        self._by = Chance(self._chance, month, self._tz)
        self.salon = Salon(
            server_settings(folder),
            self.midnight(0),
            channels={Via.MAIL: self._mail, Via.TEXT: self._texts},
            ids=lambda: new_id(self._chance.randbytes(ID_BYTES)),
            chance=self._chance.random,
            heard=self._watch.hear,
            crashed=self._crashed,
        )
        self.salon.open(month.place)

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
            for name in self._chance.sample(names, len(names) * share // 100):
                self._at(self._by.moment(), partial(act, name))
        self._plan_bad_luck(names)
        self._plan_crashes()

    def _plan_bad_luck(self, names: list[str]) -> None:
        for _ in range(self._month.faults):
            channel = self._chance.choice((self._mail, self._texts))
            begins_at, lasts = self._by.moment(), self._by.minutes(10, 120)
            self._at(begins_at, partial(setattr, channel, "is_down", True))
            self._at(begins_at + lasts, partial(setattr, channel, "is_down", False))
        for number, name in enumerate(self._chance.sample(names, len(names) // 50)):
            self._at(self._by.moment(), partial(self._cut_off, number, name))

    def _plan_crashes(self) -> None:
        """Plans each crash right after a commit, before its followers run."""
        planned = [at for at, _, _ in self._agenda]
        for at in self._chance.sample(planned, min(self._month.crashes, len(planned))):
            self._at(at, self.salon.restart)

    def _at(self, at: datetime, do: Do) -> None:
        heappush(self._agenda, (at, next(self._numbers), do))

    # --- actions ------------------------------------------------------------------------------

    def _join(self, guest: Customer) -> None:
        self.salon.join(guest, self.salon.contact(guest), Lane.FORM)

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
        contact = self.salon.contacts.get(name)
        if contact is not None and contact.mobile:
            self.salon.text(contact, "STOP")

    def _cut_off(self, number: int, name: str) -> None:
        """Makes somebody unreachable, each time in another way."""
        contact = self.salon.contacts.get(name)
        if contact is None:
            return
        if contact.email:
            self._mail.refuses.add(contact.email)
        else:
            ways = (self._texts.refuses, self._texts.loses, self._texts.crashes)
            ways[number % len(ways)].add(contact.mobile)

    def _entries(self, name: str) -> Iterable[Entry]:
        contact = self.salon.contacts.get(name)
        return self.salon.entries(contact) if contact else ()

    def _crashed(self) -> None:
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
        facts = self._watch.new()
        if not facts:
            return
        for recorded in facts:
            self._happened[recorded.fact.kind] += 1
            self.played.problems += self._watch.take(recorded)
            if isinstance(recorded.fact, OfferArmed):
                self._answer(recorded.fact)
        wl = self.salon.wl
        self.played.problems += looked_at(wl, facts, self.salon.timers())

    def _answer(self, fact: OfferArmed) -> None:
        """Plans a claim or a refusal, mostly in time; or no answer."""
        window = self._watch.slots[fact.slot_id].rules.claim_window
        at = self.salon.clock.now() + self._by.part_of(window)
        chosen = self._chance.randrange(100)
        if chosen < self._month.claims:
            self._at(at, partial(self.salon.claim, fact.slot_id, fact.seq))
        elif chosen < self._month.claims + self._month.declines:
            leave = self._by.percent(20)
            self._at(at, partial(self.salon.decline, fact.slot_id, fact.seq, leave=leave))

    def finish(self) -> None:
        played, wl = self.played, self.salon.wl
        played.problems += left_in_vain(wl, list(self._watch.slots))
        played.problems += list_problems(wl, self.salon.timers(), self.salon.clock.now())
        played.problems += self.salon.dead_letters(messages_may_fail=True)
        for day in range(self._month.days):
            since, until = self.midnight(day), self.midnight(day + 1)
            on = self._month.begins_on + day * _DAY
            played.days[on] = figures(wl.freed_between(since, until))
        played.happened = dict(sorted(self._happened.items()))
        played.figures = self.salon.figures()
        with self.salon.data() as db:
            played.messages = sent_by_kind(db, "state = 'sent'")
            played.not_sent = sent_by_kind(db, "state <> 'sent'")


class Chance(Frozen):
    random: Random
    month: Month
    tz: ZoneInfo

    def percent(self, share: int) -> bool:
        return self.random.randrange(100) < share

    def minutes(self, least: int, most: int) -> timedelta:
        return timedelta(minutes=self.random.randint(least, most))

    def days(self, least: int, most: int) -> timedelta:
        return timedelta(days=self.random.randint(least, most))

    def part_of(self, span: timedelta) -> timedelta:
        """Returns a random part of the span in whole seconds, at times a little more."""
        return timedelta(seconds=self.random.randint(5, int(span.total_seconds() * 1.1)))

    def moment(self, first: int = 7, last: int = 23) -> datetime:
        """Returns a random moment in the month, between these hours."""
        on = self.month.begins_on + self.days(0, self.month.days - 1)
        hour, minute = self.random.randint(first, last), self.random.randrange(60)
        at = time(hour, minute, self.random.randrange(60))
        return same_wall_time(on, at, self.tz)


def arrivals(by: Chance) -> Iterator[tuple[datetime, Customer]]:
    """Half of them join in the first hour; most of their wishes can be met."""
    month, catalogue = by.month, by.month.place.catalogue
    opens_at = same_wall_time(month.begins_on, time(7), by.tz)
    for name in islice(names(), month.people):
        at = opens_at + by.minutes(0, 60) if by.percent(50) else by.moment()
        service = by.random.choice(catalogue.services)
        earliest_on = to_wall(at, by.tz).date() + by.days(0, 4)
        yield (
            at,
            Customer(
                name,
                service.name,
                earliest_on,
                earliest_on + by.days(2, 20),
                by.random.choice(catalogue.staff) if catalogue.staff and by.percent(25) else "",
                by.random.randint(1, service.most),
                priority=by.percent(5),
                by_text=by.percent(70),
            ),
        )


def openings(by: Chance) -> Iterator[tuple[datetime, ComesFree]]:
    """Slots come free from minutes to days before they start."""
    catalogue = by.month.place.catalogue
    for _ in range(by.month.slots):
        freed_at = by.moment(6)
        service = by.random.choice(catalogue.services)
        cause = by.random.choice(tuple(FreedBy))
        deed = ComesFree(
            service.name,
            _start(by, freed_at, cause),
            by.random.choice(catalogue.staff) if catalogue.staff else "",
            by.random.randint(1, service.most),
            cause,
        )
        yield freed_at, deed


def _start(by: Chance, freed_at: datetime, cause: FreedBy) -> datetime:
    """A no-show frees a slot about when it starts; other causes do so earlier."""
    if cause is FreedBy.MISSED:
        return freed_at + by.minutes(5, 40)
    on = to_wall(freed_at, by.tz).date() + by.days(0, 3)
    at = time(by.random.randint(8, 20), by.random.choice((0, 15, 30, 45)))
    starts_at = same_wall_time(on, at, by.tz)
    return starts_at if starts_at > freed_at else freed_at + by.minutes(30, 600)
