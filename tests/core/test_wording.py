"""Wordings whose placeholders are filled in."""

import pytest

from frontdesk.core.wording import Paragraph, Wording, fill, wording_spec


@pytest.mark.spec("FD-13")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("A cut {{ staff }}.", "A cut."),
        ("A cut {{ staff }} on Friday.", "A cut on Friday."),
        ("A cut ({{ staff }}).", "A cut ()."),
    ],
)
def test_an_empty_value_leaves_no_space_behind(body: str, text: str) -> None:
    assert fill(Wording("", body), {"staff": ""}).blocks == (Paragraph(text),)


@pytest.mark.spec("FD-13")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Are you coming, {{ name }}?", "Are you coming?"),
        ("We are sorry, {{ name }}: it is taken.", "We are sorry: it is taken."),
        ("{{ name }}, these times are free.", "These times are free."),
    ],
)
def test_a_mail_to_somebody_whose_name_is_left_out_reads_as_a_sentence(
    body: str, text: str
) -> None:
    assert fill(Wording("", body), {"name": ""}).blocks == (Paragraph(text),)


def test_the_lines_of_a_default_wording_are_not_wrapped_in_the_mail() -> None:
    spec = wording_spec(
        "A mail",
        """
Subject: Hello

One sentence that the source
wraps.

Another one above
its link:
{{ page_link }}
""",
        page_link="https://example.org",
    )

    assert spec.default == Wording(
        "Hello",
        "One sentence that the source wraps.\n\nAnother one above its link:\n{{ page_link }}",
    )


@pytest.mark.parametrize(
    ("above", "left"),
    [
        (
            "Sorry, Friday is not possible. Another time:",
            [Paragraph("Sorry, Friday is not possible.")],
        ),
        ("You can't come? Cancel:", []),
        ("Book another time:", []),
    ],
)
def test_the_sentence_before_a_link_without_a_url_stays(above: str, left: list[Paragraph]) -> None:
    """The desk of the link may be switched off. A text must not become empty then."""
    filled = fill(Wording("", f"{above}\n{{{{ book_link }}}}"), {"book_link": ""})

    assert list(filled.blocks) == left
