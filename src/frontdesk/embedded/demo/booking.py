"""The demo's bookings: a week behind and a week ahead, some moved, cancelled, missed or pending."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import cycle
from operator import attrgetter
from typing import Final

from frontdesk.core.decision import Command
from frontdesk.core.localtime import to_wall
from frontdesk.core.people import PersonId
from frontdesk.desks.booking import commands
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus, booking_id
from frontdesk.desks.booking.search.query import Query, Removed
from frontdesk.embedded.demo.studio import DAYS_OF_PAST, DemoScene, Studio, writes
from frontdesk.engine.ports import Committed
from frontdesk.simulate.names import address
from frontdesk.simulate.runtime import Simulation
from frontdesk.values import Frozen

RULES: Final = """\
# The rules of your bookings. Everything is explained beside the editor.
# An edit is in force as soon as it is saved; a mistake changes nothing.

hours: {mon-fri: 9:00-13:00 14:00-20:30, sat-sun: 10:00-18:00}

staff:
  mira: {name: Mira}
  jonas: {name: Jonas, hours: {tue-sat: 11:00-20:30}}
  aiko: {name: Aiko, breaks: {daily: 12:30-13:00}}
rooms:
  wheel-1: {name: Wheel 1}
  wheel-2: {name: Wheel 2}
  table: {name: The long table, capacity: 8}
pools: {wheels: [wheel-1, wheel-2]}

all services: {notice: 1 hour, cancel until: 12 hours, start every: 30 min}
services:
  Wheel hour:
    minutes: 60
    price: 35
    needs: [wheels]
    aliases: [wheel, throwing]
    buffer: {after: 10}
  Private lesson:
    minutes: 90
    price: 80
    staff: [mira, jonas]
    needs: [wheels]
    aliases: [lesson, one to one]
    approval: first visit
    questions: [{ask: Have you thrown on a wheel before?, choices: [Never, A few times, Often]}]
  Table for painting:
    minutes: 120
    price: 60
    party: 6
    staff: []
    needs: [table]
    aliases: [painting, paint a mug]

parts of the day: {after work: 17:00-20:30}
reminders: [1 day, 1 hour]
"""
WHEEL, LESSON, TABLE = "Wheel hour", "Private lesson", "Table for painting"
_CLEAR: Final = """\
Hi,

could I book a wheel hour on {day}, some time in the afternoon?

Thank you, Petra
"""
_UNCLEAR: Final = """\
Hello,

my brother and I would like to come soon, perhaps at the weekend. We have never done this before.
What would you suggest?

Luis
"""
#: Visits by day from today, on both sides.
FIRST_DAY, LAST_DAY = -6, 9
VISITS_PER_DAY: Final = (7, 6, 9, 8)


class DemoVisit(Frozen):
    name: str
    service: str
    on: date
    booked_at: datetime
    party: int = 1


def scenes(studio: Studio) -> Iterator[DemoScene]:
    return Bookings(studio).scenes()


class Bookings:
    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    def scenes(self) -> Iterator[DemoScene]:
        opening = self._studio.ago(days=DAYS_OF_PAST, minutes=-1)
        yield DemoScene(opening, self._open)
        visits = list(self._visits(opening))
        for visit in visits:
            yield DemoScene(visit.booked_at, self._books(visit))
        coming = [visit for visit in visits if visit.on > self._studio.today]
        ago = self._studio.ago
        yield DemoScene(ago(days=0.3), self._cancels_one(coming))
        yield DemoScene(ago(days=0.2), self._moves(coming[5]))
        for days in range(DAYS_OF_PAST - 1, 0, -1):
            yield DemoScene(ago(days=days), self._approves())
        yield DemoScene(ago(hours=2), self._approves(but_last=2))
        missed = next(visit for visit in visits if visit.on < self._studio.today)
        yield DemoScene(ago(days=0.1), self._acts(missed, lambda one: commands.MarkNoShow(one.id)))
        day, to = self._studio.today + timedelta(days=6), attrgetter("booking_address")
        clear = _CLEAR.format(day=f"{day:%A %-d %B}")
        yield DemoScene(ago(hours=5), writes("Petra Vogel", to, "A wheel", clear))
        yield DemoScene(ago(minutes=40), writes("Luis Prado", to, "Two beginners", _UNCLEAR))

    def _visits(self, opening: datetime) -> Iterator[DemoVisit]:
        """Booked up to five days ahead, in the past of the demo."""
        services, parties = cycle((WHEEL, TABLE, WHEEL, LESSON, WHEEL)), cycle((2, 4, 3))
        counts = cycle(VISITS_PER_DAY)
        for day in range(FIRST_DAY, LAST_DAY + 1):
            for name in self._studio.people(next(counts)):
                service = next(services)
                before = min(day, 0) - self._studio.chance.uniform(0.6, 2.5)
                booked_at = max(opening + timedelta(minutes=5), self._studio.ago(days=-before))
                on = self._studio.today + timedelta(days=day)
                party = next(parties) if service == TABLE else 1
                yield DemoVisit(name, service, on, booked_at, party)

    def _open(self, stage: Simulation) -> None:
        stage.run(commands.TakeRules(RULES, self._studio.tz.key), by=self._studio.owner)

    def _books(self, visit: DemoVisit) -> Callable[[Simulation], None]:
        def act(stage: Simulation) -> None:
            found = self._free(stage, visit)
            if found is None:
                return
            ids = stage.product.engine.new_id
            command = commands.Book(
                booking_id=booking_id(ids()),
                person_id=PersonId(ids()),
                service=visit.service,
                starts_at=found,
                name=visit.name,
                email=address(visit.name),
                party=visit.party,
            )
            stage.run(command, by="guest")
            if visit.on <= self._studio.today:
                stage.run(commands.ApproveBooking(command.booking_id), by=self._studio.owner)

        return act

    def _free(self, stage: Simulation, visit: DemoVisit) -> datetime | None:
        """One of the free times of the day; None if there is none."""
        query = Query(visit.service, visit.on, visit.on, visit.party)
        reads, now = stage.product.engine.reads(), stage.clock.now()
        rules = booking_reads(reads).rules()
        found = Availability().find(reads, rules, query, now, most=0)
        times = [] if isinstance(found, Removed) else [one.starts_at for one in found.all()]
        if visit.service != TABLE:
            times = [at for at in times if not self._is_for_waitlist(at)]
        return self._studio.chance.choice(times) if times else None

    def _is_for_waitlist(self, at: datetime) -> bool:
        """Whether a slot of the demo's waitlist may be near this time, with any staff member."""
        wall = to_wall(at, self._studio.tz)
        match (wall.date() - self._studio.today).days:
            case 0:
                return wall.hour <= 12 or at > self._studio.now - timedelta(hours=2)
            case 1 | 2:
                first, last = 8, 15
            case day:
                first, last = 8 - day, 12 - day
        return first <= wall.hour <= last

    def _acts(
        self, visit: DemoVisit, command: Callable[[Booking], Command]
    ) -> Callable[[Simulation], None]:
        def act(stage: Simulation) -> None:
            for booking in self._of(stage, visit):
                stage.run(command(booking), by="guest")

        return act

    def _moves(self, visit: DemoVisit) -> Callable[[Simulation], None]:
        def act(stage: Simulation) -> None:
            found = self._free(stage, visit)
            for booking in self._of(stage, visit):
                if found is not None:
                    stage.run(commands.MoveBooking(booking.id, found), by="guest")

        return act

    def _cancels_one(self, visits: Sequence[DemoVisit]) -> Callable[[Simulation], None]:
        """Cancels the first that can be cancelled. The waitlist has slots enough."""

        def act(stage: Simulation) -> None:
            for visit in visits:
                for booking in self._of(stage, visit):
                    command = commands.CancelBooking(booking.id, offer=False)
                    if isinstance(stage.run(command, by="guest"), Committed):
                        return

        return act

    def _approves(self, *, but_last: int = 0) -> Callable[[Simulation], None]:
        """The owner approves requests, and leaves the last ones for you."""

        def act(stage: Simulation) -> None:
            bk = booking_reads(stage.product.engine.reads())
            pending = bk.bookings_in(BookingStatus.PENDING, 50)
            for booking in pending[: len(pending) - but_last]:
                stage.run(commands.ApproveBooking(booking.id), by=self._studio.owner)

        return act

    def _of(self, stage: Simulation, visit: DemoVisit) -> list[Booking]:
        bk = booking_reads(stage.product.engine.reads())
        person = bk.person_by_email(address(visit.name))
        found = bk.bookings_of(person.id) if person else ()
        tz = self._studio.tz
        return [
            one for one in found if one.takes_time and to_wall(one.starts_at, tz).date() == visit.on
        ]
