"""Finding the part of a mail that is the request."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from frontdesk.reading.labels import labelled
from frontdesk.reading.model import Words
from frontdesk.reading.passages import day_sent, passages
from frontdesk.reading.rules import RulesReader
from frontdesk.reading.words import folded
from tests.reading.corpus import context

HEAD = "From: Ann Lee <ann@lee.example>\nDate: 14 November 2026\nSubject: x\nTo: desk@salon.example"
OUR_HEAD = HEAD.replace("ann@lee.example", "desk@salon.example")
OURS = frozenset({"desk@salon.example"})


def body(text: str) -> str:
    found = passages(text, OURS)
    assert len(found.body) == len(found.signature) == len(text)
    return " ".join(found.body.split())


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    "text",
    [
        f"Please add\n\n---------- Forwarded message ---------\n{HEAD}\n\nA cut on Friday",
        f"Begin forwarded message:\n\n{HEAD}\n\nA cut on Friday",
        "Begin forwarded message:\n\n> " + HEAD.replace("\n", "\n> ") + "\n>\n> A cut on Friday",
        "Begin forwarded message:\n\n> "
        + OUR_HEAD.replace("\n", "\n> ")
        + "\n>\n> A cut on Friday",
        f"Hi all, see below, she has called twice and would be glad\n\n{HEAD}\n\nA cut on Friday",
        f"Fwd:\n\n{HEAD}\n\n---------- Forwarded message ---------\n{HEAD}\n\nA cut on Friday",
        f"Fwd:\n\n{HEAD}\n\n{HEAD}\n\nA cut on Friday",
        "> A cut on Friday",
        "A cut on Friday\n\nOn 2 Nov 2026, Desk <desk@salon.example> wrote:\n> on Monday",
        "A cut on Friday\n-- \nAnn\nOpen Monday",
        "A cut on Friday\n\nBest wishes,\nAnn\nOpen Monday",
        f"A cut on Friday\n\n{OUR_HEAD}\n\nMonday",
        "For the list?\n\n> " + HEAD.replace("\n", "\n> ") + "\n>\n> A cut on Friday",
        "From: Ann Lee <ann@lee.example>\nSubject: Waitlist\n\nA cut on Friday",
    ],
)
def test_only_the_request_is_left(text: str) -> None:
    assert body(text) == "A cut on Friday"


def test_the_sender_of_a_forwarded_mail_is_known() -> None:
    text = f"---------- Forwarded message ---------\n{HEAD}\n\nHello"
    found = passages(text, OURS)

    sender = "Ann Lee <ann@lee.example>"
    assert found.sender == Words(sender, text.index(sender))
    assert found.sent == Words("14 November 2026", text.index("14 November 2026"))


def test_the_sender_is_unclear_if_two_people_have_written() -> None:
    answer = "That is kind of you, and Friday at ten would be the best for me and the dog. Mo Kemp"
    passed_on = f"Please put her on the list, she has called us twice already. {answer}"
    hers = f"\n\n{HEAD}\n\nA cut on Friday"

    assert passages(answer + hers).is_of_two
    assert passages(answer + hers, OURS).is_of_two
    assert not passages(f"{answer}\n\n{OUR_HEAD}\n\nWhich day?", OURS).is_of_two
    assert not passages(passed_on + hers, OURS).is_of_two
    assert not passages("She called" + hers).is_of_two


def test_a_postscript_is_read() -> None:
    assert body("A cut.\nThanks\nAnn\nPS: Friday is best") == "A cut. PS: Friday is best"


def test_every_character_keeps_its_place() -> None:
    text = "On\xa03\xa0March\x00 please\r\nAnn"
    found = RulesReader().read(text, context())

    assert found.earliest_on
    assert found.earliest_on.words == Words("3\xa0March", 3)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("Sat, 14 Nov 2026 23:30:00 -0500", date(2026, 11, 15)),
        ("Sat, 14 Nov 2026 23:30", None),
        ("Sat, 99 Nov 2026 23:30:00 +0000", None),
        ("", None),
    ],
)
def test_the_day_of_a_mail_is_that_of_the_business(words: str, day: date | None) -> None:
    assert day_sent(words, ZoneInfo("Europe/Berlin")) == day


def test_labels_are_read_beside_and_above() -> None:
    text = "Guests: 4\n| Name | Phone |\n|---|---|\n| Ann Lee | 0171 2345678 |"

    assert labelled(text, folded(text)) == {
        "party": Words("4", text.index("4")),
        "name": Words("Ann Lee", text.index("Ann")),
        "phone": Words("0171 2345678", text.index("0171")),
    }


def test_dots_and_wide_gaps_stand_between_a_label_and_its_words_too() -> None:
    text = "Guest .... Ann Lee\nPreferred therapist   Ben Carter"

    assert labelled(text, folded(text)) == {
        "name": Words("Ann Lee", text.index("Ann")),
        "staff": Words("Ben Carter", text.index("Ben")),
    }
