"""Decodes text files, splits CSV into rows, and escapes text that looks like a formula."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator

from frontdesk.connect.tables.model import BadTable, ListLimits, RawRow, too_large, too_many_rows

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_OTHER_FILES = (
    (b"\xd0\xcf\x11\xe0", "an old or protected Excel file; save it as .xlsx or CSV first"),
    (b"%PDF", "a PDF; save the list as .xlsx or CSV first"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"{\\rtf", "a text document; copy the list and paste it instead"),
    (b"<!doctype html", "a web page; copy the list and paste it instead"),
    (b"<html", "a web page; copy the list and paste it instead"),
    (b"\x1f\x8b", "a compressed file; unpack it first"),
)

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decoded(source: bytes | str, limits: ListLimits) -> str:
    """Returns the text without control characters, lone surrogates or byte order mark."""
    if isinstance(source, str):
        text = source
    else:
        _refuse_other_files(source)
        text = _text(source)
    if len(text) > limits.size_bytes:
        raise too_large(limits)
    controls = len(_CONTROL.findall(text))
    if controls * 100 > len(text):
        raise BadTable(
            "This is not a list of people: it is neither text nor an Excel file (.xlsx)."
        )
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", text)).removeprefix("\ufeff")


def _refuse_other_files(data: bytes) -> None:
    start = data[:200].lstrip().lower()
    for magic, what in _OTHER_FILES:
        if start.startswith(magic.lower()):
            raise BadTable(f"This is {what}.")


def _text(data: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if encoding := _unmarked_utf16(data):
        return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _windows_text(data)


def _unmarked_utf16(data: bytes) -> str:
    """Detects UTF-16 without a byte order mark: western text has a zero in every other byte."""
    pairs = len(data) // 2
    if not pairs or data.count(0) * 4 < pairs:
        return ""
    return "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"


def _windows_text(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


SEPARATORS = (",", ";", "\t")


def csv_rows(text: str, separator: str, limits: ListLimits) -> list[RawRow]:
    """Returns the rows that are not empty, numbered as in a spreadsheet."""
    try:
        rows = filled_rows(_records(text, separator), limits)
    except csv.Error:
        rows = filled_rows(_records_line_by_line(text, separator), limits)
    return [RawRow(row.line, _cells(row.cells, limits)) for row in rows]


def _cells(cells: tuple[str, ...], limits: ListLimits) -> tuple[str, ...]:
    """Keeps at most one cell after the last column, which shows that there were more."""
    beyond = next(filter(str.strip, cells[limits.columns :]), None)
    kept = cells[: limits.columns] if beyond is None else (*cells[: limits.columns], beyond)
    return tuple(map(unescape_formulas, kept))


def filled_rows(records: Iterable[list[str]], limits: ListLimits) -> list[RawRow]:
    rows = []
    for line, cells in enumerate(records, start=1):
        if any(cell.strip() for cell in cells):
            rows.append(RawRow(line, tuple(cells)))
            if len(rows) > limits.rows_with_headings:
                raise too_many_rows(limits)
    return rows


def _records(text: str, separator: str) -> Iterator[list[str]]:
    """Parses strictly: an unclosed quotation mark, which would swallow rows, is an error."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)


def _records_line_by_line(text: str, separator: str) -> Iterator[list[str]]:
    for line in map(str.rstrip, io.StringIO(text, newline="")):
        try:
            yield next(csv.reader([line], delimiter=separator), [])
        except csv.Error:  # a cell is too long for the parser
            yield line.split(separator)


#: The start of a formula, after blanks and apostrophes, with full-width forms. Excludes the blanks
#: at which a cell may start, so that no blank is matched twice.
_FORMULA = r"'*(?:[\t\r]|(?:[^\S\t\r\n]|[\u200b-\u200f\u2060\ufeff])*[=+\-@＝＋－＠])"
#: The start of a cell, also with another separator than ours.
_START = r"(\A|[;\t\r\n])"

_UNESCAPED = re.compile(f"{_START}(?={_FORMULA})")
_ESCAPED = re.compile(f"{_START}'(?={_FORMULA})")
_AT_THE_START = re.compile(_FORMULA)


def looks_like_a_formula(text: str) -> bool:
    return _AT_THE_START.match(text) is not None


def escape_formulas(text: str) -> str:
    """Puts an apostrophe wherever a spreadsheet might see a formula."""
    return _UNESCAPED.sub(r"\1'", text)


def unescape_formulas(text: str) -> str:
    """Reverts `escape_formulas`."""
    return _ESCAPED.sub(r"\1", text) if "'" in text else text
