"""The rules about numbers that get texts."""

import pytest

from frontdesk.core.text_rules import ABROAD, NOT_MOBILE, TextRules, segment_price_micros
from frontdesk.cost.prices import price_list

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
        ("+881631456789", ABROAD),  # a satellite phone
        ("+882161234567", NOT_MOBILE),
        ("+979123456789", NOT_MOBILE),  # a premium number, in any country
        ("1123 4567", NOT_MOBILE),
    ],
)
def test_texts_go_to_mobiles_of_the_countries_that_are_named(number: str, why: str) -> None:
    assert HERE.why_not(number) == why


@pytest.mark.spec("FD-28")
def test_a_country_without_a_price_costs_as_much_as_the_dearest_one() -> None:
    known = [segment_price_micros(country) for country in price_list().texts]

    assert len(set(known)) > 1
    assert segment_price_micros("XX") == segment_price_micros("") == max(known)
