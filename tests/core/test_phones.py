"""Phone numbers: stored form, errors, and display."""

import re
import subprocess
import sys

import phonenumbers
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk.core.contacts import BadContact
from frontdesk.core.phones import can_text, clean_phone, read_phone, shown

E164 = re.compile(r"\+[1-9][0-9]{6,14}")

#: An example of a mobile and of a landline number for each country that has both.
NUMBERS = {
    country: [
        phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
        for kind in (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE)
        if (number := phonenumbers.example_number_for_type(country, kind))
    ]
    for country in sorted(phonenumbers.SUPPORTED_REGIONS)
}


@pytest.mark.spec("AR-07")
@pytest.mark.parametrize(
    ("text", "country", "kept"),
    [
        ("9123 4567", "SG", "+6591234567"),
        ("+65 9123-4567", "DE", "+6591234567"),
        ("65 9123 4567", "SG", "+6591234567"),
        ("０１７１ １２３４５６７", "DE", "+491711234567"),
        ("0171/1234567", "DE", "+491711234567"),
        ("+49 (0)171 1234567", "DE", "+491711234567"),
        ("0049 171 1234567", "DE", "+491711234567"),
        ("tel:+49-171-1234567", "US", "+491711234567"),
        ("(212) 555-0123", "US", "+12125550123"),
        ("1 212.555.0123", "US", "+12125550123"),
        ("06 12 34 56 78", "FR", "+33612345678"),
        ("020 7946 0123", "GB", "+442079460123"),
        ("+39 06 6982", "SG", "+39066982"),
        ("\u202a+65 9123 4567\u202c", "SG", "+6591234567"),
        ("٩١٢٣٤٥٦٧", "SG", "+6591234567"),
        ("0061 412 345 678", "SG", "+61412345678"),
        ("0065 9123 4567", "SG", "+6591234567"),
        ("0044 (20) 7946 0123", "US", "+442079460123"),
    ],
)
def test_a_number_as_people_write_it_is_kept_in_one_form(
    text: str, country: str, kept: str
) -> None:
    assert clean_phone(text, country) == kept


LOOK_AGAIN = "There is no such phone number: please look at the digits once more."
ONE_NUMBER = "Please give one phone number, in digits, like +65 6123 4567."


@pytest.mark.spec("WL-04", "AR-07")
@pytest.mark.parametrize(
    ("text", "country", "words"),
    [
        ("", "SG", "Please give a phone number."),
        ("  ", "SG", "Please give a phone number."),
        ("9" * 61, "SG", "That phone number is too long."),
        ("ask my sister", "SG", ONE_NUMBER),
        ("1-800-FLOWERS", "US", ONE_NUMBER),
        ("ann@example.org", "US", ONE_NUMBER),
        ("9123 4567, 9876 5432", "SG", ONE_NUMBER),
        ("+65 +65 91234567", "SG", ONE_NUMBER),
        ("212 555 0123 x5", "US", "Please give a phone number without an extension."),
        ("212 555 0123 ext. 5", "US", "Please give a phone number without an extension."),
        ("555-0123", "US", "Please give the number with its area code."),
        ("912", "SG", "That phone number is too short: is a digit missing?"),
        (
            "9123 4567/9876 5432",
            "SG",
            "That phone number is too long: is there a digit too many?",
        ),
        (
            "+999 123 4567",
            "SG",
            "No country has the code that this number begins with. Please check its first digits.",
        ),
        ("1123 4567", "SG", LOOK_AGAIN),
        ("+", "SG", ONE_NUMBER),
        ("---", "SG", LOOK_AGAIN),
        (
            "0900 1 234567",
            "DE",
            "Please give a number of your own, not one that costs extra to call.",
        ),
        (
            "49 171 1234567",
            "DE",
            "Please write the number with + and the country's code in front.",
        ),
    ],
)
def test_text_that_cannot_be_a_number_is_refused_with_a_sentence(
    text: str, country: str, words: str
) -> None:
    with pytest.raises(BadContact) as refused:
        clean_phone(text, country)

    assert str(refused.value) == words


@pytest.mark.spec("WL-04")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("9123 4567", "+6591234567"),
        ("6123 4567", "+6561234567"),
        ("1123 4567", "1123 4567"),
        (" +999  123 4567", "+999 123 4567"),
        ("0000 61 2 1234", "0000 61 2 1234"),
        ("6123 4567 ext 12", "6123 4567 ext 12"),
    ],
)
def test_a_number_that_the_plans_do_not_know_is_kept_as_written(text: str, kept: str) -> None:
    assert read_phone(text, "SG") == kept
    assert (read_phone(kept, "SG"), can_text(kept)) == (kept, kept == "+6591234567")
    assert read_phone(shown(kept), "SG") == kept


@pytest.mark.spec("WL-04")
@pytest.mark.parametrize(
    "text",
    ["", "911", "ask my sister", "ann@example.org", "9" * 61, "=1+1+11111", "+1 900 234 5678"],
)
def test_text_without_a_number_and_premium_numbers_are_not_stored(text: str) -> None:
    with pytest.raises(BadContact):
        read_phone(text, "SG")


def test_each_country_s_own_numbers_come_back_as_they_are_kept() -> None:
    for country, numbers in NUMBERS.items():
        assert [clean_phone(number, "SG") for number in numbers] == numbers
        assert [clean_phone(shown(number), country) for number in numbers] == numbers


@settings(max_examples=150, deadline=None)
@example("+65 9123 4567")
@given(st.text(st.sampled_from("0123456789 +-()/.x٣a#;,\u00a0\u200b"), max_size=30) | st.text())
def test_any_text_is_a_kept_number_or_refused(text: str) -> None:
    try:
        kept = clean_phone(text, "SG")
    except BadContact:
        return
    assert E164.fullmatch(kept)
    assert clean_phone(kept, "DE") == kept
    assert clean_phone(shown(kept), "US") == kept


def test_people_read_a_number_with_spaces_and_one_that_is_none_as_it_is() -> None:
    assert [shown(kept) for kept in ("+6591234567", "+491711234567", "+12125550123", "x")] == [
        "+65 9123 4567",
        "+49 171 1234567",
        "+1 212-555-0123",
        "x",
    ]


def test_a_text_goes_to_a_mobile_number_and_to_no_landline() -> None:
    numbers = ["+6591234567", "+12125550123", "+6561234567", "+442079460123", "x"]

    assert [can_text(number) for number in numbers] == [True, True, False, False, False]


def test_the_numbering_plans_are_not_loaded_before_a_number_is_read() -> None:
    code = (
        "import sys; from frontdesk.core.phones import clean_phone;"
        " before = 'phonenumbers' in sys.modules; clean_phone('9123 4567', 'SG');"
        " print(before, 'phonenumbers' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (ran.stdout, ran.stderr) == ("False True\n", "")
