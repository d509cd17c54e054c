"""What a simulation prints: what happened in plain words, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import spoken, to_wall, zone
from frontdesk.core.words import count
from frontdesk.simulate.player import Moment, Played

#: From so many alike in a row on, they are told in one line.
MANY: Final = 4

_TOGETHER: Final = {
    "ev.confirmed": "{n} people got a seat.",
    "ev.waitlisted": "{n} people joined the line.",
    "ev.cancelled": "{n} guests cancelled.",
    "ev.reminder_due": "{n} guests are reminded.",
    "ev.retimed": "{n} guests are told of the change.",
    "ev.told_of_call_off": "{n} people are told that it is called off.",
    "ev.offer_made": "Seats are held for {n} people.",
    "ev.offer_armed": "{n} offers go out.",
    "ev.offer_lapsed": "{n} offers lapse.",
}
#: True, and of no interest here.
_LEFT_OUT: Final = frozenset({"ev.headcount_due"})


def as_data(played: Played) -> dict[str, Any]:
    return {
        "scenario": played.scenario.name,
        "about": played.scenario.about,
        "seed": played.seed,
        "timeline": [
            {"at": moment.at, "kind": moment.kind, "text": moment.text} for moment in played.moments
        ],
        "figures": played.figures,
        "guests": played.guests,
        "mail": played.mail,
        "mail_not_sent": played.not_sent,
        "problems": played.problems,
    }


def as_words(played: Played) -> Iterator[str]:
    scenario = played.scenario
    tz = zone(scenario.details.zone)
    yield f"{scenario.name}: {scenario.about}"
    starts = spoken(scenario.details.starts_at, tz)
    yield f"{scenario.details.name}, {count(scenario.seats, 'seat')}, {starts}"
    yield ""
    moments = [moment for moment in played.moments if moment.kind not in _LEFT_OUT]
    yield from told(moments, tz, _TOGETHER)
    yield ""
    yield ", ".join(f"{name} {figure}" for name, figure in played.figures.items())
    yield f"Mail: {listed(played.mail)}."
    if played.not_sent:
        yield f"Not sent: {listed(played.not_sent)}."
    yield from verdict(played.problems)


def told(
    moments: Sequence[Moment], tz: ZoneInfo, together: Mapping[str, str], clock: str = "%H:%M"
) -> Iterator[str]:
    """One line each; `together` has, by kind, how many alike in a row are told."""
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
