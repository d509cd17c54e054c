"""Prints a simulated year of a clinic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from frontdesk.core.words import count
from frontdesk.simulate.clinic.year import PlayedYear
from frontdesk.simulate.player import messages_and_verdict


def as_data(played: PlayedYear) -> dict[str, Any]:
    return {
        "scenario": played.scenario.name,
        "about": played.scenario.about,
        "seed": played.seed,
        "figures": played.figures,
        "restarts": played.restarts,
        "messages": played.messages,
        "messages_not_sent": played.not_sent,
        "problems": played.problems,
    }


def as_words(played: PlayedYear) -> Iterator[str]:
    year, of = played.scenario, played.figures
    yield f"{year.name}: {year.about}"
    staff = count(len(year.place.rules.resources), "member", "members")
    yield f"{year.place.name}, {staff} of staff, {count(year.days, 'day')}, seed {played.seed}"
    yield ""
    yield (
        f"{of['appointments']:,} appointments: {of['cancelled']:,} cancelled,"
        f" {of['moved']:,} moved, {of['no_shows']:,} missed;"
        f" patients confirmed {of['confirmed_by_patients']:,}"
    )
    yield (
        f"{of['freed']:,} times came free, {of['refilled']:,} were filled from the waitlist,"
        f" {round(of['seconds_to_fill'] / 60):,} minutes after they came free on average;"
        f" {of['recovered_cents'] / 100:,.2f} recovered"
    )
    yield (
        f"{of['mails']:,} mails and {of['texts']:,} texts, ${of['message_cost_cents'] / 100:,.2f}"
        f" at AWS; {of['alerts_to_staff']:,} alerts to staff; {count(played.restarts, 'restart')}"
    )
    yield from messages_and_verdict(played.messages, played.not_sent, played.problems)
