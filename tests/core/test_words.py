from datetime import timedelta

import pytest

from frontdesk.core.words import count, join_names, ordinal, short_length


def test_small_places_are_words_and_large_ones_are_figures() -> None:
    said = [ordinal(n) for n in (1, 2, 3, 9, 12, 13, 21, 22, 23, 24, 100, 101, 111, 112, 113, 1002)]

    assert said == [
        *("first", "second", "third", "ninth", "twelfth", "13th", "21st", "22nd", "23rd", "24th"),
        *("100th", "101st", "111th", "112th", "113th", "1002nd"),
    ]


def test_there_is_no_place_before_the_first() -> None:
    with pytest.raises(ValueError, match="no place number 0"):
        ordinal(0)


def test_one_is_singular_and_everything_else_is_plural() -> None:
    assert [count(n, "seat") for n in (0, 1, 2, 1200)] == [
        "0 seats",
        "1 seat",
        "2 seats",
        "1,200 seats",
    ]
    assert [count(n, "person", "people") for n in (1, 2)] == ["1 person", "2 people"]


def test_names_are_joined_as_one_says_them() -> None:
    assert join_names([]) == ""
    assert join_names(["Ann"]) == "Ann"
    assert join_names(["Ann", "Bob"]) == "Ann and Bob"
    assert join_names(["Ann", "Bob", "Cat"]) == "Ann, Bob and Cat"


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(0, "0 min"), (45, "45 min"), (60, "1 h"), (235, "3 h 55 min"), (1500, "25 h")],
)
def test_lengths_in_narrow_columns_are_short(minutes: int, said: str) -> None:
    assert short_length(timedelta(minutes=minutes, seconds=59)) == said
