"""Prints a simulation: the story and the totals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from frontdesk.core.localtime import spoken, zone
from frontdesk.core.words import count
from frontdesk.simulate.report import listed, told, verdict
from frontdesk.simulate.rsvp.player import Played

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
#: Facts that the story leaves out.
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
