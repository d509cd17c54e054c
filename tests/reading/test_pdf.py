"""PDF files from people are read; hostile ones end soon."""

import struct
import zlib

import pytest

from frontdesk.reading.documents import document_text
from frontdesk.reading.model import BadDocument
from frontdesk.reading.pdf import DAMAGED, PdfPages, pdf_pages
from frontdesk.reading.pdf_worker import MOST_PAGES, pages_of
from tests.reading.files import (
    LETTER,
    grey_pdf,
    locked,
    pdf,
    scanned_pdf,
    text_pdf,
)

LINES = ("A massage on 4 December 2026, please.", "Ann Lee, 0171 2345678")
PDF = "application/pdf"


@pytest.mark.spec("WL-03")
def test_the_text_of_a_pdf_is_read_line_by_line() -> None:
    assert document_text(text_pdf(*LINES), PDF) == "\n".join(LINES)


def test_a_pdf_that_calls_itself_something_else_is_read() -> None:
    assert document_text(text_pdf(*LINES), "application/octet-stream") == "\n".join(LINES)


def test_a_pdf_that_is_only_locked_against_changes_is_read() -> None:
    assert pages_of(locked(text_pdf(*LINES), "")) == PdfPages(text="\n".join(LINES))


@pytest.mark.spec("WL-03")
def test_a_scanned_page_gives_its_picture_as_it_was() -> None:
    assert pages_of(scanned_pdf()) == PdfPages(pictures=(LETTER,))


@pytest.mark.parametrize(("bits", "width"), [(8, 3), (1, 20)])
def test_plain_pixels_become_a_png(bits: int, width: int) -> None:
    pixels = bytes(range(6))
    (found,) = pages_of(grey_pdf(pixels, width, 2, bits=bits)).pictures

    assert struct.unpack_from(">4sIIBB", found, 12) == (b"IHDR", width, 2, bits, 0)
    (length,) = struct.unpack_from(">I", found, 33)
    assert zlib.decompress(found[41 : 41 + length]) == b"\0" + pixels[:3] + b"\0" + pixels[3:]


def test_only_the_first_pages_are_read() -> None:
    pages = [b"BT /F1 12 Tf 50 700 Td (This is page number %d.) Tj ET" % at for at in range(30)]

    assert pages_of(pdf(*pages)).text.count("page number") == MOST_PAGES


@pytest.mark.spec("FD-27", "FD-29")
@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"%PDF-1.7 and then nothing", DAMAGED),
        (text_pdf(*LINES)[:200], DAMAGED),
        (pdf(), "no text and no picture"),
        (pdf(b""), "no text and no picture"),
        (locked(text_pdf(*LINES), "secret"), "locked with a password"),
        (grey_pdf(b"", 100_000, 100_000), "no text and no picture"),
        (grey_pdf(b"short", 100, 100), "no text and no picture"),
    ],
    ids=["garbage", "cut off", "no page", "empty", "locked", "huge picture", "short picture"],
)
def test_a_pdf_that_cannot_be_read_says_why(data: bytes, problem: str) -> None:
    with pytest.raises(BadDocument, match=problem):
        pdf_pages(data)


@pytest.mark.spec("FD-29")
def test_a_stream_that_unpacks_to_very_much_is_refused() -> None:
    bomb = zlib.compress(bytes(100_000_000))

    with pytest.raises(BadDocument, match=DAMAGED):
        pdf_pages(pdf(bomb, filters="/Filter /FlateDecode"))


@pytest.mark.spec("FD-27")
def test_a_slow_file_is_given_up() -> None:
    with pytest.raises(BadDocument, match=DAMAGED):
        pdf_pages(text_pdf(*LINES), seconds=0.001)
