"""Measures pages and a small import, alone and while hostile attachments are read.

The attachments come in by SMTP: small PDFs that take long to read, pictures with a decoy frame, and
Excel files that name one sheet 800 times. Pages and jobs must not wait for them.
"""

import contextlib
import http.client
import io
import smtplib
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from statistics import quantiles

from bench.product import SLUG, create_event
from bench.served import free_port, running, scratch_folder
from frontdesk.settings import Settings
from frontdesk.values import Frozen
from frontdesk.wiring.one_machine import data_file

DOMAIN = "desk.example"
ADDRESS = f"waitlist@{DOMAIN}"
SECONDS_ALONE = 8
PER_SECOND = 20
ROWS = 200
#: The longest time for a page, whatever else the server reads.
MOST_SECONDS = 2.0
LEFT_TO_READ = "SELECT count(*) FROM fd_mail WHERE outcome = ''"


class Pages(Frozen):
    """Milliseconds until pages were answered."""

    number: int
    p50_ms: float
    p99_ms: float
    longest_ms: float

    def __str__(self) -> str:
        return (
            f"p50 {self.p50_ms:.1f} ms, p99 {self.p99_ms:.1f} ms,"
            f" longest {self.longest_ms:.0f} ms of {self.number}"
        )


def slow_pdf(operators: int = 1_400_000) -> bytes:
    """Returns a PDF of 38 KB whose only page has more than a million operators."""
    drawn = zlib.compress(b"BT /F1 12 Tf 50 700 Td " + b"(a) Tj 1 0 Td " * operators + b"ET", 9)
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    tail = f"xref\n0 6\n0000000000 65535 f \n{table}trailer\n<< /Size 6 /Root 1 0 R >>\n"
    return out + tail.encode() + f"startxref\n{len(out)}\n%%EOF".encode()


def decoy_jpeg() -> bytes:
    """Returns a picture whose second frame has 18,000 x 18,000 pixels."""

    def frame(width: int, height: int) -> bytes:
        data = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
        return b"\xff\xc0" + struct.pack(">H", len(data) + 2) + data

    return b"\xff\xd8" + frame(100, 100) + frame(18_000, 18_000) + b"\xff\xda\x00\x02"


def repeated_xlsx(times: int = 800, rows: int = 20_000) -> bytes:
    """Returns an Excel file that names one sheet many times."""
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{kinds}"'
    space = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'

    def link(kind: str, target: str) -> str:
        found = f'<Relationship Id="a" Type="{kinds}/{kind}" Target="{target}"/>'
        return f"<Relationships {space}>{found}</Relationships>"

    listed = "".join(
        f'<sheet name="{each}" sheetId="{each}" r:id="a"/>' for each in range(1, times + 1)
    )
    empty = "<row/>" * rows
    parts = {
        "_rels/.rels": link("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f"<workbook {main}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": link("worksheet", "sheets/a.xml"),
        "xl/sheets/a.xml": f"<worksheet {main}><sheetData>{empty}</sheetData></worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


_SHEET = "vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: Four senders send a PDF each; two send pictures and two send Excel files.
ATTACHED = (
    *[("application", "pdf", "request.pdf", slow_pdf)] * 4,
    *[("image", "jpeg", "scan.jpg", decoy_jpeg)] * 2,
    *[("application", _SHEET, "list.xlsx", repeated_xlsx)] * 2,
)


def mails() -> Iterator[bytes]:
    for number, (main, kind, name, made) in enumerate(ATTACHED):
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"] = f"sender{number}@example.org", ADDRESS
        mail["Subject"], mail["Message-ID"] = "A request", f"<{number}@example.org>"
        mail.set_content("Please see the attachment.\n")
        mail.add_attachment(made(), maintype=main, subtype=kind, filename=name)
        yield mail.as_bytes()


def pages(port: int, ends: Callable[[], bool]) -> Pages:
    """Opens the page of the event at fixed times. A late answer delays the next ones, which count
    it, too."""
    times: list[float] = []
    began = time.perf_counter()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        while not ends():
            due = began + len(times) / PER_SECOND
            time.sleep(max(0.0, due - time.perf_counter()))
            connection.request("GET", f"/e/{SLUG}")
            response = connection.getresponse()
            response.read()
            if response.status != http.HTTPStatus.OK:
                raise RuntimeError(f"a page was answered with {response.status}")
            times.append((time.perf_counter() - due) * 1000)
    hundredths = quantiles(times, n=100, method="inclusive")
    return Pages(len(times), hundredths[49], hundredths[98], max(times))


def import_seconds(folder: Path, word: str) -> float:
    """Returns the seconds until the server's jobs have worked off a list."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as table:
        table.write("name,email\n")
        table.writelines(f"Guest,{word}{number}@example.org\n" for number in range(ROWS))
        table.flush()
        command = [sys.executable, "-m", "frontdesk", "import", SLUG, table.name]
        began = time.monotonic()
        subprocess.run([*command, "--data-dir", str(folder)], stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - began


def report() -> bool:
    """Prints the times; returns whether every page was answered within the limit."""
    with scratch_folder() as folder:
        port, mail_port = free_port(), free_port()
        create_event(Settings(data_dir=folder))
        command = [sys.executable, "-m", "frontdesk", "serve", "--data-dir", str(folder)]
        options = ["--port", str(port), "--mail-in-port", str(mail_port), "--mail-domain", DOMAIN]
        with running([*command, *options], port, f"/e/{SLUG}"):
            ends_at = time.monotonic() + SECONDS_ALONE
            alone = pages(port, lambda: time.monotonic() > ends_at)
            quiet = import_seconds(folder, "quiet")
            began = time.monotonic()
            with smtplib.SMTP("127.0.0.1", mail_port, timeout=20) as server:
                for number, mail in enumerate(mails()):
                    server.sendmail(f"sender{number}@example.org", [ADDRESS], mail)
            busy = import_seconds(folder, "busy")
            beside = pages(port, lambda: _is_read(folder))
            seconds = time.monotonic() - began
    print(f"pages alone: {alone}")
    print(f"pages beside {len(ATTACHED)} hostile mails (read in {seconds:.0f} s): {beside}")
    print(f"an import of {ROWS} rows: {quiet:.1f} s alone, {busy:.1f} s beside them")
    return beside.longest_ms <= MOST_SECONDS * 1000


def _is_read(folder: Path) -> bool:
    with contextlib.closing(sqlite3.connect(data_file(folder))) as db:
        left: int = db.execute(LEFT_TO_READ).fetchone()[0]
        return not left


if __name__ == "__main__":
    sys.exit(0 if report() else 1)
