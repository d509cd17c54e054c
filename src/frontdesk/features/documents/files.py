"""Files in which staff edit documents outside of the store."""

from __future__ import annotations

import time
from os import stat_result
from pathlib import Path
from typing import Final, Protocol

from frontdesk.features.documents.model import DocumentUnavailable

#: More than any document may have. The rest of a longer file is ignored.
MOST_BYTES: Final = 300_000
#: File times are coarse: a file that changed within this time may change again and keep its time.
SETTLED_NS: Final = 1_000_000_000


def file_name(name: str) -> str:
    """Returns `rules.md` for 'rules'. A name with a suffix is the name of the file itself."""
    return name if "." in name else f"{name}.md"


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
    """Files such as `rules.md` and `rules.yml` in a folder. Reads a file again only if it has
    changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, tuple[tuple[int, ...], str]] = {}
        """The text of each file, with the stamp that the file had before it was read."""

    def read(self, name: str) -> str | None:
        path = self._path(name)
        try:
            status = path.stat()
            stamp, text = self._texts.get(name, ((), ""))
            if stamp == _stamp(status):
                return text
            with path.open("rb") as file:
                text = file.read(MOST_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            why = f"{file_name(name)} cannot be read: {error.strerror}."
            raise DocumentUnavailable(why, is_lasting=True) from error
        if time.time_ns() - status.st_mtime_ns > SETTLED_NS:
            self._texts[name] = (_stamp(status), text)
        return text

    def write(self, name: str, text: str) -> None:
        """Writes atomically: a reader never sees half a document."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.draft")
        draft.write_text(text, "utf-8", newline="")
        draft.replace(path)

    def edited_at(self, _name: str) -> str:
        return ""

    def _path(self, name: str) -> Path:
        return self._folder / file_name(name)


def _stamp(status: stat_result) -> tuple[int, ...]:
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
