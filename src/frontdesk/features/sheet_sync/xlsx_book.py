"""Changes an Excel file cell by cell; everything else in it stays unchanged.

It writes cells into the sheet's own XML. It does not parse formats, widths, formulas, charts or
other sheets, and so cannot lose them.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

from frontdesk.connect.tables.model import BadTable, ListLimits
from frontdesk.connect.tables.xlsx import place_of, xlsx_sheet
from frontdesk.errors import SourceFailed
from frontdesk.features.sheet_sync.cells import with_iso_dates
from frontdesk.features.sheet_sync.dates import is_serial, number_of
from frontdesk.features.sheet_sync.layout import layout_of
from frontdesk.features.sheet_sync.model import Row, RowWrite, SheetWrite
from frontdesk.features.sheet_sync.schema import ColumnKind, Columns
from frontdesk.values import Frozen

_TAG: Final = re.compile(
    r"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?|(?P<close>/?)(?P<name>[\w:.-]+)"
    r"(?P<given>(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(?P<empty>/?))>",
    re.DOTALL,
)
_GIVEN: Final = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_MOST_CHARS: Final = 32_767


class XmlCell(Frozen):
    """The position of a cell in the XML, its style, and whether it is a number."""

    start: int
    end: int
    style: str
    is_number: bool


class XmlRow(Frozen):
    """The position of a row in the XML, its opening tag, and its cells by place."""

    start: int
    end: int
    tag: str
    is_empty: bool
    cells: Mapping[int, XmlCell]


class XlsxBook:
    """The first sheet that is not empty."""

    def __init__(self, data: bytes, limits: ListLimits, columns: Columns) -> None:
        try:
            self._part, found = xlsx_sheet(data, limits)
        except BadTable as bad:
            raise SourceFailed(str(bad)) from bad
        self._data = data
        self._columns = columns
        self._rows = tuple(Row(row.line, row.cells) for row in found)
        if self._counts_from_1904():
            raise SourceFailed(
                "This file counts days from 1904. Save it with the 1900 date system."
            )

    def rows(self) -> tuple[Row, ...]:
        layout = layout_of(self._rows, self._columns) if self._rows else None
        return self._rows if layout is None else with_iso_dates(self._rows, layout, self._columns)

    def changed(self, cells: Sequence[SheetWrite], appends: Sequence[RowWrite]) -> bytes:
        below = max((row.line for row in self._rows), default=0)
        added = [
            SheetWrite(line, cell.place, cell.text, cell.column)
            for line, row in enumerate(appends, start=below + 1)
            for cell in row.cells
        ]
        sheet = _SheetXml(self._read(self._part), self._columns)
        return self._with(self._part, sheet.changed([*cells, *added], below))

    def _counts_from_1904(self) -> bool:
        names = zipfile.ZipFile(io.BytesIO(self._data)).namelist()
        main = next((name for name in names if name.lower().endswith("xl/workbook.xml")), "")
        return bool(main) and re.search(r'date1904="(?:1|true)"', self._read(main)) is not None

    def _read(self, part: str) -> str:
        try:
            return zipfile.ZipFile(io.BytesIO(self._data)).read(part).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise SourceFailed(
                "This Excel file is written in a way that we cannot change."
            ) from None

    def _with(self, part: str, text: str) -> bytes:
        out = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(self._data)) as before,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after,
        ):
            for each in before.infolist():
                content = text.encode() if each.filename == part else before.read(each)
                after.writestr(each, content, compress_type=zipfile.ZIP_DEFLATED)
        return out.getvalue()


class _SheetXml:
    """The XML of a sheet, split into rows."""

    def __init__(self, text: str, columns: Columns) -> None:
        self._text = text
        self._columns = columns
        self._prefix = ""
        self._body = (0, 0)
        self._data_tag = ""
        self._lines = dict(self._scanned())

    def changed(self, cells: Iterable[SheetWrite], below: int) -> str:
        wanted: dict[int, dict[int, SheetWrite]] = {}
        for cell in cells:
            wanted.setdefault(cell.line, {})[cell.place] = cell
        pieces: list[str] = []
        at = self._body[0]
        for line in sorted({*self._lines, *wanted}):
            known = self._lines.get(line)
            if known is not None:
                pieces.append(self._text[at : known.start])
                at = known.end
            if line in wanted:
                pieces.append(self._line(line, known, wanted[line], min(line - 1, below)))
            elif known is not None:
                pieces.append(self._text[known.start : known.end])
        pieces.append(self._text[at : self._body[1]])
        return self._around("".join(pieces))

    def _around(self, body: str) -> str:
        start, end = self._body
        if not self._data_tag:
            return self._text[:start] + body + self._text[end:]
        opened = self._data_tag.removesuffix("/>").rstrip() + ">"
        return self._text[:start] + opened + body + f"</{self._prefix}sheetData>" + self._text[end:]

    # --- taking apart -------------------------------------------------------------------------

    def _scanned(self) -> Iterator[tuple[int, XmlRow]]:
        """Rows by number; those without a number are counted."""
        tags = _TAG.finditer(self._text)
        number = 0
        for tag in tags:
            name = _local(tag)
            if name == "sheetData" and not tag["close"]:
                self._open(tag)
            elif name == "sheetData":
                self._body = (self._body[0], tag.start())
                return
            elif name == "row" and not tag["close"]:
                number = int(_given(tag).get("r", number + 1))
                yield number, self._row(tag, tags)

    def _open(self, tag: re.Match[str]) -> None:
        self._prefix = tag["name"].removesuffix("sheetData")
        self._body = (tag.end(), tag.end())
        if tag["empty"]:
            self._body, self._data_tag = (tag.start(), tag.end()), tag[0]

    def _row(self, tag: re.Match[str], tags: Iterator[re.Match[str]]) -> XmlRow:
        if tag["empty"]:
            return XmlRow(tag.start(), tag.end(), tag[0], True, {})
        cells: dict[int, XmlCell] = {}
        place = -1
        for inner in tags:
            name = _local(inner)
            if name == "row":
                return XmlRow(tag.start(), inner.end(), tag[0], False, cells)
            if name == "c" and not inner["close"]:
                place = _place(_given(inner).get("r", ""), place + 1)
                cells[place] = self._cell(inner, tags)
        raise SourceFailed("This Excel file is damaged and cannot be read.")

    def _cell(self, tag: re.Match[str], tags: Iterator[re.Match[str]]) -> XmlCell:
        given = _given(tag)
        end = tag.end()
        has_value = False
        if not tag["empty"]:
            for inner in tags:
                has_value = has_value or _local(inner) == "v"
                if _local(inner) == "c":
                    end = inner.end()
                    break
        is_number = has_value and given.get("t", "n") == "n"
        return XmlCell(tag.start(), end, given.get("s", ""), is_number)

    # --- putting together ---------------------------------------------------------------------

    def _line(
        self, line: int, known: XmlRow | None, wanted: Mapping[int, SheetWrite], above: int
    ) -> str:
        """The XML of a row with these cells in their places."""
        cells = {} if known is None else known.cells
        pieces = [
            self._written(line, wanted[place], cells.get(place), above)
            if place in wanted
            else self._text[cells[place].start : cells[place].end]
            for place in sorted({*cells, *wanted})
        ]
        name = f"{self._prefix}row"
        if known is None:
            opened = f'<{name} r="{line}">'
        else:
            opened = re.sub(r'\s+spans="[^"]*"', "", known.tag)
            opened = opened.removesuffix("/>").rstrip() + ">" if known.is_empty else opened
        return f"{opened}{''.join(pieces)}</{name}>"

    def _written(self, line: int, cell: SheetWrite, before: XmlCell | None, above: int) -> str:
        """The XML of a cell, in the style of the old cell, else of the one above it."""
        like = before or self._above(above, cell.place)
        style = f' s="{like.style}"' if like is not None and like.style else ""
        name, at = f"{self._prefix}c", f"{_letters(cell.place)}{line}"
        if not cell.text:
            return f'<{name} r="{at}"{style}/>'
        number = _number(cell, self._columns.kind(cell.column), like)
        if number:
            value = f"{self._prefix}v"
            return f'<{name} r="{at}"{style}><{value}>{number}</{value}></{name}>'
        inside, text = f"{self._prefix}is", f"{self._prefix}t"
        content = f'<{inside}><{text} xml:space="preserve">{_xml(cell.text)}</{text}></{inside}>'
        return f'<{name} r="{at}"{style} t="inlineStr">{content}</{name}>'

    def _above(self, line: int, place: int) -> XmlCell | None:
        known = self._lines.get(line)
        return None if known is None else known.cells.get(place)


def _number(cell: SheetWrite, kind: ColumnKind | None, like: XmlCell | None) -> str:
    """The number of a cell; empty for text. A date is a number only if the model cell is one."""
    if kind is ColumnKind.NUMBER and cell.text.isdigit():
        return cell.text
    if like is None or not like.is_number:
        return ""
    if kind in (ColumnKind.DATE, ColumnKind.TIME, ColumnKind.CLOCK):
        return cell.text if is_serial(cell.text) else number_of(cell.text)
    is_plain = kind is None and re.fullmatch(r"-?\d{1,15}(\.\d{1,10})?", cell.text)
    return cell.text if is_plain else ""


def _xml(text: str) -> str:
    held = _NOT_IN_XML.sub("", text)[:_MOST_CHARS]
    return escape(_ESCAPED.sub("_x005F_", held))


def _local(tag: re.Match[str]) -> str:
    return (tag["name"] or "").rpartition(":")[2]


def _given(tag: re.Match[str]) -> dict[str, str]:
    return {name: one or other for name, one, other in _GIVEN.findall(tag["given"] or "")}


def _place(reference: str, counted: int) -> int:
    letters = re.match(r"[A-Za-z]{1,3}", reference)
    return place_of(letters[0]) if letters else counted


def _letters(place: int) -> str:
    place += 1
    found = ""
    while place:
        place, left = divmod(place - 1, 26)
        found = chr(ord("A") + left) + found
    return found
