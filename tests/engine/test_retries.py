"""Failures are retried a few times, with growing pauses."""

from datetime import timedelta

from frontdesk.engine.retries import LONG, RetryTracker
from tests.engine.driver import NINE

SECOND = timedelta(seconds=1)


def test_pauses_grow_until_the_last_retry_and_then_the_count_restarts() -> None:
    tracker = RetryTracker()

    assert [tracker.count_failure("bell", NINE) for _ in range(4)] == [
        NINE + SECOND,
        NINE + 2 * SECOND,
        NINE + 4 * SECOND,
        None,
    ]
    assert tracker.count_failure("bell", NINE) == NINE + SECOND


def test_pauses_grow_up_to_a_limit() -> None:
    tracker, seconds = RetryTracker(), (5, 10, 20, 40, 80, 160, 300, 300, 300)

    assert [tracker.count_failure("bell", NINE, LONG) for _ in range(10)] == [
        *(NINE + each * SECOND for each in seconds),
        None,
    ]


def test_a_success_resets_the_count() -> None:
    tracker = RetryTracker()
    tracker.count_failure("bell", NINE)
    tracker.worked("bell")

    assert not tracker.is_paused("bell", NINE)
    assert tracker.count_failure("bell", NINE) == NINE + SECOND


def test_an_item_waits_until_its_pause_is_over() -> None:
    tracker = RetryTracker()
    tracker.count_failure("bell", NINE)

    assert (tracker.is_paused("bell", NINE), tracker.count_paused(NINE)) == (True, 1)
    assert (tracker.is_paused("bell", NINE + SECOND), tracker.count_paused(NINE + SECOND)) == (
        False,
        0,
    )
    assert not tracker.is_paused("gate", NINE)


def test_the_next_end_of_a_pause_is_known_and_past_ones_are_ignored() -> None:
    tracker = RetryTracker()
    tracker.count_failure("bell", NINE)
    tracker.count_failure("gate", NINE + SECOND)

    assert tracker.next_at(None) is None
    assert tracker.next_at(NINE) == NINE + SECOND
    assert tracker.next_at(NINE + SECOND) == NINE + 2 * SECOND
    assert tracker.next_at(NINE + 2 * SECOND) is None
