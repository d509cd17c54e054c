"""Payloads that AWS delivers twice have one effect, and lost ones are recovered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from frontdesk.desks.rsvp.commands import Cancel, SetCap
from frontdesk.desks.rsvp.decide.timers import offer_timer
from frontdesk.desks.rsvp.model import State
from frontdesk.engine.ports import Committed
from tests.aws.payloads import from_the_bus
from tests.aws.stack import AwsDesk, Stack
from tests.aws.test_journeys import FIRST, IN, OFFER, PASSED_ON

pytestmark = pytest.mark.needs("ministack")


@pytest.mark.spec("FD-03", "FD-18")
def test_a_fact_that_the_stream_brings_twice_is_told_once(desk: AwsDesk, stack: Stack) -> None:
    desk.given(cap=1)
    start = stack.lines
    desk.signs_up("ann")
    desk.wait_for_mails("ann", 1)
    desk.settle()

    again = stack.lines
    for fact in stack.put_since(start):
        stack.put(fact)
    stack.until("acted on again", lambda: stack.runs_since(again)["messenger"])
    desk.settle()

    assert desk.subjects("ann") == [IN]


@pytest.mark.spec("FD-03", "EV-23", "FD-18")
def test_a_schedule_that_rings_twice_rolls_on_once(desk: AwsDesk, stack: Stack) -> None:
    desk.given(cap=1, claim_window=timedelta(seconds=3))
    desk.signs_up("ann")
    desk.signs_up("bob")
    desk.wait_for_mails("ann", 1)
    desk.gives_up("ann")
    desk.wait_for_mails("bob", 2)
    [offer] = desk.offers("bob")
    due_at = stack.until("its deadline", lambda: desk.offers("bob")[0].claim_by)
    assert due_at is not None

    desk.wait_for_mails("bob", 3)
    ring = {"timer": offer_timer(offer.guest_id, offer.seq), "due_at": due_at.isoformat()}
    stack.invoke("offer-timeout", ring)
    desk.settle()

    assert desk.subjects("bob") == [FIRST, OFFER, PASSED_ON]


@pytest.mark.spec("FD-02", "FD-18")
def test_the_sweep_finds_a_fact_that_the_stream_lost(desk: AwsDesk, stack: Stack) -> None:
    desk.given(cap=1)
    desk.signs_up("ann")
    desk.signs_up("bob")
    desk.wait_for_mails("bob", 1)
    desk.settle()

    with stack.deaf("fd-relay"):
        desk.run_long_ago(Cancel(desk.id("ann")))
        assert desk.state("bob") is State.WAITING
        stack.invoke("fd-sweep", {})
        assert desk.state("bob") is State.OFFERED

    assert desk.wait_for_mails("bob", 2) == [FIRST, OFFER]


@pytest.mark.spec("FD-02", "FD-18")
def test_the_sweep_asks_again_for_a_schedule_that_was_lost(desk: AwsDesk, stack: Stack) -> None:
    desk.given(cap=0, claim_window=timedelta(minutes=30))
    desk.signs_up("ann")
    assert isinstance(desk.run(SetCap(desk.event_id, 1)), Committed)
    desk.wait_for_mails("ann", 2)
    desk.settle()
    assert desk.schedules() == desk.own_timers()

    desk.forget_schedules()
    stack.invoke("fd-sweep", {})

    [soon] = desk.offer_timers()
    assert desk.schedules() == {soon}
    assert desk.states() == {"ann": State.OFFERED}


@pytest.mark.spec("FD-07", "FD-18")
def test_a_failed_call_waits_in_the_queue_and_is_replayed_once(desk: AwsDesk, stack: Stack) -> None:
    desk.given(cap=1)
    desk.signs_up("ann")
    desk.signs_up("bob")
    desk.wait_for_mails("bob", 1)
    desk.settle()
    before, start = stack.failures(), stack.lines

    with stack.broken("keeper"):
        desk.run(Cancel(desk.id("ann")))
        facts = stack.until("both facts", lambda: _both(stack.put_since(start)))
        for fact in facts:
            stack.ring("keeper", from_the_bus(fact))
        stack.until("the failures", lambda: stack.failures() == before + 2)
        assert desk.state("bob") is State.WAITING

    assert stack.invoke("fd-sweep", {"ask": "replay"}) == {"replayed": 2}
    assert desk.wait_for_mails("bob", 2) == [FIRST, OFFER]
    desk.settle()
    assert stack.invoke("fd-sweep", {"ask": "replay"}) == {"replayed": 0}
    assert (desk.subjects("bob"), len(desk.offers("bob"))) == ([FIRST, OFFER], 1)


def _both(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns both facts of a cancellation. The emulator's rules do not retry failed calls, so the
    test calls the functions."""
    assert len(facts) <= 2, facts
    return facts if len(facts) == 2 else []
