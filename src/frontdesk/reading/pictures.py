"""Reads the size of a picture from its header, so that oversized pictures are never decoded."""

import struct
from typing import Final

from frontdesk.reading.model import BadDocument

MOST_PIXELS: Final = 30_000_000
MOST_SEGMENTS: Final = 200
MOST_TAGS: Final = 200

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_TIFF: Final = {b"II*\x00": "<", b"MM\x00*": ">"}


def picture_kind(data: bytes) -> str:
    """Returns 'image/png' or similar; '' if the format is not supported."""
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(_JPEG):
        return "image/jpeg"
    return "image/tiff" if data[:4] in _TIFF else ""


def check_picture(data: bytes) -> None:
    """Raises `BadDocument` if it is damaged or has too many pixels."""
    width, height = picture_size(data)
    if not 0 < width * height <= MOST_PIXELS:
        raise BadDocument("This picture has too many pixels to be read.")


def picture_size(data: bytes) -> tuple[int, int]:
    """Returns width and height in pixels."""
    sizes = {"image/png": _png_size, "image/jpeg": _jpeg_size, "image/tiff": _tiff_size}
    try:
        return sizes[picture_kind(data)](data)
    except (struct.error, IndexError, KeyError):
        raise BadDocument("This picture is damaged and cannot be read.") from None


def _png_size(data: bytes) -> tuple[int, int]:
    name, width, height = struct.unpack_from(">4sII", data, 12)
    if name != b"IHDR":
        raise KeyError(name)
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Returns the size of the frame before the first scan; walks the segments as decoders do.

    Rejects a file with two frames, since decoders differ in which one they use.
    """
    size: tuple[int, int] | None = None
    at = 2
    for _ in range(MOST_SEGMENTS):
        at, kind = _jpeg_mark(data, at)
        if kind in _ALONE:
            continue
        if kind == _SCAN:
            break
        (length,) = struct.unpack_from(">H", data, at)
        if kind in _FRAMES:
            if size is not None or kind not in _READ_FRAMES or length < 8:
                raise KeyError(kind)
            height, width = struct.unpack_from(">HH", data, at + 3)
            size = width, height
        at += max(length, 2)
    else:
        raise KeyError("scan")
    if size is None:
        raise KeyError("frame")
    return size


def _jpeg_mark(data: bytes, at: int) -> tuple[int, int]:
    """Returns the position after the marker at `at`, and its kind; skips fill bytes."""
    if data[at] != 0xFF:
        raise KeyError("marker")
    while data[at] == 0xFF:
        at += 1
    return at + 1, data[at]


_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
#: The frames that decoders support: baseline, extended and progressive, Huffman or arithmetic.
_READ_FRAMES: Final = frozenset((0xC0, 0xC1, 0xC2, 0xC9, 0xCA))
_SCAN: Final = 0xDA
#: Markers without a length.
_ALONE: Final = frozenset((0x01, *range(0xD0, 0xD8)))


def _tiff_size(data: bytes) -> tuple[int, int]:
    """Reads tags 256 and 257 of the first page. Rejects repeated tags and other types, since
    decoders differ in which value they use.
    """
    order = _TIFF[data[:4]]
    (start,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, start)
    if count > MOST_TAGS:
        raise KeyError("tags")
    found: dict[int, int] = {}
    for at in range(count):
        tag, kind, many = struct.unpack_from(order + "HHI", data, start + 2 + 12 * at)
        if tag not in (256, 257):
            continue
        if tag in found or kind not in (3, 4) or many != 1:
            raise KeyError(tag)
        (found[tag],) = struct.unpack_from(
            order + ("H" if kind == 3 else "I"), data, start + 10 + 12 * at
        )
    return found[256], found[257]
