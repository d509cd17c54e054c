"""Builds documents as people attach them, and as attackers would."""

import io
import struct
import zipfile
import zlib
from email.message import EmailMessage
from pathlib import Path

from pypdf import PdfReader, PdfWriter

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
LETTER = Path(__file__).with_name("letter.jpg").read_bytes()
LETTER_SIZE = (860, 520)


def docx(body: str, *, head: str = "", part: str = "word/document.xml") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        xml = f'{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        archive.writestr(part, xml)
    return out.getvalue()


def paragraph(*texts: str) -> str:
    return "<w:p>" + "".join(f"<w:r><w:t>{text}</w:t></w:r>" for text in texts) + "</w:p>"


def row(*cells: str) -> str:
    inner = "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells)
    return f"<w:tr>{inner}</w:tr>"


def pdf(*contents: bytes, image: bytes = b"", filters: str = "") -> bytes:
    """Builds a PDF with a page for each content stream; `image` is an object with its own
    dictionary."""
    pages = " ".join(f"{10 + 2 * at} 0 R" for at in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{pages}] /Count {len(contents)} >>".encode(),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    if image:
        objects[4] = image
    drawn = b"/XObject << /Im0 4 0 R >>" if image else b""
    for at, content in enumerate(contents):
        objects[10 + 2 * at] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources"
            b" << /Font << /F1 3 0 R >> " + drawn + b" >> /Contents %d 0 R >>" % (11 + 2 * at)
        )
        head = f"<< /Length {len(content)} {filters} >>\nstream\n".encode()
        objects[11 + 2 * at] = head + content + b"\nendstream"
    return _with_table(objects)


def _with_table(objects: dict[int, bytes]) -> bytes:
    out = b"%PDF-1.7\n"
    places = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = "".join(f"{number} 1\n{place:010} 00000 n \n" for number, place in places.items())
    tail = f"xref\n0 1\n0000000000 65535 f \n{table}trailer\n<< /Size 99 /Root 1 0 R >>\n"
    return out + tail.encode() + f"startxref\n{len(out)}\n%%EOF".encode()


def text_pdf(*lines: str) -> bytes:
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    return pdf(f"BT /F1 12 Tf 14 TL 50 700 Td {shown} ET".encode("latin-1"))


def scanned_pdf(pages: int = 1) -> bytes:
    width, height = LETTER_SIZE
    image = _image(LETTER, width, height, "DCTDecode", "DeviceRGB", 8)
    return pdf(*[b"q 600 0 0 800 0 0 cm /Im0 Do Q"] * pages, image=image)


def grey_pdf(pixels: bytes, width: int, height: int, *, bits: int = 8) -> bytes:
    image = _image(zlib.compress(pixels), width, height, "FlateDecode", "DeviceGray", bits)
    return pdf(b"/Im0 Do", image=image)


def _image(data: bytes, width: int, height: int, kind: str, space: str, bits: int) -> bytes:
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /Filter /{kind}"
        f" /ColorSpace /{space} /BitsPerComponent {bits} /Length {len(data)} >>\nstream\n"
    )
    return head.encode() + data + b"\nendstream"


def locked(data: bytes, password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def png(width: int, height: int) -> bytes:
    """Builds only the header: code that asks for the size reads no further."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + bytes(9)


def tiff(width: int, height: int, *, order: str = "<") -> bytes:
    mark = b"II*\0" if order == "<" else b"MM\0*"
    tags = struct.pack(order + "HHII", 256, 4, 1, width) + struct.pack(
        order + "HHII", 257, 4, 1, height
    )
    return mark + struct.pack(order + "IH", 8, 2) + tags


def mail(text: str, *files: tuple[str, str, bytes], **headers: str) -> bytes:
    """Builds a mail with files as (name, content type, bytes)."""
    made = EmailMessage()
    made["From"] = headers.get("sender", "Ann Lee <ann@lee.example>")
    made["To"] = "desk@salon.example"
    made["Date"] = headers.get("date", "Sun, 15 Nov 2026 10:00:00 +0100")
    made["Subject"] = headers.get("subject", "Request")
    made.set_content(text)
    for name, kind, data in files:
        main, _, sub = kind.partition("/")
        made.add_attachment(data, maintype=main, subtype=sub, filename=name)
    return bytes(made)
