"""The cost of an event, from counted requests and a price list."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest

from frontdesk.cli import main
from frontdesk.cost import workload
from frontdesk.cost.estimate import (
    EVERY_MONTH,
    OCCASIONS,
    OF_A_WAITLIST,
    OF_AN_EVENT,
    OF_BOOKINGS,
    OF_REMINDERS,
    SERVICES,
    Estimate,
    Function,
    Line,
    counted,
    estimate,
    read_counts,
)
from frontdesk.cost.prices import (
    BOOKINGS,
    EVENT,
    WAITLIST,
    MonthlyPrice,
    Price,
    PriceList,
    price_list,
    reference_cost,
)
from frontdesk.cost.workload import (
    EventWorkload,
    appointment_month,
    booking_month,
    described,
    month,
    occasions,
)
from frontdesk.values import replace
from script.aws_template import application, parse
from script.fixed_costs import KEPT as KEPT_COUNTS
from script.fixed_costs import PAGE, as_toml, count_fixed, with_tables

ROOT = Path(__file__).parents[2]

#: Opening a page starts a function, which runs twice and takes one GB-second; a sweep and a tick
#: each cost a unit.
KEPT = {
    "function": {
        "f": {
            "memory_mb": 1_024,
            "start_seconds": 1_024 / 1_769 / 2,
            "work_seconds": 1_024 / 1_769 / 100,
            "secrets": 1,
        }
    },
    "occasion": {
        **{occasion: {} for occasion in OCCASIONS},
        "visit": {
            "lambda": {"f": 2},
            "cold": {"f": 1},
            "answers": {"f": 24.5},
            "dynamodb": {"read": 1},
        },
        "text": {"texts": {"part": 2}},
        "sweep": {"dynamodb": {"read": 1}},
        "tick": {"dynamodb": {"read": 1}},
    },
}
PRICES = PriceList(
    date(2026, 11, 16),
    "somewhere",
    {
        "lambda.requests": Price("lambda", "requests", 1.0, 10, "runs", True),
        "lambda.gb_seconds": Price("lambda", "gb_seconds", 1.0, 1, "GB-seconds", True),
        "dynamodb.read": Price("dynamodb", "read", 1.0, 100, "units", False),
        "secrets.get": Price("secrets", "get", 1.0, 1_000, "reads", True),
        "ssm.get": Price("ssm", "get", 0.0, 1, "reads", True),
    },
    (MonthlyPrice("alarms", 2, 0.10, "alarms"),),
    {"XX": Price("texts", "part", 0.25, 1, "parts", False)},
)


def reckoned(event: EventWorkload) -> Estimate:
    return estimate(occasions(event), 10.0, read_counts(KEPT), PRICES)


NOBODY = {"waiting": 0, "cancellations": 0, "reminders": 0, "headcounts": 0, "console_views": 0}


@pytest.mark.spec("FD-31")
def test_requests_times_prices_is_what_it_costs() -> None:
    event = described(1, thank_you=False, **NOBODY)

    answer = reckoned(event)

    assert [
        replace(line, count=round(line.count, 6), usd=round(line.usd, 6)) for line in answer.lines
    ] == [
        Line("lambda", "gb_seconds", 3, "GB-seconds", 3),
        Line("lambda", "requests", 6, "runs", 0.6),
        Line("dynamodb", "read", 3, "units", 0.03),
        Line("secrets", "get", 3, "reads", 0.003),
        Line("ssm", "get", 0, "reads", 0),
    ]
    assert answer.total == pytest.approx(3.633)
    assert answer.by_service() == pytest.approx({"lambda": 3.6, "dynamodb": 0.03, "secrets": 0.003})
    assert answer.by_occasion["visit"] == pytest.approx(answer.total)
    assert answer.ratio == pytest.approx(0.3633)
    assert answer.warm == pytest.approx(3 * 0.49 + 0.6 + 0.03)


@pytest.mark.spec("FD-31")
def test_monthly_costs_are_listed_separately() -> None:
    answer = reckoned(described(0))

    assert {line.what: line.usd for line in answer.by_month} == pytest.approx(
        {"alarms": 0.20, "sweep": 7.30, "tick": 7.30, "housekeeping": 0.0}
    )


@pytest.mark.spec("FD-31")
def test_the_secret_for_a_google_account_is_in_the_month_in_which_it_is_used(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for desk, option in (
        ("--waitlist", "--sheet"),
        ("--bookings", "--calendars"),
        ("--appointments", "--sheet"),
    ):
        fixed = []
        for options in ([], [option]):
            assert main(["cost", desk, "200", *options, "--json"]) == 0
            fixed.append(json.loads(capsys.readouterr().out)["usd_by_month"])
        plain, connected = fixed
        assert connected == {**plain, "own secrets": 0.40}


@pytest.mark.spec("FD-31")
def test_the_reference_costs_are_those_that_were_given() -> None:
    event = {guests: reference_cost(guests, EVENT) for guests in (50, 200, 1_000, 2_000)}
    month = {
        entries: reference_cost(entries, WAITLIST) for entries in (200, 1_000, 2_000, 5_000, 10_000)
    }

    assert event == pytest.approx({50: 0.80, 200: 2.40, 1_000: 9.0, 2_000: 18.0})
    assert reference_cost(200, BOOKINGS) == 3.0
    assert month == pytest.approx({200: 2, 1_000: 6, 2_000: 13, 5_000: 30, 10_000: 60})
    assert [reference_cost(guests) for guests in (0, 25, 600, 4_000)] == pytest.approx(
        [0.0, 0.40, 5.70, 36.0]
    )


@pytest.mark.spec("FD-31")
def test_texts_are_paid_by_the_part_and_the_country_and_stand_apart() -> None:
    happens = {**dict.fromkeys(OCCASIONS, 0.0), "visit": 1.0, "text": 10.0}

    answer = estimate(happens, 10.0, read_counts(KEPT), PRICES.to("XX"))

    assert answer.texts == answer.by_occasion["text"] == 10 * 2 * 0.25
    assert answer.total == pytest.approx(1.211)
    assert "texts" not in answer.by_service()
    assert PRICES.to("XX").unsure() == ("dynamodb.read", "texts.part")


def test_a_usual_event_happens_as_described() -> None:
    assert occasions(described(200)) == {
        "visit": 660,
        "sign-up-confirmed": 200,
        "sign-up-waiting": 20,
        "link-view": 40,
        "cancelled": 20,
        "offer-made": 20,
        "offer-claimed": 15,
        "offer-lapsed": 5,
        "reminder": 600,
        "moved": 0,
        "mail-in": 0,
        "import-row": 0,
        "headcount": 14,
        "thank-you": 200,
        "thank-you-draft": 1,
        "console-view": 100,
    }


def test_a_usual_month_of_a_waitlist_happens_as_described() -> None:
    assert workload.month_occasions(month(200)) == {
        "form-visit": 390,
        "joined": 195,
        "request": 5,
        "place-view": 200,
        "slot-freed": 80,
        "slot-declined": 44,
        "slot-lapsed": 44,
        "slot-claimed": 72,
        "list-kept": 260,
        "hundred-kept": 520,
        "hundred-ahead": 98.75,
        "sheet-look": 0,
        "board-view": 340,
        "summary": 1,
        "text": 324,
        "mail": 121,
    }


def test_a_usual_month_of_bookings_happens_as_described() -> None:
    assert workload.booking_occasions(booking_month(200, calendars=True)) == {
        "book-visit": 360,
        "times-view": 360,
        "time-held": 180,
        "booked": 180,
        "booking-view": 200,
        "booking-moved": 20,
        "booking-cancelled": 20,
        "booking-refilled": 10,
        "booking-reminder": 400,
        "booking-request": 20,
        "proposal-booked": 20,
        "calendar-look": 8_760,
        "calendar-write": 250,
        "service-embedded": 0,
        "config-look": 0,
        "day-view": 500,
        "booking-text": 165,
        "booking-mail": 515,
    }
    plain = workload.booking_occasions(booking_month(200))
    assert (plain["calendar-look"], plain["calendar-write"]) == (0, 0)
    embedded = workload.booking_occasions(booking_month(200, requests=21, embeddings=True))
    assert (embedded["service-embedded"], embedded["config-look"]) == (6, 2_920)


def test_a_usual_month_of_reminders_happens_as_described() -> None:
    """A customer who answers the first reminder gets no second."""
    assert workload.appointment_occasions(appointment_month(500)) == {
        "visit-followed": 500,
        "visit-reminder": 700,
        "visit-confirmed": 400,
        "visit-cancelled": 50,
        "hundred-ticked": pytest.approx(730 * 500 * 13 / 30 / 100),
        "visits-kept": 260,
        "hundred-visits-kept": 1_300,
        "sheet-look": 0,
        "visits-view": 600,
        "summary": 4,
        "visit-text": 525,
        "visit-mail": 275,
    }
    silent = appointment_month(10, cancelled=10)
    assert (silent.confirmed, silent.alerts) == (0, 10)
    assert appointment_month(10, reminders=0).reminders == 0
    in_a_sheet = workload.appointment_occasions(appointment_month(10, sheet=True))
    assert in_a_sheet["sheet-look"] == 12 * 730


def test_every_occasion_belongs_to_one_desk_or_to_the_sweep() -> None:
    assert set(occasions(described(1))) == set(OF_AN_EVENT)
    assert set(workload.month_occasions(month(1))) == set(OF_A_WAITLIST) - EVERY_MONTH.keys()
    assert set(workload.booking_occasions(booking_month(1))) == set(OF_BOOKINGS)
    happens = workload.appointment_occasions(appointment_month(1))
    assert happens.keys() == {*OF_REMINDERS, "sheet-look", "summary"} - EVERY_MONTH.keys()
    desks = (OF_AN_EVENT, OF_A_WAITLIST, OF_BOOKINGS, OF_REMINDERS)
    assert set(OCCASIONS) == {*(each for desk in desks for each in desk), "sweep"}


def test_a_function_with_less_memory_has_less_of_a_processor_and_waits_as_long() -> None:
    whole, half = Function(1_769, 1, 1), Function(1_769 // 2, 1, 1)

    assert half.gb_seconds(1, 0) == pytest.approx(whole.gb_seconds(1, 0), rel=0.01)
    assert whole.gb_seconds(0, 2) == pytest.approx(2.02 * 1_769 / 1_024)
    assert half.gb_seconds(0, 2) == pytest.approx(whole.gb_seconds(0, 2) - 0.0173, rel=0.01)


@pytest.mark.spec("FD-31")
@pytest.mark.parametrize("guests", [50, 200, 1_000, 2_000])
def test_an_event_costs_less_than_a_tenth_of_the_reference_though_functions_start_cold(
    guests: int,
) -> None:
    happens, reference = occasions(described(guests)), reference_cost(guests)

    answer = estimate(happens, reference, counted(), price_list())

    assert answer.warm < answer.total < reference / 10


@pytest.mark.spec("FD-31")
@pytest.mark.parametrize("sheet", [False, True])
@pytest.mark.parametrize("entries", [200, 1_000, 2_000, 5_000, 10_000])
def test_a_month_of_a_waitlist_costs_less_than_a_tenth_of_the_reference_but_for_texts(
    entries: int, sheet: bool
) -> None:
    happens = workload.month_occasions(month(entries, sheet=sheet))
    reference = reference_cost(entries, WAITLIST)

    answer = estimate(happens, reference, counted(), price_list().to("SG"))

    assert answer.warm < answer.total < reference / 10
    assert answer.texts > reference


@pytest.mark.spec("FD-31")
@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("bookings", [200, 500, 1_000])
def test_a_month_of_bookings_costs_less_than_an_eighth_of_the_reference_but_for_texts(
    bookings: int, connected: bool
) -> None:
    month = booking_month(bookings, calendars=connected, embeddings=connected)
    happens = workload.booking_occasions(month)
    reference = reference_cost(bookings, BOOKINGS)

    answer = estimate(happens, reference, counted(), price_list().to("SG"))

    assert answer.warm < answer.total < reference / 8
    assert answer.texts > reference


@pytest.mark.spec("FD-31")
@pytest.mark.parametrize("appointments", [500, 2_000])
def test_a_month_of_reminders_costs_less_than_a_tenth_of_its_budget_but_for_texts(
    appointments: int,
) -> None:
    happens = workload.appointment_occasions(appointment_month(appointments))

    answer = estimate(happens, 0.0, counted(), price_list().to("SG"))

    assert answer.warm < answer.total < 3.0
    assert answer.texts > answer.total


@pytest.mark.spec("FD-31")
def test_embeddings_are_paid_for_by_the_token_the_question_and_the_look_at_the_rules() -> None:
    def reckon(*, embeddings: bool) -> Estimate:
        happens = workload.booking_occasions(booking_month(200, embeddings=embeddings))
        return estimate(happens, 3.0, counted(), price_list().to("SG"))

    plain, embedded = reckon(embeddings=False), reckon(embeddings=True)
    more = {(line.service, line.what): line.count for line in embedded.lines if line.count}
    for line in plain.lines:
        more[line.service, line.what] = more.get((line.service, line.what), 0.0) - line.count

    assert more["s3vectors", "query"] == pytest.approx(5 * 5)
    assert more["bedrock", "thousand_embedded"] == pytest.approx(5 * 0.023)
    assert more["scheduler", "fired"] == pytest.approx(2_920)
    assert 0 < embedded.total - plain.total < 0.1
    assert plain.by_service().keys() | {"s3vectors"} == embedded.by_service().keys()


def test_everything_that_was_counted_has_a_price() -> None:
    asked = {name for each in counted().requests.values() for name in each}

    prices = price_list().to("SG").by_request
    assert asked - set(prices) == set()
    assert {price.service for price in prices.values()} == set(SERVICES)


def test_every_alarm_metric_and_secret_of_the_template_is_paid_for() -> None:
    """After a change of the template: python -m script.fixed_costs"""
    counts = count_fixed(application())

    assert KEPT_COUNTS.read_text("utf-8") == as_toml(counts)
    assert {each.what: each.count for each in price_list().by_month} == counts


def test_an_alarm_that_computes_is_paid_for_each_metric_that_it_reads() -> None:
    template = """
Resources:
  Key: {Type: "AWS::SecretsManager::Secret", Properties: {Name: !Sub "a-${B}"}}
  One: {Type: "AWS::CloudWatch::Alarm", Properties: {MetricName: Errors}}
  Two:
    Type: AWS::CloudWatch::Alarm
    Condition: Sometimes
    Properties:
      Metrics: [{MetricStat: {}}, {MetricStat: {}}, {Expression: "100 * a / b"}]
  Log:
    Type: AWS::Logs::MetricFilter
    Properties:
      MetricTransformations: [{MetricNamespace: F, MetricName: Errors}]
  Other:
    Type: AWS::Logs::MetricFilter
    Properties:
      MetricTransformations:
        - {MetricNamespace: F, MetricName: Errors}
        - {MetricNamespace: F, MetricName: Sent, Dimensions: [{Key: Desk, Value: ev}]}
"""
    assert count_fixed(parse(template)) == {"secrets": 1, "alarms": 3, "metrics": 2}


@pytest.mark.spec("FD-31")
def test_the_tables_in_the_documentation_match_the_code() -> None:
    """After a change: python -m script.fixed_costs"""
    page = PAGE.read_text("utf-8")

    assert with_tables(page) == page


@pytest.mark.spec("FD-31")
def test_the_readme_gives_the_same_monthly_costs_as_the_tables() -> None:
    """Includes fixed costs and texts, not only costs by use."""
    readme = " ".join((PAGE.parents[1] / "README.md").read_text("utf-8").split())
    page = PAGE.read_text("utf-8")
    whole = found_in(r"\| 200 guests \| \S+ \| (\S+) \|", page)
    fixed = found_in(r"\*\*all of it\*\* \| \| \*\*(\S+)\*\*", page)
    texts, without = re.findall(r"\| 200 entries \| \S+ \| \S+ \| (\S+) \| (\S+) \|", page)[0]

    assert (
        f"a month with one event of 200 guests is {whole} USD by list prices, {fixed} of it"
        " whatever happens (secrets, alarms, metrics)"
    ) in readme
    assert (
        f"A month of the waitlist with 200 entries is {without} USD, and {texts} USD for texts"
    ) in readme


def found_in(pattern: str, text: str) -> str:
    [found] = re.findall(pattern, text)
    return str(found)


@pytest.mark.spec("FD-31")
def test_the_whole_month_has_what_is_fixed_and_texts_and_pictures_in_it() -> None:
    happens = {**dict.fromkeys(OCCASIONS, 0.0), "visit": 1.0, "text": 10.0}
    prices = PRICES.to("XX")
    page = Price("textract", "page", 0.5, 1, "pictures", True)
    prices = replace(prices, by_request={**prices.by_request, "textract.page": page})

    answer = estimate(happens, 10.0, read_counts(KEPT), prices, pictures=2)

    assert answer.total == pytest.approx(1.211 + 1.0)
    assert answer.monthly == pytest.approx(0.20 + 2 * 7.30)
    assert answer.whole == pytest.approx(answer.total + answer.texts + answer.monthly)
    assert answer.whole_ratio == pytest.approx(answer.whole / 10.0)


def test_the_free_tier_is_listed_separately() -> None:
    some = (
        MonthlyPrice("alarms", 12, 0.10, "alarms", free=10),
        MonthlyPrice("keys", 2, 0.4, "keys"),
    )

    answer = estimate({}, 10.0, read_counts(KEPT), replace(PRICES, by_month=some))

    assert answer.monthly == pytest.approx(1.20 + 0.80 + 2 * 7.30)
    assert answer.monthly_after_free == pytest.approx(0.20 + 0.80 + 2 * 7.30)


def test_the_memory_of_each_function_is_that_of_the_template() -> None:
    declared = [
        each["Properties"]
        for each in application()["Resources"].values()
        if each["Type"] == "AWS::Serverless::Function"
    ]

    assert {name: each.memory_mb for name, each in counted().functions.items()} == {
        each["FunctionName"]: each["MemorySize"] for each in declared
    }


@pytest.mark.spec("FD-31", "FD-25")
def test_the_command_tells_the_cost_beside_the_reference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cost", "--guests", "200"]) == 0

    said = capsys.readouterr().out
    for word in ("An event with 200 guests", "SES", "reference is 2.40 USD"):
        assert word in said
    assert main(["cost", "--guests", "200", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert row(said, "by use, but for texts") == f"{data['usd']:.2f}"
    assert row(said, "every month, whatever happens") == f"{sum(data['usd_by_month'].values()):.2f}"
    assert row(said, "the whole month") == f"{data['usd_of_the_whole_month']:.2f}"


def row(said: str, what: str) -> str:
    """Returns the row of the bill, in USD."""
    _, _, bill = said.partition("the whole bill")
    [usd] = re.findall(rf"^{what} +([\d.]+)(?: |$)", bill, re.MULTILINE)
    return str(usd)


@pytest.mark.spec("FD-31", "FD-25")
def test_programs_get_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "--guests", "50", "--cancel", "0", "--waiting", "0", "--json"]) == 0

    data = json.loads(capsys.readouterr().out)
    assert data["event"]["cancellations"] == data["event"]["offers"] == 0
    assert data["reference_usd"] == 0.80
    assert data["usd"] == pytest.approx(sum(data["usd_by_service"].values()))
    assert data["ratio"] == pytest.approx(data["usd"] / 0.80)
    whole = data["usd"] + sum(data["usd_by_month"].values())
    assert data["usd_of_the_whole_month"] == pytest.approx(whole)
    assert data["ratio_of_the_whole_month"] == pytest.approx(whole / 0.80)


@pytest.mark.spec("FD-31", "FD-25")
def test_the_command_tells_what_a_month_of_the_waitlist_costs_and_texts_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cost", "--waitlist", "1000", "--country", "de"]) == 0

    said = capsys.readouterr().out
    for word in ("1,000 entries on the waitlist", "but for texts", "reference is 6.00 USD"):
        assert word in said
    assert "1,620 texts to DE" in said
    assert main(["cost", "--waitlist", "1000", "--country", "de", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert row(said, "1,620 texts to DE") == f"{data['texts']['usd']:.2f}"
    assert row(said, "the whole month") == f"{data['usd_of_the_whole_month']:.2f}"
    assert data["usd_of_the_whole_month"] == pytest.approx(
        data["usd"] + data["texts"]["usd"] + sum(data["usd_by_month"].values())
    )


@pytest.mark.spec("FD-31", "FD-25")
def test_programs_get_the_month_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "--waitlist", "200", "--by-text", "0", "--json"]) == 0

    data = json.loads(capsys.readouterr().out)
    assert (data["desk"], data["month"]["slots"], data["reference_usd"]) == ("waitlist", 80, 2.0)
    assert data["texts"] == {"country": "SG", "usd": 0.0, "messages": 0.0}
    assert data["usd"] == pytest.approx(sum(data["usd_by_service"].values()))


@pytest.mark.spec("FD-31", "FD-25")
def test_the_command_tells_what_a_month_of_bookings_costs_and_texts_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cost", "--bookings", "--calendars", "--country", "de"]) == 0

    said = capsys.readouterr().out
    for word in ("A month with 200 bookings", "but for texts", "reference is 3.00 USD"):
        assert word in said
    assert main(["cost", "--bookings", "200", "--calendars", "--country", "de", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["desk"], data["month"]["calendars"]) == ("booking", True)
    assert row(said, "165 texts to DE") == f"{data['texts']['usd']:.2f}"
    assert row(said, "every month, whatever happens") == f"{sum(data['usd_by_month'].values()):.2f}"
    assert row(said, "the whole month") == f"{data['usd_of_the_whole_month']:.2f}"


@pytest.mark.spec("FD-31", "FD-25")
def test_the_command_tells_what_a_month_of_reminders_costs_with_texts_and_fixed_costs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cost", "--appointments", "500", "--country", "de"]) == 0

    said = capsys.readouterr().out
    for word in ("for 500 appointments", "no reference for this desk", "budget is 30 USD"):
        assert word in said
    assert "of the reference" not in said
    assert main(["cost", "--appointments", "--country", "de", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["desk"], data["month"]["appointments"]) == ("reminders", 500)
    assert row(said, "525 texts to DE") == f"{data['texts']['usd']:.2f}"
    assert row(said, "every month, whatever happens") == f"{sum(data['usd_by_month'].values()):.2f}"
    assert row(said, "the whole month") == f"{data['usd_of_the_whole_month']:.2f}"
    assert data["ratio"] == 0.0


def test_the_command_prints_one_month_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["cost", "--bookings", "--waitlist", "200"])

    assert refused.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "wrong", "why"),
    [("--by-text", "101", "from 0 to 100"), ("--country", "XX", "one of AU, CA")],
)
def test_a_month_that_makes_no_sense_is_refused(
    option: str, wrong: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["cost", "--waitlist", "200", option, wrong])

    assert refused.value.code == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["-1", "many", "1000001"])
def test_a_number_that_makes_no_sense_is_refused(
    wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["cost", "--guests", wrong])

    assert refused.value.code == 2
    assert "a whole number from 0 to 1,000,000" in capsys.readouterr().err
