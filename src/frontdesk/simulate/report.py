"""Lines that the reports of all desks' simulations share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_wall
from frontdesk.simulate.played import Moment

#: This many similar moments in a row share one line.
MANY: Final = 4


def told(
    moments: Sequence[Moment], tz: ZoneInfo, together: Mapping[str, str], clock: str = "%H:%M"
) -> Iterator[str]:
    """Yields a line for each moment; `together` has, by kind, the line for many in a row."""
    for _, run in groupby(moments, key=lambda moment: moment.kind):
        yield from _told(list(run), lambda at: _at(to_wall(at, tz), clock), together)


def _told(
    run: list[Moment], clock: Callable[[datetime], str], together: Mapping[str, str]
) -> Iterator[str]:
    words = together.get(run[0].kind)
    if words is None or len(run) < MANY:
        for moment in run:
            yield f"{clock(moment.at)}  {moment.text}"
        return
    first, last = clock(run[0].at), clock(run[-1].at)
    until = "" if last == first else f" (until {last.strip()})"
    yield f"{first}  {words.format(n=len(run))}{until}"


def verdict(problems: Sequence[str]) -> Iterator[str]:
    if not problems:
        yield "Everything held, after every step and at the end."
    for problem in problems:
        yield f"BROKEN {problem}"


def listed(figures: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in figures.items()) or "none"


def _at(wall: datetime, clock: str) -> str:
    return f"{wall:%a} {wall.day:2} {wall:%b} {wall:{clock}}"
