"""Everybody at once for one event, on a database that refuses simultaneous transactions."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.commands import QueueSignUp, SignUp
from frontdesk.desks.rsvp.facts import GuestConfirmed, GuestJoinedLine, SignUpWrittenDown
from frontdesk.desks.rsvp.model import GuestId, Lane, State
from frontdesk.engine.ports import Committed
from frontdesk.errors import Busy
from frontdesk.wiring.application import fresh_id
from tests.store.dynamodb.faults import Contended
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.rsvp import RsvpDesk
from tests.support.rsvp_dynamodb import dynamo_rsvp_desk

PEOPLE = 300
CAP = 200


@needs_dynamodb
@pytest.mark.spec("EV-04")
def test_of_a_rush_everybody_is_answered_and_exactly_the_seats_are_given(
    dynamodb: Tables, tmp_path: Path
) -> None:
    client = Contended(dynamodb.client, dynamodb.prefix)
    desk = dynamo_rsvp_desk(dynamodb, tmp_path, client).given(cap=CAP)

    with ThreadPoolExecutor(PEOPLE) as pool:
        answers = Counter(pool.map(lambda number: sign_up(desk, number), range(PEOPLE)))
    seats = desk.seats
    answer_all(desk)

    assert answers.total() == PEOPLE
    assert set(answers) <= {GuestConfirmed.kind, GuestJoinedLine.kind, SignUpWrittenDown.kind}
    assert seats.taken <= CAP
    assert client.conflicts > 0
    assert states(desk) == {State.CONFIRMED: CAP, State.WAITING: PEOPLE - CAP}
    assert desk.problems() == []
    assert desk.dead_letters() == []


def sign_up(desk: RsvpDesk, number: int) -> str:
    """Signs up as the page does: a request that cannot be decided at once is queued."""
    request = (
        desk.event_id,
        GuestId(fresh_id()),
        PersonId(fresh_id()),
        f"Guest {number}",
        f"guest-{number}@example.org",
        1,
        Lane.FORM,
    )
    try:
        outcome = desk.run(SignUp(*request))
    except Busy:
        outcome = desk.run(QueueSignUp(*request))
    assert isinstance(outcome, Committed)
    return outcome.facts[0].fact.kind


def answer_all(desk: RsvpDesk) -> None:
    """Decides the queued requests; mails may wait."""
    (react,) = (each for each in desk.product.runtime.followers if each.name == "ev.react")
    for _ in range(PEOPLE):
        if not react.step(desk.clock.now()):
            return
    raise AssertionError("there is always something left to do")


def states(desk: RsvpDesk) -> dict[State, int]:
    counts = desk.reads.counts(desk.event_id)
    return {state: guests for state, (guests, _seats) in counts.items() if guests}
