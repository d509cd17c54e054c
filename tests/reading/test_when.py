"""Wished times in people's own words: days and times of day, in four languages."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.reading.model import MOST_CHARACTERS, Confidence, Words
from frontdesk.reading.phrases.vocabulary import all_phrases, languages_of
from frontdesk.reading.when import read_when
from frontdesk.reading.when_model import DAY_ENDS, ClockRange, PartsOfDay, When, WhenOption
from frontdesk.values import replace
from tests.reading.when_corpus import (
    NOW,
    Phrase,
    excluded_in,
    options_in,
    phrases,
    read,
)
from tests.support.processor_time import takes_less_than

TUESDAY = date(2026, 11, 17)
THURSDAY = date(2026, 11, 19)


def test_the_corpus_is_large_and_in_four_languages() -> None:
    languages = [each.lang for each in phrases()]

    assert len(phrases()) >= 700
    assert min(map(languages.count, ("en", "de", "es", "fr"))) >= 140
    assert len({each.text for each in phrases()}) == len(phrases())


@pytest.mark.parametrize(
    ("word", "languages"),
    [("mon", ("en", "fr")), ("feb", ("en", "de", "es")), ("august", ("en", "de"))],
)
def test_languages_that_are_equally_likely_have_one_order_in_every_process(
    word: str, languages: tuple[str, ...]
) -> None:
    assert languages_of([word]) == languages


@pytest.mark.spec("BK-23", "BK-04")
@pytest.mark.parametrize("phrase", phrases(), ids=lambda phrase: phrase.text)
def test_phrases_are_read_as_people_mean_them(phrase: Phrase) -> None:
    found = read(phrase.text, month_first=phrase.month_first)

    assert found is not None
    assert (options_in(found), excluded_in(found), found.confidence) == (
        phrase.options,
        phrase.excluded,
        phrase.confidence,
    )


@pytest.mark.spec("BK-04")
def test_a_wish_has_its_values_a_confidence_and_its_words() -> None:
    text = "Could I come on Tuesday or Thursday after 5, but not on the 24th?"

    assert read(text) == When(
        options=(
            WhenOption(TUESDAY, TUESDAY, clocks=(ClockRange(17 * 60, DAY_ENDS),)),
            WhenOption(THURSDAY, THURSDAY, clocks=(ClockRange(17 * 60, DAY_ENDS),)),
        ),
        not_weekdays=frozenset(),
        not_on=((date(2026, 11, 24), date(2026, 11, 24)),),
        confidence=Confidence.CONFIDENT,
        words=(
            Words("Tuesday", 16),
            Words("Thursday", 27),
            Words("after 5", 36),
            Words("but not on the 24th", 45),
        ),
    )


@pytest.mark.spec("BK-23")
def test_the_business_defines_the_parts_of_the_day() -> None:
    parts = replace(PartsOfDay(), after_work=ClockRange(18 * 60, 20 * 60))

    found = read_when("after work on Thursday", NOW, parts, month_first=False)

    assert found
    assert found.options == (
        WhenOption(THURSDAY, THURSDAY, clocks=(ClockRange(18 * 60, 20 * 60),)),
    )


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("next Wednesday", ("2026-11-25", "2026-11-18")),
        ("nächsten Mittwoch", ("2026-11-25", "2026-11-18")),
        ("mercredi prochain", ("2026-11-18", "2026-11-25")),
        ("el próximo miércoles", ("2026-11-18", "2026-11-25")),
        ("tomorrow at 6", ("2026-11-17 18:00", "2026-11-17 06:00")),
        ("on 03/04", ("2027-04-03", "2027-03-04")),
    ],
)
def test_a_phrase_on_which_people_differ_has_both_readings(
    text: str, options: tuple[str, ...]
) -> None:
    found = read(text)

    assert options_in(found) == options
    assert found
    assert found.confidence is not Confidence.CONFIDENT


def test_the_order_of_day_and_month_decides_which_reading_is_first() -> None:
    assert options_in(read("on 03/04", month_first=True)) == ("2027-03-04", "2027-04-03")


def test_a_time_that_has_passed_today_is_no_reading() -> None:
    assert options_in(read("today at 9")) == ("2026-11-16 21:00",)
    assert options_in(read("today at 11")) == ("2026-11-16 11:00",)


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "a haircut please",
        "Good morning! Have a nice evening.",
        "Guten Abend, schönen Tag noch",
        "Buenas tardes, gracias",
        "Bonsoir et bonne soirée",
        "a table for two",
        "a massage of 2 hours",
        "call me on 0171 2345678",
        "write to monday@studio.example",
        "we were there last Tuesday",
        "massage du dos",
        "it costs 12.50 €",
        "room 12, 3 Main Street",
        "May I bring one of us",
        "the second one is fine",
        "24/7",
        "born 12.03.1985",
        "31.02.2027",
    ],
)
def test_a_text_without_a_wished_time_has_none(text: str) -> None:
    assert read(text) is None


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    "text",
    [
        "I want to cancel on Thursday",
        "Please cancel my appointment on Thursday and Friday",
        "My cut on Thursday at 5pm is cancelled",
        "Please cancel Tuesdays",
        "Ich möchte den Termin am Donnerstag absagen",
        "Ich sage den Termin am Donnerstag um 15 Uhr ab",
        "Bitte stornieren Sie den 20. November",
        "Je voudrais annuler mon rendez-vous de jeudi",
        "Le rendez-vous de jeudi est annulé",
        "Quiero cancelar la cita del jueves",
        "La cita del jueves queda anulada",
    ],
)
def test_the_time_of_a_cancelled_appointment_is_neither_wished_for_nor_excluded(text: str) -> None:
    assert read(text) is None


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    "text",
    [
        "We are away from 1 to 8 December, but any other time is fine",
        "Vom 1. bis 8. Dezember bin ich im Urlaub",
        "Je suis en vacances du 1er au 8 décembre",
        "No estoy del 1 al 8 de diciembre",
    ],
)
def test_days_of_absence_are_excluded(text: str) -> None:
    found = read(text)

    assert (options_in(found), excluded_in(found)) == ((), ("2026-12-01..2026-12-08",))


def test_a_range_after_from_has_one_reading_and_is_certain() -> None:
    found = read("any day from 23 to 27 November")

    assert found
    assert (options_in(found), found.confidence) == (("2026-11-23..2026-11-27",), "confident")


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    "text",
    [
        "I have to cancel Thursday, could I come on Friday instead?",
        "cancel my appointment on Thursday and come on Friday instead",
        "Donnerstag muss ich leider absagen, geht Freitag?",
        "J'annule jeudi et je voudrais venir vendredi",
        "Cancelo el jueves, ¿puedo ir el viernes?",
        "if anything is cancelled on Friday",
        "Ich sage mal Freitag",
    ],
)
def test_beside_a_cancellation_a_wish_is_read(text: str) -> None:
    found = read(text)

    assert options_in(found) == ("2026-11-20",)
    assert excluded_in(found) == ()


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    "text",
    [
        "31 December 9999 at 15:00",
        "December 31, 9999 at 15:00",
        "Tuesday, December 31, 9999 15:00",
        "in December 9999 at 15:00",
        "am 31. Dezember 9999 um 15 Uhr",
        "le 31 décembre 9999 à 15h",
        "el 31 de diciembre de 9999 a las 15:00",
    ],
)
def test_a_day_of_a_year_that_nobody_means_is_not_the_next_such_day(text: str) -> None:
    found = read(text)

    assert found is not None
    assert [option.first_on for option in found.options] == [None]


def test_a_number_behind_a_date_is_a_time_or_the_start_of_a_number_to_call() -> None:
    for text in ("3 March 9123 4567", "3 March 9123-4567", "3 March, 1500"):
        found = read(text)
        assert found is not None
        assert found.options[0].first_on == date(2027, 3, 3)


@pytest.mark.parametrize(
    "text",
    [
        "I have an appointment on 24 November at 3pm",
        "tickets for a concert on 24 November at 8pm",
        "The delivery of your order is on 24 November at 10:30",
        "Are you open on 24 December?",
        "I waited there for hours and then left on 24 November at 10:30",
    ],
)
def test_times_of_other_things_are_never_certain(text: str) -> None:
    found = read(text)

    assert found is None or found.confidence is not Confidence.CONFIDENT


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    ("text", "options"),
    [
        (
            "Could my mother and my sister come together for a massage on Thursday\n26 November?",
            ("2026-11-26",),
        ),
        (
            "Wir hätten gern einen Tisch am Fenster für vier Personen, und zwar am 4.\nDezember",
            ("2026-12-04",),
        ),
    ],
)
def test_a_date_may_go_on_in_the_next_line(text: str, options: tuple[str, ...]) -> None:
    assert options_in(read(text)) == options


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    "number",
    ["06.12.34.56.78", "06 12 34 56 78", "020 7946 0958", "(212) 736-5000", "+49 30 901820"],
)
def test_a_phone_number_beside_a_wish_is_no_part_of_it(number: str) -> None:
    assert options_in(read(f"Thursday please, {number}")) == ("2026-11-19",)
    assert read(f"call me on {number}") is None


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize(
    "text",
    [
        "in the Christmas holidays, from the 19th on",
        "in den Herbstferien ab dem 19.",
        "pendant les vacances de la Toussaint, à partir du 19",
        "en las vacaciones de Navidad, a partir del 19",
    ],
)
def test_school_holidays_are_never_certain(text: str) -> None:
    found = read(text)

    assert found is None or found.confidence is not Confidence.CONFIDENT


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize("text", ["Tuesday 40", "half Tuesday", "dix jours mardi", "martes, sab"])
def test_days_beside_words_that_are_not_understood_are_never_certain(text: str) -> None:
    found = read(text)

    assert found is None or found.confidence is not Confidence.CONFIDENT


def test_a_quoted_mail_and_a_signature_are_not_read() -> None:
    text = "Thursday at 11 please.\n\nKind regards,\nAnn Lee\nOpen Mon-Fri 9-5\n\n> Tuesday at 3?"

    assert options_in(read(text)) == ("2026-11-19 11:00",)


_WORDS = (
    *(word for phrase in phrases() for word in phrase.text.split()),
    *all_phrases(),
    *("31.", "99", "0", "24:00", "at", "\n", ",", ".", "-", "…", "'", "²", "٣"),
)
_TEXTS = st.lists(st.sampled_from(_WORDS), max_size=25).map(" ".join) | st.text(max_size=80)
_MOMENTS = st.datetimes() | st.just(NOW)


@pytest.mark.spec("BK-23")
@given(text=_TEXTS, now=_MOMENTS, month_first=st.booleans())
def test_any_text_at_any_time_is_read_without_an_error(
    text: str, now: datetime, month_first: bool
) -> None:
    found = read(text, now=now, month_first=month_first)

    if found is not None:
        _check(found, text, now)


def _check(found: When, text: str, now: datetime) -> None:
    assert found.words
    for words in found.words:
        assert words.text
        assert text[words.start : words.end] == words.text
    for option in found.options:
        assert all(0 <= each.earliest <= each.latest <= DAY_ENDS for each in option.clocks)
        assert option.weekdays <= set(range(7))
        if option.first_on and option.last_on:
            assert option.first_on <= option.last_on
        if found.confidence is Confidence.CONFIDENT:
            assert option.last_on is None or option.last_on >= now.date()
    assert len(set(found.options)) == len(found.options)
    assert all(first <= last for first, last in found.not_on)


_HOSTILE = (
    *("1", " ", "\n", "1.", "1/", "1-", "3 ", "h", "a ", "d'", "> ", "x@", "ß", "٣ ", "(", "t"),
    *(
        "at 3 ",
        "12:30 ",
        "not ",
        "morning ",
        "in the ",
        "between 2 and ",
        "tuesday or ",
        "tuesday, ",
    ),
    *("first ", "5 march ", "de la ", "early ", "twenty ", "mondays or ", "next ", "the 5th and "),
    *("from 2 to 6 december ", "en fin de ", "week of ", "Monday to ", "I can't tuesday ", "uhr "),
    " ".join(phrase.text for phrase in phrases()) + " ",
)


@pytest.mark.spec("BK-23")
@pytest.mark.parametrize("piece", _HOSTILE, ids=lambda piece: repr(piece[:20]))
def test_hostile_text_takes_less_than_a_fifth_of_a_second(piece: str) -> None:
    text = (piece * MOST_CHARACTERS)[:MOST_CHARACTERS]

    assert takes_less_than(0.2, lambda: read(text))
