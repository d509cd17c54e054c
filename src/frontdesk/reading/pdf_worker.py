"""Reads one PDF from standard input and prints its content, under limits of the system.

It is a separate program, so that a hostile file can use only a few seconds and limited memory.
"""

import contextlib
import io
import logging
import os
import struct
import sys
import zlib
from typing import Any, Final

import msgspec
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from frontdesk.reading.pdf import DAMAGED, PdfPages
from frontdesk.reading.pictures import MOST_PIXELS

MOST_PAGES: Final = 10
MOST_PICTURES: Final = 3
MOST_TEXT: Final = 64_000
MOST_PICTURE_BYTES: Final = 5_000_000
MOST_CPU_SECONDS: Final = 8
MOST_MEMORY_BYTES: Final = 768 * 1024 * 1024
#: A page with fewer letters is a scan, perhaps with a page number.
LEAST_TEXT: Final = 20


def main() -> None:
    _limit()
    logging.disable()
    try:
        pages = pages_of(sys.stdin.buffer.read())
    except (Exception, RecursionError, MemoryError):  # a hostile file may fail anywhere
        pages = PdfPages(problem=DAMAGED)
    sys.stdout.buffer.write(msgspec.json.encode(pages))


def _limit() -> None:
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_SECONDS, MOST_CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
        os.nice(10)  # web pages have priority


def pages_of(data: bytes) -> PdfPages:
    """Returns the text of the first pages, or their pictures if there is none."""
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not _is_opened(reader):
        return PdfPages(problem="This PDF is locked with a password, and could not be read.")
    pages = [reader.pages[at] for at in range(min(len(reader.pages), MOST_PAGES))]
    text = "\n\n".join(page.extract_text() for page in pages).strip()[:MOST_TEXT]
    if len("".join(text.split())) >= LEAST_TEXT:
        return PdfPages(text=text)
    pictures = [found for page in pages[:MOST_PICTURES] if (found := _picture_on(page))]
    if not pictures and not text:
        return PdfPages(problem="This PDF has no text and no picture that could be read.")
    return PdfPages(text="" if pictures else text, pictures=tuple(pictures))


def _is_opened(reader: PdfReader) -> bool:
    """Tries an empty password: many PDFs are only protected against changes."""
    try:
        return bool(reader.decrypt(""))
    except (PyPdfError, ImportError):
        return False


def _picture_on(page: Any) -> bytes | None:
    """Returns the largest picture of a page as a file; a scanned page has only one."""
    things = [
        each.get_object() for each in _inside(_inside(page, "/Resources"), "/XObject").values()
    ]
    images = [each for each in things if each.get("/Subtype") == "/Image"]
    best = max(images, key=_pixels, default=None)
    return _as_file(best) if best and 0 < _pixels(best) <= MOST_PIXELS else None


def _inside(things: Any, name: str) -> Any:
    return things[name].get_object() if name in things else {}


def _pixels(image: Any) -> int:
    return int(image.get("/Width", 0)) * int(image.get("/Height", 0))


def _as_file(image: Any) -> bytes | None:
    """Returns JPEG and fax as they are, plain pixels as PNG; None for other kinds."""
    filters = image.get("/Filter", ())
    last = filters[-1] if isinstance(filters, list) and filters else filters
    data = bytes(image.get_data())
    if last in ("/DCTDecode", "/CCITTFaxDecode"):
        found: bytes | None = data
    elif last in ("/FlateDecode", "/LZWDecode", "/RunLengthDecode", ()):
        found = _png(image, data)
    else:
        found = None
    return found if found and len(found) <= MOST_PICTURE_BYTES else None


def _png(image: Any, pixels: bytes) -> bytes | None:
    width, height, bits = (int(image[key]) for key in ("/Width", "/Height", "/BitsPerComponent"))
    colours = _colours(image.get("/ColorSpace"))
    row = (width * bits * colours + 7) // 8
    if bits not in (1, 8) or not colours or (bits == 1 and colours != 1):
        return None
    if len(pixels) < row * height:
        return None
    rows = b"".join(b"\0" + pixels[at * row : (at + 1) * row] for at in range(height))
    head = struct.pack(">IIBBBBB", width, height, bits, 2 if colours == 3 else 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _colours(space: Any) -> int:
    """Returns the number of values of a pixel: 1, 3, or 0 if unknown."""
    if space is None:
        return 0
    space = space.get_object()
    if isinstance(space, list):
        if space[0] == "/ICCBased":
            return {1: 1, 3: 3}.get(int(space[1].get_object().get("/N", 0)), 0)
        space = space[0]
    return {"/DeviceGray": 1, "/CalGray": 1, "/DeviceRGB": 3, "/CalRGB": 3}.get(str(space), 0)


if __name__ == "__main__":
    main()
