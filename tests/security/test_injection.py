"""Markup, formulas, headers and templates that people type stay text."""

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser

import openpyxl  # type: ignore[import-untyped]
import pytest

from frontdesk.channels.mime import to_mime
from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.jobs import JobId
from frontdesk.core.messages import Message
from frontdesk.core.sends import SentMessage
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.rsvp.commands import CallOff, SendThanks
from frontdesk.intake.mail import MailIn
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import console_desk, form_fields, multipart
from tests.security.world import World, is_html, make_world, poll
from tests.support.browser import Answer
from tests.support.mail import DESK, PARTY, a_mail
from tests.support.rsvp import DETAILS

PROBE = "\"'><xss-probe onxss=1 href=javascript:x>{{1337*7}}{%x%}</title></textarea><!--"
FORMULAS = ("=1+1", "+1", "-1", "@SUM(1)", "=cmd|' /C calc'!A0", "＝1+1")
NAMES = {
    "form": f"Fo {PROBE}",
    "json": f"Js {PROBE}",
    "csv": f"Cs {PROBE}",
    "xlsx": f"Xl {PROBE}",
    "mail": f"Ma {PROBE}",
}
HOSTILE = replace(DETAILS, name=f"Na {PROBE}", venue=f"Ve {PROBE}", description=f"De {PROBE}\n\n=x")


#: Our images are inline: the logo and the check-in code.
PICTURES = ("link", "img")


class Probe(HTMLParser):
    """Finds elements that exist only if a text has become markup."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "xss-probe":
            self.found.append(tag)
        for name, value in attrs:
            scheme = (value or "").strip().lower().partition(":")[0]
            is_link = name in ("href", "src", "action", "formaction") and tag not in PICTURES
            if name.startswith("on") or (is_link and scheme in ("javascript", "data", "vbscript")):
                self.found.append(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        if "xss" in data or "</" in data:
            self.found.append(f"a comment {data[:50]}")


def injected(html: str) -> list[str]:
    probe = Probe()
    probe.feed(html)
    probe.close()
    return probe.found + (["a template"] if str(1337 * 7) in html else [])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Has hostile text from every source."""
    folder = tmp_path_factory.mktemp("hostile")
    with console_desk(folder, mail_domain="frontdesk.example", mail_in_port=25) as con:
        world = make_world(con, HOSTILE)
        con.desk.do(SetBusiness(Business(name=f"Bu {PROBE}", sender_name=f"Se {PROBE}")))
        sign_up_by_form_and_json(world)
        brings_a_list(world, "people.csv", as_csv())
        brings_a_list(world, "people.xlsx", as_xlsx())
        writes_a_mail(world)
        con.desk.settle()
        yield world


def sign_up_by_form_and_json(world: World) -> None:
    by_form = world.visitor.post("/e/pottery", name=NAMES["form"], email="form@example.org")
    body = json.dumps({"name": NAMES["json"], "email": "json@example.org"}).encode()
    kind = {"content-type": "application/json"}
    by_json = world.visitor.ask("POST", "/e/pottery", body, kind)
    assert (by_form.status, by_json.status) == (200, 200)
    for number, formula in enumerate(FORMULAS):
        world.visitor.post("/e/pottery", name=formula, email=f"formula{number}@example.org")


def as_csv() -> bytes:
    file = io.StringIO()
    csv.writer(file).writerows([["Name", "E-mail"], [NAMES["csv"], "csv@example.org"]])
    return file.getvalue().encode()


def as_xlsx() -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(["Name", "E-mail"])
    sheet.append([NAMES["xlsx"], "xlsx@example.org"])
    book.save(file)
    return file.getvalue()


def brings_a_list(world: World, name: str, file: bytes) -> None:
    url = f"{world.con.url}/import"
    body, kind = multipart({"csrf": world.host.get(url).csrf}, {"file": (name, file)})
    preview = world.host.ask("POST", url, body, {"content-type": kind})
    assert (preview.status, injected(preview.text)) == (200, [])
    rows = form_fields(preview.text, f"{url}/begin") | {"how": "confirm"}
    body, kind = multipart({name: value or "" for name, value in rows.items()}, {})
    assert world.host.ask("POST", f"{url}/begin", body, {"content-type": kind}).status == 303


def writes_a_mail(world: World) -> None:
    subject = f"Su {PROBE}"
    raw = a_mail(f"Count me in {PROBE}", sender="mail@example.org", subject=subject)
    quoted = NAMES["mail"].replace("\\", "\\\\").replace('"', '\\"')
    raw = raw.replace(b"From: mail@example.org", f'From: "{quoted}" <mail@example.org>'.encode())
    envelope = Envelope("mail@example.org", (PARTY,), raw, "127.0.0.1")
    asyncio.run(MailIn(world.con.desk.product).deliver(envelope))


def guests(world: World) -> dict[str, str]:
    """Returns names by the local part of the address."""
    rows = world.con.desk.reads.guest_rows(world.con.desk.event_id)
    return {row.person.email.partition("@")[0]: row.person.name for row in rows}


@pytest.mark.spec("FD-29")
def test_hostile_names_are_kept_as_they_were_typed_on_every_way_in(world: World) -> None:
    assert guests(world).items() >= NAMES.items()


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("who", ["visitor", "owner", "host"])
def test_no_page_turns_a_text_into_markup(world: World, who: str) -> None:
    pages, rows = 0, world.con.desk.reads.guest_rows(world.con.desk.event_id)
    people = [(row.guest.id, row.person.id) for row in rows if row.person.email[:4] in NAMES]
    for pattern in world.routes("GET"):
        for guest, person in people:
            answer = world.team[who].get(poll(world.path(pattern, guest=guest, person_id=person)))
            if is_html(answer):
                pages += "xss-probe" in answer.text
                assert injected(answer.text) == [], pattern
            if not {"guest", "person_id"} & set(pattern.split("/")):
                break
    assert pages > 2


@pytest.mark.spec("FD-29")
def test_wrong_input_is_shown_as_text(world: World) -> None:
    typed = dict.fromkeys(("name", "email", "slug", "zone", "venue", "accent", "q"), PROBE)
    csrf = world.owner.get("/console/you").csrf

    for pattern in world.routes("POST"):
        if "sign-out" in pattern:
            continue
        answer = world.owner.post(world.path(pattern), csrf=csrf, words="x" * 9_000, **typed)
        assert injected(answer.text) == [], pattern
    for pattern in world.routes("GET"):
        query = "&".join(f"{name}=%22%3E%3Cxss-probe%3E" for name in (*typed, "next", "state"))
        answer = world.owner.get(poll(f"{world.path(pattern)}?{query}"))
        assert not is_html(answer) or injected(answer.text) == [], pattern


# --- mails ----------------------------------------------------------------------------------


def kept(world: World) -> list[SentMessage]:
    desk = world.con.desk
    ids = [send_id for (send_id,) in desk._db().execute("SELECT send_id FROM fd_message")]
    found = [desk.product.engine.reads().engine.sent_message(send_id) for send_id in ids]
    return [mail for mail in found if mail is not None]


def as_sent(mail: SentMessage) -> Message:
    return Message(
        message_id=mail.message_id,
        to_email=mail.to_email,
        to_name=mail.to_name,
        from_email=DESK,
        subject=mail.subject,
        text=mail.text,
        html=mail.html,
        calendar=mail.calendar,
        calendar_method=mail.calendar_method or None,
        date=mail.sent_at,
    )


@pytest.mark.spec("FD-28", "FD-29")
def test_no_mail_turns_a_text_into_markup_or_a_header(world: World) -> None:
    desk = world.con.desk
    new_id = desk.product.engine.new_id
    desk.do(CallOff(world.other_event, JobId(new_id()), f"Of {PROBE}\r\nBcc: x@evil.example"))
    desk.wait_until(HOSTILE.ends_at)
    desk.do(SendThanks(desk.event_id, JobId(new_id()), f"Th {PROBE}"))
    desk.wait(days=1)

    mails = kept(world)
    assert {mail.subject.count("\n") for mail in mails} == {0}
    assert sum("xss-probe" in mail.html for mail in mails) > 10
    for mail in mails:
        assert injected(mail.html) == [], mail.subject
        read = message_from_bytes(to_mime(as_sent(mail)), policy=default)
        assert set(read.keys()) <= HEADERS
        assert len(read.keys()) == len(set(read.keys()))
        assert [each.addr_spec for each in read["to"].addresses] == [mail.to_email]


HEADERS = {
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "X-Frontdesk",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
}


# --- files ----------------------------------------------------------------------------------


def export(world: World, ending: str) -> Answer:
    return world.host.get(f"{world.con.url}/guests.{ending}")


@pytest.mark.spec("FD-29")
def test_no_cell_of_an_exported_list_is_a_formula(world: World) -> None:
    rows = list(csv.reader(io.StringIO(export(world, "csv").body.decode("utf-8-sig"))))
    sheet = openpyxl.load_workbook(io.BytesIO(export(world, "xlsx").body)).worksheets[0]
    cells = [cell for row in sheet.iter_rows() for cell in row]

    assert len(rows) > len(FORMULAS)
    assert [cell for row in rows for cell in row if cell[:1] in set("=+-@\t\r＝＋－＠")] == []
    assert {cell.data_type for cell in cells} <= {"s", "n", "d"}
    names = {str(cell.value).removeprefix("'") for cell in cells}
    assert names >= {*FORMULAS, *NAMES.values()}
