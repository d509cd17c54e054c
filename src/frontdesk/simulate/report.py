"""What a simulation prints: what happened in plain words, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final

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
    for run in _runs(played.moments):
        yield from _told(run, lambda at: _clock(to_wall(at, tz)))
    yield ""
    yield ", ".join(f"{name} {figure}" for name, figure in played.figures.items())
    yield f"Mail: {_listed(played.mail)}."
    if played.not_sent:
        yield f"Not sent: {_listed(played.not_sent)}."
    if not played.problems:
        yield "Everything held, after every step and at the end."
    for problem in played.problems:
        yield f"BROKEN {problem}"


def _runs(moments: Sequence[Moment]) -> Iterator[list[Moment]]:
    shown = (moment for moment in moments if moment.kind not in _LEFT_OUT)
    for _, run in groupby(shown, key=lambda moment: moment.kind):
        yield list(run)


def _told(run: list[Moment], clock: Callable[[datetime], str]) -> Iterator[str]:
    together = _TOGETHER.get(run[0].kind)
    if together is None or len(run) < MANY:
        for moment in run:
            yield f"{clock(moment.at)}  {moment.text}"
        return
    first, last = clock(run[0].at), clock(run[-1].at)
    until = "" if last == first else f" (until {last.strip()})"
    yield f"{first}  {together.format(n=len(run))}{until}"


def _clock(wall: datetime) -> str:
    return f"{wall:%a} {wall.day:2} {wall:%b %H:%M}"


def _listed(figures: dict[str, int]) -> str:
    return ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in figures.items()) or "none"
