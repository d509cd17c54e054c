"""The facts box of a message (what, when, where) and the tone of the message."""

from datetime import datetime
from enum import StrEnum

from frontdesk.core.localtime import ENGLISH, spoken_span, to_wall, zone
from frontdesk.values import Frozen


class Tone(StrEnum):
    """The tone of a message. It is shown with a word, never as a colour alone."""

    GOOD = "good"
    WAITING = "waiting"
    ENDING = "ending"
    GONE = "gone"


class Occasion(Frozen):
    """The name, time and place for a card with a calendar leaf; the same for everybody."""

    name: str
    when: str
    where: str
    month: str
    day: str
    weekday: str


def occasion(
    name: str, starts_at: datetime, ends_at: datetime, zone_name: str, where: str = ""
) -> Occasion:
    tz = zone(zone_name)
    wall = to_wall(starts_at, tz)
    return Occasion(
        name=name,
        when=spoken_span(starts_at, ends_at, tz),
        where=where,
        month=ENGLISH.months[wall.month - 1][:3],
        day=str(wall.day),
        weekday=ENGLISH.weekdays[wall.weekday()][:3],
    )


class Deadline(Frozen):
    """A deadline with its introduction, such as 'This seat is yours'. Pages count down to it."""

    intro: str
    at: datetime
    says: str
