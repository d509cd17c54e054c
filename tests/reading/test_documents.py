"""Attached documents become text; hostile documents are refused."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.reading import documents
from frontdesk.reading import docx as word
from frontdesk.reading.documents import DOCX, document_text
from frontdesk.reading.model import BadDocument
from frontdesk.reading.rules import RulesReader
from tests.reading.corpus import context
from tests.reading.files import docx, paragraph, row


@pytest.mark.spec("WL-03")
def test_a_word_document_is_read_by_lines_and_rows() -> None:
    body = (
        paragraph("Dear ", "desk,") + f"<w:tbl>{row('Name', 'Ann Lee')}{row('Guests', '4')}</w:tbl>"
    )

    assert document_text(docx(body), DOCX) == "Dear desk,\nName | Ann Lee |\nGuests | 4 |"


@pytest.mark.spec("WL-03")
def test_a_request_in_a_word_table_is_understood() -> None:
    rows = row("Name", "Ann Lee") + row("Service", "Massage") + row("Guests", "2")
    text = document_text(docx(f"<w:tbl>{rows}</w:tbl>" + paragraph("On 4 December 2026.")), DOCX)

    found = RulesReader().read(text, context())

    assert [found.name and found.name.value, found.service and found.service.value] == [
        "Ann Lee",
        "Massage",
    ]
    assert found.party
    assert found.party.value == 2
    assert found.earliest_on
    assert found.earliest_on.value.isoformat() == "2026-12-04"


def test_deleted_text_in_a_word_document_is_not_read() -> None:
    body = "<w:p><w:r><w:delText>3 March</w:delText></w:r><w:r><w:t>4 March</w:t></w:r></w:p>"

    assert document_text(docx(body), DOCX) == "4 March"


def test_html_and_plain_text_are_read() -> None:
    assert (
        document_text(b"<p>Caf&eacute; for <b>two</b></p>", "text/html").strip() == "Café for two"
    )
    assert document_text("Café".encode("latin-1"), "text/plain", "latin-1") == "Café"


@pytest.mark.spec("FD-27", "FD-29")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04 not really",
        docx(paragraph("x"), part="word/other.xml"),
        docx("<w:p>"),
        docx(paragraph("&a;"), head='<!DOCTYPE x [<!ENTITY a "aaaa">]>'),
        docx(" " * (word.MOST_UNPACKED_BYTES + 1)),
        docx("<w:p/>" * (word.MOST_ELEMENTS + 1)),
        b"x" * (documents.MOST_BYTES + 1),
    ],
    ids=["empty", "no zip", "no text", "broken", "entities", "bomb", "too much", "too large"],
)
def test_a_document_that_cannot_be_read_is_refused(data: bytes) -> None:
    with pytest.raises(BadDocument):
        document_text(data, DOCX)


def test_other_kinds_are_refused() -> None:
    with pytest.raises(BadDocument, match="Only text, HTML, PDF"):
        document_text(b"\0\0\0\x18ftypheic", "image/heic")


@given(st.binary(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_bytes_in_the_archive_give_text_or_a_refusal(noise: bytes) -> None:
    data = bytearray(docx(paragraph("hello")))
    data[40 : 40 + len(noise)] = noise
    with contextlib.suppress(BadDocument):
        document_text(bytes(data), DOCX)
