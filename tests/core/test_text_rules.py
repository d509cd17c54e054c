"""The rules for numbers that get texts."""

import pytest

from frontdesk.core.text_rules import ABROAD, NOT_MOBILE, TextRules

HERE = TextRules(("SG", "US"))


@pytest.mark.spec("FD-28")
@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("+6591234567", ""),
        ("+12125550123", ""),
        ("+6561234567", NOT_MOBILE),
        ("+18765551234", ABROAD),  # Jamaica shares its code with the United States
        ("+61412345678", ABROAD),
        ("+881631456789", ABROAD),  # a satellite
        ("+882161234567", NOT_MOBILE),
        ("+979123456789", NOT_MOBILE),  # premium, in all the world
        ("1123 4567", NOT_MOBILE),
    ],
)
def test_texts_go_to_mobiles_of_the_countries_that_are_named(number: str, why: str) -> None:
    assert HERE.why_not(number) == why
