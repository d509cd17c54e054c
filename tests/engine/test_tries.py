"""What fails is tried again after pauses that grow, a few times."""

from datetime import timedelta

from frontdesk.engine.tries import LONG, Tries
from tests.engine.house import NINE

SECOND = timedelta(seconds=1)


def test_pauses_grow_until_it_is_not_worth_another_try_and_then_the_count_begins_anew() -> None:
    tries = Tries()

    assert [tries.again("bell", NINE) for _ in range(4)] == [
        NINE + SECOND,
        NINE + 2 * SECOND,
        NINE + 4 * SECOND,
        None,
    ]
    assert tries.again("bell", NINE) == NINE + SECOND


def test_who_is_patient_waits_longer_each_time_up_to_a_bound() -> None:
    tries, seconds = Tries(), (5, 10, 20, 40, 80, 160, 300, 300, 300)

    assert [tries.again("bell", NINE, LONG) for _ in range(10)] == [
        *(NINE + each * SECOND for each in seconds),
        None,
    ]


def test_what_worked_begins_anew() -> None:
    tries = Tries()
    tries.again("bell", NINE)
    tries.worked("bell")

    assert not tries.rests("bell", NINE)
    assert tries.again("bell", NINE) == NINE + SECOND


def test_it_rests_until_its_pause_is_over_and_no_longer() -> None:
    tries = Tries()
    tries.again("bell", NINE)

    assert (tries.rests("bell", NINE), tries.resting(NINE)) == (True, 1)
    assert (tries.rests("bell", NINE + SECOND), tries.resting(NINE + SECOND)) == (False, 0)
    assert not tries.rests("gate", NINE)


def test_the_end_of_the_first_rest_is_known_and_what_is_over_wakes_nobody() -> None:
    tries = Tries()
    tries.again("bell", NINE)
    tries.again("gate", NINE + SECOND)

    assert tries.next_at(None) is None
    assert tries.next_at(NINE) == NINE + SECOND
    assert tries.next_at(NINE + SECOND) == NINE + 2 * SECOND
    assert tries.next_at(NINE + 2 * SECOND) is None
