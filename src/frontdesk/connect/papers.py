"""The documents of the waitlist as files that staff edit with whatever they like."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from frontdesk.desks.waitlist.model import BadPaper, DocumentName

#: More than any document may have: what is longer is reported, not read to its end.
MOST_BYTES: Final = 300_000


class FilePapers:
    """`rules.md` and `voice.md` in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: DocumentName) -> Path:
        return self._folder / f"{name}.md"

    def read(self, name: DocumentName) -> str | None:
        try:
            with self.path(name).open("rb") as file:
                return file.read(MOST_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            why = f"{name}.md cannot be read: {error.strerror}."
            raise BadPaper(why, is_lasting=True) from error

    def edited_at(self, _name: DocumentName) -> str:
        return ""

    def write(self, name: DocumentName, text: str) -> None:
        """Whole or not at all: a reader never sees half a document."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_text(text, "utf-8", newline="")
        draft.replace(path)
