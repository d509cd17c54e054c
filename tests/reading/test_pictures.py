"""Pictures are measured before they are decoded, and read by Tesseract or Textract."""

import contextlib
import stat
import struct
import sys
from datetime import date
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.reading.documents import document_text
from frontdesk.reading.model import BadDocument, PictureReader
from frontdesk.reading.ocr import MOST_MEMORY_BYTES, Tesseract, tesseract
from frontdesk.reading.pictures import check_picture, picture_kind, picture_size
from frontdesk.reading.rules import RulesReader
from frontdesk.reading.textract import Textract
from tests.reading.corpus import context
from tests.reading.files import LETTER, LETTER_SIZE, png, scanned_pdf, tiff

SEEN = (
    "Dear Sir or Madam, I would like a table for 4 people on Saturday 12 December 2026, please."
    " We are happy to sit outside. Kind regards, Rosalind Hart 0171 2345678 rosalind@hart.example"
)


@pytest.fixture
def seeing() -> PictureReader:
    found = tesseract()
    assert found, "Tesseract is needed here: apt install tesseract-ocr"
    return found


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize(
    ("data", "kind"), [(LETTER, "image/jpeg"), (scanned_pdf(), "application/pdf")]
)
def test_a_photo_and_a_scan_are_read(data: bytes, kind: str, seeing: PictureReader) -> None:
    text = document_text(data, kind, pictures=seeing)

    assert " ".join(text.split()) == SEEN


@pytest.mark.spec("WL-03")
def test_a_request_on_a_photo_is_understood(seeing: PictureReader) -> None:
    found = RulesReader().read(document_text(LETTER, "image/jpeg", pictures=seeing), context())

    assert [field and field.value for field in (found.name, found.phone, found.email)] == [
        "Rosalind Hart", "+491712345678", "rosalind@hart.example",
    ]  # fmt: skip
    assert [
        field and field.value
        for field in (found.service, found.party, found.earliest_on, found.latest_on)
    ] == ["Dinner", 4, date(2026, 12, 12), date(2026, 12, 12)]


@pytest.mark.spec("WL-03")
@pytest.mark.parametrize("data", [LETTER, scanned_pdf()], ids=["photo", "scan"])
def test_without_text_recognition_a_picture_says_that_it_could_not_be_read(data: bytes) -> None:
    with pytest.raises(BadDocument, match="no text recognition is installed"):
        document_text(data, "application/octet-stream")


def test_where_it_is_not_installed_there_is_no_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert tesseract() is None


def program(folder: Path, *lines: str) -> str:
    path = folder / "tesseract"
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "line", ["exec cat /dev/zero >/dev/null", "exit 1"], ids=["hangs", "fails"]
)
def test_a_recognition_that_hangs_or_fails_is_given_up(tmp_path: Path, line: str) -> None:
    lists = 'case "$1" in --list-langs) echo eng; exit ;; esac'
    seeing = Tesseract(program(tmp_path, lists, line), seconds=0.2)

    with pytest.raises(BadDocument, match="could not be read"):
        seeing.text_of(LETTER)


def test_the_program_gets_none_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRONTDESK_SECRET", "s3cret")

    found = Tesseract(program(tmp_path, "env")).text_of(LETTER)

    assert "OMP_THREAD_LIMIT=1" in found
    assert "s3cret" not in found


@pytest.mark.spec("FD-29")
def test_the_program_is_held_to_memory_and_time(tmp_path: Path) -> None:
    found = Tesseract(program(tmp_path, "ulimit -v", "ulimit -t"), seconds=7).text_of(LETTER)

    assert found.split() == [str(MOST_MEMORY_BYTES // 1024), "8"]


@pytest.mark.spec("FD-29")
def test_a_recognition_that_takes_too_much_memory_is_given_up(tmp_path: Path) -> None:
    greedy = f"{sys.executable} -c 'bytearray({2 * MOST_MEMORY_BYTES}); print(\"seen\")'"

    with pytest.raises(BadDocument, match="could not be read"):
        Tesseract(program(tmp_path, greedy)).text_of(LETTER)


def jpeg(*segments: tuple[int, bytes], scan: bool = True) -> bytes:
    """Builds a JPEG from markers with their data; `scan` begins the pixels."""
    body = b"".join(
        bytes((0xFF, kind)) + struct.pack(">H", len(data) + 2) + data for kind, data in segments
    )
    return b"\xff\xd8" + body + (b"\xff\xda\x00\x02" if scan else b"")


def frame(width: int, height: int, kind: int = 0xC0) -> tuple[int, bytes]:
    return kind, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"


HUGE, SMALL = frame(18_000, 18_000), frame(100, 100)
#: Images for which a reader of segment lengths and a decoder, or two decoders, find different
#: sizes.
DECOYS = {
    "two frames": jpeg(SMALL, HUGE),
    "two frames, the huge one first": jpeg(HUGE, SMALL),
    "a frame that decoders skip": jpeg(frame(100, 100, 0xC3), HUGE),
    "in a comment": jpeg((0xFE, jpeg(SMALL)), HUGE),
    "behind fill bytes": b"\xff\xd8\xff" + jpeg(HUGE)[2:] + jpeg(SMALL),
    "behind a marker without length": b"\xff\xd8\xff\x01" + jpeg(HUGE)[2:],
    "behind a restart": b"\xff\xd8\xff\xd0" + jpeg(HUGE)[2:],
    "no scan": jpeg(SMALL, scan=False),
    "the height comes later": jpeg(frame(18_000, 0)),
    "not at a marker": b"\xff\xd8\xff\xe0\x00\x02\x00" + jpeg(SMALL)[2:],
    "tiff with a width twice": tiff(5, 6).replace(b"\x01\x01", b"\x00\x01", 1),
}


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("data", DECOYS.values(), ids=DECOYS.keys())
def test_a_decoy_gets_no_huge_picture_past_the_bound(data: bytes) -> None:
    assert picture_kind(data)
    with pytest.raises(BadDocument):
        check_picture(data)


def test_a_jpeg_is_measured_behind_fill_bytes_and_markers_without_length() -> None:
    plain = jpeg((0xE0, b"JFIF"), SMALL, (0xC4, b"table"))
    odd = b"\xff\xd8" + b"\xff\x01" + b"\xff\xff" + plain[2:]

    assert picture_size(plain) == picture_size(odd) == (100, 100)


def test_sizes_are_read_from_the_first_bytes() -> None:
    assert picture_size(LETTER) == LETTER_SIZE
    assert picture_size(png(3, 4)) == (3, 4)
    assert picture_size(tiff(5, 6)) == picture_size(tiff(5, 6, order=">")) == (5, 6)


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "data",
    [
        png(100_000, 100_000), tiff(2**31, 2**31), png(0, 5), png(5, 5)[:16], LETTER[:100],
        tiff(5, 6)[:12],
    ],
    ids=["png bomb", "tiff bomb", "no pixel", "short png", "short jpeg", "short tiff"],
)  # fmt: skip
def test_a_picture_too_large_or_damaged_is_never_unpacked(data: bytes) -> None:
    class Unused:
        def text_of(self, picture: bytes) -> str:
            raise AssertionError

    with pytest.raises(BadDocument):
        document_text(data, "image/png", pictures=Unused())


@given(st.sampled_from([png(5, 6), tiff(5, 6), LETTER[:3]]), st.binary(max_size=100))
@settings(max_examples=80, deadline=None)
def test_any_bytes_have_a_size_or_are_refused(head: bytes, noise: bytes) -> None:
    assert picture_kind(head[:12] + noise)
    with contextlib.suppress(BadDocument):
        picture_size(head[:12] + noise)


def textract() -> tuple[Textract, Stubber]:
    client = boto3.client(
        "textract",
        region_name="ap-southeast-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=Config(retries={"max_attempts": 0}),
    )
    return Textract(client), Stubber(client)


@pytest.mark.spec("WL-03")
def test_textract_gives_the_lines_of_a_picture() -> None:
    seeing, stub = textract()
    blocks = [
        {"BlockType": "PAGE"},
        {"BlockType": "LINE", "Text": "A table for 4"},
        {"BlockType": "WORD", "Text": "A"},
        {"BlockType": "LINE", "Text": "on 12 December 2026"},
    ]
    stub.add_response("detect_document_text", {"Blocks": blocks}, {"Document": {"Bytes": LETTER}})

    with stub:
        assert seeing.text_of(LETTER) == "A table for 4\non 12 December 2026"


@pytest.mark.parametrize("error", ["UnsupportedDocumentException", "ThrottlingException"])
def test_a_picture_that_textract_refuses_could_not_be_read(error: str) -> None:
    seeing, stub = textract()
    stub.add_client_error("detect_document_text", error)

    with stub, pytest.raises(BadDocument, match="could not be read"):
        seeing.text_of(LETTER)
