"""Reading service, party and staff from text."""

import pytest

from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import context


def read(text: str, field: str) -> tuple[object, str] | None:
    found = getattr(RulesReader().read(text, context()), field)
    return (found.value, str(found.confidence)) if found else None


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a haircut", ("Haircut", "confident")),
        ("two MASSAGES", ("Massage", "confident")),
        ("Maniküre", ("Manicure", "confident")),
        ("not a colour, a trim", ("Haircut", "confident")),
        ("eine Massage statt Färben", ("Massage", "confident")),
        ("a masage please", ("Massage", "likely")),
        ("a haircut and a colour", ("Haircut", "unsure")),
        ("see www.massage.example or write to massage@studio.example", None),
        ("I was cutting it fine", None),
    ],
)
def test_services_are_known_by_their_names(text: str, meaning: tuple[str, str] | None) -> None:
    assert read(text, "service") == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a table for 4 people", (4, "confident")),
        ("party of six", (6, "confident")),
        ("wir sind zu dritt", (3, "confident")),
        ("nous sommes 5", (5, "confident")),
        ("somos cuatro", (4, "confident")),
        ("2 adults and 1 child", (3, "confident")),
        ("just me", (1, "confident")),
        ("for two, please", (2, "likely")),
        ("my wife and I", (2, "likely")),
        ("4-6 people", (6, "unsure")),
        ("3 people, no, 4 people", (3, "unsure")),
        ("for two hours", None),
        ("we are 3 days in town", None),
        ("one of us is vegetarian", None),
        ("up to 10 people", None),
        ("100 people", None),
    ],
)
def test_people_are_counted(text: str, meaning: tuple[int, str] | None) -> None:
    assert read(text, "party") == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a cut with Anna", ("Anna", "confident")),
        ("bei Mehmet, bitte", ("Mehmet", "confident")),
        ("with Ben Carter", ("Ben Carter", "confident")),
        ("avec Chloe", ("Chloé", "confident")),
        ("with Anna or Ben", ("Anna", "likely")),
        ("last time I was with Anna", ("Anna", "unsure")),
        ("a present for Anna", ("Anna", "unsure")),
        ("Hi Anna, a cut please", None),
        ("not with Anna", None),
        ("anyone but Anna", None),
        ("A cut please.\nAnna", None),
        ("with Annabel", None),
    ],
)
def test_staff_are_asked_for(text: str, meaning: tuple[str, str] | None) -> None:
    assert read(text, "staff") == meaning
