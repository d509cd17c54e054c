"""Plays a random year of a clinic: patients book, answer reminders, cancel and claim offers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.public_holidays import holidays_around
from frontdesk.desks.booking.model import BookingId
from frontdesk.desks.booking.rules import ResourceKind
from frontdesk.desks.reminders.facts import ReminderFact
from frontdesk.desks.reminders.model import AppointmentId, AppointmentSource, appointment_id
from frontdesk.desks.waitlist.facts import OfferArmed
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.engine.ports import Recorded
from frontdesk.simulate.clinic.checks import figures_of, problems_in
from frontdesk.simulate.clinic.scenario import ClinicYear
from frontdesk.simulate.clinic.stage import ClinicStage, Patient, PlannedVisit
from frontdesk.simulate.names import names
from frontdesk.simulate.player import data_folder, no_progress
from frontdesk.simulate.random_period import DAY, Do, PeriodPlayer, PlayedPeriod
from frontdesk.simulate.scenario import Progress
from frontdesk.values import Frozen
from frontdesk.wiring.one_machine import rare_collections

_HOUR: Final = timedelta(hours=1)
_OPENS, _CLOSES = time(8), time(18)


class VisitCourse(StrEnum):
    """The course of a visit."""

    COMES = "comes"
    CANCELS_BY_REMINDER = "cancels by reminder"
    CANCELS_ON_PAGE = "cancels on the page"
    STAFF_CANCEL = "staff cancel"
    MOVES = "moves"
    MISSES = "misses"


PlayedYear = PlayedPeriod[ClinicYear]


def play_year(year: ClinicYear, *, seed: int = 1, progress: Progress = no_progress) -> PlayedYear:
    with data_folder() as folder:
        player = _Player(year, seed, folder)
        with rare_collections():
            player.play(year.days, progress)
        return player.played


class _Player(PeriodPlayer):
    stage: ClinicStage
    settles_after_actions = False

    def __init__(self, year: ClinicYear, seed: int, folder: Path) -> None:
        super().__init__(year.begins_on, zone(year.place.zone), seed)
        self.played = PlayedYear(year, seed)
        self._year = year
        self._folder = folder
        self._heard: deque[Recorded] = deque()
        self._courses: dict[AppointmentId, VisitCourse] = {}
        self._unused: list[PlannedVisit] = []
        self.stage = ClinicStage(
            folder,
            self.midnight(0),
            mail=self.mail,
            texts=self.texts,
            ids=self.new_id,
            chance=self.chance.random,
            heard=self._hear,
            texts_usd=year.texts_usd,
        )
        self.stage.open(year.place)

    def _hear(self, facts: Sequence[Recorded]) -> None:
        kinds = (ReminderFact, OfferArmed)
        self._heard.extend(each for each in facts if isinstance(each.fact, kinds))

    # --- plans --------------------------------------------------------------------------------

    def plan(self) -> None:
        patients = list(self._patients())
        visits = list(VisitPlan(self._year, self.chance).visits())
        self.chance.shuffle(visits)
        self._unused = visits[self._year.appointments :]
        for visit in visits[: self._year.appointments]:
            ahead = self.chance.uniform(1.5, 21) * DAY
            at = max(self.midnight(0) + _HOUR, visit.starts_at - ahead)
            self.at(at, partial(self._book, self.chance.choice(patients), visit))
        for who in islice(self._shuffled(patients), self._year.waiting):
            self.at(self.moment(), partial(self._join, who))
        self.plan_faults(self._year.faults, most_minutes=180)
        self.plan_crashes(self._year.crashes, self._crash)

    def _patients(self) -> Iterator[Patient]:
        for number, name in enumerate(islice(names(), self._year.patients)):
            has_mobile = self.percent(self._year.texts)
            yield Patient(name, f"+49151{10_000_000 + number}" if has_mobile else "")

    def _shuffled(self, patients: Sequence[Patient]) -> Iterator[Patient]:
        while patients:
            yield from self.chance.sample(patients, len(patients))

    def _crash(self) -> None:
        self.played.restarts += 1
        self.stage.restart()

    def moment(self) -> datetime:
        on = self._year.begins_on + self.chance.randrange(self._year.days) * DAY
        wall = time(self.chance.randint(7, 21), self.chance.randrange(60))
        return same_wall_time(on, wall, self.tz)

    # --- visits -------------------------------------------------------------------------------

    def _book(self, who: Patient, visit: PlannedVisit) -> None:
        booked, outcome = self.stage.book(who, visit)
        if not isinstance(outcome, Refused):
            course = self._choose_course()
            self._courses[appointment_id(AppointmentSource.BOOKING, booked)] = course
            self._plan_course(booked, visit, course)

    def _choose_course(self) -> VisitCourse:
        year, chosen = self._year, self.chance.randrange(100)
        ways = (
            VisitCourse.CANCELS_BY_REMINDER,
            VisitCourse.CANCELS_ON_PAGE,
            VisitCourse.STAFF_CANCEL,
        )
        if chosen < year.cancels:
            return ways[chosen % len(ways)]
        if chosen < year.cancels + year.moves:
            return VisitCourse.MOVES
        is_missed = chosen < year.cancels + year.moves + year.no_shows
        return VisitCourse.MISSES if is_missed else VisitCourse.COMES

    def _plan_course(self, booked: BookingId, visit: PlannedVisit, course: VisitCourse) -> None:
        now, starts_at = self.stage.clock.now(), visit.starts_at
        at = now + self.chance.random() * (starts_at - 3 * _HOUR - now)
        match course:
            case VisitCourse.CANCELS_ON_PAGE:
                self._urgent(at, partial(self.stage.cancel, booked, by_staff=False))
            case VisitCourse.STAFF_CANCEL:
                self._urgent(at, partial(self.stage.cancel, booked, by_staff=True))
            case VisitCourse.MOVES:
                self._urgent(at, partial(self._move, booked))
            case VisitCourse.MISSES:
                at = starts_at + timedelta(minutes=10)
                self._urgent(at, partial(self.stage.miss, booked))
            case _:
                pass

    def _move(self, booked: BookingId) -> None:
        """Moves a visit to one of the times that nobody has booked, within some weeks."""
        since = self.stage.clock.now() + 2 * DAY
        until = since + 30 * DAY
        free = [each for each in self._unused if since < each.starts_at < until]
        if free:
            self._unused.remove(free[0])
            self.stage.move(booked, free[0])

    def _urgent(self, at: datetime, do: Do) -> None:
        """Plans an action and lets the followers run right after it."""

        def act() -> None:
            do()
            self.stage.settle()

        self.at(at, act)

    # --- answers ------------------------------------------------------------------------------

    def listen(self) -> None:
        while self._heard:
            recorded = self._heard.popleft()
            match recorded.fact:
                case ReminderFact():
                    self._reminded(recorded.fact)
                case OfferArmed(slot_id=slot_id, seq=seq):
                    self._offered(slot_id, seq)
                case _:
                    pass

    def _reminded(self, fact: ReminderFact) -> None:
        """Plans the answer to a reminder, or none."""
        now = self.stage.clock.now()
        wait = timedelta(minutes=self.chance.randint(2, 1_200))
        at = min(now + wait, fact.starts_at - timedelta(minutes=5))
        for visit in (fact.appointment_id, *fact.together):
            if visit not in self._courses:
                cancels = self.percent(self._year.cancels)
                self._courses[visit] = (
                    VisitCourse.CANCELS_BY_REMINDER if cancels else VisitCourse.COMES
                )
            course = self._courses[visit]
            if course is VisitCourse.CANCELS_BY_REMINDER:
                act = partial(self.stage.cannot_come, visit, fact.chain, fact.window)
                self._urgent(at, act)
            elif self.percent(self._year.confirms):
                self.at(at, partial(self.stage.confirm, visit, fact.chain, fact.window))

    def _join(self, who: Patient) -> None:
        service = self.chance.choice(self._year.place.rules.services).name
        today = to_wall(self.stage.clock.now(), self.tz).date()
        latest_on = today + self.chance.randint(7, 40) * DAY
        self.stage.join(who, service, today, latest_on)

    def _offered(self, slot_id: SlotId, seq: int) -> None:
        at = self.stage.clock.now() + timedelta(seconds=self.chance.randint(20, 660))
        chosen = self.chance.randrange(100)
        if chosen < self._year.claims:
            self._urgent(at, partial(self.stage.claim, slot_id, seq))
        elif chosen < self._year.claims + self._year.declines:
            self._urgent(at, partial(self.stage.decline, slot_id, seq))

    def finish(self) -> None:
        played = self.played
        self.stage.settle()
        for channel in (self.mail, self.texts):
            played.problems += (
                f"the message {each} was sent twice"
                for each, times in channel.taken.items()
                if times > 1
            )
        now = self.stage.clock.now()
        with self.stage.data() as db:
            played.problems += problems_in(db, self._folder, self._year.place, now)
            played.figures = figures_of(db, self.stage.product.engine.reads())
        self.note_messages(played)


class VisitPlan(Frozen):
    """Fills the days of all staff members with visits, without holidays and weekends."""

    year: ClinicYear
    chance: Random

    def visits(self) -> Iterator[PlannedVisit]:
        place = self.year.place
        tz, begins_on = zone(place.zone), self.year.begins_on
        closed = holidays_around(place.reminders.country, place.reminders.region, begins_on.year)
        staff = [one for one in place.rules.resources if one.kind is ResourceKind.STAFF]
        for day in range(1, self.year.days):
            on = begins_on + day * DAY
            if on.weekday() < 5 and on not in closed:
                opens_at = same_wall_time(on, _OPENS, tz)
                closes_at = same_wall_time(on, _CLOSES, tz)
                for one in staff:
                    at = opens_at
                    while at < closes_at:
                        service = self.chance.choice(place.rules.services)
                        if at + service.duration <= closes_at:
                            yield PlannedVisit(one.id, service.name, at)
                        at += service.duration
