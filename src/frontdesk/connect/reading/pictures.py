"""How large a picture is, told from its first bytes: one that is too large is never unpacked."""

import struct
from typing import Final

from frontdesk.connect.reading.model import BadDocument

MOST_PIXELS: Final = 30_000_000
MOST_SEGMENTS: Final = 200
MOST_TAGS: Final = 200

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_TIFF: Final = {b"II*\x00": "<", b"MM\x00*": ">"}


def picture_kind(data: bytes) -> str:
    """'image/png' and the like; '' if it is none that we can read."""
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(_JPEG):
        return "image/jpeg"
    return "image/tiff" if data[:4] in _TIFF else ""


def check_picture(data: bytes) -> None:
    """Raises `BadDocument` if it is damaged, or has more pixels than we unpack."""
    width, height = picture_size(data)
    if not 0 < width * height <= MOST_PIXELS:
        raise BadDocument("This picture has too many pixels to be read.")


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
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
    """In the frame's header, behind segments that each tell their length."""
    at = 2
    for _ in range(MOST_SEGMENTS):
        mark, kind, length = struct.unpack_from(">BBH", data, at)
        if mark != 0xFF:
            break
        if kind in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + length
    raise KeyError("frame")


_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _tiff_size(data: bytes) -> tuple[int, int]:
    """Tags 256 and 257 of the first page."""
    order = _TIFF[data[:4]]
    (start,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, start)
    found: dict[int, int] = {}
    for at in range(min(count, MOST_TAGS)):
        tag, kind = struct.unpack_from(order + "HH", data, start + 2 + 12 * at)
        (found[tag],) = struct.unpack_from(
            order + ("H" if kind == 3 else "I"), data, start + 10 + 12 * at
        )
    return found[256], found[257]
