"""The document of wordings: a part for each channel and kind, with checks, preview and errors by
line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core.sends import Via
from frontdesk.core.sms import Alphabet, Size
from frontdesk.core.wording import Action, FilledWording, Headline, Paragraph, Wording, as_sms, fill
from frontdesk.desks.waitlist.messages import KINDS
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.features.wordings.document import (
    DocumentProblem,
    Key,
    ParsedDocument,
    Preview,
    Wordings,
)

TEXT_OFFER = (Via.TEXT, "offer")
MAIL_LEFT = (Via.MAIL, "left")


def wordings_with(key: Key, wording: Wording) -> Wordings:
    return {**DOCUMENT.defaults, key: wording}


@pytest.mark.spec("FD-13", "WL-23")
def test_every_message_has_words_of_its_own_that_pass_the_check() -> None:
    assert DOCUMENT.parse(DOCUMENT.default_text) == ParsedDocument(DOCUMENT.defaults, ())
    assert [each.key for each in DOCUMENT.previews(DOCUMENT.defaults)] == list(DOCUMENT.specs)


def test_every_default_text_fits_one_segment() -> None:
    sizes = [each.size for each in DOCUMENT.previews(DOCUMENT.defaults) if each.size]

    assert [(each.alphabet, each.segments) for each in sizes] == [(Alphabet.GSM, 1)] * 9


def test_there_are_words_for_every_note_of_the_desk() -> None:
    kinds = {"joined", "link", "left", "offer", "booked", "offer_withdrawn"}
    kinds |= {"cancelled", "cancelled_for", "missed"}
    for_staff = {"unreachable", "nobody_fits", "handed_back", "proposed", "unclear"}
    for_staff |= {"sheet_halted", "sheet_troubled", "texts_used_up", "summary", "overlap"}
    for_staff |= {"calendar_halted"}
    assert KINDS.keys() == kinds | for_staff
    assert DOCUMENT.specs.keys() == {(c, kind) for c in Via for kind in kinds} | {
        (Via.MAIL, kind) for kind in for_staff
    }


@pytest.mark.spec("WL-14")
@pytest.mark.parametrize("channel", Via)
def test_an_offer_says_what_when_with_whom_and_until_when(channel: Via) -> None:
    [offer] = [
        each for each in DOCUMENT.previews(DOCUMENT.defaults) if each.key == (channel, "offer")
    ]

    for said in ("Cut and colour", "Friday 20 November, 15:00 (SGT)", "with Mia", "14:10"):
        assert said in offer.text
    assert offer.text.count("https://") == (1 if channel is Via.TEXT else 2)


WRITTEN = """\ufeff# How we sound

## SMS: Offer ##
// short!
Hi {{ name }}! {{ service }} {{ with_staff }}
on {{when}}, until {{ claim_by }}?

Yes or no. Tell us:
{{ offer_link }}

## E-mail: left
Subject:   Bye,  {{ name }}

# Off the list.

Come back soon.
"""


@pytest.mark.spec("WL-23")
def test_a_document_changes_the_words_that_it_has_and_no_others() -> None:
    changed = {
        **DOCUMENT.defaults,
        TEXT_OFFER: Wording(
            "",
            "Hi {{ name }}! {{ service }} {{ with_staff }}\non {{when}}, until"
            " {{ claim_by }}?\n\nYes or no. Tell us:\n{{ offer_link }}",
        ),
        MAIL_LEFT: Wording("Bye,  {{ name }}", "# Off the list.\n\nCome back soon."),
    }

    assert DOCUMENT.parse(WRITTEN) == ParsedDocument(changed, ())


def test_a_preview_is_the_message_with_sample_values() -> None:
    by_key = {each.key: each for each in DOCUMENT.previews(DOCUMENT.parse(WRITTEN).wordings)}
    link = DOCUMENT.specs[TEXT_OFFER].placeholders["offer_link"]
    text = (
        "Hi Ann Lee! Cut & colour w/ Mia on Fri 20 Nov, 15:00 (SGT), until 14:10?\n"
        f"Yes or no. Tell us: {link}"
    )

    assert by_key[TEXT_OFFER] == Preview(
        TEXT_OFFER,
        "A slot is offered",
        FilledWording(
            "",
            (
                Paragraph(
                    "Hi Ann Lee! Cut and colour with Mia\n"
                    "on Friday 20 November, 15:00 (SGT), until 14:10?"
                ),
                Action("Yes or no.", "Tell us", link),
            ),
        ),
        text,
        Size(Alphabet.GSM, len(text), 2),
    )
    assert by_key[MAIL_LEFT] == Preview(
        MAIL_LEFT,
        "Somebody left the list",
        FilledWording("Bye, Ann Lee", (Headline("Off the list."), Paragraph("Come back soon."))),
        "Off the list.\n\nCome back soon.",
        None,
    )


@pytest.mark.spec("WL-23")
def test_errors_are_reported_by_line_and_the_last_good_wording_stays() -> None:
    document = """hello
## Text: ofer
## Text: offer
# Hi {{ nmae }}
{{ service }} {{ with_staff }} {{ when }} {{ claim_by }}

Yes:
{{ offer_link }}

No:
{{ offer_link }}
## Mail: booked
{{ service }} {{ when }}
## Mail: left
Subject: Bye {{ name }

It was {{ broken
## sms booked
See {{ entry_link }}
## Text: left
Subject: Bye
## Mail: left
Subject: Bye

So long.
##
"""
    known = "business, claim_by, name, offer_link, service, when, window, with_staff"
    braces = "A placeholder is written with two braces on each side: {{ name }}."
    missing = "{{ %s }} is missing: without it this text is no use."
    titles = ", ".join(f"{key[0].capitalize()}: {key[1]}" for key in DOCUMENT.specs)

    parsed = DOCUMENT.parse(document)

    assert parsed.problems == (
        DocumentProblem(1, "", "A part begins with its heading, like: ## Text: offer"),
        DocumentProblem(2, "Text: ofer", "There is no such message. Did you mean Text: offer?"),
        DocumentProblem(
            4, "Text: offer", f"There is no {{{{ nmae }}}} in this text. There is: {known}."
        ),
        DocumentProblem(4, "Text: offer", "A text has no headline."),
        DocumentProblem(11, "Text: offer", "A text has one link; its page has all the buttons."),
        DocumentProblem(
            *(12, "Mail: booked"),
            "A mail begins with its subject, like: Subject: A place is free",
        ),
        DocumentProblem(15, "Mail: left", braces),
        DocumentProblem(17, "Mail: left", braces),
        DocumentProblem(18, "sms booked", missing % "service"),
        DocumentProblem(18, "sms booked", missing % "when"),
        DocumentProblem(
            *(19, "sms booked"),
            "{{ entry_link }} needs a line of its own, at the end of its paragraph.",
        ),
        DocumentProblem(21, "Text: left", "A text has no subject."),
        DocumentProblem(22, "Mail: left", "Line 14 begins the same part."),
        DocumentProblem(26, "##", f"There is no such message. There is: {titles}."),
    )
    assert DOCUMENT.parse("## Mail: left\nSubject: a\nb") == ParsedDocument(
        wordings_with(MAIL_LEFT, Wording("a", "b")), ()
    )


def test_a_text_of_too_many_segments_and_a_document_of_any_size_are_refused() -> None:
    long_text = f"## Text: left\n{'We will miss you. ' * 40}"

    assert DOCUMENT.parse(long_text).problems == (
        DocumentProblem(1, "Text: left", "This would go out as 5 texts; 4 is the most."),
    )
    assert len(DOCUMENT.parse("## x\n" * 10_000).problems) == 100
    unknown = "\n".join(f"{{{{ a{n} }}}}" for n in range(5_000))
    assert len(DOCUMENT.parse(f"## Mail: left\nSubject: x\n{unknown}").problems) == 100
    assert DOCUMENT.parse("x" * 60_001).problems == (
        DocumentProblem(1, "", "The document is longer than 60,000 characters."),
    )


def test_a_message_leaves_out_an_unknown_name_without_a_gap() -> None:
    values = {**DOCUMENT.specs[TEXT_OFFER].placeholders, "with_staff": ""}

    assert as_sms(fill(DOCUMENT.defaults[TEXT_OFFER], values)).startswith(
        "Salon Mia: Cut and colour is free Friday 20 November, 15:00 (SGT)."
    )


def test_a_persons_name_is_never_read_as_wording() -> None:
    values = {**DOCUMENT.specs[MAIL_LEFT].placeholders, "name": "{{ business }}"}
    wording = Wording("s", "Bye {{ name }}")

    assert fill(wording, values) == FilledWording("s", (Paragraph("Bye {{ business }}"),))


# --- properties -------------------------------------------------------------------------------

WORDS = st.text(st.sampled_from("abc äöß.,!?'’-"), min_size=1, max_size=40).map(
    lambda text: f"w{text}w"
)
BODIES = st.lists(WORDS | st.just("{{ name }}") | st.just(""), min_size=1, max_size=6).map(
    lambda lines: "\n".join(["first", *lines, "last"])
)


@settings(max_examples=60, deadline=None)
@given(WORDS, BODIES, BODIES)
def test_words_that_are_written_down_read_as_the_same_words(
    subject: str, mail: str, text: str
) -> None:
    wordings = {
        **DOCUMENT.defaults,
        MAIL_LEFT: Wording(subject, mail),
        (Via.TEXT, "left"): Wording("", text),
    }

    assert DOCUMENT.parse(DOCUMENT.write(wordings)) == ParsedDocument(wordings, ())


LINES = st.sampled_from(
    [
        *DOCUMENT.default_text.splitlines(),
        "{{ nmae }}",
        "{{",
        "## Text: x",
        "Subject: b",
        "# c",
        "d",
    ]
)


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=200) | st.lists(LINES, max_size=25).map("\n".join), st.integers(1, 5))
def test_any_document_is_answered_and_its_problems_move_with_its_lines(
    document: str, above: int
) -> None:
    problems = DOCUMENT.parse(document).problems
    moved = DOCUMENT.parse("// above\n" * above + document).problems

    lines = len(document.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert {problem.line for problem in problems} <= set(range(1, lines + 1))
    assert [problem.line for problem in moved] == [problem.line + above for problem in problems]
