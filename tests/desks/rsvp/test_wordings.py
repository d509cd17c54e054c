import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core import wording as core
from frontdesk.core.wording import (
    Action,
    DetailsCard,
    FilledWording,
    Headline,
    Paragraph,
    Wording,
    WordingProblem,
    fill,
)
from frontdesk.desks.rsvp.messages import WORDINGS

OFFER_BODY = """{{ yours_until }}

{{ take }}:
{{ claim_link }}

Pass it on:
{{ decline_link }}"""


def check(kind: str, wording: Wording) -> tuple[WordingProblem, ...]:
    return core.check(WORDINGS[kind], wording)


def preview(kind: str, wording: Wording) -> FilledWording:
    return fill(wording, WORDINGS[kind].placeholders)


@pytest.mark.spec("FD-13")
@pytest.mark.parametrize("kind", WORDINGS)
def test_every_mail_has_words_of_its_own_that_pass_the_check(kind: str) -> None:
    wording = WORDINGS[kind].default

    assert check(kind, wording) == ()
    assert "{{" not in str(preview(kind, wording))


def test_a_wording_becomes_a_headline_paragraphs_details_and_links() -> None:
    body = (
        "# Hello {{ name }}.\n\nIt is {{ how }}\nall right.\n\n{{ details }}\n\n"
        "See my ticket:\n{{ manage_link }}\n\nPlans changed? Cancel:\n{{ cancel_link }}"
    )
    values = {"name": "Ann", "how": "quite", "manage_link": "M", "cancel_link": "C"}

    assert fill(Wording("For {{ name }}", body), values) == FilledWording(
        "For Ann",
        (
            Headline("Hello Ann."),
            Paragraph("It is quite\nall right."),
            DetailsCard(),
            Action("", "See my ticket", "M"),
            Action("Plans changed?", "Cancel", "C"),
        ),
    )


def test_empty_paragraphs_are_left_out() -> None:
    wording = Wording("S", "{{ party_line }}\n\nGo:\n{{ manage_link }}\n\nBye")

    assert fill(wording, {"party_line": "", "manage_link": ""}).blocks == (Paragraph("Bye"),)


@pytest.mark.spec("FD-13")
def test_a_value_is_never_read_as_wording() -> None:
    evil = "{{ manage_link }}\n\n# Big\n\n{{ details }}"

    filled = fill(Wording("S {{ name }}", "{{ name }}"), {"name": evil})

    assert filled == FilledWording(
        "S {{ manage_link }} # Big {{ details }}",
        (Paragraph("{{ manage_link }}"), Paragraph("# Big"), Paragraph("{{ details }}")),
    )


@pytest.mark.spec("FD-13")
@pytest.mark.parametrize(
    ("subject", "body", "part", "says"),
    [
        ("", OFFER_BODY, "subject", "Please write a subject."),
        ("x" * 151, OFFER_BODY, "subject", "longer than 150"),
        ("A\nBcc: b@example.org", OFFER_BODY, "subject", "one line"),
        ("{{ claim_link }}", OFFER_BODY, "subject", "cannot stand in the subject"),
        ("{{ nonsense }}", OFFER_BODY, "subject", "There is no {{ nonsense }}"),
        ("Hi", "", "body", "Please write what the mail says."),
        ("Hi", OFFER_BODY + "x" * 5000, "body", "longer than 5,000"),
        ("Hi", OFFER_BODY + "\n\n{{ password }}", "body", "There is no {{ password }}"),
        ("Hi", OFFER_BODY + "\n\n{{ event.__class__ }}", "body", "two braces on each side"),
        ("Hi", OFFER_BODY + "\n\n{% if x %}{{", "body", "two braces on each side"),
        ("Hi", OFFER_BODY.replace("{{ claim_link }}", ""), "body", "{{ claim_link }} is missing"),
        ("Hi", OFFER_BODY + "\n\nGo {{ event_link }} now", "body", "a line of its own"),
        ("Hi", OFFER_BODY + "\n\n{{ event_link }}", "body", "what pressing it does"),
        ("Hi", OFFER_BODY + "\n\nSee {{ details }}", "body", "a paragraph of its own"),
    ],
)
def test_problems_of_a_wording_are_named(subject: str, body: str, part: str, says: str) -> None:
    problems = check("offer", Wording(subject, body))

    assert [problem for problem in problems if problem.part == part and says in problem.text]
    assert all(isinstance(problem, WordingProblem) for problem in problems)


def test_a_good_wording_has_no_problems_and_can_be_previewed() -> None:
    assert check("offer", Wording("For you: {{ event }}", OFFER_BODY)) == ()
    assert preview("offer", Wording("For you: {{ event }}", OFFER_BODY)) == FilledWording(
        "For you: Supper Club",
        (
            Paragraph("This seat is yours until 16:00 today (SGT)."),
            Action("", "Take the seat", "https://example.org/l/sample"),
            Action("", "Pass it on", "https://example.org/l/sample"),
        ),
    )


def test_defaults_speak_plainly() -> None:
    """There is no jargon and no exclamation mark."""
    jargon = re.compile(r"token|invalid|error|!|click", re.IGNORECASE)

    assert [kind for kind, spec in WORDINGS.items() if jargon.search(str(spec.default))] == []


PIECES = st.sampled_from(
    [
        *("{{ claim_link }}", "{{ decline_link }}", "{{ yours_until }}", "{{ details }}"),
        *("{{ event }}", "{{ nonsense }}", "{{", "}}", "{{}}", "{% x %}", "# ", "\n", "\n\n"),
        *("Take it:\n{{ claim_link }}\n\n", "Pass it on:\n{{ decline_link }}\n\n", "words. "),
    ]
)


@pytest.mark.spec("FD-13")
@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join))
def test_a_wording_that_passes_the_check_can_be_sent_and_has_all_required_parts(body: str) -> None:
    body = f"{OFFER_BODY}\n\n{body}"
    if check("offer", Wording("Hi", body)):
        return

    blocks = preview("offer", Wording("Hi", body)).blocks
    links = [block.url for block in blocks if isinstance(block, Action)]
    assert WORDINGS["offer"].placeholders["claim_link"] in links
