"""The demo's reminders: most customers have confirmed, and one wishes another time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from operator import attrgetter
from typing import Final

from frontdesk.desks.reminders import commands
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    REMINDERS,
    Appointment,
    Means,
    ReminderState,
    Window,
    nonce_of,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.embedded.demo.studio import DAYS_OF_PAST, DemoScene, Studio, writes
from frontdesk.engine.ports import Committed
from frontdesk.simulate.runtime import Simulation

#: The share of customers who answer a reminder before the next step of the demo.
CONFIRM_PERCENT: Final = 60
WISHES: Final = "Could it be a little later, after five? Any day of next week is fine."
#: Written by hand to a customer, and forwarded so that she is reminded.
_CONFIRMATION: Final = """\
---------- Forwarded message ---------
To: Ines Falk <ines.falk@example.org>

Dear Ines, your kiln tour is on {day} at 16:30. It takes about 45 minutes.
See you then, Mira
"""
_MANY: Final = 1_000
_AHEAD: Final = timedelta(days=30)


def scenes(studio: Studio) -> Iterator[DemoScene]:
    return DemoReminders(studio).scenes()


class DemoReminders:
    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    def scenes(self) -> Iterator[DemoScene]:
        ago = self._studio.ago
        yield DemoScene(ago(days=DAYS_OF_PAST, minutes=-2), self._open)
        for half_days in range(2 * DAYS_OF_PAST - 1, 0, -1):
            yield DemoScene(ago(days=half_days / 2), self._most_confirm)
        yield DemoScene(ago(hours=4), self._most_confirm)
        yield DemoScene(ago(hours=2.5), self._one(commands.AskToMove, WISHES))
        day = self._studio.today + timedelta(days=6)
        to = attrgetter("reminders_address")
        text = _CONFIRMATION.format(day=f"{day:%A %-d %B}")
        yield DemoScene(ago(minutes=50), writes("Mira Santos", to, "Fwd: Your kiln tour", text))

    def _open(self, stage: Simulation) -> None:
        stage.run(commands.TakeRules(EXAMPLE, self._studio.tz.key), by=self._studio.owner)
        stage.run(commands.PlanTick(), by="start")

    def _most_confirm(self, stage: Simulation) -> None:
        for one, window in self._unanswered(stage):
            if self._studio.chance.randrange(100) < CONFIRM_PERCENT:
                stage.run(_reply(commands.Confirm, one, window), by="link")

    def _one(
        self, answer: type[commands.ReplyCommand], wishes: str = ""
    ) -> Callable[[Simulation], None]:
        """The first customer whose answer is taken."""

        def act(stage: Simulation) -> None:
            for one, window in self._unanswered(stage):
                more = {"wishes": wishes} if wishes else {}
                if isinstance(stage.run(_reply(answer, one, window, **more), by="link"), Committed):
                    return

        return act

    def _unanswered(self, stage: Simulation) -> Iterator[tuple[Appointment, Window]]:
        """Appointments whose customers were reminded and have not answered, by their start."""
        ar = reminder_reads(stage.product.engine.reads())
        now = stage.clock.now()
        for one in ar.live_after(now, "", _MANY, now + _AHEAD):
            window = _last_reminder(ar, one)
            if one.is_unanswered and window is not None:
                yield one, window


def _last_reminder(ar: ReminderReads, one: Appointment) -> Window | None:
    sent = [each.window for each in ar.reminders_of(one.id) if each.state is ReminderState.SENT]
    return next((each for each in reversed(REMINDERS) if each in sent), None)


def _reply(
    answer: type[commands.ReplyCommand], one: Appointment, window: Window, **more: str
) -> commands.ReplyCommand:
    return answer(one.id, one.chain, nonce_of(one.chain, window), Means.LINK, **more)
