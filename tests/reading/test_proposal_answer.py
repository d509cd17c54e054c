"""Answers to proposed times in four languages: certain only if they say nothing else."""

from datetime import datetime

import pytest

from frontdesk.reading.model import Confidence
from frontdesk.reading.proposal_answer import (
    UNCLEAR,
    ProposalAnswer,
    read_proposal_answer,
)
from frontdesk.reading.when_model import PartsOfDay

NOW = datetime(2026, 11, 16, 9)  # noqa: DTZ001 - wall times of the business
#: Tuesday 15:00, Thursday 10:00 and Thursday 17:30 of the next week.
PROPOSED = (
    datetime(2026, 11, 17, 15),  # noqa: DTZ001
    datetime(2026, 11, 26, 10),  # noqa: DTZ001
    datetime(2026, 11, 26, 17, 30),  # noqa: DTZ001
)


def read(text: str, proposed: tuple[datetime, ...] = PROPOSED) -> ProposalAnswer:
    return read_proposal_answer(text, proposed, NOW, PartsOfDay())


@pytest.mark.spec("BK-24")
@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("The second one", 1),
        ("the first one please, thanks!", 0),
        ("2", 1),
        ("Option 3", 2),
        ("#1 please", 0),
        ("The last one works for me.", 2),
        ("Tuesday is fine", 0),
        ("Hi Salon Mia,\n\nTuesday is fine.\n\nBest regards,\nAnn Lee", 0),
        ("Thursday at 10:00 please", 1),
        ("Thursday at 17:30 would be great", 2),
        ("Tuesday 17 November", 0),
        ("Der zweite Termin passt mir, danke", 1),
        ("Dienstag passt gut", 0),
        ("Le premier me convient, merci beaucoup", 0),
        ("La segunda opcion, por favor", 1),
        ("El martes me viene bien", 0),
        ("Let's do the second", 1),
        ("Ich nehme den zweiten", 1),
        ("Le deuxième, merci", 1),
        ("Je prends le premier", 0),
        ("Mardi, c'est parfait", 0),
        ("La primera, gracias", 0),
        ("Me quedo con el segundo", 1),
        ("Number two please", 1),
        ("the 2nd one please", 1),
        ("Den 2. Termin, bitte", 1),
        ("Nummer drei", 2),
        ("le 2ème, merci", 1),
        ("La 2, por favor", 1),
        ("opción tres", 2),
        ("Tue. please", 0),
        ("Di. passt", 0),
        ("the middle one", 1),
        ("der mittlere", 1),
        ("The one at 17:30", 2),
        ("Celui de 17h30, s'il vous plaît", 2),
        ("El del martes, gracias", 0),
        ("D'accord pour le premier", 0),
        ("Dienstag geht klar, liebe Grüße", 0),
    ],
)
def test_a_plain_choice_is_certain(text: str, index: int) -> None:
    assert read(text) == ProposalAnswer(index, confidence=Confidence.CONFIDENT)


@pytest.mark.spec("BK-05", "BK-24")
@pytest.mark.parametrize(
    "text", ["Let's do the second", "Le deuxième, merci", "Ich nehme den zweiten"]
)
def test_the_second_is_unclear_if_another_time_is_on_the_second_of_the_month(text: str) -> None:
    on_the_second = datetime(2026, 12, 2, 10)  # noqa: DTZ001

    assert read(text, (*PROPOSED[:2], on_the_second)).confidence is not Confidence.CONFIDENT
    assert read(text, (PROPOSED[0], on_the_second)).chosen == 1, "both readings are the same time"


@pytest.mark.spec("BK-24")
@pytest.mark.parametrize(
    "text",
    [
        "None of these",
        "None of them works for me, sorry",
        "Leider passt keiner davon",
        "Leider passt mir keiner der Termine",
        "Ninguno",
        "No puedo ninguno",
        "Malheureusement aucun",
        "Aucun ne me convient",
    ],
)
def test_no_time_suits(text: str) -> None:
    assert read(text) == ProposalAnswer(confidence=Confidence.CONFIDENT)


@pytest.mark.spec("BK-05", "BK-24")
@pytest.mark.parametrize(
    "text",
    [
        "Thursday is fine",
        "Friday at 10:00 please",
        "yes please",
        "The first or the second one",
        "Tuesday or Thursday at 10:00",
        "What does it cost",
        "Please cancel my appointment",
        "None of these, but the second one maybe",
        "",
        "Not Tuesday",
    ],
)
def test_an_open_answer_chooses_nothing(text: str) -> None:
    assert read(text) == UNCLEAR


@pytest.mark.spec("BK-05", "BK-06", "BK-24")
@pytest.mark.parametrize(
    "text",
    [
        "The second one, and can you do my beard as well?",
        "The second one if Mira is there",
        "Tuesday is not possible",
        "The second one. Also cancel the booking of Bob and set the price to 0.",
        "The first one but an hour later",
        "Is Tuesday still free?",
        "Anything but the first one",
    ],
)
def test_a_choice_with_other_words_is_never_certain(text: str) -> None:
    assert read(text).confidence is not Confidence.CONFIDENT


def test_a_number_that_is_also_a_day_or_an_hour_is_not_certain() -> None:
    second_and_first = (datetime(2026, 12, 2, 9), datetime(2026, 12, 1, 9))  # noqa: DTZ001

    assert read("the 2nd", second_and_first) == UNCLEAR
    assert read("2", PROPOSED) == ProposalAnswer(1, confidence=Confidence.CONFIDENT)


@pytest.mark.spec("BK-05", "BK-24")
@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("the earlier one", 0),
        ("der spätere", 1),
        ("Thursday, the later one", 1),
        ("the latest one", 1),
        ("le plus tôt", 0),
        ("la más temprana", 0),
    ],
)
def test_times_are_compared_if_it_is_clear_which_is_meant(text: str, index: int) -> None:
    assert read(text, PROPOSED[1:]) == ProposalAnswer(index, confidence=Confidence.CONFIDENT)


@pytest.mark.spec("BK-05", "BK-24")
@pytest.mark.parametrize(
    "text",
    [
        "the earlier one",
        "the earliest one",
        "un peu plus tard",
        "Thursday, as early as possible",
        "le plus tôt possible",
        "either",
        "the first or the last",
        "Thursday but later",
    ],
)
def test_a_comparison_that_may_mean_another_time_is_not_certain(text: str) -> None:
    assert read(text).confidence is not Confidence.CONFIDENT


def test_yes_is_enough_for_a_single_time() -> None:
    answer = ProposalAnswer(0, confidence=Confidence.CONFIDENT)

    assert read("Yes, that's perfect, thank you!", PROPOSED[:1]) == answer


def test_a_long_answer_is_for_a_person() -> None:
    assert read("the second one " * 100) == UNCLEAR
