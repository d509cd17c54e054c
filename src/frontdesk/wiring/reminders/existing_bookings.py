"""Opens the reminders desk: it follows bookings that were made, moved or ended while it was off."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from frontdesk.desks.admin.branding import business_zone
from frontdesk.desks.reminders.commands import FollowSource, PlanTick, TakeRules
from frontdesk.desks.reminders.decide.documents import SAVED_DOCUMENT
from frontdesk.desks.reminders.decide.timers import TICK_TIMER
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import SAVED_RULES, AppointmentSource
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.logs import log
from frontdesk.settings import Settings
from frontdesk.wiring.between_desks.appointments import expected_bookings

NAME: Final = "reminders"
BY: Final = "start"
#: Nobody books further ahead.
FARTHEST: Final = timedelta(days=3 * 366)
#: Bookings are read in spans of this length.
SPAN: Final = timedelta(days=30)


class ExistingBookings:
    """Brings appointments in step with upcoming bookings: adds missing ones, and updates those
    whose booking was moved or ended. With `only_known`, it adds none. Repeating it does no harm.
    """

    def __init__(
        self, engine: Engine, clock: Clock, *, at_once: int = 100, only_known: bool = False
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._at_once = at_once
        self._only_known = only_known
        self._since = clock.now()
        self._end = self._since + FARTHEST
        self._tried: set[str] = set()
        """Some stay different: an appointment that has ended does not come back."""

    @property
    def is_done(self) -> bool:
        return self._since >= self._end

    def turn(self) -> bool:
        """Updates the appointments of some bookings. Returns whether there were any."""
        while not self.is_done:
            until = min(self._since + SPAN, self._end)
            stale = self._stale(until)
            followed = stale[: self._at_once]
            for ref in followed:
                command = FollowSource(AppointmentSource.BOOKING, ref)
                self._engine.run(command, by=BY, now=self._clock.now())
            self._tried.update(followed)
            if followed == stale:
                self._since = until
            if followed:
                log("reminders.bookings_followed", count=len(followed))
                return True
        return False

    def _stale(self, until: datetime) -> list[str]:
        """The bookings of the span whose appointments differ from them."""
        reads = self._engine.reads()
        wanted = expected_bookings(reads, self._since, until)
        found = reminder_reads(reads).appointments_between(self._since, until)
        ours = [each for each in found if each.source is AppointmentSource.BOOKING]
        changed = [
            each.ref for each in ours if each.is_live and wanted.get(each.ref) != each.starts_at
        ]
        known = {each.ref for each in ours}
        missing = () if self._only_known else (ref for ref in wanted if ref not in known)
        return [ref for ref in (*changed, *missing) if ref not in self._tried]


def open_desk(
    settings: Settings, engine: Engine, clock: Clock, has_time: Callable[[], bool]
) -> bool:
    """Starts the tick if it does not run, after all bookings are followed and the rules have the
    zone of the business. Returns whether it runs; False if the time did not suffice.
    """
    if not settings.has_desk(NAME):
        return True
    reads = engine.reads()
    if reads.desk("fd").timer_at(TICK_TIMER) is not None:
        return True
    zone = business_zone(reads)
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
