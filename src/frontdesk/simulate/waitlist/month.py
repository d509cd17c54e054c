"""Plays a random month: many people, many slots, faults and crashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.sends import Via
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.facts import OfferArmed
from frontdesk.desks.waitlist.model import Entry, Figures, Lane, figures
from frontdesk.simulate.names import names
from frontdesk.simulate.player import data_folder, no_progress
from frontdesk.simulate.random_period import DAY, PeriodPlayer, PlayedPeriod
from frontdesk.simulate.runtime import server_settings
from frontdesk.simulate.scenario import Progress
from frontdesk.simulate.waitlist.salon import Salon
from frontdesk.simulate.waitlist.scenario import ComesFree, Customer, FreedBy, Month
from frontdesk.simulate.waitlist.watch import FactWatch, row_problems, unoffered_slots
from frontdesk.values import Frozen


@dataclass(slots=True)
class PlayedMonth(PlayedPeriod[Month]):
    days: dict[date, Figures] = field(default_factory=dict)
    """Figures of the slots that came free on each day."""
    happened: dict[str, int] = field(default_factory=dict)
    """Counts of facts by kind."""


def play_month(month: Month, *, seed: int = 1, progress: Progress = no_progress) -> PlayedMonth:
    with data_folder() as folder:
        player = _Player(month, seed, folder)
        player.play(month.days, progress)
        return player.played


class _Player(PeriodPlayer):
    stage: Salon

    def __init__(self, month: Month, seed: int, folder: Path) -> None:
        super().__init__(month.begins_on, zone(month.place.zone), seed)
        self.played = PlayedMonth(month, seed)
        self._watch = FactWatch()
        self._month = month
        self._happened: Counter[str] = Counter()
        self._by = Chance(self.chance, month, self.tz)
        self.stage = Salon(
            server_settings(folder),
            self.midnight(0),
            channels={Via.MAIL: self.mail, Via.TEXT: self.texts},
            ids=self.new_id,
            chance=self.chance.random,
            heard=self._watch.hear,
            crashed=self._crashed,
        )
        self.stage.open(month.place)

    def moment(self) -> datetime:
        return self._by.moment()

    # --- plans --------------------------------------------------------------------------------

    def plan(self) -> None:
        guests = list(arrivals(self._by))
        for at, guest in guests:
            self.at(at, partial(self._join, guest))
        for at, action in openings(self._by):
            self.at(at, partial(self._free, action))
        names = [guest.name for _, guest in guests]
        plans: tuple[tuple[int, Callable[[str], object]], ...] = (
            (self._month.changes, self._change_dates),
            (self._month.leaves, self._leave),
            (self._month.stops, self._stop),
        )
        for share, act in plans:
            for name in self.chance.sample(names, len(names) * share // 100):
                self.at(self.moment(), partial(act, name))
        self.plan_faults(self._month.faults, most_minutes=120)
        for number, name in enumerate(self.chance.sample(names, len(names) // 50)):
            self.at(self.moment(), partial(self._cut_off, number, name))
        self.plan_crashes(self._month.crashes, self.stage.restart)

    # --- actions ------------------------------------------------------------------------------

    def _join(self, guest: Customer) -> None:
        self.stage.join(guest, self.stage.contact(guest), Lane.FORM)

    def _free(self, action: ComesFree) -> None:
        """Reports some slots twice, as booking tools do."""
        self.stage.free(action)
        if self._by.percent(10):
            self.stage.free(action)

    def _change_dates(self, name: str) -> None:
        for entry in self._entries(name):
            earliest_on = to_wall(self.stage.clock.now(), self.tz).date() + self._by.days(0, 3)
            self.stage.change_dates(entry, earliest_on, earliest_on + self._by.days(2, 20))

    def _leave(self, name: str) -> None:
        for entry in self._entries(name):
            self.stage.leave(entry)

    def _stop(self, name: str) -> None:
        contact = self.stage.contacts.get(name)
        if contact is not None and contact.mobile:
            self.stage.text(contact, "STOP")

    def _cut_off(self, number: int, name: str) -> None:
        """Makes somebody unreachable, each time in another way."""
        contact = self.stage.contacts.get(name)
        if contact is None:
            return
        if contact.email:
            self.mail.refuses.add(contact.email)
        else:
            ways = (self.texts.refuses, self.texts.loses, self.texts.crashes)
            ways[number % len(ways)].add(contact.mobile)

    def _entries(self, name: str) -> Iterable[Entry]:
        contact = self.stage.contacts.get(name)
        return self.stage.entries(contact) if contact else ()

    def _crashed(self) -> None:
        self.played.restarts += 1

    # --- time ---------------------------------------------------------------------------------

    def listen(self) -> None:
        facts = self._watch.new()
        if not facts:
            return
        for recorded in facts:
            self._happened[recorded.fact.kind] += 1
            self.played.problems += self._watch.take(recorded)
            if isinstance(recorded.fact, OfferArmed):
                self._answer(recorded.fact)
        wl = self.stage.wl
        self.played.problems += row_problems(wl, facts, self.stage.timers())

    def _answer(self, fact: OfferArmed) -> None:
        """Plans a claim or a refusal, mostly in time; or no answer."""
        window = self._watch.slots[fact.slot_id].rules.claim_window
        at = self.stage.clock.now() + self._by.part_of(window)
        chosen = self.chance.randrange(100)
        if chosen < self._month.claims:
            self.at(at, partial(self.stage.claim, fact.slot_id, fact.seq))
        elif chosen < self._month.claims + self._month.declines:
            leave = self._by.percent(20)
            self.at(at, partial(self.stage.decline, fact.slot_id, fact.seq, leave=leave))

    def finish(self) -> None:
        played, wl = self.played, self.stage.wl
        played.problems += unoffered_slots(wl, list(self._watch.slots))
        played.problems += list_problems(wl, self.stage.timers(), self.stage.clock.now())
        played.problems += self.stage.dead_letters(messages_may_fail=True)
        for day in range(self._month.days):
            since, until = self.midnight(day), self.midnight(day + 1)
            on = self._month.begins_on + day * DAY
            played.days[on] = figures(wl.freed_between(since, until))
        played.happened = dict(sorted(self._happened.items()))
        played.figures = self.stage.figures()
        self.note_messages(played)


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

    def moment(self, first: int = 7) -> datetime:
        """Returns a random moment in the month, from this hour of a day until midnight."""
        on = self.month.begins_on + self.days(0, self.month.days - 1)
        hour, minute = self.random.randint(first, 23), self.random.randrange(60)
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
        action = ComesFree(
            service.name,
            _start(by, freed_at, cause),
            by.random.choice(catalogue.staff) if catalogue.staff else "",
            by.random.randint(1, service.most),
            cause,
        )
        yield freed_at, action


def _start(by: Chance, freed_at: datetime, cause: FreedBy) -> datetime:
    """A no-show frees a slot about when it starts; other causes do so earlier."""
    if cause is FreedBy.MISSED:
        return freed_at + by.minutes(5, 40)
    on = to_wall(freed_at, by.tz).date() + by.days(0, 3)
    at = time(by.random.randint(8, 20), by.random.choice((0, 15, 30, 45)))
    starts_at = same_wall_time(on, at, by.tz)
    return starts_at if starts_at > freed_at else freed_at + by.minutes(30, 600)
