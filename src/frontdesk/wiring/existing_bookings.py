"""Opens the reminders desk: bookings from before it was switched on become appointments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from frontdesk.desks.reminders.commands import FollowSource, PlanTick, TakeRules
from frontdesk.desks.reminders.decide.documents import SAVED_DOCUMENT
from frontdesk.desks.reminders.decide.timers import TICK_TIMER
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import SAVED_RULES, AppointmentSource, appointment_id
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads
from frontdesk.logs import log
from frontdesk.settings import Settings
from frontdesk.wiring.appointments import expected_bookings

NAME: Final = "reminders"
BY: Final = "start"
#: Nobody books further ahead.
FARTHEST: Final = timedelta(days=3 * 366)
#: Bookings are read in spans of this length.
SPAN: Final = timedelta(days=30)


class ExistingBookings:
    """Makes appointments of upcoming bookings that have none. Repeating it does no harm."""

    def __init__(self, engine: Engine, clock: Clock, *, at_once: int = 100) -> None:
        self._engine = engine
        self._clock = clock
        self._at_once = at_once
        self._since = clock.now()
        self._end = self._since + FARTHEST

    @property
    def is_done(self) -> bool:
        return self._since >= self._end

    def turn(self) -> bool:
        """Follows some bookings. Returns whether there were any."""
        while not self.is_done:
            until = min(self._since + SPAN, self._end)
            missing = _missing(self._engine.reads(), self._since, until)
            followed = missing[: self._at_once]
            for ref in followed:
                command = FollowSource(AppointmentSource.BOOKING, ref)
                self._engine.run(command, by=BY, now=self._clock.now())
            if followed == missing:
                self._since = until
            if followed:
                log("reminders.bookings_followed", count=len(followed))
                return True
        return False


def _missing(reads: Reads, since: datetime, until: datetime) -> list[str]:
    known = {each.id for each in reminder_reads(reads).appointments_between(since, until)}
    return [
        ref
        for ref in expected_bookings(reads, since, until)
        if appointment_id(AppointmentSource.BOOKING, ref) not in known
    ]


def open_desk(
    settings: Settings, engine: Engine, clock: Clock, has_time: Callable[[], bool]
) -> bool:
    """Makes the desk tick if it does not, once all bookings are followed and its rules are in the
    zone of the business. Returns whether it does; False if the time did not suffice.
    """
    if not settings.has_desk(NAME):
        return True
    reads = engine.reads()
    if reads.desk("fd").timer_at(TICK_TIMER) is not None:
        return True
    zone = reads.desk("fd").business().zone
    if reads.engine.setting(SAVED_RULES).zone != zone:
        text = reads.engine.setting(SAVED_DOCUMENT).good or EXAMPLE
        engine.run(TakeRules(text, zone), by=BY, now=clock.now())
    existing = ExistingBookings(engine, clock)
    if settings.has_desk("booking"):
        while has_time() and existing.turn():
            pass
        if not existing.is_done:
            return False
    engine.run(PlanTick(), by=BY, now=clock.now())
    return True
