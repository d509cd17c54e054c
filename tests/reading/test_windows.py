"""Words about days, as of Monday, 16 November 2026."""

from datetime import date

import pytest

from frontdesk.reading.windows import window
from frontdesk.reading.words import folded
from tests.reading.corpus import TODAY


def read(text: str, *, today: date = TODAY, country: str = "DE") -> str:
    """Returns 'earliest confidence / latest confidence', with '-' for an open end."""
    found = window(text, folded(text), today=today, written_on=today, country=country)
    ends = (found.earliest_on, found.latest_on)
    return " / ".join(f"{end.value} {end.confidence}" if end else "-" for end in ends)


def days(first: str | None, last: str | None, confidence: str = "confident") -> str:
    return " / ".join(f"{end} {confidence}" if end else "-" for end in (first, last))


TUESDAY, NEXT_TUESDAY = "2026-11-17", "2026-11-24"
NEXT_WEEK = ("2026-11-23", "2026-11-29")
MARCH = ("2027-03-03", "2027-03-07")

CLEAR = {
    "on Tuesday": (TUESDAY, TUESDAY),
    "Tuesday of next week": (NEXT_TUESDAY, NEXT_TUESDAY),
    "nächste Woche Dienstag": (NEXT_TUESDAY, NEXT_TUESDAY),
    "mardi de la semaine prochaine": (NEXT_TUESDAY, NEXT_TUESDAY),
    "next week": NEXT_WEEK,
    "nächste Woche": NEXT_WEEK,
    "la semaine prochaine": NEXT_WEEK,
    "la semana que viene": NEXT_WEEK,
    "between 3 and 7 March": MARCH,
    "March 3rd to 7th": MARCH,
    "vom 3. bis 7. März": MARCH,
    "3.-7.3.": MARCH,
    "du 3 au 7 mars": MARCH,
    "entre el 3 y el 7 de marzo": MARCH,
    "from 2027-03-03 until 2027-03-07": MARCH,
    "28 November to 3 December": ("2026-11-28", "2026-12-03"),
    "Thursday to Tuesday": ("2026-11-19", "2026-11-24"),
    "15/03": ("2027-03-15", "2027-03-15"),
    "Dec 3 (Thu)": ("2026-12-03", "2026-12-03"),
    "From | 3 March |\n| To   | 7 March |": MARCH,
    "15.03.2027": ("2027-03-15", "2027-03-15"),
    "Friday the 20th": ("2026-11-20", "2026-11-20"),
    "29 February 2028": ("2028-02-29", "2028-02-29"),
    "tomorrow": (TUESDAY, TUESDAY),
    "übermorgen": ("2026-11-18", "2026-11-18"),
    "in December": ("2026-12-01", "2026-12-31"),
    "so 24 November": (NEXT_TUESDAY, NEXT_TUESDAY),
    "week of 9 December": ("2026-12-07", "2026-12-13"),
    "the last Friday of November": ("2026-11-27", "2026-11-27"),
    "on Saturday\n12 December, please": ("2026-12-12", "2026-12-12"),
    "on 12\nDecember, please": ("2026-12-12", "2026-12-12"),
    "on 1 December for Philippa Nye": ("2026-12-01", "2026-12-01"),
    "on 1 December for Ernst-August Kramer": ("2026-12-01", "2026-12-01"),
    "on 1 December:\n- Jan Moser, haircut": ("2026-12-01", "2026-12-01"),
    "on 1 December, I am off most of the month": ("2026-12-01", "2026-12-01"),
    "on 1 December, Fr. Albers": ("2026-12-01", "2026-12-01"),
    "On Sun 15 Nov, you wrote that 27 November is free": ("2026-11-27", "2026-11-27"),
}


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize("text", CLEAR)
def test_clear_words_are_understood(text: str) -> None:
    assert read(text) == days(*CLEAR[text])


LIKELY = {
    "any day next week except Wednesday": NEXT_WEEK,
    "Tuesday or Thursday next week": (NEXT_TUESDAY, "2026-11-26"),
    "the 20th": ("2026-11-20", "2026-11-20"),
    "mardi prochain": (TUESDAY, TUESDAY),
    "Ende November": ("2026-11-21", "2026-11-30"),
    "within the next two weeks": ("2026-11-16", "2026-11-30"),
    "Tuesday week": (NEXT_TUESDAY, NEXT_TUESDAY),
    "New Year's Eve": ("2026-12-31", "2026-12-31"),
    "4th and 11th December": ("2026-12-04", "2026-12-11"),
    "KW 49": ("2026-11-30", "2026-12-06"),
    "in December, but I am away from the 5th to the 12th": ("2026-12-01", "2026-12-31"),
    "this weekend": ("2026-11-21", "2026-11-22"),
    "dieses Wochenende": ("2026-11-21", "2026-11-22"),
    "this week or next": ("2026-11-16", "2026-11-29"),
    "am 1. oder 2. Advent": ("2026-11-29", "2026-12-06"),
    "Friday fortnight": ("2026-12-04", "2026-12-04"),
    "a week on Friday": ("2026-11-27", "2026-11-27"),
    "tonight": ("2026-11-16", "2026-11-16"),
    "on 26 November, otherwise the Monday after": ("2026-11-26", "2026-11-26"),
    "Der 1. Dezember passt, der 2. nicht": ("2026-12-01", "2026-12-01"),
    "before the end of the month": (None, "2026-11-30"),
    "some time in the next fortnight": ("2026-11-16", "2026-11-30"),
    "nächste Woche Dienstag oder Donnerstag": (NEXT_TUESDAY, "2026-11-26"),
    "I burned my hand on 2 September, so 24 November": (NEXT_TUESDAY, NEXT_TUESDAY),
    "her birthday is on 1 December, so 24 November": (NEXT_TUESDAY, NEXT_TUESDAY),
    "if it is below 70 euros 24 November": (NEXT_TUESDAY, NEXT_TUESDAY),
    "I can't do Tuesday, Thursday is fine": ("2026-11-19", "2026-11-19"),
}


@pytest.mark.parametrize("text", LIKELY)
def test_words_that_leave_something_open_are_likely(text: str) -> None:
    assert read(text) == days(*LIKELY[text], "likely")


UNSURE = {
    "03/04": ("2027-04-03", "2027-04-03"),
    "12/10/26": ("2026-12-10", "2026-12-10"),
    "3-4-2027": ("2027-04-03", "2027-04-03"),
    "next Tuesday afternoon": (NEXT_TUESDAY, NEXT_TUESDAY),
    "24 November (Mon)": (NEXT_TUESDAY, NEXT_TUESDAY),
    "Monday 24 November": (NEXT_TUESDAY, NEXT_TUESDAY),
    "Monday 24.11.2026": (NEXT_TUESDAY, NEXT_TUESDAY),
    "Mon 24/11/2026": (NEXT_TUESDAY, NEXT_TUESDAY),
    "before her school photo on 3 December": (None, "2026-12-02"),
    "my birthday is on 20 November": ("2026-11-20", "2026-11-20"),
    "tickets for a concert on 24 November": (NEXT_TUESDAY, NEXT_TUESDAY),
    "I have an appointment on 24 November": (NEXT_TUESDAY, NEXT_TUESDAY),
    "moved from 24 November to 26 November, please reschedule": (NEXT_TUESDAY, "2026-11-26"),
    "14 November": ("2026-11-14", "2026-11-14"),
    "3 November 2026": ("2026-11-03", "2026-11-03"),
    "in two weeks": ("2026-11-30", "2026-11-30"),
    "next weekend": ("2026-11-28", "2026-11-29"),
    "the first week of December": ("2026-12-07", "2026-12-13"),
}


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize("text", UNSURE)
def test_words_with_two_meanings_and_days_gone_by_are_unsure(text: str) -> None:
    assert read(text) == days(*UNSURE[text], "unsure")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("after the 15th", "2026-12-16 likely / -"),
        ("from 1 December", "2026-12-01 confident / -"),
        ("nicht vor dem 1. Dezember", "2026-12-01 confident / -"),
        ("à partir du 20", "2026-11-20 likely / -"),
        ("before 20 December", "- / 2026-12-19 confident"),
        ("by Friday", "- / 2026-11-20 confident"),
        ("hasta el 20 de diciembre", "- / 2026-12-20 confident"),
        ("after 15 December, before 20 December", "2026-12-16 confident / 2026-12-19 confident"),
        ("20 November or later", "2026-11-20 confident / -"),
        ("20 November at the earliest", "2026-11-20 confident / -"),
        ("not until 20 November", "2026-11-20 confident / -"),
        ("20 November at the latest", "- / 2026-11-20 confident"),
        ("up to and including 20 November", "- / 2026-11-20 confident"),
        ("I am away until the 20th", "2026-11-21 unsure / -"),
        ("I can't before 1 December", "2026-12-01 likely / -"),
    ],
)
def test_a_window_may_be_open_at_one_end(text: str, meaning: str) -> None:
    assert read(text) == meaning


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    "text",
    [
        "as soon as possible",
        "Mondays and Wednesdays",
        "any Tuesday",
        "we were there last Tuesday",
        "two weeks ago",
        "Guten Morgen",
        "por la mañana",
        "may I march in",
        "24/7",
        "at 10.30 Uhr, 12.50 €",
        "the 2nd floor",
        "room 12/4",
        "1/2 hour",
        "31.02.2027",
        "30 February",
        "born 12.03.1985",
        "12 March Street",
        "your mail of 3 December",
        "version 1.2.3",
        "any weekday but Tuesday",
        "November 31",
        "the booster is due after six months",
        "I never know my shifts until the week before",
        "See you in the new year!",
        "I am abroad all winter",
        "are you free at the moment",
        "on Tuesday evenings",
        "dienstagabends",
        "Tuesday or Thursday evenings",
        "last done in July",
        "I asked for 3 December",
        "Submitted: 3 December 2026",
        "Leeds, 14 November 2026\n\nDear all,\na massage please",
    ],
)
def test_text_that_is_no_date_gives_no_window(text: str) -> None:
    assert read(text) == "- / -"


def test_numbers_are_read_in_the_order_of_the_country_and_never_for_certain() -> None:
    assert read("03/04/2027", country="US") == days("2027-03-04", "2027-03-04", "unsure")
    assert read("03/04/2027", country="GB") == days("2027-04-03", "2027-04-03", "unsure")


def test_a_weekday_tells_which_number_is_the_day() -> None:
    assert read("Saturday 03/04/2027") == days("2027-04-03", "2027-04-03", "likely")
    assert read("Thursday 03/04/2027") == days("2027-03-04", "2027-03-04", "likely")


def test_next_tuesday_is_clear_once_this_weeks_is_over() -> None:
    assert read("next Tuesday", today=date(2026, 11, 18)) == days(NEXT_TUESDAY, NEXT_TUESDAY)


def test_words_that_fit_no_window_are_passed_on() -> None:
    found = window(
        text := "next week except Wednesday, only Tuesdays",
        folded(text), today=TODAY, written_on=TODAY, country="DE",
    )  # fmt: skip

    assert [words.text for words in found.also] == ["except Wednesday", "Tuesdays"]


@pytest.mark.parametrize("today", [date.min, date.max, date(2028, 2, 29), date(9999, 12, 31)])
@pytest.mark.parametrize("text", [*CLEAR, *LIKELY, *UNSURE, "next month", "Christmas", "KW 53"])
def test_every_day_can_be_today(text: str, today: date) -> None:
    read(text, today=today)
