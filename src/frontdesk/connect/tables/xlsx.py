"""Reads the first sheet with content of an Excel file, with limits that hold for hostile files.

It reads only cells, and ignores styles, formulas and links. It rejects a document type, which could
define entities.
"""

import io
import math
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from xml.parsers import expat

from frontdesk.connect.tables.model import BadTable, ListLimits, RawRow, too_many_rows

_SMALL_PART_BYTES = 1_000_000
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"([A-Za-z]{1,3})[0-9]{1,7}")
_TOO_LARGE = "This Excel file is too large once it is unpacked."
_UNREADABLE = "This Excel file is damaged and cannot be read."


def is_zip(data: bytes) -> bool:
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def xlsx_rows(data: bytes, limits: ListLimits) -> list[RawRow]:
    """Returns the rows that are not empty, numbered as in the sheet."""
    return xlsx_sheet(data, limits)[1]


def xlsx_sheet(data: bytes, limits: ListLimits) -> tuple[str, list[RawRow]]:
    """Returns the name of the file part, and its rows."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_size(archive.infolist(), limits)
            return _Book(archive, limits).first_filled_sheet()
    except BadTable:
        raise
    except Exception as error:  # a hostile archive or document may fail anywhere
        raise BadTable(_UNREADABLE) from error


def _check_size(parts: list[zipfile.ZipInfo], limits: ListLimits) -> None:
    """Relies on the directory: `zipfile` unpacks no more of a part than it declares."""
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > limits.zip_parts or unpacked > limits.unpacked_bytes:
        raise BadTable(_TOO_LARGE)
    for part in parts:
        ratio = part.file_size / max(part.compress_size, 1)
        if part.file_size > _SMALL_PART_BYTES and ratio > limits.zip_ratio:
            raise BadTable("This Excel file is compressed too strongly to be a list of people.")


class _Book:
    def __init__(self, archive: zipfile.ZipFile, limits: ListLimits) -> None:
        self._archive = archive
        self._limits = limits
        self._elements = 0
        self._names = {name.lower(): name for name in archive.namelist()}

    def first_filled_sheet(self) -> tuple[str, list[RawRow]]:
        main = next((part for part, _, kind in self._links("") if kind == "officeDocument"), "")
        if not self._has(main):
            raise BadTable("This is a compressed file, but not an Excel file (.xlsx).")
        links = {link: (part, kind) for part, link, kind in self._links(main)}
        shared = [part for part, kind in links.values() if kind == "sharedStrings"]
        strings = self._strings(shared[0]) if shared and self._has(shared[0]) else []
        for part in self._sheet_parts(main, links):
            if rows := self._cells(part, strings):
                return self._names[part.lower()], rows
        return "", []

    def _sheet_parts(self, main: str, links: Mapping[str, tuple[str, str]]) -> list[str]:
        """Returns each part once, up to the limit of sheets."""
        found: dict[str, str] = {}
        for link in self._sheets(main):
            part, kind = links.get(link, ("", ""))
            if kind == "worksheet":
                found.setdefault(part.lower(), part)
        return list(found.values())[: self._limits.sheets]

    def _has(self, part: str) -> bool:
        return part.lower() in self._names

    def _links(self, part: str) -> list[tuple[str, str, str]]:
        """Returns (part, id, kind) of all relationships of a part."""
        folder, name = posixpath.split(part)
        found: list[tuple[str, str, str]] = []

        def start(tag: str, given: dict[str, str]) -> None:
            if tag == "Relationship" and given.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, given.get("Target", "")))
                kind = given.get("Type", "").rpartition("/")[2]
                found.append((target.lstrip("/"), given.get("Id", ""), kind))

        self._parse(posixpath.join(folder, "_rels", f"{name}.rels"), start)
        return found

    def _sheets(self, main: str) -> list[str]:
        """Returns the links of the sheets in order, hidden ones last."""
        shown: list[str] = []
        hidden: list[str] = []

        def start(tag: str, given: dict[str, str]) -> None:
            if tag == "sheet":
                links = [value for key, value in given.items() if _local(key) == "id"]
                (shown if given.get("state", "visible") == "visible" else hidden).extend(links)

        self._parse(main, start)
        return shown + hidden

    def _strings(self, part: str) -> list[str]:
        strings: list[str] = []
        text = _Text(self._limits.cell_chars)

        def end(tag: str) -> None:
            if tag == "si":
                strings.append(text.take())

        self._parse(part, text.start, text.end_then(end), text.add)
        return strings

    def _cells(self, part: str, strings: list[str]) -> list[RawRow]:
        sheet = _SheetCells(strings, self._limits)
        self._parse(part, sheet.start, sheet.text.end_then(sheet.end), sheet.text.add)
        return sheet.rows

    def _parse(
        self,
        part: str,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Calls back with local names; treats a missing part as empty."""
        if not self._has(part):
            return
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = lambda tag, given: start(self._counted(tag), given)
        if end is not None:
            parser.EndElementHandler = lambda tag: end(_local(tag))
        if text is not None:
            parser.CharacterDataHandler = text
        parser.Parse(self._archive.read(self._names[part.lower()]), True)

    def _counted(self, tag: str) -> str:
        self._elements += 1
        if self._elements > self._limits.xml_elements:
            raise BadTable(_TOO_LARGE)
        return _local(tag)


@lru_cache(maxsize=256)
def _local(name: str) -> str:
    """Returns the name without its namespace."""
    return name.rpartition(" ")[2]


def _refuse_doctype(*_: object) -> None:
    raise BadTable("This Excel file has a document type, which no spreadsheet writes.")


class _Text:
    """Collects the text of `<t>` and `<v>`, but not of phonetic aids (`<rPh>`)."""

    def __init__(self, limit_chars: int) -> None:
        self._limit_chars = limit_chars
        self._pieces: list[str] = []
        self._chars = 0
        self._open = False
        self._aside = False

    def start(self, tag: str, _given: dict[str, str]) -> None:
        if tag == "rPh":
            self._aside = True
        self._open = tag in ("t", "v") and not self._aside

    def end_then(self, then: Callable[[str], None]) -> Callable[[str], None]:
        def end(tag: str) -> None:
            self._open = False
            if tag == "rPh":
                self._aside = False
            then(tag)

        return end

    def add(self, text: str) -> None:
        """Keeps one character over the limit, so that a reader can detect the excess."""
        if self._open and self._chars <= self._limit_chars:
            self._pieces.append(text[: self._limit_chars + 1 - self._chars])
            self._chars += len(self._pieces[-1])

    def take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._chars = 0
        return _ESCAPED.sub(_unescaped, text) if "_x" in text else text


def _unescaped(found: re.Match[str]) -> str:
    """Decodes `_x000D_`, an Excel escape; drops unprintable characters."""
    character = chr(int(found[1], 16))
    return character if character.isprintable() or character in "\t\n" else ""


class _SheetCells:
    """Collects the rows of a sheet from its cells."""

    def __init__(self, strings: list[str], limits: ListLimits) -> None:
        self.rows: list[RawRow] = []
        self.text = _Text(limits.cell_chars)
        self._strings = strings
        self._limits = limits
        self._line = 0
        self._place = -1
        self._kind = ""
        self._cells: dict[int, str] = {}
        self._chars = 0

    def start(self, tag: str, given: dict[str, str]) -> None:
        self.text.start(tag, given)
        if tag == "row":
            self._line = int(given.get("r", self._line + 1))
            self._place = -1
        elif tag == "c":
            self._place = _place(given["r"]) if "r" in given else self._place + 1
            self._kind = given.get("t", "n")

    def end(self, tag: str) -> None:
        if tag == "c":
            self._end_cell()
        elif tag == "row":
            self._end_row()

    def _end_cell(self) -> None:
        value = self._value(self.text.take())
        if not value.strip():
            return
        self._cells[min(self._place, self._limits.columns)] = value
        self._chars += len(value)
        if self._chars > self._limits.unpacked_bytes:
            raise BadTable(_TOO_LARGE)

    def _value(self, text: str) -> str:
        match self._kind:
            case "s":
                return self._strings[int(text)] if text else ""
            case "n":
                return _number(text)
            case "b":
                return "yes" if text == "1" else "no"
            case "e":
                return ""
            case _:
                return text

    def _end_row(self) -> None:
        if self._cells:
            last = max(self._cells)
            self.rows.append(
                RawRow(self._line, tuple(self._cells.get(place, "") for place in range(last + 1)))
            )
            self._cells.clear()
        if len(self.rows) > self._limits.rows_with_headings:
            raise too_many_rows(self._limits)


def _place(reference: str) -> int:
    """Returns the column, from 0: `A1` gives 0, `AA7` gives 26."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise BadTable(_UNREADABLE)
    return place_of(found[1])


def place_of(letters: str) -> int:
    place = 0
    for letter in letters.upper():
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def _number(text: str) -> str:
    """Formats a number as people write it: 2, not 2.0 or 2E0."""
    try:
        value = float(text)
    except ValueError:
        return text
    if math.isfinite(value) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return text
