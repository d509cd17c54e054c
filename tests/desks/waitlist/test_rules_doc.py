"""The rules document: the lines that are understood, the errors that are reported, and no
guesses."""

from datetime import datetime, time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core.quiet_hours import NO_QUIET_HOURS, QuietHours
from frontdesk.desks.waitlist.rules_doc import (
    DEFAULT_RULES,
    ParsedRules,
    RuleProblem,
    UnderstoodLine,
    WrittenRules,
    parse,
    write,
)
from frontdesk.desks.waitlist.rules_phrases import EXAMPLES
from frontdesk.values import replace

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.mark.spec("WL-23")
def test_a_document_as_staff_write_it_is_read_line_by_line() -> None:
    document = """\ufeffSalon Mia
=========

How we fill a chair:
  // agreed in March
- **Claim window:** 15 minutes
• Quiet hours from 9 p.m. to 8 a.m.  # the neighbours
1. Offer a slot to max. five people, then hand it back
2) A bigger table may go to a smaller party, by up to two seats.
Ask about the stylist. Stop offering three quarters of an hour before the slot.
(Order is the usual one.)
Order: VIPs first, then who joined first
"""

    assert parse(document) == ParsedRules(
        WrittenRules(
            claim_window=15 * MINUTE,
            quiet=QuietHours(time(21), time(8)),
            tries=5,
            down_fitting=2,
            cut_off=45 * MINUTE,
        ),
        (
            UnderstoodLine(6, "Each person has 15 minutes to say yes."),
            UnderstoodLine(7, "No offer goes out from 21:00 to 08:00, local time."),
            UnderstoodLine(8, "A slot is offered to 5 people at most, then handed back to staff."),
            UnderstoodLine(
                9, "A smaller party may have a bigger table if 2 seats at most stay empty."
            ),
            UnderstoodLine(10, "For an offer it has to suit: the member of staff."),
            UnderstoodLine(10, "Nothing is offered in the last 45 minutes before a slot."),
            UnderstoodLine(12, "Priority entries come first, then who joined the list first."),
        ),
        (),
    )


@pytest.mark.spec("WL-23")
def test_a_line_that_cannot_be_understood_is_reported() -> None:
    document = "Claim window: 20 minutes\n\nClaim windw: 15 minuts\nBe nice to everyone, always"

    parsed = parse(document)

    assert parsed.problems == (
        RuleProblem(
            *(3, "Claim windw: 15 minuts", "This line cannot be understood."),
            nearest="Claim window: 10 minutes.",
        ),
        RuleProblem(4, "Be nice to everyone, always", "This line cannot be understood."),
    )
    assert parse("Claim window: 20 minutes") == ParsedRules(
        WrittenRules(claim_window=20 * MINUTE),
        (UnderstoodLine(1, "Each person has 20 minutes to say yes."),),
        (),
    )


def rules(**changes: object) -> WrittenRules:
    return replace(DEFAULT_RULES, **changes)  # type: ignore[arg-type]


JOINED = rules(order=("joined",))
ANY_STAFF = rules(checks=("service", "party", "date"))
NIGHT = rules(quiet=QuietHours(time(22, 30), time(7)))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Everything as usual", DEFAULT_RULES),
        ("First come, first served.", JOINED),
        ("Order: first come, first served", JOINED),
        ("Order: longest waiting first", JOINED),
        ("Wer zuerst kommt, mahlt zuerst!", JOINED),
        ("Priority customers first, then who has waited longest", DEFAULT_RULES),
        ("Reihenfolge: Vorrang zuerst, dann wer zuerst da war", DEFAULT_RULES),
        ("People have half an hour to answer", rules(claim_window=30 * MINUTE)),
        ("Hold each offer for an hour and a half", rules(claim_window=90 * MINUTE)),
        ("Claim window: 1h30", rules(claim_window=90 * MINUTE)),
        ("Claim window is forty-five minutes", rules(claim_window=45 * MINUTE)),
        ("Annahmefrist: eine Viertelstunde", rules(claim_window=15 * MINUTE)),
        ("Frist: 1,5 Stunden", rules(claim_window=90 * MINUTE)),
        ("Jedes Angebot gilt zwölf Minuten", rules(claim_window=12 * MINUTE)),
        ("Quiet hours: 22:30 - 7:00", NIGHT),
        ("Quiet hours: 10:30 pm – 7 am", NIGHT),
        ("Do not send offers between 22.30 and 7.00", NIGHT),
        ("Ruhezeit von 22:30 bis 7 Uhr", NIGHT),
        ("Ruhezeit von 10:30 Uhr abends bis 7 Uhr morgens", NIGHT),
        ("Quiet hours from midnight to 6 am", rules(quiet=QuietHours(time(0), time(6)))),
        ("Quiet hours from 22 to 24:00", rules(quiet=QuietHours(time(22), time(0)))),
        ("No quiet hours", rules(quiet=NO_QUIET_HOURS)),
        ("Keine Ruhezeiten", rules(quiet=NO_QUIET_HOURS)),
        ("Tries: 7", rules(tries=7)),
        ("Hand the slot back after three tries", rules(tries=3)),
        ("Biete einen Termin höchstens drei Personen an", rules(tries=3)),
        ("A bigger table can go to a smaller group", rules(down_fitting=None)),
        ("Down-fitting: at most 1 seat", rules(down_fitting=1)),
        ("No down-fitting", DEFAULT_RULES),
        (
            "Ein größerer Tisch darf an eine kleinere Gruppe gehen, höchstens 2 Plätze",
            rules(down_fitting=2),
        ),
        ("Don’t ask about the stylist", ANY_STAFF),
        ("Any stylist will do", ANY_STAFF),
        ("Checks: service, party size and dates", ANY_STAFF),
        ("Check the service", rules(checks=("service",))),
        ("Offers end two hours before the start", rules(cut_off=2 * HOUR)),
        ("Cut-off: one day", rules(cut_off=24 * HOUR)),
        ("Keine Angebote mehr 45 Minuten vor dem Termin", rules(cut_off=45 * MINUTE)),
        ("Give up on a person after one refused message", rules(send_tries=1)),
    ],
)
def test_a_rule_can_be_said_in_several_ways(line: str, expected: WrittenRules) -> None:
    parsed = parse(line)

    assert (parsed.rules, parsed.problems, len(parsed.echoes)) == (expected, (), 1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "Quiet hours from 9 to 8",
            "9 in the morning or in the evening? Write it like 21:00 or 9 pm.",
        ),
        (
            "Quiet hours from 9:00 to 8:00",
            "From 09:00 to 08:00 is most of the day: write times like 21:00 or 9 pm.",
        ),
        (
            "Quiet hours from 8 am to 8 am",
            "Quiet hours begin and end at different times; or write: No quiet hours.",
        ),
        ("Quiet hours from 13 pm to 8 am", "There is no time 13 pm."),
        ("Quiet hours from 21:00 to 25:00", "There is no time 25:00."),
        (
            "Quiet hours from dusk to dawn",
            "'dusk' is not a time of day: write it like 21:00 or 9 pm.",
        ),
        ("Claim window: 15", "15 of what? Write minutes or hours after it."),
        ("Claim window: 0 minutes", "A claim window has to be between 1 minute and 24 hours."),
        ("Claim window: 2 days", "A claim window has to be between 1 minute and 24 hours."),
        ("Claim window: 0.99 hours", "'0.99 hours' is not a whole number of minutes."),
        ("Claim window:", "This line cannot be understood."),
        (
            "Stop offering 15 days before the slot",
            "Offers can stop at most 14 days before a slot.",
        ),
        ("Offer a slot to at most 0 people", "A slot can be offered to 1 to 100, not 0."),
        ("Order: priority first", "Who comes next, after those with priority?"),
        (
            "Order: who joined first, then priority",
            "The order can be: priority first, then who joined first.",
        ),
        ("Order: by height", "'by height' cannot be used in an order."),
        ("Do not ask about the service", "The service is always checked."),
        ("Checks: party size and dates", "The service is always checked, so name it too."),
        ("Ask about the weather", "'weather' cannot be checked."),
        ("x" * 301, "The line is longer than 300 characters."),
    ],
)
def test_an_unclear_rule_is_a_problem_and_changes_nothing(line: str, why: str) -> None:
    parsed = parse(line)

    assert ([each.why for each in parsed.problems], parsed.rules) == ([why], DEFAULT_RULES)


def test_two_lines_may_say_the_same_but_not_two_things() -> None:
    document = (
        "Tries: 3\nCheck the service, dates and stylist\nTries: three\n"
        "Tries: 4\nAsk about the party size"
    )

    assert parse(document).problems == (
        RuleProblem(4, "Tries: 4", "Line 1 says something else about this."),
        RuleProblem(5, "Ask about the party size", "Line 2 says something else about this."),
    )


def test_several_sentences_on_a_line_are_several_rules() -> None:
    line = "Quiet hours from 9 p.m. to 7 a.m. Claim window: 15 min. Offer a slot to max. 3 people."

    assert parse(line).rules == rules(
        quiet=QuietHours(time(21), time(7)), claim_window=15 * MINUTE, tries=3
    )
    assert len(parse(line).echoes) == 3


@pytest.mark.parametrize("document", ["", "\n\n", "# Claim window: 5 minutes\n---\n// none"])
def test_a_document_without_any_rule_is_no_document(document: str) -> None:
    assert parse(document).problems == (
        RuleProblem(1, "", "There is no rule in this document.", "Everything as usual."),
    )


def test_a_document_of_any_size_is_answered() -> None:
    too_much = (RuleProblem(1, "", "The document has more than 20,000 characters or 400 lines."),)

    assert parse("x" * 20_001).problems == too_much
    assert parse("\n" * 400).problems == too_much


# --- properties -------------------------------------------------------------------------------

MINUTES_OF_DAY = st.integers(0, 24 * 60 - 1)


def clock(minutes: int) -> time:
    return (datetime(2026, 1, 1) + minutes * MINUTE).time()  # noqa: DTZ001


@st.composite
def quiet_hours(draw: st.DrawFn) -> QuietHours:
    start, length = draw(MINUTES_OF_DAY), draw(st.integers(1, 18 * 60))
    return QuietHours(clock(start), clock((start + length) % (24 * 60)))


WRITTEN = st.builds(
    WrittenRules,
    order=st.sampled_from([("joined",), ("priority", "joined")]),
    checks=st.sets(st.sampled_from(("party", "date", "staff"))).map(
        lambda some: ("service", *(c for c in ("party", "date", "staff") if c in some))
    ),
    claim_window=st.integers(1, 24 * 60).map(lambda n: n * MINUTE),
    quiet=quiet_hours() | st.just(NO_QUIET_HOURS),
    tries=st.integers(1, 100),
    down_fitting=st.none() | st.integers(0, 50),
    cut_off=st.integers(0, 14 * 24 * 60).map(lambda n: n * MINUTE),
    send_tries=st.integers(1, 10),
)


@pytest.mark.spec("WL-23")
@settings(max_examples=100, deadline=None)
@given(WRITTEN)
def test_rules_that_are_written_down_read_as_the_same_rules(written: WrittenRules) -> None:
    parsed = parse(write(written))

    assert (parsed.rules, parsed.problems) == (written, ())
    assert [echo.line for echo in parsed.echoes] == list(range(3, 11))


DRESSES = st.sampled_from(
    [
        "{}",
        "- {}",
        "  • {}",
        "3. {}",
        "**{}**",
        "{}  // yes",
        "\t{}",
        "{}\u00a0",
        "{}\r",
        "- [x] {}",
    ]
)


@settings(max_examples=60, deadline=None)
@given(WRITTEN, st.lists(DRESSES, min_size=8, max_size=8), st.booleans())
def test_the_formatting_of_a_line_does_not_change_its_meaning(
    written: WrittenRules, dresses: list[str], loud: bool
) -> None:
    lines = write(written).splitlines()[2:]
    dressed = "\n".join(d.format(line) for d, line in zip(dresses, lines, strict=True))

    parsed = parse(dressed.upper() if loud else dressed)

    assert (parsed.rules, parsed.problems) == (written, ())


@settings(max_examples=80, deadline=None)
@given(quiet_hours(), st.sampled_from(["%H:%M", "%H.%M", "%I:%M %p", "%H:%M Uhr", "%I.%M%p"]))
def test_a_time_is_the_same_on_every_clock(quiet: QuietHours, form: str) -> None:
    line = f"Quiet hours from {quiet.start.strftime(form)} to {quiet.end.strftime(form)}"

    assert parse(line).rules.quiet == quiet


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_missing_letter_never_changes_the_meaning_of_a_sentence(example: str) -> None:
    meant = parse(example)
    letters = [n for n, sign in enumerate(example) if sign.isalpha()]

    assert meant.problems == ()
    for n in letters:
        parsed = parse(example[:n] + example[n + 1 :])
        assert parsed.problems or parsed.rules == meant.rules


@pytest.mark.parametrize("no", ["Do not ", "Never ", "Not: ", "Maybe ", "If it rains, ", "Kein "])
def test_a_sentence_with_a_no_or_a_maybe_before_it_does_not_mean_the_same(no: str) -> None:
    said_anyway = [
        example
        for example in EXAMPLES
        if not (parsed := parse(no + example)).problems and parsed.rules == parse(example).rules
        if parsed.rules != DEFAULT_RULES
    ]

    assert said_anyway == []


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from(EXAMPLES) | st.text(max_size=30)).map("\n".join)
)
def test_any_text_is_answered_line_by_line(text: str) -> None:
    parsed = parse(text)

    lines = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    told = [each.line for each in parsed.echoes] + [each.line for each in parsed.problems]
    assert set(told) <= set(range(1, lines + 1))
    assert parsed.problems or parse(write(parsed.rules)).rules == parsed.rules
    assert parse(text) == parsed
