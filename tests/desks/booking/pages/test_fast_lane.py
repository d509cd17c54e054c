"""A complete form goes straight to the search: no code that reads free text is even loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
#: Books with the form, then sends a note; prints after each whether the parser was loaded.
BOOKS = """
import json, sys
from pathlib import Path
from tests.desks.booking.pages.shop import ANN, at, shop_at, text

PARSER = "frontdesk.reading.booking_request"
with shop_at(Path(sys.argv[1])) as shop:
    shop.given()
    assert shop.book().heading == "It's booked."
    body = {"service": "Haircut", "at": text(at(14)), "name": "Bo", "email": "bo@example.org"}
    sent = shop.visitor.send(
        "POST", "/api/booking", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    assert sent.status == 201
    print(PARSER in sys.modules)
    shop.post("/book/ask", **ANN, note="A haircut on Thursday after 3, please.")
    print(PARSER in sys.modules)
"""


@pytest.mark.spec("BK-01", "BK-02")
def test_a_complete_form_is_not_parsed_and_a_note_is(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BOOKS, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "True"]


def test_the_server_starts_without_the_readers_of_days_and_times() -> None:
    """These readers take half as long to load as everything else."""
    code = "import frontdesk.embedded.server, sys; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert "frontdesk.desks.booking.console.phone_line" in loaded
    assert not loaded & {"frontdesk.reading.when", "frontdesk.reading.windows"}
