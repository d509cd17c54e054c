"""Prints a simulated day or month of a waitlist."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from frontdesk.core.localtime import spoken_date, zone
from frontdesk.core.words import count
from frontdesk.desks.waitlist.model import Figures
from frontdesk.simulate.player import messages_and_verdict, story
from frontdesk.simulate.waitlist.month import PlayedMonth
from frontdesk.simulate.waitlist.player import PlayedDay

#: Facts that the story leaves out.
_LEFT_OUT: Final = frozenset(
    {"wl.house_kept", "wl.rules_changed", "wl.shop_changed", "wl.document_taken"}
)
_TOGETHER: Final = {"wl.joined": "{n} people are put on the list."}


def as_words(played: PlayedDay) -> Iterator[str]:
    day = played.scenario
    tz = zone(day.place.zone)
    yield f"{day.name}: {day.about}"
    who = count(len(day.guests), "person", "people")
    yield f"{day.place.name}, {who} on the list, {spoken_date(day.steps[0].at, tz)}"
    yield ""
    moments = [moment for moment in played.moments if moment.kind not in _LEFT_OUT]
    yield from story(moments, tz, _TOGETHER, "%H:%M:%S")
    yield ""
    yield from sums(played.figures, day.place.catalogue.currency)
    yield from messages_and_verdict(played.messages, played.not_sent, played.problems)


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


_WORDS: Final = {
    "wl.joined": "joined",
    "wl.changed": "changed their dates",
    "wl.left": "left",
    "wl.stopped": "texted STOP",
    "wl.expired": "expired",
    "wl.offer_declined": "declined",
    "wl.offer_lapsed": "did not answer",
    "wl.offer_unreachable": "could not be reached",
    "wl.offer_withdrawn": "had an offer taken back",
    "wl.claim_lost": "clicked too late",
}


def month_as_data(played: PlayedMonth) -> dict[str, Any]:
    return {
        "scenario": played.scenario.name,
        "about": played.scenario.about,
        "seed": played.seed,
        "days": [{"on": on, **_numbers(of)} for on, of in played.days.items()],
        "happened": played.happened,
        "restarts": played.restarts,
        "figures": played.figures,
        "messages": played.messages,
        "messages_not_sent": played.not_sent,
        "problems": played.problems,
    }


def month_as_words(played: PlayedMonth) -> Iterator[str]:
    month = played.scenario
    yield f"{month.name}: {month.about}"
    people = count(month.people, "person", "people")
    yield f"{month.place.name}, {people}, {count(month.slots, 'slot')}, seed {played.seed}"
    yield ""
    for on, of in played.days.items():
        yield _day(on, of)
    yield ""
    yield from sums(played.figures, month.place.catalogue.currency)
    happened = (
        f"{played.happened[kind]:,} {words}"
        for kind, words in _WORDS.items()
        if kind in played.happened
    )
    yield f"{', '.join(happened)}; {count(played.restarts, 'restart')}"
    yield from messages_and_verdict(played.messages, played.not_sent, played.problems)


def _day(on: date, of: Figures) -> str:
    average = f", {of.average_to_fill.seconds // 60} min each" if of.average_to_fill else ""
    return (
        f"{on:%a} {on.day:2} {on:%b}  {of.freed:3} freed, {of.filled:3} filled{average},"
        f" {of.handed_back} handed back, {count(of.offers, 'offer')}"
    )


def _numbers(of: Figures) -> dict[str, int]:
    return {
        "freed": of.freed,
        "filled": of.filled,
        "handed_back": of.handed_back,
        "offers": of.offers,
        "seconds_to_fill": of.seconds_to_fill,
        "recovered_cents": of.recovered_cents,
    }
