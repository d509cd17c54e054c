"""Answers to reminders: digits, and words of a closed vocabulary in four languages."""

from __future__ import annotations

from datetime import time

import pytest

from frontdesk.reading.model import Confidence
from frontdesk.reading.visit_answer import MOST_CHARACTERS, VisitChoice, read_visit_answer

CONFIRM, MOVE, CANCEL = VisitChoice


def certain(text: str) -> VisitChoice | None:
    answer = read_visit_answer(text)
    return answer.choice if answer.confidence is Confidence.CONFIDENT else None


@pytest.mark.spec("AR-12")
@pytest.mark.parametrize(
    ("text", "choice"),
    [
        *(("1", CONFIRM), (" 2. ", MOVE), ("3!", CANCEL), ("Reply 3", CANCEL), ("(1)", CONFIRM)),
        *(("Yes", CONFIRM), ("ok thanks", CONFIRM), ("I'm coming, see you then", CONFIRM)),
        *(("Ja, ich komme gerne", CONFIRM), ("Oui, merci", CONFIRM), ("Sí, gracias", CONFIRM)),
        ("\N{THUMBS UP SIGN}", CONFIRM),
        *(
            ("I can't come", CANCEL),
            ("Sorry, I can't make it after all", CANCEL),
            ("Cancel it", CANCEL),
        ),
        *(("Ich kann leider nicht kommen", CANCEL), ("ich komme nicht", CANCEL)),
        *(("Je ne peux pas venir", CANCEL), ("No puedo ir, lo siento", CANCEL)),
        ("Hi Mia,\n\nunfortunately I'm sick and cannot come.\n\nBest regards\nAnn", CANCEL),
        *(("Another time please, any Monday?", MOVE), ("Können wir den Termin verschieben?", MOVE)),
        *(("Une autre heure, s'il vous plaît", MOVE), ("Otra hora por favor", MOVE)),
        *(("Y", CONFIRM), ("perfect, see you", CONFIRM), ("See you then", CONFIRM)),
        *(("Alles klar, bis dann", CONFIRM), ("De acuerdo, gracias", CONFIRM)),
        *(("C'est bon pour moi", CONFIRM), ("Bien sûr, merci", CONFIRM)),
        *(("I won't be able to make it", CANCEL), ("Ich schaffe es leider nicht", CANCEL)),
        *(("Cancelo la cita", CANCEL), ("Annulez, svp", CANCEL)),
        *(("¿Podemos cambiarla?", MOVE), ("Peut-on changer l'heure ?", MOVE)),
    ],
)
def test_a_plain_answer_is_understood(text: str, choice: VisitChoice) -> None:
    assert certain(text) is choice


@pytest.mark.spec("AR-12")
@pytest.mark.parametrize(
    "text",
    [
        *("", "?", "4", "12", "1 2", "1 or 3", "no", "No", "Nein", "maybe"),
        *("Yes but I will be late", "yes?", "Can I bring my dog?", "I can't come by car"),
        *("Don't cancel my appointment", "I can't come at 3 but at 4", "yes, I cannot come"),
        *("Mia is not coming", "No need to cancel", "I am coming, unless it rains"),
        *("See you tomorrow", "Are you sure", "y tu", "perfecto, pero no puedo"),
        *("Ich komme nicht zu spät", "passt leider nicht", "si no llueve", "who is this?"),
        "yes " * MOST_CHARACTERS,
    ],
)
def test_an_ambiguous_answer_is_uncertain(text: str) -> None:
    assert certain(text) is None


@pytest.mark.spec("AR-12")
@pytest.mark.parametrize(
    ("text", "choice", "at"),
    [
        ("3 15:00", CANCEL, time(15)),
        ("15:30 1", CONFIRM, time(15, 30)),
        ("1 9.05", CONFIRM, time(9, 5)),
        ("3 15h00", CANCEL, time(15)),
        ("yes 9:00 uhr", CONFIRM, time(9)),
        ("1 25:00", None, None),
        ("3 15:00 16:00", None, None),
    ],
)
def test_an_answer_can_name_the_time_of_its_visit(
    text: str, choice: VisitChoice | None, at: time | None
) -> None:
    answer = read_visit_answer(text)

    assert (certain(text), answer.at) == (choice, at)


def test_only_an_answer_in_digits_is_marked_so() -> None:
    assert read_visit_answer("3").by_digit
    assert not read_visit_answer("I cannot come").by_digit
