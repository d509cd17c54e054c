"""Decodes a text file from any program."""

import codecs
import re

from frontdesk.connect.tables.model import BadTable, Limits, too_large

MARKS = (
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
    (b"\x1f\x8b", "a packed file; unpack it first"),
)

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decoded(source: bytes | str, limits: Limits) -> str:
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
        raise BadTable("This is no list of people: it is neither text nor an Excel file (.xlsx).")
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", text)).removeprefix("\ufeff")


def _refuse_other_files(data: bytes) -> None:
    start = data[:200].lstrip().lower()
    for magic, what in _OTHER_FILES:
        if start.startswith(magic.lower()):
            raise BadTable(f"This is {what}.")


def _text(data: bytes) -> str:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if encoding := _unmarked_utf16(data):
        return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _windows_text(data)


def _unmarked_utf16(data: bytes) -> str:
    """Detects UTF-16 without a mark: western text has a zero in every other byte."""
    pairs = len(data) // 2
    if not pairs or data.count(0) * 4 < pairs:
        return ""
    return "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"


def _windows_text(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")
