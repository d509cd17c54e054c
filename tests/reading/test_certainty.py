"""A day or a number is certain only if nothing else in the text contradicts it."""

import pytest

from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import context


def read(text: str, name: str, country: str = "DE") -> str:
    field = getattr(RulesReader().read(text, context(country)), name)
    return f"{field.value} {field.confidence}" if field else ""


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    "text",
    [
        "Could I get a massage with Anna on 4 December around 11?",
        "My husband and I would like a massage on 4 December.",
        "Massage, please. Friday 4 December would be great.",
        "A massage for my mother on 4 Dec (Fri), please",
        "I left my scarf on 12 November. Is there room for a massage on Fri 4 Dec?",
        "Hätten Sie am 4.12. gegen 10 Uhr noch einen Termin zur Massage frei?",
        "Auriez-vous une place pour un massage le 4 décembre en fin de journée ?",
        "Mi nombre es Ana Gil. Un masaje el viernes 4 de diciembre, por favor.",
    ],
)
def test_a_day_is_certain_where_nothing_else_is_said_of_it(text: str) -> None:
    assert read(text, "earliest_on") == "2026-12-04 confident"


@pytest.mark.parametrize(
    ("text", "day"),
    {
        "Could I have a massage on Thursday?": "2026-11-19 confident",
        "Could I have a massage this Thursday?": "2026-11-19 confident",
        "Could I have a massage on Tuesday next week?": "2026-11-24 confident",
        "Could I have the Thursday massage?": "2026-11-19 likely",
        "Could I have a massage next week?": "2026-11-23 likely",
        "Could I have a massage in December?": "2026-12-01 likely",
    }.items(),
)
def test_the_day_of_a_week_may_be_certain_but_no_longer_stretch(text: str, day: str) -> None:
    assert read(text, "earliest_on") == day


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    "text",
    [
        "Please let me know by 20 November if you have a slot for a massage.",
        "Can you call me on 20 November about a massage?",
        "Could I have a massage ahead of our holiday on 20 November?",
        "I've got a massage booked 20 November, could I come earlier?",
        "Is my massage on 20 November still on?",
        "My appointment on 20 November is too late, can I get a massage before?",
        "Can I get a massage around 20 November?",
        "Can I get a massage two days before 20 November?",
        "Can I get a massage within a week of 20 November?",
        "A massage on 20 November, plus minus two days",
        "A massage on 20 November please, but any day that week is fine",
        "A massage on 20 November (or 21)",
        "A massage, ideally on 20 November",
        "Bitte um Rückmeldung bis 20.11., Massage gewünscht.",
        "Merci de me rappeler le 20 novembre pour un massage.",
    ],
)
def test_a_day_of_which_something_else_is_said_is_never_certain(text: str) -> None:
    assert "confident" not in read(text, "earliest_on") + read(text, "latest_on")


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("text", "party"),
    {
        "We are four, dinner please": "4 confident",
        "Dinner, please. Two of us in total.": "2 confident",
        "A birthday table for six, with balloons": "6 confident",
        "Two people recommended you. Dinner, please": "2 likely",
        "The table of 4 next to us was loud. Dinner, please": "4 likely",
        "Ein Tisch für 2 Personen oder 3": "2 unsure",
    }.items(),
)
def test_a_number_of_people_is_certain_only_if_it_counts_those_who_come(
    text: str, party: str
) -> None:
    assert read(text, "party") == party


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("A cut, please. Ring me on 0171 2345678.", "phone", "+491712345678 confident"),
        ("A cut, please. Ann Lee, 0171 2345678", "phone", "+491712345678 confident"),
        ("Erreichbar bin ich unter 0171 2345678.", "phone", "+491712345678 confident"),
        ("My mother needs a cut. My mobile is 0171 2345678", "phone", "+491712345678 confident"),
        ("A cut, please. Ann Lee, ann@example.org", "email", "ann@example.org confident"),
        ("email=ann@example.org", "email", "ann@example.org confident"),
        (
            "A cut.\nAnn Lee, ann@example.org\n\nThis e-mail is confidential. Call 030 23125678.",
            "phone",
            "",
        ),
    ],
)
def test_a_contact_is_certain_where_the_text_says_so(text: str, name: str, value: str) -> None:
    assert read(text, name) == value


def test_a_number_without_a_leading_zero_is_certain_only_where_numbers_have_none() -> None:
    text = "A haircut, please. Ann Lee, 212-736-5000"

    assert read(text, "phone", "US") == "+12127365000 confident"
    assert read(text, "phone", "DE") == "+492127365000 likely"


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("text", "service"),
    {
        "A massage, please": "Massage confident",
        "I'm after a massage": "Massage confident",
        "Something after the massage?": "Massage likely",
    }.items(),
)
def test_a_service_named_after_another_is_a_second_one(text: str, service: str) -> None:
    assert read(text, "service") == service


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("A haircut with Anna's colleague", "staff", ""),
        ("A haircut with Anna Schmidt", "staff", "Anna unsure"),
        ("A haircut with Anna Tuesday", "staff", "Anna confident"),
        ("My sister's number is 0171 2345678", "phone", "+491712345678 likely"),
        ("My old number was 0171 2345678", "phone", "+491712345678 likely"),
        ("My friend ann@example.org knows you", "email", "ann@example.org likely"),
        ("Don't write to ann@example.org", "email", "ann@example.org likely"),
        ("This mail is from no-reply@forms.example", "email", "no-reply@forms.example likely"),
        ("Your parcel: write to post@parcels.example", "email", "post@parcels.example likely"),
        ("On behalf of my boss, pa@lee.example", "email", "pa@lee.example likely"),
        ("I was unhappy with Anna", "staff", "Anna unsure"),
        ("We are friends with Anna", "staff", "Anna likely"),
        ("A cut, unless it's with Anna", "staff", ""),
        ("Call 0171 2345678 ext. 12", "phone", "+491712345678 likely"),
        ("Call 0800 1234567", "phone", "+498001234567 likely"),
        ("You can call my office 030 23125678", "phone", "+493023125678 likely"),
        ("My learner number is 0171 2345678", "phone", "+491712345678 likely"),
        ("Agent: Tom, Concierge Direct, tom@direct.example", "email", "tom@direct.example likely"),
        ("Tel: 030 23125678  Mob: 0171 23456789012", "phone", "+493023125678 likely"),
        ("My mother needs a cut. 0171 2345678", "phone", "+491712345678 likely"),
    ],
)
def test_a_wish_of_somebody_else_is_not_certain(text: str, name: str, value: str) -> None:
    assert read(text, name) == value
