"""Extracts the text of a Word document, with limits that hold for hostile files."""

import io
import zipfile
from typing import Final
from xml.parsers import expat

from frontdesk.reading.model import BadDocument

MOST_PARTS: Final = 1_000
MOST_UNPACKED_BYTES: Final = 8_000_000
MOST_ELEMENTS: Final = 200_000
MOST_TEXT: Final = 64_000

_MAIN_PART: Final = "word/document.xml"
_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "


def docx_text(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Paragraphs().read(_main_part(archive))
    except BadDocument:
        raise
    except Exception as error:  # a hostile archive or document may fail anywhere
        raise BadDocument("This Word document is damaged and cannot be read.") from error


def _main_part(archive: zipfile.ZipFile) -> bytes:
    """Trusts the declared size, since `zipfile` unpacks no more of a part than it declares."""
    parts = archive.infolist()
    main = archive.getinfo(_MAIN_PART)
    if len(parts) > MOST_PARTS or main.file_size > MOST_UNPACKED_BYTES:
        raise BadDocument("This Word document is too large once it is unpacked.")
    return archive.read(main)


class _Paragraphs:
    """Collects text: one line for each paragraph and each table row, with '|' between cells."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._cells = self._elements = 0
        self._is_text = False

    def read(self, xml: bytes) -> str:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add
        parser.Parse(xml, True)
        lines = (line.strip() for line in "".join(self._pieces).split("\n"))
        return "\n".join(lines).strip()[:MOST_TEXT]

    def _start(self, tag: str, _given: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > MOST_ELEMENTS:
            raise BadDocument("This Word document has too much in it.")
        match tag.removeprefix(_WORD):
            case "t":
                self._is_text = True
            case "tc":
                self._cells += 1
            case "tab":
                self._pieces.append("\t")
            case "br" | "cr":
                self._pieces.append(self._line_end())
            case _:
                pass

    def _end(self, tag: str) -> None:
        match tag.removeprefix(_WORD):
            case "t":
                self._is_text = False
            case "p":
                self._pieces.append(self._line_end())
            case "tc":
                self._cells -= 1
                self._pieces.append("| ")
            case "tr":
                self._pieces.append("\n")
            case _:
                pass

    def _line_end(self) -> str:
        return " " if self._cells else "\n"

    def _add(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)


def _refuse_doctype(*_: object) -> None:
    raise BadDocument("This Word document holds a document type, which no Word writes.")
