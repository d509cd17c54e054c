"""Prints a simulated day of a waitlist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from frontdesk.core.localtime import spoken_date, zone
from frontdesk.core.words import count
from frontdesk.simulate.report import listed, told, verdict
from frontdesk.simulate.waitlist.player import PlayedDay

#: Facts that the story leaves out.
_LEFT_OUT: Final = frozenset(
    {"wl.house_kept", "wl.rules_changed", "wl.shop_changed", "wl.document_taken"}
)
_TOGETHER: Final = {"wl.joined": "{n} people are put on the list."}


def as_data(played: PlayedDay) -> dict[str, Any]:
    return {
        "scenario": played.scenario.name,
        "about": played.scenario.about,
        "seed": played.seed,
        "timeline": [
            {"at": moment.at, "kind": moment.kind, "text": moment.text} for moment in played.moments
        ],
        "figures": played.figures,
        "people": played.people,
        "messages": played.messages,
        "messages_not_sent": played.not_sent,
        "problems": played.problems,
    }


def as_words(played: PlayedDay) -> Iterator[str]:
    day = played.scenario
    tz = zone(day.place.zone)
    yield f"{day.name}: {day.about}"
    who = count(len(day.guests), "person", "people")
    yield f"{day.place.name}, {who} on the list, {spoken_date(day.steps[0].at, tz)}"
    yield ""
    moments = [moment for moment in played.moments if moment.kind not in _LEFT_OUT]
    yield from told(moments, tz, _TOGETHER, "%H:%M:%S")
    yield ""
    yield from sums(played.figures, day.place.catalogue.currency)
    yield f"Messages: {listed(played.messages)}."
    if played.not_sent:
        yield f"Not sent: {listed(played.not_sent)}."
    yield from verdict(played.problems)


def sums(figures: dict[str, int], currency: str) -> Iterator[str]:
    yield (
        f"freed {figures['freed']}, filled {figures['filled']},"
        f" handed back {figures['handed_back']}, open {figures['open']},"
        f" offers {figures['offers']}, still waiting {figures['waiting']}"
    )
    if figures["filled"]:
        minutes = round(figures["seconds_to_fill"] / 60)
        recovered = f"{currency}{figures['recovered_cents'] / 100:,.2f}"
        yield f"{count(minutes, 'minute')} to fill one on average, {recovered} recovered"
