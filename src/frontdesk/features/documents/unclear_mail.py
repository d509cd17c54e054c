"""The mail to staff about a document that cannot be understood: its note, values and wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from frontdesk.core.notes import Note, alert
from frontdesk.core.sends import Send
from frontdesk.core.words import count, join_names
from frontdesk.engine.desk import Drop
from frontdesk.features.documents.model import Document, version_of
from frontdesk.values import Frozen

KIND: Final = "unclear"
#: The most problems that a mail explains.
MOST_LINES: Final = 10
_MOST_QUOTED: Final = 80

TITLE: Final = "A document cannot be understood, to staff"
WORDING: Final = """
Subject: Your {{ document }} need a look

We could not understand {{ problems }} of the {{ document }} as they were last saved.
Those before them stay in force until you have put them right.

{{ lines }}

See which:
{{ console_link }}
"""
MUST: Final = "document problems"
SAMPLE: Final[Mapping[str, str]] = {
    "document": "rules",
    "problems": "2 lines (lines 3 and 7)",
    "lines": "Line 3: This line cannot be understood.\n\nLine 7: Line 2 says something else.",
}


class UnclearLine(Frozen):
    """A problem of a document. Lines and columns count from 1; column 0 is the whole line."""

    line: int
    why: str
    column: int = 0
    quoted: str = ""
    """The words that cannot be understood; empty if `why` has them."""
    instead: str = ""
    """The correct text to write; empty if `why` says it."""

    def __str__(self) -> str:
        where = f"Line {self.line}, column {self.column}" if self.column else f"Line {self.line}"
        quoted = f" It says: “{_short(self.quoted)}”." if self.quoted else ""
        instead = f" Write for example: “{_short(self.instead)}”" if self.instead else ""
        return f"{where}: {self.why}{quoted}{instead}"


def unclear_note(desk: str, fact: Any) -> Note:
    """Tells staff once about each text that cannot be understood."""
    told = {"document": fact.name, "problems": fact.problems, "version": fact.digest}
    return alert(desk, KIND, fact.subject, fact.digest, told)


def unclear_values(
    document: Document, send: Send, noun: str, problems: Sequence[UnclearLine]
) -> dict[str, str] | Drop:
    """The values of the placeholders. `noun` is the document's name in sentences, and
    `problems` are those of its current text."""
    if document.is_good or not problems:
        return Drop("put right meanwhile")
    version = version_of(document.text)
    if send.params.get("version", version) != version:
        return Drop("changed since")
    lines = sorted({each.line for each in problems})
    named = join_names([str(line) for line in lines[:MOST_LINES]])
    more = " and more" if len(lines) > MOST_LINES else ""
    which = f"{'line' if len(lines) == 1 else 'lines'} {named}{more}"
    return {
        "document": noun,
        "problems": f"{count(len(lines), 'line')} ({which})",
        "lines": "\n\n".join(str(each) for each in problems[:MOST_LINES]),
    }


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_QUOTED else f"{line[: _MOST_QUOTED - 1]}…"
