"""The mail about a document that cannot be understood: its unclear lines, why, and what to
write."""

from datetime import UTC, datetime

from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send, SendId, SendState
from frontdesk.engine.desk import Drop
from frontdesk.features.documents.model import Document, version_of
from frontdesk.features.documents.unclear_mail import MOST_LINES, UnclearLine, unclear_values

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
BROKEN = Document("rules", "Glorp.\n", "Good.\n")
ONE = UnclearLine(3, "this is no time; write 9:00", 7)


def send(**params: str | int) -> Send:
    queued = (SendState.QUEUED, NOW, NOW)
    return Send(
        SendId("s"), "k", "bk", "unclear", PersonId("p"), "booking", "", *queued, params=params
    )


def values(*problems: UnclearLine) -> dict[str, str]:
    found = unclear_values(BROKEN, send(version=version_of(BROKEN.text)), "rules", problems)
    assert isinstance(found, dict)
    return found


def test_each_problem_has_its_place_its_reason_and_what_to_write() -> None:
    sentence = UnclearLine(7, "Unknown.", quoted="A\twhile", instead="Ten minutes.")

    assert values(ONE, sentence) == {
        "document": "rules",
        "problems": "2 lines (lines 3 and 7)",
        "lines": "Line 3, column 7: this is no time; write 9:00\n\n"
        "Line 7: Unknown. It says: “A while”. Write for example: “Ten minutes.”",
    }


def test_a_long_list_and_a_long_line_are_cut() -> None:
    found = values(*(UnclearLine(line, "Why?", quoted="x" * 200) for line in range(1, 13)))

    assert found["problems"] == ("12 lines (lines 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10 and more)")
    assert found["lines"].count("Why?") == MOST_LINES
    assert f"“{'x' * 79}…”" in found["lines"]


def test_a_text_that_was_put_right_or_changed_since_needs_no_mail() -> None:
    good, now = Document("rules", "Good.\n", "Good.\n"), send(version=version_of(BROKEN.text))
    changed = Document("rules", "Glorp again.\n", "Good.\n")

    assert unclear_values(good, now, "rules", [ONE]) == Drop("put right meanwhile")
    assert unclear_values(BROKEN, now, "rules", []) == Drop("put right meanwhile")
    assert unclear_values(changed, now, "rules", [ONE]) == Drop("changed since")
    assert isinstance(unclear_values(changed, send(), "rules", [ONE]), dict), "an older send"
