"""Prints a simulated month of a waitlist."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from frontdesk.core.words import count
from frontdesk.desks.waitlist.model import Figures
from frontdesk.simulate.report import listed, verdict
from frontdesk.simulate.waitlist.month import PlayedMonth
from frontdesk.simulate.waitlist.report import sums

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


def as_data(played: PlayedMonth) -> dict[str, Any]:
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


def as_words(played: PlayedMonth) -> Iterator[str]:
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
    yield f"Messages: {listed(played.messages)}."
    yield f"Not sent: {listed(played.not_sent)}."
    yield from verdict(played.problems)


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
