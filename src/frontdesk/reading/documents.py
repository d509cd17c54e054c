"""Extracts the text of a document of any supported kind, with limits that hold for hostile files.

It only reads the content; it runs nothing in it.
"""

from typing import Final

from frontdesk.connect.mail_text import text_from_html
from frontdesk.connect.mime_parts import decode
from frontdesk.reading import pdf
from frontdesk.reading.docx import docx_text
from frontdesk.reading.model import BadDocument, PictureReader
from frontdesk.reading.pictures import check_picture, picture_kind
from frontdesk.reading.workbook import workbook_text

MOST_BYTES: Final = 5_000_000
MOST_TEXT: Final = 64_000

DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PDF: Final = "application/pdf"


def document_text(
    data: bytes,
    kind: str,
    charset: str = "",
    *,
    pictures: PictureReader | None = None,
    seconds: float = pdf.MOST_SECONDS,
) -> str:
    """Returns the text. `kind` is the content type; the first bytes override it.

    Raises only `BadDocument`. Without `pictures`, scans and photos cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise BadDocument("This document is too large.")
    if picture_kind(data):
        return _seen(data, pictures)[:MOST_TEXT]
    kind = _kind(data, kind)
    if kind == PDF:
        return _pdf_text(data, pictures, seconds)
    if kind == DOCX:
        return docx_text(data)
    if kind == XLSX:
        return workbook_text(data)
    if kind == "text/html":
        return text_from_html(decode(data, charset))[:MOST_TEXT]
    if kind in ("text/plain", "text/csv"):
        return decode(data, charset)[:MOST_TEXT]
    raise BadDocument(
        "Only text, HTML, PDF, Word and Excel documents (.docx, .xlsx) and pictures (PNG, JPEG,"
        " TIFF) can be read."
    )


def _kind(data: bytes, kind: str) -> str:
    if data.startswith(b"%PDF-"):
        return PDF
    if data.startswith(b"PK\x03\x04") and kind in ("application/octet-stream", "application/zip"):
        return XLSX if b"xl/workbook.xml" in data else DOCX
    return kind


def _pdf_text(data: bytes, pictures: PictureReader | None, seconds: float) -> str:
    """Returns the text of a PDF; of a scanned one, the text in its pictures."""
    pages = pdf.pdf_pages(data, seconds=min(seconds, pdf.MOST_SECONDS))
    if pages.text or not pages.pictures:
        return pages.text
    return "\n\n".join(_seen(picture, pictures) for picture in pages.pictures)[:MOST_TEXT]


def _seen(picture: bytes, pictures: PictureReader | None) -> str:
    check_picture(picture)
    if pictures is None:
        raise BadDocument("This picture could not be read: no text recognition is installed.")
    return pictures.text_of(picture)
