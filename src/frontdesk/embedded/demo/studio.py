"""The building blocks of a demo: scenes in the past of a studio, its people and their mails."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from itertools import islice
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.localtime import same_wall_time, to_wall
from frontdesk.core.members import MemberId
from frontdesk.intake.mail import MailIn
from frontdesk.settings import Settings
from frontdesk.simulate.names import address, names
from frontdesk.simulate.runtime import Simulation
from frontdesk.values import Frozen

DAYS_OF_PAST: Final = 9


class DemoScene(Frozen):
    """Something that happened in the past or happens now."""

    at: datetime
    act: Callable[[Any], object]
    """Gets the running product; a desk may wrap it as a stage with its own verbs."""


class Studio:
    """The place and time of the demo. Nobody appears twice; every run has the same people."""

    def __init__(self, now: datetime, tz: ZoneInfo, owner: MemberId) -> None:
        self.now = now
        self.tz = tz
        self.owner = f"member:{owner}"
        self.chance = random.Random("frontdesk")  # noqa: S311 - nothing secret is drawn from it
        self._names = names()

    @property
    def today(self) -> date:
        return to_wall(self.now, self.tz).date()

    def on(self, days: int, at: time) -> datetime:
        """Returns an instant by its wall time and the number of days from today."""
        return same_wall_time(self.today + timedelta(days=days), at, self.tz)

    def ago(self, *, days: float = 0, hours: float = 0, minutes: float = 0) -> datetime:
        before = timedelta(days=days, hours=hours, minutes=minutes)
        return (self.now - before).replace(microsecond=0)

    def moments(self, number: int, *, days_ago: float, until_days: float = 0.5) -> list[datetime]:
        spread = (self.chance.uniform(until_days, days_ago) for _ in range(number))
        return sorted(self.ago(days=days) for days in spread)

    def people(self, number: int) -> list[str]:
        return list(islice(self._names, number))


def writes(
    who: str, to: Callable[[Settings], str], subject: str, text: str
) -> Callable[[Simulation], None]:
    """A person sends a mail to one of the addresses of the product."""

    def act(stage: Simulation) -> None:
        receiver, sender = to(stage.product.settings), address(who)
        mail = EmailMessage()
        mail["From"] = formataddr((who, sender))
        mail["To"] = receiver
        mail["Subject"] = subject
        mail["Date"] = format_datetime(stage.clock.now())
        mail["Message-ID"] = f"<{stage.product.engine.new_id()}@example.org>"
        mail.set_content(text)
        MailIn(stage.product).take(Envelope(sender, (receiver,), mail.as_bytes(), "127.0.0.1"))

    return act
