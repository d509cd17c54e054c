"""The contact of the business, as its owner types it."""

import pytest

from frontdesk.core.contact_card import (
    ContactCard,
    clean_business_address,
    clean_business_phone,
    clean_website,
)
from frontdesk.core.contacts import BadContact


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", ""),
        (" +65 6123  4567 ", "+65 6123 4567"),
        ("(030) 123-45 67", "(030) 123-45 67"),
        ("030/1234567", "030/1234567"),
        ("call me", None),
        ("12", None),
        ("1" * 60, None),
    ],
)
def test_a_phone_number_is_kept_as_it_is_written(typed: str, kept: str | None) -> None:
    if kept is None:
        with pytest.raises(BadContact):
            clean_business_phone(typed)
    else:
        assert clean_business_phone(typed) == kept


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", ""),
        ("salon.example", "https://salon.example"),
        ("http://www.salon.example/a?b=c", "http://www.salon.example/a?b=c"),
        ("javascript:alert(1)", None),
        ("https://x@salon.example", None),
        ('https://salon.example/"><script>', None),
        ("https://[salon", None),
        ("nowhere", None),
        ("https://salon.example/" + "x" * 200, None),
    ],
)
def test_a_website_is_an_address_that_a_browser_can_open(typed: str, kept: str | None) -> None:
    if kept is None:
        with pytest.raises(BadContact):
            clean_website(typed)
    else:
        assert clean_website(typed) == kept


def test_an_address_is_one_line() -> None:
    assert clean_business_address(" 12 Kiln Lane,\n Singapore ") == "12 Kiln Lane, Singapore"
    with pytest.raises(BadContact):
        clean_business_address("x" * 201)


def test_values_from_the_console_take_precedence_over_the_settings_file() -> None:
    file = ContactCard(phone="+65 1", address="12 Kiln Lane")

    assert ContactCard(phone="+65 6123 4567").or_else(file) == ContactCard(
        phone="+65 6123 4567", address="12 Kiln Lane"
    )
    assert ContactCard(phone="+65 6123 4567").tel == "+6561234567"
    assert ContactCard(website="https://www.salon.example/").site == "salon.example"
