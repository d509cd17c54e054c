"""Files in which staff edit documents outside of the store."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

from frontdesk.features.documents.model import DocumentUnavailable

#: More than any document may have; the rest of a longer file is not read.
MOST_BYTES: Final = 300_000


class DocumentFiles(Protocol):
    def read(self, name: str) -> str | None:
        """The current text; None if there is no file. Raises `DocumentUnavailable`."""

    def write(self, name: str, text: str) -> None: ...

    def edited_at(self, _name: str) -> str:
        """The URL where staff edit it; empty if they edit it here. A document with a URL is
        read-only here."""
        return ""


class NoFiles:
    """No files: only the store has the documents."""

    def read(self, _name: str) -> str | None:
        return None

    def write(self, _name: str, _text: str) -> None:
        pass

    def edited_at(self, _name: str) -> str:
        return ""


class LocalFiles:
    """Files such as `rules.md` in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, name: str) -> str | None:
        try:
            with self._path(name).open("rb") as file:
                return file.read(MOST_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            why = f"{name}.md cannot be read: {error.strerror}."
            raise DocumentUnavailable(why, is_lasting=True) from error

    def write(self, name: str, text: str) -> None:
        """Writes atomically: a reader never sees half a document."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_text(text, "utf-8", newline="")
        draft.replace(path)

    def edited_at(self, _name: str) -> str:
        return ""

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.md"
