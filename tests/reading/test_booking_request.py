"""A booking request in free text: service, wished time, staff and contact together."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.reading.booking_request import (
    BookingReading,
    read_booking_passages,
    read_booking_request,
)
from frontdesk.reading.misspellings import find_misspellings, typing_errors
from frontdesk.reading.model import Confidence, Context, Field, ServiceNames, Words
from frontdesk.reading.requests import Request
from frontdesk.reading.when_model import DAY_ENDS, ClockRange, PartsOfDay, When, WhenOption
from frontdesk.values import replace
from tests.reading.corpus import context, requests
from tests.reading.when_corpus import NOW, options_in

CONFIDENT, LIKELY, UNSURE = Confidence
THURSDAY = date(2026, 11, 19)


def read(text: str, *, now: datetime = NOW, of: Context | None = None) -> BookingReading:
    return read_booking_request(text, of or context(), now, PartsOfDay())


@pytest.mark.spec("BK-04")
def test_each_field_has_a_value_a_confidence_and_its_words() -> None:
    text = (
        "Could I have a haircut with Anna on Thursday after 5?\n\n"
        "Kind regards,\nPeter Marlow\npeter@marlow.example\n0171 2345678"
    )

    assert read(text) == BookingReading(
        service=Field("Haircut", CONFIDENT, Words("haircut", 15)),
        when=When(
            options=(WhenOption(THURSDAY, THURSDAY, clocks=(ClockRange(17 * 60, DAY_ENDS),)),),
            not_weekdays=frozenset(),
            not_on=(),
            confidence=CONFIDENT,
            words=(Words("Thursday", 36), Words("after 5", 45)),
        ),
        staff=Field("Anna", CONFIDENT, Words("Anna", 28)),
        name=Field("Peter Marlow", CONFIDENT, Words("Peter Marlow", 69)),
        phone=Field("+491712345678", CONFIDENT, Words("0171 2345678", 103)),
        email=Field("peter@marlow.example", CONFIDENT, Words("peter@marlow.example", 82)),
    )


@pytest.mark.spec("BK-04")
def test_a_mail_and_its_document_are_read_together() -> None:
    request = Request(("I would like a haircut.", "On Thursday after 5, with Anna, please."))
    found = read_booking_passages(request, context(), NOW, PartsOfDay())

    assert found.service == Field("Haircut", CONFIDENT, Words("haircut", 15))
    assert found.when is not None
    assert all(request.text[each.start : each.end] == each.text for each in found.when.words)
    assert [each.text for each in found.when.words] == ["Thursday", "after 5"]


@pytest.mark.spec("BK-05")
def test_a_document_that_wishes_for_another_time_makes_the_time_unsure() -> None:
    request = Request(("A haircut on Thursday after 5, please.", "A haircut on Friday, please."))
    found = read_booking_passages(request, context(), NOW, PartsOfDay())

    assert found.when is not None
    assert found.when.confidence is UNSURE


@pytest.mark.spec("BK-04")
def test_a_field_that_the_text_does_not_mention_is_left_out() -> None:
    assert read("Hello, are you open?") == BookingReading()


@pytest.mark.spec("BK-04")
@pytest.mark.parametrize(
    ("text", "service"),
    [
        ("a masage on Thursday", ("Massage", LIKELY)),
        ("a massgae on Thursday", ("Massage", LIKELY)),
        ("hiarcut please", ("Haircut", LIKELY)),
        ("eine Manikure am Freitag", ("Manicure", CONFIDENT)),
        ("ein Haarschnit am Freitag", ("Haircut", LIKELY)),
        ("una manicuar el viernes", ("Manicure", LIKELY)),
        ("une colaration vendredi", ("Colour", LIKELY)),
        ("I left a message", None),
        ("a cable for my phone", None),
    ],
)
def test_a_misspelt_service_is_found_and_never_certain(
    text: str, service: tuple[str, Confidence] | None
) -> None:
    found = read(text).service

    assert (found and (found.value, found.confidence)) == service


@pytest.mark.spec("BK-04")
def test_a_misspelling_of_two_services_is_unsure() -> None:
    two = context()
    two = Context(
        two.today, two.zone, two.country, (ServiceNames("Perming"), ServiceNames("Perking"))
    )

    found = read("a Perning please", of=two).service

    assert found
    assert found.confidence is UNSURE


@pytest.mark.parametrize(
    ("one", "other", "errors"),
    [
        ("massage", "massage", 0),
        ("massage", "masage", 1),
        ("massage", "massgae", 1),
        ("massage", "mossage", 1),
        ("massage", "massagee", 1),
        ("massage", "masagee", 2),
        ("massage", "haircut", None),
    ],
)
def test_typing_errors_are_counted(one: str, other: str, errors: int | None) -> None:
    assert typing_errors(one, other, 2) == errors
    assert typing_errors(other, one, 2) == errors


@pytest.mark.parametrize("text", ["", "a", "1 2 3", "x" * 50, "cut " * 500])
def test_texts_without_a_misspelling_have_none(text: str) -> None:
    assert find_misspellings(text, ["massage", "haircut", "cut"]) == []


@pytest.mark.spec("BK-23")
def test_tomorrow_counts_from_the_day_of_a_forwarded_mail() -> None:
    text = (
        "---------- Forwarded message ---------\nFrom: Ann <ann@lee.example>\n"
        "Date: Sun, 15 Nov 2026 at 20:14\nSubject: cut\nTo: <desk@salon.example>\n\n"
        "Could I come for a haircut in three days at 11?\nAnn Lee"
    )

    assert options_in(read(text).when) == ("2026-11-18 11:00",)


@pytest.mark.spec("BK-23")
def test_a_day_that_has_passed_since_the_mail_was_written_is_unsure() -> None:
    text = (
        "---------- Forwarded message ---------\nFrom: Ann <ann@lee.example>\n"
        "Date: Fri, 13 Nov 2026 at 20:14\nSubject: cut\nTo: <desk@salon.example>\n\n"
        "Could I come for a haircut tomorrow at 11?\nAnn Lee"
    )

    found = read(text).when

    assert found
    assert found.confidence is UNSURE


@pytest.mark.spec("BK-04")
def test_certain_fields_of_whole_mails_are_right() -> None:
    """Uses the days of the corpus; a wish with alternatives spans all of them."""
    wrong, certain = [], 0
    for request in requests():
        now = datetime.combine(request.context.today, NOW.time())
        when = read(request.text, now=now, of=request.context).when
        if when is None or when.confidence is not CONFIDENT:
            continue
        days = [each for each in when.options if each.first_on or each.last_on]
        expected = (request.expect.get("earliest_on"), request.expect.get("latest_on"))
        certain += bool(days)
        if days and _span(days) != expected:
            wrong.append((request.id, expected, days))

    assert certain >= 150
    assert len(wrong) <= 0.02 * certain, wrong


def _span(options: list[WhenOption]) -> tuple[date | None, date | None]:
    firsts = [each.first_on for each in options if each.first_on]
    lasts = [each.last_on for each in options if each.last_on]
    is_closed = len(firsts) == len(lasts) == len(options)
    if is_closed:
        return min(firsts), max(lasts)
    return (min(firsts) if not lasts else None), (max(lasts) if not firsts else None)


@given(text=st.text(max_size=120) | st.sampled_from([each.text for each in requests()]))
def test_all_words_are_in_the_text_at_their_position(text: str) -> None:
    found = read(text)

    fields = (found.service, found.staff, found.name, found.phone, found.email)
    words = [field.words for field in fields if field]
    for each in (*words, *(found.when.words if found.when else ())):
        assert text[each.start : each.end] == each.text


@pytest.mark.spec("BK-04")
@pytest.mark.parametrize("name", ["Cut 2pm", "Cut 18378ca1", "Cut dca44feb"])
def test_digits_in_the_name_of_a_service_are_no_time(name: str) -> None:
    of = replace(context(), services=(ServiceNames(name),))
    found = read(f"Could I have a {name} on Thursday at 10:00, please?", of=of).when

    assert found is not None
    assert [each.text for each in found.words] == ["Thursday", "at 10:00"]
    assert (found.confidence, found.options) == (
        CONFIDENT,
        (WhenOption(THURSDAY, THURSDAY, clocks=(ClockRange(600, 600),)),),
    )


@pytest.mark.spec("BK-04")
def test_a_service_without_digits_may_also_name_a_time() -> None:
    of = replace(context(), services=(ServiceNames("Evening class 2"),))
    found = read("An evening class 2 on Thursday, please.", of=of).when

    assert found is not None
    assert [each.text for each in found.words] == ["evening", "Thursday"]
